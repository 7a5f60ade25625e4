"""SQLite's accent for dates and times: conditions and numbers that read a cell `c` (SQL text) in one form.

A day is one of the calendar, from 0001-01-01 to 9999-12-31. A time of day runs from 00:00 to 23:59:59.999: neither 24:00
nor the leap second :60 is read. ISO text is `YYYY-MM-DD`, or that and `HH:MM[:SS[.fraction]]` behind `T`, `t` or one
space, and then perhaps `Z`, `z`, `+HH:MM`, `+HHMM` or `+HH` (up to 14 hours; white space may stand before it).

SQLite alone would also take 2026-02-30, a lone `T` at the end, 24:30, and whatever stands behind a NUL. It stops early in
AND and OR only where they decide about a row or about a WHEN, not where their value goes into something else: hence no
CASE around them.
"""

from __future__ import annotations

from watchdog.sql import literal

UNIX_DAY = 2440587.5  # the Julian day number of 1970-01-01T00:00Z
FIRST, LAST = -62135596800, 253402300800  # seconds since 1970 of the years 0001 to 9999, the last one excluded
UNITS = {"epoch_s": 1, "epoch_ms": 1_000, "epoch_us": 1_000_000}  # in a second
# numbers by their size: Julian days of the years 1858 to 2132, then seconds, milliseconds, microseconds of 1973 to 5138
AUTO = (("julian", 2400000, 2500000), ("epoch_s", 1e8, 1e11), ("epoch_ms", 1e11, 1e14), ("epoch_us", 1e14, 1e17))
MONTHS = "'JanFebMarAprMayJunJulAugSepOctNovDec'"
TEXT_FORMS = ("iso", "dmy", "mdy", "month_day_year")

_D = "[0-9]"
_DAY = f"{_D * 4}-{_D * 2}-{_D * 2}"
_NOT_YEAR_0 = "{c} COLLATE BINARY >= '0001-'"  # no number, so no affinity turns it into one


def readable(c: str, form: str, time: str = "maybe") -> str:
    """True when the cell can be read; `time` ("with", "without", "maybe") says what ISO text has to have beside the day."""
    if form == "iso":
        wanted = {"without": [_day(c)], "with": [_plain(c), _odd(c)], "maybe": [_day(c), _plain(c), _odd(c)]}
        return f"({' OR '.join(wanted[time])})"
    if form in TEXT_FORMS:
        return _real(_rewritten(c, form))
    if form == "auto":
        return f"(typeof({c}) = 'text' AND {readable(c, 'iso', time)} OR {_number(c, form)} IS NOT NULL)"
    return f"({_number(c, form)} IS NOT NULL)"


def seconds(c: str, form: str, clock: str = "any") -> str:
    """Seconds since 1970, to the millisecond, naive text read as UTC; NULL when it cannot be read.

    `clock` keeps "zoned" times alone (text with an offset, numbers), or "naive" ones (other text).
    """
    if form == "auto":
        return f"(CASE typeof({c}) WHEN 'text' THEN {seconds(c, 'iso', clock)} ELSE {_zoned_number(c, form, clock)} END)"
    if form not in TEXT_FORMS:
        return _zoned_number(c, form, clock)
    if form != "iso":
        iso = _rewritten(c, form)
        return "NULL" if clock == "zoned" else _since_1970(f"CASE WHEN {_real(iso)} THEN julianday({iso}) END")
    odd = f"WHEN {_odd(c)} THEN julianday({_spelled(c)})"
    if clock == "zoned":
        return _since_1970(f"CASE WHEN NOT {zoned(c)} THEN NULL {odd} END")
    cases = f"WHEN {_day(c)} OR {_plain(c)} THEN julianday({c}) {odd}"
    return _since_1970(f"CASE {f'WHEN {zoned(c)} THEN NULL ' if clock == 'naive' else ''}{cases} END")


def zoned(c: str) -> str:
    """True for ISO text with an offset, given that it can be read."""
    return f"(substr({c}, 12) GLOB '*[Zz+-]*')"


def later(c: str, form: str, *, today: str, guard: str, now: float, local: float) -> str:
    """True when the cell lies in the future. A day alone is compared with `today`, the day where the source is.

    now: seconds since 1970. local: what a clock there shows, as if it were UTC. guard: a day before any of them; most text
    is older by its first characters, and nothing else is computed for it.
    """
    if form == "auto":
        text = later(c, "iso", today=today, guard=guard, now=now, local=local)
        return f"({text} OR {_number(c, form)} > {now!r})"
    if form not in TEXT_FORMS:
        return f"({_number(c, form)} > {now!r})"
    if form != "iso":
        iso = _rewritten(c, form)
        return f"({iso} > {literal(today)} AND {_real(iso)})"
    instant = f"{seconds(c, 'iso')} > CASE WHEN {zoned(c)} THEN {now!r} ELSE {local!r} END"
    return (
        f"(typeof({c}) = 'text' AND {c} COLLATE BINARY >= {literal(guard)}"
        f" AND CASE WHEN {_day(c)} THEN {c} COLLATE BINARY > {literal(today)} ELSE {instant} END)"
    )


# ---------------------------------------------------------------- ISO text


def _real(iso: str) -> str:
    """date() gives back what it was given only where that is a day of the calendar and nothing else."""
    return f"(date({iso}, '+0 days') IS {iso})"


