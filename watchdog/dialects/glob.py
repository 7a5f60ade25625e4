"""A regular expression as a cheap SQLite condition that is *enough* for a match: where it holds, the expression matches.

Where it does not hold nothing is known, and the caller asks the real regular expression, unless the pattern is one of
fixed width and of ASCII, which the condition says whole. So a pattern outside the small grammar below costs speed, never
truth. Grammar: `^`, `$`, literals, `\\`-escaped punctuation, `\\d`, classes, `.`,
`{n}`, `{n,m}`, `{n,}`, `+`, `*`, `?` on single items, and `(a|b)` groups without repetition.

Why it is enough: the text fits the GLOB, and every character that the repeated items may not hold occurs no more often
than the pattern's own literals use it up; so the stretches that `*` swallowed hold none of it.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from watchdog.sql import literal

ALTERNATIVES = 8  # more spellings of one pattern than this cost more than the callback they spare
LONGEST = 200  # items; SQLite's own limit for a GLOB pattern is 50,000 bytes
_PUNCTUATION = set(r"""\.+*?()[]{}|^$-/@#%&=:;,!<>"'`~_ """)
_DIGITS = frozenset("0123456789")


@dataclass(frozen=True)
class Item:
    """One character out of `chars` (or outside them), `least` to `most` times; most None = without end."""

    chars: frozenset[str]
    negated: bool
    least: int = 1
    most: int | None = 1

    @property
    def fixed(self) -> bool:
        return self.most == self.least


@dataclass(frozen=True)
class Quick:
    """SQL that is true only where the pattern matches. `whole`: and false wherever it does not."""

    sql: str
    whole: bool


class _Unknown(Exception):
    """The pattern leaves the grammar."""


class _Reader:
    def __init__(self, pattern: str) -> None:
        self.text, self.at = pattern, 0
        self.narrowed = False  # a class was read as fewer characters than it has

    def peek(self) -> str:
        return self.text[self.at] if self.at < len(self.text) else ""

    def take(self) -> str:
        char = self.peek()
        if not char:
            raise _Unknown
        self.at += 1
        return char

    def sequences(self, depth: int = 0) -> list[list[Item]]:
        """All spellings up to the next `)` or the end."""
        branches: list[list[Item]] = []
        current: list[list[Item]] = [[]]
        while True:
            char = self.peek()
            if char in ("", ")") or (char == "$" and depth == 0):
                return branches + current
            if char == "|":
                if depth == 0:
                    raise _Unknown  # `^a|b$` binds its anchors to one branch each
                self.take()
                branches, current = branches + current, [[]]
                continue
            if char == "(":
                self.take()
                if self.peek() == "?":
                    if self.text[self.at : self.at + 2] != "?:":
                        raise _Unknown
                    self.at += 2
                inner = self.sequences(depth + 1)
                if self.take() != ")" or self.peek() in ("+", "*", "?", "{"):
                    raise _Unknown
                current = [a + b for a, b in itertools.product(current, inner)]
            else:
                item = self.repeated(self.item())
                current = [a + [b] for a, b in itertools.product(current, item)]
            if len(current) + len(branches) > ALTERNATIVES or any(len(s) > LONGEST for s in current):
                raise _Unknown

    def item(self) -> Item:
        char = self.take()
        if char == "[":
            return self.char_class()
        if char == ".":
            return Item(frozenset("\n"), True)
        if char == "\\":
            return Item(self.escaped(), False)
        if char in "+*?{}|)$^":
            raise _Unknown
        return Item(frozenset(char), False)

    def escaped(self) -> frozenset[str]:
        char = self.take()
        if char == "d":
            self.narrowed = True
            return _DIGITS  # `re` takes more than these as digits: fewer is still enough
        if char in _PUNCTUATION:
            return frozenset(char)
        raise _Unknown

    def char_class(self) -> Item:
        negated = self.peek() == "^"
        if negated:
            self.take()
        chars: set[str] = set()
        first = True
        while first or self.peek() != "]":
            first = False
            low = self.take()
            if low == "[" or (low in "&~|-" and self.peek() == low):
                raise _Unknown  # set operations to come in `re`
            if low == "\\":
                if negated and self.peek() in "dsw":
                    raise _Unknown  # there, fewer characters would be too few
                found = self.escaped()
            else:
                found = frozenset(low)
            if self.peek() == "-" and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.take()
                high = self.take()
                if high == "\\" or len(found) != 1 or ord(high) - ord(low) > 300 or high < low:
                    raise _Unknown
                found = frozenset(chr(n) for n in range(ord(low), ord(high) + 1))
            chars |= found
        self.take()
        return Item(frozenset(chars), negated)

    def repeated(self, item: Item) -> list[Item]:
        """The item with its quantifier; `{n,m}` becomes m - n + 1 spellings."""
        char = self.peek()
        if char in ("+", "*", "?"):
            self.take()
            if self.peek() in ("+", "?"):
                raise _Unknown  # possessive and lazy forms
            if char == "?":
                return [Item(item.chars, item.negated, 0, 0), item]
            return [Item(item.chars, item.negated, 1 if char == "+" else 0, None)]
        if char != "{":
            return [item]
        found = re.compile(r"\{(\d{1,3})(,(\d{0,3}))?\}(?![?+])").match(self.text, self.at)
        if not found:
            raise _Unknown
        self.at = found.end()
        least = int(found[1])
        most = least if not found[2] else int(found[3]) if found[3] else None
        if least > LONGEST or (most is not None and most > LONGEST):
            raise _Unknown
        if most is None:
            return [Item(item.chars, item.negated, least, None)]
        return [Item(item.chars, item.negated, n, n) for n in range(least, most + 1)]


