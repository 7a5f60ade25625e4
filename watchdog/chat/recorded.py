"""Keeps replies in a folder and gives them again: a cache in front of a client, or a client that only replays.

A reply is found by a hash of all that shapes it: messages, model, parameters, schema, tools. One file a reply, readable by
its owner alone, written whole or not at all; a file that cannot be read counts as missing. Failures are not kept.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from watchdog.chat.profiles import Profile
from watchdog.chat.reply import ChatError, Client, Message, Reply, ToolCall
from watchdog.errors import OutputError
from watchdog.writing import whole

FORMAT = 1  # goes into the hash: a change of what is kept makes old files unused, never misread


class Recorded:
    """`inner` is asked for what the folder does not hold. None: it is an error, kind `exhausted`."""

    def __init__(self, folder: Path, profile: Profile, inner: Client | None = None) -> None:
        self.folder, self.profile = folder, profile
        self._inner = inner

    @property
    def name(self) -> str:
        return self.profile.name

    def model_of(self, role: str = "specialist") -> str:
        return self.profile.model_of(role)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        role: str = "specialist",
        schema: dict[str, Any] | None = None,
        tools: Sequence[dict[str, Any]] = (),
        seconds: float | None = None,
    ) -> Reply:
        file = self.folder / f"{self._key(messages, role, schema, tools)}.json"
        kept = _read(file)
        if kept is not None:
            return kept
        if self._inner is None:
            raise ChatError(
                f"provider {self.name!r}: {self.folder} holds no reply to this prompt",
                kind="exhausted",
                hint="replies are recorded by a provider of kind openai with the same model and this `cache`",
            )
        reply = self._inner.complete(messages, role=role, schema=schema, tools=tools, seconds=seconds)
        _write(file, reply)
        return reply

    def _key(
        self, messages: Sequence[Message], role: str, schema: dict[str, Any] | None, tools: Sequence[dict[str, Any]]
    ) -> str:
        shaping = {
            "format": FORMAT,
            "messages": list(messages),
            "model": self.model_of(role),
            "temperature": self.profile.temperature,
            "max_tokens": self.profile.max_tokens,
            "structured": self.profile.structured,
            "schema": schema,
            "tools": list(tools),
        }
        return hashlib.sha256(json.dumps(shaping, sort_keys=True).encode()).hexdigest()[:32]


def _read(file: Path) -> Reply | None:
    """Nothing is asked and nothing paid for a kept reply: no attempts, no cost, no time."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        calls = tuple(ToolCall(**call) for call in kept.pop("tool_calls"))
        return Reply(**{**kept, "tool_calls": calls, "attempts": 0, "cost": 0.0, "seconds": 0.0})
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _write(file: Path, reply: Reply) -> None:
    text = json.dumps(dataclasses.asdict(reply), ensure_ascii=False, indent=1)
    try:
        with whole(file, private=True) as stream:
            stream.write(text)
    except OutputError as problem:
        raise OutputError(
            f"cannot keep a reply in {file.parent}: {problem.message}", hint="`cache` names a folder"
        ) from problem
