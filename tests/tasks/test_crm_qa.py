"""The task crm-qa: each of its thirteen checks counts what its line says, on rows made for it."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from watchdog.pipeline import scan

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 6, 30, 20, 0, tzinfo=UTC)  # already July 1st in Shanghai

SCHEMA = """
CREATE TABLE contacts(id INTEGER PRIMARY KEY, name TEXT, wechat_id TEXT, wechat_id_clean TEXT);
CREATE TABLE contact_records(id INTEGER PRIMARY KEY, contact_id INTEGER, contact_date TEXT, content TEXT);
CREATE TABLE chat_messages(id INTEGER PRIMARY KEY, contact_id INTEGER, content TEXT, sent_at TEXT);
"""
CONTACTS = [
    (1, "Ann", "ann1", "ann1"),
    (2, "Annie", "ann1", "ann"),  # duplicate_wechat_id with 1
    (3, "bob9", "bob9", "bob"),  # name equals wechat_id
    (4, "wxid_77", "d4", "d4"),
    (5, "eve@home", "e5", "e5"),
    (6, None, "f6", "f6"),
    (7, " \u3000", "g7", "g7"),
    (8, "Hal", " ", None),  # a blank id: no duplicate, and nothing to clean
    (9, "Ida", " ", ""),
    (10, "Jon", "j10", None),  # clean missing
    (11, "Kim", "k11", ""),  # clean missing
    (12, "Lou", "l12", "dup"),
    (13, "Max", "m13", "dup"),
    (14, "Wxid_9", None, None),  # upper case: a name
]
CHATS = [
    (1, 1, "hi", "2026-05-01 15:59:59"),  # May 1st in Shanghai
    (2, 1, "hi", "2026-05-01 16:00:00"),  # May 2nd in Shanghai
    (3, None, "x", "2026-05-01 00:00:00"),  # contact is NULL: no orphan
    (4, 99, "x", "2026-05-01 00:00:00"),  # orphan
    (5, 3, "", "2026-05-01 00:00:00"),
    (6, 3, None, "not a time"),
    (7, 4, "\t\n", "2026-05-01 00:00:00"),
]
RECORDS = [
    (1, 1, "2026-05-03", "met"),  # a day after May 2nd: fine
    (2, 1, "2026-05-04", "met"),  # two days: a candidate
    (3, 1, "2026-04-30", "met"),  # a day before May 1st: fine
    (4, 2, "2020-01-01", "met"),  # no chats with 2: not counted
    (5, 3, "2026/05/09", "met"),  # unreadable date: not counted
    (6, None, "2026-05-01", "met"),  # NULL is an orphan here
    (7, 98, "2026-05-01", ""),  # orphan; empty
    (8, 2, "2026-07-01", None),  # today in Shanghai; empty
    (9, 2, "2026-07-02", "\u3000"),  # tomorrow; empty
    (10, 2, "1999-12-31", "x"),
    (11, 2, "2000-01-01", "x"),
]
EXPECTED = {
    "duplicate_wechat_id": ("high", 2),
    "duplicate_wechat_id_clean": ("high", 2),
    "name_not_renamed": ("medium", 5),
    "wechat_id_clean_missing": ("low", 2),
    "chat_contact_id_null": ("medium", 1),
    "chat_orphan_fk": ("high", 1),
    "record_orphan_fk": ("high", 2),
    "contact_date_future": ("high", 1),
    "contact_date_implausible": ("medium", 1),
    "contact_date_tz_mismatch_candidate": ("info", 1),
    "empty_record_content": ("low", 3),
    "empty_chat_content": ("low", 3),
    "chat_no_record": ("info", 1),
}


@pytest.fixture
def crm(tmp_path: Path) -> Path:
    path = tmp_path / "crm.db"
    db = sqlite3.connect(path)
    db.executescript(SCHEMA)
    for table, rows in (("contacts", CONTACTS), ("chat_messages", CHATS), ("contact_records", RECORDS)):
        db.executemany(f"INSERT INTO {table} VALUES (?, ?, ?, ?)", rows)
    db.commit()
    db.close()
    return path


def test_each_of_the_thirteen_checks_counts_what_it_says(crm: Path) -> None:
    run = scan(crm, task="crm-qa", now=NOW, samples=20)
    assert {f.result.name: (f.severity.label, f.count) for f in run.findings} == EXPECTED
    keys = {f.result.name: [s.key for s in f.samples] for f in run.findings}
    assert keys["name_not_renamed"] == [{"id": n} for n in (3, 4, 5, 6, 7)]
    assert keys["contact_date_tz_mismatch_candidate"] == [{"id": 2}]
    assert keys["chat_no_record"] == [{"id": 4}]
    assert keys["record_orphan_fk"] == [{"id": 6}, {"id": 7}]
    assert len(run.results) == 13 and run.complete


def test_a_missing_table_or_column_is_skipped_with_the_reason(crm: Path) -> None:
    db = sqlite3.connect(crm)
    db.executescript("DROP TABLE chat_messages; ALTER TABLE contacts RENAME COLUMN wechat_id_clean TO clean")
    db.close()
    run = scan(crm, task="crm-qa", now=NOW)
    skipped = {r.name: r.judgement.message for r in run.results if r.status == "skipped"}
    assert set(skipped) == {
        "chat_contact_id_null", "chat_orphan_fk", "empty_chat_content", "chat_no_record",
        "contact_date_tz_mismatch_candidate", "duplicate_wechat_id_clean", "wechat_id_clean_missing",
    }  # fmt: skip
    assert "chat_messages" in skipped["chat_no_record"] and "wechat_id_clean" in skipped["wechat_id_clean_missing"]
    assert run.exit_code("high") == 1


def test_a_database_that_is_no_crm_is_not_green(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    db = sqlite3.connect(path)
    db.executescript("CREATE TABLE t(x); INSERT INTO t VALUES (1)")
    db.close()
    assert scan(path, task="crm-qa").exit_code("high") == 3


def test_run_py_prints_findings_json_and_ends_with_its_documented_codes(crm: Path, tmp_path: Path) -> None:
    script = ROOT / "tasks" / "crm-qa" / "run.py"

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, script, *arguments], capture_output=True, text=True, check=False, cwd=tmp_path
        )

    done = call("--db", str(crm), "--now", "2026-06-30T20:00:00Z")
    assert done.returncode == 1, done.stderr
    assert {f["name"] for f in json.loads(done.stdout)["findings"]} == set(EXPECTED)
    assert call("--db", str(crm), "--fail-on", "never").returncode == 0
    assert call("--db", str(tmp_path / "none.db")).returncode == 3
    assert call().returncode == 2
