"""Values outside a range.

Measures   rows whose value lies below `min` or above `max`. Between numbers, text and BLOBs are outside too: to SQLite
           'two' > 0 is true. Between texts (such as ISO dates), numbers and BLOBs are outside. NULL is not evaluated.
Fires      above `at_most` (default 0).
Skips      a table without rows.
Why        one price of 0 or 9,999,999 moves every sum.
Example    orders.amount: 3 of 1,500 values are outside 0 to 10,000.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import ColumnElement

from watchdog.model import Column, Judgement, Numbers, Past, Placed, RowCheck
from watchdog.sql import among, cell, is_number, not_, storage_class, value


@dataclass(frozen=True, kw_only=True)
class AcceptedRange(RowCheck):
    dimension = "accuracy"
    words = "are outside the range"

    min: int | float | str | None = None
    max: int | float | str | None = None
    inclusive: bool = True  # whether min and max themselves are accepted

    def problem(self) -> str:
        given = [b for b in (self.min, self.max) if b is not None]
        if not given:
            return "min or max is needed"
        if len({isinstance(b, str) for b in given}) > 1:
            return "min and max have to be both numbers or both texts"
        if len(given) == 2 and given[0] > given[1]:  # type: ignore[operator]
            return f"min {self.min} is above max {self.max}"
        return ""

    def bad(self, column: Column) -> ColumnElement[bool]:
        c = cell(column)
        texts = isinstance(self.min if self.min is not None else self.max, str)
        parts = [not_(among(storage_class(c), ["text"]) if texts else is_number(c))]
        if self.min is not None:
            parts.append(c < value(self.min) if self.inclusive else c <= value(self.min))
        if self.max is not None:
            parts.append(c > value(self.max) if self.inclusive else c >= value(self.max))
        return sa.and_(c.is_not(None), sa.or_(*parts))

    def judge(self, at: Placed, now: Numbers, past: Past) -> Judgement:
        from dataclasses import replace

        allowed = {k: v for k, v in (("allowed_min", self.min), ("allowed_max", self.max)) if v is not None}
        said = RowCheck.judge(self, at, now, past)
        return replace(said, expected=allowed, extra={**said.extra, **(allowed if said.status == "failed" else {})})
