"""A look at some rows of a table: the distinct values of each column, counted. The sample that inference reads.

In: an open SQLite connection, a table of the catalogue and how many rows may be looked at. Out: one ColumnProfile a
column. A table with no more rows is read whole; a larger one in 100 blocks, evenly spread over its rows by walking the
key's own b-tree (a tenth of a full read). The same file gives the same sample. Nothing is written, no row is kept.
Blocks are read in an order in which any first few are spread evenly, so a column that has shown 10,000 distinct values
is left alone from then on. Text and BLOBs are cut to 256 characters or bytes.
A column that cannot be read, be it for a time limit, has a profile without rows whose `how` says why; it costs the
others nothing.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from watchdog.model import Column, ColumnProfile, Table
from watchdog.sql import literal, quoted, table_name

BLOCKS = 100
LEAST_ROWS = 2_000  # looked at, however wide the table
CELLS = 4_000_000  # wide tables: fewer rows, so that the sample stays about as quick
DISTINCT = 10_000  # of a column, then it is left alone: what it is shows by then
CUT = 256  # characters of text, bytes of a BLOB
SMALL_CELL = 16_384  # bytes; a sample that meets a larger cell is taken again with SQLite doing the cutting
SLICE = 400  # columns a statement: SQLite refuses more than 2,000 (sqlite.org/limits.html, no. 2)
CHUNK = 50_000  # cells fetched at a time
_SIZED = frozenset((str, bytes))


@dataclass(frozen=True)
class _Plan:
    """How the rows are visited: the WHERE, ORDER BY and LIMIT of each block, in the order of reading."""

    blocks: tuple[str, ...]
    whole: bool  # the blocks hold every row
    how: str


def take(connection: Connection, table: Table, *, rows: int) -> list[ColumnProfile]:
    """The profiles of all columns, in the table's order, from `rows` rows at most."""
    raw = connection.connection.driver_connection
    assert raw is not None
    plan = _plan(raw, table, rows)
    slices = [table.columns[start : start + SLICE] for start in range(0, len(table.columns), SLICE)]
    return [profile for columns in slices for profile in _profiles(raw, table, columns, plan)]


def _profiles(raw: Any, table: Table, columns: Sequence[Column], plan: _Plan) -> list[ColumnProfile]:
    """One error in many columns: halve until the culprit stands alone."""
    try:
        return _counted(raw, table, columns, plan)
    except raw.Error as problem:
        if len(columns) == 1:
            return [ColumnProfile(table.full_name, columns[0].name, 0, {}, False, f"not read: {problem}")]
        half = len(columns) // 2
        return [*_profiles(raw, table, columns[:half], plan), *_profiles(raw, table, columns[half:], plan)]


def _counted(raw: Any, table: Table, columns: Sequence[Column], plan: _Plan) -> list[ColumnProfile]:
    """Read the quick way first; text that is not UTF-8 and huge cells cost a second reading."""
    try:
        with _Quick(raw):
            return _count(raw, table, columns, plan, cut=False)
    except raw.Error as problem:
        if "decode" not in str(problem) and "too big" not in str(problem):
            raise
    return _count(raw, table, columns, plan, cut=True)


