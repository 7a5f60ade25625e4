"""A pattern as GLOB and the pattern itself, over odd texts in all three encodings: "enough" is never wrong, "whole" is all."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from watchdog.dialects import glob
from watchdog.sources._functions import register
from watchdog.sql import literal

PATTERNS = [
    "^[0-9]{5}$", "^[0-9]{4}[0-9a-f]$", "^(1234|12345)$", "^12345$", r"^\d{5}$", "[0-9]{5}", "^$",
    r"^[\]a*?-]{3}$", r"^[\^a][*?-]b$", "^[0-9a-f]{2}-[0-9]{2}$", "^[ -~]{5}$", "^[0-9]+$", "^[a-f0-9]{3,5}$",
    "^(0[1-9]|1[0-2])[0-9]{3}$", r"^[^@ ]+@[^@ ]+\.[^@ ]+$", r"^\+[0-9]{4}$",
]  # fmt: skip
ODD = [
    "12345", "12345\0x", "12345\0abcd", "1234567890", "１２３４５", "٣٣٣٣٣", 12345, 12345.0, -1234, "é2345", "", "\0", "1234\n",
    "12345\n", "[a]", "a-b", "^ab", "a@b.c", "a@b@c.d", "+1234", "01234", "13999", "1234", "12-34",
]  # fmt: skip
INVALID = [b"\xc1\x81234", b"12\xff45", b"1234\xc3", b"\xc3\xa9234", b"12345\xff", b"\x80" * 5]
TEXTS = st.lists(st.text("0123459af-^]*?[ .@+\n\0é", max_size=6), max_size=40)


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le", "UTF-16be"])
@settings(max_examples=15, deadline=None)
@given(texts=TEXTS)
def test_what_is_enough_matches_and_what_is_whole_matches_all(encoding: str, texts: list[str]) -> None:
    db = sqlite3.connect(":memory:")
    db.execute(f"PRAGMA encoding = '{encoding}'")
    register(db, encoding)
    db.execute("CREATE TABLE t(c)")
    db.executemany("INSERT INTO t VALUES (?)", [(v,) for v in [*ODD, *texts]])
    db.executemany("INSERT INTO t VALUES (CAST(? AS TEXT))", [(v,) for v in INVALID])
    for pattern in PATTERNS:
        quick = glob.enough(pattern, "c")
        assert quick is not None, pattern
        slow = f"regexp({literal(pattern)}, CAST(c AS BLOB))"
        wrong = f"({quick.sql} AND NOT {slow})" + (f" OR (NOT {quick.sql} AND {slow})" if quick.whole else "")
        (count,) = db.execute(f"SELECT count(*) FROM t WHERE {wrong}").fetchone()
        assert count == 0, (pattern, quick.sql)
    db.close()


def test_the_usual_codes_are_said_whole_and_never_ask_the_regular_expression() -> None:
    wholes = {pattern: quick.whole for pattern in PATTERNS if (quick := glob.enough(pattern, "c"))}
    assert wholes["^[0-9]{5}$"] and wholes["^(0[1-9]|1[0-2])[0-9]{3}$"]
    assert not wholes[r"^\d{5}$"]  # `re` takes the digits of all scripts
    assert not wholes["^[0-9]+$"]


@pytest.mark.parametrize("pattern", ["(?i)^a$", r"^\w+$", "^a|b$", "^(a)+$", "^[0-9é]{5}$", r"(a)\1", "^a{2}?$"])
def test_a_pattern_outside_the_grammar_is_left_to_the_regular_expression(pattern: str) -> None:
    assert glob.enough(pattern, "c") is None
