"""The facts as a model sees them: what was found, with a tag for each number, no rows and no cell values.

In: the findings document, its facts, a limit in tokens. Out: `Sheet`: one fenced text, the ids of the findings in it, and how
many did not fit. The worst come first; where room is short the lesser ones shrink to a line, then only their totals stand,
which are facts too. `samples` adds what the document shows of failing cells, and only when it shows them masked.
Whatever comes from the database or from a person stands quoted on its own line, in a fence (see `_fence`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from watchdog.chat import estimate_tokens
from watchdog.model import Fact
from watchdog.render._escape import short, visible
from watchdog.report import _told
from watchdog.report._fence import fence
from watchdog.report._words import LEVELS
from watchdog.verify import Facts, show

NAME = 120  # characters of a name or an id
TEXT = 240  # characters of a description or a note
SAMPLES = 3  # masked values of a finding
SHARE_OF_TAIL = 5  # one part in so many is kept for what passed and what was not evaluated
SPARE = 100  # tokens for the fence and the line on what was left out

_KINDS = {  # in the order in which they are told; what is not here can be worked out from these
    "count": ("bad rows", "有问题的行数"),
    "evaluated": ("of rows that were evaluated", "评估的行数"),
    "rows": ("of rows", "总行数"),
    "ratio": ("share of the rows that were evaluated", "占比"),
    "groups": ("groups", "组数"),
    "surplus": ("surplus rows", "多余的行数"),
    "not_evaluated": ("rows not evaluated", "未评估的行数"),
    "previous": ("bad rows in the previous run", "上次有问题的行数"),
    "delta": ("change since the previous run", "与上次之差"),
    "percent_change": ("change in percent", "变化的百分比"),
    "threshold": ("limit", "上限"),
    "value": ("measured value", "测得的值"),
    "observed_min": ("smallest value seen", "最小值"),
    "observed_max": ("largest value seen", "最大值"),
    "allowed_min": ("lower limit", "下限"),
    "allowed_max": ("upper limit", "上限"),
    "min": ("lower limit", "下限"),
    "max": ("upper limit", "上限"),
    "equals": ("expected", "应为"),
    "max_age_hours": ("upper limit", "上限"),
}
_BRIEF = ("count", "evaluated", "rows", "value")
_TOTALS = {
    "findings": ("findings", "问题总数"),
    "tables": ("tables", "表数"),
    "tables_affected": ("tables with findings", "有问题的表数"),
    "total_rows": ("rows in all tables, good and bad", "所有表的总行数（好坏都算）"),
    "checks_run": ("checks run", "运行的检查数"),
    "checks_passed": ("checks passed", "通过的检查数"),
    "checks_failed": ("checks failed", "未通过的检查数"),
    "checks_skipped": ("checks skipped", "跳过的检查数"),
    "checks_errored": ("checks that could not be evaluated", "未能评估的检查数"),
}


@dataclass(frozen=True)
class Sheet:
    text: str  # fenced, ready for a prompt
    ids: tuple[str, ...]  # the findings that are told, in order
    left_out: int  # findings that did not fit


def sheet(
    findings: Mapping[str, Any], facts: Facts, *, max_tokens: int, lang: str = "en", samples: bool = False
) -> Sheet:
    """At least the totals and the worst finding are told, whatever the limit."""
    found = _told.findings_of(findings)
    head = "\n".join(_head(findings, facts, lang))
    room = max_tokens - estimate_tokens(head) - SPARE
    tail = list(_tail(findings, room // SHARE_OF_TAIL))
    room -= estimate_tokens("\n".join(tail))
    masked = samples and _told.mapping(findings.get("run")).get("sample_values") == "masked"
    brief = [_brief(f, facts, lang) for f in found]
    full = [_full(findings, f, facts, lang, masked) for f in found]
    told: list[str] = []
    for text in brief:
        cost = estimate_tokens(text) + 1
        if told and cost > room:
            break
        told.append(text)
        room -= cost
    for n in range(len(told)):
        more = estimate_tokens(full[n]) - estimate_tokens(brief[n])
        if more > room and n:
            break
        told[n], room = full[n], room - more
    left_out = len(found) - len(told)
    parts = [head, *told, *(_left_out(found[len(told) :]) if left_out else []), *tail]
    return Sheet(fence("\n".join(parts)), tuple(_told.text(f.get("id")) for f in found[: len(told)]), left_out)


def tag(fact: Fact) -> str:
    """What a model copies where the number belongs; without a format it is filled as `show` shows it here."""
    return f"[[{fact.id}]]"


def quoted(text: str, most: int = TEXT) -> str:
    """A stranger's text in JSON's quotes, on one line, of bounded length, without anything like a tag."""
    return json.dumps(short(visible(text), most), ensure_ascii=False).replace("[[", "[ [").replace("]]", "] ]")


def _head(findings: Mapping[str, Any], facts: Facts, lang: str) -> Iterator[str]:
    source = _told.mapping(findings.get("source"))
    yield f"SOURCE {quoted(_told.text(source.get('name')), NAME)} ({quoted(_told.text(source.get('dialect')), NAME)})"
    if not _told.complete(findings):
        yield "INCOMPLETE: something could not be looked at"
    yield "TOTALS"
    known = {f.kind: f for f in reversed(facts.of(""))}
    for kind, told in _TOTALS.items():
        if kind in known:
            yield _line(known[kind], told, lang)
    for level in LEVELS:
        for fact in facts.of(f"severity:{level}")[:1]:
            yield _line(fact, (f"findings of severity {level}", f"严重程度为 {level} 的问题数"), lang)


def _full(document: Mapping[str, Any], finding: Mapping[str, Any], facts: Facts, lang: str, masked: bool) -> str:
    lines = [
        f"FINDING {_id(finding)}",
        f"  severity: {quoted(_told.text(finding.get('severity')), NAME)}",
        f"  place: {quoted(_told.place(finding), NAME)}",
        f"  check: {quoted(_check(finding), NAME)}",
    ]
    known = _known(finding, facts)
    for key, name in (("description", "says"), ("note", "what the check is for"), ("evidence", "why it is checked"),
                      ("owner", "owner"), ("accepted_by", "accepted by")):  # fmt: skip
        told = quoted(_told.text(finding.get(key)))
        if told != '""':
            lines.append(f"  {name}: {_tagged(told, known) if key == 'description' else told}")
    state = _told.text(_told.past(document, finding).get("state"))
    if state:
        lines.append(f"  since the previous run: {quoted(state, NAME)}")
    if masked and (values := _masked(finding)):
        lines.append(f"  values, masked (x and X are letters, 9 is a digit): {values}")
    lines += [_line(known[kind], told, lang) for kind, told in _KINDS.items() if _worth(known, kind)]
    return "\n".join(lines)


def _brief(finding: Mapping[str, Any], facts: Facts, lang: str) -> str:
    known = _known(finding, facts)
    numbers = [_line(known[kind], _KINDS[kind], lang).strip() for kind in _BRIEF if _worth(known, kind)]
    return "; ".join(
        [f"FINDING {_id(finding)}", f"severity {quoted(_told.text(finding.get('severity')), NAME)}", *numbers]
    )


def _left_out(rest: Sequence[Mapping[str, Any]]) -> list[str]:
    """Their numbers are in the totals of their severity; how many are missing here is no fact and not told."""
    levels = ", ".join(level for level in ("other", *LEVELS) if any(_told.level_of(f) == level for f in rest))
    return [f"NOT LISTED: further findings of severity {levels}; the totals above count them"]


def _tail(findings: Mapping[str, Any], room: int) -> Iterator[str]:
    """What was not evaluated, a line each, then what passed, in one, as far as there is room; that there is more is said."""
    unevaluated = [
        f"{quoted(id, NAME)} {status}, because: {quoted(why)}" for id, status, why in _told.not_evaluated(findings)
    ]
    passed = [quoted(_told.text(r.get("id")), NAME) for r in _told.results_of(findings, "passed")]
    told = _fitting(unevaluated, room)
    yield "NOT EVALUATED" if told else "NOT EVALUATED: nothing"
    yield from (f"  {one}" for one in told)
    if passed:
        room -= sum(estimate_tokens(one) + 1 for one in told)
        yield f"PASSED, no fault there, need not be told: {', '.join(_fitting(passed, room))}"


def _fitting(texts: Sequence[str], room: int) -> list[str]:
    told: list[str] = []
    for text in texts:
        room -= estimate_tokens(text) + 1
        if room < 0:
            return [*told, "and others"]
        told.append(text)
    return told


def _known(finding: Mapping[str, Any], facts: Facts) -> dict[str, Fact]:
    return {f.kind: f for f in reversed(facts.of(_told.text(finding.get("id"))))}


def _worth(known: Mapping[str, Fact], kind: str) -> bool:
    """A limit of zero rows is what everybody expects; a date is no number to be tagged."""
    return (
        kind in known and not isinstance(known[kind].value, str) and not (kind == "threshold" and not known[kind].value)
    )


def _line(fact: Fact, told: tuple[str, str], lang: str) -> str:
    return f"  {tag(fact)} {told[1] if lang == 'zh' else told[0]} = {visible(show(fact, lang))}"


def _tagged(told: str, known: Mapping[str, Fact]) -> str:
    """A description that opens with its count and rows, with their tags instead: what is copied from it is copied right."""
    count, rows = known.get("count"), known.get("evaluated") or known.get("rows")
    if count is None or rows is None:
        return told
    opening = f'"{show(count, "en")} of {show(rows, "en")} '
    return f'"{tag(count)} of {tag(rows)} {told[len(opening) :]}' if told.startswith(opening) else told


def _id(finding: Mapping[str, Any]) -> str:
    """As it stands where it can be copied from a line, else quoted."""
    id = _told.text(finding.get("id"))
    plain = visible(id) == id and 0 < len(id) <= NAME and not re.search(r"\[\[|\]\]|[`\s]", id)
    return id if plain else quoted(id, NAME)


def _check(finding: Mapping[str, Any]) -> str:
    check, name = _told.text(finding.get("check")), _told.text(finding.get("name"))
    dimension = _told.text(finding.get("dimension"))
    told = f"{check} called {name}" if name and name != check else check
    return f"{told} ({dimension})" if dimension else told


def _masked(finding: Mapping[str, Any]) -> str:
    seen: dict[str, None] = {}
    for sample in _told.items(finding.get("samples")):
        values = [sample["value"]] if "value" in sample else list(_told.mapping(sample.get("values")).values())
        for value in values:
            shown = value.get("text") if isinstance(value, Mapping) else value
            seen.setdefault(quoted("NULL" if shown is None else str(shown), 60))
    return ", ".join(list(seen)[:SAMPLES])
