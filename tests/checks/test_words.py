"""The words that checks speak, as SQLite pronounces them, against plain Python: every storage class, NULs, bytes that are no
text, columns of any affinity and collation, databases in UTF-8 and UTF-16."""

from __future__ import annotations

import functools
import json
import math
import re
import sqlite3
import string
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa
from hypothesis import example, given, settings
from hypothesis import strategies as st

import watchdog.dialects.sqlite  # noqa: F401 - teaches SQLAlchemy how SQLite says our words
from watchdog import sql
from watchdog.checks.valid import PATTERNS
from watchdog.dialects.glob import enough
from watchdog.model import Column, Reference, Table
from watchdog.sources._functions import compiled, register

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
WHITE = "".join(chr(n) for n in range(0x110000) if chr(n).isspace() and not 0x1C <= n <= 0x1F)  # White_Space of Unicode
DECLARED = ("", "TEXT", "NUMERIC", "TEXT COLLATE NOCASE")
ENCODINGS = {"UTF-8": "utf-8", "UTF-16le": "utf-16-le", "UTF-16be": "utf-16-be"}


class Text(bytes):
    """Bytes that stand in the database as text, whatever they are."""


def texts(alphabet: str, most: int = 12) -> st.SearchStrategy[str]:
    return st.text(st.one_of(st.sampled_from(alphabet), st.characters(exclude_categories=["Cs"])), max_size=most)


PIECES = [
    b"a",
    b"A",
    b" ",
    b"@",
    b"\0",
    b"\xff",
    b"\xc3",
    b"\xc3\xa9",
    b"\xe0\x83\xa9",
    b"\xc1\x81",
    b"\xed\xa0\x80",
    b"\x80",
    b"\xe3\x80\x80",
]
broken = st.lists(st.sampled_from(PIECES), max_size=6).map(lambda pieces: Text(b"".join(pieces)))
numbers = st.one_of(
    st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.sampled_from([0, 1, -1, 2**53 + 1])
)


