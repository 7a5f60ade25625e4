"""Between our messages and those of LangChain, both ways. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from watchdog.chat.reply import Message, ToolCall

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

_THOUGHT = re.compile(r"\s*<think>.*?</think>\s*", re.DOTALL)  # small reasoning models put their thinking into the text


def text_of(message: AIMessage) -> str:
    """Its content without the thinking at its start."""
    content = message.content
    if not isinstance(content, str):
        content = "".join(part if isinstance(part, str) else str(part.get("text", "")) for part in content)
    thought = _THOUGHT.match(content)
    return content[thought.end() :] if thought else content


def model_of(message: AIMessage) -> str:
    """As the server calls it; llama.cpp gives the path of a file, whose folder is nobody's business."""
    name = str(message.response_metadata.get("model_name") or "")
    return re.split(r"[/\\]", name)[-1] if re.match(r"/|[A-Za-z]:\\", name) else name


def tool_calls_of(message: AIMessage) -> tuple[ToolCall, ...]:
    """In the order of LangChain: those that can be read, then the others."""
    good = (
        ToolCall(call["id"] or "", call["name"], call["args"], json.dumps(call["args"], ensure_ascii=False))
        for call in message.tool_calls
    )
    bad = (
        ToolCall(call["id"] or "", call["name"] or "", None, call["args"] or "") for call in message.invalid_tool_calls
    )
    return (*good, *bad)


def as_langchain(messages: Sequence[Message]) -> list[BaseMessage]:
    """LangChain's own conversion raises on tool calls whose arguments are no JSON; here they go back as they came."""
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
    from langchain_core.messages.tool import invalid_tool_call, tool_call

    def one(message: Message) -> BaseMessage:
        role, content = message["role"], message.get("content") or ""
        if role == "system":
            return SystemMessage(content=content)
        if role == "tool":
            return ToolMessage(content=content, tool_call_id=message["tool_call_id"])
        if role != "assistant":
            return HumanMessage(content=content)
        good, bad = [], []
        for call in message.get("tool_calls") or ():
            name, raw = call["function"]["name"], call["function"]["arguments"]
            try:
                arguments = json.loads(raw)
            except ValueError:
                arguments = None
            if isinstance(arguments, dict):
                good.append(tool_call(id=call["id"], name=name, args=arguments))
            else:
                bad.append(invalid_tool_call(id=call["id"], name=name, args=raw, error=None))
        return AIMessage(content=content, tool_calls=good, invalid_tool_calls=bad)

    return [one(message) for message in messages]
