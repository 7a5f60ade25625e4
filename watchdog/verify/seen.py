"""One number of a report while it is judged: the words around it, the kinds of facts they leave, and what fits it.

`truth_in` gives a fact's value in the unit a number is written in; `ranked` orders facts by how likely the number was
meant to say them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from watchdog.model import Fact
from watchdog.verify.facts import LEVELS, TIME_UNITS
from watchdog.verify.numbers import Number

COUNTED = frozenset(("rows", "groups", "tables", "checks", "findings", "columns", "runs"))
HISTORY = frozenset(("previous", "previous_ratio", "delta", "percent_change", "fold", "points"))
CHANGE = frozenset(("delta", "percent_change", "points", "fold", "gap", "gap_share", "times"))
BASE = frozenset(("count", "rows", "ratio", "groups", "surplus", "value", "evaluated", "table_rows", "sum"))
LIMITS = frozenset(
    "threshold allowed_min allowed_max expected min max equals max_age_hours min_age_hours stated".split()
)
THINGS = frozenset(("tables", "checks", "columns", "groups"))
BOUNDS = frozenset(("over", "under", "at_least", "at_most"))

# kinds of facts that N and M in "N of M" may be
PART = frozenset(
    """count complement groups surplus not_evaluated evaluated findings tables_affected tables_clean columns_affected
    checks_passed checks_failed checks_skipped checks_errored checks_evaluated sum previous stated table_rows""".split()
) | {
    *("listed here", "findings of these severities", "findings of this kind", "findings here", "entries of the list"),
    *("tables named here", "checks passed", "checks failed", "checks skipped", "checks error", "remaining findings"),
    *(f"findings_{level}" for level in LEVELS),
    *(f"findings_{state}" for state in ("new", "ongoing", "worse", "better", "resolved", "accepted")),
}
WHOLE = frozenset(
    """rows evaluated table_rows tables checks_run checks_evaluated findings total_rows checks tables_affected
    columns_affected count stated checks_failed""".split()
) | {"findings here", *(f"findings_{level}" for level in LEVELS)}


@dataclass(slots=True, eq=False)
class Seen:
    """What is known of one number while its segment is judged."""

    number: Number
    before: str
    after: str
    noun: str = ""
    word: str = ""
    tight: frozenset[str] | None = None  # kinds of facts that a cue leaves
    fact: Fact | None = None
    rule: str = ""
    partner: Seen | None = None


def truth_in(number: Number, fact: Fact, noun: str, *, loose: bool = False) -> Fraction | None:
    """The fact's value in the unit that the number is written in; None when they are of different kinds."""
    value = fact.value
    if isinstance(value, str):
        return None
    unit, own = number.unit, fact.unit
    if unit == "percent":
        return value * 100 if own in ("share", "change") else None
    if unit == "permille":
        return value * 1000 if own in ("share", "change") else None
    if unit == "points":
        return value * 100 if own == "points" else None
    if unit == "fold":
        return value if own == "fold" else None
    if unit in TIME_UNITS:
        return value * TIME_UNITS[own] / TIME_UNITS[unit] if own in TIME_UNITS else None
    if unit:
        return value if own == unit else None
    if own in ("share", "change"):
        return value if not loose and 0 < abs(number.value) < 1 and noun == "" else None
    if own == "fold" or own == "points":
        return None
    if noun == "rows" and own not in ("rows", ""):
        return None
    if noun == "groups":
        return value if own == "groups" else None
    if noun == "surplus":
        return value if fact.kind == "surplus" else None
    if noun in ("tables", "checks", "findings", "columns") and own != noun:
        return value if (noun in ("findings", "columns", "checks") and own in ("rows", "")) else None
    return value


def ranked(seen: Seen, facts: Iterable[Fact]) -> list[Fact]:
    """Likeliest first: what looks like the cited number, then counts before rows before what follows from them."""
    cited = re.sub(r"\D", "", seen.number.text)

    def key(item: tuple[int, Fact]) -> tuple[float, int]:
        n, fact = item
        truth = truth_in(seen.number, fact, seen.noun, loose=True)
        if truth is None:
            return 99.0, n
        return _unlike(cited, abs(truth), seen.number), n

    unique: dict[tuple[str, object], Fact] = {}
    for fact in facts:
        unique.setdefault((fact.kind, fact.value), fact)
    return [fact for _, fact in sorted(enumerate(unique.values()), key=key)]


def likeness(number: Number, fact: Fact) -> float:
    truth = truth_in(number, fact, "", loose=True)
    return 99.0 if truth is None else _unlike(re.sub(r"\D", "", number.text), abs(truth), number)


def _unlike(cited: str, truth: Fraction, number: Number) -> float:
    """0 to 1 for numbers that a slip of the pen turns into each other, more for others."""
    shown = f"{int(truth)}" if truth.denominator == 1 else f"{float(truth):.3f}".rstrip("0").replace(".", "")
    if number.step < 1 and truth.denominator != 1:
        places = len(str(number.step.denominator)) - 1
        shown = f"{float(truth):.{max(places, 1)}f}".replace(".", "")
    a, b = cited.lstrip("0") or "0", shown.lstrip("0") or "0"
    if a == b or a.rstrip("0") == b.rstrip("0"):
        return 0.0
    if sorted(a) == sorted(b):
        return 0.1
    if len(a) == len(b):
        different = sum(x != y for x, y in zip(a, b, strict=True))
        if different == 1 and len(a) > 1:
            return 0.2
    value = abs(number.value)
    if truth:
        off = abs(value - truth) / truth
        if abs(value - truth) <= number.step * 2:
            return 0.3
        return 1.0 + min(float(off), 50.0)
    return 3.0
