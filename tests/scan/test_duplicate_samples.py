"""The rows shown for duplicates are the first of those that the finding's own SQL lists, few groups or many."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from watchdog.model import CheckSpec
from watchdog.pipeline import scan

ODD: list[Any] = [
    1,
    1.0,
    "1",
    "x",
    "X",
    "x ",
    "a\0b",
    "a\0c",
    b"x",
    2**53 + 1,
    float(2**53),
    0.1,
    0.1 + 0.2,
    0.3,
    None,
    "é",
    "",
]


def made(path: Path, declared: str, values: list[Any]) -> sqlite3.Connection:
    db = sqlite3.connect(path)
    db.execute(f"CREATE TABLE t(id INTEGER PRIMARY KEY, v {declared})")
    db.executemany("INSERT INTO t(v) VALUES (?)", [(v,) for v in values])
    db.execute("INSERT INTO t(v) VALUES (CAST(x'ff41' AS TEXT)), (7), (CAST(x'ff41' AS TEXT))")  # no UTF-8
    db.commit()
    return db


def shown_and_listed(path: Path, db: sqlite3.Connection, samples: int) -> tuple[list[Any], list[Any]]:
    run = scan(path, specs=[CheckSpec("unique", "t", ("v",))], infer=False, samples=samples)
    (finding,) = run.findings
    db.text_factory = bytes
    return [s.key for s in finding.samples], [{"id": row[0]} for row in db.execute(finding.sql).fetchall()]


@pytest.mark.parametrize("declared", ["", "TEXT", "INTEGER", "REAL", "TEXT COLLATE NOCASE", "BLOB"])
def test_rows_of_few_groups_are_shown_as_the_sql_lists_them(tmp_path: Path, declared: str) -> None:
    path = tmp_path / "few.db"
    db = made(path, declared, [*ODD, *reversed(ODD)])
    shown, listed = shown_and_listed(path, db, 100)
    assert shown == listed


def test_rows_of_few_groups_without_odd_text_are_shown_as_the_sql_lists_them(tmp_path: Path) -> None:
    path = tmp_path / "few.db"
    db = made(path, "", [*ODD, *reversed(ODD)])
    db.execute("DELETE FROM t WHERE v = CAST(x'ff41' AS TEXT)")
    db.commit()
    shown, listed = shown_and_listed(path, db, 4)
    assert shown == listed[:4]
    assert len(listed) > 4


def test_rows_of_many_groups_and_of_long_values_are_shown_too(tmp_path: Path) -> None:
    path = tmp_path / "many.db"
    db = made(path, "TEXT", [f"{n % 300}" for n in range(600)] + ["long" * 5_000] * 2)
    shown, listed = shown_and_listed(path, db, 1_000)
    assert shown == listed
    assert len(shown) == 600 + 4 + 1  # the odd text, and the 7 that is added to the two there are


def test_a_table_called_like_the_groups_of_it_is_scanned(tmp_path: Path) -> None:
    path = tmp_path / "names.db"
    db = sqlite3.connect(path)
    db.execute('CREATE TABLE "groups of t"(v)')
    db.executemany('INSERT INTO "groups of t" VALUES (?)', [(1,), (1,), (2,)])
    db.commit()
    run = scan(path, specs=[CheckSpec("unique", "groups of t", ("v",))], infer=False)
    assert [(f.count, [s.rowid for s in f.samples]) for f in run.findings] == [(2, [1, 2])]
