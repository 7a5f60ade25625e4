"""SQLite's accent: how the words of `sql.py` are said, cheaply.

Measured on SQLite 3.40 over e-mail addresses (ns a row above reading the cell): `typeof` 6, `trim` 14, IN over 60
literals 56, `instr` 33, a GLOB over the whole text 400, a Python callback about 1,400. So patterns are guarded.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

from watchdog.dialects import glob
from watchdog.sql import (
    _after,
    _is_orphan,
    _Word,
    calendar_day,
    is_blank,
    is_json,
    is_number,
    is_valid_text,
    is_word,
    literal,
    moment,
    octets,
    quoted,
    regex_match,
    storage_class,
    table_name,
    trimmed,
)

# Unicode's White_Space property; SQLite's own trim() takes the space alone
WHITE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
_WHITE = "char(" + ",".join(str(ord(c)) for c in WHITE) + ")"


def _inner(word: _Word, compiler: SQLCompiler, **kw: Any) -> str:
    return compiler.process(word.clauses, **kw)


@compiles(storage_class, "sqlite")
def _storage_class(word: storage_class, compiler: SQLCompiler, **kw: Any) -> str:
    return f"typeof({_inner(word, compiler, **kw)})"


@compiles(is_number, "sqlite")
def _is_number(word: is_number, compiler: SQLCompiler, **kw: Any) -> str:
    """Numbers, and they alone, sort below the empty text: half the price of a call of typeof()."""
    return f"({_inner(word, compiler, **kw)} < '' COLLATE BINARY)"


@compiles(octets, "sqlite")
def _octets(word: octets, compiler: SQLCompiler, **kw: Any) -> str:
    return f"length(CAST({_inner(word, compiler, **kw)} AS BLOB))"


@compiles(is_blank, "sqlite")
def _is_blank(word: is_blank, compiler: SQLCompiler, **kw: Any) -> str:
    """White space sorts below '!' or at U+0085 and above, so most text is told apart by its first character.

    The comparisons are BINARY whatever the column's collation, and a BLOB or a number is never blank. Text that opens with a
    NUL would look empty to trim(), hence the second look at its length in bytes.
    """
    c = _inner(word, compiler, **kw)
    b = f"{c} COLLATE BINARY"
    return (
        f"(typeof({c}) = 'text' AND ({b} < '!' OR {b} >= char(133)) AND trim({c}, {_WHITE}) = '' COLLATE BINARY"
        f" AND instr({c}, char(0)) = 0)"
    )


@compiles(is_word, "sqlite")
def _is_word(word: is_word, compiler: SQLCompiler, **kw: Any) -> str:
    c = _inner(word, compiler, **kw)
    words = ", ".join(literal(w) for w in word.told["words"])
    return f"(typeof({c}) = 'text' AND lower(trim({c}, {_WHITE})) IN ({words}))"


@compiles(trimmed, "sqlite")
def _trimmed(word: trimmed, compiler: SQLCompiler, **kw: Any) -> str:
    return f"trim({_inner(word, compiler, **kw)}, {_WHITE})"


@compiles(regex_match, "sqlite")
def _regex_match(word: regex_match, compiler: SQLCompiler, **kw: Any) -> str:
    """`regexp` is a Python function of the connection: a condition in plain SQL that is enough spares most calls.

    A BLOB sorts above everything else, so "below the empty BLOB" says "no BLOB" without a call of typeof().
    """
    c, pattern = _inner(word, compiler, **kw), word.told["pattern"]
    slow = f"regexp({literal(pattern)}, CAST({c} AS BLOB))"
    quick = glob.enough(pattern, c)
    found = f"({quick} OR {slow})" if quick else slow
    return f"({c} < x'' AND {found})"


@compiles(is_valid_text, "sqlite")
def _is_valid_text(word: is_valid_text, compiler: SQLCompiler, **kw: Any) -> str:
    """Text in 7-bit characters is valid as it stands; only the rest goes to the connection's `valid_utf8`."""
    c = _inner(word, compiler, **kw)
    seven_bit = "'*[^' || char(1) || '-' || char(127) || ']*'"
    return (
        f"(typeof({c}) <> 'text' OR ({c} NOT GLOB {seven_bit} AND instr({c}, char(0)) = 0)"
        f" OR valid_utf8(CAST({c} AS BLOB)))"
    )


