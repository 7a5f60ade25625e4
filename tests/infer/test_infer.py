"""What holds whatever the rules: order, places that exist, one check a place, and `off`."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from watchdog.infer import COLUMN_RULES, DATABASE_RULES, DATED_RULES, TABLE_RULES, infer
from watchdog.model import Catalog, Column, ColumnProfile, Table, UniqueKey
from watchdog.plugins import bind, check_names

NOW = datetime(2026, 12, 31, tzinfo=UTC)
RULES = (*DATABASE_RULES, *TABLE_RULES, *COLUMN_RULES, *DATED_RULES)
KINDS = st.sampled_from(["integer", "decimal", "text", "boolean", "date", "timestamp", "json", "blob", "other"])
NAMES = st.one_of(st.sampled_from(["created_at", "due", "phone", "json", "id", "a b", 'q"'])) | st.text(
    min_size=1, max_size=5
)
VALUES = st.one_of(
    st.none(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.binary(max_size=3), st.text(max_size=9),
    st.sampled_from(["", "N/A", "null", "2020-01-02", "2020-01-02 03:04:05", "0000-00-00", "Jun 12 1998", "31/12/2019",
                     "{}", "1,204", "\udcff"]),
)  # fmt: skip


@st.composite
def looked(draw: st.DrawFn) -> tuple[Catalog, dict[str, list[ColumnProfile]]]:
    tables, profiles = [], {}
    for name in draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)):
        told = draw(st.lists(st.tuples(NAMES, KINDS, st.booleans()), min_size=1, max_size=4, unique_by=lambda c: c[0]))
        columns = tuple(Column(name, n, k, k.upper(), null, i) for i, (n, k, null) in enumerate(told))
        names = st.lists(st.sampled_from([c.name for c in columns]), min_size=1, max_size=3, unique=True).map(tuple)
        keys = tuple(UniqueKey(k, "") for k in draw(st.lists(names, max_size=3)))
        tables.append(Table("", name, "table", columns, draw(names), keys, rowid="rowid"))
        counts = st.dictionaries(VALUES, st.integers(1, 200), max_size=12)
        profiles[name] = [ColumnProfile(name, c.name, 0, draw(counts), draw(st.booleans())) for c in columns]
    return Catalog("s", NOW, tuple(tables)), profiles


def columns_of(spec: Any) -> tuple[str, ...]:
    return spec.columns or tuple(spec.options.get("columns", ()))


@given(looked())
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_specs_name_columns_that_exist_once_a_check_with_a_reason_and_the_same_each_time(seen):
    catalog, profiles = seen
    specs = infer(catalog, profiles, now=NOW)
    assert specs == infer(catalog, profiles, now=NOW)
    places = [(s.table, columns_of(s), s.name, s.options.get("name")) for s in specs]
    assert len(places) == len(set(places))
    for spec in specs:
        assert spec.origin == "inferred"
        assert spec.evidence
        assert spec.options["severity"] in ("info", "low", "medium", "high")
        if spec.table is not None:
            table = catalog.table(spec.table)
            assert table is not None
            assert {c.name for c in table.columns}.issuperset(columns_of(spec))


@given(looked())
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_without_profiles_only_what_the_schema_says_is_left(seen):
    catalog, _ = seen
    names = {s.name for s in infer(catalog, {}, now=NOW)}
    assert names <= {
        "integrity",
        "unique",
        "unique_combination_of_columns",
        "primary_key",
        "not_null",
        "type",
        "encoding",
    }


def test_every_rule_says_in_words_what_it_does():
    assert all(rule.__doc__ for rule in RULES)
    assert len(set(RULES)) == len(RULES)


MIXED = """
    CREATE TABLE p(id INTEGER PRIMARY KEY);
    CREATE TABLE t(
        id TEXT PRIMARY KEY, mail TEXT UNIQUE NOT NULL, p REFERENCES p, gone REFERENCES gone(id), qty INTEGER,
        hired TEXT, seen INTEGER, released TEXT, js JSON, a, b,
        UNIQUE (a, b), FOREIGN KEY (a, b) REFERENCES p2(x, y)
    );
    CREATE TABLE p2(x, y, UNIQUE (x, y));
"""


def mixed(db: sqlite3.Connection) -> None:
    db.executescript(MIXED)
    for i in range(40):
        row = (None if i < 3 else str(i), f"m{i}" if i else "", i, i, i if i else "x", f"2020-01-{1 + i % 28:02d}",
               1_600_000_000 + i, f"{1 + i % 28}/1/2019", "{}", i, i)  # fmt: skip
        db.execute(f"INSERT INTO t VALUES({', '.join('?' * len(row))})", row)


def test_every_inferred_check_exists_and_takes_its_options(inferred):
    specs = inferred(mixed)
    schema = {"integrity", "unique", "unique_combination_of_columns", "primary_key", "relationships", "foreign_key"}
    assert {s.name for s in specs} == schema | {"not_null", "type", "encoding", "missing", "valid", "not_future"}
    assert {s.name for s in specs} <= set(check_names())
    for spec in specs:
        check = bind(spec)
        assert check.level.label == spec.options["severity"]


@pytest.mark.parametrize(
    ("off", "gone"),
    [
        ((None, None, "encoding"), {"id", "mail", "hired", "released", "js"}),
        (("t", None, "encoding"), {"id", "mail", "hired", "released", "js"}),
        (("t", "mail", "encoding"), {"mail"}),
        (("p", None, "encoding"), set()),
        (("t", "mail", "unique"), set()),
    ],
)
def test_off_takes_a_check_away_everywhere_in_a_table_or_in_a_column(inferred, off, gone):
    before = {"id", "mail", "hired", "released", "js"}
    assert set(inferred(mixed, off=[off]).of("encoding")) == before - gone
