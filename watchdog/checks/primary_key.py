"""NULLs inside a key: rows that their key cannot name.

Measures   rows with NULL in any column of the key. SQLite takes NULLs in a PRIMARY KEY unless it is INTEGER PRIMARY KEY,
           WITHOUT ROWID or NOT NULL. Rows that share a whole key are the checks `unique` and
           `unique_combination_of_columns`.
Fires      above `at_most` (default 0).
Skips      a table without rows, or without a primary key when no `columns` are given.
Why        such a row cannot be referred to, joined or updated by its key.
Example    primary_key
        -> 3 of 4 keys of baz.a+b have a NULL part.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import ColumnElement

from watchdog.model import Catalog, CheckSpec, Placed, RowCheck, Table
from watchdog.sql import cell


@dataclass(frozen=True, kw_only=True)
class PrimaryKey(RowCheck):
    dimension = "completeness"
    takes = "table"
    words = "have a NULL part"
    judges_nulls = True

    columns: list[str] | None = None  # default: the declared primary key

    def placed_columns(self, spec: CheckSpec, table: Table | None) -> tuple[str, ...]:
        return tuple(self.columns or spec.columns or (table.primary_key if table else ()))

    def skip(self, at: Placed, catalog: Catalog) -> str:
        return "" if at.columns else f"table {at.place!r} declares no primary key"

    def predicate(self, at: Placed) -> ColumnElement[bool]:
        return sa.or_(*(cell(c).is_(None) for c in at.columns))

    def noun(self, at: Placed) -> str:
        return f"keys of {at.place}"
