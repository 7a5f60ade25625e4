"""Every kind of bad input: one clear message, the documented exit code, nothing half-written, no traceback."""

from __future__ import annotations

import json
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
    for flags in (["--baseline"], ["--write-baseline"], ["--rows"], ["--output"], ["--config"], ["--llm", "--trace"]):
        called = watchdog("scan", shop, *flags, "")  # as "$UNSET" is
        assert called.code == 2 and f"{flags[-1]}: names no file" in called.err and called.says_one_thing
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


@pytest.mark.parametrize("flag", ["--output", "--write-baseline"])
def test_nothing_is_ever_written_over_the_source_or_beside_it_under_its_name(
    watchdog: Callable, shop: Path, flag: str
) -> None:
    before = shop.read_bytes()
    round_about = shop.parent / ".." / shop.parent.name / shop.name
    for target in (shop, round_about, Path(f"{shop}-wal"), Path(f"{shop}-journal")):
        called = watchdog("scan", shop, flag, target)
        assert called.code == 2 and called.says_one_thing, called.err
    assert shop.read_bytes() == before
    assert [p.name for p in shop.parent.iterdir()] == [shop.name]


def test_an_output_never_replaces_the_config(watchdog: Callable, config: Callable) -> None:
    path = config("tables: {}")
    before = path.read_bytes()
    assert watchdog("scan", "shop", "--output", "config.yaml").code == 2
    assert path.read_bytes() == before


def test_rows_takes_one_source(watchdog: Callable, shop: Path) -> None:
    copy = shop.parent / "copy.db"
    copy.write_bytes(shop.read_bytes())
    called = watchdog("scan", shop, copy, "--rows", "all.csv")
    assert called.code == 2 and "one source" in called.err and not Path("all.csv").exists()


def test_two_files_of_one_name_give_two_results(watchdog: Callable, shop: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "shop.db"
    other.parent.mkdir()
    other.write_bytes(shop.read_bytes())
    watchdog("scan", shop, other, "--format", "json", "--output", f"{tmp_path}/out/")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["shop-2.json", "shop.json"]


def test_a_cell_with_a_bare_carriage_return_stays_one_cell_of_the_csv(watchdog: Callable, tmp_path: Path) -> None:
    import csv

    path = tmp_path / "cr.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER)")
    db.executemany("INSERT INTO t(n) VALUES (?)", [*((i,) for i in range(30)), ("ok\r=1+1",), ("a,b\n=2",)])
    db.commit()
    db.close()
    watchdog("scan", path, "--rows", "bad.csv", "--sample-values", "full")
    with open("bad.csv", newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file))
    assert [(line[4], line[5]) for line in lines[1:]] == [("n", "ok\r=1+1"), ("n", "a,b\n=2")]


def test_a_query_whose_rows_raise_could_not_look(watchdog: Callable, config: Callable) -> None:
    path = config("checks: [{query: {sql: \"SELECT json_extract(email, '$.a') AS a FROM orders\"}}]")
    called = watchdog("scan", "shop", "--config", path, "--rows", "bad.jsonl")
    assert called.code == 3 and "could not look" in called.out and "Traceback" not in called.err


def test_a_declared_composite_check_takes_the_place_of_the_inferred_one(watchdog: Callable, tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "k.db")
    db.executescript(
        "CREATE TABLE k(a TEXT, b TEXT, PRIMARY KEY (a, b)); INSERT INTO k VALUES ('x', NULL), ('x', NULL)"
    )
    db.close()
    Path("config.yaml").write_text(
        f"watchdog: 1\nsources: {{k: {{path: {tmp_path}/k.db, tables: {{k: {{checks: [primary_key,"
        " {unique_combination_of_columns: {columns: [a, b]}}]}}}}\n"
    )
    called = watchdog("scan", "k", "--format", "json")
    assert called.code == 1, called.err
    found = {r["check"]: r["origin"] for r in json.loads(called.out)["results"]}
    assert found["primary_key"] == found["unique_combination_of_columns"] == "declared"


def test_a_selection_of_the_file_check_alone_is_an_answer(watchdog: Callable, shop: Path) -> None:
    assert watchdog("scan", shop, "--select", "integrity").code == 0
    nothing = watchdog("scan", shop, "--select", "no_such")
    assert nothing.code == 3 and "nothing matches --select" in nothing.out
    place = watchdog("scan", shop, "--select", "orders.email", "--format", "json")
    assert json.loads(place.out)["summary"]["rows"] == {"orders": 3}


def test_the_path_of_a_configured_source_means_that_source(watchdog: Callable, config: Callable, shop: Path) -> None:
    config("tables: {orders: {columns: {email: [not_null]}}}")
    assert "orders.email.not_null" in watchdog("scan", shop).out


def test_an_unreadable_moment_or_config_is_said(watchdog: Callable, shop: Path) -> None:
    for now in ("9999-12-31", "0001-01-01T00:00:00+14:00"):
        assert watchdog("scan", shop, "--now", now).code == 2
    Path("config.yaml").write_text(f"watchdog: 1\nsources: {{shop: {{path: {shop}, off: [not_nul]}}}}\n")
    called = watchdog("scan", "shop")
    assert called.code == 2 and "not_nul" in called.err and "not_null" in called.err


def test_closed_outputs_are_no_findings(shop: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}

    def ends(command: str) -> tuple[str, str]:
        text = f"{command}; echo ${{PIPESTATUS[0]}} >&2"
        done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=False, env=environment)
        *said, code = done.stderr.strip().splitlines()
        return code, "\n".join(said)

    tool = f'"{sys.executable}" -m watchdog.cli.app'
    assert ends(f'{tool} scan "{shop}" --quiet | true') == ("141", "")
    code, said = ends(f'{tool} scan "{shop}" --quiet >&-')
    assert code == "3" and "stdout" in said and "Traceback" not in said
    code, said = ends(f"{tool} checks >/dev/full")
    assert code == "3" and "Traceback" not in said


def test_a_misspelt_name_with_quotes_in_it_still_gets_its_nearest(watchdog: Callable, tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "q.db")
    db.execute("""CREATE TABLE "O'Brien's table" (x)""")
    db.close()
    Path("config.yaml").write_text(
        f"watchdog: 1\nsources: {{q: {{path: {tmp_path}/q.db, tables:"
        " {\"O'Brien's tabel\": {columns: {x: [not_null]}}}}}\n"
    )
    called = watchdog("scan", "q")
    assert called.code == 2 and "did you mean \"O'Brien's table\"?" in called.err
