"""Values outside a list of the accepted ones.

Measures   rows whose value is none of `values`, as the database compares: 1 is 1.0, and '1' in a TEXT column; a BLOB is
           no text; 'Open' is 'open' under NOCASE alone. true and false are 1 and 0, and words in a TEXT column. NULL is
           not evaluated.
Fires      above `at_most` (default 0).
Skips      a table without rows, a column of NULLs alone.
Why        a new spelling or state slips past every CASE that lists the known ones.
Example    accepted_values: {values: [open, paid, sent, closed]}
        -> 12 of 1,500 values of orders.status are not among the 4 accepted ones.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement

from watchdog.model import Column, Placed, RowCheck
from watchdog.sql import among, cell, not_


@dataclass(frozen=True, kw_only=True)
class AcceptedValues(RowCheck):
    dimension = "conformity"
    words = "are not among the accepted ones"

    values: list[str | int | float | bool]  # the accepted ones; NULL needs no mention

    def problem(self) -> str:
        return "" if self.values else "values: the list is empty"

    def told(self, at: Placed) -> str:
        several = len(self.values) > 1
        return f"are not among the {len(self.values):,} accepted ones" if several else "are not the one that is accepted"

    def bad(self, column: Column) -> ColumnElement[bool]:
        words = column.kind == "text"
        known = [str(v).lower() if words and isinstance(v, bool) else v for v in self.values]
        return not_(among(cell(column), known))
