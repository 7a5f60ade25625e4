"""What a run of digits and separators says, and how it would be written by the report's own convention."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from watchdog.verify.text import GROUP_SPACE

LONGEST = 40  # digits; no table holds more rows, and the work stays linear
_PART = re.compile(r"[.,'\u00a0_ ]")
_TYPED = frozenset(".,")


@dataclass(frozen=True, slots=True)
class Separators:
    """What parts groups of three digits and what comes before decimals."""

    group: frozenset[str]
    decimal: str


@dataclass(frozen=True, slots=True)
class Reading:
    """`value` is None for what is no number but a dotted name, such as a version."""

    value: Fraction | None
    decimals: int = 0
    malformed: str = ""
    split: int = 0  # where it falls into two numbers, 0 = it is one


def written(whole: str, decimals: str, separators: Separators, lang: str) -> str:
    """Digits by the convention: 1,234.5."""
    mark = "," if separators.decimal == "." else "." if lang != "fr" else "\u202f"
    whole = whole.lstrip("0") or "0"
    head = len(whole) % 3
    groups = ([whole[:head]] if head else []) + [whole[at : at + 3] for at in range(head, len(whole), 3)]
    return mark.join(groups) + (separators.decimal + decimals if decimals else "")


def read(text: str, separators: Separators, lang: str, *, counted: bool = False, percent: bool = False) -> Reading:
    """`counted`: a noun of things follows, so that 2.649 rows cannot be a decimal."""
    if text.isdigit():
        return _exact(text, "", "" if len(text) <= LONGEST else f"a number of at most {LONGEST} digits")
    parts = _PART.split(text)
    marks = [c for c in text if not c.isdigit()]
    kinds = set(marks)
    decimal = separators.decimal
    grouped = len(parts[0]) <= 3 and parts[0][0] != "0" and all(len(p) == 3 for p in parts[1:])
    if len(kinds) == 1:
        mark = marks[0]
        if mark in (GROUP_SPACE, " ") and not grouped:
            return Reading(None, split=len(parts[0]))
        if grouped and mark != decimal and mark in separators.group:
            return _exact("".join(parts))
        if mark == decimal and len(parts) == 2:
            if counted and grouped:
                return _odd("".join(parts), "", separators, lang)
            return _exact(parts[0], parts[1])
        if grouped:
            return _odd("".join(parts), "", separators, lang)
        if mark == "." and len(parts) > 2:
            return Reading(None)
        if mark in _TYPED and len(parts) == 2 and len(parts[1]) != 3:
            return _odd(parts[0], parts[1], separators, lang)
        if mark == "," and not any(len(p) == 3 for p in parts[1:]) and not percent:
            return Reading(None, split=len(parts[0]))
        return _odd("".join(parts), "", separators, lang)
    whole, last = parts[:-1], marks[-1]
    shaped = len(whole[0]) <= 3 and all(len(p) == 3 for p in whole[1:]) and len(set(marks[:-1])) == 1
    if shaped and last in _TYPED and last not in marks[:-1]:
        if last == decimal and marks[0] in separators.group:
            return _exact("".join(whole), parts[-1])
        return _odd("".join(whole), parts[-1], separators, lang)
    for at, mark in enumerate(marks):  # two numbers that touch: 2026 12
        if mark in (GROUP_SPACE, " "):
            return Reading(None, split=sum(map(len, parts[: at + 1])) + at)
    return _odd("".join(parts), "", separators, lang)


def _exact(whole: str, decimals: str = "", malformed: str = "") -> Reading:
    if len(whole) > LONGEST:
        return Reading(Fraction(10**LONGEST), 0, malformed or f"a number of at most {LONGEST} digits")
    cut = decimals[:LONGEST]
    return Reading(Fraction(int(whole + cut), 10 ** len(cut)), len(cut), malformed)


def _odd(whole: str, decimals: str, separators: Separators, lang: str) -> Reading:
    if len(whole) > LONGEST:
        return _exact(whole)
    return _exact(whole, decimals, written(whole, decimals[:LONGEST], separators, lang))
