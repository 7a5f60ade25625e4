"""The newest time of a column is too old.

Measures   the age of the newest time in the column at the time of the run, in hours (`value`, `unit`). Times without an
           offset are in the time zone of the source. Cells that cannot be read as a time are not evaluated.
Fires      when the newest time is older than `max_age`, or when no cell of a filled column can be read.
Skips      a table without rows, a column with NULLs only.
Why        a feed that stopped leaves yesterday's rows, all of them correct.
Example    orders.created_at: the newest time is 31 hours old, at most 24 hours expected.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from watchdog.model import Check, Judgement, Metric, Numbers, Past, Placed, failed, passed, skipped
from watchdog.sql import cell, count_if, highest, moment, nulls, rows

_AGE = re.compile(r"(\d+(?:\.\d+)?)\s*(m|min|minutes?|h|hours?|d|days?|w|weeks?)")
_SECONDS = {"m": 60, "h": 3600, "d": 86400, "w": 604800}


@dataclass(frozen=True, kw_only=True)
class Freshness(Check):
    dimension = "timeliness"

    max_age: str  # such as 90m, 24h, 7d, 2w
    form: Literal["auto", "iso", "epoch_s", "epoch_ms", "epoch_us", "julian", "dmy", "mdy", "month_day_year"] = "auto"

    def problem(self) -> str:
        if self.at_most is not None:
            return "freshness takes max_age, not at_most"
        return "" if _AGE.fullmatch(self.max_age.strip()) else f"max_age: {self.max_age!r} is none such as 90m, 24h, 7d"

    @property
    def max_age_seconds(self) -> float:
        found = _AGE.fullmatch(self.max_age.strip())
        assert found is not None
        return float(found[1]) * _SECONDS[found[2][0]]

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        assert at.table is not None
        time = moment(cell(at.columns[0]), form=self.form)
        unreadable = sa.and_(cell(at.columns[0]).is_not(None), time.is_(None))
        return {
            "rows": rows(at.table, at.where),
            "nulls": nulls(at.columns[0], where=at.where),
            "newest": highest(at.table, time, at.where),
            "unreadable": count_if(at.table, unreadable, at.where),
        }

    def judge(self, at: Placed, now: Numbers, past: Past) -> Judgement:
        total, empty, odd = int(now["rows"]), int(now["nulls"]), int(now["unreadable"])
        seen: dict[str, Any] = {"rows": total, "not_evaluated": empty + odd}
        if total == 0:
            return skipped(f"{at.place}: no rows to judge", **seen)
        if total == empty:
            return skipped(f"{at.place}: all {total:,} values are NULL", **seen)
        aside = f" ({odd:,} of {total:,} values cannot be read as a time)" if odd else ""
        if now["newest"] is None:
            return failed(f"{at.place}: no value can be read as a time{aside}", **seen)
        age = at.now.timestamp() - self._utc(at, float(now["newest"]))
        hours = round(age / 3600, 2)
        limit = self.max_age_seconds
        seen |= {"value": hours, "unit": "hours", "observed": hours, "expected": {"max_hours": round(limit / 3600, 2)}}
        said = f"{at.place}: the newest time is {_words(age)}{aside}"
        if age > limit:
            return failed(f"{said}, at most {self.max_age} expected", **seen)
        return passed(said, **seen)

    def _utc(self, at: Placed, seconds: float) -> float:
        """A naive time is of the source's zone; the engine has read it as UTC."""
        if at.time_zone == "UTC" or self.form.startswith("epoch"):
            return seconds
        naive = datetime.fromtimestamp(seconds, UTC).replace(tzinfo=ZoneInfo(at.time_zone))
        return naive.timestamp()


def _words(age: float) -> str:
    if age < 0:
        return f"{-age / 3600:,.1f} hours in the future"
    return f"{age / 3600:,.1f} hours old" if age < 72 * 3600 else f"{age / 86400:,.1f} days old"
