"""Columns of dates: days that are not in the calendar, and days that have not come yet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from watchdog.infer.gaps import values, without_gaps
from watchdog.infer.look import Look, total
from watchdog.model import CheckSpec, Severity

ENOUGH = 5  # values that say "date" before anything is believed


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# what has happened by the time it is written down
PAST = _words("""
    born birth birthday dob hired joined created updated modified changed added opened closed sent received paid ordered
    shipped delivered registered visited seen published released posted issued signed started ended recorded logged
    measured observed captured collected last
""")
NAMES = PAST | _words("date day dated dt datetime time timestamp ts at on when release begin end start since until")
TIMES = _words("at on date time datetime timestamp ts created updated modified seen")  # said of numbers
# what may lie ahead, said of a column or of its whole table
AHEAD = _words("""
    due expire expires expiry expiration until valid to through start starts begin begins end ends deadline plan plans
    planned schedule schedules scheduled next renew renewal renews target forecast forecasts maturity matures eta
    expected future estimated upcoming appointment appointments event events booking bookings reserve reservation
    reservations departure arrival checkin checkout effective followup remind reminder reminders review retention
    promised required
    requested deliver delivery closing term termination milestone milestones budget projected calendar holiday holidays
    subscription subscriptions task tasks trip trips course courses session sessions validity warranty
