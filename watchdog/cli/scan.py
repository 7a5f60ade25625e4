"""`watchdog scan`: from flags to scans, from runs to outputs and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from glob import glob
from pathlib import Path
from typing import Any

from watchdog.cli.output import deliver, refuse_sources
from watchdog.codec import baseline_dump, baseline_load, exit_code
from watchdog.config import Config, SourceConfig, env_file, is_ours, load_config
from watchdog.errors import ConfigError, UsageError, WatchdogError, nearest
from watchdog.model import Severity
from watchdog.pipeline import Options, Scan, publish, settings_of, write_text
from watchdog.pipeline.face import scan_settings
from watchdog.plugins import renderer, severity


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


def run(flags: Flags) -> int:
    """The exit code, after everything was written. WatchdogError when nothing could be."""
    part = renderer(flags.format)
    config = _config(flags)
    wanted = _wanted(flags, config)
    options = _options(flags)
    _refuse(flags, wanted, config)
    runs: list[tuple[Scan, SourceConfig, bool]] = []
    failures: list[WatchdogError] = []
    for settings, configured in wanted:
        try:
            runs.append((_scan(settings, options, flags, config), settings, configured))
        except WatchdogError as problem:
            if len(wanted) == 1 or problem.exit_code == 2:
                raise
            failures.append(problem)
            print(f"watchdog: {problem}", file=sys.stderr)
    deliver([r for r, _, _ in runs], part, flags.output, several=len(wanted) > 1)
    for done, settings, configured in runs:
        if configured and config is not None:
            publish(done, config.folder / "reports", settings.formats)
    if flags.write_baseline:
        write_text(flags.write_baseline, "".join(baseline_dump(r) for r, _, _ in runs[:1]))
    codes = [exit_code(r, r.fail_on)[0] for r, _, _ in runs] + [p.exit_code for p in failures]
    return next((code for code in (2, 3, 1, 4) if code in codes), 0)


def _config(flags: Flags) -> Config | None:
    if flags.alone:
        return None
    if flags.config is not None:
        found = flags.config
    else:
        found = Path("config.yaml")
        if not found.is_file():
            return None
        if not os.access(found, os.R_OK):
            raise ConfigError(
                "no permission to read it", file="config.yaml", hint="name another one with --config FILE"
            )
        if not is_ours(found):
            _note(
                flags, "config.yaml here does not open with `watchdog:`; it belongs to another program and was ignored"
            )
            return None
    env_file(found.parent / ".env")
    return load_config(found)


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
        if name not in configured and any(c in name for c in "*?[") and not Path(name).exists():
            found = sorted(p for p in glob(name) if Path(p).is_file())
            if not found:
                raise UsageError(f"{name}: no file matches")
            expanded += found
        else:
            expanded.append(name)
    told = []
    for given in expanded:
        name = _named_by_path(given, config) if flags.rules_of is None else given
        known = name in configured and flags.rules_of is None
        if config and configured and not known and flags.rules_of is None:
            _note(
                flags, f"{name} is no source of {config.file}: scanned with defaults only (--as NAME applies its rules)"
            )
        told.append((settings_of(name, config, task=flags.task, rules_of=flags.rules_of), known))
    return told


def _named_by_path(name: str, config: Config | None) -> str:
    """A path that is the path of a source in config.yaml means that source."""
    if config is None or any(s.name == name for s in config.sources):
        return name
    real = os.path.realpath(name)
    return next((s.name for s in config.sources if s.path and os.path.realpath(s.path) == real), name)


def _refuse(flags: Flags, wanted: Sequence[tuple[SourceConfig, bool]], config: Config | None) -> None:
    """UsageError for outputs that make no sense together, or that would be written over what is read."""
    for flag, given in (("--write-baseline", flags.write_baseline), ("--rows", flags.rows)):
        if given and len(wanted) > 1:
            raise UsageError(f"{flag} takes one source, {len(wanted)} are scanned")
    if flags.format == "junit" and len(wanted) > 1 and flags.output is None:
        raise UsageError("--format junit with several sources needs a folder: --output DIR/")
    if flags.output == "":
        raise UsageError("--output: names no file", hint="a file, or a folder that ends in /")
    named = (("--output", flags.output), ("--rows", flags.rows), ("--write-baseline", flags.write_baseline))
    targets = [(flag, Path(given)) for flag, given in named if given]
    file = (flags.config or Path("config.yaml")) if config else None
    refuse_sources(targets, [s.path for s, _ in wanted if s.path], file)


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


def _baseline(path: Path | None) -> dict[str, int | None] | None:
    if path is None:
        return None
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(
            f"--baseline {path}: {getattr(problem, 'strerror', None) or 'not UTF-8'}",
            hint="make one with --write-baseline FILE",
        ) from problem
    return baseline_load(text, file=str(path))


def _scan(settings: SourceConfig, options: Options, flags: Flags, config: Config | None) -> Scan:
    if flags.quiet or not sys.stderr.isatty():
        return scan_settings(settings, options, config)
    from watchdog.cli.progress import bar

    with bar(settings.name) as progress:
        return scan_settings(settings, replace(options, progress=progress), config)


def _note(flags: Flags, words: str) -> None:
    if not flags.quiet:
        print(f"watchdog: note: {words}", file=sys.stderr)
