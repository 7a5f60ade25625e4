"""Dates and times that lie in the future.

Measures   rows whose date or time is later than the run. A date alone is compared by calendar day in the time zone of the
           source, a time by the instant; a time without an offset is in that zone. What cannot be read as a date is not
           counted here: see `valid`.
Fires      above `at_most` (default 0).
Skips      a table without rows, a column of NULLs alone.
Why        a birthday or an order of next year is a slip of the pen, or a placeholder such as 9999-12-31.
Example    not_future
        -> 1 of 1,500 values of orders.order_date is in the future.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement

from watchdog.model import Placed, RowCheck
from watchdog.sql import Form, after, cell


@dataclass(frozen=True, kw_only=True)
class NotFuture(RowCheck):
    dimension = "accuracy"
    words = "are in the future"

    form: Form = "auto"  # how its dates are written; auto = ISO text, or numbers by their size

    def predicate(self, at: Placed) -> ColumnElement[bool]:
        return after(cell(at.columns[0]), form=self.form, now=at.now, time_zone=at.time_zone)
