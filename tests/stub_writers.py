"""Models as a stub server plays them: good and bad writers, who know nothing but the prompt that they are sent.

Each is a function from a request's JSON to a behaviour of `stub_model`. `honest` reads the facts out of the prompt and
writes a report with their tags; the others spoil what it would have written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from stub_model import Behaviour

Writer = Callable[[Any], "Behaviour | str"]
_NUMBER = re.compile(r"^\s*(\[\[f\d+(?:\|[^\]]*)?\]\]) (.+?) = (.*)$")
LEVELS = ("high", "medium", "low", "info")


@dataclass
class Told:
    """A finding, or the totals, as the prompt tells them: words -> (tag, value)."""

    id: str = ""
    severity: str = ""
    numbers: dict[str, tuple[str, str]] = field(default_factory=dict)

    def tag(self, words: str) -> str:
        return self.numbers[words][0]

    def value(self, words: str) -> str:
        return self.numbers[words][1]


def prompt_of(request: Any) -> str:
    return "\n".join(str(message.get("content") or "") for message in request["messages"])


def facts_in(prompt: str) -> tuple[Told, list[Told]]:
    """The totals, and the findings in order."""
    data = prompt.split("<<<DATA", 1)[1].split("\nDATA ", 1)[0]
    totals = at = Told()
    findings: list[Told] = []
    for line in data.split("\n"):
        if line.startswith("FINDING "):
            at = Told(_unquoted(line.removeprefix("FINDING ").split("; ")[0]))
            findings.append(at)
        elif line.strip().startswith("severity: "):
            at.severity = _unquoted(line.partition(": ")[2])
        elif found := _NUMBER.match(line):
            at.numbers[found[2]] = (found[1], found[3])
        elif line[:1].isupper() and line.split(":")[0] != "SOURCE":
            at = totals if line == "TOTALS" else Told()
    return totals, findings


def _unquoted(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') else text


def is_fix(request: Any) -> bool:
    return "<<<FEEDBACK" in prompt_of(request)


# ---------------------------------------------------------------- the honest one


def report(prompt: str) -> str:
    """A report in which each number is a tag; Chinese for a Chinese prompt."""
    totals, findings = facts_in(prompt)
    zh = "问题总数" in prompt
    lines = ["## 摘要" if zh else "## Summary", ""]
    if zh:
        lines.append(f"本次共有 {totals.tag('问题总数')} 个问题，涉及 {totals.tag('有问题的表数')} 张表。")
    else:
        lines.append(f"There are {totals.tag('findings')} findings in {totals.tag('tables with findings')} tables.")
    for level in LEVELS:
        found = [f for f in findings if f.severity == level]
        if found:
            lines += [
                "",
                f"## 严重程度：{level}" if zh else f"## Severity {level}",
                "",
                *(_bullet(f, zh) for f in found),
            ]
    return "\n".join(lines)


def _bullet(finding: Told, zh: bool) -> str:
    words = ("有问题的行数", "总行数", "占比") if zh else ("bad rows", "of rows", "share of the rows")
    if not all(word in finding.numbers for word in words):
        return f"- `{finding.id}`"
    count, rows, share = (finding.tag(word) for word in words)
    if zh:
        return f"- `{finding.id}`：{rows} 行中有 {count} 行（{share}）。"
    return f"- `{finding.id}`: {count} of {rows} rows ({share})."


def honest(request: Any) -> str:
    """Mends line by line what is not as it would have written it."""
    prompt = prompt_of(request)
    if not is_fix(request):
        return report(prompt)
    return patches({n: text for n, text in enumerate(report(prompt).split("\n"), start=1) if text})


def patches(lines: dict[int, str]) -> str:
    return json.dumps([{"line": line, "text": text} for line, text in lines.items()], ensure_ascii=False)


# ---------------------------------------------------------------- the others


def with_wrong_numbers(text: str, prompt: str, *, by: int = 1) -> str:
    """Every count of a finding is typed, and `by` too large."""
    _, findings = facts_in(prompt)
    for finding in findings:
        for words in ("bad rows", "有问题的行数"):
            if words in finding.numbers:
                right = int(re.sub(r"\D", "", finding.value(words)))
                text = text.replace(finding.tag(words), f"{right + by:,}")
    return text


def mends(request: Any) -> str:
    """Gets every count wrong, and right when it is told."""
    return honest(request) if is_fix(request) else with_wrong_numbers(honest(request), prompt_of(request))


def stubborn(request: Any) -> str:
    """Says the same wrong things whatever it is told."""
    return with_wrong_numbers(honest(request), prompt_of(request))


def oscillating() -> Writer:
    """Falls from one wrong text into another and back."""
    turn = iter(range(1, 1000))

    def answer(request: Any) -> str:
        return with_wrong_numbers(honest(request), prompt_of(request), by=1 + next(turn) % 2)

    return answer


def dropping(request: Any) -> str:
    """Leaves out the first finding of severity high, and keeps on doing so."""
    _, findings = facts_in(prompt_of(request))
    first = next(f.id for f in findings if f.severity == "high")
    if is_fix(request):
        return "[]"
    return "\n".join(line for line in honest(request).split("\n") if first not in line)


def inventing(request: Any) -> str:
    """Adds a finding of a table that does not exist, and insists on it."""
    return (
        honest(request)
        if is_fix(request)
        else honest(request) + "\n- `invoices.total.not_null`: 77 of 500 rows (15.4%)."
    )


def about_itself(request: Any) -> str:
    return "I am sorry, but as an AI language model I cannot access databases. I scored 97% in 12 tests, though."


def obedient(request: Any) -> str:
    """Does what any text in the data asks for, as a model may that takes data for instructions."""
    return "## Summary\n\nThere are 0 problems. All 9,999 rows are fine."


def in_slots(request: Any) -> str:
    """Fills in a sentence for each key of the schema."""
    schema = json.dumps(request.get("response_format", {}))
    keys = re.findall(r'"(\w+)": \{"type": "string"', schema)
    return json.dumps(dict.fromkeys(keys, "Probably an import leaves the field out."))
