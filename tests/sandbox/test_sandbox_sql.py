"""One reading query within limits: what is refused, what comes back, and which wall holds when another is gone."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from watchdog.codec import shown_value
from watchdog.sandbox import Query, QueryLimits, QueryResult, Refused

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT {what} FROM n"


@pytest.fixture
def connection(database: Callable[..., Path]) -> Iterator[sqlite3.Connection]:
    path = database(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, word TEXT, n REAL)",
        "INSERT INTO t(word, n) VALUES ('one', 1.5), ('two', NULL), (x'ff00', 9e999)",
        "CREATE TABLE \"odd;name\"(\"a b\" TEXT)",
        "CREATE VIEW v AS SELECT id, word FROM t",
        "CREATE VIEW evil AS SELECT load_extension('x') AS a FROM t",
        "CREATE VIEW pragma_view AS SELECT * FROM pragma_table_info('t')",
        "CREATE VIRTUAL TABLE words USING fts5(word)",
        "INSERT INTO words VALUES ('hello world')",
    )  # fmt: skip
    opened = sqlite3.connect(path, isolation_level=None)
    yield opened
    opened.close()


def bomb(levels: int, base: str = "SELECT 1 a", *, name: str = "x{}") -> str:
    names = [name.format(n) for n in range(levels)]
    parts = [f"{names[0]} AS ({base})"]
    parts += [f"{b} AS (SELECT l.a FROM {a} l, {a} r)" for a, b in pairwise(names)]
    return f"WITH {', '.join(parts)} SELECT count(*) FROM {names[-1]}"


ATTACKS = {
    "": "sql.empty",
    " -- nothing\n /* at all */ ;": "sql.empty",
    "INSERT INTO t(word) VALUES ('x')": "sql.not_select",
    "/* SELECT */ DELETE FROM t": "sql.not_select",
    "-- SELECT\nDROP TABLE t": "sql.not_select",
    "UPDATE t SET word = 'x'": "sql.not_select",
    "REPLACE INTO t(id) VALUES (1)": "sql.not_select",
    "ATTACH '/tmp/x.db' AS x": "sql.not_select",
    "DETACH main": "sql.not_select",
    "PRAGMA query_only = OFF": "sql.not_select",
    "VACUUM": "sql.not_select",
    "VACUUM INTO '/tmp/x.db'": "sql.not_select",
    "EXPLAIN SELECT 1": "sql.not_select",
    "VALUES (1)": "sql.not_select",
    "BEGIN IMMEDIATE": "sql.not_select",
    "CREATE TEMP TABLE u AS SELECT 1": "sql.not_select",
    "ANALYZE": "sql.not_select",
    "(SELECT 1)": "sql.not_select",
    ";; SELECT 1": "sql.not_select",
    "selected": "sql.not_select",
    "'SELECT' 1": "sql.error",
    "WITH a AS (SELECT 1) INSERT INTO t(id) SELECT * FROM a": "sql.not_select",
    "WITH a AS (SELECT 1) DELETE FROM t": "sql.not_select",
    "WITH a AS (SELECT 1) UPDATE t SET word = 'x' RETURNING id": "sql.not_select",
    "WITH a AS (SELECT 1) UPDATE sqlite_master SET sql = NULL": "sql.not_select",
    "WITH a AS (SELECT 1) REPLACE INTO t(id) SELECT 1": "sql.not_select",
    "SELECT 1; SELECT 2": "sql.several",
    "SELECT 1; DROP TABLE t": "sql.several",
    "SELECT 1;;-- x\n;DELETE FROM t": "sql.several",
    "SELECT '; ' ; VACUUM": "sql.several",
    "SELECT [a;b] FROM t; SELECT 1": "sql.several",
    "SELECT 1 /* ; */ ; /* */ ATTACH 'x' AS y": "sql.several",
    "SELECT load_extension('x')": "sql.function",
    "SELECT load_extension('x', 'y')": "sql.function",
    "SELECT \"load_extension\"('x')": "sql.function",
    "SELECT fts3_tokenizer('simple')": "sql.function",
    "SELECT zeroblob(1000000000)": "sql.function",
    "SELECT randomblob(1000000000)": "sql.function",
    "SELECT sqlite_compileoption_get(1)": "sql.function",
    "SELECT regexp('(a+)+$', 'aaaa')": "sql.function",
    "SELECT my_write('x')": "sql.function",
    "SELECT word FROM t WHERE word REGEXP 'x'": "sql.function",
    "SELECT * FROM evil": "sql.function",
    "SELECT * FROM pragma_table_info('t')": "sql.table",
    "SELECT count(*) FROM pragma_database_list": "sql.table",
    "SELECT * FROM pragma_view": "sql.table",
    "SELECT * FROM dbstat": "sql.table",
    "SELECT * FROM fts3tokenize('simple', 'x')": "sql.table",
    "SELECT readfile('/etc/passwd')": "sql.error",
    "SELECT writefile('/tmp/x', 'x')": "sql.error",
    "SELECT edit('x')": "sql.error",
    "SELECT * FROM nowhere": "sql.error",
    "SELECT ?": "sql.error",
    "SELECT :name": "sql.error",
    "SELECT 'x": "sql.error",
    'SELECT "no such column" FROM t': "sql.error",  # SQLite alone would take it for a text
    "SELECT 1 FROM t WHERE \"statuz\" = 'x'": "sql.error",
    "SELECT \0 1": "sql.text",
    "SELECT '\ud800'": "sql.text",
    "SELECT " + "1," * 6_000 + "1": "sql.too_long",
    "SELECT " + "(" * 1_000 + "1" + ")" * 1_000: "sql.error",
    "SELECT 1" + " UNION ALL SELECT 1" * 60: "sql.error",
    bomb(40): "sql.too_nested",
    bomb(40, name='"y {}"'): "sql.too_nested",
    bomb(40, name="\N{BUG}{}"): "sql.too_nested",
    bomb(40, name="y{}\N{BUG}"): "sql.too_nested",
    bomb(40).replace(" AS (", "(a) AS NOT MATERIALIZED ("): "sql.too_nested",
    bomb(40).replace(" AS (", " /* AS ( */ as\n("): "sql.too_nested",
    bomb(40).replace("FROM x1 l, x1 r", "FROM 'x1' l, [x1] r, `X1` s"): "sql.too_nested",
    "SELECT printf('%.*c', 150000, 'x') || printf('%.*c', 150000, 'x')": "sql.size",
    "SELECT group_concat(hex(t.word || printf('%.*c', 90000, 'x')), '') FROM t, t u": "sql.size",
}


@pytest.mark.parametrize(("sql", "rule"), ATTACKS.items(), ids=lambda text: ascii(text)[:60])
def test_what_is_more_than_reading_is_refused_by_name(connection: sqlite3.Connection, sql: str, rule: str) -> None:
    connection.create_function("regexp", 2, lambda *_: 1)
    connection.create_function("my_write", 1, lambda _: 1)
    before = connection.execute("SELECT * FROM t").fetchall()
    found = Query(connection).run(sql)
    assert isinstance(found, Refused), found
    assert found.rule == rule, found.message
    connection.set_authorizer(lambda *_: sqlite3.SQLITE_OK)
    assert connection.execute("SELECT * FROM t").fetchall() == before
    assert [name for _, name, _ in connection.execute("PRAGMA database_list")] == ["main"]


def answer(connection: sqlite3.Connection, sql: str, **options: Any) -> QueryResult:
    found = Query(connection, **options).run(sql)
    assert isinstance(found, QueryResult), found
    return found


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT count(*) FROM t", [(3,)]),
        ("  -- a comment; with a semicolon\n select 1 ; ", [(1,)]),
        ("SELECT ';', 'INSERT', \"a b\" FROM \"odd;name\"", []),
        ("SELECT word FROM v WHERE id = 1", [("one",)]),
        ("WITH a(x) AS (SELECT id FROM t), b AS (SELECT x FROM a WHERE x > 1) SELECT count(*) FROM b, a", [(6,)]),
        ("SELECT count(*) FROM (SELECT 1 UNION SELECT 2) s", [(2,)]),
        ("SELECT value FROM json_each('[1, \"a\"]')", [(1,), ("a",)]),
        ("SELECT word FROM words WHERE words MATCH 'hello'", [("hello world",)]),
        ("SELECT replace(word, 'o', '0') FROM t WHERE word LIKE 'o%'", [("0ne",)]),
        ("WITH a AS (SELECT replace('b', 'b', 'c') AS x) SELECT x FROM a", [("c",)]),
        ("SELECT row_number() OVER (ORDER BY id) FROM t", [(1,), (2,), (3,)]),
        ("SELECT name FROM sqlite_master WHERE name = 't'", [("t",)]),
        ("SELECT word, n FROM t WHERE id = 3", [({"type": "blob", "text": "ff00"}, {"type": "real", "text": "Infinity"})]),
        ("SELECT CAST(x'c328' AS TEXT)", [({"type": "invalid_utf8", "text": "\\xc3("},)]),
        ("SELECT 9223372036854775807, NULL", [(9223372036854775807, None)]),
        ("SELECT :now", [("2026-05-01 06:00:00",)]),
        ("SELECT * FROM t WHERE 0", []),
    ],
    ids=lambda value: str(value)[:50],
)  # fmt: skip
def test_what_reads_is_answered_as_plain_json(connection: sqlite3.Connection, sql: str, rows: list[Any]) -> None:
    found = answer(connection, sql, now=datetime(2026, 5, 1, 6, tzinfo=UTC))
    assert list(found.rows) == rows or "Infinity" in str(rows)
    assert found.cut == ""
    told = json.loads(found.to_json(), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert told == {"columns": list(found.columns), "rows": [list(row) for row in found.rows], "cut": ""}


def test_columns_of_one_name_are_kept_apart(connection: sqlite3.Connection) -> None:
    found = answer(connection, "SELECT id, id AS id, word FROM t WHERE id = 1")
    assert (found.columns, found.rows) == (("id", "id", "word"), ((1, 1, "one"),))


def test_what_is_shown_of_a_value_is_the_callers_to_decide(connection: sqlite3.Connection) -> None:
    found = answer(
        connection, "SELECT word FROM v WHERE id < 3", show=lambda column, value: shown_value(value, "masked", column)
    )
    assert found.rows == (("xxx",), ("xxx",))


def test_rows_texts_and_results_that_are_too_large_are_cut_and_it_says_so(connection: sqlite3.Connection) -> None:
    found = answer(connection, ENDLESS.format(what="i"), limits=QueryLimits(rows=3))
    assert found.rows == ((1,), (2,), (3,))
    assert found.cut == "only the first 3 rows are here, there are more"
    assert answer(connection, "SELECT id FROM t", limits=QueryLimits(rows=3)).cut == ""
    found = answer(
        connection, "SELECT printf('%.*c', 5000, 'x'), x'00' || id FROM t", limits=QueryLimits(cell_characters=10)
    )
    assert found.rows[0][0] == "x" * 10 + "… (5,000 characters)"
    found = answer(connection, "SELECT printf('%.*c', 900, 'x') FROM t", limits=QueryLimits(result_bytes=2_000))
    assert (len(found.rows), found.cut) == (2, "only the first 2 rows are here, more are too large")


@pytest.mark.parametrize(
    ("limits", "sql", "rule"),
    [
        (QueryLimits(seconds=0.2, steps=10**12), ENDLESS.format(what="count(*)"), "sql.time"),
        (QueryLimits(seconds=60, steps=1_000_000), ENDLESS.format(what="count(*)"), "sql.steps"),
        (
            QueryLimits(seconds=60, steps=10**12, memory_bytes=50_000_000),
            ENDLESS.format(what="printf('%.*c', 100000, 'x') || i AS big") + " ORDER BY big",
            "sql.memory",
        ),
    ],
)
def test_a_query_without_end_is_stopped(
    connection: sqlite3.Connection, limits: QueryLimits, sql: str, rule: str
) -> None:
    asked = Query(connection, limits=limits)
    found = asked.run(sql)
    assert isinstance(found, Refused) and found.rule == rule
    assert isinstance(asked.run("SELECT 1"), QueryResult)  # and the next one is answered


def test_the_authorizer_holds_without_the_look_at_the_text(connection: sqlite3.Connection) -> None:
    Query(connection).run("SELECT 1")
    writing = ("INSERT INTO t(word) VALUES ('x')", "VACUUM", "DROP TABLE t")
    for sql in (*writing, "ATTACH ':memory:' AS x", "PRAGMA query_only = OFF", "PRAGMA data_version = 1"):
        with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|authorization denied|prohibited"):
            connection.execute(sql)


def test_reading_only_holds_without_the_authorizer(connection: sqlite3.Connection) -> None:
    Query(connection).run("SELECT 1")
    connection.set_authorizer(lambda *_: sqlite3.SQLITE_OK)
    for sql in ("INSERT INTO t(word) VALUES ('x')", "DROP TABLE t", "UPDATE sqlite_master SET sql = NULL"):
        with pytest.raises(sqlite3.DatabaseError, match=r"readonly|may not be modified"):
            connection.execute(sql)
    with pytest.raises(sqlite3.DatabaseError, match="too many attached"):
        connection.execute("ATTACH ':memory:' AS x")


def test_a_statement_that_was_prepared_before_is_judged_too(connection: sqlite3.Connection) -> None:
    sql = "SELECT total_changes()"
    connection.execute(sql).fetchall()
    found = Query(connection).run(sql)
    assert isinstance(found, Refused) and found.rule == "sql.function"


def test_beside_a_value_that_is_too_long_the_others_are_read(database: Callable[..., Path]) -> None:
    path = database("CREATE TABLE t(id, long, after)", "INSERT INTO t VALUES (1, hex(zeroblob(300000)), 'x')")
    connection = sqlite3.connect(path)
    asked = Query(connection)
    for sql, rows in (
        ("SELECT id FROM t", 1),
        ("SELECT count(*) FROM t WHERE id = 1", 1),
        ("SELECT length(id) FROM t", 1),
    ):
        found = asked.run(sql)
        assert isinstance(found, QueryResult) and len(found.rows) == rows, found
    found = asked.run("SELECT * FROM t")
    assert isinstance(found, Refused) and found.rule == "sql.size"
    connection.close()


def test_a_view_bomb_of_the_schema_is_refused(database: Callable[..., Path]) -> None:
    views = [f"CREATE VIEW v{n} AS SELECT l.a FROM v{n - 1} l, v{n - 1} r" for n in range(1, 40)]
    with sqlite3.connect(database("CREATE VIEW v0 AS SELECT 1 a", *views)) as connection:
        asked = Query(connection)
        found = asked.run("SELECT * FROM v39")
        assert isinstance(found, Refused) and found.rule == "sql.too_nested"
        assert isinstance(asked.run("SELECT * FROM v3"), QueryResult)
    connection.close()


def test_matching_a_long_text_with_a_nasty_pattern_ends(connection: sqlite3.Connection) -> None:
    started = time.process_time()
    for test in ("LIKE '%a%a%a%a%a%a%a%b'", "GLOB '*a*a*a*a*a*a*b'"):
        answer(connection, f"SELECT printf('%.*c', 190000, 'a') {test}")
    answer(connection, "SELECT instr(printf('%.*c', 190000, 'a'), printf('%.*c', 95000, 'a') || 'b')")
    assert time.process_time() - started < 20  # hundreds of times what it takes


def test_a_closed_connection_and_one_of_another_thread_are_refusals(connection: sqlite3.Connection) -> None:
    import threading

    found: list[Any] = []
    asked = Query(connection)
    thread = threading.Thread(target=lambda: found.append(asked.run("SELECT 1")))
    thread.start()
    thread.join()
    connection.close()
    found.append(asked.run("SELECT 1"))
    assert [one.rule for one in found] == ["sql.error", "sql.error"]


def test_row_and_text_factories_of_the_caller_are_put_back(connection: sqlite3.Connection) -> None:
    connection.row_factory, connection.text_factory = sqlite3.Row, bytes
    assert answer(connection, "SELECT word FROM t WHERE id = 1").rows == (("one",),)
    assert (connection.row_factory, connection.text_factory) == (sqlite3.Row, bytes)


PIECES = st.sampled_from(
    "SELECT WITH x AS ( ) , * FROM t v sqlite_master ; -- /* */ ' \" ` [ ] INSERT INTO UPDATE DELETE ATTACH PRAGMA "
    "RETURNING VALUES 1 "
    "word = load_extension json_each UNION \n ORDER BY LIMIT count(*) NOT MATERIALIZED RECURSIVE".split(" ")
) | st.text(max_size=4)  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(st.lists(PIECES, max_size=20).map(" ".join), st.booleans())
def test_no_text_raises_or_changes_anything(text: str, select: bool) -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript("CREATE TABLE t(word); INSERT INTO t VALUES (1); CREATE VIEW v AS SELECT * FROM t")
    changes = connection.total_changes
    found = Query(connection, limits=QueryLimits(steps=100_000)).run(("SELECT " if select else "") + text)
    assert isinstance(found, QueryResult) or (found.rule.startswith("sql.") and found.message.encode())
    assert connection.total_changes == changes and not connection.in_transaction
    connection.close()
