"""When a number as written fits the true value: rounding and the words that loosen it. Exact arithmetic.

In: a number of a text and the truth in the number's own unit (5.8 for percent). Out: the name of the rule by which it
fits, "" when it does not. The bounds are policy; each stands here once.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from watchdog.verify.numbers import Number

Rule = Literal[
    "",
    "equal",
    "rounded",
    "about",
    "nearly",
    "over",
    "at_least",
    "at_most",
    "under",
    "fraction",
    "one_in",
    "tenths",
    "fold",
]

ABOUT = Fraction(25, 1000)  # of the truth: about 2,600 for 2,649
NEARLY = Fraction(25, 1000)  # of the number: nearly 2,700 for 2,649
NEARLY_POINTS = Fraction(3, 2)  # ... and for shares at least so many points: nearly 6% for 5.8%
OVER = Fraction(115, 100)  # of the number: over 2,600 for 2,649
FOLD = Fraction(25, 1000)  # twice: 1.95 to 2.05
FOLD_ABOUT = Fraction(75, 1000)  # nearly twice: 1.85 to 2.15
BARE_SHARE = Fraction(1, 2)  # points around a half, three tenths or one in five that no word loosens
ONE_IN_ABOUT = Fraction(5, 2)  # points around "about one in five"
TENTHS_ABOUT = Fraction(5)  # points around 约三成
_BANDS = {
    (1, 2): (45, 55),
    (1, 3): (30, 37),
    (1, 4): (22, 28),
}  # what "about a half, a third, a quarter" may mean, in percent
_BAND = Fraction(1, 10)  # of any other fraction, at most five points
_SHARES = frozenset(("percent", "permille", "points"))
_LOOSE = frozenset(("about", "nearly", "over", "under"))


def fits(number: Number, truth: Fraction, *, counted: bool) -> Rule:
    """`counted`: the truth is a whole count, which bare digits must give exactly."""
    value = number.value
    if number.qualifier == "at_least":
        return "at_least" if value <= truth else ""
    if number.qualifier == "at_most":
        return "at_most" if truth <= value else ""
    if number.form in ("fraction", "one_in", "tenths"):
        return _share(number, truth)
    if number.form == "none":
        return "equal" if truth == 0 else ""
    if number.form == "word_fold" or (number.unit == "fold" and number.form in ("words", "zh")):
        return _fold(number, truth)
    if number.qualifier == "about":
        return "about" if abs(value - truth) <= max(_significant(number, truth) / 2, ABOUT * abs(truth)) else ""
    if number.qualifier == "nearly":
        slack = NEARLY * abs(value)
        slack = max(slack, NEARLY_POINTS) if number.unit in _SHARES else slack
        return "nearly" if abs(value) - slack <= _toward(value, truth) < abs(value) else ""
    if number.qualifier == "over":
        return "over" if abs(value) < _toward(value, truth) <= OVER * abs(value) else ""
    if number.qualifier == "under":
        return "under" if truth < value else ""
    if value == truth:
        return "equal"
    if counted and number.step <= 1:
        return ""
    return "rounded" if abs(value - truth) <= number.step / 2 else ""


def _toward(value: Fraction, truth: Fraction) -> Fraction:
    """The truth seen from zero in the number's direction: nearly -3 is -2.9."""
    return -truth if value < 0 else truth


def _significant(number: Number, truth: Fraction) -> Fraction:
    """Place value of the last digit that is meant: 100 in "about 2,600", but never more than the truth's first digit has."""
    step = number.step
    value = abs(number.value)
    if value and step >= 1 and value.denominator == 1:
        whole = int(value)
        place = 1
        while whole % (place * 10) == 0:
            place *= 10
        step = max(step, Fraction(place))
    first = Fraction(1)
    size = abs(truth)
    while size and size >= first * 10:
        first *= 10
    while size and size < first and first > number.step:
        first /= 10
    return min(step, max(first, number.step))


def _share(number: Number, truth: Fraction) -> Rule:
    rule: Rule = "fraction" if number.form == "fraction" else "one_in" if number.form == "one_in" else "tenths"
    value, off = number.value, truth - number.value
    if number.qualifier not in _LOOSE:
        return rule if abs(off) <= BARE_SHARE else ""
    side = number.qualifier
    if (side == "over" and off <= 0) or (side in ("nearly", "under") and off >= 0):
        return ""
    if side == "under" or (side == "over" and truth <= OVER * value):
        return rule
    if number.form == "tenths":
        return rule if abs(off) <= TENTHS_ABOUT else ""
    if number.form == "one_in":
        return rule if abs(off) <= ONE_IN_ABOUT else ""
    part = Fraction(number.num, number.den) if number.num is not None and number.den else value / 100
    band = _BANDS.get((part.numerator, part.denominator))
    if band is None:
        return rule if abs(off) <= min(_BAND * value, Fraction(5)) else ""
    return rule if band[0] <= truth <= band[1] else ""


def _fold(number: Number, truth: Fraction) -> Rule:
    """twice, doubled, 两倍; more than a little is said with a word before it."""
    value, side = number.value, number.qualifier
    if side not in _LOOSE:
        return "fold" if abs(value - truth) <= FOLD * value else ""
    if (side == "over" and truth <= value) or (side in ("nearly", "under") and truth >= value):
        return ""
    if side == "under" or (side == "over" and truth <= OVER * value):
        return "fold"
    return "fold" if abs(value - truth) <= FOLD_ABOUT * value else ""
