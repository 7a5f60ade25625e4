"""A schema that calls functions, collations and modules of its own program: what needs them is not read, all else is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from watchdog.model import CheckSpec
from watchdog.pipeline import Scan, scan

PLAIN = {"t": 50, "other": 1}


def made(path: Path, *statements: str) -> Path:
    base = sqlite3.connect(path, isolation_level=None)
    base.create_function("own", 1, lambda _: 1, deterministic=True)
    base.create_function("regexp", 2, lambda _pattern, _text: 1, deterministic=True)  # not what ours would say
    base.create_collation("german", lambda a, b: (a > b) - (a < b))
    base.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b TEXT)")
    base.executemany("INSERT INTO t(a, b) VALUES (?, 'y')", [(f"x{i}",) for i in range(50)])
    base.execute("CREATE TABLE other(id INTEGER PRIMARY KEY, a TEXT REFERENCES t(id))")
    base.execute("INSERT INTO other(a) VALUES (1)")
    for statement in statements:
        base.execute(statement)
    base.close()
    return path


def said(run: Scan) -> str:
    return "\n".join([*run.notes, *run.exit_reasons])


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("CREATE INDEX i ON t(a) WHERE own(b)", "unknown function: own()"),
        ("CREATE UNIQUE INDEX i ON t(a) WHERE own(b)", "unknown function: own()"),
        ("CREATE INDEX i ON t(own(a))", "unknown function: own()"),
        ("CREATE INDEX i ON t(a) WHERE b REGEXP 'x'", "unknown function: REGEXP()"),
        ("CREATE INDEX i ON other(a COLLATE german)", "no such collation sequence: german"),
        ("CREATE UNIQUE INDEX i ON t(a COLLATE german)", "no such collation sequence: german"),
    ],
)
def test_an_index_that_cannot_be_judged_spoils_nothing_else(tmp_path: Path, statement: str, why: str) -> None:
    run = scan(made(tmp_path / "a.db", statement))
    assert run.findings == () and run.exit_code() == 0 and not run.complete
    assert run.rows == PLAIN and said(run) == (
        f"integrity: could not look: table {'other' if 'other' in statement else 't'}: {why};"
        " pages never used were not looked for"
    )


def test_a_generated_column_that_cannot_be_computed_spoils_itself_alone(tmp_path: Path) -> None:
    path = made(tmp_path / "a.db", "CREATE TABLE g(a, b AS (own(a)), c)", "INSERT INTO g(a, c) VALUES ('x', 1), (NULL, 2)")
    run = scan(path, specs=[CheckSpec("not_null", "g", ("a",))])
    assert run.rows == {**PLAIN, "g": 2} and not run.complete
    assert [(f.id, f.count) for f in run.findings] == [("g.a.not_null", 1)]
    assert said(run) == "g.b: not read: unknown function: own()"
    broken = scan(path, specs=[CheckSpec("not_null", "g", (c,)) for c in "abc"], infer=False)
    assert {r.id: r.status for r in broken.results if r.check == "not_null"} == {
        "g.a.not_null": "failed", "g.b.not_null": "error", "g.c.not_null": "passed",
    }  # fmt: skip
    assert broken.exit_code() == 3


def test_a_generated_column_that_calls_regexp_is_computed_as_we_do_and_that_is_told(tmp_path: Path) -> None:
    path = made(tmp_path / "a.db", "CREATE TABLE g(a, b AS (a REGEXP 'x'), c)", "INSERT INTO g(a, c) VALUES ('x', 1), ('y', 2)")
    run = scan(path, specs=[CheckSpec("accepted_values", "g", ("b",), {"values": [1]})])
    assert [(f.id, f.count) for f in run.findings] == [("g.b.accepted_values", 1)]
    assert said(run).startswith("table g: REGEXP in its generated columns is this program's (Python's re)")


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIEW v AS SELECT * FROM nosuch",
        "CREATE VIEW v AS SELECT own(a) AS x FROM t",
        "CREATE VIEW v AS SELECT a REGEXP 'x' AS x FROM t",
        "CREATE TRIGGER v AFTER INSERT ON t BEGIN SELECT own(1); END",
        "CREATE TABLE v(a CHECK (own(a)), b DEFAULT (own(1)), c AS (own(a)) STORED)",
    ],
)
def test_what_is_not_called_on_reading_spoils_nothing(tmp_path: Path, statement: str) -> None:
    run = scan(made(tmp_path / "a.db", statement))
    assert {k: v for k, v in run.rows.items() if k != "v"} == PLAIN
    assert run.findings == () and run.exit_code() == 0 and run.complete


@pytest.mark.parametrize("view", ["SELECT * FROM nosuch", "SELECT own(a) AS x FROM t", "SELECT a REGEXP 'x' AS x FROM t"])
def test_a_rule_on_a_view_that_cannot_be_run_could_not_look(tmp_path: Path, view: str) -> None:
    path = made(tmp_path / "a.db", f"CREATE VIEW v AS {view}")
    run = scan(path, specs=[CheckSpec("row_count", "v", (), {"min": 1}), CheckSpec("not_null", "t", ("a",))], infer=False)
    assert run.rows["t"] == 50 and {r.id: r.status for r in run.results if r.table} == {
        "t.a.not_null": "passed", "v.row_count": "error",
    }  # fmt: skip
    assert run.exit_code() == 3


def test_a_virtual_table_of_an_unknown_module_spoils_itself_alone(tmp_path: Path) -> None:
    path = made(
        tmp_path / "a.db",
        "PRAGMA writable_schema=ON",
        "INSERT INTO sqlite_master VALUES ('table', 'm', 'm', 0, 'CREATE VIRTUAL TABLE m USING nomodule(x)')",
    )
    run = scan(path)
    assert run.rows == PLAIN and run.findings == ()
    assert "table m: cannot be read: no such module: nomodule" in said(run)


def test_rules_of_the_user_may_still_say_regexp(tmp_path: Path) -> None:
    path = made(tmp_path / "a.db", "CREATE INDEX i ON t(a) WHERE b REGEXP 'x'")
    rule = CheckSpec("expression_is_true", "t", ("a",), {"expression": "a REGEXP '^x[0-9]$'"})
    (finding,) = scan(path, specs=[rule, CheckSpec("matches", "t", ("b",), {"regex": "^y$"})], infer=False).findings
    assert finding.count == 40
