"""NULL cells in a column that should be filled.

Measures   rows whose cell is NULL. Text such as '' or 'N/A' is the check `missing`.
Fires      above `at_most` (default 0).
Skips      a table without rows: emptiness is the check `row_count`.
Why        a feed that loses a field usually goes on loading, only emptier.
Example    not_null: {at_most: {low: 0, high: 5%}}
        -> 412 of 1,000 values of customers.email are NULL.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import ColumnElement

from watchdog.model import Column, Metric, Placed, RowCheck
from watchdog.sql import cell, nulls, rows


@dataclass(frozen=True, kw_only=True)
class NotNull(RowCheck):
    dimension = "completeness"
    words = "are NULL"
    judges_nulls = True

    def bad(self, column: Column) -> ColumnElement[bool]:
        return cell(column).is_(None)

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        """The metric that other checks of the column ask for as well: it is measured once."""
        assert at.table is not None
        return {"rows": rows(at.table, at.where), "bad": nulls(*at.columns, where=at.where)}
