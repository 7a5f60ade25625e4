"""What `unique` and `unique_combination_of_columns` share: rows in groups of more than one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from watchdog.model import Check, Evidence, Judgement, Metric, Numbers, Past, Placed, failed, passed, skipped
from watchdog.sql import duplicates, nulls, rows


@dataclass(frozen=True, kw_only=True)
class Duplicates(Check):
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
        one = len(at.columns) == 1
        aside = f"{empty:,} {'NULL' if one else 'with a NULL part'} not evaluated" if empty else ""
        noun = "values" if one else "combinations"
        if groups.members == 0:
            return passed(f"no duplicates among {total:,} {noun} of {at.place}{f', {aside}' if aside else ''}", **seen)
        told = [f"{groups.groups:,} {'group' if groups.groups == 1 else 'groups'}", *([aside] if aside else [])]
        said = f"{groups.members:,} of {total:,} {noun} of {at.place} occur more than once ({', '.join(told)})"
        extra = {"groups": groups.groups, "surplus": groups.members - groups.groups}
        fired = self.fires(groups.members, total)
        if fired is None:
            return passed(said, extra=extra, **seen)
        return failed(said, severity=fired[0], threshold=fired[1], extra=extra, **seen)

    def evidence(self, at: Placed) -> Evidence | None:
        return Evidence(group=tuple(c.name for c in at.columns))