def enough(pattern: str, cell: str) -> Quick | None:
    """SQL over the expression `cell` that holds only where `re.search(pattern, cell)` finds something; None = no such."""
    if "\0" in pattern or "\n" in pattern:
        return None
    reader = _Reader(pattern)
    try:
        start = reader.peek() == "^"
        if start:
            reader.take()
        spellings = reader.sequences()
        end = reader.peek() == "$"
        if end:
            reader.take()
        if reader.peek():
            return None
        wanted = [_condition(items, start, end, cell) for items in spellings]
    except _Unknown:
        return None
    joined = " OR ".join(wanted)
    lengths = {_bytes(items) for items in spellings} if start and end else {None}
    length = lengths.pop() if len(lengths) == 1 else None
    if length is None:
        return Quick(f"(({joined}) AND instr({cell}, char(0)) = 0)", False)  # GLOB does not look behind a NUL
    # nor is there room for one: the length in bytes, of which a character has two in UTF-16, costs half of instr()
    sized = f"length(CAST({cell} AS BLOB)) = {length} * length(CAST('a' AS BLOB))"
    return Quick(f"({sized} AND ({joined}))", not reader.narrowed)


def _bytes(items: list[Item]) -> int | None:
    """The length of every text of this spelling in bytes of UTF-8; None when they differ, or are not all of ASCII."""
    if any(not i.fixed or i.negated or not all(c.isascii() for c in i.chars) for i in items):
        return None
    return sum(i.least for i in items)


def _condition(items: list[Item], start: bool, end: bool, cell: str) -> str:
    items = [i for i in items if i.most != 0]
    shape = "".join(_glob(i) for i in items)
    if not start:
        shape = "*" + shape
    if not end:
        shape = shape + "*"
    loose = [i for i in items if not i.fixed]
    firm = [i for i in items if i.fixed]
    if any(i.negated for i in firm):
        raise _Unknown  # SQLite and `re` count the characters of invalid UTF-8 differently
    if any(not i.negated and not all(c.isascii() for c in i.chars) for i in items):
        raise _Unknown  # SQLite reads E0 83 A9, which is no UTF-8, as the character of C3 A9
    parts = [f"{cell} GLOB {literal(shape)}"]
    if not loose:
        return parts[0]
    barred = frozenset[str]().union(*(i.chars for i in loose if i.negated))
    allowed = [i.chars for i in loose if not i.negated]
    if allowed:
        within = frozenset.intersection(*allowed) - barred
        singles = frozenset[str]().union(*(i.chars for i in firm if len(i.chars) == 1))
        for i in firm:
            if len(i.chars) > 1 and not i.chars <= within:
                raise _Unknown
        parts.append(f"{cell} NOT GLOB {literal('*' + _set(within | singles, True) + '*')}")
        barred = singles - within
    never: list[str] = []
    for char in sorted(barred):
        used = 0
        for i in firm:
            holds = char in i.chars
            if holds and len(i.chars) > 1:
                raise _Unknown
            used += i.least if holds else 0
        if used:
            parts.append(f"{cell} NOT GLOB {literal('*' + (_one(char) + '*') * (used + 1))}")
        else:
            never.append(char)
    if len(never) > 3:
        parts.append(f"{cell} NOT GLOB {literal('*' + _set(frozenset(never), False) + '*')}")
    else:
        parts += [f"instr({cell}, {literal(char)}) = 0" for char in never]
    return "(" + " AND ".join(parts) + ")"


def _glob(item: Item) -> str:
    if item.fixed:
        one = (
            _one(next(iter(item.chars)))
            if len(item.chars) == 1 and not item.negated
            else _set(item.chars, item.negated)
        )
        return one * item.least
    return "?" * item.least + "*"


def _one(char: str) -> str:
    return f"[{char}]" if char in "*?[" else char


def _set(chars: frozenset[str], negated: bool) -> str:
    """A GLOB class. `]` has to stand first, `^` not first, `-` last."""
    if not chars:
        raise _Unknown
    special = [c for c in "]" if c in chars]
    plain = sorted(c for c in chars if c not in "]^-")
    tail = [c for c in "^-" if c in chars]
    if tail and not special and not plain and not negated and tail[0] == "^":
        raise _Unknown
    return "[" + ("^" if negated else "") + "".join(special) + _ranges(plain) + "".join(tail) + "]"


def _ranges(chars: list[str]) -> str:
    told = ""
    for _, run in itertools.groupby(enumerate(chars), lambda pair: ord(pair[1]) - pair[0]):
        stretch = [c for _, c in run]
        told += f"{stretch[0]}-{stretch[-1]}" if len(stretch) > 3 else "".join(stretch)
    return told
