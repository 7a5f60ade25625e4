"""From a config.yaml to a Config: is it ours, is it right, what does it add up to.

Merged here: `defaults:` under each source (lists replace). Between the two stands the task of a source, see
`with_task`.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watchdog.config.env import as_written, environment, substitute
from watchdog.config.nodes import Node, load_yaml
from watchdog.config.rules import read_rules
from watchdog.config.values import Config, Defaults, Schedule, SourceConfig
from watchdog.errors import ConfigError, nearest
from watchdog.model import Task

if TYPE_CHECKING:
    from watchdog.config.shape import ConfigShape, DefaultsShape, ScheduleShape

SCHEMA = 1
_OPENS = re.compile(r"""(?:\s+|\#[^\n]*\n|%YAML[^\n]*\n|---(?=\s))*\{?\s*["']?watchdog["']?\s*:""")


def is_ours(path: Path) -> bool:
    """Whether a config.yaml found by chance opens with `watchdog:`. Cheap, and never an error."""
    try:
        with path.open("rb") as stream:
            start = stream.read(65536)
    except OSError:
        return False
    return bool(_OPENS.match(start.decode("utf-8-sig", "replace")))


def load_config(path: Path, *, environ: Mapping[str, str] | None = None) -> Config:
    """The config in a file that was named, so that anything wrong with it is a ConfigError.

    environ: what variables are filled in from (default: the environment, then the `.env` beside the file).
    """
    from watchdog.config.shape import ConfigShape, validate

    node = load_yaml(path)
    _check_version(node)
    shape = validate(ConfigShape, node)
    folder = path.absolute().parent
    known = environment(folder) if environ is None else environ
    defaults = Defaults(**_settings(shape.defaults))
    sources = tuple(_source(node, name, shape, folder, known) for name in shape.sources)
    return Config(
        file=node.file,
        folder=folder,
        digest=digest(node),
        defaults=defaults,
        sources=sources,
        schedules=tuple(_schedule(node, n, schedule, sources) for n, schedule in enumerate(shape.schedules)),
        providers={name: provider.plain() or {} for name, provider in node.get("providers").mapping.items()},
        environ=known,
    )


def digest(node: Node) -> str:
    """Equal for files that say the same: order of keys, comments and layout do not count.

    Variables stay unfilled, so that no secret goes in.
    """
    text = json.dumps(node.plain(), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def with_task(source: SourceConfig, task: Task) -> SourceConfig:
    """The source as its task completes it: what the source itself says, then the task, then the defaults.

    Checks are left alone: they merge by id, which only exists once they are bound.
    """
    said = {"infer": task.infer, "time_zone": task.time_zone}
    taken: dict[str, Any] = {key: value for key, value in said.items() if value is not None and key not in source.given}
    return dataclasses.replace(source, off=source.off | task.off, **taken)


def _check_version(node: Node) -> None:
    keys = list(node.mapping)
    if "watchdog" not in keys:
        raise ConfigError(
            "this config belongs to another program: it does not open with 'watchdog: 1'",
            file=node.file,
            hint="name Watchdog's own file with --config; it opens with `watchdog: 1`",
        )
    if keys[0] != "watchdog":
        raise node.wrong("'watchdog: 1' has to be the first key", "watchdog")
    version = node.get("watchdog").value
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise node.wrong("watchdog: must be the number of the schema", "watchdog", hint="write: watchdog: 1")
    if version > SCHEMA:
        hint = "use a newer release: pip install -U dq-watchdog"
        raise node.wrong(
            f"schema {version} is newer than this release, which reads schema {SCHEMA}", "watchdog", hint=hint
        )


def _settings(shape: DefaultsShape) -> dict[str, Any]:
    """What was written of the settings that `defaults:` and sources share; lists as tuples."""
    shared = {field.name for field in dataclasses.fields(Defaults)}
    given = {key: getattr(shape, key) for key in shape.model_fields_set & shared}
    return {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}


def _source(node: Node, name: str, config: ConfigShape, folder: Path, environ: Mapping[str, str]) -> SourceConfig:
    shape, written = config.sources[name], node.get("sources").get(name)
    line = node.line_of("sources", name)
    if (shape.path is None) == (shape.url is None):
        both = "not both" if shape.path else "to say where the data is"
        raise node.wrong(f"sources.{name}: give path or url, {both}", "sources", name)
    key = "url" if shape.path is None else "path"
    place = substitute(written.get(key), environ)
    if not place.strip() or "\0" in place:
        raise written.wrong(f"sources.{name}.{key}: names no place once its variables are filled in", key)
    rules = read_rules(written, folder)
    return SourceConfig(
        **{**_settings(config.defaults), **_settings(shape)},
        name=name,
        line=line,
        path=folder / os.path.expanduser(place) if key == "path" else None,
        url=place if key == "url" else None,
        shown=as_written(written.get(key)),
        task=shape.task,
        include=tuple(shape.include),
        exclude=tuple(shape.exclude),
        checks=rules.checks,
        off=rules.off,
        places=rules.places,
        task_line=written.line_of("task") if "task" in shape.model_fields_set else None,
        given=frozenset(shape.model_fields_set),
    )


def _schedule(node: Node, number: int, shape: ScheduleShape, sources: tuple[SourceConfig, ...]) -> Schedule:
    from watchdog.config.shape import seconds

    at = ("schedules", number)
    source = next((s for s in sources if s.name == shape.source), None)
    if source is None:
        hint = nearest(shape.source, (s.name for s in sources))
        raise node.wrong(f"schedules.{number}: no source is called {shape.source!r}", *at, "source", hint=hint)
    if (shape.cron is None) == (shape.every is None):
        both = "not both" if shape.cron else "to say when"
        raise node.wrong(f"schedules.{number}: give cron or every, {both}", *at)
    return Schedule(
        source=source.name,
        file=node.file,
        line=node.line_of(*at),
        cron=shape.cron,
        every_seconds=seconds(shape.every) if shape.every else None,
        time_zone=shape.time_zone or source.time_zone,
        jitter_seconds=seconds(shape.jitter) if shape.jitter else 0,
        llm=shape.llm,
    )
