"""The only place where a scan reads rows: runs a plan on the source and returns a value or an error for each metric.

In: an open Source, its Catalog, a Plan. Out: Metric -> Measurement, every metric of the plan, whatever went wrong.
A statement that fails is halved until the metric that fails stands alone; only that one gets the error. When the time is up or
the scan is cancelled, what is left gets that as its error. Memory does not grow with the table.
"""

from __future__ import annotations

import functools
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, StatementError

from watchdog.errors import SourceError
from watchdog.model import LONGEST_VALUE, Catalog, Groups, Measurement, Metric, Source, Table
from watchdog.scan import damage
from watchdog.scan.engines import sql as engine
from watchdog.scan.failure import Failure
from watchdog.scan.plan import Plan, slices
from watchdog.sql import bracketed, quoted, table_name

HANG_SECONDS = 0.5  # beyond the time limit: a statement that has not ended by then is inside one function
HANGS = "the time limit was reached inside one SQL function"
T = TypeVar("T")
Progress = Callable[[str, int, int], None]  # what is read, steps done, steps in all


def quiet(_what: str, _done: int, _total: int) -> None:
    """No progress."""


class Pool:
    """Connections for worker threads, opened when first needed, closed together."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._idle: queue.SimpleQueue[Connection] = queue.SimpleQueue()
        self._all: list[Connection] = []
        self._busy: set[Connection] = set()
        self._lock = threading.Lock()

    @contextmanager
    def connection(self, *, plain: bool = False) -> Iterator[Connection]:
        """`plain`: one without functions of ours, for the engine's own check of the file; opened anew."""
        idle = queue.SimpleQueue[Connection]() if plain else self._idle
        try:
            connection = idle.get_nowait()
        except queue.Empty:
            try:
                connection = ((plain and self._source.connect_plain) or self._source.connect)()
            except DBAPIError as problem:
                raise SourceError(
                    f"source {self._source.name!r}: {self._source.shown_url} cannot be opened any more: {problem.orig}",
                    hint="it disappeared or changed while it was read: scan it again",
                ) from problem
            with self._lock:
                self._all.append(connection)
        self._busy.add(connection)
        raw: Any = connection.connection.driver_connection
        raw.owner = threading.current_thread()  # while this one lives it may be inside SQLite: nobody else closes it
        try:
            yield connection
        finally:
            self._busy.discard(connection)
            idle.put(connection)

    def interrupt(self) -> None:
        """Ends the statements that are running; from any thread."""
        with self._lock:
            for connection in self._all:
                raw: Any = connection.connection.driver_connection
                raw.interrupt()

    def close(self) -> None:
        """All but those in use: what is inside one function of SQLite would hold us up too."""
        for connection in self._all:
            if connection not in self._busy:
                connection.close()


def run(source: Source, catalog: Catalog, plan: Plan, progress: Progress = quiet) -> Mapping[Metric, Measurement]:
    pool = Pool(source)
    try:
        return _Scan(source, catalog, plan, pool, progress).run()
    finally:
        pool.close()


