"""Values outside a range.

Measures   rows whose value lies below `min` or above `max` (both accepted themselves, unless `min_inclusive`,
           `max_inclusive` or both at once as `inclusive` are false). Between numbers, text and BLOBs are outside too: to
           SQLite 'two' > 0 is true. Between texts, numbers and BLOBs are outside, and text compares character by character,
           whatever the column's collation. Beside dates, a bound has to be one (2026-03-01) and compares as time with all
           ISO text, whichever way that is spelled; a limit that moves with the time is `not_future` or `expression_is_true`.
           Infinity is above every `max`. NULL is not evaluated.
Fires      above `at_most` (default 0).
Skips      a table without rows, a column of NULLs alone. (Where most values are dates and a bound is none, it could not
           look: exit code 3.)
Why        one price of 0 or 9,999,999 moves every sum.
Example    accepted_range: {min: 0, max: 10000}
        -> 3 of 1,500 values of orders.amount are outside the range (0 to 10,000).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from sqlalchemy import ColumnElement

from watchdog.checks._words import bound, moment_of, no_bound
from watchdog.model import Catalog, Column, Judgement, Metric, Numbers, Past, Placed, RowCheck
from watchdog.sql import among, cell, count_if, exactly, is_date, is_number, moment, not_, storage_class, value


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
        if len(given) == 2 and _above(*given):
            return f"min {self.min!r} is above max {self.max!r}"
        return ""

    def skip(self, at: Placed, catalog: Catalog) -> str:
        """Text compares character by character: beside dates, only a date written year first says anything."""
        return self._no_bound(times=at.columns[0].kind in ("date", "timestamp"))

    def _no_bound(self, *, times: bool) -> str:
        bounds = ((self.min, self._from_min), (self.max, not self._to_max))
        said = (no_bound(b, times=times, begins=begins) for b, begins in bounds if isinstance(b, str))
        return next(filter(None, said), "")

    def predicate(self, at: Placed) -> ColumnElement[bool]:
        c, plain = cell(at.columns[0]), exactly(cell(at.columns[0]))
        parts: list[ColumnElement[bool]] = []
        other_kinds = self._texts or self.max is None
        if other_kinds:
            parts.append(self._other(at.columns[0]))  # else they lie above max: SQLite sorts text and BLOBs behind all numbers
        if self.min is not None:
            compare = operator.lt if self._from_min else operator.le
            parts.append(_beside(self.min, c, compare, compare(plain, value(self.min)), at.time_zone))
        if self.max is not None:
            compare = operator.gt if self._to_max else operator.ge
            parts.append(_beside(self.max, c, compare, compare(plain, value(self.max)), at.time_zone))
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
        wanted, column = dict(RowCheck.asks(self, at)), at.columns[0]
        if self._no_bound(times=True):
            wanted["dates"] = count_if(at.table, is_date(cell(column), form="iso"), at.where)
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
        dates = int(now.get("dates", 0))
        if said.evaluated and 2 * dates > said.evaluated:
            why = f"could not look: {dates:,} of {said.evaluated:,} {self.noun(at)} are dates, and {self._no_bound(times=True)}"
            return Judgement("error", why, rows=said.rows, not_evaluated=said.not_evaluated)
        message = f"{said.message}; {others:,} of them {self._kind(others)}" if others else said.message
        extra = {**said.extra, **(allowed if said.status == "failed" else {})}
        return replace(said, message=message, expected=allowed, extra=extra)

    def _kind(self, count: int) -> str:
        noun = "text" if self._texts else "a number" if count == 1 else "numbers"
        return f"{'is' if count == 1 else 'are'} not {noun}"


def _above(low: Any, high: Any) -> bool:
    early, late = (moment_of(b) if isinstance(b, str) else None for b in (low, high))
    if early and late and (early.tzinfo is None) == (late.tzinfo is None):
        return early > late
    return bool(low > high)


def _beside(limit: Any, c: ColumnElement[Any], compare: Callable[[Any, Any], Any], plain: Any, time_zone: str) -> Any:
    """`plain`, the comparison as it stands; where the limit is a date, ISO text compares as time. Only text of days around it
    is read for that, for the others compare alike; a limit or a cell without an offset is of the zone of the source."""
    at = moment_of(limit) if isinstance(limit, str) else None
    if at is None:
        return plain
    zone = ZoneInfo(time_zone)
    try:
        local = at.astimezone(zone).replace(tzinfo=None) if at.tzinfo else at
    except OverflowError:  # at the ends of the calendar
        local = at.replace(tzinfo=None)
    instant = at if at.tzinfo else at.replace(tzinfo=zone)
    ways = [
        compare(moment(c, form="iso", clock=clock), value(when))
        for clock, when in (("naive", local.replace(tzinfo=UTC).timestamp()), ("zoned", instant.timestamp()))
    ]
    read = sa.func.coalesce(*ways, plain)
    try:
        first, last = (str(local.date() + timedelta(days=days)) for days in (-2, 3))
    except OverflowError:
        return read
    return sa.case((exactly(c).between(value(first), value(last)), read), else_=plain)
