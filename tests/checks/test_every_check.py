"""What is true of every check of rows: odd names, `where`, `at_most` and its levels, and sentences that read well."""

from __future__ import annotations

import itertools
import re
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchdog.checks._reference import sections
from watchdog.model import CheckSpec, Result, Severity, agreeing, one_or_more
from watchdog.pipeline import scan
from watchdog.plugins import at_most, check_class, check_names, threshold
from watchdog.sql import quoted

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
RAW = b"\xff"  # stored as TEXT

# a bad cell and a good one of each check that judges cells one by one, with its options
CELLS: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "accepted_range": (11, 1, {"min": 0, "max": 10}),
    "accepted_values": ("c", "a", {"values": ["a", "b"]}),
    "encoding": (RAW, "a", {}),
    "expression_is_true": (0, 1, {"expression": "{} = 1"}),
    "matches": ("b", "a", {"regex": "^a$"}),
    "missing": (" N/A ", "a", {}),
    "not_future": ("2026-05-02", "2026-05-01", {}),
    "not_null": (None, 1, {}),
    "primary_key": (None, 1, {}),
    "relationships": (9, 1, {"to": "parent of it", "field": "k"}),
    "type": ("x", 1, {"kind": "integer"}),
    "valid": ("x", "a@x.org", {"format": "email"}),
}
OTHER_KINDS = {
    "foreign_key", "freshness", "integrity", "query", "row_count", "unique", "unique_combination_of_columns",
}  # fmt: skip
NAMES = [
    "where",
    'a "quoted" name',
    "O'Brien",
    "semi;--",
    ":now",
    "100% {0}",
    "`back` [brackets]",
    " space ",
    "naïve ☃",
    "rowid",
]


def judged(
    path: Path, check: str, cells: Sequence[Any], name: str = "x", more: dict[str, Any] | None = None,
    encoding: str = "UTF-8",
) -> tuple[Result, list[Any]]:
    """The result of the check on a table of these cells, and the numbers of the failing rows."""
    options = {k: v.format(quoted(name)) if k == "expression" else v for k, v in CELLS[check][2].items()}
    path.unlink(missing_ok=True)
    base = sqlite3.connect(path)
    base.execute(f"PRAGMA encoding = '{encoding}'")
    table = "t" if name == "x" else f"t {name}"
    base.execute(f"CREATE TABLE {quoted(table)}(number INTEGER PRIMARY KEY, {quoted(name)}, at TEXT)")
    for cell in cells:
        slot = "CAST(? AS TEXT)" if cell is RAW else "?"
        base.execute(f"INSERT INTO {quoted(table)}({quoted(name)}, at) VALUES ({slot}, '2026-05-01 11:00:00')", (cell,))
    base.execute('CREATE TABLE "parent of it"(k)')
    base.execute('INSERT INTO "parent of it" VALUES (1)')
    base.commit()
    base.close()
    spec = CheckSpec(check, table, (name,), {**options, **(more or {})})
    run = scan(path, specs=[spec], infer=False, samples=50, now=NOW)
    (result,) = (r for r in run.results if r.check == check)
    return result, [s.key["number"] if s.key else None for f in run.findings for s in f.samples]


def test_every_check_is_of_a_kind_that_is_tested_here_or_is_named_as_another() -> None:
    assert set(check_names()) == {*CELLS, *OTHER_KINDS}


@pytest.mark.parametrize("check", CELLS)
@pytest.mark.parametrize("name", NAMES)
def test_names_of_columns_and_tables_are_only_names(tmp_path: Path, check: str, name: str) -> None:
    bad, good, _ = CELLS[check]
    result, rows = judged(tmp_path / "odd.db", check, [good, bad, good], name)
    assert (result.status, result.judgement.count, rows) == ("failed", 1, [2]), result.judgement.message


@pytest.mark.parametrize("check", sorted(CELLS.keys() - {"encoding"}))  # its bad cell is one of UTF-8
@pytest.mark.parametrize("encoding", ["UTF-16le", "UTF-16be"])
def test_a_database_in_utf_16_is_judged_alike(tmp_path: Path, check: str, encoding: str) -> None:
    bad, good, _ = CELLS[check]
    result, rows = judged(tmp_path / "wide.db", check, [good, bad, good, bad], "naïve ☃", encoding=encoding)
    assert (result.status, result.judgement.count, rows) == ("failed", 2, [2, 4]), result.judgement.message


@pytest.mark.parametrize("check", CELLS)
@pytest.mark.parametrize(
    ("where", "rows", "bad_rows"),
    [
        ("number > 2", 2, [3]),
        ("number > 2 -- the later ones", 2, [3]),
        ("number = 1 OR number = 3;", 2, [1, 3]),
        ("at <= :now", 4, [1, 3]),
        ("at > :now", 0, []),
        ("nullif(number, 3) > 0", 3, [1]),
    ],
)
def test_where_narrows_what_is_counted_and_what_is_shown(
    tmp_path: Path, check: str, where: str, rows: int, bad_rows: list[int]
) -> None:
    bad, good, _ = CELLS[check]
    result, shown = judged(tmp_path / "where.db", check, [bad, good, bad, good], more={"where": where})
    assert (result.judgement.rows, result.judgement.count, shown) == (rows, len(bad_rows), bad_rows)
    assert result.status == ("failed" if bad_rows else "skipped" if not rows else "passed")
    assert rows or result.judgement.message.endswith("no rows to judge under its `where`")


