"""The one place where a request is made again.

In: a function that makes one request and raises `Failed`. Out: its value and the number of requests. Waits grow twofold
with jitter, or are as long as the server asks; together they stay under `max_wait`, and everything under `seconds`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from watchdog.chat.reply import ChatError, Kind

T = TypeVar("T")

# What may be gone in a moment. HTML where JSON belongs is the wrong address, and a quota does not fill by waiting.
PASSING: frozenset[Kind] = frozenset({"rate_limit", "server", "timeout", "unreachable", "malformed"})
FIRST_WAIT = 1.0
LONGEST_WAIT = 20.0  # of those that no server asked for


class Failed(Exception):
    """One request failed. `wait` is how long the server asks to stay away, in seconds."""

    def __init__(self, error: ChatError, wait: float | None = None) -> None:
        super().__init__(error.message)
        self.error, self.wait = error, wait


@dataclass(frozen=True)
class Tried(Generic[T]):
    value: T
    attempts: int


@dataclass(frozen=True)
class Retry:
    """The world is passed in: `sleep` and `clock` in seconds, `random` from 0 to 1."""

    max_retries: int
    max_wait: float
    sleep: Callable[[float], object]
    clock: Callable[[], float]
    random: Callable[[], float]

    def run(self, once: Callable[[float | None], T], *, seconds: float | None = None) -> Tried[T]:
        """`once` is given the seconds that are left for it, None = no limit. The last ChatError, with all `calls`."""
        started, waited, attempt = self.clock(), 0.0, 0
        while True:
            attempt += 1
            try:
                return Tried(once(None if seconds is None else seconds - (self.clock() - started)), attempt)
            except Failed as failure:
                error = failure.error
                error.calls = attempt
                room = self.max_wait - waited
                if error.kind not in PASSING or attempt > self.max_retries or (self.max_wait and room <= 0):
                    raise error from failure.__cause__
                wait = min(self._wait(attempt, failure.wait), room)
                if seconds is not None and wait >= seconds - (self.clock() - started):
                    raise error from failure.__cause__
            self.sleep(wait)
            waited += wait

    def _wait(self, attempt: int, asked: float | None) -> float:
        if asked is not None:
            return asked * (1 + self.random() / 10)  # never before the time that was asked for
        return float(min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1)) * (0.5 + self.random() / 2))
