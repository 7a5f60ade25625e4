"""Which mode a file is read in, that its true content is seen, and that nothing beside it changes."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from watchdog.errors import SourceError
from watchdog.model import Limits
from watchdog.sources._look import Look, Place, Writer
from watchdog.sources._snapshot import one_moment
from watchdog.sources.sqlite import OpenSqlite, open_sqlite

LIMITS = Limits()
Keep = Callable[[Path], None]
Start = Callable[..., Any]


def value(opened: OpenSqlite, sql: str) -> Any:
    with opened.source.connect() as connection:
        return connection.exec_driver_sql(sql).scalar()


def test_a_quiet_file_is_read_immutable_and_says_so(
    shop: Path, untouched: Keep
) -> None:
    untouched(shop.parent)
    with open_sqlite(shop, name="shop", limits=LIMITS) as opened:
        assert value(opened, "SELECT count(*) FROM t") == 3
        assert (opened.source.read_mode, opened.source.shown_url) == (
            "immutable",
            str(shop),
        )
        assert opened.source.state == {"size_bytes": 8192, "change_counter": 2}
        assert opened.source.engine.split()[1].count(".") == 2
        assert opened.moved() == ""


def test_what_a_private_copy_was_made_of_is_gone_afterwards(
    shop: Path, temp: Path, untouched: Keep
) -> None:
    untouched(shop.parent)
    with open_sqlite(shop, name="shop", limits=LIMITS, snapshot=True) as opened:
        assert value(opened, "SELECT count(*) FROM t") == 3
        assert opened.source.read_mode == "snapshot"
        assert len(list(temp.rglob("copy.db"))) == 1
    assert list(temp.iterdir()) == []


def test_a_private_copy_is_gone_after_an_error_and_ctrl_c(
    shop: Path, temp: Path, untouched: Keep
) -> None:
    untouched(shop.parent)
    for problem in (ValueError, KeyboardInterrupt):
        with (
            pytest.raises(problem),
            open_sqlite(shop, name="shop", limits=LIMITS, snapshot=True),
        ):
            raise problem
        assert list(temp.iterdir()) == []


# ---------------------------------------------------------------- write-ahead log


@pytest.fixture
def pending(data: Path, made: Start, writer: Start) -> Path:
    """1 row in the file; 99 more and a second table only in the log, with the writer still there."""
    path = data / "pending.db"
    made(
        path, "PRAGMA journal_mode=WAL", "CREATE TABLE t(n)", "INSERT INTO t VALUES (1)"
    )
    more = "INSERT INTO t SELECT 1 FROM json_each('[' || substr(replace(hex(zeroblob(49)), '0', ',0'), 2) || ',0]')"
    writer(path).say(
        "PRAGMA wal_autocheckpoint=0",
        "PRAGMA wal_checkpoint(TRUNCATE)",
        more,
        "CREATE TABLE t2(n)",
    )
    return path


def test_rows_that_are_only_in_the_log_are_seen(pending: Path, untouched: Keep) -> None:
    untouched(pending.parent)
    with open_sqlite(pending, name="shop", limits=LIMITS) as opened:
        assert value(opened, "SELECT count(*) FROM t") == 100
        assert value(opened, "SELECT count(*) FROM t2") == 0
        assert opened.source.read_mode == "snapshot"
        assert opened.source.notes == (
            "read from a private copy: its write-ahead log held 3 frames",
        )


def test_a_log_without_its_writer_is_read_too(
    pending: Path, tmp_path: Path, untouched: Keep
) -> None:
    lone = tmp_path / "lone"
    lone.mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(f"{pending}{suffix}", lone)
    untouched(lone)
    with open_sqlite(lone / "pending.db", name="shop", limits=LIMITS) as opened:
        assert value(opened, "SELECT count(*) FROM t") == 100


def test_a_commit_torn_at_the_end_of_the_log_is_left_out_whole(
    pending: Path, tmp_path: Path, untouched: Keep
) -> None:
    lone = tmp_path / "lone"
    lone.mkdir()
    shutil.copy(pending, lone)
    (lone / "pending.db-wal").write_bytes(Path(f"{pending}-wal").read_bytes()[:-100])
    untouched(lone)
    with open_sqlite(lone / "pending.db", name="shop", limits=LIMITS) as opened:
        assert value(opened, "SELECT count(*) FROM t") == 100
        assert value(opened, "SELECT count(*) FROM sqlite_master") == 1


def test_wal_mode_without_a_log_is_read_immutable(
    data: Path, made: Start, untouched: Keep
) -> None:
    path = data / "w.db"
    made(
        path, "PRAGMA journal_mode=WAL", "CREATE TABLE t(n)", "INSERT INTO t VALUES (1)"
    )
    Path(f"{path}-wal").touch()
    untouched(data)
    with open_sqlite(path, name="shop", limits=LIMITS) as opened:
        assert value(opened, "SELECT count(*) FROM t") == 1
        assert opened.source.read_mode == "immutable"


def test_wal_mode_in_a_folder_that_cannot_be_written_is_read(
    shared: Path, made: Start, as_nobody: Start, untouched: Keep
) -> None:
    path = shared / "w.db"
    made(
        path, "PRAGMA journal_mode=WAL", "CREATE TABLE t(n)", "INSERT INTO t VALUES (1)"
    )
    shared.chmod(0o555)
    untouched(shared)

    def read() -> object:
        with open_sqlite(path, name="shop", limits=LIMITS) as opened:
            return opened.source.read_mode, value(opened, "SELECT count(*) FROM t")

    assert as_nobody(read) == "('immutable', 1)"


BUSY = """
import itertools, sqlite3, sys
base = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
base.execute("PRAGMA synchronous=OFF")
for n in itertools.count():
    base.execute("BEGIN IMMEDIATE")
    base.execute("INSERT INTO a VALUES (?, zeroblob(3000))", (n,))
    base.execute("INSERT INTO b VALUES (?, zeroblob(3000))", (n,))
    base.execute("DELETE FROM a WHERE n < ?", (n - 300,))
    base.execute("DELETE FROM b WHERE n < ?", (n - 300,))
    base.execute("COMMIT")
    if n % 50 == 49:
        base.execute("PRAGMA wal_checkpoint(%s)" % ["PASSIVE", "RESTART", "TRUNCATE"][n // 50 % 3]).fetchall()
    if n == 200:
        print("busy", flush=True)
"""


@pytest.mark.parametrize("mode", ["WAL", "DELETE", "PERSIST"])
def test_each_copy_beside_a_busy_writer_is_one_moment(
    mode: str, data: Path, made: Start, child: Start
) -> None:
    path = data / "busy.db"
    made(
        path,
        f"PRAGMA journal_mode={mode}",
        "CREATE TABLE a(n, x)",
        "CREATE TABLE b(n, x)",
    )
    child(BUSY, path).hear()
    read = 0
    for _ in range(12):
        try:
            with open_sqlite(path, name="busy", limits=LIMITS, snapshot=True) as opened:
                assert value(opened, "PRAGMA integrity_check") == "ok"
                assert (
                    value(
                        opened,
                        "SELECT count(*) FROM (SELECT n FROM a EXCEPT SELECT n FROM b)",
                    )
                    == 0
                )
                assert (
                    value(
                        opened,
                        "SELECT (SELECT count(*) FROM a) - (SELECT count(*) FROM b)",
                    )
                    == 0
                )
                read += 1
        except SourceError as problem:  # an honest answer, but not every time
            assert (
                "written to during each" in problem.message
                or "locked by a writer" in problem.message
            )
    assert read > 0


def test_a_copy_counts_while_its_log_only_grows_and_not_across_a_restart(
    data: Path, made: Start, writer: Start
) -> None:
    path = data / "w.db"
    made(path, "PRAGMA journal_mode=WAL", "CREATE TABLE t(n)")
    busy = writer(path)
    busy.say("INSERT INTO t VALUES (1)")
    with Look(str(path), Place("w", str(path))) as look:
        first = look.stamp()
        busy.say("INSERT INTO t VALUES (2)", "PRAGMA wal_checkpoint(PASSIVE)")
        grown = look.stamp()
        assert grown != first
        assert one_moment(first, grown, None)
        busy.say("PRAGMA wal_checkpoint(RESTART)", "INSERT INTO t VALUES (3)")
        assert not one_moment(first, look.stamp(), None)
        busy.say("PRAGMA wal_checkpoint(TRUNCATE)")
        assert not one_moment(grown, look.stamp(), None)
        quiet = look.stamp()
        assert one_moment(quiet, look.stamp(), None)
        assert not one_moment(quiet, look.stamp(), Writer("exclusive", 1))
        busy.say("INSERT INTO t VALUES (4)")
        assert not one_moment(quiet, look.stamp(), None)


# ---------------------------------------------------------------- locks


def test_a_lock_given_up_in_time_is_waited_for(shop: Path, child: Start) -> None:
    code = """
import sqlite3, sys, time
base = sqlite3.connect(sys.argv[1], isolation_level=None)
base.execute("BEGIN EXCLUSIVE"); base.execute("INSERT INTO t(word) VALUES ('d')")
print("locked", flush=True); time.sleep(0.7)
base.execute("COMMIT"); sys.stdin.read()
"""
    child(code, shop).hear()
    with open_sqlite(shop, name="shop", limits=LIMITS, wait_seconds=60) as opened:
        assert value(opened, "SELECT count(*) FROM t") == 4
        assert opened.source.notes == ("read from a private copy: a writer held it",)


def test_a_lock_that_is_kept_is_an_error_that_names_the_process(
    shop: Path, writer: Start, untouched: Keep
) -> None:
    busy = writer(shop)
    busy.say("BEGIN EXCLUSIVE")
    untouched(shop.parent)
    words = rf"source 'shop': cannot read .*shop.db: it is locked by a writer \(process {busy.pid}\)"
    with (
        pytest.raises(SourceError, match=words),
        open_sqlite(shop, name="shop", limits=LIMITS, wait_seconds=0.2),
    ):
        pass


def test_a_writer_that_has_not_committed_keeps_nobody_out(
    shop: Path, writer: Start, untouched: Keep
) -> None:
    writer(shop).say("BEGIN IMMEDIATE", "INSERT INTO t(word) VALUES ('never')")
    untouched(shop.parent)
    with open_sqlite(shop, name="shop", limits=LIMITS) as opened:
        assert value(opened, "SELECT count(*) FROM t") == 3
        assert opened.source.read_mode == "snapshot"


def test_a_reader_beside_us_is_no_reason_for_a_copy(
    shop: Path, writer: Start, untouched: Keep
) -> None:
    writer(shop).say("BEGIN", "SELECT count(*) FROM t")
    untouched(shop.parent)
    with open_sqlite(shop, name="shop", limits=LIMITS) as opened:
        assert opened.source.read_mode == "immutable"


def test_a_journal_kept_after_its_commit_is_not_hot(
    data: Path, made: Start, untouched: Keep
) -> None:
    path = data / "p.db"
    made(
        path,
        "PRAGMA journal_mode=PERSIST",
        "CREATE TABLE t(n)",
        "INSERT INTO t VALUES (1)",
    )
    assert Path(f"{path}-journal").stat().st_size > 0
    untouched(data)
    with open_sqlite(path, name="shop", limits=LIMITS) as opened:
        assert (opened.source.read_mode, value(opened, "SELECT count(*) FROM t")) == (
            "immutable",
            1,
        )


# ---------------------------------------------------------------- moved


def test_a_commit_during_an_immutable_read_is_told(shop: Path, writer: Start) -> None:
    with open_sqlite(shop, name="shop", limits=LIMITS) as opened:
        writer(shop).say("INSERT INTO t(word) VALUES ('d')")
        assert opened.moved() == "its change counter went from 2 to 3"
    with open_sqlite(shop, name="shop", limits=LIMITS, snapshot=True) as opened:
        assert value(opened, "SELECT count(*) FROM t") == 4
        writer(shop).say("INSERT INTO t(word) VALUES ('e')")
        assert opened.moved() == ""
        assert value(opened, "SELECT count(*) FROM t") == 4


def test_a_log_that_appears_during_an_immutable_read_is_told(
    data: Path, made: Start, writer: Start
) -> None:
    path = data / "w.db"
    made(path, "PRAGMA journal_mode=WAL", "CREATE TABLE t(n)")
    with open_sqlite(path, name="shop", limits=LIMITS) as opened:
        busy = writer(path)
        busy.say("SELECT count(*) FROM t")
        assert opened.moved() == ""
        busy.say("INSERT INTO t VALUES (1)")
        assert opened.moved() == "its -wal file appeared"


def test_a_file_replaced_or_removed_during_the_read_is_told(shop: Path) -> None:
    with open_sqlite(shop, name="shop", limits=LIMITS) as opened:
        other = shop.with_name("other.db")
        shutil.copy(shop, other)
        os.replace(other, shop)
        assert opened.moved() == "another file took its place"
        shop.unlink()
        assert opened.moved() == "it is gone"


def test_a_write_without_a_change_of_counter_or_size_is_told(shop: Path) -> None:
    with open_sqlite(shop, name="shop", limits=LIMITS) as opened:
        with shop.open("r+b") as file:
            file.seek(8000)
            file.write(b"x")
        assert opened.moved() == "it was written to"


# ---------------------------------------------------------------- paths

NAMES = [
    "data #1 100%.db",
    "what?mode=rwc&x=%41.db",
    "naïve 東京 \U0001f600.db",
    "new\nline.db",
    "a'b\"c;d.db",
    "-x.db",
    "~",
    os.fsdecode(b"caf\xe9.db"),
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@pytest.mark.parametrize("snapshot", [False, True])
def test_odd_names_are_opened_under_their_real_name(
    name: str,
    snapshot: bool,
    data: Path,
    made: Start,
    monkeypatch: pytest.MonkeyPatch,
    untouched: Keep,
) -> None:
    path = data / name
    made(path, "CREATE TABLE t(n)", "INSERT INTO t VALUES (7)")
    untouched(data)
    monkeypatch.chdir(data)
    for given in (path, name):
        with open_sqlite(given, name="odd", limits=LIMITS, snapshot=snapshot) as opened:
            assert value(opened, "SELECT n FROM t") == 7


def test_the_log_is_looked_for_beside_the_target_of_a_link(
    pending: Path, tmp_path: Path, untouched: Keep
) -> None:
    link = tmp_path / "links" / "latest.db"
    link.parent.mkdir()
    link.symlink_to(pending)
    untouched(pending.parent)
    untouched(link.parent)
    with open_sqlite(link, name="shop", limits=LIMITS) as opened:
        assert value(opened, "SELECT count(*) FROM t") == 100


def test_a_copy_killed_in_its_middle_is_cleaned_up_by_the_next_run(
    shop: Path, temp: Path, child: Start, untouched: Keep
) -> None:
    untouched(shop.parent)
    code = """
import sys
from watchdog.model import Limits
from watchdog.sources.sqlite import open_sqlite
with open_sqlite(sys.argv[1], name="shop", limits=Limits(), snapshot=True) as opened, opened.source.connect() as base:
    base.exec_driver_sql("SELECT 1"); print("reading", flush=True); sys.stdin.read()
"""
    reading = child(code, shop)
    assert reading.hear() == "reading"
    reading.kill()
    assert len(list(temp.rglob("copy.db"))) == 1
    with open_sqlite(shop, name="shop", limits=LIMITS, snapshot=True):
        assert len(list(temp.rglob("copy.db"))) == 1
    assert list(temp.iterdir()) == []


def test_everything_is_open_to_sqlite_again_after_reading(shop: Path) -> None:
    with open_sqlite(shop, name="shop", limits=LIMITS, snapshot=True):
        base = sqlite3.connect(shop, timeout=0)
        base.execute("INSERT INTO t(word) VALUES ('d')")
        base.commit()
        base.close()
    assert sqlite3.connect(shop).execute("SELECT count(*) FROM t").fetchone() == (4,)
