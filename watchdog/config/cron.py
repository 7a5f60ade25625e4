"""Five cron fields, read as crontab(5) reads them.

In: text such as `30 6 * * 1-5`. Out: a `Cron` in words that APScheduler 3 understands the same way. Refuses, as
ValueError: wrong fields, and days that no month has.
Why not CronTrigger.from_crontab: there 0 is Monday and not Sunday, `sun-thu` is refused, and a day of the month *and*
a weekday must both match where cron takes either (agronholm/apscheduler issue 286).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_ITEM = re.compile(r"(?:\*|(\w+)(?:-(\w+))?)(?:/([0-9]{1,3}))?")


@dataclass(frozen=True)
class Cron:
    minute: str
    hour: str
    day: str
    month: str
    weekday: str
    either: bool  # the day of the month or the weekday has to match, not both


def parse_cron(text: str) -> Cron:
    fields = text.split()
    if len(fields) != 5:
        raise ValueError(f"{len(fields)} fields, expected 5: minute, hour, day of month, month, weekday")
    minute, hour, day, month, weekday = fields
    days, months = _numbers("day of month", day, 1, 31), _numbers("month", month, 1, 12, MONTHS, 1)
    weekdays = {n % 7 for n in _numbers("weekday", weekday, 0, 7, WEEKDAYS, 0)}
    either = not day.startswith("*") and not weekday.startswith("*")
    if not either and min(days) > max(MONTH_DAYS[m - 1] for m in months):
        raise ValueError(f"day {min(days)} never comes in month {month}")
    return Cron(
        minute=_words(minute, _numbers("minute", minute, 0, 59)),
        hour=_words(hour, _numbers("hour", hour, 0, 23)),
        day=_words(day, days),
        month=_words(month, months),
        weekday=weekday if weekday == "*" else ",".join(WEEKDAYS[n] for n in sorted(weekdays)),
        either=either,
    )


def _words(text: str, numbers: set[int]) -> str:
    return text if text == "*" else ",".join(map(str, sorted(numbers)))


def _numbers(what: str, text: str, low: int, high: int, names: tuple[str, ...] = (), first: int = 0) -> set[int]:
    """The numbers that a field stands for. Names count from `first`; `sun` at the end of a range is 7."""

    def number(word: str, *, ends: bool = False) -> int:
        if word.lower() in names:
            value = names.index(word.lower()) + first
            return 7 if ends and word.lower() == "sun" else value
        if not re.fullmatch("[0-9]{1,2}", word) or not low <= int(word) <= high:
            raise ValueError(f"{what} {word!r} is not within {low}-{high}")
        return int(word)

    found: set[int] = set()
    for item in text.split(","):
        parts = _ITEM.fullmatch(item)
        if not parts:
            raise ValueError(f"{what} {item!r} is not a number, a range, a list or *")
        start, end, step = parts[1], parts[2], int(parts[3] or 1)
        first_number = number(start) if start else low
        last_number = number(end, ends=True) if end else first_number if start and not parts[3] else high
        if step < 1:
            raise ValueError(f"{what} {item!r}: a step is at least 1")
        if last_number < first_number:
            raise ValueError(f"{what} {item!r} runs backwards")
        found.update(range(first_number, last_number + 1, step))
    return found