def cells(text: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    return st.one_of(text, text, broken, st.none(), numbers, st.binary(max_size=4))


@functools.cache
def base(declared: str, encoding: str = "UTF-8") -> sqlite3.Connection:
    raw = sqlite3.connect(":memory:", isolation_level=None)
    raw.execute(f"PRAGMA encoding = '{encoding}'")
    raw.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    register(raw, ENCODINGS[encoding])
    raw.execute(f'CREATE TABLE t("c x" {declared})')
    return raw


COLUMN = sql.cell(Column("t", "c x", "other", "", True, 0))


def look(word: sa.ColumnElement[Any], cell: Any, declared: str = "", encoding: str = "UTF-8") -> tuple[Any, Any]:
    """What the word says of a cell, and the cell as it is stored."""
    raw = base(declared, encoding)
    raw.execute("DELETE FROM t")
    if isinstance(cell, Text):
        raw.execute(f"INSERT INTO t VALUES (CAST(x'{cell.hex()}' AS TEXT))")
    else:
        raw.execute("INSERT INTO t VALUES (?)", (cell,))
    said = sql.speak(word, "sqlite", NOW)
    ((answer, stored),) = raw.execute(f'SELECT {said}, "c x" FROM t').fetchall()
    if answer in (0, 1, None):  # a condition may be put differently where it decides about rows
        assert raw.execute(f"SELECT count(*) FROM t WHERE {said}").fetchone()[0] == (1 if answer else 0)
    return answer, stored


def small(text: str) -> str:
    return re.sub("[A-Z]", lambda m: m[0].lower(), text)


# ---------------------------------------------------------------- text


@given(cells(texts(WHITE + "a\0")), st.sampled_from(DECLARED))
@example("\u2028", "")
@example("\0", "TEXT")
@example(Text(b"\xe3\x80\x80\xff"), "TEXT")
def test_blank_is_text_of_white_space_alone(cell: Any, declared: str) -> None:
    answer, stored = look(sql.is_blank(COLUMN), cell, declared)
    assert bool(answer) == (isinstance(stored, str) and stored.strip(WHITE) == "")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_all_white_space_is_blank_in_every_encoding(encoding: str) -> None:
    for char in WHITE:
        assert look(sql.is_blank(COLUMN), char * 2, "TEXT", encoding)[0] == 1
        assert look(sql.is_blank(COLUMN), f"{char}x{char}", "TEXT", encoding)[0] == 0
        assert look(sql.is_word(COLUMN, words=("n/a",)), f"{char}N/a{char}", "TEXT", encoding)[0] == 1
    assert look(sql.is_blank(COLUMN), "", "TEXT", encoding)[0] == 1


WORDS = ("-", "n/a", "null", "o'k", "é")


@given(
    cells(st.tuples(texts(WHITE, 2), st.sampled_from([*WORDS, "NULL", "N/A", "É"]), texts(WHITE, 2)).map("".join)),
    st.sampled_from(DECLARED),
)
def test_a_word_is_found_in_any_case_and_between_white_space(cell: Any, declared: str) -> None:
    answer, stored = look(sql.is_word(COLUMN, words=WORDS), cell, declared)
    assert bool(answer) == (isinstance(stored, str) and small(stored.strip(WHITE)) in WORDS)


@given(cells(texts("aé\0\x7f\x80")), st.sampled_from(DECLARED))
@example(Text(b"a\0\xff"), "TEXT")
def test_valid_text_is_what_decodes(cell: Any, declared: str) -> None:
    answer, stored = look(sql.is_valid_text(COLUMN), cell, declared)
    try:
        good = not isinstance(stored, str) or bool(stored.encode()) or True
    except UnicodeEncodeError:
        good = False
    assert bool(answer) == good


def test_half_a_character_is_no_valid_text_in_utf_16() -> None:
    cell = Text("a\ud83d".encode("utf-16-le", "surrogatepass"))
    assert look(sql.is_valid_text(COLUMN), cell, "TEXT", "UTF-16le")[0] == 0
    assert look(sql.is_valid_text(COLUMN), "a😀é", "TEXT", "UTF-16le")[0] == 1


@given(
    cells(
        st.one_of(
            texts('{}[]",:1e.-tn\0 \\'),
            st.sampled_from(['{"a": [1]}', "NaN", "[1,]", "'a'", "\0", "1\0x", "1e5", "01"]),
        )
    ),
    st.sampled_from(DECLARED),
)
def test_json_is_what_the_standard_says(cell: Any, declared: str) -> None:
    answer, stored = look(sql.is_json(COLUMN), cell, declared)
    if stored is None:
        assert not answer
        return
    if isinstance(stored, str) and any("\ud800" <= char <= "\udfff" for char in stored):
        return  # what stands in bytes that are no text is the business of `encoding`
    assert bool(answer) == (not isinstance(stored, bytes) and _is_json(stored))


def _is_json(cell: Any) -> bool:
    def no(word: str) -> None:
        raise ValueError(word)

    if isinstance(cell, float):
        return math.isfinite(cell)
    if str(cell) != str(cell).strip(" \t\n\r"):
        return _is_json(str(cell).strip(" \t\n\r"))
    try:
        json.loads(str(cell), parse_constant=no)
    except ValueError:
        return False
    return True


@given(cells(texts("a")), st.sampled_from(DECLARED))
def test_a_number_is_a_number_by_what_is_stored(cell: Any, declared: str) -> None:
    answer, stored = look(sql.is_number(COLUMN), cell, declared)
    assert answer == (None if stored is None else int(isinstance(stored, int | float)))
    kind, _ = look(sql.storage_class(COLUMN), cell, declared)
    assert kind == {type(None): "null", int: "integer", float: "real", str: "text", bytes: "blob"}[type(stored)]


def test_a_number_in_a_view_that_calls_it_text_is_a_number() -> None:
    raw = sqlite3.connect(":memory:")
    raw.executescript(
        "CREATE TABLE a(x TEXT); CREATE TABLE b(x INTEGER); INSERT INTO b VALUES (7);"
        'CREATE VIEW v AS SELECT x AS "c x" FROM a UNION ALL SELECT x FROM b'
    )
    assert raw.execute(f"SELECT {sql.speak(sql.is_number(COLUMN), 'sqlite', NOW)} FROM v").fetchall() == [(1,)]


@pytest.mark.parametrize("declared", DECLARED)
def test_exactly_compares_text_as_text_and_letter_by_letter(declared: str) -> None:
    assert look(sql.exactly(COLUMN) == sql.value("ab"), "AB", declared)[0] == 0
    assert look(sql.exactly(COLUMN) < sql.value("2020"), "1999-01-01", declared)[0] == 1


# ---------------------------------------------------------------- patterns


@given(
    cells(texts("ab@.\n\0")),
    st.sampled_from(DECLARED),
    st.sampled_from([r"^a+$", r"@", r"^[^@]+@[^@]+$", r"a{2}", r"\d", r"é"]),
)
@example("a\n", "", "^a+$")
@example(Text(b"\xe0\x83\xa9"), "TEXT", "é")  # SQLite's own functions take this for an é, it is no text
def test_a_pattern_matches_where_re_finds_it(cell: Any, declared: str, pattern: str) -> None:
    answer, stored = look(sql.regex_match(COLUMN, pattern=pattern), cell, declared)
    if stored is None:
        assert answer is None
    elif isinstance(stored, bytes):
        assert answer == 0
    else:
        text = (
            base("").execute("SELECT CAST(? AS TEXT)", (stored,)).fetchone()[0]
            if not isinstance(stored, str)
            else stored
        )
        assert bool(answer) == bool(compiled(pattern).search(text))


ITEMS = [
    "a",
    "b",
    "-",
    "@",
    "é",
    "[ab]",
    "[^ab]",
    "[^@]",
    "[a-c]",
    "[]a]",
    "[^]a]",
    "[a-]",
    r"[\d-]",
    r"\d",
    r"\.",
    ".",
    r"\-",
    "[é-ü]",
    "[*?]",
    r"\[",
    "(a|b)",
    "(?:ab|-)",
    "(é|a)",
]
items = st.tuples(st.sampled_from(ITEMS), st.sampled_from(["", "", "", "+", "*", "?", "{2}", "{1,3}", "{2,}"])).map(
    "".join
)
patterns = st.tuples(
    st.sampled_from(["^", ""]), st.lists(items, max_size=5).map("".join), st.sampled_from(["$", ""])
).map("".join)
near = st.one_of(
    st.text("abc-@é1.]\n*?[", max_size=8),
    st.builds(lambda b: Text(bytes(b)), st.lists(st.sampled_from(b"ab-@\xc3\xa9\xe0\x83\xff\0"), max_size=8)),
)


@settings(max_examples=600)
@given(patterns, near)
@example("^[^@]+@[^@]+$", "a@b@c")
@example("^é$", Text(b"\xe0\x83\xa9"))
@example("^[é-ü]+$", Text(b"\xe0\x83\xa9"))
@example("^a$", Text(b"a\0b"))
def test_what_is_enough_for_a_pattern_is_never_too_little(pattern: str, cell: Any) -> None:
    try:
        found = compiled(pattern)
    except re.error:
        return
    quick = enough(pattern, '"c x"')
    if quick:
        answer, stored = look(sa.literal_column(quick.sql), cell, "TEXT")
        assert not answer or found.search(stored)
        assert not quick.whole or bool(answer) == bool(found.search(stored))


@pytest.mark.parametrize(
    ("pattern", "cell"),
    [
        (r"^[0-9]{5}$", "02134"),
        (r"^[^@]+@[^@]+\.[a-z]+$", "ann@x.org"),
        (PATTERNS["uuid"], "0b4ee65d-e44a-4a54-a8aa-f3c7006fc220"),
        (r"^(open|paid|sent)$", "paid"),
    ],
)
def test_everyday_patterns_need_no_call_into_python(pattern: str, cell: str) -> None:
    quick = enough(pattern, '"c x"')
    assert quick and look(sa.literal_column(quick.sql), cell, "TEXT")[0] == 1


# ---------------------------------------------------------------- dates and times

ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(?:[ \t\n\r\f\v]*([Zz]|[+-]\d\d(?::?\d\d)?))?)?",
    re.ASCII,
)
days = st.one_of(
    st.dates().map(str),
    st.tuples(st.integers(0, 9999), st.integers(0, 13), st.integers(0, 32)).map(
        lambda p: "{:04d}-{:02d}-{:02d}".format(*p)
    ),
    st.sampled_from(
        [
            "2026-02-30",
            "2024-02-29",
            "2023-02-29",
            "0000-00-00",
            "0000-01-01",
            "9999-12-31",
            "10000-01-01",
            "-4713-11-24",
        ]
    ),
)
clocks = st.one_of(
    st.tuples(
        st.sampled_from(["T", " ", "t", "  ", ""]),
        st.integers(0, 25),
        st.integers(0, 61),
        st.one_of(st.just(""), st.integers(0, 61).map(":{:02d}".format)),
        st.sampled_from(["", "", ".5", ".123456", ".", ",5"]),
        st.sampled_from(["", "", "Z", "z", "+02:00", "-0530", "+14", " +01:00", "+15:00", "+1", "T", "\0", "\0x", " "]),
    ).map(lambda p: f"{p[0]}{p[1]:02d}:{p[2]:02d}{p[3]}{p[4]}{p[5]}"),
    st.sampled_from([" 00:00:00", "T23:59:59.999Z", " 24:00:00", "T24:00", " 23:59:60", "T", " ", "\0", "Z"]),
)
iso_texts = st.one_of(days, st.tuples(days, clocks).map("".join), texts("2026-0 T:Z"))