def _count(raw: Any, table: Table, columns: Sequence[Column], plan: _Plan, *, cut: bool) -> list[ColumnProfile]:
    counts: dict[str, Counter[Any]] = {c.name: Counter() for c in columns}
    seen = dict.fromkeys(counts, 0)
    open_columns = list(columns)
    for block in plan.blocks:
        if not open_columns:
            break
        cells = ", ".join(_cut(c) if cut else quoted(c.name) for c in open_columns)
        cursor = raw.execute(f"SELECT {cells} FROM {table_name(table)} {block}")
        for chunk in _chunks(cursor, max(1, CHUNK // len(open_columns))):
            for column, values in zip(open_columns, zip(*chunk, strict=True), strict=True):
                _add(counts[column.name], values)
                seen[column.name] += len(values)
        open_columns = [c for c in open_columns if len(counts[c.name]) < DISTINCT]
    left_alone = {c.name for c in columns} - {c.name for c in open_columns}
    told = [
        ColumnProfile(table.full_name, c.name, seen[c.name], dict(counts[c.name]), plan.whole, plan.how)
        for c in columns
    ]
    most = max(seen.values(), default=0)
    return [
        replace(p, complete=False, how=f"{p.rows:,} rows of {p.how}") if p.column in left_alone and p.rows < most else p
        for p in told
    ]


def _chunks(cursor: Any, size: int) -> Iterator[list[tuple[Any, ...]]]:
    while chunk := cursor.fetchmany(size):
        yield chunk


def _add(counts: Counter[Any], values: tuple[Any, ...]) -> None:
    """Count the values of a chunk, long ones by how they begin."""
    fresh = Counter(values)
    kinds = set(map(type, fresh))
    if not kinds.isdisjoint(_SIZED) and any(len(v) > CUT for v in fresh if type(v) in _SIZED):
        for value in [v for v in fresh if type(v) in _SIZED and len(v) > CUT]:
            fresh[value[:CUT]] += fresh.pop(value)
    counts.update(fresh)


def _cut(column: Column) -> str:
    name = quoted(column.name)
    return f"CASE WHEN typeof({name}) IN ('text', 'blob') THEN substr({name}, 1, {CUT}) ELSE {name} END"


class _Quick:
    """Within it, text is decoded three times as fast as the connection does it, which also keeps what is no UTF-8; and
    SQLite refuses cells larger than SMALL_CELL instead of reading them into memory."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.factory = raw.text_factory
        self.limit = -1  # asks, and changes nothing

    def __enter__(self) -> None:
        self.raw.text_factory = str
        self.limit = self._set(SMALL_CELL)

    def __exit__(self, *_: object) -> None:
        self.raw.text_factory = self.factory
        self._set(self.limit)

    def _set(self, limit: int) -> int:
        if not hasattr(self.raw, "setlimit"):  # Python's own sqlite3 has it, pysqlite3 not
            return -1
        return int(self.raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, limit))


# ---------------------------------------------------------------- which rows


def _plan(raw: Any, table: Table, limit: int) -> _Plan:
    most = min(limit, max(LEAST_ROWS, CELLS // max(1, len(table.columns))))
    nullable = {c.name for c in table.columns if c.nullable}  # nothing comes after a NULL key
    key = [table.rowid] if table.rowid else [] if nullable.intersection(table.row_key) else list(table.row_key)
    try:
        found = _count_rows(raw, table, most)
        if found <= min(most, DISTINCT):
            return _Plan((f"LIMIT {most}",), True, "all rows")
        if not key:
            return _first(most, found, "no key to spread the sample by")
        whole = found <= most
        size = -(-min(found, most) // BLOCKS)
        cuts = _cuts(raw, table, key, size if whole else (found - size) // (BLOCKS - 1))
    except raw.Error as problem:
        return _first(most, most + 1, str(problem))
    order = ", ".join(map(quoted, key))
    blocks = [f"WHERE {_from(key, cut)} ORDER BY {order} LIMIT {size}" for cut in cuts]
    how = "all rows" if whole else f"{len(cuts)} blocks of {size:,} rows, evenly spread over the table"
    return _Plan(tuple(blocks[i] for i in _spread(len(blocks))), whole, how)


def _count_rows(raw: Any, table: Table, most: int) -> int:
    """The rows of a table, from the table itself: an index can lie. Of a view, no more than needed."""
    if table.kind == "table":
        return int(raw.execute(f"SELECT count(*) FROM {table_name(table)} NOT INDEXED").fetchone()[0])
    return int(raw.execute(f"SELECT count(*) FROM (SELECT 1 FROM {table_name(table)} LIMIT {most + 1})").fetchone()[0])


def _first(most: int, rows: int, why: str) -> _Plan:
    whole = rows <= most
    return _Plan((f"LIMIT {most}",), whole, "all rows" if whole else f"the first {most:,} rows ({why})")


def _cuts(raw: Any, table: Table, key: Sequence[str], step: int) -> list[tuple[Any, ...]]:
    """The keys of the rows 0, step, 2 * step, ... in the order of the key: each found from the one before."""
    names = ", ".join(map(quoted, key))
    select = f"SELECT {names} FROM {table_name(table)}"
    cuts: list[tuple[Any, ...]] = []
    cut = raw.execute(f"{select} ORDER BY {names} LIMIT 1").fetchone()
    while cut is not None and len(cuts) < BLOCKS:
        cuts.append(cut)
        cut = raw.execute(f"{select} WHERE {_from(key, cut)} ORDER BY {names} LIMIT 1 OFFSET {step}").fetchone()
    return cuts


def _from(key: Sequence[str], cut: tuple[Any, ...]) -> str:
    """`key >= cut`, written out: parameters cannot carry text that is not UTF-8."""
    names, values = ", ".join(map(quoted, key)), ", ".join(map(literal, cut))
    return f"({names}) >= ({values})" if len(key) > 1 else f"{names} >= {values}"


def _spread(count: int) -> list[int]:
    """0 to count - 1 in the order of their reversed bits: any first few lie far apart."""
    bits = max(1, (count - 1).bit_length())
    return sorted(range(count), key=lambda i: int(f"{i:0{bits}b}"[::-1], 2))