class _Scan:
    def __init__(self, source: Source, catalog: Catalog, plan: Plan, pool: Pool, progress: Progress) -> None:
        self.source, self.plan, self.pool, self.progress = source, plan, pool, progress
        self.tables = {t.full_name: t for t in catalog.tables}
        self.other_encoding = source.encoding != "UTF-8"  # the quick look at joined text knows UTF-8 alone
        self.done = self.read = 0  # steps and rows so far
        self.total = 0
        self.lock = threading.Lock()
        self.stopped: Failure | None = None
        self.hung = False  # a worker is inside one function of SQLite and heeds nothing

    def run(self) -> Mapping[Metric, Measurement]:
        measured: dict[Metric, Measurement] = {}
        workers = ThreadPoolExecutor(max_workers=max(1, self.source.limits.jobs))
        try:
            asked = {name: workers.submit(self._spans, name) for name in self.plan.passes}
            spans = {name: self._awaited(one, lambda _: (None,)) for name, one in asked.items()}
            work: list[tuple[engine.Part, tuple[tuple[int, int] | None, ...]]] = []
            for name, metrics in self.plan.passes.items():
                work += [(part, spans[name]) for part in engine.parts(self.tables[name], metrics)]
            self.total = sum(len(s) for _, s in work) + len(self.plan.separate)
            slow = [(m, workers.submit(self._damage, m)) for m in self.plan.separate if m.word == "integrity"]
            jobs = [[workers.submit(self._slice, part, span) for span in s] for part, s in work]
            for (part, s), futures in zip(work, jobs, strict=True):
                hung = functools.partial(_unanswered, part)
                measured.update(self._merge(part, s, [self._awaited(f, hung) for f in futures]))
            rest = [m for m in self.plan.separate if m.word != "integrity"]
            later = [(m, workers.submit(self._separate, m, self._index(m, measured))) for m in rest]
            for metric, future in [*later, *slow]:
                measured[metric] = self._awaited(future, functools.partial(Measurement, metric, None))
        except BaseException:  # Ctrl-C: what runs is ended, what waits never starts
            self.stopped = self.stopped or Failure("the scan was stopped", True, stopped=True)
            workers.shutdown(wait=False, cancel_futures=True)
            self.pool.interrupt()
            raise
        finally:
            workers.shutdown(wait=not self.hung, cancel_futures=self.hung)
        return measured

    def _awaited(self, future: Future[T], hung: Callable[[str], T]) -> T:
        """What a worker found; `hung`, told why, when it has not ended soon after the time limit."""
        deadline = self.source.limits.deadline
        try:
            return future.result(None if deadline is None else max(0.0, deadline + HANG_SECONDS - time.monotonic()))
        except FutureTimeout:
            self.hung = True
            return hung("the time limit was reached" if future.cancel() else HANGS)

    # ------------------------------------------------------------ one pass over a table

    def _spans(self, name: str) -> tuple[tuple[int, int] | None, ...]:
        """The slices of a table: (None,) where it has no row id to cut at, or where it cannot be cut."""
        table = self.tables[name]
        if table.kind != "table" or table.rowid is None:
            return (None,)
        ends = [f"(SELECT {end}({table.rowid}) FROM {engine.whole(table)})" for end in ("min", "max")]
        found = self._rows(f"SELECT {', '.join(ends)}")  # asked in one SELECT, they would read the whole table
        if isinstance(found, Failure) or not all(isinstance(v, int) for v in found[0]):
            return (None,)
        cut = slices(found[0][0], found[0][1], int(self.source.state.get("size_bytes") or 0))
        return cut if len(cut) > 1 else (None,)

    def _slice(self, part: engine.Part, span: tuple[int, int] | None) -> tuple[list[Any], float]:
        """The value of each metric of the part on one slice, a Failure in the place of those that have none."""
        begun = time.monotonic()
        values = self._values(part, span)
        counted = Metric(part.table.full_name, "rows")
        read = values[part.metrics.index(counted)] if counted in part.metrics else 0
        self._step(part.table.full_name, read if isinstance(read, int) else 0)
        return values, time.monotonic() - begun

    def _values(self, part: engine.Part, span: tuple[int, int] | None) -> list[Any]:
        statement = part.statement(span)
        found = self._rows(statement)
        if isinstance(found, Failure) and found.suspect and len(part.metrics) == 1:
            keyed = f"{statement} {'AND' if span else 'WHERE'} {engine.told_key(part.table)}"
            found = self._rows(keyed, alone=_scope(part.metrics[0]))
        if not isinstance(found, Failure):
            values = engine.answers(part.metrics, found[0])
            return [
                self._undecodable(part.table, m, span) if m.word == "undecodable" and (v or self.other_encoding) else v
                for m, v in zip(part.metrics, values, strict=True)
            ]
        if found.stopped:
            return [found for _ in part.metrics]
        if len(part.metrics) == 1:
            if part.metrics[0].word == "undecodable" and not found.fatal:
                return [self._undecodable(part.table, part.metrics[0], span)]
            return [found]
        one, other = part.halves()
        return self._values(one, span) + self._values(other, span)

    def _undecodable(self, table: Table, metric: Metric, span: tuple[int, int] | None) -> Any:
        """Counts cell by cell, where the quick look at the joined text was not enough."""
        cell = quoted(metric.args[0])
        bad = f"typeof({cell}) = 'text' AND NOT valid_utf8(CAST({cell} AS BLOB))"
        narrow = engine.Part(table, ()).statement(span).removeprefix("SELECT ")
        where = f" AND {bracketed(metric.where)}" if metric.where else ""
        statement = f"SELECT count(*){narrow}{' AND' if span else ' WHERE'} {bad}{where}"
        found = self._rows(statement)
        if isinstance(found, Failure) and found.suspect:
            found = self._rows(f"{statement} AND {engine.told_key(table)}", alone=_scope(metric))
        return found if isinstance(found, Failure) else found[0][0]

    def _merge(
        self, part: engine.Part, spans: Sequence[tuple[int, int] | None], given: Sequence[tuple[list[Any], float]]
    ) -> dict[Metric, Measurement]:
        seconds = sum(s for _, s in given)
        merged: dict[Metric, Measurement] = {}
        for at, metric in enumerate(part.metrics):
            values = [v[at] for v, _ in given]
            failure = next((v for v in values if isinstance(v, Failure)), None)
            if failure:
                merged[metric] = Measurement(metric, None, failure.message, failure.fatal, seconds)
                continue
            found = tuple((s[0], s[1], v) for s, v in zip(spans, values, strict=True) if s and v)
            where_found = found if metric.word in ("count_if", "nulls", "undecodable") else ()
            merged[metric] = Measurement(metric, engine.merged(metric, values), seconds=seconds, found=where_found)
        return merged

    # ------------------------------------------------------------ statements of their own

    def _index(self, metric: Metric, measured: Mapping[Metric, Measurement]) -> str:
        """An index that may answer in the table's place: only where it holds as many rows as the table in this very run."""
        if metric.word != "duplicates" or metric.where or len(metric.args) != 1:
            return ""
        table = self.tables[metric.table]
        index = table.indexes.get(metric.args[0], "")
        total = measured.get(Metric(metric.table, "rows"))
        if not index or total is None or total.error:
            return ""
        # a lone count(*) would be answered from any b-tree, whatever INDEXED BY says
        both = f"count(*), count({quoted(metric.args[0])})"
        found = self._rows(f"SELECT {both} FROM {table_name(table)} INDEXED BY {quoted(index)}")
        return index if not isinstance(found, Failure) and found[0][0] == total.value else ""

    def _separate(self, metric: Metric, index: str = "") -> Measurement:
        begun = time.monotonic()
        table = self.tables.get(metric.table)
        if table and metric.word == "duplicates" and table.rowid_is_key and metric.args == table.primary_key:
            self._step(metric.table)
            return Measurement(metric, Groups(0, 0))  # the row id itself: SQLite keeps its rows by it
        statement = engine.separate(metric, table, index)
        found = self._rows(statement, count=metric.word == "query")
        if isinstance(found, Failure) and found.suspect:
            found = self._rows(statement, count=metric.word == "query", alone=_scope(metric))
        self._step(metric.table or metric.word)
        spent = time.monotonic() - begun
        if isinstance(found, Failure):
            return Measurement(metric, None, found.message, found.fatal, spent)
        return Measurement(metric, engine.separate_value(metric, found), seconds=spent)

    def _damage(self, metric: Metric) -> Measurement:
        """The engine's own check of its file, within its own time limit."""
        begun = time.monotonic()
        end = begun + self._limit()
        with self.pool.connection(plain=True) as connection:

            def one(statement: str) -> Sequence[Sequence[Any]] | Failure:
                return self.stopped or self._heeded(ask(connection, statement, max(0.001, end - time.monotonic())))

            found = damage.look(connection.connection.driver_connection, one)
        self._step(metric.word)
        spent = time.monotonic() - begun
        if isinstance(found, Failure):
            return Measurement(metric, None, found.message, found.fatal, spent)
        return Measurement(metric, found, seconds=spent)

    def _limit(self) -> float:
        """Seconds for the engine's own check, which older SQLites do not end by themselves at the deadline."""
        deadline = self.source.limits.deadline
        left = deadline - time.monotonic() if deadline else float("inf")
        return max(0.001, min(self.source.limits.integrity_seconds, left))

    # ------------------------------------------------------------ asking

    def _rows(
        self, statement: str, *, count: bool = False, alone: str = ""
    ) -> Sequence[Sequence[Any]] | Failure:
        """`alone`: the scope in which suspect patterns are evaluated, one statement at a time."""
        if self.stopped:
            return self.stopped
        with self.pool.connection() as connection, suspects_allowed(connection, alone):
            return self._heeded(ask(connection, statement, count=count))

    def _heeded(self, found: Sequence[Sequence[Any]] | Failure) -> Sequence[Sequence[Any]] | Failure:
        """An answer as it is; where the whole scan has to end, that is remembered, and why."""
        if isinstance(found, Failure) and found.stopped:
            deadline = self.source.limits.deadline
            words = (
                "the time limit was reached" if deadline and time.monotonic() >= deadline else "the scan was stopped"
            )
            self.stopped = replace(found, message=words)
            return self.stopped
        return found

    def _step(self, what: str, rows: int = 0) -> None:
        with self.lock:
            self.done += 1
            self.read += rows
            self.progress(f"{what}, {self.read:,} rows", self.done, self.total)


