"""The numbers, dates and number-like things of a text, in order.

In: text as `text.normal` gives it, names replaced by runs of U+FFFC. Out: numbers with exact value, unit and qualifier;
moments; and what looks like a number and claims nothing, each with its reason. Nothing is refused, work grows linearly.
"""

from __future__ import annotations

import re
from collections import Counter

from watchdog.verify._digits import Separators
from watchdog.verify._moments import Moment
from watchdog.verify._reader import Masked, Number, Reader

__all__ = ["Masked", "Moment", "Number", "Separators", "Token", "separators", "tokens"]

Token = Number | Moment | Masked

_TYPED = re.compile(
    r"(?<![\w.,])(?P<number>\d{1,40}(?:[.,]\d{1,40}){1,8})(?!\d|[.,]\d)(?P<percent>[ \u00a0]?(?:%|Prozent|percent|pour cent))?"
)


def tokens(plain: str, lang: str, separators: Separators) -> list[Token]:
    """All of them, in order, never overlapping."""
    return Reader(plain, lang, separators).read()


def separators(report_plain: str, lang: str) -> Separators:
    """The convention that the report's unambiguous numbers speak for; that of its language when none does."""
    votes: Counter[str] = Counter()
    for found in _TYPED.finditer(report_plain[:1_000_000]):
        digits, percent = found["number"], bool(found["percent"])
        marks = [c for c in digits if c in ".,"]
        parts = re.split("[.,]", digits)
        if len(set(marks)) == 2:
            if marks.count(marks[-1]) == 1:  # 1,234.5
                votes[marks[-1]] += 3
        elif len(marks) > 1:
            if all(len(p) == 3 for p in parts[1:]) and len(parts[0]) <= 3 and parts[0] != "0":  # 1,234,567
                votes["," if marks[0] == "." else "."] += 3
        elif len(parts[1]) != 3 or len(parts[0]) > 3 or parts[0] == "0":  # 12,5 % or 0.125
            votes[marks[0]] += 3 if percent else 1
    usual = "," if lang in ("de", "fr") else "."
    other = "." if usual == "," else ","
    decimal = other if votes[other] > votes[usual] and votes[other] > 2 else usual
    group = {"." if decimal == "," else ",", "'", "\u00a0"}
    return Separators(frozenset(group | {" "} if lang in ("de", "fr") else group), decimal)
