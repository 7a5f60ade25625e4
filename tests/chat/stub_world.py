"""What the tests of the client share: a talk, a key, and a clock that moves only when somebody sleeps."""

from __future__ import annotations

MESSAGES = [{"role": "system", "content": "Count."}, {"role": "user", "content": "The secret word is xyzzy."}]
KEY = "sk-test-0123456789"


class World:
    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        return self.now
