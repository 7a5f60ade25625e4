"""SQL of the user: one condition or query, `:now` filled in where SQL reads it, and a misspelt name is an error everywhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchdog.config import load_config
from watchdog.errors import ConfigError
from watchdog.model import CheckSpec, Result
from watchdog.pipeline import scan
from watchdog.sql import quoted, single, user_sql, with_now

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
TIME = "'2026-05-01 12:00:00'"


# ---------------------------------------------------------------- reading it


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("a > 0", "a > 0"),
        (" a > 0 ;; ", "a > 0"),
        ("a = ';'", "a = ';'"),
        ("a > 0; -- done; really", "a > 0"),
        ("a > 0 /* ; */", "a > 0 /* ; */"),
        ('"a;b" > 0;', '"a;b" > 0'),
        ("`;` > [;]", "`;` > [;]"),
        ("-- a; b\na > 0", "-- a; b\na > 0"),
        ("'it''s; ' = a", "'it''s; ' = a"),
        ("a > 0; b > 0", ""),
        ("; a > 0", ""),
        ("", ""),
        (" ; ", ""),
        ("-- a > 0", ""),
        ("/* a > 0", ""),
        ("a = '\0'", ""),
        ("a = '\ud800'", ""),
    ],
)
def test_one_condition_is_told_from_none_and_from_several(text: str, alone: str) -> None:
    assert single(text) == alone


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a < :now", f"a < {TIME}"),
        ("a<:now AND b>:now", f"a<{TIME} AND b>{TIME}"),
        ("a = ':now' OR b = \":now\" OR `:now` = [:now]", None),
        ("a > 0 -- :now", None),
        ("a > 0 /* :now */", None),
        ("a < :nowhere", None),
        ("a = 'it''s :now'", None),
        ("a = 'x' /* it's */ AND b < :now", f"a = 'x' /* it's */ AND b < {TIME}"),
    ],
)
def test_now_is_filled_in_where_sql_reads_it_and_nowhere_else(text: str, read: str | None) -> None:
    assert with_now(text, NOW) == (text if read is None else read)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12))
def test_a_quoted_name_means_the_same_column_whatever_it_is(name: str) -> None:
    base = sqlite3.connect(":memory:")
    base.execute(f'CREATE TABLE t({quoted(name)}, "other \'"" column")')
    base.execute("INSERT INTO t VALUES (7, 8)")
    assert base.execute(f"SELECT {user_sql(quoted(name), NOW)} FROM t").fetchone() == (7,)
    base.close()


# ---------------------------------------------------------------- running it


def one(path: Path, check: str, options: dict[str, Any], columns: tuple[str, ...] = ()) -> Result:
    table = None if check == "query" else "orders"
    run = scan(path, specs=[CheckSpec(check, table, columns, options)], infer=False)
    assert run.exit_code() in (0, 1, 3)
    (result,) = (r for r in run.results if r.check == check)
    return result


@pytest.fixture
def orders(database: Callable[..., Path]) -> Path:
    return database(
        'CREATE TABLE orders(id INTEGER PRIMARY KEY, email, "group" TEXT)',
        "INSERT INTO orders(email, \"group\") VALUES ('a@x.org', 'one'), ('emial', 'two')",
        "CREATE TABLE customers(id INTEGER PRIMARY KEY)",
    )


@pytest.mark.parametrize(
    ("check", "options", "columns"),
    [
        ("expression_is_true", {"expression": "\"emial\" <> 'emial'"}, ()),
        ("expression_is_true", {"expression": "emial <> 'emial'"}, ()),
        ("expression_is_true", {"expression": "orders.\"emial\" <> 'emial'"}, ()),
        (
            "expression_is_true",
            {"expression": "id > 0 AND NOT EXISTS (SELECT 1 FROM customers WHERE \"emial\" = 'emial')"},
            (),
        ),
        ("not_null", {"where": "\"emial\" = 'emial'"}, ("email",)),
        ("unique", {"where": "\"emial\" = 'emial'"}, ("email",)),
        ("row_count", {"min": 1, "where": "\"emial\" = 'emial'"}, ()),
        ("encoding", {"where": "\"emial\" = 'emial'"}, ("email",)),
        ("relationships", {"to": "customers", "where": "\"emial\" = 'emial'"}, ("id",)),
        ("freshness", {"max_age": "1d", "where": "\"emial\" = 'emial'"}, ("email",)),
        ("query", {"sql": "SELECT * FROM orders WHERE \"emial\" = 'emial'"}, ()),
        ("query", {"sql": "SELECT * FROM orders", "where": "\"emial\" = 'emial'"}, ()),
    ],
)
def test_a_misspelt_name_is_an_error_that_names_the_nearest_one(
    orders: Path, check: str, options: dict[str, Any], columns: tuple[str, ...]
) -> None:
    result = one(orders, check, options, columns)
    assert result.status == "error"
    assert "no such column:" in result.judgement.message and "(did you mean 'email'?)" in result.judgement.message


def test_text_in_double_quotes_is_an_error_that_says_how_text_is_written(orders: Path) -> None:
    result = one(orders, "expression_is_true", {"expression": '"group" = "xyzzy"'})
    assert result.status == "error"
    assert result.judgement.message.endswith("no such column: xyzzy (text stands in single quotes)")


def test_a_misspelt_table_is_an_error_that_names_the_nearest_one(orders: Path) -> None:
    result = one(orders, "query", {"sql": 'SELECT * FROM "costumers"'})
    assert result.status == "error" and result.judgement.message.endswith("(did you mean 'customers'?)")


@pytest.mark.parametrize(
    "sql",
    [
        'SELECT "x" FROM (SELECT id AS "x" FROM "orders") AS "o o" WHERE "o o"."x" > 1',
        'WITH "c t e"("n m") AS (SELECT id FROM orders) SELECT "n m" FROM "c t e" WHERE "n m" > 1',
        'SELECT id "a""b" FROM orders WHERE "a""b" > 1',
        'SELECT "rowid" FROM orders WHERE "group" = \'two\'',
        'SELECT id FROM orders WHERE "email" = \'emial\' -- "no such name"',
    ],
)
def test_names_that_the_query_itself_gives_are_known(orders: Path, sql: str) -> None:
    result = one(orders, "query", {"sql": sql})
    assert (result.status, result.judgement.count) == ("failed", 1), result.judgement.message


@pytest.mark.parametrize(
    "text", ["count(*) > 0", "sum(id) > 0", "id >", "id > 0)", "(id > 0", "/* id > 0", "nosuch(id)", "id = ?"]
)
def test_sql_that_cannot_be_run_is_an_error_of_this_check_alone(orders: Path, text: str) -> None:
    specs = [
        CheckSpec("not_null", "orders", ("email",)),
        CheckSpec("not_null", "orders", ("email",), {"where": text, "name": "other"}),
        CheckSpec("expression_is_true", "orders", (), {"expression": text}),
    ]
    try:
        run = scan(orders, specs=specs, infer=False)
    except ConfigError as refused:
        assert "has to be one SQL condition" in str(refused) or "has no value" in str(refused)
        return
    assert {r.id: r.status for r in run.results} == {
        "orders.email.not_null": "passed",
        "orders.email.not_null.other": "error",
        "orders.expression_is_true": "error",
    }


@pytest.mark.parametrize("text", ["", "  ", "id > 0; DROP TABLE orders", "-- nothing", "email = '\0'"])
def test_a_where_that_is_no_condition_is_a_mistake_in_the_config(orders: Path, text: str) -> None:
    spec = CheckSpec("not_null", "orders", ("email",), {"where": text}, file="config.yaml", line=9)
    with pytest.raises(
        ConfigError, match=r"^config.yaml:9: check 'not_null': option 'where': has to be one SQL condition"
    ):
        scan(orders, specs=[spec], infer=False)


# ---------------------------------------------------------------- files


def test_the_file_of_a_query_is_looked_for_beside_the_config(
    orders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "rules"
    (folder / "checks").mkdir(parents=True)
    (folder / "checks" / "odd.sql").write_text("-- whatever is odd\nSELECT id FROM orders WHERE id = 2;\n")
    (folder / "config.yaml").write_text(
        f"watchdog: 1\nsources:\n  shop:\n    path: {orders}\n    infer: false\n"
        "    checks: [{query: {file: checks/odd.sql}}]\n"
    )
    for elsewhere in (tmp_path, folder, folder / "checks"):
        monkeypatch.chdir(elsewhere)
        run = scan("shop", config=load_config(folder / "config.yaml"))
        assert [(f.id, f.count) for f in run.findings] == [("query", 1)]


def test_a_query_is_known_by_what_it_says_and_not_by_where_it_stands(orders: Path, tmp_path: Path) -> None:
    text = "SELECT id FROM orders"
    (tmp_path / "a.sql").write_text(text)
    marks = {
        scan(orders, specs=[CheckSpec("query", options=options)], infer=False).findings[0].fingerprint
        for options in ({"file": str(tmp_path / "a.sql")}, {"sql": text})
    }
    assert len(marks) == 1


def test_patterns_may_come_from_a_column(database: Callable[..., Path]) -> None:
    path = database(
        "CREATE TABLE t(x, pattern)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
        " INSERT INTO t SELECT 'a' || i, '^a' || i || '$' FROM n",
        "INSERT INTO t VALUES ('1.0', 1), ('1.0', 1.0), ('1', 1.0), ('é', CAST('^é' AS BLOB)), ('e', CAST('^é' AS BLOB)),"
        " (NULL, 'a'), ('a', NULL)",
    )
    run = scan(path, specs=[CheckSpec("expression_is_true", "t", ("x",), {"expression": "x REGEXP pattern"})], infer=False)
    (result,) = run.results
    assert (result.judgement.count, result.judgement.rows, result.judgement.not_evaluated) == (2, 1007, 2)
    assert [s.rowid for s in run.findings[0].samples] == [1003, 1005]


# ---------------------------------------------------------------- texts that would be too long


LIMIT = 100_000_000


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM t WHERE length(printf('%*d', 150000000, 1)) > 1",
        "SELECT id FROM t WHERE length(Format('%150000000d', 1)) > 1",
        "SELECT id FROM t WHERE length(`printf` ( '%.*c', 150000000, 'x')) > 1",
        "SELECT length(printf(f, zeroblob(0))) FROM (SELECT '%150000000d' AS f) -- printf(",
        "SELECT length(printf('%s%s', x, x)) FROM (SELECT printf('%*d', 60000000, 1) AS x)",
        "SELECT printf('%d', length(printf('%q', x))) FROM (SELECT replace(hex(zeroblob(30000000)), '0', char(39)) AS x)",
    ],
)  # fmt: skip
def test_a_text_that_printf_makes_too_long_is_an_error_and_not_null(base: sqlite3.Connection, sql: str) -> None:
    base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LIMIT)
    with pytest.raises(sqlite3.DataError, match="too big"):
        base.execute(user_sql(sql, NOW)).fetchall()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT printf('%s-%d', f, id), printf(f, 1), format(f, format) FROM t",
        "SELECT printf('(,)''%s', printf(f, id)) FROM t",
        "WITH format(a) AS (SELECT 1) SELECT a, format('%d', a) FROM format",
        "SELECT `printf`('%d', 1), \"format\"('%s)', 2) /* printf( */ FROM t -- format(",
        "SELECT printf(), printf(''), printf(NULL, 1), printf(f -- (\n, 1) FROM t",
        "SELECT 'printf(1', printf ( '%d' , (SELECT max(id) FROM t) ) AS \"printf(x)\"",
        "SELECT group_concat(printf('%03d', id)) OVER (ORDER BY id) FROM t",
        "SELECT printf('%d', id % 2) AS k, count(*) FROM t GROUP BY printf('%d', id % 2)",
        "SELECT format, printf('x') FROM t WHERE format IN ('a', format)",
        "SELECT " + "printf(" * 8 + "f" + ", 1)" * 8 + " FROM t",
    ],
)  # fmt: skip
def test_printf_says_what_it_always_says(base: sqlite3.Connection, sql: str) -> None:
    assert base.execute(user_sql(sql, NOW)).fetchall() == base.execute(sql).fetchall()


def test_a_query_that_makes_a_text_too_long_could_not_look(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "t.db") as raw:
        raw.execute("CREATE TABLE t(id INTEGER PRIMARY KEY)")
        raw.execute("INSERT INTO t VALUES (1), (2)")
    raw.close()
    file = tmp_path / "config.yaml"
    file.write_text(
        "watchdog: 1\nsources:\n  s:\n    path: t.db\n    infer: false\n    tables:\n      t:\n        checks:\n"
        "          - query: {sql: \"SELECT id FROM t WHERE length(printf('%*d', 150000000, 1)) > 1\"}\n"
        "          - expression_is_true: {expression: \"length(printf('%150000000d', id)) > 1\"}\n"
    )
    run = scan("s", config=file)
    assert {r.status for r in run.results} == {"error"} and run.exit_code() == 3
    assert all("longer than 100,000,000 bytes" in r.judgement.message for r in run.results)


@pytest.fixture
def base() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as raw:
        raw.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, f TEXT, format TEXT)")
        raw.execute("INSERT INTO t(f, format) VALUES ('%d', 'a'), ('', 'b'), (NULL, NULL), ('a%sb', '')")
        yield raw
