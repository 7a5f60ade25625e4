"""What a report may cost, and what it has cost so far. Pure: who asks models counts, this says when to stop.

`Spent` turns into plain JSON and back, so that it can lie in the state of a graph.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from watchdog.chat.reply import ChatError, Reply


@dataclass(frozen=True)
class Spent:
    calls: int = 0  # requests, failed ones included
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = False  # some of the tokens were estimated
    cost: float | None = 0.0  # None: a reply came without a price, so the sum is unknown
    seconds: float = 0.0

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def plus(self, outcome: Reply | ChatError) -> Spent:
        """With one more call, whether it came to a reply or not."""
        if isinstance(outcome, Reply):
            calls, estimated = outcome.attempts, outcome.estimated
        else:
            calls, estimated = outcome.calls, False
        return Spent(
            calls=self.calls + calls,
            tokens_in=self.tokens_in + outcome.tokens_in,
            tokens_out=self.tokens_out + outcome.tokens_out,
            estimated=self.estimated or estimated,
            cost=None if outcome.cost is None or self.cost is None else self.cost + outcome.cost,
            seconds=self.seconds + outcome.seconds,
        )

    def plain(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Spent:
        return cls(**plain)


@dataclass(frozen=True)
class Budget:
    """None = no limit."""

    calls: int | None = 8
    tokens: int | None = 60_000
    seconds: float | None = 300.0
    money: float | None = None  # in the currency of the provider's price

    @classmethod
    def of(cls, limits: Mapping[str, Any]) -> Budget:
        """From the `limits` of a task; what it does not name stays as in DEFAULTS."""
        known = {field.name for field in dataclasses.fields(cls)}
        return cls(**{key: value for key, value in limits.items() if key in known})

    def refusal(self, spent: Spent, *, tokens: int = 0) -> str:
        """Why there may be no further call, in words; "" when there may be one. `tokens`: what its prompt has at least."""
        if self.calls is not None and spent.calls >= self.calls:
            return f"its {_many(self.calls, 'call')} are used up" if self.calls != 1 else "its one call is used up"
        if self.tokens is not None and spent.tokens + tokens >= self.tokens:
            over = f" and the next prompt has about {tokens:,}" if spent.tokens < self.tokens else ""
            return f"{spent.tokens:,} of its {self.tokens:,} tokens are used{over}"
        if self.seconds is not None and spent.seconds >= self.seconds:
            return f"its {self.seconds:g} seconds are over"
        if self.money is not None and spent.cost is None:
            return "its cost is unknown, so the limit on money cannot be kept: the provider has no price"
        if self.money is not None and spent.cost is not None and spent.cost >= self.money:
            return f"its limit of {self.money:g} is reached"
        return ""

    def seconds_left(self, spent: Spent) -> float | None:
        """For `Client.complete(seconds=...)`; None = no limit."""
        return None if self.seconds is None else max(0.0, self.seconds - spent.seconds)

    def calls_left(self, spent: Spent) -> int | None:
        return None if self.calls is None else max(0, self.calls - spent.calls)


DEFAULTS = Budget()


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
