"""Every kind of bad input: one clear message, the documented exit code, nothing half-written, no traceback."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest


def unread(watchdog: Callable, path: Path, *words: str) -> None:
    called = watchdog("scan", path)
    assert called.code == 3, called.err
    assert called.says_one_thing and called.out == ""
    assert all(word in called.err for word in words), called.err


def test_a_missing_path(watchdog: Callable, tmp_path: Path) -> None:
    unread(watchdog, tmp_path / "no.db", "no.db", "no such file")
    assert not (tmp_path / "no.db").exists()


def test_a_directory(watchdog: Callable, tmp_path: Path) -> None:
    unread(watchdog, tmp_path, "folder")


def test_an_empty_file(watchdog: Callable, tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    unread(watchdog, tmp_path / "empty.db", "empty")


def test_not_a_database(watchdog: Callable, tmp_path: Path) -> None:
    (tmp_path / "csv.db").write_text("id,name\n1,Ann\n" * 100)
    unread(watchdog, tmp_path / "csv.db", "not a")


def test_a_truncated_database(watchdog: Callable, tmp_path: Path) -> None:
    path = tmp_path / "cut.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE t(x)")
    db.executemany("INSERT INTO t VALUES (?)", [("x" * 500,) for _ in range(200)])
    db.commit()
    db.close()
    os.truncate(path, path.stat().st_size // 2)
    unread(watchdog, path, "cut.db")


def test_a_database_without_tables(watchdog: Callable, tmp_path: Path) -> None:
    path = tmp_path / "bare.db"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 1")
    db.close()
    unread(watchdog, path, "no tables")


def test_empty_tables_are_no_error_and_are_said(watchdog: Callable, tmp_path: Path) -> None:
    path = tmp_path / "hollow.db"
    db = sqlite3.connect(path)
    db.executescript("CREATE TABLE a(x); CREATE TABLE b(y INTEGER PRIMARY KEY)")
    db.close()
    called = watchdog("scan", path)
    assert called.code == 0
    assert "all 2 tables are empty" in called.out


def test_a_writer_that_holds_the_lock(watchdog: Callable, shop: Path) -> None:
    code = (
        "import sqlite3, sys\n"
        "db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.execute('BEGIN EXCLUSIVE')\n"
        "print('locked', flush=True)\n"
        "sys.stdin.read()\n"
    )
    writer = subprocess.Popen(
        [sys.executable, "-c", code, str(shop)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with writer:
        try:
            assert writer.stdout is not None and writer.stdout.readline() == "locked\n"
            unread(watchdog, shop, "lock")
        finally:
            writer.kill()


def mistake(watchdog: Callable, path: Path, *words: str, flags: tuple[str, ...] = ()) -> None:
    called = watchdog("scan", "shop", "--config", path, *flags)
    assert called.code == 2, called.err or called.out
    assert called.says_one_thing and called.out == ""
    assert all(word in called.err for word in words), called.err
    assert not Path("reports").exists()


COLUMN = "tables: {orders: {columns: {%s: [%s]}}}"


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("tables: {ordres: {checks: [{row_count: {min: 1}}]}}", ["ordres", "orders"]),
        (COLUMN % ("emial", "not_null"), ["emial", "email"]),
        (COLUMN % ("email", "not_nul"), ["not_nul", "not_null", "config.yaml:"]),
        (COLUMN % ("email", "{not_null: {sevrity: low}}"), ["sevrity", "severity", "config.yaml:"]),
        (COLUMN % ("email", "{not_null: {severity: loud}}"), ["loud", "info, low, medium, high"]),
        (COLUMN % ("email", "{not_null: {at_most: 0.5}}"), ["at_most", "5%"]),
        (COLUMN % ("total", "{accepted_range: {min: [1]}}"), ["min", "config.yaml:"]),
        (COLUMN % ("email", "{matches: {regex: '['}}"), ["regex", "config.yaml:"]),
        (COLUMN % ("email", "not_null, not_null"), ["twice", "name:"]),
        (COLUMN % ("customer_id", "{relationships: {to: custmers, field: id}}"), ["custmers", "customers"]),
        ("checks: [{query: {sql: 'DELETE FROM orders'}}]", ["query", "SELECT"]),
        ("checks: [{query: {sql: 'SELECT 1; SELECT 2'}}]", ["query", "one"]),
        ("tables: {orders: {checks: [not_null]}}", ["not_null", "under a column"]),
        ("checks: [{row_count: {min: 1}}]", ["row_count", "under a table"]),
        ("tabels: {}", ["tabels", "tables", "config.yaml:"]),
    ],
)
def test_a_mistake_in_the_rules(watchdog: Callable, config: Callable, rules: str, words: list[str]) -> None:
    mistake(watchdog, config(rules), *words)


def test_config_yaml_of_another_program(watchdog: Callable, shop: Path) -> None:
    Path("config.yaml").write_text("server: {port: 80}\n")
    found = watchdog("scan", shop, "--fail-on", "never")
    assert found.code == 0 and "another program" in found.err
    named = watchdog("scan", shop, "--config", "config.yaml")
    assert named.code == 2 and named.says_one_thing


def test_invalid_yaml_and_duplicate_keys(watchdog: Callable, shop: Path) -> None:
    for text in (
        "watchdog: 1\nsources: [\n",
        "watchdog: 1\nwatchdog: 1\n",
        "watchdog: 1\nsources: {a: {path: x}, a: {path: y}}\n",
    ):
        Path("config.yaml").write_text(text)
        called = watchdog("scan", "--config", "config.yaml")
        assert called.code == 2 and called.says_one_thing and "config.yaml:" in called.err


def test_flags_that_make_no_sense(watchdog: Callable, shop: Path) -> None:
    for flags in (
        ["--format", "jsn"], ["--fail-on", "loud"], ["--now", "yesterday"], ["--sample-values", "some"], ["--rows", "x.txt"],
        ["--task", "no-such"], ["--task", "../x"], ["--as", "shop"], ["--baseline", "no.json"], ["--samples", "-1"],
        ["--jobs", "0"], ["--config", "no.yaml"],
    ):  # fmt: skip
        called = watchdog("scan", shop, *flags)
        assert called.code == 2, (flags, called.err)
        assert called.out == "" and "Traceback" not in called.err
    assert watchdog("scan").code == 2
    assert watchdog("scan", "*.nothing").code == 2


def test_a_check_that_always_errors_costs_only_itself(watchdog: Callable, config: Callable) -> None:
    path = config(
        """
