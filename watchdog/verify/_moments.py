"""Dates and times of day as reports write them, in English, Chinese, German and French."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from watchdog.verify._zh import zh_value


@dataclass(frozen=True)
class Moment:
    """`value` is ISO text as far as it is known: 2026-05-01, 2026-05, --05-01, 06:00, 2026."""

    start: int
    end: int
    text: str
    kind: Literal["date", "time", "datetime", "month", "monthday", "year"]
    value: str


_NAMES = (
    "january jan januar janvier jänner", "february feb februar février févr feb", "march mar märz mars mär", "april apr avril avr",
    "may mai", "june jun juni juin", "july jul juli juillet juil", "august aug août", "september sept sep septembre",
    "october oct oktober okt octobre", "november nov novembre", "december dec dezember dez décembre déc",
)  # fmt: skip
MONTHS = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}
_MONTH = "|".join(sorted({name.capitalize() for name in MONTHS} | {
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"},
    key=len, reverse=True))  # fmt: skip

_END = r"(?![0-9]|[.,:/-][0-9])"
_ZONE = r"(?:[ \u00a0]?(?P<zone>Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2})(?![A-Za-z0-9]))?"
_CLOCK = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,][0-9]{1,9})?)?" + _ZONE
_WITH_TIME = rf"(?:(?:T|,?[ \u00a0](?:(?:at|um|à)[ \u00a0])?){_CLOCK}{_END})?"

_PATTERNS = tuple(
    re.compile(text)
    for text in (
        rf"(?P<year>[0-9]{{4}})(?P<mark>[-/.])(?P<month>[0-9]{{1,2}})(?P=mark)(?P<day>[0-9]{{1,2}})(?:{_WITH_TIME})(?![0-9]|[.,/-][0-9])",
        rf"(?P<year>(?:19|20)[0-9]{{2}})-(?P<month>0[1-9]|1[0-2]){_END}",
        r"(?P<year>[0-9]{4})[ \u00a0]?年(?:[ \u00a0]?(?P<month>[0-9]{1,2})[ \u00a0]?月(?:[ \u00a0]?(?P<day>[0-9]{1,2})[ \u00a0]?[日号])?)?"
        rf"(?:[ \u00a0]?{_CLOCK}{_END})?",
        r"(?P<month>[0-9]{1,2})[ \u00a0]?月(?:份|(?:[ \u00a0]?(?P<day>[0-9]{1,2})[ \u00a0]?[日号]))?",
        rf"(?P<day>[0-9]{{1,2}})\.[ \u00a0]?(?P<month>[0-9]{{1,2}})\.[ \u00a0]?(?P<year>(?:19|20)[0-9]{{2}})(?:{_WITH_TIME}){_END}",
        rf"(?P<first>[0-9]{{1,2}})/(?P<other>[0-9]{{1,2}})/(?P<year>(?:19|20)[0-9]{{2}})(?:{_WITH_TIME}){_END}",
        rf"(?P<day>[0-9]{{1,2}})(?:\.|st|nd|rd|th|er|re)?[ \u00a0](?:of[ \u00a0])?(?P<name>{_MONTH})\b\.?(?:,?[ \u00a0](?P<year>(?:19|20)[0-9]{{2}}){_END})?"
        rf"(?:{_WITH_TIME})",
        rf"{_CLOCK}(?:[ \u00a0]?(?P<half>[AaPp]\.?[Mm]\b\.?)|[ \u00a0]Uhr\b)?{_END}",
        r"(?P<hour>[0-9]{1,2})[ \u00a0]?(?P<half>[AaPp]\.?[Mm]\b\.?)",
        r"(?P<hour>[0-9]{1,2})[ \u00a0]Uhr(?:[ \u00a0](?P<minute>[0-5][0-9])\b)?",
        r"(?P<hour>[0-9]{1,2})[ \u00a0]?h[ \u00a0]?(?P<minute>[0-5][0-9])(?![0-9A-Za-z])",
        r"(?P<hour>[0-9]{1,2})[ \u00a0]?[点时](?:(?P<minute>[0-9]{1,2})分|整)",
        r"(?P<hour>[0-9]{1,2})[ \u00a0]?点(?![0-9])",
    )
)
_GERMAN_DAY = re.compile(r"(?P<day>[0-9]{1,2})\.(?P<month>0[1-9]|1[0-2])\.(?![0-9])")
_NAMED = re.compile(
    rf"(?P<name>{_MONTH})\b\.?[ \u00a0](?:(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?![0-9]|[.,:/-][0-9]|[ \u00a0]?%)"
    rf"(?:,?[ \u00a0](?P<year>(?:19|20)[0-9]{{2}}){_END})?(?:{_WITH_TIME})|(?P<only>(?:19|20)[0-9]{{2}}){_END})"
)
_ZH = re.compile(
    r"(?:(?P<year>[零〇一二三四五六七八九]{4})年)?(?:(?P<month>[一二三四五六七八九十]{1,2})月(?P<day>[一二三四五六七八九十廿卅]{1,3})[日号]|(?P<only>[一二三四五六七八九十]{1,2})月份?)?"
)


def moment(plain: str, at: int, lang: str) -> Moment | None:
    """The date or time that begins at a digit."""
    if lang == "de" and (day := _GERMAN_DAY.match(plain, at)):
        return _made(day, lang)
    for pattern in _PATTERNS:
        found = pattern.match(plain, at)
        if found and (made := _made(found, lang)):
            return made
    return None


def named(plain: str, at: int) -> Moment | None:
    """The date that begins with the name of a month: May 1, 2026."""
    found = _NAMED.match(plain, at)
    return _made(found, "en") if found else None


def chinese(plain: str, at: int) -> Moment | None:
    """The date that begins with a Chinese numeral: 二〇二六年五月一日."""
    found = _ZH.match(plain, at)
    if not found or not found.group():
        return None
    parts = {name: zh_value(text) for name, text in found.groupdict().items() if text}
    if any(value is None for value in parts.values()):
        return None
    month = parts.get("month") or parts.get("only")
    return _dated(found, parts.get("year"), month, parts.get("day"), "")


def _made(found: re.Match[str], lang: str) -> Moment | None:
    told = found.groupdict()
    clock = _clock(told)
    if clock is None:
        return None
    first, other = told.get("first"), told.get("other")
    if first and other:  # 5/1/2026: the month comes first in English, unless it cannot
        month, day = (int(first), int(other)) if lang == "en" and int(first) <= 12 else (int(other), int(first))
    else:
        month, day = int(told.get("month") or 0), int(told.get("day") or 0)
    if told.get("name"):
        month = MONTHS[told["name"].lower()]
    if not told.get("mark") and (month > 12 or day > 31 or (told.get("month") and not month)):
        return None
    year = told.get("year") or told.get("only")
    return _dated(found, int(year) if year else None, month or None, day or None, clock)


def _dated(found: re.Match[str], year: object, month: object, day: object, clock: str) -> Moment | None:
    whole = f"{int(str(year)):04d}" if year is not None else "-"
    text = whole + (f"-{int(str(month)):02d}" if month else "") + (f"-{int(str(day)):02d}" if day else "")
    kind: Literal["date", "time", "datetime", "month", "monthday", "year"]
    if month is None and year is None:
        if not clock:
            return None
        kind, text = "time", clock
    elif year is None:
        if month and day is None and found.group().isascii():
            return None
        kind = "monthday" if day else "month"
    else:
        kind = "date" if day else "month" if month else "year"
    if kind == "date" and clock:
        kind, text = "datetime", f"{text}T{clock}"
    return Moment(found.start(), found.end(), found.group(), kind, text)


def _clock(told: dict[str, str | None]) -> str | None:
    """The time of day as ISO text, "" when there is none, None when it is none after all."""
    if not told.get("hour"):
        return ""
    hour, minute = int(told["hour"] or 0), int(told.get("minute") or 0)
    half = (told.get("half") or "").lower()[:1]
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 24 or minute > 59:
        return None
    second = f":{told['second']}" if told.get("second") else ""
    zone = told.get("zone") or ""
    return f"{hour:02d}:{minute:02d}{second}{'Z' if zone in ('UTC', 'GMT', 'Z') else zone}"
