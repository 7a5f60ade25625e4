"""Cron text means what crontab(5) says, not what APScheduler makes of it."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchdog.config.cron import WEEKDAYS, parse_cron
from watchdog.config.values import Schedule
from watchdog.scheduler import _next


def next_of(cron: str, now: datetime, zone: str = "UTC") -> datetime:
    return _next(Schedule(source="s", file="c", line=1, cron=cron, time_zone=zone), now)


@pytest.mark.parametrize(
    ("field", "days"),
    [
        ("0", "sun"),
        ("7", "sun"),
        ("1", "mon"),
        ("1-5", "mon,tue,wed,thu,fri"),
        ("sun-tue", "sun,mon,tue"),
        ("FRI-sun", "sun,fri,sat"),
    ]
    + [("*/2", "sun,tue,thu,sat"), ("5-7", "sun,fri,sat"), ("mon,3", "mon,wed"), ("*", "*")],
)
def test_zero_is_sunday(field: str, days: str) -> None:
    assert parse_cron(f"0 6 * * {field}").weekday == days


@given(st.integers(0, 7), st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)))
def test_a_numbered_weekday_comes_on_that_day(number: int, start: datetime) -> None:
    found = next_of(f"15 4 * * {number}", start.replace(tzinfo=UTC))
    assert WEEKDAYS[number % 7] == found.strftime("%a").lower()
    assert (found.hour, found.minute) == (4, 15)
    assert found - start.replace(tzinfo=UTC) <= timedelta(days=7)


def test_a_day_of_the_month_and_a_weekday_mean_either() -> None:
    now = datetime(2026, 5, 2, tzinfo=UTC)  # a Saturday
    assert next_of("0 6 15 * 1", now) == datetime(2026, 5, 4, 6, tzinfo=UTC)  # Monday comes first
    assert next_of("0 6 3 * 1", now) == datetime(2026, 5, 3, 6, tzinfo=UTC)  # the third comes first


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("* * * *", "4 fields"),
        ("", "0 fields"),
        ("@daily", "1 fields"),
        ("60 * * * *", "minute '60'"),
        ("* 24 * * *", "hour '24'"),
    ]
    + [
        ("* * 0 * *", "day of month '0'"),
        ("* * * 13 *", "month '13'"),
        ("* * * * 8", "weekday '8'"),
        ("*/0 * * * *", "step"),
    ]
    + [
        ("5-1 * * * *", "backwards"),
        ("a * * * *", "minute 'a'"),
        ("1,,2 * * * *", "minute ''"),
        ("-1 * * * *", "minute '-1'"),
    ]
    + [
        ("0 0 31 2 *", "never comes"),
        ("0 0 30 feb *", "never comes"),
        ("0 0 31 4,6 *", "never comes"),
        ("* * L * *", "'L'"),
    ],
)
def test_what_cron_does_not_know_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        parse_cron(text)
    assert words in str(caught.value)


def test_the_29th_of_february_comes_in_leap_years() -> None:
    assert next_of("0 0 29 2 *", datetime(2026, 5, 1, tzinfo=UTC)).date().isoformat() == "2028-02-29"


@pytest.mark.parametrize(
    ("zone", "before", "after"),
    [
        ("Europe/Berlin", "2026-03-28T05:00+00:00", "2026-03-29T04:00+00:00"),
        ("America/New_York", "2026-03-07T11:00+00:00", "2026-03-08T10:00+00:00"),
    ]
    + [
        ("Europe/Berlin", "2026-10-24T04:00+00:00", "2026-10-25T05:00+00:00"),
        ("Asia/Shanghai", "2026-03-27T22:00+00:00", "2026-03-28T22:00+00:00"),
    ],
)
def test_six_in_the_morning_is_six_before_and_after_the_clocks_change(zone: str, before: str, after: str) -> None:
    first = next_of("0 6 * * *", datetime.fromisoformat(before) - timedelta(hours=2), zone)
    second = next_of("0 6 * * *", first.astimezone(UTC) + timedelta(minutes=1), zone)
    assert (first, second) == (datetime.fromisoformat(before), datetime.fromisoformat(after))
    assert (first.hour, second.hour) == (6, 6)


def test_a_time_that_the_clocks_skip_comes_an_hour_later() -> None:
    found = next_of("30 2 * * *", datetime(2026, 3, 28, 12, tzinfo=UTC), "Europe/Berlin")
    assert found.astimezone(UTC) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)  # 03:30 in summer time
