"""What a connection lets through, when it stops, and how it reads text that is not valid."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from watchdog.errors import SourceError
from watchdog.model import Limits
from watchdog.sources._functions import compiled
from watchdog.sources.sqlite import open_sqlite

Keep = Callable[[Path], None]
Start = Callable[..., Any]
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture
def reading(shop: Path, untouched: Keep) -> Iterator[Connection]:
    untouched(shop.parent)
    with (
        open_sqlite(shop, name="shop", limits=Limits()) as opened,
        opened.source.connect() as connection,
    ):
        yield connection


REFUSED = [
    "INSERT INTO t(word) VALUES ('x')",
    "DELETE FROM t",
    "UPDATE t SET word = 'x'",
    "UPDATE sqlite_master SET sql = NULL",
    "CREATE TABLE u(n)",
    "CREATE TEMP TABLE u(n)",
    "DROP TABLE t",
    "ALTER TABLE t ADD COLUMN x",
    "ATTACH '{folder}/other.db' AS other",
    "VACUUM",
    "VACUUM INTO '{folder}/other.db'",
    "CREATE INDEX i ON t(word)",
    "ANALYZE",
    "BEGIN IMMEDIATE",
    "SAVEPOINT a",
    "PRAGMA user_version = 7",
    "PRAGMA journal_mode = WAL",
    "PRAGMA wal_checkpoint",
    "PRAGMA query_only = OFF",
    "PRAGMA trusted_schema = ON",
    "PRAGMA writable_schema = ON",
    "PRAGMA temp_store_directory = '{folder}'",
    "SELECT load_extension('x')",
    "SELECT fts3_tokenizer('simple')",
]


@pytest.mark.parametrize("sql", REFUSED)
def test_whatever_could_write_is_refused(
    sql: str, reading: Connection, shop: Path
) -> None:
    with pytest.raises(
        DBAPIError,
        match=r"not authorized|authorization denied|readonly|may not be modified",
    ):
        reading.exec_driver_sql(sql.format(folder=shop.parent)).fetchall()


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n WHERE i < 5) SELECT count(*) FROM n",
            5,
        ),
        ("SELECT name FROM pragma_table_xinfo('t') LIMIT 1", "id"),
        ("SELECT value FROM json_each('[4]')", 4),
        ("PRAGMA integrity_check(1)", "ok"),
        ("PRAGMA trusted_schema", 0),
        ("PRAGMA query_only", 1),
        ("PRAGMA cell_size_check", 1),
        ("PRAGMA encoding", "UTF-8"),
    ],
)
def test_reading_is_allowed(sql: str, value: object, reading: Connection) -> None:
    assert reading.exec_driver_sql(sql).scalar() == value


def test_virtual_tables_can_be_read_and_their_parts_not_written(
    data: Path, made: Start, untouched: Keep
) -> None:
    path = data / "v.db"
    made(
        path,
        "CREATE VIRTUAL TABLE boxes USING rtree(id, low, high)",
        "INSERT INTO boxes VALUES (1, 2, 3)",
        "CREATE VIRTUAL TABLE notes USING fts5(body)",
        "INSERT INTO notes VALUES ('hello world')",
    )
    untouched(data)
    with (
        open_sqlite(path, name="v", limits=Limits()) as opened,
        opened.source.connect() as connection,
    ):
        assert connection.exec_driver_sql("SELECT high FROM boxes").scalar() == 3
        assert (
            connection.exec_driver_sql(
                "SELECT count(*) FROM notes WHERE notes MATCH 'hello'"
            ).scalar()
            == 1
        )
        with pytest.raises(DBAPIError, match="readonly"):
            connection.exec_driver_sql("DELETE FROM boxes_node")


def test_a_trap_in_the_schema_is_not_run(
    data: Path, made: Start, untouched: Keep
) -> None:
    made(
        data / "trap.db",
        "CREATE TABLE t(n)",
        "CREATE VIEW v AS SELECT load_extension('/tmp/x.so') FROM t",
    )
    untouched(data)
    with (
        open_sqlite(data / "trap.db", name="trap", limits=Limits()) as opened,
        opened.source.connect() as connection,
    ):
        with pytest.raises(DBAPIError, match=r"unsafe use|not authorized"):
            connection.exec_driver_sql("SELECT * FROM v")
        assert connection.exec_driver_sql("SELECT count(*) FROM t").scalar() == 0


def test_the_deadline_stops_an_endless_query(shop: Path, untouched: Keep) -> None:
    untouched(shop.parent)
    limits = Limits(deadline=time.monotonic() + 0.3)
    with (
        open_sqlite(shop, name="shop", limits=limits) as opened,
        opened.source.connect() as connection,
    ):
        with pytest.raises(DBAPIError, match="interrupted"):
            connection.exec_driver_sql(ENDLESS)
        assert time.monotonic() >= (limits.deadline or 0)


def test_cancel_stops_an_endless_query_and_gives_no_more_connections(
    shop: Path, untouched: Keep
) -> None:
    untouched(shop.parent)
    with (
        open_sqlite(shop, name="shop", limits=Limits()) as opened,
        opened.source.connect() as connection,
    ):
        timer = threading.Timer(0.2, opened.cancel)
        timer.start()
        with pytest.raises(DBAPIError, match="interrupted"):
            connection.exec_driver_sql(ENDLESS)
        timer.join()
        with pytest.raises(SourceError, match="the reading was cancelled"):
            opened.source.connect()


# ---------------------------------------------------------------- text


def test_invalid_utf8_is_read_and_named(
    data: Path, made: Start, untouched: Keep
) -> None:
    path = data / "text.db"
    words = "('fine'), (CAST(x'636166e9' AS TEXT)), (CAST(x'eda080' AS TEXT)), (CAST(x'6162006364' AS TEXT)), (NULL), (5)"
    made(path, "CREATE TABLE t(a)", f"INSERT INTO t VALUES {words}")
    untouched(data)
    with (
        open_sqlite(path, name="t", limits=Limits()) as opened,
        opened.source.connect() as connection,
    ):
        read = [row[0] for row in connection.exec_driver_sql("SELECT a FROM t")]
        assert read == ["fine", "caf\udce9", "\udced\udca0\udc80", "ab\0cd", None, 5]
        sql = "SELECT valid_utf8(CAST(a AS BLOB)), regexp('^[a-f]', CAST(a AS BLOB)) FROM t"
        answers = [tuple(row) for row in connection.exec_driver_sql(sql)]
        assert answers == [(1, 1), (0, 1), (0, 0), (1, 1), (None, None), (1, 0)]


@pytest.mark.parametrize("encoding", ["UTF-16le", "UTF-16be"])
def test_utf16_is_matched_in_its_own_encoding(
    encoding: str, data: Path, made: Start, untouched: Keep
) -> None:
    path = data / "wide.db"
    words = "('東京'), ('Łódź')"
    made(
        path,
        f"PRAGMA encoding='{encoding}'",
        "CREATE TABLE t(a)",
        f"INSERT INTO t VALUES {words}",
    )
    untouched(data)
    with (
        open_sqlite(path, name="t", limits=Limits()) as opened,
        opened.source.connect() as connection,
    ):
        sql = "SELECT regexp('^(東|Ł)..?.?$', CAST(a AS BLOB)), a REGEXP '京$', valid_utf8(CAST(a AS BLOB)) FROM t"
        assert [tuple(row) for row in connection.exec_driver_sql(sql)] == [
            (1, 1, 1),
            (1, 0, 1),
        ]
        halves = connection.exec_driver_sql(
            "SELECT valid_utf8(x'd8d8'), valid_utf8(x'41'), regexp('x', x'd8d841')"
        )
        assert tuple(halves.one()) == (0, 0, 0)


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        (r"^[^@\s]+@[^@\s]+$", "a@b.co", 1),
        (r"^[^@\s]+@[^@\s]+$", "a@b.co\n", 0),
        (r"^\d+\$$", "5$", 1),
        (r"^\d+\$$", "5$\n", 0),
        (r"\\$", "a\\\n", 0),
        ("[$]x", "$x", 1),
        ("[]$]x", "$x", 1),
        ("[^]$]x", "$x", 0),
        ("(a$|b)", "a\n", 0),
        ("(?m)a$", "a\nb", 1),
        ("(?im:A$)", "a\nb", 1),
        (r"\(?m$", "m\n", 0),
    ],
)
def test_dollar_is_the_very_end(
    pattern: str, text: str, matches: int, reading: Connection
) -> None:
    assert (
        reading.exec_driver_sql("SELECT ? REGEXP ?", (text, pattern)).scalar()
        == matches
    )
    assert (
        reading.exec_driver_sql(
            "SELECT regexp(?, ?)", (pattern, text.encode())
        ).scalar()
        == matches
    )


def test_numbers_are_matched_as_their_text(reading: Connection) -> None:
    sql = "SELECT 12 REGEXP '^12$', 1.5 REGEXP '^1\\.5$', NULL REGEXP 'x', 'x' REGEXP NULL"
    assert tuple(reading.exec_driver_sql(sql).one()) == (1, 1, None, None)


@pytest.mark.filterwarnings("ignore::FutureWarning")
@given(
    st.text(alphabet="ab$\\[]^()|.\n", max_size=8),
    st.text(alphabet="ab$\n", max_size=6),
)
def test_only_a_last_line_break_tells_our_dollar_from_pythons(
    pattern: str, text: str
) -> None:
    try:
        theirs = re.compile(pattern)
    except re.error:
        return
    if not text.endswith("\n"):
        assert bool(compiled(pattern).search(text)) == bool(theirs.search(text))
