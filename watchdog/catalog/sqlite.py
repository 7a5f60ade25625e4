"""The catalogue of a SQLite database, read by PRAGMA (reflection would cost more than a small scan).

In: an open Source. Out: a Catalog with every table, view and virtual table, sorted by name. One broken view or missing
module costs only its own table, which stays in the catalogue with a `note`. Internal tables (`sqlite_...`) are left out.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from watchdog.catalog.types import kind_of
from watchdog.errors import SourceError
from watchdog.model import Catalog, Column, ForeignKey, Source, Table, TableKind, UniqueKey
from watchdog.sql import quoted

_KINDS: dict[str, TableKind] = {"table": "table", "view": "view", "virtual": "virtual", "shadow": "shadow"}
_NOTES = {
    "view": "a view: scanned only when selected",
    "virtual": "a virtual table: skipped, its module's code would run",
    "shadow": "belongs to a virtual table: skipped",
}
def read(source: Source, taken_at: datetime) -> Catalog:
    """SourceError when not even the list of tables can be read."""
    with source.connect() as connection:
        try:
            listed = _rows(connection, "PRAGMA table_list")
            scripts = dict(_rows(connection, "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'view')"))
        except DBAPIError as problem:
            raise SourceError(
                f"source {source.name!r}: cannot read the list of tables: {problem.orig}",
                hint="the file is damaged; restore a backup, or try `sqlite3 FILE .recover`",
            ) from problem
        main = [row for row in listed if row[0] == "main" and not row[1].lower().startswith("sqlite_")]
        tables = {row[1]: _table(connection, row, scripts.get(row[1]) or "") for row in main}
    folded = {name.lower(): table for name, table in tables.items()}
    tables = {name: _with_problems(table, folded) for name, table in tables.items()}
    return Catalog(source.name, taken_at, tuple(tables[name] for name in sorted(tables)))


def _rows(connection: Connection, statement: str) -> list[Any]:
    return list(connection.exec_driver_sql(statement).all())


def _table(connection: Connection, listed: Any, script: str) -> Table:
    _, name, kind_word, _, without_rowid, strict = listed[:6]
    kind = _KINDS.get(kind_word, "table")
    note = _NOTES.get(kind, "")
    try:
        info = [row for row in _rows(connection, f"PRAGMA table_xinfo({quoted(name)})") if row[6] != 1]
        if kind in ("virtual", "shadow"):
            return Table("", name, kind, tuple(_column(name, row, "BINARY") for row in info), note=note)
        collations = _collations(connection, name, [row[1] for row in info], script) if kind == "table" else {}
        columns = tuple(_column(name, row, collations.get(row[1], "BINARY")) for row in info)
        keys = sorted((row for row in info if row[5]), key=lambda row: row[5])
        primary = tuple(row[1] for row in keys)
        indexes = _indexes(connection, name) if kind == "table" else []
        foreign = _foreign_keys(connection, name) if kind == "table" else ()
    except DBAPIError as problem:
        return Table("", name, kind, (), note=f"cannot be read: {problem.orig}")
    if "regexp" in script.lower() and any(row[6] == 2 for row in info):  # 2: generated when it is read
        note = note or "REGEXP in its generated columns is this program's (Python's re), not that of the one that wrote it"
    taken = {c.name.lower() for c in columns}
    alias = None
    if kind == "table" and not without_rowid:
        alias = next((a for a in ("rowid", "_rowid_", "oid") if a not in taken), None)
    rowid_is_key = (
        kind == "table" and not without_rowid and len(keys) == 1 and keys[0][2].upper() == "INTEGER"
        and not any(origin == "pk" for _, origin, *_ in indexes)
    )  # fmt: skip
    own = {c.name: c.collation for c in columns}
    whole = [
        (index, names) for index, _, unique, names, colls in indexes
        if unique and all(own.get(n) == c.upper() for n, c in zip(names, colls, strict=True))
    ]  # fmt: skip
    unique_keys = tuple(
        UniqueKey(names, index)
        for index, names in sorted(whole, key=lambda pair: (pair[1], pair[0]))
        if names != primary
    )
    plain = {
        names[0]: index for index, _, _, names, colls in sorted(indexes)
        if len(names) == 1 and own.get(names[0]) == colls[0].upper()
    }  # fmt: skip
    filled = {c.name for c in columns if not c.nullable}
    row_key = primary
    if not row_key and alias is None:
        row_key = next((k.columns for k in unique_keys if set(k.columns) <= filled), ())
    return Table(
        "", name, kind, columns, primary, unique_keys, foreign, row_key,
        rowid=alias, rowid_is_key=rowid_is_key, strict=bool(strict), indexes=plain, note=note,
    )  # fmt: skip


def _column(table: str, row: Any, collation: str) -> Column:
    position, name, native, not_null, _, _, hidden = row[:7]
    native = native or ""
    return Column(table, name, kind_of(native), native, not not_null, position, hidden in (2, 3), collation)


def _collations(connection: Connection, table: str, names: list[str], script: str) -> dict[str, str]:
    """The collation of each column. PRAGMAs do not tell; the byte code of an ORDER BY does, and only where it matters."""
    if "collate" not in script.lower():
        return {}
    found: dict[str, str] = {}
    for name in names:
        try:
            code = _rows(connection, f"EXPLAIN SELECT 1 FROM {quoted(table)} NOT INDEXED GROUP BY {quoted(name)}")
        except DBAPIError:
            found[name] = "?"  # a collation that is not there: nothing can be compared under it
            continue
        told = [re.match(r"k\(\d+,-?([^,)]*)", str(row[5])) for row in code if str(row[5]).startswith("k(")]
        words = {m[1] for m in told if m}
        found[name] = next((w.upper() for w in sorted(words) if w.upper() not in ("", "B", "BINARY")), "BINARY")
    return found


def _indexes(connection: Connection, table: str) -> list[tuple[str, str, bool, tuple[str, ...], tuple[str, ...]]]:
    """Full indexes over plain columns: (name, origin, unique, columns, collations)."""
    found = []
    for row in _rows(connection, f"PRAGMA index_list({quoted(table)})"):
        _, index, unique, origin, partial = row[:5]
        parts = [p for p in _rows(connection, f"PRAGMA index_xinfo({quoted(index)})") if p[5]]
        if partial or any(p[1] < 0 or p[2] is None for p in parts):
            continue  # partial, over an expression or over the row id
        found.append((index, origin, bool(unique), tuple(p[2] for p in parts), tuple(p[4] for p in parts)))
    return found


def _foreign_keys(connection: Connection, table: str) -> tuple[ForeignKey, ...]:
    groups: dict[int, list[Any]] = {}
    for row in _rows(connection, f"PRAGMA foreign_key_list({quoted(table)})"):
        groups.setdefault(row[0], []).append(row)
    keys = []
    for rows in groups.values():
        rows = sorted(rows, key=lambda r: r[1])
        to = tuple(r[4] for r in rows)
        keys.append(ForeignKey(tuple(r[3] for r in rows), rows[0][2], () if None in to else to))
    return tuple(sorted(keys, key=lambda k: (k.columns, k.parent, k.parent_columns)))


def _with_problems(table: Table, tables: dict[str, Table]) -> Table:
    """The table with its foreign keys resolved: the parent's real name, its columns, and what is wrong with them."""
    if not table.foreign_keys:
        return table
    spelled = {c.name.lower(): c.name for c in table.columns}  # a declaration may write its columns in another case
    keys = tuple(
        _resolved(replace(key, columns=tuple(spelled.get(n.lower(), n) for n in key.columns)), tables)
        for key in table.foreign_keys
    )
    return replace(table, foreign_keys=keys)


def _resolved(key: ForeignKey, tables: dict[str, Table]) -> ForeignKey:
    parent = tables.get(key.parent.lower())
    if parent is None:
        return ForeignKey(
            key.columns, key.parent, key.parent_columns, f"the parent table {key.parent!r} does not exist"
        )
    known = {c.name.lower(): c.name for c in parent.columns}
    wanted = key.parent_columns or parent.primary_key
    missing = [name for name in wanted if name.lower() not in known]
    if missing:
        said = f"the parent table {parent.name!r} has no column {missing[0]!r}"
        return ForeignKey(key.columns, parent.name, wanted, said)
    names = tuple(known[name.lower()] for name in wanted)
    if len(names) != len(key.columns):
        said = f"{len(key.columns)} columns point to {len(names)} of {parent.name!r}"
        return ForeignKey(key.columns, parent.name, names, said)
    unique = [set(parent.primary_key), *({*k.columns} for k in parent.unique_keys)]
    if set(names) not in unique:
        said = f"{', '.join(names)} of the parent table {parent.name!r} is not declared unique"
        return ForeignKey(key.columns, parent.name, names, said)
    return ForeignKey(key.columns, parent.name, names)
