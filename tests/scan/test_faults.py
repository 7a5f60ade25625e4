"""What goes wrong in the middle: killed scans, writers at work, one metric that cannot be measured."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from watchdog.errors import SourceError
from watchdog.model import CheckSpec
from watchdog.pipeline import Options, scan

WRITER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
db.execute(f"PRAGMA journal_mode={sys.argv[2]}")
print("ready", flush=True)
while True:
    db.execute("BEGIN IMMEDIATE")
    db.execute("INSERT INTO a(x) VALUES (randomblob(200))")
    db.execute("INSERT INTO b(x) VALUES (randomblob(200))")
    db.execute("COMMIT")
"""


@contextlib.contextmanager
def writer(path: Path, mode: str) -> Iterator[subprocess.Popen[str]]:
    """A process that adds one row to `a` and one to `b` in each transaction, without end."""
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(path), mode], stdout=subprocess.PIPE, text=True)
    with process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def twins(path: Path, mode: str, rows: int = 2_000) -> None:
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA journal_mode={mode}")
    for name in ("a", "b"):
        db.execute(f"CREATE TABLE {name}(id INTEGER PRIMARY KEY, x BLOB)")
        db.executemany(f"INSERT INTO {name}(x) VALUES (?)", [(os.urandom(200),) for _ in range(rows)])
    db.commit()
    db.close()


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_a_writer_that_commits_during_the_scan_never_yields_a_mixed_picture(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "busy.db"
    twins(path, mode)
    specs = [CheckSpec("not_null", t, ("x",)) for t in ("a", "b")]
    pictures = set()
    with writer(path, mode):
        for _ in range(4):
            try:
                run = scan(path, specs=specs, infer=False)
            except SourceError as refused:  # never still: said, and no picture at all
                pictures.add(str(refused) != "")
                continue
            assert run.rows["a"] == run.rows["b"] >= 2_000
            pictures.add(run.rows["a"])
    assert pictures


def test_kill_9_in_the_middle_leaves_nothing_and_the_next_run_cleans_up(tmp_path: Path) -> None:
    home, private = tmp_path / "data", tmp_path / "private"
    home.mkdir(), private.mkdir()
    path = home / "wal.db"
    keeper = sqlite3.connect(path)
    keeper.execute("PRAGMA journal_mode=WAL")
    keeper.execute("PRAGMA wal_autocheckpoint=0")
    keeper.execute("CREATE TABLE t(x)")
    keeper.executemany("INSERT INTO t VALUES (?)", [(i,) for i in range(50_000)])
    keeper.execute("CREATE VIEW v AS SELECT count(*) AS n FROM t a, t b, t c WHERE a.x + b.x > c.x")
    keeper.commit()
    listing = {p.name: p.read_bytes() for p in home.iterdir() if not p.name.endswith("-shm")}
    environment = {**os.environ, "TMPDIR": str(private)}
    command = [sys.executable, "-m", "watchdog.cli.app", "scan", str(path), "--select", "v"]
    killed = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(600):
        if any(p.name.endswith(".db") or p.is_file() for p in private.rglob("*")):
            break
        time.sleep(0.05)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert {p.name: p.read_bytes() for p in home.iterdir() if not p.name.endswith("-shm")} == listing
    left = [p for p in private.rglob("*") if p.is_file()]
    assert left, "the scan was killed before it had copied anything"
    done = subprocess.run(
        [*command[:-2], "--select", "t", "--no-infer"], env=environment, capture_output=True, check=False
    )
    assert b"50,000" in done.stdout
    assert [p for p in private.rglob("*") if p.is_file()] == []
    keeper.close()


def test_one_broken_metric_costs_the_others_nothing(tmp_path: Path) -> None:
    path = tmp_path / "deeds.db"
    db = sqlite3.connect(path)
    db.executescript(
        "CREATE TABLE deeds(body TEXT, id INT GENERATED ALWAYS AS (body) VIRTUAL);"
        "INSERT INTO deeds(body) VALUES ('{\"id\": 1}'), (NULL), ('{oops');"
        "PRAGMA writable_schema = ON;"
        "UPDATE sqlite_master SET sql = replace(sql, '(body)', '(json_extract(body, ''$.id''))');"
    )
    db.commit()
    db.close()
    specs = [CheckSpec("not_null", "deeds", (c,)) for c in ("body", "id")]
    run = scan(path, specs=specs, infer=False)
    found = {r.columns[0]: (r.status, r.judgement.count) for r in run.results}
    assert found["body"] == ("failed", 1)
    assert found["id"][0] == "error"
    assert run.exit_code("high") == 3 and not run.complete


def test_a_caller_that_has_the_file_open_keeps_its_locks(tmp_path: Path) -> None:
    path = tmp_path / "mine.db"
    twins(path, "DELETE", rows=5)
    mine = sqlite3.connect(path, isolation_level=None)
    mine.execute("BEGIN")
    mine.execute("SELECT count(*) FROM a").fetchone()  # holds a shared lock
    run = scan(path, specs=[CheckSpec("not_null", "a", ("x",))], infer=False)
    assert run.rows["a"] == 5
    other = (
        "import sqlite3, sys\n"
        "db = sqlite3.connect(sys.argv[1], timeout=0.1, isolation_level=None)\n"
        "db.execute('INSERT INTO a(x) VALUES (1)')\n"
    )
    done = subprocess.run([sys.executable, "-c", other, str(path)], capture_output=True, text=True, check=False)
    assert "locked" in done.stderr
    mine.close()


def test_wide_tables_and_many_tables_are_read_in_batches(tmp_path: Path) -> None:
    path = tmp_path / "wide.db"
    db = sqlite3.connect(path)
    for width in (501, 1_999):
        columns = [f"c{i}" for i in range(width)]
        db.execute(f"CREATE TABLE w{width}({', '.join(columns)})")
        db.execute(f"INSERT INTO w{width} VALUES ({', '.join('NULL' if i == 7 else '1' for i in range(width))})")
    db.commit()
    db.close()
    specs = [CheckSpec("not_null", f"w{w}", (f"c{i}",)) for w in (501, 1_999) for i in range(w)]
    run = scan(path, specs=specs, infer=False)
    assert sorted(f.id for f in run.findings) == ["w1999.c7.not_null", "w501.c7.not_null"]
    assert len(run.results) == 2_500


def test_the_private_folder_is_gone_after_a_scan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    path = tmp_path / "wal.db"
    keeper = sqlite3.connect(path)
    keeper.execute("PRAGMA journal_mode=WAL")
    keeper.execute("CREATE TABLE t(x)")
    keeper.execute("INSERT INTO t VALUES (1)")
    keeper.commit()
    code = "import sys; from watchdog.pipeline import scan; print(scan(sys.argv[1], infer=False).rows['t'])"
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "1\n", done.stderr
    assert list((tmp_path / "tmp").iterdir()) == []
    keeper.close()


def test_a_file_that_disappears_during_the_scan_is_said(tmp_path: Path) -> None:
    path = tmp_path / "gone.db"
    twins(path, "DELETE", rows=50)

    def vanish(*_: object) -> None:
        path.unlink(missing_ok=True)

    options = Options(progress=vanish, jobs=4)
    with pytest.raises(SourceError, match=r"gone\.db"):
        scan(path, options=options)
