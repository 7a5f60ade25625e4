"""The words that checks speak: a small closed vocabulary on top of SQLAlchemy Core.

Two kinds. *Expressions* about one cell or row (`cell`, `text_of`, `is_blank`, ...) are SQLAlchemy elements; `dialects/`
says how an engine pronounces them. *Metrics* (`rows`, `nulls`, `count_if`, ...) are pure data that the scan engine plans,
fuses and measures. `speak` turns an expression into the SQL text of one dialect, with every literal written out.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from sqlalchemy import ColumnElement
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import quoted_name
from sqlalchemy.sql.expression import FunctionElement

from watchdog.clock import at_one_time, now_text
from watchdog.errors import WatchdogError
from watchdog.model import LONGEST_VALUE, Column, Metric, Predicate, Reference, Table
from watchdog.printed import never_cut

# ---------------------------------------------------------------- metrics

MERGEABLE = ("rows", "nulls", "count_if", "highest", "undecodable")  # answered in the one pass over a table
SEPARATE = ("duplicates", "orphans", "query", "integrity")  # each is a query of its own
# rows       ()                                  how many rows
# nulls      (column, ...)                       rows where any of the columns is NULL
# count_if   (predicate,)                        rows where the predicate is true
# highest    (predicate-like number expression,) largest number, None when there is none
# undecodable (column,)                          rows whose text is not valid in the database's encoding
# duplicates (column, ...)                       Groups: members of groups of more than one, NULL keys left out
# orphans    (predicate,)                        rows for which `is_orphan` holds; a statement of its own, it reads two tables
# query      (sql,)                              how many rows the user's query returns
# integrity  ()                                  Damage: what the engine's own check of its file says


def rows(table: Table, where: str = "") -> Metric:
    return Metric(table.full_name, "rows", (), where)


def nulls(*columns: Column, where: str = "") -> Metric:
    return Metric(columns[0].table, "nulls", tuple(c.name for c in columns), where)


def count_if(table: Table, predicate: ColumnElement[Any], where: str = "") -> Metric:
    return Metric(table.full_name, "count_if", (predicate,), where)


def highest(table: Table, number: ColumnElement[Any], where: str = "") -> Metric:
    return Metric(table.full_name, "highest", (number,), where)


def undecodable(column: Column, where: str = "") -> Metric:
    return Metric(column.table, "undecodable", (column.name,), where)


def duplicates(table: Table, columns: Iterable[str], where: str = "") -> Metric:
    return Metric(table.full_name, "duplicates", tuple(columns), where)


def orphans(table: Table, reference: Reference, parent: Table, where: str = "") -> Metric:
    return Metric(table.full_name, "orphans", (is_orphan(table, reference, parent),), where)


def settled(metric: Metric, dialect: str, now: datetime) -> Metric:
    """The same metric with its expressions turned into Predicates, so that equal ones compare equal."""
    if not any(isinstance(a, ColumnElement) for a in metric.args):
        return metric
    args = tuple(Predicate(speak(a, dialect, now), a) if isinstance(a, ColumnElement) else a for a in metric.args)
    return Metric(metric.table, metric.word, args, metric.where)


# ---------------------------------------------------------------- expressions


def cell(column: Column) -> ColumnElement[Any]:
    """The cell of a column, its name always quoted: an unquoted odd name would be syntax."""
    return sa.column(quoted_name(column.name, quote=True))


class value(ColumnElement[Any]):
    """A literal, exactly: text with quotes, NULs or lone surrogates, 64-bit integers, infinities, bytes."""

    inherit_cache = False

    def __init__(self, literal: str | int | float | bool | bytes | None) -> None:
        self.literal = literal


class _Word(FunctionElement[Any]):
    """A word that a dialect has to pronounce. `told` are plain Python arguments beside the SQL ones."""

    inherit_cache = False

    def __init__(self, *clauses: Any, **told: Any) -> None:
        super().__init__(*clauses)
        self.told = told


class storage_class(_Word):
    """'null', 'integer', 'real', 'text' or 'blob': what the cell is, whatever the column was declared as."""


class is_number(_Word):
    """True when the cell is a number, whatever the column was declared as. NULL stays NULL."""


class exactly(_Word):
    """The cell without its column's affinity and collation: text compares character by character, and as text."""


class is_blank(_Word):
    """True for text that is empty or white space only (Unicode white space too). NULL stays NULL."""


