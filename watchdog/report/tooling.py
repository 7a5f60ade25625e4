"""The planner's tools: those of the sandbox, and how its talk with them is kept as plain messages.

What a tool says is always a text: a refusal, a failure, an unknown tool or arguments that are no JSON object are told to the
model, and none of them ends the report.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watchdog.chat import Message, ToolCall
from watchdog.report._fence import fence

if TYPE_CHECKING:
    from watchdog.sandbox.tools import Tool, Toolbox

TURNS = 6  # talks with tools before the plan has to stand
LONGEST = 8_000  # characters of what a tool says


def toolbox(tools: Sequence[Tool] | None) -> Toolbox:
    """None = reading files of the current folder, and commands, which refuse until allowed; [] = none."""
    from watchdog.sandbox import tools as sandbox

    return sandbox.toolbox(Path.cwd()) if tools is None else sandbox.Toolbox(tools)


def called(box: Toolbox, call: Mapping[str, Any]) -> Message:
    """The answer to one call of a message. Fenced: files are strangers' text."""
    try:
        arguments = json.loads(call["function"]["arguments"] or "{}")
    except ValueError:
        arguments = None
    said = box.call(call["function"]["name"], arguments if isinstance(arguments, dict) else None).text
    short = said if len(said) <= LONGEST else f"{said[:LONGEST]}\n(the rest is left out)"
    return {"role": "tool", "tool_call_id": call["id"], "content": fence(short, "TOOL")}


def asks(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the last message calls tools."""
    return bool(messages) and bool(messages[-1].get("tool_calls"))


def turns(messages: Iterable[Mapping[str, Any]]) -> int:
    return sum(1 for message in messages if message.get("tool_calls"))


def as_message(text: str, calls: Iterable[ToolCall]) -> Message:
    return {
        "role": "assistant",
        "content": text,
        "tool_calls": [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.raw}}
            for call in calls
        ],
    }