def read(text: str) -> tuple[date, datetime | None] | None:
    """The day, and the time if there is one (naive when without an offset); None when the text is no ISO date."""
    found = ISO.fullmatch(text)
    if not found:
        return None
    year, month, day, hour, minute, second, fraction, offset = found.groups()
    try:
        that = date(int(year), int(month), int(day))
        if hour is None:
            return that, None
        micros = min(round(float(fraction or 0) * 1e6), 999_999)
        at = datetime(that.year, that.month, that.day, int(hour), int(minute), int(second or 0), micros)
    except ValueError:
        return None
    if offset is None:
        return that, at
    if offset in "Zz":
        return that, at.replace(tzinfo=UTC)
    hours, minutes = int(offset[1:3]), int(offset[-2:]) if len(offset) > 3 else 0
    if hours > 14 or minutes > 59:
        return None
    shift = timedelta(hours=hours, minutes=minutes) * (-1 if offset[0] == "-" else 1)
    return that, at.replace(tzinfo=UTC) - shift if at.year not in (1, 9999) else at.replace(tzinfo=UTC)


@settings(max_examples=500)
@given(cells(iso_texts), st.sampled_from(DECLARED))
@example("2026-02-30", "NUMERIC")
@example("0000-01-01", "NUMERIC")
@example("2026-01-01 24:30", "")
@example("2026-01-01 10:00\0x", "")
def test_iso_text_is_read_when_there_is_such_a_day_and_time(cell: Any, declared: str) -> None:
    stored = look(COLUMN, cell, declared)[1]
    known = read(stored) if isinstance(stored, str) else None
    for time, wanted in (
        ("maybe", bool(known)),
        ("with", bool(known and known[1])),
        ("without", bool(known and not known[1])),
    ):
        answer, _ = look(sql.is_date(COLUMN, form="iso", time=time), cell, declared)
        assert bool(answer) == wanted, time
        refused, _ = look(
            sa.and_(COLUMN.is_not(None), sql.not_(sql.is_date(COLUMN, form="iso", time=time))), cell, declared
        )
        assert bool(refused) == (stored is not None and not wanted), time


