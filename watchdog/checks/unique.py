"""Values that occur more than once in a column that should be unique.

Measures   rows in groups of more than one equal value (`count`), the groups (`groups`) and the rows beyond the first of
           each group (`surplus`). Equal means equal to the database: its collation, 1 = 1.0. NULL is never a duplicate.
Fires      above `at_most` (default 0).
Skips      a table without rows.
Why        a key that is not one doubles every join.
Example    customers.email: 4 of 1,000 values occur more than once (2 groups).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from watchdog.model import Check, Evidence, Judgement, Metric, Numbers, Past, Placed, failed, passed, skipped
from watchdog.sql import duplicates, nulls, rows


@dataclass(frozen=True, kw_only=True)
class Unique(Check):
    dimension = "uniqueness"

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        assert at.table is not None
        names = [c.name for c in at.columns]
        return {
            "rows": rows(at.table, at.where),
            "nulls": nulls(*at.columns, where=at.where),
            "groups": duplicates(at.table, names, at.where),
        }

    def judge(self, at: Placed, now: Numbers, past: Past) -> Judgement:
        total, empty, groups = int(now["rows"]), int(now["nulls"]), now["groups"]
        seen = {"count": groups.members, "rows": total, "not_evaluated": empty}
        if total == 0:
            return skipped(f"{at.place}: no rows to judge", **seen)
        aside = f", {empty:,} with NULL not evaluated" if empty else ""
        noun = "values" if len(at.columns) == 1 else "combinations"
        if groups.members == 0:
            return passed(f"no duplicates among {total:,} {noun} of {at.place}{aside}", **seen)
        said = (
            f"{groups.members:,} of {total:,} {noun} of {at.place} occur more than once"
            f" ({groups.groups:,} {'group' if groups.groups == 1 else 'groups'}{aside})"
        )
        extra = {"groups": groups.groups, "surplus": groups.members - groups.groups}
        fired = self.fires(groups.members, total)
        if fired is None:
            return passed(said, extra=extra, **seen)
        return failed(said, severity=fired[0], threshold=fired[1], extra=extra, **seen)

    def evidence(self, at: Placed) -> Evidence | None:
        return Evidence(group=tuple(c.name for c in at.columns))
