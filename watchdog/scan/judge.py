"""From measurements to outcomes: each placed check becomes a Result. Pure; no I/O.

A metric that could not be measured makes the check `error` when it was declared (or the file itself is at fault) and
`skipped` with the reason when it was inferred.
"""

from __future__ import annotations

from collections.abc import Mapping

from watchdog.model import Judgement, Measurement, Metric, Past, Placed, Result, skipped
from watchdog.scan.plan import Plan


def judge(placed: Placed, plan: Plan, measured: Mapping[Metric, Measurement], past: Past) -> Result:
    return result(placed, _judgement(placed, plan, measured, past))


def _judgement(placed: Placed, plan: Plan, measured: Mapping[Metric, Measurement], past: Past) -> Judgement:
    if placed.skip_reason:
        return skipped(placed.skip_reason)
    wanted = plan.asked[placed.id]
    bad = next((measured[m] for m in wanted.values() if measured[m].error), None)
    if bad is not None:
        said = f"could not look: {bad.error}"
        extra = {"fatal": True} if bad.fatal else {}
        if placed.spec.origin == "inferred" and not bad.fatal:
            return skipped(said, extra={"could_not_look": True})
        return Judgement("error", said, extra=extra)
    return placed.check.judge(placed, {key: measured[m].value for key, m in wanted.items()}, past)


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
