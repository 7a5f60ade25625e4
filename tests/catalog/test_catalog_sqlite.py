"""The catalogue of real SQLite files: what PRAGMA hides, what declarations mean, and what cannot be read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from watchdog.catalog.sqlite import kind_of, read
from watchdog.model import Catalog, Limits, Table
from watchdog.sources.sqlite import open_sqlite

Make = Callable[..., Path]


def catalog(path: Path) -> Catalog:
    with open_sqlite(path, name="test", limits=Limits()) as opened:
        return read(opened.source, datetime(2026, 1, 1, tzinfo=UTC))


def one(path: Path, name: str = "t") -> Table:
    table = catalog(path).table(name)
    assert table is not None
    return table


def test_generated_columns_are_listed(database: Make) -> None:
    table = one(database("CREATE TABLE t(a INT, v INT AS (a + 1) VIRTUAL, s TEXT AS ('#' || a) STORED)"))
    assert [(c.name, c.generated, c.kind) for c in table.columns] == [
        ("a", False, "integer"), ("v", True, "integer"), ("s", True, "text"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ddl", "key", "rowid", "rowid_is_key"),
    [
        ("t(id INTEGER PRIMARY KEY, x)", ("id",), "rowid", True),
        ("t(id INT PRIMARY KEY, x)", ("id",), "rowid", False),
        ("t(id INTEGER PRIMARY KEY DESC, x)", ("id",), "rowid", False),
        ("t(a TEXT, b TEXT, PRIMARY KEY (b, a))", ("b", "a"), "rowid", False),
        ("t(a TEXT PRIMARY KEY, b) WITHOUT ROWID", ("a",), None, False),
        ("t(x)", (), "rowid", False),
        ("t(rowid TEXT, x)", (), "_rowid_", False),
        ("t(RowId TEXT, _rowid_ TEXT, oid TEXT, u TEXT NOT NULL UNIQUE)", ("u",), None, False),
        ("t(rowid TEXT, _rowid_ TEXT, oid TEXT, u TEXT UNIQUE)", (), None, False),
    ],
)
def test_a_row_is_named_by_its_key_else_its_rowid_else_a_filled_unique_key(
    database: Make, ddl: str, key: tuple[str, ...], rowid: str | None, rowid_is_key: bool
) -> None:
    table = one(database(f"CREATE TABLE {ddl}"))
    assert (table.row_key, table.rowid, table.rowid_is_key) == (key, rowid, rowid_is_key)


def test_only_full_unique_indexes_under_the_columns_own_collation_prove_uniqueness(database: Make) -> None:
    table = one(
        database(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT COLLATE NOCASE, c TEXT, d TEXT, e TEXT, UNIQUE (c, d))",
            "CREATE UNIQUE INDEX by_b ON t(b)",
            "CREATE UNIQUE INDEX folded ON t(c COLLATE NOCASE)",
            "CREATE UNIQUE INDEX part ON t(d) WHERE d > ''",
            "CREATE UNIQUE INDEX expr ON t(lower(e))",
            "CREATE INDEX plain ON t(e)",
        )
    )
    assert [k.columns for k in table.unique_keys] == [("a",), ("b",), ("c", "d")]
    assert table.indexes["e"] == "plain" and "d" not in table.indexes
    assert [c.collation for c in table.columns] == ["BINARY", "BINARY", "NOCASE", "BINARY", "BINARY", "BINARY"]


def test_foreign_keys_say_what_is_wrong_with_them(database: Make) -> None:
    table = one(
        database(
            "CREATE TABLE p(id INTEGER PRIMARY KEY, code TEXT)",
            "CREATE TABLE t(a REFERENCES p, b REFERENCES P(ID), c REFERENCES gone(id), d REFERENCES p(kode),"
            " e REFERENCES p(code), f, g, h REFERENCES t(h), FOREIGN KEY (F, g) REFERENCES p(id, code))",
        )
    )
    told = {k.columns: (k.parent, k.parent_columns, k.problem) for k in table.foreign_keys}
    assert told["a",] == ("p", ("id",), "") == told["b",]
    assert "does not exist" in told["c",][2]
    assert "no column 'kode'" in told["d",][2]
    assert "not declared unique" in told["e",][2] and "not declared unique" in told["f", "g"][2]
    assert "not declared unique" in told["h",][2]


def test_strict_without_rowid_views_virtual_and_shadow_tables_are_told_apart(database: Make) -> None:
    found = catalog(
        database(
            "CREATE TABLE s(x INT) STRICT",
            "CREATE VIEW v AS SELECT x FROM s",
            "CREATE VIRTUAL TABLE f USING fts5(body)",
            "CREATE TABLE auto(id INTEGER PRIMARY KEY AUTOINCREMENT)",
            "INSERT INTO auto VALUES (1)",
        )
    )
    kinds = {t.name: t.kind for t in found.tables}
    assert (kinds["s"], kinds["v"], kinds["f"], kinds["f_data"]) == ("table", "view", "virtual", "shadow")
    assert "sqlite_sequence" not in kinds
    strict = found.table("s")
    assert strict is not None and strict.strict
    assert all(t.note for t in found.tables if t.kind != "table")


def test_a_broken_view_or_a_missing_module_costs_only_itself(database: Make) -> None:
    path = database("CREATE TABLE gone(x)", "CREATE VIEW v AS SELECT x FROM gone", "CREATE TABLE fine(x)")
    base = sqlite3.connect(path)
    base.executescript(
        "PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'gone';"
        "INSERT INTO sqlite_master VALUES ('table', 'odd', 'odd', 0, 'CREATE VIRTUAL TABLE odd USING nomodule(x)')"
    )
    base.commit()
    base.close()
    found = catalog(path)
    assert [t.name for t in found.tables] == ["fine", "odd", "v"]
    notes = {t.name: t.note for t in found.tables}
    assert "cannot be read" in notes["v"] and "nomodule" in notes["odd"] and notes["fine"] == ""


@pytest.mark.parametrize(
    ("native", "kind"),
    [
        ("INTEGER", "integer"), ("BIGINT", "integer"), ("int unsigned", "integer"), ("FLOATING POINT", "decimal"),
        ("DECIMAL(10,2)", "decimal"), ("double", "decimal"), ("VARCHAR(20)", "text"), ("STRING", "text"), ("CLOB", "text"),
        ("BOOLEAN", "boolean"), ("bool", "boolean"), ("DATE", "date"), ("DATETIME", "timestamp"), ("timestamp", "timestamp"),
        ("JSON", "json"), ("BLOB", "blob"), ("", "other"), ("GEOMETRY", "other"), ("POINT", "other"), ("TIME", "other"),
    ],
)  # fmt: skip
def test_a_declared_type_is_read_as_people_mean_it(native: str, kind: str) -> None:
    assert kind_of(native) == kind


def test_odd_names_are_kept_exactly(database: Make) -> None:
    names = ["Order Items", "select", 'a""b', "naïve", "new\nline", "trail ", "%s", "x'); DROP TABLE t; --"]
    quoted = ['"' + n.replace('"', '""') + '"' for n in names]
    path = database(*(f'CREATE TABLE {q}({q} TEXT, {q[:-1]} " INT)' for q in quoted))
    assert [t.name for t in catalog(path).tables] == sorted(names)
    assert [c.name for c in one(path, "select").columns] == ["select", "select "]


def test_a_parent_under_another_collation_is_unique_however_the_collation_is_spelt(database: Make) -> None:
    table = one(
        database(
            "CREATE TABLE p(a TEXT COLLATE nocase UNIQUE, b TEXT COLLATE RTrim, c TEXT COLLATE NoCase)",
            "CREATE UNIQUE INDEX by_b ON p(b)",
            "CREATE UNIQUE INDEX by_c ON p(c, b)",
            "CREATE TABLE t(x REFERENCES p(a), y REFERENCES p(b), z, FOREIGN KEY (y, z) REFERENCES p(b, c))",
        )
    )
    assert [k.problem for k in table.foreign_keys] == ["", "", ""]
