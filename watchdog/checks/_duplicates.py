"""What `unique` and `unique_combination_of_columns` share: rows in groups of more than one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from watchdog.model import (
    Check,
    Evidence,
    Judgement,
    Metric,
    Numbers,
    Past,
    Placed,
    failed,
    no_rows,
    nothing_to_evaluate,
    null_rows,
    one_or_more,
    passed,
    skipped,
)
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
            return skipped(no_rows(at), **seen)
        if empty == total:
            return skipped(nothing_to_evaluate(at, total), **seen)
        evaluated = total - empty
        aside = f"{empty:,} {null_rows(at, empty)} not evaluated" if empty else ""
        noun = one_or_more(f"{'values' if len(at.columns) == 1 else 'combinations'} of {at.place}", evaluated)
        if groups.members == 0:
            return passed(f"no duplicates among {evaluated:,} {noun}{f' ({aside})' if aside else ''}", **seen)
        found = f"{groups.groups:,} {one_or_more('groups', groups.groups)}{f', {aside}' if aside else ''}"
        said = f"{groups.members:,} of {evaluated:,} {noun} occur more than once ({found})"
        extra = {"groups": groups.groups, "surplus": groups.members - groups.groups}
        fired = self.fires(groups.members, evaluated)
        if fired is None:
            return passed(said, extra=extra, **seen)
        return failed(said, severity=fired[0], threshold=fired[1], extra=extra, **seen)

    def evidence(self, at: Placed) -> Evidence | None:
        return Evidence(group=tuple(c.name for c in at.columns))