def _unanswered(part: engine.Part, why: str) -> tuple[list[Any], float]:
    return [Failure(why, False) for _ in part.metrics], 0.0


def _scope(metric: Metric) -> str:
    """What a regular expression is given up for: this metric, or all of a table with the same condition when it may stand
    in there."""
    if "regexp" in metric.where.lower():
        return f"{metric.table}\0{metric.where}"
    return "\0".join((metric.table, metric.word, metric.where, *(str(getattr(a, "text", a)) for a in metric.args)))


def suspects_allowed(connection: Connection, scope: str) -> AbstractContextManager[None]:
    """Within it, the connection evaluates also the regular expressions that have held everything up. No scope: it does not."""
    raw: Any = connection.connection.driver_connection
    allowed: AbstractContextManager[None] = raw.patterns.alone(scope) if scope else nullcontext()
    return allowed


FATAL = (  # what SQLite says when the file is at fault and not the question
    "disk image is malformed",
    "malformed database schema",
    "not a database",
    "disk i/o error",
    "corrupt",
    "unable to open",
    "disk is full",
)


TOO_LONG = "string or blob too big"  # as SQLite says it


def ask(
    connection: Connection, statement: str, limit: float | None = None, *, count: bool = False
) -> Sequence[Sequence[Any]] | Failure:
    """The rows of a statement, or with `count` only how many, or why there are none.

    `limit` seconds end this statement alone.
    """
    over = threading.Event()
    timer = None
    raw: Any = connection.connection.driver_connection
    raw.patterns.forget()
    if limit is not None:

        def stop() -> None:
            over.set()
            raw.interrupt()

        timer = threading.Timer(limit, stop)
        timer.daemon = True
        timer.start()
    try:
        result = connection.exec_driver_sql(statement)
        return result.all() if not count else [(sum(len(part) for part in result.partitions(1_000)),)]
    except (DBAPIError, StatementError) as problem:
        said = " ".join(str(problem.orig or problem).split())
        if over.is_set():
            return Failure(f"not finished within {limit:.4g} seconds", False, late=True)
        if "interrupted" in said:
            return Failure(said, True, stopped=True)
        if raw.patterns.suspect or raw.patterns.refused:
            return Failure(raw.patterns.refused or said, False, suspect=raw.patterns.suspect)
        if TOO_LONG in said:
            return Failure(f"a value is longer than {LONGEST_VALUE:,} bytes, the most that is looked at", False)
        return Failure(said, any(word in said.lower() for word in FATAL))
    except (UnicodeDecodeError, OverflowError, MemoryError) as problem:
        return Failure(type(problem).__name__, False)
    finally:
        if timer:
            timer.cancel()
