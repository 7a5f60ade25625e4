"""Files that are really damaged, and declarations that are: what is said to be wrong, in every output."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from watchdog.checks.integrity import ONE, kind
from watchdog.model import Finding
from watchdog.pipeline import Options, scan
from watchdog.plugins import renderer
from watchdog.scan.damage import MOST_OF_A_TABLE, told_by

PAGE = 4096


def numbers(most: int) -> str:
    return f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {most})"


def damage(path: Path) -> Finding:
    run = scan(path, options=Options(samples=0))
    return next(f for f in run.findings if f.check == "integrity")


def lost_pages(path: Path, pages: int) -> None:
    """Whole pages at the end of the file that nothing refers to: the header forgets its list of free pages."""
    base = sqlite3.connect(path, isolation_level=None)
    base.execute("CREATE TABLE gone(x)")
    base.execute(f"INSERT INTO gone {numbers(pages)} SELECT zeroblob({PAGE - 100}) FROM n")
    base.execute("DROP TABLE gone")
    base.close()
    raw = bytearray(path.read_bytes())
    raw[32:40] = bytes(8)  # first trunk page and number of free pages
    path.write_bytes(raw)


def wrong_index(path: Path, index: str, rows: int, shrink: bool = False) -> None:
    """Rows that the index lacks, or entries of the index without a row: changed while the index was out of sight."""
    base = sqlite3.connect(path, isolation_level=None)
    base.execute("PRAGMA writable_schema = ON")
    row = base.execute("SELECT * FROM sqlite_master WHERE name = ?", (index,)).fetchone()
    base.execute("DELETE FROM sqlite_master WHERE name = ?", (index,))
    base.close()
    base = sqlite3.connect(path, isolation_level=None)
    if shrink:
        base.execute(f"DELETE FROM t WHERE rowid <= {rows}")
    else:
        base.executemany("INSERT INTO t VALUES (?)", [(10_000 + number,) for number in range(rows)])
    base.execute("PRAGMA writable_schema = ON")
    base.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", row)
    base.close()


def test_a_thousand_pages_that_nothing_refers_to_are_a_thousand_places(database: Callable[..., Path]) -> None:
    path = database("CREATE TABLE t(x)", "INSERT INTO t VALUES (1)")
    lost_pages(path, 1000)
    found = damage(path)
    base = sqlite3.connect(path)
    said = [line for (row,) in base.execute("PRAGMA integrity_check(100000)") for line in row.splitlines()]
    base.close()
    pages = sum("never used" in line for line in said)
    assert pages >= 1000 and found.count == pages
    assert found.description == f"the file contradicts itself in {pages:,} places: {pages:,} pages never used"
    assert found.result.judgement.extra["kinds"] == {"pages never used": pages}
    places = found.result.judgement.extra["places"]
    assert len(places) == 3 and all("\n" not in p and "***" not in p for p in places)


def test_every_format_shows_three_places_in_one_line_each(database: Callable[..., Path]) -> None:
    path = database("CREATE TABLE t(x)", "INSERT INTO t VALUES (1)")
    lost_pages(path, 20)
    run = scan(path, options=Options(samples=0))
    for form in ("text", "markdown", "junit", "github"):
        told = renderer(form).render(run)
        assert told.count("never used") >= 4 and "in database main" not in told, form
        assert "pages never used" in told, form
    lines = [line for line in renderer("text").render(run).splitlines() if line.lstrip().startswith("Page ")]
    assert len(lines) == 3
    (finding,) = [f for f in json.loads(renderer("json").render(run))["findings"] if f["check"] == "integrity"]
    assert finding["kinds"] == {"pages never used": finding["count"]} and len(finding["places"]) == 3


def test_rows_that_an_index_lacks_are_counted_once_and_of_extra_entries_the_sum_is_told(database: Callable[..., Path]) -> None:
    make = ("CREATE TABLE t(x)", "CREATE INDEX i ON t(x)", "INSERT INTO t VALUES (1), (2), (3)")
    path = database(*make, name="lacks.db")
    wrong_index(path, "i", 120)
    found = damage(path)
    assert (found.count, found.result.judgement.extra["kinds"]) == (120, {"rows missing from an index": 120})
    path = database(*make, name="more.db")
    wrong_index(path, "i", 2, shrink=True)
    found = damage(path)
    assert found.result.judgement.extra["kinds"] == {"wrong numbers of entries in an index": 1}
    assert found.description == "the file contradicts itself in 1 place: 1 wrong number of entries in an index"


def test_names_from_the_file_make_no_lines_and_no_markup(database: Callable[..., Path]) -> None:
    name = "evil\n*** in database main ***\nPage 3 is never used\x1b[31m<b>`|" + "x" * 1000
    quoted = '"' + name.replace('"', '""') + '"'
    path = database("CREATE TABLE t(x)", f"CREATE INDEX {quoted} ON t(x)", "INSERT INTO t VALUES (1)")
    wrong_index(path, name, 2)
    run = scan(path, options=Options(samples=0))
    (found,) = [f for f in run.findings if f.check == "integrity"]
    assert found.count == 2 and found.result.judgement.extra["kinds"] == {"rows missing from an index": 2}
    for form in ("text", "markdown", "junit", "github", "json"):
        told = renderer(form).render(run)
        assert "\x1b" not in told and "\n*** in" not in told and "\nPage 3" not in told, form
        assert "x" * 400 not in told.partition("was looked at")[0] or form == "json", form
    assert "<b>" not in renderer("markdown").render(run)


def test_flipped_pages_are_counted_by_kind_or_told_as_unreadable(database: Callable[..., Path]) -> None:
    seen: set[str] = set()
    for at, offset, size in ((1, 5, 2), (2, 5, 2), (5, 8, 20), (5, 100, 60), (2, 0, 40), (9, 1000, 400)):
        path = database(
            "CREATE TABLE t(x)", "CREATE INDEX i ON t(x)",
            f"INSERT INTO t {numbers(3000)} SELECT i || 'abc' FROM n",
            name=f"flip{at}-{offset}.db",
        )  # fmt: skip
        raw = bytearray(path.read_bytes())
        start = at * PAGE + offset
        raw[start : start + size] = bytes(b ^ 0xFF for b in raw[start : start + size])
        path.write_bytes(raw)
        run = scan(path, options=Options(samples=0))
        found = [f for f in run.findings if f.check == "integrity"]
        assert found or run.exit_code() == 3
        for one in found:
            kinds = one.result.judgement.extra["kinds"]
            assert sum(kinds.values()) == one.count
            seen |= set(kinds)
    assert len(seen) >= 2 and seen <= set(ONE)


def test_a_row_of_sqlite_is_taken_apart_only_where_it_tells_of_pages() -> None:
    assert told_by("*** in database main ***\nPage 2 is never used\n Page 3 is never used\n") == [
        "Page 2 is never used", "Page 3 is never used",
    ]  # fmt: skip
    assert told_by("NULL value in t.a\nb") == ["NULL value in t.a\nb"]
    assert told_by("ok") == []


def strange(path: Path, *script: str) -> None:
    """Statements of a program that has functions and a collation of its own."""
    base = sqlite3.connect(path, isolation_level=None)
    base.create_function("own", 1, lambda cell: cell, deterministic=True)
    base.create_function("regexp", 2, lambda pattern, cell: str(cell).startswith(pattern), deterministic=True)
    base.create_collation("own", lambda a, b: (a > b) - (a < b))
    for statement in script:
        base.execute(statement)
    base.close()


OWN = {
    "partial": ("CREATE TABLE g(a)", "CREATE INDEX gx ON g(a) WHERE a REGEXP '1'"),
    "expression": ("CREATE TABLE g(a)", "CREATE INDEX gx ON g(own(a))"),
    "generated": ("CREATE TABLE g(a, b AS (own(a)))", "CREATE INDEX gx ON g(b)"),
    "collation": ("CREATE TABLE g(a TEXT COLLATE own UNIQUE)",),
}


@pytest.mark.parametrize("kind_of", OWN)
def test_an_index_of_its_own_program_hides_no_damage_of_other_tables(database: Callable[..., Path], kind_of: str) -> None:
    path = database("CREATE TABLE t(x)", "CREATE INDEX i ON t(x)", "INSERT INTO t VALUES (1), (2), (3)")
    wrong_index(path, "i", 40)
    strange(path, *OWN[kind_of], "INSERT INTO g(a) VALUES (1), (2)")
    run = scan(path, options=Options(samples=0))
    (found,) = [f for f in run.findings if f.check == "integrity"]
    assert (found.severity.label, found.count, run.exit_code(), run.complete) == ("high", 40, 1, False)
    assert found.result.judgement.extra["at_least"] is True
    assert found.description.startswith(
        "the file contradicts itself in at least 40 places: at least 40 rows missing from an index;"
        " could not look everywhere: table g: "
    )
    assert found.description.endswith("; pages never used were not looked for")


def test_tables_that_could_not_be_looked_at_are_named(database: Callable[..., Path]) -> None:
    path = database("CREATE TABLE t(x NOT NULL)", "INSERT INTO t VALUES (1)", 'CREATE TABLE "5 o\'clock"(x)')
    strange(path, *OWN["partial"], "INSERT INTO g(a) VALUES (1)")
    run = scan(path, options=Options(samples=0))
    (said,) = [r.judgement.message for r in run.results if r.check == "integrity"]
    assert run.exit_code() == 0 and not run.complete
    assert said == (
        "could not look: table 5 o'clock: its name begins like a number, so that SQLite does not check it alone;"
        " table g: unknown function: REGEXP(); pages never used were not looked for"
    )


def test_a_table_that_sqlite_checks_alone_tells_a_hundred_places_at_most(database: Callable[..., Path]) -> None:
    path = database("CREATE TABLE t(x)", "CREATE INDEX i ON t(x)", "INSERT INTO t VALUES (1)")
    wrong_index(path, "i", 300)
    strange(path, *OWN["expression"], "INSERT INTO g(a) VALUES (1)")
    assert damage(path).count == MOST_OF_A_TABLE


def test_a_cell_that_cannot_be_is_a_place_of_damage(database: Callable[..., Path]) -> None:
    path = database(
        "CREATE TABLE t(x)", "CREATE INDEX i ON t(x)", f"INSERT INTO t {numbers(3000)} SELECT i || 'abc' FROM n"
    )
    base = sqlite3.connect(path)
    pages, (index,) = base.execute("PRAGMA page_count").fetchone()[0], base.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'i'"
    ).fetchone()  # fmt: skip
    base.close()
    raw = bytearray(path.read_bytes())
    leaf = next(n for n in range(pages - 1, index, -1) if raw[n * PAGE] == 10)  # a leaf of the index
    raw[leaf * PAGE + 8] = 0xF1  # its first cell lies behind the page's end
    path.write_bytes(raw)
    base = sqlite3.connect(path)
    told = [line for (row,) in base.execute("PRAGMA integrity_check") for line in told_by(row)]
    base.close()
    assert told and damage(path).count == len(told)


def test_more_damage_than_is_counted_is_told_as_at_least(database: Callable[..., Path]) -> None:
    path = database(
        "CREATE TABLE t(x)", f"INSERT INTO t {numbers(20_000)} SELECT NULL FROM n", "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = 'CREATE TABLE t(x NOT NULL)'",
    )  # fmt: skip
    found = damage(path)
    assert "at least 10,000 places: at least 10,000 NULLs in a NOT NULL column" in found.description
    assert found.result.judgement.extra["at_least"] is True


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Page 4 is never used", "pages never used"), ("Page 4: never used", "pages never used"),
        ("row 5 missing from index i", "rows missing from an index"), ("NULL value in t.x", "NULLs in a NOT NULL column"),
        ("wrong # of entries in index i", "wrong numbers of entries in an index"),
        ("non-unique entry in index i", "duplicates in a unique index"),
        ("CHECK constraint failed in t", "rows against a CHECK constraint"),
        ("TEXT value in t.x", "values of another type than their column takes"),
        ("non-INTEGER value in t.x", "values of another type than their column takes"),
        ("Freelist: size is 3 but should be 5", "faults of the list of free pages"),
        ("Main freelist: invalid page number 9", "faults of the list of free pages"),
        ("Tree 2 page 3 cell 0: Rowid 5 out of order", "rows out of order"),
        ("On tree page 3 cell 0: Rowid 5 out of order", "rows out of order"),
        ("Tree 2 page 3 cell 0: 2nd reference to page 5", "references to a wrong page"),
        ("Tree 12 page 12: btreeInitPage() returns error code 11", "pages that cannot be read"),
        ("Multiple uses for byte 0 of page 3", "damaged pages"),
        ("Tree 2 page 3: Fragmentation of 0 bytes reported as 2 on page 3", "damaged pages"),
        ("something new", "other contradictions"), ("NULL value in t.Page 4 is never used", "NULLs in a NOT NULL column"),
    ],
)  # fmt: skip
def test_a_line_of_sqlite_is_known_by_how_it_begins(line: str, told: Any) -> None:
    assert kind(line) == told and told in ONE


@pytest.mark.parametrize(("rows", "doubted"), [(9, False), (10, True), (500, True)])
def test_a_foreign_key_that_no_value_fulfils_is_doubted_itself_in_every_format(
    database: Callable[..., Path], rows: int, doubted: bool
) -> None:
    path = database(
        "CREATE TABLE words(id INTEGER PRIMARY KEY)", "INSERT INTO words VALUES (1), (2)",
        "CREATE TABLE senses(word INTEGER REFERENCES words(id), a INT, b INT, FOREIGN KEY (a, b) REFERENCES pairs(a, b))",
        "CREATE TABLE pairs(a INT, b INT, PRIMARY KEY (a, b))", "INSERT INTO pairs VALUES (1, 1)",
        f"INSERT INTO senses {numbers(rows)} SELECT i + 100, i, 7 FROM n",
    )  # fmt: skip
    run = scan(path, options=Options(samples=0))
    found = [f for f in run.findings if f.check == "relationships"]
    assert [(f.count, f.severity.label) for f in found] == [(rows, "high")] * 2
    for form in ("text", "markdown", "junit", "github", "json"):
        assert renderer(form).render(run).count("the declared foreign key itself is probably wrong") >= 2 * doubted, form
        assert doubted or "probably wrong" not in renderer(form).render(run)
