"""The newest time of a column is too old.

Measures   the age of the newest time in the column when the scan runs, in hours (`value`, `unit`). A day alone counts from
           its midnight; text without an offset is in the time zone of the source. Cells that cannot be read as a time
           are not evaluated, and their number is told.
Fires      when the newest time is older than `max_age` ("90m", "24h", "7d", "2w", or one for each level:
           {medium: 24h, high: 7d}), or when no cell of a filled column can be read: nobody can say how fresh it is.
Skips      a table without rows; a column with NULLs only.
Why        a feed that stopped leaves yesterday's rows, all of them correct. A newest time in the future hides that: it is
           told, and looked for by the check `not_future`.
Example    freshness: {max_age: 24h}
        -> orders.created_at: the newest time is 31.0 hours old, at most 24h expected.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from watchdog.model import Check, Judgement, Metric, Numbers, Past, Placed, Severity, failed, no_rows, passed, skipped
from watchdog.sql import Form, cell, count_if, highest, is_date, moment, not_, nulls, rows

_AGE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(m|min|minutes?|h|hours?|d|days?|w|weeks?)\s*")
_SECONDS = {"m": 60, "h": 3600, "d": 86400, "w": 604800}
LAST = 253402300799  # the last second of the year 9999; rounding can carry its fraction into the next year
LONG = 72  # hours; older ages are told in days


@dataclass(frozen=True, kw_only=True)
class Freshness(Check):
    dimension = "timeliness"

    max_age: str | dict[str, str]  # such as 90m, 24h, 7d, 2w; or one for each level: {medium: 24h, high: 7d}
    form: Form = "auto"  # how its times are written; auto = ISO text, or numbers by their size

    def problem(self) -> str:
        if self.at_most is not None:
            return "freshness takes max_age, not at_most"
        ages = self.max_age if isinstance(self.max_age, dict) else {"": self.max_age}
        for level, age in ages.items():
            if level and level.upper() not in Severity.__members__:
                return f"max_age: {level!r} is none of info, low, medium, high"
            if not _AGE.fullmatch(age):
                return f"max_age: {age!r} is not an age such as 90m, 24h, 7d, 2w"
        return "" if ages else "max_age: no level given"

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        assert at.table is not None
        c = cell(at.columns[0])
        clocks = ["any"] if at.time_zone == "UTC" else ["zoned", "naive"]
        return {
            "rows": rows(at.table, at.where),
            "nulls": nulls(at.columns[0], where=at.where),
            "unreadable": count_if(at.table, sa.and_(c.is_not(None), not_(is_date(c, form=self.form))), at.where),
            **{clock: highest(at.table, moment(c, form=self.form, clock=clock), at.where) for clock in clocks},
        }

    def judge(self, at: Placed, now: Numbers, past: Past) -> Judgement:
        total, empty, odd = int(now["rows"]), int(now["nulls"]), int(now["unreadable"])
        seen: dict[str, Any] = {"rows": total, "not_evaluated": empty + odd}
        if total == 0:
            return skipped(no_rows(at), **seen)
        if total == empty:
            return skipped(f"{at.place}: all {total:,} values are NULL", **seen)
        newest = self._newest(at, now)
        if newest is None:
            return failed(f"{at.place}: none of {total - empty:,} values can be read as a time", **seen)
        age = at.now.timestamp() - newest
        hours = round(age / 3600, 2)
        allowed = [(level, told, _seconds(told)) for level, told in self._ages()]
        seen |= {"value": hours, "unit": "hours", "observed": {"age_hours": hours}}
        seen |= {"expected": {"max_age_hours": round(min(limit for _, _, limit in allowed) / 3600, 2)}}
        aside = f" ({odd:,} of {total:,} values cannot be read as a time)" if odd else ""
        said = f"{at.place}: the newest time is {_words(age)}"
        over = [(level, told) for level, told, limit in allowed if age > limit]
        if not over:
            return passed(f"{said}{aside}", **seen)
        level, told = max(over, key=lambda pair: pair[0])
        return failed(f"{said}, at most {told} expected{aside}", severity=level, **seen)

    def _ages(self) -> list[tuple[Severity, str]]:
        if isinstance(self.max_age, dict):
            return [(Severity[level.upper()], age.strip()) for level, age in self.max_age.items()]
        return [(self.level, self.max_age.strip())]

    def _newest(self, at: Placed, now: Numbers) -> float | None:
        """Seconds since 1970. The engine has read naive text as UTC; it is of the source's zone."""
        found = [float(now[key]) for key in ("any", "zoned") if now.get(key) is not None]
        if now.get("naive") is not None:
            clock = datetime.fromtimestamp(min(float(now["naive"]), LAST), UTC)
            found.append(clock.replace(tzinfo=ZoneInfo(at.time_zone)).timestamp())
        return max(found, default=None)


def _seconds(age: str) -> float:
    match = _AGE.fullmatch(age)
    assert match is not None  # `problem` has seen it
    return float(match[1]) * _SECONDS[match[2][0]]


def _words(seconds: float) -> str:
    hours = abs(seconds) / 3600
    much = f"{hours:,.1f} hours" if hours < LONG else f"{hours / 24:,.1f} days"
    return f"{much} in the future" if seconds < 0 else f"{much} old"