@pytest.mark.parametrize("check", CELLS)
@pytest.mark.parametrize(
    ("tolerated", "status", "level"),
    [
        (2, "passed", None),
        (1, "failed", "own"),
        ("50%", "passed", None),
        ("49.9%", "failed", "own"),
        ({"low": 0, "medium": 1, "high": "50%"}, "failed", "medium"),
        ({"low": 0, "high": "49%"}, "failed", "high"),
        ({"info": 2, "high": 3}, "passed", None),
    ],
)
def test_what_is_tolerated_is_tolerated_and_the_highest_level_that_is_exceeded_counts(
    tmp_path: Path, check: str, tolerated: Any, status: str, level: str | None
) -> None:
    bad, good, _ = CELLS[check]
    result, _ = judged(tmp_path / "most.db", check, [bad, good, bad, good], more={"at_most": tolerated})
    assert (result.status, result.judgement.count, result.judgement.rows) == (status, 2, 4)
    own = check_class(check).default_severity.label
    if level:
        assert result.severity.label == (own if level == "own" else level)
        assert result.judgement.threshold is not None and result.judgement.threshold.exceeded(2, 4)


@pytest.mark.parametrize("check", [c for c in CELLS if CELLS[c][0] is not None])
def test_nulls_are_not_judged_and_are_told(tmp_path: Path, check: str) -> None:
    good = CELLS[check][1]
    result, _ = judged(tmp_path / "null.db", check, [None, good, None])
    assert (result.status, result.judgement.count, result.judgement.not_evaluated) == ("passed", 0, 2)
    assert re.search(r" \(2 (NULLs|where it is NULL) not evaluated\)$", result.judgement.message)


@pytest.mark.parametrize("check", CELLS)
def test_a_table_without_rows_is_skipped_with_the_reason(tmp_path: Path, check: str) -> None:
    result, _ = judged(tmp_path / "empty.db", check, [])
    assert result.status == "skipped" and "no rows to judge" in result.judgement.message


@pytest.mark.parametrize("check", CELLS)
def test_a_count_reads_as_a_sentence_in_the_number_that_it_has(tmp_path: Path, check: str) -> None:
    bad, good, _ = CELLS[check]
    messages = [
        judged(tmp_path / "words.db", check, cells)[0].judgement.message for cells in ([bad], [bad, good], [bad, bad])
    ]
    assert messages[0].startswith("1 of 1 ") and messages[1].startswith("1 of 2 ") and messages[2].startswith("2 of 2 ")
    nouns = [m.split()[3] for m in messages]
    assert nouns[0] + "s" == nouns[1] == nouns[2]
    one, many = ("is", "does", "has", "breaks"), ("are", "do", "have", "break")
    for message, verbs in zip(messages, (one, one, many), strict=True):
        assert next(w for w in message.split() if w in (*one, *many)) in verbs, message


@pytest.mark.parametrize(
    "check", ["accepted_range", "accepted_values", "expression_is_true", "matches", "relationships", "type", "valid"]
)
def test_what_a_cell_holds_is_never_said(tmp_path: Path, check: str) -> None:
    result, _ = judged(tmp_path / "quiet.db", check, ["zq-canary", "zq-canary"])
    assert result.judgement.count == 2
    assert "canary" not in repr(result)


@pytest.mark.parametrize("check", CELLS)
def test_the_example_in_the_documentation_is_a_sentence_that_the_check_says(tmp_path: Path, check: str) -> None:
    bad, good, _ = CELLS[check]
    said = [judged(tmp_path / "say.db", check, cells)[0].judgement.message for cells in ([bad, good], [bad, bad, good])]
    opening = re.compile(r"[\d,]+ of [\d,]+ (\w+) of \S+ (\w+ \w+)")
    known = [found.groups() for found in map(opening.match, said) if found]
    example = opening.match(sections(check)["Example"].partition(" -> ")[2])
    assert example is not None and example.groups() in known, said


# ---------------------------------------------------------------- thresholds and words


@given(st.integers(0, 10_000), st.integers(0, 10**12))
def test_a_share_is_taken_as_it_was_written(hundredths: int, rows: int) -> None:
    limit = threshold(f"{hundredths / 100:.2f}%")
    share = Fraction(hundredths, 10_000)
    most = int(share * rows)  # the largest count that is tolerated
    assert not limit.exceeded(most, rows) and limit.exceeded(most + 1, rows)


@pytest.mark.parametrize(
    "given_", [0.5, -1, True, "5", "101%", "-1%", "1,5%", "", None, [1], {}, {"severe": 1}, {"low": 0.5}]
)
def test_what_may_mean_two_things_is_refused(given_: Any) -> None:
    with pytest.raises(ValueError, match=r"at_most|severity"):
        at_most(given_, Severity.HIGH)


@pytest.mark.parametrize(
    ("given_", "words"),
    [(0, "0 rows"), (1, "1 row"), (1500, "1,500 rows"), ("0.7%", "0.7%"), ("29%", "29%"), ("100 %", "100%")],
)
def test_a_threshold_says_what_was_written(given_: Any, words: str) -> None:
    assert threshold(given_).words() == words


def test_verbs_and_nouns_agree_with_their_number() -> None:
    told = [
        (agreeing(w, n), one_or_more("values of t.x", n))
        for w, n in itertools.product(["are NULL", "break it"], [0, 1, 2])
    ]
    assert told == [
        ("are NULL", "values of t.x"), ("is NULL", "value of t.x"), ("are NULL", "values of t.x"),
        ("break it", "values of t.x"), ("breaks it", "value of t.x"), ("break it", "values of t.x"),
    ]  # fmt: skip
