"""From what a caller names (a path, a URL, a name in config.yaml) to a scan of it, and on to a report."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from watchdog import urls
from watchdog.codec import exit_code, to_dict
from watchdog.config import Config, SourceConfig, load_config, with_task
from watchdog.config.values import DEFAULT_TASK, Llm
from watchdog.dialects import glob
from watchdog.errors import ConfigError, UsageError
from watchdog.model import CheckSpec, Report, Run, Severity, Verdict
from watchdog.pipeline import reporting
from watchdog.pipeline.child import can_copy, scan_in_child
from watchdog.pipeline.keeping import guard_of
from watchdog.pipeline.options import Options
from watchdog.pipeline.publish import folder_name, publish, published_names
from watchdog.pipeline.scanning import Scan, scan_source
from watchdog.places import find_task
from watchdog.sources.here import open_in_this_process
from watchdog.task import load_task


def scan(
    source: str | Path,
    *,
    config: str | Path | Config | None = None,
    task: str | None = None,
    rules_of: str | None = None,
    infer: bool | None = None,
    samples: int | None = 5,
    jobs: int | None = None,
    now: datetime | None = None,
    timeout: float | None = None,
    specs: Sequence[CheckSpec] = (),
    options: Options | None = None,
) -> Scan:
    """Scans one source and returns what was found; writes nothing.

    source: the path of a SQLite file, or a name in `config`. rules_of: a name in `config` whose rules apply to the path.
    timeout: seconds for everything. now: aware, the time that ages and futures are judged by (default: the clock).
    Raises SourceError (cannot be read), ConfigError and UsageError (what was asked for does not exist).
    """
    loaded = load_config(Path(config)) if isinstance(config, str | Path) else config
    settings = settings_of(source, loaded, task=task, rules_of=rules_of)
    wanted = options or Options(infer=infer, samples=samples, jobs=jobs, now=now, timeout=timeout, specs=tuple(specs))
    return scan_settings(settings, wanted, loaded)


def settings_of(
    source: str | Path, config: Config | None, *, task: str | None = None, rules_of: str | None = None
) -> SourceConfig:
    """The settings for a source as the command line names it, completed by its task."""
    text = str(source)
    beside = config.folder if config else None
    if config and rules_of is None and any(s.name == text for s in config.sources):
        found = config.source(text)
    elif config and rules_of is not None:
        found = _placed(config.source(rules_of), text)
    elif rules_of is not None:
        raise UsageError(
            f"--as {rules_of}: there is no config.yaml to take its rules from", hint="name one with --config FILE"
        )
    else:
        found = _placed(SourceConfig(name=_stem(text), line=None), text)
    if task is not None:
        found = replace(found, task=task, task_line=None)
    try:
        folder = find_task(found.task, beside)
    except UsageError as problem:
        if config is None or found.task_line is None:
            raise
        raise ConfigError(problem.message, file=config.file, line=found.task_line, hint=problem.hint) from None
    chosen = load_task(folder)
    return replace(with_task(found, chosen), checks=(*chosen.checks, *found.checks))


def _placed(settings: SourceConfig, text: str) -> SourceConfig:
    url = "://" in text
    return replace(settings, path=None if url else Path(text), url=text if url else None, shown=urls.shown(text))


def _stem(text: str) -> str:
    if "://" in text:
        place = urls.shown(text).partition("://")[2].rpartition("@")[2]
        name = place.partition("?")[0].rpartition("/")[2]
        return name if name and urls.HIDDEN not in name else "database"
    text = urls.shown(text)
    return Path(text).stem or Path(text).name or text


def scan_settings(
    settings: SourceConfig, options: Options, config: Config | None = None, *, own_process: bool = False
) -> Scan:
    """The scan itself; in a child process when this process has the file open, or when only a process can be ended in time.

    Closing a file drops the POSIX locks that this process holds on it, and with them those of a caller's own connection.
    Python's `re` within a cell and SQLite within a function heed neither a time limit nor Ctrl-C. own_process: nobody but
    us runs in this process. A copy of it costs next to nothing, so each scan gets one where there can be one.
    """
    digest = config.digest if config else ""
    if own_process and can_copy():
        return scan_in_child(settings, options, digest, copy=True)
    held = settings.path is not None and open_in_this_process(settings.path)
    if held or (os.name == "posix" and _may_never_end(settings, options)):
        return scan_in_child(settings, options, digest)
    return scan_source(settings, options, config_digest=digest)


def _may_never_end(settings: SourceConfig, options: Options) -> bool:
    """True with a time limit to be kept, and when a pattern may be asked that plain SQL does not say whole."""
    return options.timeout is not None or any(_asks_python(s.options) for s in (*settings.checks, *options.specs))


def _asks_python(options: Mapping[str, Any]) -> bool:
    if "file" in options or any("regexp" in str(options.get(key, "")).lower() for key in ("where", "expression", "sql")):
        return True
    pattern = options.get("regex")
    quick = glob.enough(pattern, "cell") if isinstance(pattern, str) else None
    return pattern is not None and not (quick and quick.whole)


def report(
    run: Run | Mapping[str, Any],
    *,
    config: str | Path | Config | None = None,
    task: str | None = None,
    provider: str | None = None,
    lang: str = "en",
    llm: bool = True,
    trace: Path | None = None,
) -> Report:
    """A report about a scan or a findings document, every number in it verified; writes no file but `trace`.

    llm: a model of `provider` words it, else the program itself. config: where providers and tasks of one's own stand.
    task: whose prompts are taken (default: that of the source in `config`, else data-quality).
    """
    findings = to_dict(run) if isinstance(run, Run) else run
    if not llm:
        return reporting.facts_only(findings, lang)
    loaded = load_config(Path(config)) if isinstance(config, str | Path) else config
    chosen = task or task_of(findings, loaded)
    return reporting.open_writer(loaded, chosen, provider=provider, lang=lang).write(findings, trace=trace)


def verify(text: str, run: Run | Mapping[str, Any], *, lang: str | None = None) -> Verdict:
    """What is wrong in a report about a scan or a findings document, whoever wrote it."""
    from watchdog.verify import verify_report

    return verify_report(text, to_dict(run) if isinstance(run, Run) else run, lang=lang)


def task_of(findings: Mapping[str, Any], config: Config | None) -> str:
    """The task of the source that a findings document names, when `config` knows it; else the default one."""
    source = findings.get("source")
    name = source.get("name") if isinstance(source, Mapping) else None
    return next((s.task for s in config.sources if s.name == name), DEFAULT_TASK) if config else DEFAULT_TASK


def partial_by(settings: SourceConfig, options: Options, config: Config) -> str:
    """Which flags make the run of a configured source one of a part only, whose results never stand as the latest; "" when
    none does."""
    said = {
        "--select": bool(options.select), "--exclude": bool(options.exclude),
        "--task": settings.task != config.source(settings.name).task,
        "--no-infer": options.infer is False and settings.infer,
    }  # fmt: skip
    return " ".join(flag for flag, given in said.items() if given)


def fixed_files(settings: SourceConfig, config: Config, *, report: bool = False) -> list[Path]:
    """What a run of a configured source writes under reports/ whatever its id will be."""
    folder = config.folder / "reports" / folder_name(settings.name)
    return [folder / name for name in (*published_names(settings.formats), *(["report.md"] if report else []))]


def run_once(config_path: str | Path, name: str, options: Options | None = None, *, llm: Llm = "never") -> int:
    """Scans a source of config.yaml, writes its results under reports/, returns the exit code: what a schedule runs.

    llm: a report as well; `on_change` takes the verified one of an earlier run where findings, prompts and model are the
    same. A report that no model could write costs the scan nothing: the facts-only one is there, and the code is 4.
    """
    config = load_config(Path(config_path))
    settings = settings_of(name, config)
    reports = config.folder / "reports"
    guard = guard_of([settings], config)
    for file in fixed_files(settings, config, report=llm != "never"):
        guard.refuse(file)
    wanted = options or Options()
    whole = not partial_by(settings, wanted, config)
    run: Run = scan_settings(settings, replace(wanted, guard=guard), config)
    publish(run, reports, settings.formats, latest=whole, keep=settings.keep, guard=guard)
    if llm != "never":
        told = reporting.unattended(to_dict(run), settings.task, config, reuse=llm == "on_change")
        paths = reporting.publish_report(told, run.id, run.source, reports, latest=whole, guard=guard)
        run = replace(run, report=reporting.in_short(told, file=paths[0]))
        publish(run, reports, settings.formats, latest=whole, keep=settings.keep, guard=guard)
    level = None if settings.fail_on == "never" else Severity[settings.fail_on.upper()]
    return exit_code(run, level)[0]
