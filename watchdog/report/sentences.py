"""The style `slots` as steps: one call for the sentences, another one for those that the verifier objected to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from watchdog.chat import Message
from watchdog.errors import UsageError
from watchdog.report import slots
from watchdog.report.asking import Answer, ask
from watchdog.report.kit import Kit
from watchdog.report.state import Item, State

TOLD = 3  # refusals that a reason repeats


@dataclass(frozen=True)
class Written:
    """`text` is "" when the model gave nothing that can be used: `answer` says why."""

    sentences: dict[str, str]
    dropped: list[str]
    text: str
    answer: Answer


def write(state: State, kit: Kit) -> Written:
    data = state["task_data"]
    if not slots.keyed(data):
        return Written({}, [], _assembled(kit, data, {}), Answer(None, state["usage"]))
    prompt = _prompt(kit, data)
    answer = _asked(state, kit, [{"role": "user", "content": prompt}], "specialist")
    told = slots.read(answer.text, data)
    refusals = slots.refused(told, prompt=prompt, findings=data, lang=kit.lang)
    good = slots.kept(told, refusals)
    dropped = [str(refusal) for refusal in refusals]
    if answer.reply is not None and not good:
        why = "; ".join(dropped[:TOLD]) or "its reply holds none"
        answer = replace(answer, stop="model", reason=f"no sentence of the model could be used: {why}")
    return Written(good, dropped, _assembled(kit, data, good) if good else "", answer)


def write_again(state: State, kit: Kit, bad: Sequence[Item]) -> Written:
    """New sentences for the lines that are wrong. A fault that is in no sentence of the model is not asked about."""
    data, old = state["task_data"], state["slots"]
    lines = state["artifact"].split("\n")
    wrong = {line: claim for claim in bad if 1 <= (line := claim["line"]) <= len(lines)}
    asked = {key: claim for key, said in old.items() for n, claim in wrong.items() if said in lines[n - 1]}
    if not asked:
        return Written(dict(old), state["dropped"], state["artifact"], Answer(None, state["usage"]))
    prompt = _prompt(kit, data)
    feedback = "\n".join(f"{key}: {claim['reason'] or claim['rule']}" for key, claim in asked.items())
    messages: list[Message] = [
        {"role": "user", "content": prompt},
        {"role": "assistant", "content": json.dumps(old, ensure_ascii=False)},
        {"role": "user", "content": f"Write another sentence for these keys. What was wrong:\n{feedback}"},
    ]
    answer = _asked(state, kit, messages, "fix")
    told = {key: said for key, said in slots.read(answer.text, data).items() if key in asked}
    refusals = slots.refused(told, prompt=prompt, findings=data, lang=kit.lang, feedback=feedback)
    new = {key: said for key, said in old.items() if key not in asked} | slots.kept(told, refusals)
    if answer.reply is None:
        return Written(dict(old), state["dropped"], state["artifact"], answer)
    return Written(new, [*state["dropped"], *map(str, refusals)], _assembled(kit, data, new), answer)


def _asked(state: State, kit: Kit, messages: Sequence[Message], role: str) -> Answer:
    return ask(kit, state["usage"], messages, role=role, schema=slots.schema(state["task_data"], kit.lang))


def _prompt(kit: Kit, data: Mapping[str, Any]) -> str:
    if kit.prompts.slots is None:
        raise UsageError("the style `slots` needs a prompt that the task does not have", hint="add prompts/slots.md")
    return kit.prompts.slots.fill(facts=slots.ask(data, kit.lang))


def _assembled(kit: Kit, data: Mapping[str, Any], sentences: Mapping[str, str]) -> str:
    facts = kit.facts(data)
    if facts is None:
        raise UsageError("the style `slots` is for findings only", hint="the style markdown takes any data")
    return slots.assemble(data, facts, sentences, kit.lang)
