"""Combinations of values that occur more than once where they should be unique together.

Measures   rows in groups of more than one equal combination (`count`), the groups (`groups`) and the rows beyond the
           first of each group (`surplus`). A row with NULL in any of the columns is not evaluated.
Fires      above `at_most` (default 0).
Skips      a table without rows; when no row has all of the columns filled.
Why        a composite key that is not one doubles every join.
Example    unique_combination_of_columns: {columns: [shop_id, order_no]}
        -> 6 of 1,500 combinations of orders.shop_id+order_no occur more than once (3 groups).
"""

from __future__ import annotations

from dataclasses import dataclass

from watchdog.checks._duplicates import Duplicates
from watchdog.model import CheckSpec, Table


@dataclass(frozen=True, kw_only=True)
class UniqueCombinationOfColumns(Duplicates):
    takes = "table"

    columns: list[str]  # two or more, unique together

    def problem(self) -> str:
        return "" if len(set(self.columns)) > 1 else "columns: at least two different ones are needed"

    def placed_columns(self, spec: CheckSpec, table: Table | None) -> tuple[str, ...]:
        return tuple(self.columns)
