"""Text that does not decode: bytes that are no text in the encoding of the database.

Measures   rows whose text is not valid UTF-8 (or UTF-16 where the database is kept in it).
Fires      above `at_most` (default 0).
Skips      a table without rows, a column of NULLs alone. BLOBs and numbers are no text.
Why        most programs raise an error on the first such value and lose the whole query.
Example    encoding
        -> 1 of 60 values of products.name is not valid text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import ColumnElement

from watchdog.model import Column, Metric, Placed, RowCheck, Severity
from watchdog.sql import cell, is_valid_text, not_, nulls, rows, undecodable


@dataclass(frozen=True, kw_only=True)
class Encoding(RowCheck):
    dimension = "conformity"
    words = "are not valid text"
    default_severity = Severity.MEDIUM

    def bad(self, column: Column) -> ColumnElement[bool]:
        return not_(is_valid_text(cell(column)))

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        assert at.table is not None
        return {
            "rows": rows(at.table, at.where),
            "nulls": nulls(at.columns[0], where=at.where),
            "bad": undecodable(at.columns[0], at.where),
        }