""")
GLANCE = 100  # values
EPOCHS_FROM = datetime(1995, 1, 1, tzinfo=UTC)  # counts of seconds that start later elsewhere look older than this
FEW_AHEAD = 0.1  # above this share of days to come, the column is one of plans
SOON = timedelta(days=731)  # a programme of that many days to come or fewer is a plan; slips of the pen lie anywhere
REDUCED = re.compile(r"[0-9]{4}(?:-(?:0[1-9]|1[0-2]))?")  # a year, a month: ISO 8601 dates of reduced precision
FEW_REDUCED = 0.01  # from this share on, such dates are meant


@dataclass(frozen=True)
class Form:
    """A way to write dates. `name` is one of `sql.FORMS`, `format` one of the formats of the check `valid`."""

    name: str
    shape: re.Pattern[str]
    order: str  # the order of year, month, day in the groups of `shape`
    format: str
    words: str

    def day(self, text: str) -> date | None:
        """The calendar day that the text names, None when there is none. The text has the shape."""
        match = self.shape.fullmatch(text)
        assert match is not None
        part = dict(zip(self.order, match.groups(), strict=False))
        try:
            month = MONTHS.index(part["m"]) + 1 if part["m"].isalpha() else int(part["m"])
            return date(int(part["y"]), month, int(part["d"]))
        except ValueError:
            return None


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAY = r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
_CLOCK = r"[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?"
_SHORT = re.compile(r"([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})")
_NAMED = re.compile(r"([A-Z][a-z]{2}) ( ?[0-9]{1,2}) ([0-9]{4})")
ISO_DATE = Form("iso", re.compile(_DAY), "ymd", "iso_date", "ISO dates")
ISO_TIME = Form("iso", re.compile(_DAY + _CLOCK), "ymd", "iso_datetime", "ISO dates with a time")
ISO_EITHER = Form("iso", re.compile(f"{_DAY}(?:{_CLOCK})?"), "ymd", "date", "ISO dates, some with a time")
DAY_FIRST = Form("dmy", _SHORT, "dmy", "date", "dates, day first")
MONTH_FIRST = Form("mdy", _SHORT, "mdy", "date", "dates, month first")
MONTH_NAME = Form("month_day_year", _NAMED, "mdy", "date", "dates such as Jun 12 1998")
FORMS = (ISO_DATE, ISO_TIME, ISO_EITHER, DAY_FIRST, MONTH_FIRST, MONTH_NAME)  # the first that fits is taken


def dates(look: Look, now: datetime) -> Iterable[CheckSpec]:
    """A column of dates in one form: those that no calendar knows are wrong, those to come suspicious.

    Nine of ten values have the form, most of them are days of the calendar, and the name or the type says date (without
    either, 98 of 100). Columns of plans hold days to come by nature: they are known by name, by having many, or by a
    programme of the near future. Dates of reduced precision (1991, 1990-12) are as valid as others where they are usual.
    """
    named = bool(look.words & NAMES) or look.column.kind in ("date", "timestamp")
    form = _form(look, 0.9 if named else 0.98)
    if form is None:
        return
    readable = _readable(look, form)
    said = look.saw(readable, f"are written as {form.words}")
    written = {} if form.name == "iso" else {"form": form.name}
    if form.name != "iso" or look.texts_like(REDUCED.fullmatch) < max(ENOUGH, FEW_REDUCED * values(look)):
        yield look.spec("valid", Severity.MEDIUM, said, format=form.format, **written, **without_gaps(look))
    if named and not _of_plans(look) and not _a_programme(look, form, now) and _ahead(look, form, now) <= FEW_AHEAD * readable:
        yield look.spec("not_future", Severity.MEDIUM, said, form=form.name)


def _form(look: Look, share: float) -> Form | None:
    """The form that this share of the values have."""
    for form in FORMS:
        readable = _readable(look, form)
        if readable >= ENOUGH and readable >= share * values(look) and _decided(look, form):
            return form
    return None


def _ahead(look: Look, form: Form, now: datetime) -> int:
    """Rows whose day lies in the future, whatever the time zone."""
    tomorrow = (now + timedelta(days=1)).date()
    return look.texts_like(lambda v: form.shape.fullmatch(v) and (form.day(v) or date.min) > tomorrow)


def _a_programme(look: Look, form: Form, now: datetime) -> bool:
    """Several days to come, nearly all of them soon, in a column whose name does not say that they are past."""
    if look.words & PAST:
        return False
    today = now.date()
    ahead = {day for v in look.texts if form.shape.fullmatch(v) and (day := form.day(v)) and day > today}
    return len(ahead) >= ENOUGH and sum(day - today <= SOON for day in ahead) >= 0.9 * len(ahead)


def _of_plans(look: Look) -> bool:
    """The name of the column, or else of its table, says that days to come belong here."""
    return bool(look.words & AHEAD or (not look.words & PAST and look.table_words & AHEAD))


def _readable(look: Look, form: Form) -> int:
    """Rows that have the form, 0 when hardly any of them is a real day."""
    few = list(look.texts)[:: len(look.texts) // GLANCE + 1]
    if 2 * sum(1 for v in few if form.shape.fullmatch(v)) < len(few):
        return 0  # seen at a glance, most columns are not dates
    shaped = {v: n for v, n in look.texts.items() if form.shape.fullmatch(v)}
    real = sum(n for v, n in shaped.items() if form.day(v))
    return total(shaped) if real >= 0.5 * total(shaped) else 0


def _decided(look: Look, form: Form) -> bool:
    """Day first or month first? Only days above 12 tell, and they have to agree."""
    if form not in (DAY_FIRST, MONTH_FIRST):
        return True
    other = MONTH_FIRST if form is DAY_FIRST else DAY_FIRST
    shaped = [v for v in look.texts if form.shape.fullmatch(v)]
    only_this = sum(1 for v in shaped if form.day(v) and not other.day(v))
    only_other = sum(1 for v in shaped if other.day(v) and not form.day(v))
    return only_this >= ENOUGH and only_other <= 0.02 * only_this


def epochs(look: Look, now: datetime) -> Iterable[CheckSpec]:
    """Numbers that count seconds (or thousandths, or millionths) since 1970, by name and size: none should lie ahead.

    Other epochs give other sizes, or years in which no such system ran.
    """
    named = bool(look.words & TIMES) or look.column.kind in ("date", "timestamp")
    numbers = look.numbers
    if not named or _of_plans(look) or total(numbers) < max(ENOUGH, 0.9 * (look.rows - look.nulls)):
        return
    since, until = EPOCHS_FROM.timestamp(), (now + timedelta(days=1)).timestamp()
    for unit, factor in (("seconds", 1), ("milliseconds", 1_000), ("microseconds", 1_000_000)):
        inside = sum(n for v, n in numbers.items() if since * factor <= v <= until * factor)
        if inside >= 0.9 * total(numbers):
            yield look.spec("not_future", Severity.MEDIUM, look.saw(inside, f"are {unit} since 1970"), form="auto")
            return


DATED_RULES = (dates, epochs)
