"""A declared foreign key that cannot work: its parent table or column is missing, or is not unique.

Measures   the declaration itself: count 1 when it cannot work.
Fires      always when it cannot work.
Skips      a table or column without a declared foreign key.
Why        SQLite accepts such a declaration in silence, and then enforces nothing or refuses every write.
Example    foreign_key
        -> the foreign key of orders.warehouse_id cannot work: the parent table 'warehouses' does not exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from watchdog.model import (
    Catalog,
    Check,
    CheckSpec,
    Judgement,
    Metric,
    Numbers,
    Past,
    Placed,
    Table,
    Threshold,
    failed,
    passed,
)


@dataclass(frozen=True, kw_only=True)
class ForeignKey(Check):
    dimension = "consistency"
    takes = "table"

    def problem(self) -> str:
        return "foreign_key takes no at_most: one that cannot work is one too many" if self.at_most is not None else ""

    def _problems(self, at: Placed) -> list[str] | None:
        """What is wrong with the declarations over these columns (of the whole table, without any); None without one."""
        names = tuple(c.name for c in at.columns)
        keys = [k for k in (at.table.foreign_keys if at.table else ()) if not names or k.columns == names]
        return [k.problem for k in keys if k.problem] if keys else None

    def placed_columns(self, spec: CheckSpec, table: Table | None) -> tuple[str, ...]:
        return spec.columns  # of one key; () under a table is all of its keys

    def skip(self, at: Placed, catalog: Catalog) -> str:
        return f"{at.place} declares no foreign key" if self._problems(at) is None else ""

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        return {}

    def judge(self, at: Placed, now: Numbers, past: Past) -> Judgement:
        problems = self._problems(at) or []
        if not problems:
            return passed(f"the foreign key of {at.place} can work", count=0)
        keys = "the foreign key" if len(problems) == 1 else f"{len(problems):,} foreign keys"
        said = f"{keys} of {at.place} cannot work: {'; '.join(problems)}"
        return failed(said, severity=self.level, threshold=Threshold(0), count=len(problems))
