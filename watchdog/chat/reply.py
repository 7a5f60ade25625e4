"""What goes to a model and what comes back: plain values, the same for every client.

A message is a dict in OpenAI's format (`role`, `content`, perhaps `tool_calls`, `tool_call_id`), plain JSON, so that it
can lie in the state of a graph. A reply that is no use as text (cut off, refused, empty) is not a `Reply` but a
`ChatError`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from watchdog.errors import WatchdogError

Message = dict[str, Any]
Kind = Literal[
    "no_key", "wrong_key", "unknown_model", "bad_request", "unreachable", "timeout", "rate_limit", "quota", "server",
    "context_too_long", "content_filter", "refused", "cut_off", "empty", "malformed", "not_json", "exhausted",
]  # fmt: skip


@dataclass(frozen=True)
class ToolCall:
    id: str
    name: str
    arguments: Mapping[str, Any] | None  # None: the model wrote something that is no JSON object, see `raw`
    raw: str  # the arguments as they came


@dataclass(frozen=True)
class Reply:
    text: str  # may be empty only where there are tool calls
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = False  # the server sent no usage: the tokens are estimated by characters
    cost: float | None = None  # in the currency of the profile's prices, None = no price is known
    seconds: float = 0.0  # with all attempts and the waits between them
    model: str = ""  # as the server calls it
    finish: str = "stop"  # stop or tool_calls
    tool_calls: tuple[ToolCall, ...] = ()
    attempts: int = 1  # requests made, failed ones included; 0 = it came from the cache


class Client(Protocol):
    """A model that can be asked. Never streams; blocks until the reply is whole or the time is up."""

    @property
    def name(self) -> str:
        """The profile's name in config.yaml."""
        ...

    def complete(
        self,
        messages: Sequence[Message],
        *,
        role: str = "specialist",
        schema: dict[str, Any] | None = None,
        tools: Sequence[dict[str, Any]] = (),
        seconds: float | None = None,
    ) -> Reply:
        """The model's reply. `role` chooses among the profile's `models`; `schema` is a JSON Schema that the text has to
        fit; `tools` are OpenAI tool definitions; `seconds` is a limit on all attempts together.

        ChatError for everything that can go wrong.
        """
        ...


class ChatError(WatchdogError):
    """A model gave no usable reply (exit 3 where nothing catches it). Holds no key and nothing of the prompt."""

    def __init__(
        self,
        message: str,
        *,
        kind: Kind,
        hint: str = "",
        calls: int = 0,
        tokens_in: int = 0,
        tokens_out: int = 0,
        cost: float | None = 0.0,
        seconds: float = 0.0,
        text: str = "",
    ) -> None:
        super().__init__(message, hint=hint)
        self.kind: Kind = kind
        self.calls = calls  # requests made, for the budget
        self.tokens_in, self.tokens_out = tokens_in, tokens_out  # of a reply that was paid for and is no use
        self.cost, self.seconds = cost, seconds  # as in a Reply
        self.text = text  # what the model had written, for a trace; never part of the message
