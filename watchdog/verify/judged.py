"""What judging a report gives: claims that hold, claims that do not, numbers that claim nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from watchdog.model import Aside, Claim, Fact
from watchdog.verify.numbers import Number
from watchdog.verify.scope import Line
from watchdog.verify.structure import Piece


@dataclass(slots=True, eq=False)
class Wrong:
    """A claim that does not hold, with what a repair needs to know."""

    claim: Claim
    number: Number | None = None
    facts: tuple[Fact, ...] = ()  # what would fit unit and cues, likeliest first
    offset: tuple[int, int] = (0, 0)  # column of the number's digits in its line
    piece: Piece | None = None


@dataclass(slots=True, eq=False)
class Judged:
    bad: list[Wrong] = field(default_factory=list)
    ok: list[Claim] = field(default_factory=list)
    skipped: list[Aside] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    lang: str = "en"
    chances: dict[tuple[object, ...], tuple[int, int]] = field(
        default_factory=dict
    )  # per subject and magnitude: accepted, all
