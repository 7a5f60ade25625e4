"""A writer at full speed beside the scan: each scan is of one moment, or says that the file was written to; never "malformed"."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from watchdog.errors import SourceError
from watchdog.model import CheckSpec
from watchdog.pipeline import Options, scan

WRITER = """
import itertools, random, sqlite3, sys, time
path, mode, pause = sys.argv[1], sys.argv[2], float(sys.argv[3])
db = sqlite3.connect(path, isolation_level=None, timeout=30)
db.execute(f"PRAGMA journal_mode={mode}")
db.execute("PRAGMA synchronous=OFF")
print("ready", flush=True)
for n in itertools.count():
    db.execute("BEGIN IMMEDIATE")
    for name in "ab":  # the pages move about: rows come and go, with indexes on them
        db.execute(f"INSERT INTO {name}(x) SELECT hex(randomblob(400)) FROM {name} LIMIT 60")
        db.execute(f"DELETE FROM {name} WHERE id IN (SELECT id FROM {name} ORDER BY x LIMIT 60)")
        db.execute(f"UPDATE {name} SET x = hex(randomblob(abs(random() % 900))) WHERE id % 17 = ?", (n % 17,))
    if n % 5 == 0:
        db.execute("DROP TABLE IF EXISTS now_and_then")
        db.execute("CREATE TABLE now_and_then AS SELECT * FROM a LIMIT 200")
    db.execute("COMMIT")
    time.sleep(random.random() * pause)
"""
MIGRATOR = """
import itertools, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
db.execute("PRAGMA synchronous=OFF")
print("ready", flush=True)
for n in itertools.count():
    for i in range(0, 150, 3):
        db.execute("BEGIN IMMEDIATE")
        db.execute(f"DROP TABLE IF EXISTS t{i}")
        db.execute(f"CREATE TABLE t{i}(a INTEGER PRIMARY KEY, b TEXT DEFAULT '{'x' * (n * 7 % 900)}')")
        db.execute(f"INSERT INTO t{i}(b) VALUES (hex(randomblob({1 + n * 13 % 3000})))")
        db.execute("COMMIT")
    db.execute("VACUUM")
"""
SPECS = [CheckSpec("not_null", t, ("x",)) for t in "ab"]


@contextlib.contextmanager
def writing(code: str, path: Path, *arguments: str) -> Iterator[None]:
    command = [sys.executable, "-c", code, str(path), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
            yield
        finally:
            process.kill()


@pytest.fixture
def twins(database: Callable[..., Path]) -> Path:
    tables = [
        statement
        for name in "ab"
        for statement in (
            f"CREATE TABLE {name}(id INTEGER PRIMARY KEY, x TEXT)",
            f"CREATE INDEX of_{name} ON {name}(x)",
            f"INSERT INTO {name}(x) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
            " SELECT hex(randomblob(400)) FROM n",
        )
    ]
    return database(*tables)


@pytest.mark.parametrize("mode", ["DELETE", "TRUNCATE", "WAL"])
@pytest.mark.parametrize("pause", [0.0, 0.04])  # with a pause, scans begin on the file itself, and are caught in the middle
def test_ten_scans_beside_a_writer_are_sound_or_honest(twins: Path, mode: str, pause: float) -> None:
    sound = 0
    with writing(WRITER, twins, mode, str(pause)):
        for _ in range(10):
            try:
                run = scan(twins, specs=SPECS)
            except SourceError as refused:
                assert "written to" in str(refused) or "locked by a writer" in str(refused), str(refused)
                continue
            assert run.findings == () and run.exit_reasons == (), (run.findings, run.exit_reasons)
            assert run.rows["a"] == run.rows["b"] == 2_000
            sound += 1
    assert sound >= (5 if mode == "WAL" or pause else 1)


def test_tables_that_come_and_go_during_the_scan_are_no_damage(database: Callable[..., Path]) -> None:
    path = database(*(f"CREATE TABLE t{i}(a INTEGER PRIMARY KEY, b TEXT)" for i in range(150)), "INSERT INTO t1(b) VALUES (1)")
    with writing(MIGRATOR, path):
        for _ in range(10):
            try:
                run = scan(path)
            except SourceError as refused:
                assert "written to" in str(refused) or "locked by a writer" in str(refused), str(refused)
                continue
            assert run.findings == () and run.exit_reasons == (), (run.findings, run.exit_reasons)


def test_a_write_in_the_middle_of_a_scan_is_told_and_everything_read_again(twins: Path) -> None:
    more = (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('DROP TABLE b');"
        " db.execute('CREATE TABLE c AS SELECT * FROM a'); db.execute('VACUUM'); db.commit()"
    )
    done: list[object] = []

    def meanwhile(*_: object) -> None:
        if not done:
            done.append(subprocess.run([sys.executable, "-c", more, str(twins)], check=True))

    run = scan(twins, options=Options(progress=meanwhile))
    assert done and run.rows == {"a": 2_000, "c": 2_000} and run.read_mode == "snapshot"
    assert run.exit_code() == 0 and any("everything was read again from a private copy" in note for note in run.notes)