@given(iso_texts)
@example("2026-05-01T10:00:00.123456+0530")
@example("2026-05-01 10:00Z")
def test_a_moment_is_the_seconds_since_1970(text: str) -> None:
    known = read(text)
    answers = {
        clock: look(sql.moment(COLUMN, form="auto", clock=clock), text)[0] for clock in ("any", "zoned", "naive")
    }
    if known is None:
        assert set(answers.values()) == {None}
        return
    at = known[1] or datetime(known[0].year, known[0].month, known[0].day)
    if at.year in (1, 9999):
        return
    assert answers["any"] == pytest.approx(at.replace(tzinfo=UTC).timestamp(), abs=0.002)
    mine, other = ("naive", "zoned") if at.tzinfo is None else ("zoned", "naive")
    assert answers[mine] == answers["any"] and answers[other] is None


SHORT = [
    ("dmy", "{0.day}/{0.month}/{0.year:04d}"),
    ("dmy", "{0.day:02d}.{0.month:02d}.{0.year:04d}"),
    ("dmy", "{0.day}-{0.month:02d}-{0.year:04d}"),
    ("mdy", "{0.month:02d}/{0.day:02d}/{0.year:04d}"),
    ("mdy", "{0.month}/{0.day}/{0.year:04d}"),
    ("month_day_year", "{0:%b} {0.day} {0.year:04d}"),
    ("month_day_year", "{0:%b} {0.day:2d} {0.year:04d}"),
]