@compiles(is_json, "sqlite")
def _is_json(word: is_json, compiler: SQLCompiler, **kw: Any) -> str:
    """json_valid() of SQLite 3.40 reads RFC 8259; text behind a NUL is not seen by it, hence the look for one."""
    c = _inner(word, compiler, **kw)
    return f"(typeof({c}) <> 'blob' AND json_valid({c}) AND instr({c}, char(0)) = 0)"


@compiles(_is_orphan, "sqlite")
def _orphan(word: _is_orphan, compiler: SQLCompiler, **kw: Any) -> str:
    """The parent's column stands on the left: its collation decides, as SQLite's own foreign keys do.

    Without an index on the parent's side NOT EXISTS would read the parent once a row; NOT IN reads it once.
    """
    child, parent, reference = word.told["child"], word.told["parent"], word.told["reference"]
    outer = [f"{table_name(child)}.{quoted(name)}" for name in reference.columns]
    whole = " AND ".join(f"{c} IS NOT NULL" for c in outer)
    inner = [f'"watchdog parent".{quoted(name)}' for name in reference.parent_columns]
    source = f'{table_name(parent)} AS "watchdog parent"'
    if reference.keyed:
        same = " AND ".join(f"{p} = {c}" for p, c in zip(inner, outer, strict=True))
        return f"({whole} AND NOT EXISTS (SELECT 1 FROM {source} WHERE {same}))"
    left = outer[0] if len(outer) == 1 else f"({', '.join(outer)})"
    filled = " AND ".join(f"{p} IS NOT NULL" for p in inner)
    return f"({whole} AND {left} NOT IN (SELECT {', '.join(inner)} FROM {source} WHERE {filled}))"


# ---------------------------------------------------------------- times

UNIX_DAY = "2440587.5"  # the Julian day number of 1970-01-01T00:00Z
# numbers by their size: Julian days of the years 1858 to 2132, then seconds, milliseconds, microseconds of 1973 to 5138
AUTO = (("julian", 2400000, 2500000), ("epoch_s", 1e8, 1e11), ("epoch_ms", 1e11, 1e14), ("epoch_us", 1e14, 1e17))
MONTHS = "'JanFebMarAprMayJunJulAugSepOctNovDec'"


def _iso_of(c: str, form: str) -> str:
    """SQL that rewrites a date text of another order as ISO 8601, NULL or nonsense where it is not one."""
    if form == "iso":
        return c
    if form == "month_day_year":
        month = f"(instr({MONTHS}, substr({c}, 1, 3)) + 2) / 3"
        return (
            f"(CASE WHEN {c} GLOB '[A-Z][a-z][a-z] [0-9 ][0-9] [0-9][0-9][0-9][0-9]' AND instr({MONTHS}, substr({c}, 1, 3)) % 3 = 1"
            f" THEN printf('%s-%02d-%02d', substr({c}, 8, 4), {month}, CAST(trim(substr({c}, 5, 2)) AS INTEGER))"
            f" WHEN {c} GLOB '[A-Z][a-z][a-z] [0-9] [0-9][0-9][0-9][0-9]' AND instr({MONTHS}, substr({c}, 1, 3)) % 3 = 1"
            f" THEN printf('%s-%02d-%02d', substr({c}, 7, 4), {month}, CAST(substr({c}, 5, 1) AS INTEGER)) END)"
        )
    plain = f"replace(replace({c}, '.', '/'), '-', '/')"
    one, two = (f"CAST({plain} AS INTEGER)", f"CAST(substr({plain}, instr({plain}, '/') + 1) AS INTEGER)")
    day, month = (one, two) if form == "dmy" else (two, one)
    shapes = " OR ".join(
        f"{plain} GLOB '{a}/{b}/[0-9][0-9][0-9][0-9]'" for a in ("[0-9]", "[0-9][0-9]") for b in ("[0-9]", "[0-9][0-9]")
    )
    return f"(CASE WHEN {shapes} THEN printf('%s-%02d-%02d', substr({plain}, -4), {month}, {day}) END)"


def _day_of(iso: str) -> str:
    """True when the first ten characters are a day of the calendar (0001 to 9999), whatever offset follows."""
    day = f"substr({iso}, 1, 10)"
    return f"({iso} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' AND date({day}, '+0 days') = {day})"


