"""Values outside a range.

Measures   rows whose value lies below `min` or above `max` (both accepted themselves, unless `min_inclusive`,
           `max_inclusive` or both at once as `inclusive` are false). Between numbers, text and BLOBs are outside too: to
           SQLite 'two' > 0 is true. Between texts (such as ISO dates), numbers and BLOBs are outside, and text compares
           character by character, whatever the column's collation: beside dates, a bound has to be one (2026-03-01), and a
           limit that moves with the time is `not_future` or `expression_is_true`. Infinity is above every `max`. NULL is not
           evaluated.
Fires      above `at_most` (default 0).
Skips      a table without rows, a column of NULLs alone.
Why        one price of 0 or 9,999,999 moves every sum.
Example    accepted_range: {min: 0, max: 10000}
        -> 3 of 1,500 values of orders.amount are outside the range (0 to 10,000).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import sqlalchemy as sa
from sqlalchemy import ColumnElement

from watchdog.checks._words import bound, no_bound
from watchdog.model import Catalog, Column, Judgement, Metric, Numbers, Past, Placed, RowCheck
from watchdog.sql import among, cell, count_if, exactly, is_number, not_, storage_class, value


@dataclass(frozen=True, kw_only=True)
class AcceptedRange(RowCheck):
    dimension = "accuracy"
    words = "are outside the range"

    min: int | float | str | None = None  # the lowest accepted value: a number, or text such as a date (2026-03-01)
    max: int | float | str | None = None  # the highest one; one of the two is enough
    min_inclusive: bool = True  # whether min itself is accepted
    max_inclusive: bool = True  # whether max itself is accepted
    inclusive: bool | None = None  # both of these at once

    def problem(self) -> str:
        given = [b for b in (self.min, self.max) if b is not None]
        if not given:
            return "min or max is needed"
        if any(isinstance(b, float) and math.isnan(b) for b in given):
            return "nan is no bound: nothing lies above or below it"
        if self.inclusive is not None and not (self.min_inclusive and self.max_inclusive):
            return "give `inclusive`, or `min_inclusive` and `max_inclusive`"
        if len({isinstance(b, str) for b in given}) > 1:
            return "min and max have to be both numbers or both texts"
        if len(given) == 2 and given[0] > given[1]:  # type: ignore[operator]
            return f"min {self.min!r} is above max {self.max!r}"
        return ""

    def skip(self, at: Placed, catalog: Catalog) -> str:
        """Text compares character by character: beside dates, only a date written year first says anything."""
        times = at.columns[0].kind in ("date", "timestamp")
        said = (no_bound(b, times=times) for b in (self.min, self.max) if isinstance(b, str))
        return next(filter(None, said), "")

    def bad(self, column: Column) -> ColumnElement[bool]:
        c, plain = cell(column), exactly(cell(column))
        parts: list[ColumnElement[bool]] = []
        other_kinds = self._texts or self.max is None
        if other_kinds:
            parts.append(self._other(column))  # else they lie above max: SQLite sorts text and BLOBs behind all numbers
        if self.min is not None:
            low = value(self.min)
            parts.append(plain < low if self._from_min else plain <= low)
        if self.max is not None:
            high = value(self.max)
            parts.append(plain > high if self._to_max else plain >= high)
        outside = sa.or_(*parts)
        # comparisons with NULL are NULL by themselves, asking for a storage class is not
        return sa.and_(c.is_not(None), outside) if other_kinds else outside

    @property
    def _texts(self) -> bool:
        return isinstance(self.min if self.min is not None else self.max, str)

    @property
    def _from_min(self) -> bool:
        return self.min_inclusive and self.inclusive is not False

    @property
    def _to_max(self) -> bool:
        return self.max_inclusive and self.inclusive is not False

    def _other(self, column: Column) -> ColumnElement[bool]:
        """True for what cannot lie in the range because it is of another kind than the bounds."""
        c = cell(column)
        return not_(among(storage_class(c), ["text"]) if self._texts else is_number(c))

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        """How many are of another kind is asked only where the declared type does not promise that there are none."""
        assert at.table is not None
        wanted, column = RowCheck.asks(self, at), at.columns[0]
        if column.kind in (("text", "date", "timestamp") if self._texts else ("integer", "decimal")):
            return wanted
        others = sa.and_(cell(column).is_not(None), self._other(column))
        return {**wanted, "others": count_if(at.table, others, at.where)}

    def told(self, at: Placed) -> str:
        if self.min is not None and self.max is not None and self._from_min and self._to_max:
            return f"{self.words} ({bound(self.min)} to {bound(self.max)})"
        parts = []
        if self.min is not None:
            parts.append(f"{'at least' if self._from_min else 'above'} {bound(self.min)}")
        if self.max is not None:
            parts.append(f"{'at most' if self._to_max else 'below'} {bound(self.max)}")
        return f"{self.words} ({' and '.join(parts)})"

    def judge(self, at: Placed, now: Numbers, past: Past) -> Judgement:
        allowed = {k: v for k, v in (("allowed_min", self.min), ("allowed_max", self.max)) if v is not None}
        said, others = RowCheck.judge(self, at, now, past), int(now.get("others", 0))
        message = f"{said.message}; {others:,} of them {self._kind(others)}" if others else said.message
        extra = {**said.extra, **(allowed if said.status == "failed" else {})}
        return replace(said, message=message, expected=allowed, extra=extra)

    def _kind(self, count: int) -> str:
        noun = "text" if self._texts else "a number" if count == 1 else "numbers"
        return f"{'is' if count == 1 else 'are'} not {noun}"