class regex_match(_Word):
    """True when `told['pattern']` (Python's `re`, searched; `$` is the very end) is found in the text of the cell.

    Numbers are judged by their text, a BLOB never matches, NULL stays NULL.
    """


class is_valid_text(_Word):
    """True when the cell is text that decodes in the database's encoding, and for everything that is no text (NULL too)."""


class is_json(_Word):
    """True when the text is well-formed JSON (RFC 8259). A number is JSON too, a BLOB is not."""


class is_word(_Word):
    """True for text that is one of `told['words']` (lower case), its own case (of ASCII letters) and the white space at its
    ends put aside."""


class is_date(_Word):
    """True when the cell is a day of the calendar, written in `told['form']`, one of FORMS.

    `told['time']`: "with" or "without" a time of day, for ISO text; not given = either.
    """


class moment(_Word):
    """The cell as seconds since 1970, NULL when it cannot be read in `told['form']`, one of FORMS. Text without an offset is
    read as UTC.

    `told['clock']`: "zoned" keeps text with an offset and numbers, "naive" other text; not given = all.
    """


def is_orphan(child: Table, reference: Reference, parent: Table) -> ColumnElement[bool]:
    """True for a child row whose key is whole (no NULL part) and has no row in the parent table.

    Serves as the evidence (which rows) of what the metric `orphans` counts.
    """
    return _is_orphan(child=child, reference=reference, parent=parent)


class _is_orphan(_Word):
    """`told`: child (Table), reference (Reference), parent (Table)."""


Form = Literal["auto", "iso", "epoch_s", "epoch_ms", "epoch_us", "julian", "dmy", "mdy", "month_day_year"]
# How dates and times are written. auto: text as ISO 8601, numbers by their size: Julian days (2,400,000 to 2,500,000), then
# seconds (from 1e8), milliseconds (1e11) and microseconds (1e14, below 1e17) since 1970. epoch_*: numbers since 1970.
# dmy, mdy: d/m/yyyy and m/d/yyyy with '/', '.' or '-'. month_day_year: 'Jun 12 1998'. Numbers count from midnight or noon UTC.
FORMS: tuple[str, ...] = get_args(Form)


class _after(_Word):
    """`told`: form, today (the day where the source is), guard (a day before it), now and local (seconds, see `later`)."""


def after(expression: ColumnElement[Any], *, form: str, now: datetime, time_zone: str) -> ColumnElement[bool]:
    """True when the cell is a date or time later than `now`; naive ones are read in `time_zone`. NULL or false else."""
    local = now.astimezone(ZoneInfo(time_zone)).replace(tzinfo=UTC)
    guard = now.astimezone(UTC) - timedelta(days=2)
    return _after(
        expression, form=form, today=local.strftime("%Y-%m-%d"), guard=guard.strftime("%Y-%m-%d"),
        now=now.timestamp(), local=local.timestamp(),
    )  # fmt: skip


def among(expression: ColumnElement[Any], literals: Iterable[Any]) -> ColumnElement[bool]:
    """`expression IN (...)`, false for an empty list. Compared as the engine compares (affinity, collation)."""
    items = [value(v) for v in literals]
    return expression.in_(items) if items else sa.false()


def raw(text: str) -> ColumnElement[Any]:
    """SQL of the user (as `user_sql` gives it) as an expression; the connection's authorizer decides what it may do."""
    return sa.literal_column(bracketed(text))


def bracketed(text: str) -> str:
    """SQL of the user in brackets. A line comment at its end must not swallow what follows, hence the line break."""
    return f"({text}\n)" if "--" in text else f"({text})"


def not_(condition: ColumnElement[Any]) -> ColumnElement[bool]:
    return sa.not_(condition)


# ---------------------------------------------------------------- speaking


@functools.cache
def _dialect(name: str) -> Dialect:
    from sqlalchemy.dialects import registry

    loaded: Any = registry.load(name)
    return loaded(paramstyle="named")  # type: ignore[no-any-return]


def speak(expression: ColumnElement[Any], dialect: str, now: datetime) -> str:
    """The SQL text of an expression in one dialect, literals written out and `:now` filled in (UTC)."""
    text = str(expression.compile(dialect=_dialect(dialect), compile_kwargs={"literal_binds": True}))
    return with_now(text, now)


