"""One reading query of a model on a SQLite connection, within limits.

In: the text of one SELECT or WITH. Out: columns and rows as plain JSON (`codec.safe`, or what the caller's `show` makes of a
value: what may be shown of a cell is the caller's to decide), or a refusal. Four walls, each for itself: the text is looked
at, `sqlite3` runs one statement only, the connection is set to reading only, and an authorizer lets through reading and a
list of functions. The connection is the tool's own from then on: what is set on it here stays.
"""

from __future__ import annotations

import functools
import json
import re
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from watchdog.codec import clean, safe
from watchdog.sandbox._statement import Views, expansions, plain, tokens, writes
from watchdog.sandbox.refused import Refused, told, visible
from watchdog.sql import user_sql

FUNCTIONS = frozenset(
    # about one value
    "abs char coalesce format glob hex ifnull iif instr length like likelihood likely lower ltrim max min nullif "
    "octet_length printf quote replace round rtrim sign substr substring trim typeof unhex unicode unistr unlikely upper "
    "concat concat_ws if soundex -> ->> "
    # mathematics
    "acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi pow power "
    "radians sin sinh sqrt tan tanh trunc "
    # time
    "current_date current_time current_timestamp date datetime julianday strftime time timediff unixepoch "
    # about many rows
    "avg count group_concat string_agg sum total median percentile percentile_cont percentile_disc cume_dist dense_rank "
    "first_value lag last_value lead nth_value ntile percent_rank rank row_number "
    # JSON and full text
    "json json_array json_array_length json_error_position json_extract json_group_array json_group_object json_insert "
    "json_object json_patch json_pretty json_quote json_remove json_replace json_set json_type json_valid match bm25 "
    "highlight snippet".split()
)  # no regexp: a pattern that never ends could not be stopped; no zeroblob, randomblob, load_extension, fts3_tokenizer
TABLE_FUNCTIONS = frozenset(("json_each", "json_tree"))  # of the virtual tables that need no CREATE, only these
LONGEST_SQL = 10_000  # characters
LONGEST_VALUE = 200_000  # bytes; instr() and replace() take the square of it and cannot be stopped meanwhile
MOST_EXPANSIONS = 2_000  # SQLite writes out each use of a WITH or a view while it prepares, and cannot be stopped there
_STEPS = 500  # of the virtual machine between two looks at the limits
_LIMITS = {  # sqlite.org/c3ref/c_limit_attached.html
    "SQLITE_LIMIT_LENGTH": LONGEST_VALUE, "SQLITE_LIMIT_SQL_LENGTH": 4 * LONGEST_SQL, "SQLITE_LIMIT_ATTACHED": 0,
    "SQLITE_LIMIT_COMPOUND_SELECT": 50, "SQLITE_LIMIT_LIKE_PATTERN_LENGTH": 1_000, "SQLITE_LIMIT_WORKER_THREADS": 0,
    "SQLITE_LIMIT_EXPR_DEPTH": 200,
}  # fmt: skip


@dataclass(frozen=True)
class QueryLimits:
    rows: int = 200
    seconds: float = 5.0
    steps: int = 50_000_000  # of SQLite's virtual machine
    result_bytes: int = 64_000  # of the rows as JSON
    cell_characters: int = 2_000
    memory_bytes: int = 256 * 1024 * 1024  # by which the process may grow, roughly


@dataclass(frozen=True)
class QueryResult:
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]  # plain JSON values
    cut: str = ""  # why there are more rows, or longer texts, than are shown; "" = it is all here

    def to_json(self) -> str:
        whole = {"columns": self.columns, "rows": self.rows, "cut": self.cut}
        return json.dumps(whole, ensure_ascii=False, allow_nan=False)


Show = Callable[[str, Any], Any]  # what is shown of a value, by its column's name; plain JSON


