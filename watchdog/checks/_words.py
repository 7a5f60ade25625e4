"""Options of checks in words for people: what was expected, short enough for one line."""

from __future__ import annotations

import re
from datetime import date, datetime

LONGEST = 80  # characters of an expression or a pattern in a message


def shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."


def bound(limit: int | float | str) -> str:
    return limit if isinstance(limit, str) else f"{limit:,}"


_NOW = re.compile(
    r"\s*(?:[:@$]now|now|current_(?:date|time|timestamp)|(?:date|datetime|julianday|unixepoch|strftime)\s*\(.*\))\s*", re.I | re.S
)
_OTHER_ORDER = re.compile(r"\s*\d{1,2}([./-])\d{1,2}\1\d{4}\b.*|\s*\d{4}[./]\d{1,2}[./]\d{1,2}\b.*", re.S)
_NEARLY = re.compile(r"\s*\d{4}-\d{1,2}-\d{1,2}(?:[T ].*)?\s*", re.I | re.S)  # a date, or a slip of the pen in one
_CLOCK = r"[T ](?:[01]\d|2[0-3])(?::[0-5]\d(?::[0-5]\d(?:\.\d+)?)?)?\s*(?:Z|[+-]\d\d(?::?\d\d)?)?"
_TIME = re.compile(rf"(\d{{4}})(?:-(\d\d)(?:-(\d\d)(?:{_CLOCK})?)?)?", re.I)  # or its beginning: 2026, 2026-03


def no_bound(text: str, *, times: bool, begins: bool) -> str:
    """Why a text is no limit that values can be compared with, and what to write; "" when it is one.

    times: it is compared with dates or timestamps, so it has to be one; or where `begins`, a year or a month: there its first
    day is meant, elsewhere nobody knows.
    """
    if _NOW.fullmatch(text):
        return f"{text!r} is no fixed value: write not_future, or expression_is_true: {{expression: created_at <= :now}}"
    if _OTHER_ORDER.fullmatch(text):
        return f"{text!r}: as text, dates sort only when the year comes first: write 2026-03-01"
    if (times or _NEARLY.fullmatch(text)) and not _is_time(text):
        return f"{text!r} is no date: write 2026-03-01, or 2026-03-01 12:00:00"
    if times and not begins and moment_of(text) is None:
        return f"{text!r} is no day: write its last one, such as 2026-03-31"
    return ""


def moment_of(text: str) -> datetime | None:
    """The moment that a bound names, without a zone where it has none; None where it is no day of the calendar."""
    found = _TIME.fullmatch(text)
    if found is None or not found[3]:
        return None
    try:
        return datetime.fromisoformat(re.sub(r"\s+(?=[Z+-])", "", text.upper()))
    except ValueError:
        return None


def _is_time(text: str) -> bool:
    found = _TIME.fullmatch(text)
    if found is None:
        return False
    try:
        date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    except ValueError:
        return False
    return True
