"""How likely a number that somebody made up would pass: what a verdict is worth."""

from __future__ import annotations

from watchdog.verify.judged import Judged


def rate(judged: Judged) -> float:
    """The share of random integers of the report's magnitudes that the facts would accept for a bound subject.

    0 to 1, rounded to six places. Every subject and magnitude that the report has counts with all its integers: of the 900
    integers of three digits about a subject with two facts of three digits, 2 would pass. 0.0 when nothing is bound.
    """
    accepted = sum(fit for fit, _ in judged.chances.values())
    possible = sum(size for _, size in judged.chances.values())
    return round(accepted / possible, 6) if possible else 0.0
