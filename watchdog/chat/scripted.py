"""A client that says what it was told to say: for tests and demos, an ordinary provider (`kind: scripted`).

Takes texts, Replies, exceptions (raised) and functions from the messages to one of these; remembers what it was asked.
From a file: one JSON value a line, a text or `{"text": ...}`, `{"error": KIND}`, `{"tool_calls": [{"name", "arguments"}]}`.
"""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from watchdog.chat.reply import ChatError, Kind, Message, Reply, ToolCall
from watchdog.chat.tokens import estimate_messages, estimate_tokens
from watchdog.errors import UsageError
from watchdog.reading import MEGABYTE, read_bytes

Line = str | Reply | Exception | Callable[[Sequence[Message]], "str | Reply | Exception"]


@dataclass(frozen=True)
class Asked:
    """One call, as it came in."""

    messages: tuple[Message, ...]
    role: str
    schema: dict[str, Any] | None
    tools: tuple[dict[str, Any], ...]
    seconds: float | None


class Scripted:
    """`Scripted(["first reply", "second"])`, or one function for all calls: `Scripted(answer)`."""

    def __init__(
        self,
        script: Iterable[Line] | Callable[[Sequence[Message]], str | Reply | Exception],
        *,
        name: str = "scripted",
        model: str = "scripted",
    ) -> None:
        self.name = name
        self.model = model
        self.asked: list[Asked] = []
        self._endless = script if callable(script) else None
        self._script: list[Line] = [] if callable(script) else list(script)
        self._lock = threading.Lock()

    def model_of(self, role: str = "specialist") -> str:
        return self.model

    def complete(
        self,
        messages: Sequence[Message],
        *,
        role: str = "specialist",
        schema: dict[str, Any] | None = None,
        tools: Sequence[dict[str, Any]] = (),
        seconds: float | None = None,
    ) -> Reply:
        kept = tuple(copy.deepcopy(list(messages)))
        with self._lock:
            position = len(self.asked)
            self.asked.append(Asked(kept, role, schema, tuple(tools), seconds))
        line: Line
        if self._endless is not None:
            line = self._endless
        elif position < len(self._script):
            line = self._script[position]
        else:
            said = f"provider {self.name!r}: its script of {len(self._script)} replies is used up"
            raise ChatError(said, kind="exhausted", hint="add replies to it")
        said_now = line(kept) if callable(line) else line
        if isinstance(said_now, Exception):
            raise said_now
        return self._reply(said_now, kept)

    def _reply(self, said: str | Reply, messages: Sequence[Message]) -> Reply:
        """Texts become replies with an estimated usage, counted as a real client would."""
        reply = said if isinstance(said, Reply) else Reply(said)
        if not (reply.tokens_in or reply.tokens_out):
            reply = replace(
                reply,
                tokens_in=estimate_messages(messages),
                tokens_out=estimate_tokens(reply.text) + sum(estimate_tokens(call.raw) for call in reply.tool_calls),
                estimated=True,
            )
        return reply if reply.model else replace(reply, model=self.model)


LONGEST = 20 * MEGABYTE  # of a script


def read_script(path: Path, name: str) -> Scripted:
    """UsageError where the file cannot be read as a script."""
    try:
        lines = read_bytes(path, LONGEST).decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8"
        raise UsageError(f"provider {name!r}: cannot read {path}: {why}", hint="`file` names the script") from problem
    script = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                script.append(_line(json.loads(line)))
            except (ValueError, TypeError, KeyError, AttributeError) as problem:
                hint = 'one JSON value a line: "a text", {"text": ...}, {"error": "timeout"} or {"tool_calls": [...]}'
                raise UsageError(f"{path}:{number}: not a scripted reply", hint=hint) from problem
    return Scripted(script, name=name)


def _line(value: Any) -> Line:
    if isinstance(value, str):
        return value
    if "error" in value:
        if value["error"] not in get_args(Kind):
            raise ValueError("no kind of error")
        return ChatError(f"scripted: {value['error']}", kind=value["error"], calls=1)
    calls = tuple(
        ToolCall(call.get("id", f"call_{n}"), call["name"], call["arguments"], json.dumps(call["arguments"]))
        for n, call in enumerate(value.get("tool_calls", []), start=1)
    )
    text = value.get("text", "")
    if not isinstance(text, str) or not (text or calls):
        raise ValueError("no text")
    return Reply(
        text,
        tokens_in=int(value.get("tokens_in", 0)),
        tokens_out=int(value.get("tokens_out", 0)),
        model=str(value.get("model", "")),
        finish="tool_calls" if calls else "stop",
        tool_calls=calls,
    )
