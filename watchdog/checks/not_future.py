"""Dates and times that lie in the future.

Measures   rows whose date or time is later than the run. A date alone is compared by calendar day in the time zone of the
           source, a time by the instant; a time without an offset is in that zone. What cannot be read as a date is not
           evaluated, and told: see `valid`.
Fires      above `at_most` (default 0).
Skips      a table without rows, a column of NULLs alone. (Where no other value can be read, it could not look: exit code 3.)
Why        a birthday or an order of next year is a slip of the pen, or a placeholder such as 9999-12-31.
Example    not_future
        -> 1 of 1,500 values of orders.order_date is in the future.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import ColumnElement

from watchdog.model import Judgement, Metric, Numbers, Past, Placed, RowCheck, one_or_more, skipped
from watchdog.sql import Form, after, cell, count_if, is_date, not_


@dataclass(frozen=True, kw_only=True)
class NotFuture(RowCheck):
    dimension = "accuracy"
    words = "are in the future"

    form: Form = "auto"  # how its dates are written; auto = ISO text, or numbers by their size

    def predicate(self, at: Placed) -> ColumnElement[bool]:
        return after(cell(at.columns[0]), form=self.form, now=at.now, time_zone=at.time_zone)

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        """What cannot be read is counted as `valid` does, so that with it beside this costs next to nothing: no ISO text is
        both a day alone and a time, and by its length the engine knows at once which it is not."""
        wanted = RowCheck.asks(self, at)
        if self.form != "iso":
            return {**wanted, "unreadable": self._not(at)}
        return {**wanted, "no_day": self._not(at, time="without"), "no_time": self._not(at, time="with")}

    def _not(self, at: Placed, **told: str) -> Metric:
        assert at.table is not None
        c = cell(at.columns[0])
        return count_if(at.table, sa.and_(c.is_not(None), not_(is_date(c, form=self.form, **told))), at.where)

    def judge(self, at: Placed, now: Numbers, past: Past) -> Judgement:
        rows, nulls = int(now["rows"]), int(now["nulls"])
        filled = rows - nulls
        odd = int(now["unreadable"]) if self.form != "iso" else int(now["no_day"]) + int(now["no_time"]) - filled
        if not odd or odd < filled:
            return RowCheck.judge(self, at, {**now, "unreadable": odd}, past)
        noun = one_or_more(self.noun(at), filled)
        said = f"could not look: none of {filled:,} {noun} can be read as a time (form: {self.form})"
        if at.spec.origin == "inferred":
            return skipped(said, rows=rows, not_evaluated=rows, extra={"could_not_look": True})
        return Judgement("error", said, rows=rows, not_evaluated=rows)
