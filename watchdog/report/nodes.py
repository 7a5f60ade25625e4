"""The steps of a report: plain functions `(state, kit) -> changes`, at most one call of a model in each.

A step returns a literal dict of the fields that it owns (`state.OWNERS`) and changes nothing else. A model that fails, or
a budget that is spent, is a value: `stop` and `reason`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from watchdog.chat import Message
from watchdog.report._fence import fence, numbered
from watchdog.report.asking import Answer, ask
from watchdog.report.checking import check, feedback, filled, named_lines
from watchdog.report.ending import ended, facts_only
from watchdog.report.kit import Kit
from watchdog.report.mend import mend, read_patches
from watchdog.report.reading import cleaned, issues_in, lines_cleaned
from watchdog.report.sentences import write, write_again
from watchdog.report.sheet import sheet
from watchdog.report.state import Item, State
from watchdog.report.stop import in_words, seen, stop
from watchdog.report.tooling import TURNS, as_message, called, turns
from watchdog.verify import strip_marks

LONGEST_PLAN = 4_000  # characters


def planner(state: State, kit: Kit) -> dict[str, Any]:
    """Asks for a plan; a reply that calls tools is kept and comes back here with what they said."""
    prompt = kit.prompts.planner
    assert prompt is not None, "the graph has a planner only where its prompt is"
    messages = state["messages"] or _messages(state, prompt.fill(facts=_facts(state, kit)))
    tools = kit.toolbox.definitions if turns(messages) < TURNS else []
    answer = ask(kit, state["usage"], messages, role="planner", tools=tools)
    if answer.reply is not None and answer.reply.tool_calls and tools:
        asked = as_message(answer.reply.text, answer.reply.tool_calls)
        return {"messages": [*messages, asked], "usage": answer.usage}
    return {
        "plan": answer.text.strip()[:LONGEST_PLAN],
        "messages": [*messages, {"role": "assistant", "content": answer.text}] if answer.reply else messages,
        "usage": answer.usage,
        "stop": answer.stop,
        "reason": answer.reason,
    }


def tools(state: State, kit: Kit) -> dict[str, Any]:
    """Runs what the planner called; every call gets its answer."""
    said = [called(kit.toolbox, call) for call in state["messages"][-1]["tool_calls"]]
    return {"messages": [*state["messages"], *said]}


def specialist(state: State, kit: Kit) -> dict[str, Any]:
    """Writes the first text."""
    if kit.style == "slots":
        told = write(state, kit)
        return {
            "slots": told.sentences,
            "dropped": told.dropped,
            "draft": told.text,
            "artifact": told.text,
            "filled": [],
            "usage": told.answer.usage,
            "stop": told.answer.stop,
            "reason": told.answer.reason,
        }
    prompt = kit.prompts.specialist.fill(facts=_facts(state, kit), plan=state["plan"])
    answer = ask(kit, state["usage"], _messages(state, prompt), role="specialist")
    draft = cleaned(answer.text)
    text = filled(draft, kit.facts(state["task_data"]), kit.lang)
    return {
        "draft": draft,
        "artifact": text.text,
        "filled": text.spans,
        "usage": answer.usage,
        "stop": answer.stop,
        "reason": answer.reason,
    }


def evaluator(state: State, kit: Kit) -> dict[str, Any]:
    """The gate: what the verifier says, every round, and in the first one what a reviewer would change.

    The review can ask for a fix where the verifier is content; it can neither overrule it nor hold the end up later.
    """
    first, usage = state["attempts"] == 0, state["usage"]
    issues: list[str] = []
    if first and kit.reviews and state["max_retries"] > 0:  # a wish that nobody can fulfil is not asked for
        answer = _review(state, kit)
        usage, issues = answer.usage, issues_in(answer.text)
    told = check(state["draft"], state["task_data"], kit, placeholders=kit.style == "markdown")
    trail = [*state["trail"], seen(told.text, told.bad)]
    why = stop(trail, state["attempts"], state["max_retries"])
    if why == "verified" and issues:
        why = ""
    elif why == "verified" and kit.verify_fn is None:
        why = "unchecked"
    return {
        "fictitious": [*told.bad, *(_wish(issue) for issue in issues)],
        "verified": told.ok,
        "eval_issues": issues if first else state["eval_issues"],
        "trail": trail,
        "kept": state["draft"] if not told.bad and kit.verify_fn is not None else state["kept"],
        "usage": usage,
        "stop": why,
        "reason": in_words(why, state["attempts"], len(told.bad)),
    }


def fix(state: State, kit: Kit) -> dict[str, Any]:
    """Asks for patches to the lines that are wrong. The only step that raises `attempts`."""
    bad = [claim for claim in state["fictitious"] if claim["kind"] != "review"]
    if kit.style == "slots":
        told = write_again(state, kit, bad)
        return {
            "slots": told.sentences,
            "dropped": told.dropped,
            "draft": told.text,
            "artifact": told.text,
            "filled": [],
            "attempts": state["attempts"] + int(told.answer.reply is not None),
            "usage": told.answer.usage,
            "stop": told.answer.stop,
            "reason": told.answer.reason,
        }
    issues = [claim["reason"] for claim in state["fictitious"] if claim["kind"] == "review"]
    facts, text = kit.facts(state["task_data"]), state["artifact"]
    complaints = feedback(bad, issues, text, facts, kit.lang)
    prompt = kit.prompts.fix.fill(facts=_facts(state, kit), report=numbered(text), feedback=complaints)
    answer = ask(kit, state["usage"], _messages(state, prompt), role="fix")
    draft = _mended(state, kit, answer, bad, lenient=bool(issues))
    new = filled(draft, facts, kit.lang)
    return {
        "draft": draft,
        "artifact": new.text,
        "filled": new.spans,
        "attempts": state["attempts"] + int(answer.reply is not None),
        "usage": answer.usage,
        "stop": answer.stop,
        "reason": answer.reason,
    }


def settle(state: State, kit: Kit) -> dict[str, Any]:
    """Decides what may be published, without a model: the text, the text repaired, what is left of it, or the facts."""
    end = ended(state, kit)
    return {"published": end.text, "spans": end.spans, "status": end.status, "reason": end.reason}


def approval(state: State, kit: Kit) -> dict[str, Any]:
    """Waits for a person. A text that is turned down is not published; the facts are."""
    from langgraph.types import interrupt

    if state["status"] == "facts_only":
        return {"approved": True}
    answer = interrupt({"text": state["published"], "status": state["status"], "reason": state["reason"]})
    if answer is True:
        return {"approved": True}
    end = facts_only(state, kit, "the text was not approved")
    return {
        "published": end.text, "spans": end.spans, "status": end.status, "reason": end.reason, "approved": False,
    }  # fmt: skip


# ---------------------------------------------------------------- what the steps share


def _messages(state: State, prompt: str) -> list[Message]:
    wish = state["task_input"].strip()
    return [*([{"role": "system", "content": wish}] if wish else []), {"role": "user", "content": prompt}]


def _facts(state: State, kit: Kit) -> str:
    """The data as the model sees them. Data of a task that are no findings stand as they are."""
    document, facts = state["task_data"], kit.facts(state["task_data"])
    if facts is None:
        return fence(json.dumps(document, ensure_ascii=False, indent=1, default=str))
    return sheet(document, facts, max_tokens=kit.facts_tokens, lang=kit.lang, samples=kit.samples).text


def _review(state: State, kit: Kit) -> Answer:
    prompt = kit.prompts.evaluator
    assert prompt is not None, "`Kit.reviews` says so"
    return ask(
        kit,
        state["usage"],
        _messages(state, prompt.fill(facts=_facts(state, kit), report=state["artifact"])),
        role="evaluator",
    )


def _wish(issue: str) -> Item:
    return {
        "line": 0, "text": "", "cited": "", "subject": "", "kind": "review", "expected": [], "rule": "review", "reason": issue,
    }  # fmt: skip


def _mended(state: State, kit: Kit, answer: Answer, bad: Sequence[Item], *, lenient: bool) -> str:
    """The draft with the patches of the reply. A model sees the numbers filled in, and patches are for what it sees."""
    if answer.reply is None:
        return state["draft"]
    done = mend(
        state["draft"],
        read_patches(answer.text, state["artifact"]),
        shown=state["artifact"],
        named=named_lines(bad, state["artifact"]),
        verified=state["verified"],
        lenient=lenient,
    )
    if kit.trace:
        for refusal in done.refused:
            kit.trace.note(f"patch refused: {refusal}")
    return lines_cleaned(strip_marks(done.text))
