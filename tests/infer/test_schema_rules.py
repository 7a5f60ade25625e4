"""What the schema promises becomes checks of severity high; what it cannot break does not."""

from __future__ import annotations


def test_integrity_is_asked_once(inferred):
    specs = inferred("CREATE TABLE a(x); CREATE TABLE b(x)")
    assert [(s.table, s.options) for s in specs if s.name == "integrity"] == [(None, {"severity": "high"})]


def test_declared_keys_are_to_be_unique(inferred):
    specs = inferred(
        "CREATE TABLE t(code TEXT PRIMARY KEY, mail TEXT UNIQUE, a, b, c, UNIQUE (a, b)); CREATE UNIQUE INDEX i ON t(c)"
    )
    assert set(specs.of("unique")) == {"code", "mail", "c"}
    assert specs.level("unique", "code") == "high"
    assert specs.of("unique")["code"].evidence == "declared PRIMARY KEY"
    both = specs.of("unique_combination_of_columns")["a+b"]
    assert both.columns == ()
    assert both.options == {"severity": "high", "columns": ["a", "b"]}


def test_a_composite_primary_key_is_a_combination(inferred):
    specs = inferred("CREATE TABLE t(a, b, PRIMARY KEY (a, b)) WITHOUT ROWID")
    assert set(specs.of("unique_combination_of_columns")) == {"a+b"}


def test_a_key_that_is_the_row_id_needs_no_proof(inferred):
    specs = inferred("CREATE TABLE t(id INTEGER PRIMARY KEY, file INTEGER, UNIQUE (file, id), UNIQUE (id, file))")
    assert [s.name for s in specs] == ["integrity", "type"]
    assert set(specs.of("type")) == {"file"}


def test_two_keys_over_the_same_columns_are_one_promise(inferred):
    specs = inferred("CREATE TABLE t(a, b, UNIQUE (a, b), UNIQUE (b, a))")
    assert len(specs.of("unique_combination_of_columns")) == 1


def test_an_index_that_is_partial_or_under_another_collation_proves_nothing(inferred):
    specs = inferred(
        "CREATE TABLE t(a TEXT, b TEXT); CREATE UNIQUE INDEX i ON t(a) WHERE b > 1;"
        "CREATE UNIQUE INDEX j ON t(b COLLATE NOCASE)"
    )
    assert not specs.of("unique")


def test_a_primary_key_that_lets_nulls_in_is_to_be_filled(inferred):
    specs = inferred(
        "CREATE TABLE t(id TEXT PRIMARY KEY); CREATE TABLE u(a NOT NULL, b, PRIMARY KEY (a, b));"
        "CREATE TABLE number(id INTEGER PRIMARY KEY); CREATE TABLE strictly(id TEXT PRIMARY KEY NOT NULL);"
        "CREATE TABLE clustered(id TEXT PRIMARY KEY) WITHOUT ROWID"
    )
    assert {s.table: s.options for s in specs if s.name == "primary_key"} == {
        "t": {"severity": "high", "columns": ["id"]},
        "u": {"severity": "high", "columns": ["a", "b"]},
    }


def test_int_is_not_integer(inferred):
    assert inferred("CREATE TABLE t(id INT PRIMARY KEY)").level("primary_key", "id") == "high"


def test_columns_declared_not_null_are_to_be_filled(inferred):
    specs = inferred("CREATE TABLE t(id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, note TEXT)")
    assert set(specs.of("not_null")) == {"name"}
    assert specs.level("not_null", "name") == "high"


def test_foreign_keys_that_can_work_are_followed(inferred):
    specs = inferred(
        "CREATE TABLE p(id INTEGER PRIMARY KEY, a, b, UNIQUE (a, b));"
        "CREATE TABLE t(p_id REFERENCES p, a, b, FOREIGN KEY (a, b) REFERENCES p(a, b))"
    )
    assert specs.of("relationships")["p_id"].options == {"severity": "high", "to": "p", "field": "id"}
    pair = specs.of("relationships")["a+b"]
    assert pair.columns == ()
    assert pair.options == {"severity": "high", "columns": ["a", "b"], "to": "p", "fields": ["a", "b"]}
    assert not specs.of("foreign_key")


def test_foreign_keys_that_cannot_work_are_reported_as_such(inferred):
    specs = inferred(
        "CREATE TABLE p(code TEXT);CREATE TABLE t(a REFERENCES nowhere(id), b REFERENCES p(kode), c REFERENCES p(code))"
    )
    assert set(specs.of("foreign_key")) == {"a", "b", "c"}
    assert specs.level("foreign_key", "a") == "high"
    assert "'nowhere' does not exist" in specs.of("foreign_key")["a"].evidence
    assert not specs.of("relationships")


def test_two_foreign_keys_of_one_column_are_told_apart_by_name(inferred):
    specs = inferred(
        "CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE q(id INTEGER PRIMARY KEY);"
        "CREATE TABLE t(x, FOREIGN KEY (x) REFERENCES p(id), FOREIGN KEY (x) REFERENCES q(id))"
    )
    found = [s for s in specs if s.name == "relationships"]
    assert {s.options["to"] for s in found} == {"p", "q"}
    assert len({s.options.get("name") for s in found}) == 2


def test_views_and_virtual_tables_are_left_alone(inferred):
    specs = inferred(
        "CREATE TABLE t(a TEXT NOT NULL); INSERT INTO t VALUES('x'); "
        "CREATE VIEW v AS SELECT a FROM t; CREATE VIEW broken AS SELECT 1 FROM no;"
        "CREATE VIRTUAL TABLE words USING fts5(body)"
    )
    assert {s.table for s in specs} == {None, "t"}
