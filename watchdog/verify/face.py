"""The public face: a report and a findings document in, a verdict out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from watchdog.model import Verdict
from watchdog.verify.coincidence import rate
from watchdog.verify.facts import Facts, facts_of
from watchdog.verify.fill import Span
from watchdog.verify.judge import Judge
from watchdog.verify.judged import Judged
from watchdog.verify.names import Names

FIELDS = ("line", "text", "cited", "subject", "kind", "expected", "rule", "reason")


@dataclass(frozen=True, eq=False)
class Known:
    """A findings document, read: for more than one report about it."""

    facts: Facts
    names: Names


def known(findings: Mapping[str, Any]) -> Known:
    facts = facts_of(findings)
    return Known(facts, Names(facts))


def verify_report(
    report: str, findings: Mapping[str, Any], *, lang: str | None = None, filled: Sequence[Span] = ()
) -> Verdict:
    """Checks every number in a Markdown report. `filled` are spans that a renderer filled from facts.

    WatchdogError when the findings are no findings document or contradict themselves; nothing else is ever raised.
    """
    judged = examine(report, known(findings), lang=lang, filled=filled)
    return Verdict(
        bad=tuple(wrong.claim for wrong in judged.bad),
        ok=tuple(judged.ok),
        skipped=tuple(judged.skipped),
        coincidence_rate=rate(judged),
    )


def examine(report: str, about: Known, *, lang: str | None = None, filled: Sequence[Span] = ()) -> Judged:
    """As `verify_report`, with what a repair needs to know."""
    return Judge(about.facts, about.names, lang, _by_line(report, filled)).judge(report)


def verify_fn(state: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """`verify_report` for a graph: state["artifact"] is the text, state["task_data"] the findings document,
    state["filled"] what a renderer filled: [[start, end, fact id], ...].
    """
    filled = [Span(int(start), int(end), str(fact)) for start, end, fact in state.get("filled") or ()]
    verdict = verify_report(str(state.get("artifact") or ""), state["task_data"], lang=state.get("lang"), filled=filled)
    return [plain(claim) for claim in verdict.bad], [plain(claim) for claim in verdict.ok]


def plain(claim: Any) -> dict[str, Any]:
    """A claim as plain JSON."""
    told = asdict(claim)
    return {key: list(told[key]) if key == "expected" else told[key] for key in FIELDS}


def feedback(verdict: Verdict, *, limit: int = 20) -> list[dict[str, Any]]:
    """What a writer is told to mend: in the order of the lines, omissions last, at most `limit`."""
    items = []
    for claim in sorted(verdict.bad, key=lambda c: (c.rule == "omitted", c.line, c.start))[:limit]:
        first = claim.expected[0] if claim.expected else ""
        if claim.rule == "omitted":
            suggestion = f"add a sentence about {claim.subject}" + (f" with {first}" if first else "")
        elif claim.rule == "invented":
            suggestion = f"remove what is said of {claim.cited}"
        elif first:
            suggestion = f"write {first.rpartition(' (')[0] or first} instead of {claim.cited}, or leave it out"
        else:
            suggestion = f"leave out {claim.cited}"
        items.append({**plain(claim), "suggestion": suggestion})
    return items


def _by_line(report: str, filled: Sequence[Span]) -> list[tuple[int, tuple[int, int, str]]]:
    """Spans by line and columns instead of offsets."""
    if not filled:
        return []
    starts = [0]
    for text in report.split("\n"):
        starts.append(starts[-1] + len(text) + 1)
    made = []
    for span in filled:
        line = bisect_right(starts, span.start)
        first = span.start - starts[line - 1]
        made.append((line, (first, first + span.end - span.start, span.fact_id)))
    return made
