"""A draft as the text that a reader would see, and what the verifier says of it.

The numbers of placeholders are filled in first. To the verifier's mismatches come those that it cannot see: placeholders
that nothing fills, lines in which a model speaks of itself, and a text that says nothing at all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from watchdog.report.kit import Kit
from watchdog.report.reading import lines_cleaned, looks_like_report, speaks_of_itself
from watchdog.report.sheet import tag
from watchdog.report.state import Item
from watchdog.verify import Facts, fill, show

MOST = 20  # complaints of one feedback
_OPEN = re.compile(r"(?:\\?\[){2}[^\[\]\n]*(?:\\?\]){0,2}")
WHOLE = frozenset({"omission", "form"})  # kinds that are about the whole text where they name no line


@dataclass(frozen=True)
class Filled:
    text: str
    spans: list[list[Any]]
    bad: list[Item]


@dataclass(frozen=True)
class Checked:
    draft: str
    text: str
    spans: list[list[Any]]
    bad: list[Item]
    ok: list[Item]


def filled(draft: str, facts: Facts | None, lang: str) -> Filled:
    """The draft with its numbers; `bad` are the placeholders that stay because nothing fills them."""
    if facts is None:
        return Filled(draft, [], [])
    done = fill(draft, facts, lang)
    bad: list[Item] = []
    for number, line in enumerate(done.text.split("\n"), start=1):
        for found in _OPEN.findall(line):
            why = next((problem for problem in done.problems if found.strip("\\[] ") in problem), "")
            bad.append(item(number, line, found, "placeholder", why or "this is no tag of the data"))
    if done.problems and not bad:
        bad.append(item(1, "", "", "placeholder", "; ".join(done.problems)))
    return Filled(done.text, [[span.start, span.end, _fact_id(span)] for span in done.spans], bad)


def check(draft: str, data: Mapping[str, Any], kit: Kit, *, placeholders: bool = True) -> Checked:
    """Everything that speaks against publishing the draft. Without a verifier nothing is `ok`.

    `placeholders=False` for a text of the program, where two brackets are a part of somebody's name.
    """
    told = filled(draft, kit.facts(data), kit.lang) if placeholders else Filled(draft, [], [])
    bad, ok = [*told.bad], list[Item]()
    if kit.verify_fn is not None:
        wrong, right = kit.verify_fn({"artifact": told.text, "task_data": data, "filled": told.spans, "lang": kit.lang})
        bad += [_whole(claim) for claim in wrong if not _is_placeholder(claim, told.bad)]
        ok = [_whole(claim) for claim in right]
    bad += _form(told.text, silent=kit.verify_fn is not None and not ok and not bad)
    return Checked(draft, told.text, told.spans, sorted(bad, key=_line), ok)


def without(text: str, bad: Sequence[Item]) -> str:
    """The text without the lines that no repair can mend: open placeholders, and a model that speaks of itself."""
    gone = {claim["line"] for claim in bad if claim["kind"] in ("placeholder", "form") and claim["line"]}
    return lines_cleaned("\n".join(line for n, line in enumerate(text.split("\n"), start=1) if n not in gone))


def item(line: int, text: str, cited: str, kind: str, reason: str) -> Item:
    return {
        "line": line, "text": text, "cited": cited, "subject": "", "kind": kind, "expected": [], "rule": kind, "reason": reason,
    }  # fmt: skip


def named_lines(bad: Sequence[Item], text: str) -> frozenset[int]:
    """The lines that a fix may change; the last one too when something is missing, for it to go behind it."""
    last = text.rstrip().count("\n") + 1
    return frozenset(claim["line"] or last for claim in bad if claim["line"] or claim["kind"] in WHOLE)


def feedback(bad: Sequence[Item], issues: Sequence[str], text: str, facts: Facts | None, lang: str) -> str:
    """The complaints for the fix step, by line, what is missing last, then a reviewer's wishes."""
    last = text.rstrip().count("\n") + 1
    ordered = sorted(bad, key=lambda claim: (claim["rule"] == "omitted", claim["line"] or last))
    lines = [_complaint(claim, claim["line"] or last, facts, lang) for claim in ordered[:MOST]]
    if len(ordered) > MOST:
        lines.append("There are more faults of these kinds; they are told when these are mended.")
    if issues:
        lines.append("A reviewer asks for more. Leave every number that is right as it is:")
        lines += [f"- {issue}" for issue in issues]
    return "\n".join(lines)


def _complaint(claim: Item, line: int, facts: Facts | None, lang: str) -> str:
    parts = [f"line {line}:"]
    if claim["cited"]:
        parts.append(f"“{claim['cited']}”")
    if claim["subject"]:
        parts.append(f"of {claim['subject']}")
    parts.append(f"- {claim['reason'] or claim['rule']}")
    if claim["expected"]:
        told = [_with_tag(value, claim["subject"], facts, lang) for value in list(claim["expected"])[:4]]
        parts.append(f"; expected {' or '.join(told)}")
    return " ".join(parts).replace(" ;", ";")


def _with_tag(expected: str, subject: str, facts: Facts | None, lang: str) -> str:
    """`2,649 (count)` with the tag that writes it, where there is one."""
    for fact in facts.of(subject) if facts is not None else ():
        if expected.startswith(f"{show(fact, lang)} ") and fact.kind in expected:
            return f"{expected} {tag(fact)}"
    return expected


def _form(text: str, *, silent: bool) -> list[Item]:
    """What no verifier of numbers objects to. `silent`: it found nothing to verify."""
    bad = [
        item(n, line, "", "form", "the writer speaks of itself: take it out")
        for n, line in enumerate(text.split("\n"), start=1)
        if speaks_of_itself(line)
    ]
    if not looks_like_report(text):
        bad.append(item(0, "", "", "form", "this is no report: it has no heading"))
    elif silent:
        bad.append(item(0, "", "", "form", "the text says nothing that could be verified"))
    return bad


def _whole(claim: Mapping[str, Any]) -> Item:
    """A claim with every field: the verifier of a task may leave some out."""
    return {**item(0, "", "", "number", ""), **claim}


def _is_placeholder(claim: Mapping[str, Any], open_: Sequence[Item]) -> bool:
    """A verifier may stumble over a placeholder that is a mismatch already."""
    return any(claim.get("line") == other["line"] and str(claim.get("cited", "")) in other["cited"] for other in open_)


def _fact_id(span: Any) -> str:
    return str(getattr(span, "fact_id", "") or getattr(span, "fact", ""))


def _line(claim: Item) -> int:
    return int(claim["line"])
