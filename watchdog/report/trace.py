"""Every step of a report as JSON lines: what a model was asked, what it replied, what the verifier said, what changed.

One line a step, written when the step is done: `node`, `round`, `calls` (role, messages, reply or error, tokens, seconds),
`changes` (the state fields that the step set, in full), `seconds`. The first line holds the state at the start, so every
field can be read at every step. Secrets are masked: the values of variables that look like keys, and what looks like a
key itself. The file is the owner's alone (0600); what was in it stays, new lines follow.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from watchdog.chat import ChatError, Message, Reply
from watchdog.errors import OutputError
from watchdog.sandbox.secrets import masked
from watchdog.writing import NO_GUARD, Guard

SHORTEST = 6  # characters of a secret: masking every "1" would leave nothing to read
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH", re.IGNORECASE)
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{12,}")


class Trace:
    """`env`: the environment whose secrets are masked; `secrets`: further values; `guard`: what is not written over."""

    def __init__(
        self,
        path: Path,
        *,
        env: Mapping[str, str] | None = None,
        secrets: Iterable[str] = (),
        guard: Guard = NO_GUARD,
    ) -> None:
        guard.refuse(path, "--trace")
        self.path, self._guard = path, guard
        self._secrets = secret_values(os.environ if env is None else env, secrets)
        self._calls: list[dict[str, Any]] = []
        self._notes: list[str] = []
        private_file(path, "trace")

    def asked(self, role: str, messages: Sequence[Message], outcome: Reply | ChatError) -> None:
        """A call of the step that is under way."""
        told: dict[str, Any] = {
            "role": role, "messages": list(messages), "tokens_in": outcome.tokens_in, "tokens_out": outcome.tokens_out,
            "cost": outcome.cost, "seconds": round(outcome.seconds, 3),
        }  # fmt: skip
        if isinstance(outcome, Reply):
            told |= {"reply": outcome.text, "model": outcome.model, "finish": outcome.finish, "calls": outcome.attempts}
            if outcome.tool_calls:
                told["tool_calls"] = [{"id": c.id, "name": c.name, "arguments": c.raw} for c in outcome.tool_calls]
        else:
            told |= {"error": outcome.kind, "message": outcome.message, "reply": outcome.text, "calls": outcome.calls}
        self._calls.append(told)

    def note(self, text: str) -> None:
        """Something worth knowing that no field of the state holds, such as a patch that was refused."""
        self._notes.append(text)

    def step(self, node: str, number: int, changes: Mapping[str, Any], seconds: float) -> None:
        line: dict[str, Any] = {"node": node, "round": number, "seconds": round(seconds, 3), "calls": self._calls}
        if self._notes:
            line["notes"] = self._notes
        self._write(line | {"changes": dict(changes)})
        self._calls, self._notes = [], []

    def _write(self, line: Mapping[str, Any]) -> None:
        text = json.dumps(self._clean(line), ensure_ascii=False, default=str)
        self._guard.refuse(self.path, "--trace")
        try:
            with self.path.open("a", encoding="utf-8", errors="backslashreplace", newline="") as stream:
                stream.write(text + "\n")
        except OSError as problem:
            raise OutputError(f"cannot write the trace {self.path}: {problem.strerror or problem}") from problem

    def _clean(self, value: Any) -> Any:
        """Masks in the values, before they are JSON: an escaped secret would not be recognised."""
        if isinstance(value, str):
            for secret in self._secrets:
                value = value.replace(secret, "***")
            return masked(_BEARER.sub(r"\1 ***", value))
        if isinstance(value, Mapping):
            return {self._clean(str(key)): self._clean(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self._clean(inner) for inner in value]
        return value


def secret_values(env: Mapping[str, str], more: Iterable[str] = ()) -> tuple[str, ...]:
    """The longest first, so that a secret that holds another one is masked whole."""
    found = {value for name, value in env.items() if _SECRET_NAME.search(name)} | set(more)
    return tuple(sorted((v for v in found if len(v.strip()) >= SHORTEST), key=lambda v: (-len(v), v)))


def private_file(path: Path, what: str) -> None:
    """Makes a file that only its owner can read, or makes an old one so. OutputError where that is not possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            os.fchmod(handle, 0o600)
        finally:
            os.close(handle)
    except OSError as problem:
        raise OutputError(f"cannot write the {what} {path}: {problem.strerror or problem}") from problem
