"""Regular expressions that hold everything up: told to the process that watches this one, and left out the next time.

Python's `re` gives the interpreter to nobody until it is done with a cell, be it for ever: no thread, no signal handler
runs. The only help is another process, which has to know what it was. So before each call one byte is set in memory
that both share: the number of the pattern, higher by ALONE where its statement ran alone. What was learnt so far comes
back as `Known`:

a suspect   held up a statement of many questions. It is refused there, so that each question that asks it fails alone and
            is asked again by itself, in `Patterns.alone`, with the key of the row under way told as well.
given up    held up a statement that ran alone. It is refused for good in that scope, with words that name the row.

Without a watching process the memory is a private one that nobody reads.
"""

from __future__ import annotations

import hashlib
import mmap
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from re import Match
from typing import Any, NamedTuple

Memory = bytearray | mmap.mmap  # of SIZE bytes; two processes share an mmap
Search = Callable[[str], "Match[str] | None"]

PATTERNS = 256  # kept compiled
SIZE = 8192
_MARK = 16  # bytes: the length of a digest. The first 16 hold the slot in use; slot n stands at 16 * n
_SLOTS = 127
ALONE = 128
_RECORD = 4096  # here: the scope of a statement that runs alone, the length of a key in two bytes, the key
_LONGEST_KEY = 1_000  # bytes


class Scoped(NamedTuple):
    """A pattern in the scope of one question. Both are digests."""

    scope: bytes
    pattern: bytes


@dataclass(frozen=True)
class Known:
    """What earlier runs over the same source have learnt. `given_up`: why, with the key of the row where it has one."""

    suspects: frozenset[bytes] = frozenset()
    given_up: Mapping[Scoped, str] = field(default_factory=dict)
    why: str = ""  # a pattern is given up in the run to come

    def and_what(self, memory: Memory) -> Known | None:
        """With what the memory of a run says that was held up; None when that is nothing new."""
        alone, slot = divmod(memory[0], ALONE)
        if not slot:
            return None
        pattern = bytes(memory[_MARK * slot : _MARK * (slot + 1)])
        if not alone:
            return None if pattern in self.suspects else replace(self, suspects=self.suspects | {pattern})
        scope = bytes(memory[_RECORD : _RECORD + _MARK])
        size = int.from_bytes(memory[_RECORD + _MARK : _RECORD + _MARK + 2], "big")
        key = bytes(memory[_RECORD + _MARK + 2 : _RECORD + _MARK + 2 + size]).decode(errors="replace")
        found, why = Scoped(scope, pattern), self.why + (f", in the row {key}" if key else "")
        return None if found in self.given_up else replace(self, given_up={**self.given_up, found: why})


class _Told:
    """This process's side of the memory."""

    def __init__(self, memory: Memory, known: Known) -> None:
        self.memory, self.known = memory, known
        self.alone = threading.Lock()
        self._slots: dict[bytes, int] = {}

    def slot(self, pattern: bytes) -> int:
        """The number of a pattern. With more of them than slots, the oldest gives way."""
        number = self._slots.get(pattern)
        if number is None:
            number = self._slots[pattern] = len(self._slots) % _SLOTS + 1
            self.memory[_MARK * number : _MARK * (number + 1)] = pattern
        return number

    def record(self, scope: bytes, key: bytes = b"") -> None:
        data = scope + len(key).to_bytes(2, "big") + key
        self.memory[_RECORD : _RECORD + len(data)] = data


_told = _Told(bytearray(SIZE), Known())


def watched(memory: Memory, known: Known) -> None:
    """From now on, this process tells `memory` what it does. Called once, before any connection is opened."""
    global _told
    _told = _Told(memory, known)


class Refused(Exception):
    """What is not evaluated here, such as a suspect pattern."""


class Patterns:
    """The patterns of one connection: `searches` are ready to be called, `ready` makes them so."""

    def __init__(self, compiled: Callable[[str], Any]) -> None:
        self.searches: dict[str, tuple[int, Search]] = {}
        self.memory: Memory = _told.memory
        self.suspect = False  # a statement met a suspect: ask again alone
        self.refused = ""  # why a statement was refused what it asked for: a pattern, when it ran alone; a time
        self._compiled, self._scope = compiled, b""

    def ready(self, pattern: str) -> tuple[int, Search]:
        """The number to be set before each search, and the search."""
        known, name = _told.known, _digest(pattern)
        if not self._scope and name in known.suspects:
            self.suspect = True
            raise Refused
        why = known.given_up.get(Scoped(self._scope, name)) if self._scope else None
        if why is not None:
            self.refused = why
            raise Refused
        if len(self.searches) >= PATTERNS:  # patterns may come from a column
            self.searches.clear()
        number = _told.slot(name) + (ALONE if self._scope else 0)
        return self.searches.setdefault(pattern, (number, self._compiled(pattern).search))

    def forget(self) -> None:
        """Before a statement."""
        self.suspect, self.refused = False, ""

    @contextmanager
    def alone(self, scope: str) -> Iterator[None]:
        """Within it this connection evaluates suspects, and what is given up in this scope is refused with words."""
        with _told.alone:
            self._scope = _digest(scope)
            self.searches.clear()
            _told.record(self._scope)
            try:
                yield
            finally:
                self._scope = b""
                self.searches.clear()

    def at(self, *named: Any) -> int:
        """SQL function `watchdog_at(name, value, ...)`: the key of the row that comes next. Always 1."""
        shown = ", ".join(f"{name}={value}" for name, value in zip(named[::2], named[1::2], strict=True))
        if self._scope:
            _told.record(self._scope, shown.encode(errors="replace")[:_LONGEST_KEY])
        return 1


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()[:_MARK]
