"""A table with too few or too many rows.

Measures   the rows of the table (under `where`).
Fires      below `min`, above `max`, or off `equals`.
Skips      nothing: an empty table is what it is there to see.
Why        a load that stopped half-way leaves good rows, only fewer.
Example    row_count: {min: 1}
        -> orders: 0 rows, at least 1 expected.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from watchdog.model import Check, Judgement, Metric, Numbers, Past, Placed, failed, passed
from watchdog.sql import rows


@dataclass(frozen=True, kw_only=True)
class RowCount(Check):
    dimension = "completeness"
    takes = "table"

    min: int | None = None  # at least so many rows
    max: int | None = None  # at most so many
    equals: int | None = None  # exactly so many, instead of min and max

    def problem(self) -> str:
        if self.at_most is not None:
            return "row_count takes min, max or equals, not at_most"
        if self.min is None and self.max is None and self.equals is None:
            return "min, max or equals is needed"
        if self.equals is not None and (self.min is not None or self.max is not None):
            return "give equals, or min and max"
        if self.min is not None and self.max is not None and self.min > self.max:
            return f"min {self.min} is above max {self.max}"
        return ""

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        assert at.table is not None
        return {"rows": rows(at.table, at.where)}

    def judge(self, at: Placed, now: Numbers, past: Past) -> Judgement:
        seen = int(now["rows"])
        allowed = {k: v for k, v in (("min", self.min), ("max", self.max), ("equals", self.equals)) if v is not None}
        told = {"observed": seen, "expected": allowed, "rows": seen, "value": seen, "unit": "rows"}
        wanted = []
        if self.min is not None and seen < self.min:
            wanted.append(f"at least {self.min:,}")
        if self.max is not None and seen > self.max:
            wanted.append(f"at most {self.max:,}")
        if self.equals is not None and seen != self.equals:
            wanted.append(f"{self.equals:,}")
        said = f"{at.place}: {seen:,} {'row' if seen == 1 else 'rows'}"
        return failed(f"{said}, {' and '.join(wanted)} expected", **told) if wanted else passed(said, **told)
