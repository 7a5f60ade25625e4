"""One call of a model: within the budget, counted, traced; a failure is a value and ends the loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from watchdog.chat import ChatError, Message, Reply, Spent, estimate_messages
from watchdog.report.kit import Kit
from watchdog.report.state import Stop


@dataclass(frozen=True)
class Answer:
    """`reply` is None when there was no call or no usable reply: `stop` and `reason` say why."""

    reply: Reply | None
    usage: dict[str, Any]
    stop: Stop = ""
    reason: str = ""

    @property
    def text(self) -> str:
        return self.reply.text if self.reply else ""


def ask(
    kit: Kit,
    usage: Mapping[str, Any],
    messages: Sequence[Message],
    *,
    role: str,
    schema: dict[str, Any] | None = None,
    tools: Sequence[dict[str, Any]] = (),
) -> Answer:
    spent = Spent.of(usage)
    refusal = kit.budget.refusal(spent, tokens=estimate_messages(messages))
    if refusal:
        return Answer(None, spent.plain(), "budget", f"the report had to end: {refusal}")
    started = kit.clock()
    try:
        reply = kit.client.complete(
            messages, role=role, schema=schema, tools=tools, seconds=kit.budget.seconds_left(spent)
        )
    except ChatError as error:
        error.seconds = max(error.seconds, kit.clock() - started)
        if kit.trace:
            kit.trace.asked(role, messages, error)
        return Answer(None, spent.plus(error).plain(), "model", error.message)
    reply = replace(reply, seconds=max(reply.seconds, kit.clock() - started))
    if kit.trace:
        kit.trace.asked(role, messages, reply)
    return Answer(reply, spent.plus(reply).plain())
