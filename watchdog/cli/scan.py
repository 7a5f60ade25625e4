"""`watchdog scan`: from flags to scans, from runs to outputs and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from glob import glob
from itertools import zip_longest
from pathlib import Path
from types import ModuleType
from typing import Any

from watchdog import urls
from watchdog.cli.inputs import config_at, note, refuse_nameless
from watchdog.cli.output import deliver, file_names, result_files, say
from watchdog.cli.report import NO_WISH, Wish, open_writer, places, previewed, resumed, tell, what_became, written
from watchdog.cli.streams import refuse_closed
from watchdog.codec import MOST_BYTES, Baseline, baseline_dump, baseline_load, exit_code, from_dict, to_dict
from watchdog.config import Config, SourceConfig
from watchdog.errors import UsageError, WatchdogError, nearest
from watchdog.model import Run, Severity
from watchdog.pipeline import Options, Scan, publish, settings_of, write_text
from watchdog.pipeline.face import fixed_files, partial_by, scan_settings
from watchdog.pipeline.keeping import guard_of
from watchdog.pipeline.publish import PARTIAL, folder_name
from watchdog.pipeline.reporting import Writer, in_short, publish_report, report_of_run
from watchdog.pipeline.unfinished import Unfinished
from watchdog.plugins import renderer, severity
from watchdog.reading import read_bytes
from watchdog.writing import Guard


@dataclass(frozen=True)
class Flags:
    """The command line as typed."""

    sources: tuple[str, ...] = ()
    config: Path | None = None
    rules_of: str | None = None
    task: str | None = None
    format: str = "text"
    output: str | None = None
    fail_on: str | None = None
    baseline: Path | None = None
    write_baseline: Path | None = None
    select: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    samples: int | None = None
    sample_values: str | None = None
    rows: Path | None = None
    rows_level: str = "low"
    jobs: int | None = None
    timeout: float | None = None
    now: str | None = None
    infer: bool = True
    quiet: bool = False
    alone: bool = False  # no config.yaml is looked for
    wish: Wish = NO_WISH  # about a report
    only_path: bool = False  # the path of the report is the result, not the findings


@dataclass
class Scanned:
    """One source under way: its run, which gets to know what became of its report."""

    settings: SourceConfig
    configured: bool
    run: Run
    report_file: Path | None = None
    partial: str = ""  # the flags that made it a run of a part only


def run(flags: Flags) -> int:
    """The exit code, after everything was written. WatchdogError when nothing could be."""
    part = renderer(flags.format)
    flags.wish.refuse_nonsense()
    config = None if flags.alone else config_at(flags.config, flags.quiet)
    thread = resumed(flags.wish, config)
    wanted = _wanted(flags, config)
    if thread is not None:
        wanted = _of_thread(thread, wanted)
    reports = _report_files(flags, wanted, config)
    guard = _refuse(flags, wanted, config, reports, thread)
    options = replace(_options(flags), guard=guard)
    writers = _writers(flags, wanted, config, thread)
    done: list[Scanned] = []
    failures: list[WatchdogError] = []
    for (settings, configured), file in zip_longest(wanted, reports):
        try:
            found = _scan(settings, options, flags, config) if thread is None else from_dict(thread.findings)
            part_of = partial_by(settings, options, config) if configured and config else ""
            if part_of and file and config and flags.output is None:
                file = report_of_run(found.id, found.source, config.folder / "reports", partial=True)
            done.append(Scanned(settings, configured, found, file, part_of))
        except WatchdogError as problem:
            if len(wanted) == 1 or problem.exit_code == 2:
                raise
            failures.append(problem)
            print(f"watchdog: {problem}", file=sys.stderr)
    if flags.wish.dry_run:
        say("\n".join(previewed(writers[d.settings.task], to_dict(d.run), d.settings.name) for d in done))
    else:
        if writers:
            _publish(done, config, guard)  # the findings are safe, whatever happens to a report
        try:
            for one in done if writers else ():
                failures += _reported(one, writers[one.settings.task], flags, config, thread, guard)
        finally:
            try:
                _deliver(done, part, flags, guard, several=len(wanted) > 1)
            finally:  # a stdout that nobody reads costs reports/ nothing
                _publish(done, config, guard)
                _tell_partial(done, flags)
    if flags.write_baseline:
        known = "".join(baseline_dump(d.run, options.baseline) for d in done[:1])
        write_text(flags.write_baseline, known, _guard(flags, wanted, config, updates_baseline=True))
    codes = [exit_code(d.run, d.run.fail_on)[0] for d in done] + [p.exit_code for p in failures]
    return next((code for code in (2, 3, 1, 4) if code in codes), 0)


def _deliver(done: Sequence[Scanned], part: ModuleType, flags: Flags, guard: Guard, *, several: bool) -> None:
    if flags.only_path:
        say("".join(f"{d.report_file.absolute()}\n" for d in done if d.report_file and d.run.report.get("file")))
    if not flags.only_path or flags.output is not None:
        deliver([d.run for d in done], part, flags.output, guard, several=several)


def _publish(done: Sequence[Scanned], config: Config | None, guard: Guard) -> None:
    for one in done:
        if one.configured and config is not None:
            publish(
                one.run, config.folder / "reports", one.settings.formats,
                latest=not one.partial, keep=one.settings.keep, guard=guard,
            )  # fmt: skip


def _tell_partial(done: Sequence[Scanned], flags: Flags) -> None:
    for one in done:
        if one.partial:
            kept = f"reports/{folder_name(one.run.source)}/{one.run.id}{PARTIAL}.*"
            note(flags.quiet, f"{one.run.source}: a partial run ({one.partial}), kept as {kept}; latest.* stays as it is")


def _reported(
    one: Scanned, writer: Writer, flags: Flags, config: Config | None, thread: Unfinished | None, guard: Guard
) -> list[WatchdogError]:
    """Has the report about a run written. What goes wrong is said, and is part of the run from then on."""
    assert one.report_file is not None, "`_report_files` named one for each"
    document = thread.findings if thread else to_dict(one.run)
    try:
        report, kept = written(writer, document, flags.wish, config, thread, guard, quiet=flags.quiet)
        write_text(one.report_file, report.text, guard)
        if one.configured and config is not None:
            reports = config.folder / "reports"
            publish_report(report, one.run.id, one.run.source, reports, latest=not one.partial, guard=guard)
        if kept:
            kept.forget()
    except WatchdogError as problem:
        print(f"watchdog: {problem}", file=sys.stderr)
        one.run = replace(one.run, report=what_became(problem))
        return [problem]
    tell(report, writer, one.report_file, quiet=flags.quiet)
    one.run = replace(one.run, report=in_short(report, currency=writer.currency, file=one.report_file))
    return []


def _report_files(flags: Flags, wanted: Sequence[tuple[SourceConfig, bool]], config: Config | None) -> list[Path]:
    if not flags.wish.llm or flags.wish.dry_run:
        return []
    return places(wanted, file_names([settings.name for settings, _ in wanted]), flags.output, config)


def _writers(
    flags: Flags, wanted: Sequence[tuple[SourceConfig, bool]], config: Config | None, thread: Unfinished | None
) -> dict[str, Writer]:
    """By task; none without --llm."""
    tasks = dict.fromkeys(settings.task for settings, _ in wanted) if flags.wish.llm else {}
    return {task: open_writer(flags.wish, task, config, thread) for task in tasks}


def _of_thread(thread: Unfinished, wanted: Sequence[tuple[SourceConfig, bool]]) -> list[tuple[SourceConfig, bool]]:
    """The one source that a report under way is about."""
    source = thread.findings.get("source")
    name = source.get("name") if isinstance(source, dict) else None
    found = [(settings, configured) for settings, configured in wanted if settings.name == name]
    if len(found) != 1:
        raise UsageError(
            f"the report {thread.id} is about the source {name!r}", hint="name that one, and the same flags"
        )
    return found


def _wanted(flags: Flags, config: Config | None) -> list[tuple[SourceConfig, bool]]:
    """What to scan, and whether it is a configured source (whose results go to reports/)."""
    names: Sequence[str] = flags.sources
    if not names:
        if config is None:
            raise UsageError("nothing to scan", hint="name a SQLite file: watchdog scan shop.db")
        if not config.sources:
            raise UsageError(f"{config.file} has no sources", hint="add one under `sources:`, or name a file")
        names = [s.name for s in config.sources]
    configured = {s.name for s in config.sources} if config else set()
    expanded: list[str] = []
    for name in names:
        if name not in configured and not urls.is_url(name) and any(c in name for c in "*?[") and not Path(name).exists():
            found = sorted(p for p in glob(name) if Path(p).is_file())
            if not found:
                raise UsageError(f"{urls.shown(name)}: no file matches")
            expanded += found
        else:
            expanded.append(name)
    told = []
    for given in expanded:
        name = _named_by_path(given, config) if flags.rules_of is None else given
        known = name in configured and flags.rules_of is None
        if config and configured and not known and flags.rules_of is None:
            note(
                flags.quiet,
                f"{urls.shown(name)} is no source of {config.file}: scanned with defaults only (--as NAME applies its rules)",
            )
        told.append((settings_of(name, config, task=flags.task, rules_of=flags.rules_of), known))
    return told


def _named_by_path(name: str, config: Config | None) -> str:
    """A path that is the path of a source in config.yaml means that source."""
    if config is None or any(s.name == name for s in config.sources):
        return name
    real = os.path.realpath(name)
    return next((s.name for s in config.sources if s.path and os.path.realpath(s.path) == real), name)


def _refuse(
    flags: Flags,
    wanted: Sequence[tuple[SourceConfig, bool]],
    config: Config | None,
    reports: Sequence[Path],
    thread: Unfinished | None,
) -> Guard:
    """UsageError for outputs that make no sense together, or that would be written over what is read. The guard goes on
    to every writer."""
    for flag, given in (("--write-baseline", flags.write_baseline), ("--rows", flags.rows)):
        if given and len(wanted) > 1:
            raise UsageError(f"{flag} takes one source, {len(wanted)} are scanned")
    if flags.format == "junit" and len(wanted) > 1 and flags.output is None:
        raise UsageError("--format junit with several sources needs a folder: --output DIR/")
    if flags.output == "":
        raise UsageError("--output: names no file", hint="a file, or a folder that ends in /")
    for flag, given in (("--write-baseline", flags.write_baseline), ("--rows", flags.rows), ("--trace", flags.wish.trace)):
        refuse_nameless(flag, given)
    if flags.wish.resume and (flags.rows or flags.write_baseline):
        raise UsageError("--resume scans nothing, so there is nothing for --rows and --write-baseline")
    others = (("--rows", flags.rows), ("--write-baseline", flags.write_baseline), ("--trace", flags.wish.trace))
    named = [(flag, path) for flag, path in others if path]
    if flags.output is not None:
        names, suffix = [settings.name for settings, _ in wanted], renderer(flags.format).SUFFIX
        named += [("--output", f) for f in result_files(names, flags.output, suffix, several=len(wanted) > 1)]
    taken = {os.path.realpath(file): "the report of --llm" for file in reports}
    for flag, path in named:
        goes_there = taken.setdefault(os.path.realpath(path), f"the result of {flag}")
        if goes_there != f"the result of {flag}" and (path.is_file() or not path.exists()):  # a device takes both
            raise UsageError(f"{flag} {path}: {goes_there} goes there", hint="name another file")
    guard = _guard(flags, wanted, config)
    for flag, path in (*named, *(("the report", file) for file in reports)):
        refuse_closed(path, flag)
        (_guard(flags, wanted, config, updates_baseline=True) if flag == "--write-baseline" else guard).refuse(path, flag)
    if thread is not None:
        guard.refuse(thread.checkpoint, "--resume", ours=True)
    for file in (f for s, known in wanted if known and config for f in fixed_files(s, config)):
        guard.refuse(file, "reports/:")
    if flags.output is None:
        guard.refuse_stream(1, "stdout")
    return guard


def _guard(
    flags: Flags, wanted: Sequence[tuple[SourceConfig, bool]], config: Config | None, *, updates_baseline: bool = False
) -> Guard:
    """What this call reads. `updates_baseline`: the one that is read may be written anew."""
    files = [] if flags.baseline is None or updates_baseline else [flags.baseline]
    return guard_of([settings for settings, _ in wanted], config, files)


def _options(flags: Flags) -> Options:
    if flags.sample_values not in (None, "full", "masked", "none"):
        raise UsageError(
            f"--sample-values {flags.sample_values}: " + nearest(flags.sample_values, ["full", "masked", "none"])
        )
    known: Any = flags.sample_values
    return Options(
        samples=flags.samples, sample_values=known, fail_on=_level("--fail-on", flags.fail_on),
        infer=None if flags.infer else False, jobs=flags.jobs, now=_now(flags.now), timeout=flags.timeout,
        select=flags.select, exclude=flags.exclude, baseline=_baseline(flags.baseline), rows=flags.rows,
        keys=flags.write_baseline is not None,
        rows_level=_severity("--rows-level", flags.rows_level),
    )  # fmt: skip


def _level(flag: str, word: str | None) -> Any:
    return word if word in (None, "never") else _severity(flag, word)


def _severity(flag: str, word: str) -> Severity:
    try:
        return severity(word)
    except ValueError as problem:
        raise UsageError(f"{flag}: {problem}") from None


def _now(text: str | None) -> datetime | None:
    """An ISO time; naive is UTC, a day alone is its start."""
    if text is None:
        return None
    try:
        told = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"--now {text}: not an ISO 8601 time", hint="such as 2026-12-31 or 2026-12-31T06:00:00Z"
        ) from None
    if not 1900 <= told.year <= 9998:  # ages and zones are reckoned around it
        raise UsageError(f"--now {text}: a year from 1900 to 9998 is needed")
    return told.replace(tzinfo=UTC) if told.tzinfo is None else told.astimezone(UTC)


def _baseline(path: Path | None) -> Baseline | None:
    if path is None:
        return None
    refuse_nameless("--baseline", path)
    try:
        text = read_bytes(path, MOST_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(
            f"--baseline {path}: {getattr(problem, 'strerror', None) or 'not UTF-8'}",
            hint="make one with --write-baseline FILE",
        ) from problem
    return baseline_load(text, file=str(path))


def _scan(settings: SourceConfig, options: Options, flags: Flags, config: Config | None) -> Scan:
    if flags.quiet or not sys.stderr.isatty():
        return scan_settings(settings, options, config, own_process=True)
    from watchdog.cli.progress import bar

    with bar(settings.name) as progress:
        return scan_settings(settings, replace(options, progress=progress), config, own_process=True)
