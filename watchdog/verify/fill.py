"""Facts into text: placeholders such as [[f12|,]] are filled, and what is filled is known to be true.

In: a text with placeholders, the facts, the language. Out: the text, where each fact stands in it, and what could not be
filled, in words; such a placeholder stays as it is. Nothing in the text raises. `show` alone refuses, with ValueError, a
format that makes no sense for a fact. What is printed here is read back by `numbers.tokens` as the same fact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from watchdog.model import Fact
from watchdog.verify._spell import chinese, spell

FORMATS = {
    "": "as usual for the fact: 2,649, 5.8%, 31 hours",
    ",": "grouped by thousands: 2,649",
    "%0": "per cent without decimals: 6%",
    "%1": "per cent with one decimal: 5.8%",
    "%2": "per cent with two decimals: 5.80%",
    "words": "in words: two thousand six hundred and forty-nine",
    "zh": "in Chinese numerals: 两千六百四十九",
    "about": "rounded: about 2,600",
    "signed": "with its sign: +12",
}
SHARES = frozenset(("share", "change"))  # facts that are fractions and are said in percent
_PLACEHOLDER = re.compile(r"\[\[[ \t]*(?P<id>[^\s\[\]|]{1,64})[ \t]*(?:\|[ \t]*(?P<form>[^\s\[\]]{0,12})[ \t]*)?\]\]")
_OPEN = re.compile(r"\[\[")
_ABOUT = {"en": "about ", "zh": "约 ", "de": "rund ", "fr": "environ "}
_POINTS = {"en": " percentage points", "zh": " 个百分点", "de": " Prozentpunkte", "fr": " points de pourcentage"}
_FOLD = {"en": " times", "zh": " 倍", "de": "-fach", "fr": " fois"}
_UNITS = {  # one and many
    "seconds": {"en": ("second", "seconds"), "zh": ("秒", "秒"), "de": ("Sekunde", "Sekunden"), "fr": ("seconde", "secondes")},
    "minutes": {"en": ("minute", "minutes"), "zh": ("分钟", "分钟"), "de": ("Minute", "Minuten"), "fr": ("minute", "minutes")},
    "hours": {"en": ("hour", "hours"), "zh": ("小时", "小时"), "de": ("Stunde", "Stunden"), "fr": ("heure", "heures")},
    "days": {"en": ("day", "days"), "zh": ("天", "天"), "de": ("Tag", "Tage"), "fr": ("jour", "jours")},
    "weeks": {"en": ("week", "weeks"), "zh": ("周", "周"), "de": ("Woche", "Wochen"), "fr": ("semaine", "semaines")},
    "months": {"en": ("month", "months"), "zh": ("个月", "个月"), "de": ("Monat", "Monate"), "fr": ("mois", "mois")},
    "years": {"en": ("year", "years"), "zh": ("年", "年"), "de": ("Jahr", "Jahre"), "fr": ("an", "ans")},
    "bytes": {"en": ("byte", "bytes"), "zh": ("字节", "字节"), "de": ("Byte", "Bytes"), "fr": ("octet", "octets")},
}  # fmt: skip


class ById(Protocol):
    def by_id(self, id: str, /) -> Fact | None: ...


@dataclass(frozen=True)
class Span:
    """A filled place of the text: true by construction."""

    start: int
    end: int
    fact_id: str


@dataclass(frozen=True)
class Filled:
    text: str
    spans: tuple[Span, ...]
    problems: tuple[str, ...]  # in words, each once; the placeholders named there stand in the text as they were


def fill(text: str, facts: ById, lang: str) -> Filled:
    """Every placeholder that can be filled is; each other one is a problem."""
    parts: list[str] = []
    spans: list[Span] = []
    problems: dict[str, None] = {}
    done = size = 0

    def keep(piece: str) -> None:
        nonlocal size
        parts.append(piece)
        size += len(piece)

    for found in _PLACEHOLDER.finditer(text):
        between = text[done : found.start()]
        _unreadable(between, problems)
        keep(between)
        done = found.end()
        fact = facts.by_id(found["id"])
        form = found["form"] or ""
        if fact is None:
            problems[f"{found.group()}: there is no fact {found['id']}"] = None
            keep(found.group())
            continue
        try:
            shown = show(fact, lang, form)
        except ValueError as problem:
            problems[f"{found.group()}: {problem}"] = None
            keep(found.group())
            continue
        spans.append(Span(size, size + len(shown), fact.id))
        keep(shown)
    _unreadable(text[done:], problems)
    keep(text[done:])
    return Filled("".join(parts), tuple(spans), tuple(problems))


def _unreadable(between: str, problems: dict[str, None]) -> None:
    for found in _OPEN.finditer(between):
        start = " ".join(between[found.start() : found.start() + 24].split())
        problems[f"{start!r} is no placeholder: write [[id]] or [[id|format]]"] = None


def show(fact: Fact, lang: str = "en", form: str = "") -> str:
    """The value in words for a person. ValueError, in words: the format is unknown or makes no sense for this fact."""
    if form not in FORMATS:
        raise ValueError(f"there is no format {form!r}; the formats are {', '.join(repr(f) for f in FORMATS if f)}")
    value = fact.value
    if isinstance(value, str):
        if form:
            raise ValueError(f"the format {form!r} makes no sense for a date or text: write [[{fact.id}]]")
        return value
    value = Fraction(value)
    lang = lang if lang in _ABOUT else "en"
    if fact.unit in SHARES or fact.unit == "percent":
        return _percent(fact, value * (1 if fact.unit == "percent" else 100), lang, form)
    if form.startswith("%"):
        raise ValueError(f"the format {form!r} makes no sense for {fact.kind}, which is no share")
    if fact.unit == "points":
        value *= 100
    if form in ("words", "zh"):
        if value.denominator != 1 or abs(value) >= 10**12:
            raise ValueError(f"the format {form!r} makes no sense for {fact.kind}, which is no whole number")
        if lang in ("de", "fr") and abs(value) == 1 and form == "words":
            return number(value, lang, 0) + _unit(fact.unit, value, lang)
        said = chinese(int(value)) if form == "zh" else spell(int(value), lang)
        return said + _unit(fact.unit, value, lang).replace(" ", "", lang == "zh" or form == "zh")
    if form == "about":
        rounded, decimals = _two_digits(value)
        return _ABOUT[lang] + number(rounded, lang, decimals) + _unit(fact.unit, rounded, lang)
    sign = "+" if form == "signed" and value > 0 else ""
    return sign + number(value, lang, _places(value)) + _unit(fact.unit, value, lang)


def _percent(fact: Fact, value: Fraction, lang: str, form: str) -> str:
    if form in (",", "words"):
        raise ValueError(
            f"the format {form!r} makes no sense for {fact.kind}, which is a share: take %1, %0, %2 or about"
        )
    mark = "%" if lang in ("en", "zh") else "\u00a0%"
    if form == "about":
        rounded, decimals = _two_digits(value)
        return _ABOUT[lang] + number(rounded, lang, decimals) + mark
    if form.startswith("%"):
        return number(value, lang, int(form[1:])) + mark
    places = 1
    while places < 6 and value.denominator != 1 and (_round(value, places) == 0 or abs(_round(value, places)) == 100):
        places += 1  # 0.04% is not 0.0%, 99.96% is not 100%
    if _round(value, 0) == _round(value, places):
        places = 0
    if form == "zh":
        whole, _, fraction = f"{_round(abs(value), places):.{places}f}".partition(".")
        return ("负" if value < 0 else "") + "百分之" + chinese(int(whole), pair=False) + (
            "点" + "".join("零一二三四五六七八九"[int(c)] for c in fraction) if fraction else "")  # fmt: skip
    return ("+" if form == "signed" and value > 0 else "") + number(value, lang, places) + mark


def number(value: Fraction, lang: str, decimals: int) -> str:
    """1,234.5 in English and Chinese, 1.234,5 in German, 1 234,5 with thin spaces in French; halves are rounded up."""
    scaled = int(_round(abs(value), decimals) * 10**decimals)
    whole, rest = divmod(scaled, 10**decimals)
    group, point = {"de": (".", ","), "fr": ("\u202f", ",")}.get(lang, (",", "."))
    text = f"{whole:,}".replace(",", group) + (point + str(rest).zfill(decimals) if decimals else "")
    return "-" + text if value < 0 and scaled else text


def _round(value: Fraction, decimals: int) -> Fraction:
    scaled = abs(value) * 10**decimals
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return Fraction(-whole if value < 0 else whole, 10**decimals)


def _places(value: Fraction) -> int:
    """Decimals of a measured value: none for a whole one, one where that says enough, else two digits that count."""
    if value.denominator == 1:
        return 0
    places = 1
    while places < 6 and abs(value) < Fraction(1, 10 ** (places - 1)):
        places += 1
    return places


def _two_digits(value: Fraction) -> tuple[Fraction, int]:
    """Rounded to two digits that count, and how many decimals that takes."""
    size, exponent = abs(value), 0
    while size >= 100:
        size, exponent = size / 10, exponent + 1
    while size and size < 10 and exponent > -6:
        size, exponent = size * 10, exponent - 1
    if value.denominator == 1 and exponent < 0:
        exponent = 0
    rounded = _round(value / Fraction(10) ** exponent, 0) * Fraction(10) ** exponent
    return rounded, max(-exponent, 0) if rounded.denominator != 1 else 0


def _unit(unit: str, value: Fraction, lang: str) -> str:
    """The unit behind a value, with the blank before it; "" for counts, whose noun the sentence gives."""
    if unit == "points":
        return _POINTS[lang]
    if unit == "fold":
        return _FOLD[lang]
    if unit in _UNITS:
        one, many = _UNITS[unit][lang]
        return " " + (one if abs(value) == 1 else many)
    return ""


_CHECKS = r"[✓✔✅☑🗸✅](?:\ufe0f)?|&(?:check|checkmark|#1000[34]|#9989|#x271[34]|#x2705);|:(?:white|heavy|ballot_box_with)_check(?:_mark)?:"
_SAID = (
    r"(?:fully |independently |auto-?)?(?:verified|fact-?checked)(?: by (?:watchdog|the verifier|code))?|已(?:经)?(?:核实|验证|校验|核对|证实)|经(?:核实|验证)"
    r"|(?:geprüft|verifiziert|überprüft)|(?:vérifiée?s?|contrôlée?s?)"
)
_MARKS = re.compile(
    rf"(?P<bold>\*\*|__|[*_])(?:{_CHECKS}|[\[(（【]\s?(?:(?:{_CHECKS})\s?)?(?:{_SAID})\s?[\])）】])(?P=bold)"
    rf"|[ \u00a0]?[\[(（【]\s?(?:(?:{_CHECKS})\s?)?(?:{_SAID})\s?(?:(?:{_CHECKS})\s?)?[\])）】](?!\()"
    rf"|(?<=[0-9%行条个])[ \u00a0]?(?:[-–—:：][ \u00a0]?)?(?:{_CHECKS}|(?:(?:{_CHECKS})[ \u00a0]?)?(?:{_SAID})(?=[ \u00a0]?(?:[.,;|)。，；）\n]|$)))"
    rf"|(?m:(?<=^)|(?<=[ \u00a0|]))(?:{_CHECKS})[ \u00a0]?|{_CHECKS}",
    re.IGNORECASE,
)


def strip_marks(text: str) -> str:
    """The text without marks that make it look verified: only the program may set them. Prose about verifying stays."""
    return _MARKS.sub("", text)
