"""What a run reads, as the Guard that every writer asks: sources by whatever they are called, configs, rules, inputs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote

from watchdog.config import Config, SourceConfig
from watchdog.errors import UsageError
from watchdog.places import find_task
from watchdog.writing import Guard

_SCHEME = re.compile(r"(?:sqlite(?:\+\w+)?|file):", re.IGNORECASE)
_DEPTH = 4  # a URL may hold a file: URI, that may hold escapes and a query


def guard_of(sources: Iterable[SourceConfig], config: Config | None = None, files: Iterable[Path] = ()) -> Guard:
    """Of the sources that are scanned, of all those in the config whether they are or not, and of further files."""
    told = [*sources, *(config.sources if config else ())]
    folders = [Path.cwd(), *([config.folder] if config else [])]
    guard = Guard().keeping(files=[*_configs(config), *_rules(told, config), *files])
    for one in told:
        guard = guard.keeping(dict.fromkeys(_places(one, folders)), shown=one.shown)
    return guard


def places_named(text: str, folders: Iterable[Path] = ()) -> Iterator[Path]:
    """Each file that a path or URL of a database may mean, whatever of it is escaped: to keep one more harms nobody."""
    found = {text}
    for _ in range(_DEPTH if _SCHEME.match(text) else 0):
        found |= {other for one in found for other in _other_spellings(one)}
    for one in sorted(found):
        if one and "\0" not in one:
            yield from (folder / one for folder in (*folders, Path()))


def _other_spellings(text: str) -> Iterator[str]:
    yield unquote(text).partition("\0")[0]
    yield text.partition("?")[0]
    yield text.partition("#")[0]
    if found := _SCHEME.match(text):
        rest = text[found.end() :]
        yield rest
        yield rest.lstrip("/")
        yield "/" + rest.removeprefix("//localhost").lstrip("/")


def _places(source: SourceConfig, folders: Iterable[Path]) -> Iterator[Path]:
    if source.path is not None:
        yield source.path
    text = source.url or source.shown or str(source.path)
    if _SCHEME.match(text):
        yield from places_named(text, folders)


def _configs(config: Config | None) -> Iterator[Path]:
    folder = config.folder if config else Path()
    if config is not None:
        yield folder / Path(config.file).name
        yield from (folder / str(told["file"]) for told in config.providers.values() if told.get("file"))
    yield folder / ".env"


def _rules(sources: Iterable[SourceConfig], config: Config | None) -> Iterator[Path]:
    """The task of each source, and the files that its checks name."""
    for source in sources:
        for spec in source.checks:
            named = spec.options.get("file")
            if isinstance(named, str) and "\0" not in named:
                yield Path(spec.folder) / os.path.expanduser(named)
    for task in dict.fromkeys(source.task for source in sources):
        try:
            yield find_task(task, config.folder if config else None) / "task.yaml"
        except UsageError:  # said where the task is needed
            continue
