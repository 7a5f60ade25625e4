"""One scan of one source, from its settings to a Run: open, list, infer, plan, measure, judge, sample.

This is where the rooms meet; each step is a call into one of them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import DBAPIError

import watchdog.dialects.sqlite  # noqa: F401 - teaches SQLAlchemy how SQLite says our words
from watchdog import urls
from watchdog.about import FORMAT, VERSION
from watchdog.catalog import sqlite as catalog_sqlite
from watchdog.codec import MOST_KEYS, accept_known, clean, tally
from watchdog.config import SourceConfig
from watchdog.errors import ConfigError, SourceError, SourceMoved, UsageError, WatchdogError, nearest
from watchdog.model import (
    Catalog,
    CheckSpec,
    Finding,
    Judgement,
    Limits,
    Measurement,
    Metric,
    Past,
    Placed,
    Result,
    Run,
    Severity,
    Source,
    Tally,
)
from watchdog.pipeline.options import Options
from watchdog.pipeline.rows import RowsFile
from watchdog.plugins import bind, check_names
from watchdog.scan import measure, profile
from watchdog.scan.judge import judge, result
from watchdog.scan.plan import Plan, fingerprint, place, plan, refuse_twins
from watchdog.scan.rows import Listing, every, group_keys, listing, samples, span_of
from watchdog.scan.select import Selection
from watchdog.sources.sqlite import open_sqlite
from watchdog.sql import rows as rows_metric

if TYPE_CHECKING:
    import pandas

PROFILED_ROWS = 100_000  # rows of a table that inference looks at; above, a sample of blocks


@dataclass(frozen=True)
class Scan(Run):
    """A Run with the faces that a Python caller wants."""

    def to_json(self) -> str:
        """The findings document (format 1), as `watchdog scan --format json` prints it."""
        from watchdog.codec import dumps

        return dumps(self)

    def to_pandas(self) -> pandas.DataFrame:
        """One row a finding: id, table, column, check, severity, count, rows, evaluated, ratio, and its words."""
        import pandas

        columns = [
            "id", "table", "column", "check", "severity", "count", "rows", "evaluated", "ratio", "description", "fingerprint",
        ]  # fmt: skip
        told = [
            (f.id, f.result.table, "+".join(f.result.columns) or None, f.check, f.severity.label, f.count, f.rows,
             f.evaluated, f.ratio, f.description, f.fingerprint)
            for f in self.findings
        ]  # fmt: skip
        frame = pandas.DataFrame(told, columns=columns)
        return frame.astype({"count": "Int64", "rows": "Int64", "evaluated": "Int64", "ratio": "Float64"})

    def exit_code(self, fail_on: str | Severity | None = "high") -> int:
        """As the command line ends: 3 could not evaluate, 1 findings at or above `fail_on` ("never" or None: none), 0."""
        from watchdog.codec import exit_code
        from watchdog.plugins import severity

        level = None if fail_on in (None, "never") else severity(fail_on)
        return exit_code(self, level)[0]


def scan_source(settings: SourceConfig, options: Options, *, config_digest: str = "") -> Scan:
    """The scan of one source. SourceError when it cannot be opened, ConfigError when a rule does not fit it."""
    path = _path(settings)
    options = replace(options, guard=options.guard.keeping([path], shown=_shown(settings, path)))
    if options.rows:
        RowsFile(options.rows, options.guard)  # refuses at once what it would refuse after the measuring
    started = datetime.now(UTC)
    deadline = time.monotonic() + options.timeout if options.timeout else None
    limits = Limits(jobs=options.jobs or min(4, os.cpu_count() or 1), deadline=deadline)
    notes: tuple[str, ...] = ()
    now = options.now or started
    for snapshot in (False, True):
        shown = _shown(settings, path)
        try:
            with open_sqlite(path, name=settings.name, limits=limits, snapshot=snapshot, shown=shown, now=now) as opened:
                try:
                    run = _Scanner(settings, options, opened.source, started, config_digest, notes).run()
                except (WatchdogError, DBAPIError) as problem:  # half of one picture and half of another
                    if moved := opened.moved():
                        raise SourceMoved(moved) from problem
                    raise
                if moved := opened.moved():
                    raise SourceMoved(moved)
                return run
        except SourceMoved as problem:
            moved = problem.message
        notes = (f"{moved}: everything was read again from a private copy",)
    raise SourceError(
        f"source {settings.name!r}: it was written to meanwhile: {moved}",
        hint="scan it when nobody writes to it, or scan a copy made by `VACUUM INTO`",
    )


def _path(settings: SourceConfig) -> Path:
    if settings.path is not None:
        return settings.path
    url = settings.url or ""
    if url.startswith("sqlite:///"):
        return Path(url.removeprefix("sqlite:///"))
    raise UsageError(
        f"source {settings.name!r}: {settings.shown or urls.shown(url)}: not a kind of source that can be read",
        hint="known: the path of a SQLite file, or sqlite:///PATH",
    )


def _shown(settings: SourceConfig, path: Path) -> str:
    """The path in full, unless a part of it was filled in from the environment or is hidden."""
    written = _written(settings)
    return str(path) if str(path).endswith(written) else written


def _written(settings: SourceConfig) -> str:
    return settings.shown.removeprefix("sqlite:///")


class _Scanner:
    """The steps of one scan over one open source; holds what all of them need."""

    def __init__(
        self,
        settings: SourceConfig,
        options: Options,
        source: Source,
        started: datetime,
        digest: str,
        notes: tuple[str, ...],
    ) -> None:
        self.settings, self.options, self.source, self.started, self.digest = settings, options, source, started, digest
        self.now = (options.now or started).astimezone(UTC)
        self.notes = [*notes, *source.notes]
        self.unread: list[str] = []  # columns that inference could not look at, with the reason
        self.selection = Selection(settings.include, settings.exclude, options.select, options.exclude)
        self.catalog: Catalog = catalog_sqlite.read(source, started)
        self.declared = (*settings.checks, *options.specs)
        named = frozenset(s.table for s in self.declared if s.table)
        self.tables = [t for t in self.catalog.tables if self.selection.table(t, named)]

    def run(self) -> Scan:
        if not self.catalog.tables:
            raise SourceError(
                f"source {self.settings.name!r}: {self.source.shown_url} has no tables",
                hint="is it the right file? nothing was checked",
            )
        for table in self.tables:
            if table.note and table.kind != "view":
                self.notes.append(f"table {table.full_name}: {table.note}")
        for _, _, name in sorted(self.settings.off, key=str):
            if name not in check_names():
                raise ConfigError(f"off: unknown check {name!r}", hint=nearest(name, check_names()))
        placed = self._placed(self.declared)
        self._refuse_unknown_places()
        if self.settings.infer if self.options.infer is None else self.options.infer:
            taken = {_kind(p) for p in placed}  # a declared check takes the place of an inferred one of its kind
            placed += [p for p in self._placed(self._inferred()) if _kind(p) not in taken]
        placed = [p for p in placed if self.selection.check(p)]
        refuse_twins(placed)
        looked_at = {p.table.full_name for p in placed if p.table}
        readable = [
            t
            for t in self.tables
            if t.columns and t.kind in ("table", "view") and (self.selection.counts(t) or t.full_name in looked_at)
        ]
        todo = plan(placed, [rows_metric(t) for t in readable], self.source.dialect, self.now)
        measured = measure.run(self.source, self.catalog, todo, self.options.progress)
        results = [judge(p, todo, measured, Past()) for p in placed]
        counts = {t.full_name: measured[rows_metric(t)] for t in readable}
        rows = {name: m.value for name, m in counts.items() if not m.error}
        if rows and not any(rows.values()) and len(rows) == len(readable):
            results.append(self._all_empty(len(rows)))
        findings = self._findings(placed, results, todo, measured)
        return self._told(results, findings, rows, counts, measured)

    # ------------------------------------------------------------ what to check

    def _placed(self, specs: Iterable[CheckSpec]) -> list[Placed]:
        """The checks at their places; a declared one takes the place of a task's with the same id."""
        selected = {t.full_name for t in self.tables}
        ours = {k: v for k, v in (("owner", self.settings.owner), ("tags", self.settings.tags)) if v}
        found: list[Placed] = []
        for wanted in specs:
            spec = replace(wanted, options={**ours, **wanted.options})
            one = place(
                spec, bind(spec), self.catalog, now=self.now, time_zone=self.settings.time_zone,
                allowed=selected.__contains__,
            )  # fmt: skip
            if one is None:
                self._refuse_left_out(spec)
                continue
            if spec.origin == "declared":
                found = [p for p in found if p.id != one.id or p.spec.origin != "task"]
            found.append(one)
        return found

    def _refuse_left_out(self, spec: CheckSpec) -> None:
        """A rule on a table that the same config leaves out would never be looked at; the command line may leave out what it
        likes, for this run."""
        key = self.selection.left_out(spec.table) if spec.table else ""
        if key and spec.origin == "declared":
            verb = "is not among" if key == "include" else "is left out by"
            raise ConfigError(
                f"check {spec.name!r}: table {spec.table!r} {verb} `{key}`", file=spec.file, line=spec.line,
                hint=f"change `{key}`, or take the rule out",
            )  # fmt: skip

    def _refuse_unknown_places(self) -> None:
        """Tables and columns that the config names, though no check may stand there."""
        for named in self.settings.places:
            table = self.catalog.table(named.table)
            if table is None:
                known = [t.full_name for t in self.catalog.tables]
                raise ConfigError(
                    f"tables: there is no table {named.table!r}", file=named.file, line=named.line,
                    hint=nearest(named.table, known),
                )  # fmt: skip
            if named.column and table.columns and table.column(named.column) is None:
                raise ConfigError(
                    f"columns: table {named.table!r} has no column {named.column!r}", file=named.file, line=named.line,
                    hint=nearest(named.column, [c.name for c in table.columns]),
                )  # fmt: skip

    def _inferred(self) -> list[CheckSpec]:
        from watchdog.infer import infer

        tables = [t for t in self.tables if t.columns and t.kind == "table"]
        profiles: dict[str, Any] = {}
        with self.source.connect() as connection:
            for done, table in enumerate(tables):
                self.options.progress(f"looking at {table.full_name}", done, len(tables))
                profiles[table.full_name] = profile.take(connection, table, rows=PROFILED_ROWS)
                for column in profiles[table.full_name]:
                    if not column.rows and not column.complete:  # it calls what is not there, or the time was up
                        self.unread.append(f"{table.full_name}.{column.column}: {column.how}")
        self.notes += self.unread
        seen = replace(self.catalog, tables=tuple(tables))
        return infer(seen, profiles, now=self.now, off=self.settings.off)

    def _all_empty(self, tables: int) -> Result:
        """Tables that could be read and hold nothing: not a failure, and not "all is well" either."""
        spec = CheckSpec(
            "row_count", options={"min": 1, "severity": Severity.INFO}, origin="inferred", evidence="no table has a row"
        )
        words = f"all {tables:,} tables are empty" if tables > 1 else "the table is empty"
        check = bind(spec)
        mark = fingerprint(self.catalog.source, None, (), spec, check)
        at = Placed("row_count", mark, check, "row_count", spec, None, (), self.catalog, self.now)
        return result(at, Judgement("failed", words, severity=Severity.INFO, count=0))

    # ------------------------------------------------------------ what failed

    def _findings(
        self, placed: Sequence[Placed], results: Sequence[Result], todo: Plan, measured: Mapping[Metric, Measurement]
    ) -> list[Finding]:
        wanted = self.settings.samples if self.options.samples is None else self.options.samples
        by_id = {p.id: p for p in placed}
        findings: list[Finding] = []
        pool = measure.Pool(self.source)
        with ExitStack() as stack:
            stack.callback(pool.close)
            export = stack.enter_context(RowsFile(self.options.rows, self.options.guard)) if self.options.rows else None
            connection = stack.enter_context(pool.connection())
            stack.enter_context(measure.suspects_allowed(connection, "the failing rows"))  # measured to their end already
            for one in results:
                if one.status != "failed":
                    continue
                at = by_id.get(one.id)
                how = listing(at, self.source.dialect) if at else None
                if at is None or how is None:
                    findings.append(Finding(one))
                    continue
                limit = min(wanted, one.judgement.count) if one.judgement.count else wanted
                keys = group_keys(at, todo, measured)
                quick = listing(at, self.source.dialect, keys) if keys else None
                shown = samples(connection, quick or how, limit, span_of(at, how, todo, measured, limit))
                counted = self._tally(one, how, connection, wanted)
                findings.append(Finding(one, shown, how.statement(), tally=counted))
                if export and one.severity >= self.options.rows_level:
                    self._export(export, one, how, connection)
        return sorted(findings, key=lambda f: (-f.severity, f.id))

    def _tally(self, one: Result, how: Listing, connection: Any, wanted: int) -> Tally | None:
        """All failing rows, where a baseline lists rows of this finding, or will."""
        known = self.options.baseline.findings.get(clean(one.fingerprint)) if self.options.baseline else None
        compared = known is not None and known.keys is not None
        listed = self.options.keys and (one.judgement.count or 0) <= MOST_KEYS
        if not (compared or listed):
            return None
        try:
            return tally(clean(one.fingerprint), every(connection, how), known, wanted)
        except DBAPIError as problem:
            said = f"source {self.settings.name!r}: the rows of {clean(one.id)} cannot be read to the end: {problem.orig}"
            raise SourceError(said, hint="a baseline needs all of them; without one the scan needs a few") from problem

    def _export(self, export: RowsFile, one: Result, how: Listing, connection: Any) -> None:
        mode = self.options.sample_values or self.settings.sample_values
        export.write(one, how, connection, mode, pii_allowed=self.settings.pii == "allow")

    # ------------------------------------------------------------ what is told

    def _told(
        self, results: list[Result], findings: list[Finding], rows: Mapping[str, int],
        counts: Mapping[str, Measurement], measured: Mapping[Metric, Measurement],
    ) -> Scan:  # fmt: skip
        blind = [r for r in results if r.judgement.extra.get("could_not_look")]
        self.notes += [f"{r.id}: {r.judgement.message}" for r in blind if r.status != "failed"]  # a finding says it itself
        if any(r.check == "integrity" and r.status == "failed" for r in results):
            self.notes.append("the file contradicts itself: other counts may depend on which part of it SQLite reads")
        unread = [t for t in self.tables if not t.columns]
        broken = any(r.status == "error" for r in results) or any(m.error for m in counts.values())
        complete = not (blind or unread or self.unread or broken)
        run = Scan(
            id=f"{self.started.strftime('%Y%m%dT%H%M%SZ')}-{os.urandom(2).hex()}",
            source=self.settings.name, dialect=self.source.dialect, location=_written(self.settings) or self.source.shown_url,
            read_mode=self.source.read_mode, state=self.source.state, started=self.started, finished=datetime.now(UTC),
            version=VERSION, format=FORMAT, engine=self.source.engine, config_digest=self.digest, rows=rows,
            results=tuple(sorted(results, key=lambda r: r.id)), findings=tuple(findings),
            measurements=tuple(measured.values()), catalog=self.catalog, complete=complete, notes=tuple(self.notes),
            exit_reasons=_reasons(results, rows, counts, selected=bool(self.options.select)),
            sample_values=self.options.sample_values or self.settings.sample_values,
            pii_allowed=self.settings.pii == "allow", fail_on=self._fail_on(),
        )  # fmt: skip
        return accept_known(run, self.options.baseline) if self.options.baseline is not None else run

    def _fail_on(self) -> Severity | None:
        wanted = self.options.fail_on if self.options.fail_on is not None else self.settings.fail_on
        if isinstance(wanted, Severity):
            return wanted
        return None if wanted == "never" else Severity[wanted.upper()]


