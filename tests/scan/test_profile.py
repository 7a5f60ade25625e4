"""The sample that inference reads: which rows, which values, and what happens to those that cannot be read."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from watchdog.catalog import sqlite as catalog
from watchdog.model import ColumnProfile, Limits
from watchdog.scan import profile
from watchdog.sources.sqlite import open_sqlite

Make = Callable[[sqlite3.Connection], object]


@pytest.fixture
def look(tmp_path: Path) -> Callable[..., dict[str, ColumnProfile]]:
    """Makes a database and profiles one of its tables; the profiles by column name."""
    path = tmp_path / "sample.db"

    def made(make: Make | None, table: str = "t", rows: int = 100_000) -> dict[str, ColumnProfile]:
        if make is not None:
            raw = sqlite3.connect(path)
            make(raw)
            raw.commit()
            raw.close()
        with open_sqlite(path, name="sample", limits=Limits()) as opened, opened.source.connect() as connection:
            found = catalog.read(opened.source, datetime.now(UTC)).table(table)
            assert found is not None
            return {p.column: p for p in profile.take(connection, found, rows=rows)}

    return made


def numbers(count: int) -> str:
    return f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {count - 1}) "


def fill(create: str, insert: str) -> Make:
    return lambda db: (db.execute(create), db.execute(insert))


def test_every_value_of_a_small_table_is_counted(look):
    seen = look(fill("CREATE TABLE t(a TEXT, b)", "INSERT INTO t VALUES('x', 1), ('x', NULL), ('y', 1)"))
    assert seen["a"].counts == {"x": 2, "y": 1}
    assert seen["b"].counts == {1: 2, None: 1}
    assert seen["a"].rows == 3
    assert seen["a"].complete


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)
NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False)
VALUES = st.none() | NUMBERS | TEXTS | st.binary(max_size=300)


@given(st.lists(st.tuples(VALUES, VALUES), max_size=30))
@settings(deadline=None, max_examples=40)
def test_the_counts_are_those_of_the_values(values):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sample.db"
        raw = sqlite3.connect(path)
        raw.execute("CREATE TABLE t(a, b)")
        raw.executemany("INSERT INTO t VALUES(?, ?)", values)
        raw.commit()
        raw.close()
        with open_sqlite(path, name="sample", limits=Limits()) as opened, opened.source.connect() as connection:
            table = catalog.read(opened.source, datetime.now(UTC)).tables[0]
            seen = profile.take(connection, table, rows=100)
    for place, column in enumerate(seen):
        assert column.counts == Counter(
            v[place][:256] if isinstance(v[place], str | bytes) else v[place] for v in values
        )


def test_an_empty_table_has_profiles_without_values(look):
    seen = look(lambda db: db.execute("CREATE TABLE t(a, b)"))
    assert [(p.rows, dict(p.counts), p.complete) for p in seen.values()] == [(0, {}, True)] * 2


def test_a_blob_is_not_the_text_of_the_same_bytes(look):
    seen = look(fill("CREATE TABLE t(a)", "INSERT INTO t VALUES('ab'), (x'6162'), (x'6162')"))
    assert seen["a"].counts == {"ab": 1, b"ab": 2}


def test_text_that_is_not_utf8_is_kept_and_the_others_too(look):
    seen = look(fill("CREATE TABLE t(a, b)", "INSERT INTO t VALUES(CAST(x'636166e9' AS TEXT), 'é'), ('ok', x'e9')"))
    assert seen["a"].counts == {"caf\udce9": 1, "ok": 1}
    assert seen["b"].counts == {"é": 1, b"\xe9": 1}


def test_text_behind_a_nul_is_part_of_the_value(look):
    seen = look(fill("CREATE TABLE t(a)", "INSERT INTO t VALUES('ab' || char(0) || 'cd')"))
    assert seen["a"].counts == {"ab\0cd": 1}


@pytest.mark.parametrize("length", [300, 5_000, 100_000, 3_000_000])
def test_long_cells_are_cut_and_merge_with_those_that_begin_alike(look, length):
    def make(db):
        db.execute("CREATE TABLE t(a, b)")
        text, blob = "a" * length, b"a" * length
        db.executemany("INSERT INTO t VALUES(?, ?)", [(text, blob), (text + "b", blob)])

    seen = look(make)
    assert seen["a"].counts == {"a" * 256: 2}
    assert seen["b"].counts == {b"a" * 256: 2}


TABLES = {
    "row id": (
        "CREATE TABLE t(part)",
        f"INSERT INTO t {numbers(5000)} SELECT i / 100 FROM n",
    ),
    "sparse keys": (  # a dense half, and a half strewn far and wide
        "CREATE TABLE t(id INTEGER PRIMARY KEY, part)",
        f"INSERT INTO t {numbers(5000)} SELECT iif(i < 2500, i, i * 1000000007), i / 100 FROM n",
    ),
    "negative keys": (
        "CREATE TABLE t(id INTEGER PRIMARY KEY, part)",
        f"INSERT INTO t {numbers(5000)} SELECT i * 7 - 20000, i / 100 FROM n",
    ),
    "without row id": (
        "CREATE TABLE t(name TEXT PRIMARY KEY, part) WITHOUT ROWID",
        f"INSERT INTO t {numbers(5000)} SELECT printf('n''%06d', i), i / 100 FROM n",
    ),
    "composite key": (
        "CREATE TABLE t(site TEXT, no INTEGER, part, PRIMARY KEY (site, no)) WITHOUT ROWID",
        f"INSERT INTO t {numbers(5000)} SELECT char(97 + i / 2500), i, i / 100 FROM n",
    ),
    "falling key": (
        "CREATE TABLE t(no INTEGER, part, PRIMARY KEY (no DESC)) WITHOUT ROWID",
        f"INSERT INTO t {numbers(5000)} SELECT i, i / 100 FROM n",
    ),
    "key that is not UTF-8": (
        "CREATE TABLE t(name TEXT PRIMARY KEY, part) WITHOUT ROWID",
        f"INSERT INTO t {numbers(5000)} SELECT CAST(CAST(printf('%06d', i) AS BLOB) || x'ff' AS TEXT), i / 100 FROM n",
    ),
    "shadowed row id": (
        "CREATE TABLE t(rowid TEXT, oid TEXT, _rowid_ INTEGER NOT NULL UNIQUE, part)",
        f"INSERT INTO t {numbers(5000)} SELECT 'a', 'b', i, i / 100 FROM n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", TABLES)
def test_a_sample_is_spread_over_the_rows_whatever_the_key(look, kind):
    part = look(fill(*TABLES[kind]), rows=1_000)["part"]
    assert part.rows == 1_000
    assert not part.complete
    assert set(part.counts) == set(range(50))
    assert set(part.counts.values()) <= set(range(10, 31, 10))  # two blocks of ten rows each, give or take one
    assert part.how == "100 blocks of 10 rows, evenly spread over the table"


@pytest.mark.parametrize("kind", TABLES)
def test_the_same_file_gives_the_same_sample(look, kind):
    first = look(fill(*TABLES[kind]), rows=1_000)
    assert look(None, rows=1_000) == first


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_within_the_limit_is_read_whole_in_blocks_too(look, kind, monkeypatch):
    monkeypatch.setattr(profile, "DISTINCT", 1_000)  # so that 5,000 rows are read in blocks
    part = look(fill(*TABLES[kind]))["part"]
    assert part.counts == dict.fromkeys(range(50), 100)
    assert (part.rows, part.complete, part.how) == (5_000, True, "all rows")


def test_without_a_key_it_is_the_first_rows_and_it_says_so(look):
    make = fill(
        "CREATE TABLE t(rowid, oid, _rowid_, part)", f"INSERT INTO t {numbers(5000)} SELECT 1, 1, 1, i / 100 FROM n"
    )
    part = look(make, rows=1_000)["part"]
    assert part.rows == 1_000
    assert set(part.counts) == set(range(10))
    assert part.how == "the first 1,000 rows (no key to spread the sample by)"


def test_a_view_shows_its_first_rows(look):
    def make(db):
        fill(*TABLES["row id"])(db)
        db.execute("CREATE VIEW v AS SELECT part * 2 AS twice FROM t")

    assert look(make, "v", rows=200)["twice"].counts == {0: 100, 2: 100}


def test_a_column_of_many_values_is_left_alone_after_an_even_part_of_them(look):
    seen = look(fill("CREATE TABLE t(a, b)", f"INSERT INTO t {numbers(40_000)} SELECT i, i % 3 FROM n"))
    many, few = seen["a"], seen["b"]
    assert 10_000 <= many.rows == len(many.counts) < 12_000
    assert not many.complete
    assert max(Counter(v // 4_000 for v in many.counts).values()) <= 2_000  # each tenth of the table is there
    assert len({v // 4_000 for v in many.counts}) == 10
    assert few.rows == 40_000
    assert few.complete


def test_a_column_whose_expression_fails_says_why_and_costs_the_others_nothing(look):
    def make(db):
        db.execute("CREATE TABLE t(change INTEGER, after)")
        db.executemany("INSERT INTO t VALUES(?, ?)", [(7, 1), (-(2**63), 2)])
        db.execute("ALTER TABLE t ADD COLUMN size AS (abs(change))")

    seen = look(make)
    assert seen["size"].rows == 0
    assert not seen["size"].complete
    assert seen["size"].how == "not read: integer overflow"
    assert seen["change"].rows == 2
    assert seen["after"].counts == {1: 1, 2: 1}


def test_more_columns_than_one_statement_holds(look):
    def make(db):
        db.execute(f"CREATE TABLE t({', '.join(f'c{i}' for i in range(1_999))})")
        db.execute(f"INSERT INTO t VALUES({', '.join(str(i) for i in range(1_999))})")

    seen = look(make)
    assert len(seen) == 1_999
    assert all(p.counts == {int(name[1:]): 1} for name, p in seen.items())


def test_odd_names_are_only_names(look):
    seen = look(lambda db: db.execute('CREATE TABLE "t""; --"("a""b", "%s {0}", "new\nline")'), 't"; --')
    assert list(seen) == ['a"b', "%s {0}", "new\nline"]


def test_the_connection_reads_text_as_before(tmp_path):
    path = tmp_path / "sample.db"
    raw = sqlite3.connect(path)
    raw.executescript("CREATE TABLE t(a); INSERT INTO t VALUES(CAST(x'ff' AS TEXT)), (zeroblob(100000))")
    raw.close()
    with open_sqlite(path, name="sample", limits=Limits()) as opened, opened.source.connect() as connection:
        table = catalog.read(opened.source, datetime.now(UTC)).tables[0]
        profile.take(connection, table, rows=10)
        assert connection.exec_driver_sql("SELECT a FROM t").scalars().all() == ["\udcff", bytes(100_000)]
