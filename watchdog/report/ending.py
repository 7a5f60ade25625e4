"""What is published when the loop is over. No model is asked here.

The first of these that the verifier has nothing against: the text as it is; an earlier text that was right before a
reviewer had it changed; the text repaired (numbers put right, inventions taken out, what is missing added); what is left
when the rest is cut; the facts in the program's own words. Every high finding is told in all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from watchdog.report.checking import Checked, check, without
from watchdog.report.kit import Kit
from watchdog.report.plain import plain
from watchdog.report.reading import lines_cleaned
from watchdog.report.state import State, Status
from watchdog.verify import cut, repair


@dataclass(frozen=True)
class Ending:
    text: str
    spans: list[list[Any]]
    status: Status
    reason: str = ""


def ended(state: State, kit: Kit) -> Ending:
    text, reason = state["artifact"], state["reason"]
    if state["stop"] == "verified":
        return Ending(text, state["filled"], "verified")
    if not text:
        return facts_only(state, kit, reason)
    if kit.verify_fn is None:
        return Ending(without(text, state["fictitious"]), [], "unverified", reason or "no verifier was given")
    if state["kept"]:
        earlier = check(state["kept"], state["task_data"], kit)
        if not earlier.bad:
            return Ending(earlier.text, earlier.spans, "verified")
    if kit.facts(state["task_data"]) is None:  # data of a task, which only its own verifier knows
        return facts_only(state, kit, reason)
    bare = without(text, state["fictitious"])
    mended = _again(repair(bare, state["task_data"], lang=kit.lang).text, state, kit)
    if not mended.bad:
        return Ending(mended.text, [], "repaired", _joined(reason, "the program put it right"))
    rest = _again(cut(bare, state["task_data"], lang=kit.lang).text, state, kit)
    if not rest.bad:
        return Ending(rest.text, [], "cut", _joined(reason, "what could not be verified was cut"))
    return facts_only(state, kit, reason)


def facts_only(state: State, kit: Kit, reason: str) -> Ending:
    """Nothing at all where the data are no findings: there is no program that could word them."""
    facts = kit.facts(state["task_data"])
    text = plain(state["task_data"], facts, kit.lang) if facts is not None else ""
    return Ending(text, [], "facts_only", reason)


def _again(text: str, state: State, kit: Kit) -> Checked:
    return check(lines_cleaned(text), state["task_data"], kit, placeholders=False)


def _joined(*parts: str) -> str:
    return "; ".join(filter(None, parts))