_TOKEN = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|/\*.*?(?:\*/|\Z)|(?<![\w:$]):now\b""", re.S
)


_NO_SQL = re.compile("[\0\ud800-\udfff]")


def single(text: str) -> str:
    """The one statement or condition that a text holds, without its closing semicolon; "" when it holds none, several, or
    characters that cannot stand in SQL (NUL, half of a surrogate pair)."""
    if _NO_SQL.search(text):
        return ""
    bare = _TOKEN.sub(lambda m: (" " if m[0].startswith(("--", "/*")) else "x") * len(m[0]), text)
    first, _, rest = bare.partition(";")
    return text[: len(first)].strip() if first.strip() and not rest.replace(";", " ").strip() else ""


def with_now(text: str, now: datetime) -> str:
    """`:now` outside quotes and comments becomes the run's time, 'YYYY-MM-DD HH:MM:SS' in UTC."""
    if ":now" not in text:
        return text
    return _TOKEN.sub(lambda m: f"'{now_text(now)}'" if m[0] == ":now" else m[0], text)


def user_sql(
    text: str, now: datetime, time_zone: str = "UTC", dialect: str = "sqlite", *, strict: bool = False, cut: bool = False
) -> str:
    """One condition or query of the user as it is run: at the time `now` (see `clock`), and every "name" written as `name`.

    A value beside `:now` that cannot be read as a time is NULL. `strict`: where it decides about a row, the statement fails
    (by `watchdog_unreadable`, a function of our connections): for measuring, where it would pass in silence.

    SQLite reads a "name" that does not exist as text, so that a slip of the pen would pass in silence; in backticks it is an
    error. What it finds under either spelling is the same. Times without an offset are of `time_zone`. cut: a text that
    printf() makes too long may be NULL (see `never_cut`).
    """
    named = _TOKEN.sub(lambda m: _backticked(m[0]) if m[0].startswith('"') else m[0], single(text))
    ahead = now.astimezone(ZoneInfo(time_zone)).utcoffset() or timedelta()

    def as_time(cell: str, source: str) -> str:
        expression = raw(cell)
        if not ahead:
            ways = [speak(moment(expression, form="auto"), dialect, now)]
        else:
            zoned, naive = (speak(moment(expression, form="auto", clock=c), dialect, now) for c in ("zoned", "naive"))
            ways = [zoned, f"{naive} - {ahead.total_seconds()!r}"]
        if strict:
            shown = " ".join(source.split())
            shown = shown if len(shown) <= LONGEST_SHOWN else f"{shown[: LONGEST_SHOWN - 3]}..."
            ways.append(f"CASE WHEN {bracketed(cell)} IS NOT NULL THEN watchdog_unreadable({literal(shown)}) END")
        return f"coalesce({', '.join(ways)})" if len(ways) > 1 else ways[0]

    timed = at_one_time(named, now, as_time)
    return timed if cut else never_cut(timed, LONGEST_VALUE)


LONGEST_SHOWN = 60  # characters of a part of the user's SQL in an error


def _backticked(name: str) -> str:
    return "`" + name[1:-1].replace('""', '"').replace("`", "``") + "`"


def quoted(name: str) -> str:
    """A name as an SQL identifier, quoted always."""
    return '"' + name.replace('"', '""') + '"'


def table_name(table: Table) -> str:
    return f"{quoted(table.schema)}.{quoted(table.name)}" if table.schema else quoted(table.name)


@compiles(value)
def _value(element: value, compiler: SQLCompiler, **_: Any) -> str:
    return literal(element.literal)


def literal(v: str | int | float | bool | bytes | None) -> str:
    """A Python value as an SQL literal that reads back as the same value (a float of more than 15 digits: as nearly as SQLite
    reads it)."""
    if v is None:
        return "NULL"
    if isinstance(v, bool):
        return "1" if v else "0"
    if isinstance(v, int):
        return str(v) if v > -(2**63) else "(-9223372036854775807 - 1)"
    if isinstance(v, float):
        return "9e999" if v == float("inf") else "-9e999" if v == float("-inf") else repr(v)
    if isinstance(v, bytes):
        return f"x'{v.hex()}'"
    try:
        v.encode("utf-8")
    except UnicodeEncodeError:  # text that was not valid UTF-8 when it was read
        return f"CAST(x'{v.encode('utf-8', 'surrogateescape').hex()}' AS TEXT)"
    parts = ["'" + part.replace("'", "''") + "'" for part in v.split("\0")]
    return parts[0] if len(parts) == 1 else f"({' || char(0) || '.join(parts)})"


@compiles(_Word)
def _unspoken(element: _Word, compiler: SQLCompiler, **_: Any) -> str:
    name = type(element).__name__
    raise WatchdogError(f"the {compiler.dialect.name} engine has no word for {name!r}")