MOST_NAMED = 5


def _kind(placed: Placed) -> tuple[str | None, tuple[str, ...], str]:
    return placed.spec.table, tuple(c.name for c in placed.columns), placed.check_name


def _reasons(
    results: Sequence[Result], rows: Mapping[str, int], counts: Mapping[str, Measurement], *, selected: bool
) -> tuple[str, ...]:
    """Why the run could not evaluate what it was asked to (exit 3); () when it could."""
    reasons = []
    broken = [r for r in results if r.status == "error"]
    for r in broken[:MOST_NAMED]:
        reasons.append(f"{r.id}: {r.judgement.message}")
    if len(broken) > MOST_NAMED:
        reasons.append(f"{len(broken) - MOST_NAMED:,} more checks could not look")
    named = {m.error for m in counts.values() if m.error and m.fatal}
    if not broken:
        reasons += sorted(f"could not look: {error}" for error in named)
    # a sound file says nothing of its tables, unless that alone was asked for
    evaluated = [r for r in results if r.status in ("passed", "failed") and (selected or r.check != "integrity")]
    if not reasons and selected and not results and not rows:
        reasons.append("nothing was evaluated: nothing matches --select")
    elif not reasons and not evaluated and not rows:
        reasons.append("nothing was evaluated: no selected table could be read")
    elif not reasons and not any(r.status in ("passed", "failed") for r in results) and any(rows.values()):
        reasons.append("nothing was evaluated: no check applies to what was selected")
    return tuple(reasons)