@given(st.sampled_from(SHORT), st.dates(), st.sampled_from(["", "", "\0", "x", " "]))
def test_days_in_other_orders_are_read(way: tuple[str, str], day: date, tail: str) -> None:
    form, shape = way
    text = shape.format(day) + tail
    seconds = datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
    assert look(sql.is_date(COLUMN, form=form), text)[0] == (0 if tail else 1)
    assert look(sql.moment(COLUMN, form=form), text)[0] == (None if tail else seconds)
    tomorrow = (NOW + timedelta(days=1)).date()
    assert bool(look(sql.after(COLUMN, form=form, now=NOW, time_zone="UTC"), text)[0]) == (not tail and day >= tomorrow)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("dmy", "31/02/2026"),
        ("dmy", "12/13/2026"),
        ("dmy", "00/01/2026"),
        ("dmy", "1/1/0000"),
        ("dmy", "1/1/26"),
        ("dmy", "2026-01-01"),
        ("mdy", "13/12/2026"),
        ("mdy", "02/30/2026"),
        ("month_day_year", "Feb 30 2026"),
        ("month_day_year", "anF 1 2026"),
        ("month_day_year", "jan 1 2026"),
    ],
)
def test_days_that_are_not_in_the_calendar_are_not_read(form: str, text: str) -> None:
    assert look(sql.is_date(COLUMN, form=form), text)[0] == 0
    assert look(sql.moment(COLUMN, form=form), text)[0] is None


@given(
    st.one_of(numbers, st.floats(1e8, 1e18), st.floats(1.7e6, 6e6)),
    st.sampled_from(["epoch_s", "epoch_ms", "epoch_us", "julian", "auto"]),
)
@example(math.inf, "epoch_s")
@example(2440587.5, "julian")
def test_numbers_count_from_1970_in_their_unit(number: float, form: str) -> None:
    unit = form
    if form == "auto":
        sizes = (("julian", 2.4e6, 2.5e6), ("epoch_s", 1e8, 1e11), ("epoch_ms", 1e11, 1e14), ("epoch_us", 1e14, 1e17))
        unit = next((name for name, low, high in sizes if low <= number < high), "")
    per = {"epoch_s": 1, "epoch_ms": 1e3, "epoch_us": 1e6}.get(unit)
    seconds = number / per if per else (number - 2440587.5) * 86400 if unit == "julian" else math.inf
    answer, _ = look(sql.moment(COLUMN, form=form), number)
    assert bool(look(sql.is_date(COLUMN, form=form), number)[0]) == (answer is not None)
    if -62135596800 <= seconds < 253402300800:
        assert answer == pytest.approx(seconds, abs=0.002)
    else:
        assert answer is None


@given(
    st.datetimes(datetime(2026, 4, 29), datetime(2026, 5, 3)),
    st.sampled_from(["", "Z", "+02:00", "-11:30", "+14:00"]),
    st.booleans(),
    st.sampled_from(["UTC", "Asia/Shanghai", "America/Los_Angeles"]),
)
def test_the_future_begins_after_now_where_the_source_is(at: datetime, offset: str, alone: bool, zone: str) -> None:
    text = str(at.date()) if alone else at.isoformat(" ", "milliseconds") + offset
    answer, _ = look(sql.after(COLUMN, form="auto", now=NOW, time_zone=zone), text)
    if alone:
        assert bool(answer) == (at.date() > NOW.astimezone(ZoneInfo(zone)).date())
    else:
        moment = datetime.fromisoformat(text)
        assert bool(answer) == ((moment if offset else moment.replace(tzinfo=ZoneInfo(zone))) > NOW)