class Query:
    """The connection becomes one that only reads, for good."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        limits: QueryLimits | None = None,
        show: Show | None = None,
        now: datetime | None = None,
    ) -> None:
        """`now` is what `:now` stands for in a query; the clock's time where it is not given."""
        self._connection = connection
        self._now = now
        self._limits = limits or QueryLimits()
        self._show: Show = show or (lambda _, value: safe(value))
        self._refused: Refused | None = None  # by the authorizer or a limit, while a statement runs
        self._views = Views({})
        self._no_tables: frozenset[str] = frozenset()
        self._guarded = False

    def run(self, sql: str) -> QueryResult | Refused:
        """Never raises."""
        connection = self._connection
        errors = _errors_of(connection)
        rows, texts = connection.row_factory, connection.text_factory
        connection.row_factory = None
        connection.text_factory = functools.partial(str, encoding="utf-8", errors="surrogateescape")
        self._refused = None
        try:
            if not self._guarded:
                self._guard()
            statement = self._judged(sql)
            if isinstance(statement, Refused):
                return statement
            connection.set_authorizer(functools.partial(self._allow, writes(statement)))
            connection.set_progress_handler(self._stop_when(time.monotonic()), _STEPS)
            try:
                return self._rows(connection.execute(statement))
            finally:
                connection.set_progress_handler(None, 0)
        except errors as problem:
            return self._refused or _explained(problem)
        except (OverflowError, RecursionError, MemoryError, ValueError) as problem:
            return self._refused or Refused("sql.error", f"the query failed: {type(problem).__name__}")
        finally:
            connection.row_factory, connection.text_factory = rows, texts

    def _guard(self) -> None:
        connection = self._connection
        connection.set_authorizer(lambda *_: sqlite3.SQLITE_OK)  # one that was there could forbid what follows
        for pragma in ("query_only=ON", "temp_store=MEMORY", "recursive_triggers=OFF", "writable_schema=OFF"):
            connection.execute(f"PRAGMA {pragma}")
        # Before 3.41 SQLite took its own JSON functions for unsafe, which made schemas that use them unreadable. The
        # authorizer judges the functions of a schema too.
        if _version(connection) >= (3, 41):
            connection.execute("PRAGMA trusted_schema=OFF")
        if hasattr(connection, "setlimit"):  # not in pysqlite3
            for name, value in _LIMITS.items():
                limit = getattr(sqlite3, name)
                connection.setlimit(limit, min(value, connection.getlimit(limit)))
        if sys.version_info >= (3, 12) and hasattr(connection, "setconfig"):
            connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
            connection.setconfig(sqlite3.SQLITE_DBCONFIG_DQS_DML, False)  # an unknown "name" is an error, not a text
        with suppress(AttributeError, *_errors_of(connection)):
            connection.enable_load_extension(False)
        modules = {str(row[0]).lower() for row in connection.execute("PRAGMA module_list")}
        self._no_tables = frozenset(modules - TABLE_FUNCTIONS)
        views = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'view'")
        self._views = Views({plain(str(name)): str(text) for name, text in views})
        self._guarded = True

    def _judged(self, sql: str) -> str | Refused:
        if len(sql) > LONGEST_SQL:
            return Refused("sql.too_long", f"a query has at most {LONGEST_SQL:,} characters, this one {len(sql):,}")
        if re.search("[\0\ud800-\udfff]", sql):
            return Refused("sql.text", "a query holds no NUL character and no half of a surrogate pair")
        words = list(tokens(sql))
        if set(words) <= {";"}:
            return Refused("sql.empty", "no query was given")
        if words[0] not in ("select", "with"):
            return Refused("sql.not_select", f"{told(words[0].upper())}: only one SELECT or WITH is run")
        statement = user_sql(sql, self._now or datetime.now(UTC), cut=True)
        if not statement:
            return Refused("sql.several", "one statement at a time, please")
        if words[0] == "with" and (writing := writes(statement)):
            return Refused("sql.not_select", f"{writing.upper()}: only reading is allowed")
        if expansions(words, self._views) > MOST_EXPANSIONS:
            return Refused("sql.too_nested", "its WITH parts or views use each other too often: ask in smaller steps")
        return statement

    def _allow(self, writing: str, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        """The authorizer: reading, and the functions of the list."""
        if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE):
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_READ:
            name = (first or "").lower()
            if name not in self._no_tables and not name.startswith("pragma_"):
                return sqlite3.SQLITE_OK
            return self._deny("sql.table", f"{told(name)} is no table of the database")
        if action == sqlite3.SQLITE_FUNCTION:
            if (second or "").lower() in FUNCTIONS:
                return sqlite3.SQLITE_OK
            return self._deny("sql.function", f"the function {told(second or '')} is not in the list of those allowed")
        if action == sqlite3.SQLITE_PRAGMA:
            if first == "data_version" and second is None:
                return sqlite3.SQLITE_OK  # full text search asks for it
            return self._deny("sql.pragma", "PRAGMA is not allowed")
        if action == sqlite3.SQLITE_UPDATE and first == "sqlite_master" and not writing:
            return (
                sqlite3.SQLITE_OK
            )  # a virtual table (json_each, full text) declares its columns by a CREATE of its own
        if action in (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH):
            return self._deny("sql.attach", "other databases are not opened")
        return self._deny("sql.not_select", "only reading is allowed")

    def _deny(self, rule: str, message: str) -> int:
        self._refused = self._refused or Refused(rule, message)
        return sqlite3.SQLITE_DENY

    def _stop_when(self, started: float) -> Callable[[], int]:
        limits = self._limits
        steps = 0
        most = _peak_memory() + limits.memory_bytes

        def stop() -> int:
            nonlocal steps
            steps += _STEPS
            if time.monotonic() - started > limits.seconds:
                self._refused = Refused("sql.time", f"the query took longer than {limits.seconds:g} s")
            elif steps > limits.steps:
                self._refused = Refused("sql.steps", f"the query took more than {limits.steps:,} steps")
            elif _peak_memory() > most:
                self._refused = Refused(
                    "sql.memory", f"the query needed more than {limits.memory_bytes:,} bytes of memory"
                )
            else:
                return 0
            return 1

        return stop

    def _rows(self, cursor: sqlite3.Cursor) -> QueryResult | Refused:
        limits = self._limits
        try:
            columns = tuple(visible(clean(column[0])) for column in cursor.description or ())
            if not columns:
                return Refused("sql.not_select", "it returns no rows: only one SELECT or WITH is run")
            rows: list[tuple[Any, ...]] = []
            size, cut = 0, []
            for row in cursor:
                if len(rows) == limits.rows:
                    cut.append(f"only the first {limits.rows:,} rows are here, there are more")
                    break
                shown = tuple(self._cell(column, value) for column, value in zip(columns, row, strict=True))
                size += len(json.dumps(shown, ensure_ascii=False).encode())
                if size > limits.result_bytes:
                    cut.append(f"only the first {len(rows):,} rows are here, more are too large")
                    break
                rows.append(shown)
            return QueryResult(columns, tuple(rows), "; ".join(cut))
        finally:
            cursor.close()

    def _cell(self, column: str, value: Any) -> Any:
        most = self._limits.cell_characters
        if isinstance(value, str | bytes) and len(value) > most:
            unit = "characters" if isinstance(value, str) else "bytes"
            shown = self._show(column, value[:most])
            note = f"… ({len(value):,} {unit})"
            if isinstance(shown, str):
                return shown + note
            return {**shown, "text": f"{shown.get('text', '')}{note}"} if isinstance(shown, dict) else shown
        return self._show(column, value)


# ---------------------------------------------------------------- the engine


def _explained(problem: Exception) -> Refused:
    said = visible(clean(str(problem)))[:300]
    if "one statement at a time" in said:
        return Refused("sql.several", "one statement at a time, please")
    if said.startswith("unsafe use of"):  # in a view of the schema, which is not trusted
        return Refused("sql.function", f"{said.removeprefix('unsafe use of ')} is not allowed")
    if "too big" in said:
        return Refused("sql.size", f"a value is longer than {LONGEST_VALUE:,} bytes, which is not read")
    return Refused("sql.error", f"the query failed: {said}")


def _errors_of(connection: sqlite3.Connection) -> tuple[type[Exception], ...]:
    """The errors of the library that made the connection, which may be pysqlite3."""
    return sqlite3.Error, sqlite3.Warning, connection.Error, connection.Warning


def _version(connection: sqlite3.Connection) -> tuple[int, ...]:
    (text,) = connection.execute("SELECT sqlite_version()").fetchone()
    return tuple(int(part) for part in str(text).split("."))


def _peak_memory() -> int:
    """Bytes that this process held at most; 0 where the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