def _seconds(c: str, form: str) -> str:
    if form == "epoch_s":
        return f"(CASE WHEN typeof({c}) IN ('integer', 'real') THEN {c} * 1.0 END)"
    if form == "epoch_ms":
        return f"(CASE WHEN typeof({c}) IN ('integer', 'real') THEN {c} / 1000.0 END)"
    if form == "epoch_us":
        return f"(CASE WHEN typeof({c}) IN ('integer', 'real') THEN {c} / 1000000.0 END)"
    if form == "julian":
        return f"(CASE WHEN typeof({c}) IN ('integer', 'real') THEN ({c} - {UNIX_DAY}) * 86400.0 END)"
    if form == "auto":
        sizes = " ".join(f"WHEN {c} >= {lo!r} AND {c} < {hi!r} THEN {_seconds(c, unit)}" for unit, lo, hi in AUTO)
        return (
            f"(CASE typeof({c}) WHEN 'text' THEN {_seconds(c, 'iso')} WHEN 'blob' THEN NULL ELSE CASE {sizes} END END)"
        )
    iso = _iso_of(c, form)
    return f"(CASE WHEN typeof({c}) = 'text' AND {_day_of(iso)} THEN (julianday({iso}) - {UNIX_DAY}) * 86400.0 END)"


def _numbers(c: str) -> str:
    """A number as seconds since 1970 by its size, NULL when it has the size of none."""
    sizes = " ".join(f"WHEN {c} >= {lo!r} AND {c} < {hi!r} THEN {_seconds(c, unit)}" for unit, lo, hi in AUTO)
    return f"(CASE WHEN typeof({c}) NOT IN ('integer', 'real') THEN NULL {sizes} END)"


@compiles(moment, "sqlite")
def _moment(word: moment, compiler: SQLCompiler, **kw: Any) -> str:
    return _seconds(_inner(word, compiler, **kw), word.told.get("form", "auto"))


@compiles(calendar_day, "sqlite")
def _calendar_day(word: calendar_day, compiler: SQLCompiler, **kw: Any) -> str:
    c, form = _inner(word, compiler, **kw), word.told.get("form", "auto")
    if form in ("iso", "dmy", "mdy", "month_day_year"):
        return _text_day(c, form)
    numbers = f"date({_seconds(c, form)}, 'unixepoch')"
    if form == "auto":
        return f"(CASE WHEN typeof({c}) = 'text' THEN {_text_day(c, 'iso')} ELSE {numbers} END)"
    return numbers


def _text_day(c: str, form: str) -> str:
    iso = _iso_of(c, form)
    return f"(CASE WHEN typeof({c}) = 'text' AND {_day_of(iso)} THEN substr({iso}, 1, 10) END)"


@compiles(_after, "sqlite")
def _later(word: _after, compiler: SQLCompiler, **kw: Any) -> str:
    """Text is first compared as text: most of it is older by its first characters, and nothing else is computed."""
    c, told = _inner(word, compiler, **kw), word.told
    form = told["form"]
    iso = _iso_of(c, form if form != "auto" else "iso")
    aware = f"({iso} GLOB '*[Zz]' OR substr({iso}, -6) GLOB '[+-][0-9][0-9]:[0-9][0-9]')"
    instant = (
        f"coalesce(julianday({iso}) > julianday(CASE WHEN {aware} THEN {literal(told['now_utc'])}"
        f" ELSE {literal(told['now_local'])} END), substr({iso}, 1, 10) > {literal(told['today'])})"
    )
    text = (
        f"(typeof({c}) = 'text' AND {iso} COLLATE BINARY >= {literal(told['guard'])} AND {_day_of(iso)}"
        f" AND CASE WHEN length({iso}) = 10 THEN {iso} > {literal(told['today'])} ELSE {instant} END)"
    )
    if form in ("iso", "dmy", "mdy", "month_day_year"):
        return text
    limit = told["local_seconds"] if form == "julian" else told["seconds"]
    number = f"({_seconds(c, form)} > {limit!r})"
    if form == "auto":
        return f"(CASE WHEN typeof({c}) = 'text' THEN {text} ELSE {_numbers(c)} > {told['seconds']!r} END)"
    return number