tables:
  orders:
    checks: [{expression_is_true: {expression: "json_extract(email, '$.x') = 1"}}]
    columns: {email: [not_null], total: [not_null]}
"""
    )
    called = watchdog("scan", "shop", "--config", path)
    assert called.code == 3
    assert "could not look" in called.out and "1 of 3 values of orders.email is NULL" in called.out
    assert "Traceback" not in called.err


def test_a_query_that_writes_through_a_cte_is_refused(watchdog: Callable, config: Callable, shop: Path) -> None:
    before = shop.read_bytes()
    called = watchdog("scan", "shop", "--config", config("checks: [{query: {sql: \"SELECT load_extension('x')\"}}]"))
    assert called.code in (2, 3) and "Traceback" not in called.err
    assert shop.read_bytes() == before


def test_an_endless_view_ends_at_the_time_limit(watchdog: Callable, tmp_path: Path) -> None:
    path = tmp_path / "loop.db"
    db = sqlite3.connect(path)
    db.executescript(
        "CREATE TABLE t(x); INSERT INTO t VALUES (1);"
        "CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    )
    db.close()
    assert watchdog("scan", path).code == 0  # views are left alone
    called = watchdog("scan", path, "--select", "v", "--timeout", "1")
    assert called.code == 3
    assert "time limit" in called.out


def test_an_unknown_collation_or_module_is_skipped_with_its_reason(watchdog: Callable, tmp_path: Path) -> None:
    path = tmp_path / "odd.db"
    db = sqlite3.connect(path)
    db.create_collation("unicase", lambda a, b: (a > b) - (a < b))
    db.executescript(
        "CREATE TABLE tags(tag TEXT NOT NULL PRIMARY KEY COLLATE unicase) WITHOUT ROWID; INSERT INTO tags VALUES ('a');"
        "CREATE TABLE fine(x INTEGER); INSERT INTO fine VALUES (1);"
        "PRAGMA writable_schema = ON;"
        "INSERT INTO sqlite_master VALUES ('table', 'gone', 'gone', 0, 'CREATE VIRTUAL TABLE gone USING nomodule(x)')"
    )
    db.commit()
    db.close()
    called = watchdog("scan", path, "--format", "json")
    assert called.code == 0, called.err
    assert "unicase" in called.out and "gone" in called.out and '"complete": false' in called.out


def test_a_closed_pipe_is_quiet(shop: Path) -> None:
    command = f'"{sys.executable}" -m watchdog.cli.app scan "{shop}" --format json --quiet | true'
    done = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_said_and_is_exit_3(shop: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "watchdog.cli.app", "scan", str(shop), "--format", "json"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 3
    assert "cannot write" in done.stderr and "Traceback" not in done.stderr


def test_an_output_that_cannot_be_written_leaves_nothing(watchdog: Callable, shop: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    called = watchdog("scan", shop, "--output", tmp_path / "file" / "out.json", "--format", "json")
    assert called.code == 3 and called.says_one_thing