def test_numbers_and_what_cannot_be_read_as_the_future() -> None:
    future = sql.after(COLUMN, form="auto", now=NOW, time_zone="UTC")
    assert look(future, NOW.timestamp() + 1)[0] == 1
    assert look(future, (NOW.timestamp() + 1) * 1000)[0] == 1
    assert look(future, NOW.timestamp() - 1)[0] == 0
    for cell in ("2027-02-30", "9999", "zzz", b"2027-01-01", 5, math.inf, None, "2027-01-01 24:30", "2027-01-01\0"):
        assert not look(future, cell)[0], cell


# ---------------------------------------------------------------- references

KEYS = st.one_of(st.none(), st.integers(0, 3), st.sampled_from(["1", "01", "a", "A", "1.0", b"1", 1.0, 1.5]))
SIDES = st.sampled_from(["INTEGER", "TEXT", "TEXT COLLATE NOCASE", "", "REAL", "BLOB"])


@settings(max_examples=300)
@given(SIDES, SIDES, st.lists(KEYS, max_size=5), st.lists(KEYS, max_size=5), st.booleans())
def test_orphans_are_those_that_sqlites_own_foreign_keys_miss(
    child: str, parent: str, children: list[Any], parents: list[Any], keyed: bool
) -> None:
    raw = sqlite3.connect(":memory:")
    raw.execute(f"CREATE TABLE parent(k {parent} UNIQUE)")
    raw.execute(f"CREATE TABLE child(id INTEGER PRIMARY KEY, k {child} REFERENCES parent(k))")
    raw.executemany("INSERT OR IGNORE INTO parent VALUES (?)", [(k,) for k in parents])
    raw.executemany("INSERT INTO child(k) VALUES (?)", [(k,) for k in children])
    collation = "NOCASE" if "NOCASE" in parent else "BINARY"
    tables = [
        Table(
            "",
            name,
            "table",
            (Column(name, "k", "other", "", True, 0, collation=collation if name == "parent" else "BINARY"),),
        )
        for name in ("child", "parent")
    ]
    word = sql.is_orphan(tables[0], Reference(("k",), "parent", ("k",), keyed), tables[1])
    ours = {row[0] for row in raw.execute(f"SELECT id FROM child WHERE {sql.speak(word, 'sqlite', NOW)}")}
    assert ours == {row[1] for row in raw.execute("PRAGMA foreign_key_check(child)")}


def test_a_composite_reference_with_a_null_part_is_no_orphan() -> None:
    raw = sqlite3.connect(":memory:")
    raw.executescript(
        "CREATE TABLE p(a, b); CREATE TABLE c(x, y); INSERT INTO p VALUES (1, 2), (NULL, 3);"
        "INSERT INTO c VALUES (1, 2), (1, 3), (NULL, 3), (2, NULL)"
    )
    tables = [
        Table("", t, "table", tuple(Column(t, c, "other", "", True, n) for n, c in enumerate(cols)))
        for t, cols in (("c", "xy"), ("p", "ab"))
    ]
    for keyed in (True, False):
        word = sql.is_orphan(tables[0], Reference(("x", "y"), "p", ("a", "b"), keyed), tables[1])
        assert raw.execute(f"SELECT x, y FROM c WHERE {sql.speak(word, 'sqlite', NOW)}").fetchall() == [(1, 3)]


# ---------------------------------------------------------------- literals

fractions = st.builds(lambda n, k: n / 10**k, st.integers(-(10**15), 10**15), st.integers(0, 9))
plain = st.one_of(
    st.text(string.printable + "'\0é"), st.integers(-(2**63), 2**63 - 1), fractions, st.binary(), st.none()
)  # fmt: skip


@given(plain)
@example(math.inf)
@example(-math.inf)
@example("\udcff")
@example(":now --")
@example("100%s")
def test_a_literal_reads_back_as_the_same_value(value: Any) -> None:
    answer = base("").execute(f"SELECT {sql.speak(sql.value(value), 'sqlite', NOW)}").fetchone()[0]
    assert (type(answer), answer) == (type(value), value)


def test_a_nul_in_a_literal_is_one_in_every_encoding() -> None:
    for encoding in ENCODINGS:
        same = COLUMN.in_([sql.value("a\0é")])
        assert look(same, "a\0é", "TEXT", encoding)[0] == 1