def _day(c: str) -> str:
    return f"(length({c}) = 10 AND {_NOT_YEAR_0.format(c=c)} AND date({c}, '+0 days') IS {c} COLLATE BINARY)"


def _plain(c: str) -> str:
    """The usual spelling of a time, to the second: told apart by one function."""
    same = f"datetime({c}, '+0 days') IS replace({c}, 'T', ' ')"
    return f"(length({c}) = 19 AND {_NOT_YEAR_0.format(c=c)} AND {same} COLLATE BINARY)"


def _odd(c: str) -> str:
    """Any other spelling of a day and a time: with a fraction or an offset, without seconds, with a small t."""
    head = f"replace(replace(substr({c}, 1, 19), 'T', ' '), 't', ' ')"
    long = f"length({c}) >= 19 AND datetime({head}, '+0 days') IS {head}"
    short = (
        f"substr({c}, 17, 1) <> ':' AND {c} GLOB '{_DAY}[ Tt]{_D * 2}:{_D * 2}*' AND substr({c}, 12, 2) < '24'"
        f" AND {_real(f'substr({c}, 1, 10)')}"
    )
    return (
        f"(length({c}) > 15 AND typeof({c}) = 'text' AND {_NOT_YEAR_0.format(c=c)} AND substr({c}, -1) GLOB '[0-9Zz]'"
        f" AND ({long} OR {short}) AND instr({c}, char(0)) = 0 AND julianday({_spelled(c)}) IS NOT NULL)"
    )


def _spelled(c: str) -> str:
    """ISO text as SQLite reads it: a large T, offsets with minutes and a colon."""
    text = f"replace({c}, 't', 'T')"
    return (
        f"(CASE WHEN substr({c}, -5) GLOB '[+-]{_D * 4}' THEN substr({text}, 1, length({c}) - 2) || ':' || substr({c}, -2)"
        f" WHEN substr({c}, -3) GLOB '[+-]{_D * 2}' THEN {text} || ':00' ELSE {text} END)"
    )


def _since_1970(julian: str) -> str:
    return f"round((({julian}) - {UNIX_DAY}) * 86400.0, 3)"


# ---------------------------------------------------------------- other forms


def _rewritten(c: str, form: str) -> str:
    """Text of another order as an ISO day, '' where it has not the form; whether there is such a day is not asked."""
    whole = f"typeof({c}) = 'text' AND instr({c}, char(0)) = 0 AND substr({c}, -4) > '0000'"
    if form == "month_day_year":  # Jun 12 1998, Jun  2 1998, Jun 2 1998
        number = f"instr({MONTHS}, substr({c}, 1, 3))"
        shape = f"({c} GLOB '[A-Z][a-z][a-z] [0-9 ]{_D} {_D * 4}' OR {c} GLOB '[A-Z][a-z][a-z] {_D} {_D * 4}')"
        day = f"CAST(substr({c}, 5, 2) AS INTEGER)"
        return (
            f"(CASE WHEN {whole} AND {shape} AND {number} % 3 = 1"
            f" THEN printf('%s-%02d-%02d', substr({c}, -4), ({number} + 2) / 3, {day}) ELSE '' END)"
        )
    first, second = f"substr({c}, 1, 2)", f"substr({c}, 4, 2)"
    plain = f"replace(replace({c}, '.', '/'), '-', '/')"
    one, two = f"CAST({plain} AS INTEGER)", f"CAST(substr({plain}, instr({plain}, '/') + 1) AS INTEGER)"
    if form == "dmy":
        first, second, one, two = second, first, two, one
    shapes = " OR ".join(f"{plain} GLOB '{_D * a}/{_D * b}/{_D * 4}'" for a, b in ((1, 1), (1, 2), (2, 1)))
    return (
        f"(CASE WHEN NOT ({whole}) THEN '' WHEN {c} GLOB '{_D * 2}[/.-]{_D * 2}[/.-]{_D * 4}'"
        f" THEN substr({c}, 7) || '-' || {first} || '-' || {second}"
        f" WHEN {shapes} THEN printf('%s-%02d-%02d', substr({c}, -4), {one}, {two}) ELSE '' END)"
    )


def _number(c: str, form: str) -> str:
    """A number as seconds since 1970, NULL for anything else and outside the years 0001 to 9999."""
    if form == "auto":
        sizes = [f"WHEN {c} >= {low!r} AND {c} < {high!r} THEN {_scaled(c, unit)}" for unit, low, high in AUTO]
    else:
        per = UNITS.get(form)
        low, high = (FIRST * per, LAST * per) if per else (FIRST / 86400 + UNIX_DAY, LAST / 86400 + UNIX_DAY)
        sizes = [f"WHEN {c} >= {low!r} AND {c} < {high!r} THEN {_scaled(c, form)}"]
    return f"(CASE WHEN typeof({c}) NOT IN ('integer', 'real') THEN NULL {' '.join(sizes)} END)"


def _scaled(c: str, unit: str) -> str:
    return _since_1970(c) if unit == "julian" else f"{c} / {UNITS[unit]}.0"


def _zoned_number(c: str, form: str, clock: str) -> str:
    return "NULL" if clock == "naive" else _number(c, form)
