"""From measurements to outcomes: each placed check becomes a Result. Pure; no I/O.

A metric that could not be measured, and a table that cannot be read, makes the check `error` when it was declared (or the
file itself is at fault) and `skipped` with the reason when it was inferred. So do more bad rows than were evaluated: an index
of the file lies, or a check counts a NULL that it says it does not judge (`judges_nulls`), and no share can be taken.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

from watchdog.model import Judgement, Measurement, Metric, Past, Placed, Result, skipped
from watchdog.scan.plan import Plan


def judge(placed: Placed, plan: Plan, measured: Mapping[Metric, Measurement], past: Past) -> Result:
    return result(placed, _judgement(placed, plan, measured, past))


def _judgement(placed: Placed, plan: Plan, measured: Mapping[Metric, Measurement], past: Past) -> Judgement:
    if placed.skip_reason:
        if placed.blind and placed.spec.origin != "inferred":
            return Judgement("error", f"could not look: {placed.skip_reason}")
        return skipped(placed.skip_reason, extra={"could_not_look": True} if placed.blind else {})
    wanted = plan.asked[placed.id]
    bad = next((measured[m] for m in wanted.values() if measured[m].error), None)
    if bad is not None:
        said = f"could not look: {_explained(bad.error, placed)}"
        extra = {"fatal": True} if bad.fatal else {}
        if placed.spec.origin == "inferred" and not bad.fatal:
            return skipped(said, extra={"could_not_look": True})
        return Judgement("error", said, extra=extra)
    told = placed.check.judge(placed, {key: measured[m].value for key, m in wanted.items()}, past)
    if told.count is not None and told.evaluated is not None and told.count > told.evaluated:
        said = f"could not look: {told.count:,} bad rows among {told.evaluated:,} that were evaluated contradict each other"
        if placed.spec.origin == "inferred":
            return skipped(said, extra={"could_not_look": True})
        return Judgement("error", said)
    return told


_UNKNOWN = re.compile(r"no such (column|table): (?:.*\.)?(.+)")  # as SQLite says it


def _explained(error: str, placed: Placed) -> str:
    """The error with the nearest name where one in the user's SQL does not exist."""
    unknown = _UNKNOWN.fullmatch(error)
    if unknown is None:
        return error
    tables = [placed.table] if placed.table else placed.catalog.tables
    columns = [c.name for t in tables for c in t.columns]
    known = columns if unknown[1] == "column" else [t.full_name for t in placed.catalog.tables]
    close = difflib.get_close_matches(unknown[2], known, n=1)
    if close:
        return f"{error} (did you mean {close[0]!r}?)"
    return f"{error} (text stands in single quotes)" if unknown[1] == "column" else error


def result(placed: Placed, judgement: Judgement) -> Result:
    check, spec = placed.check, placed.spec
    level = check.level
    if judgement.status == "failed" and judgement.severity is not None:
        level = judgement.severity
    return Result(
        placed.id, placed.fingerprint, placed.check_name, placed.name, check.dimension, spec.origin,
        placed.table.full_name if placed.table else None, placed.table.schema if placed.table else "",
        tuple(c.name for c in placed.columns), level, judgement, check.tags, check.owner, check.description,
        spec.file, spec.line, spec.evidence,
    )  # fmt: skip
