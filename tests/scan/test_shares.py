"""A share is one of the rows that were evaluated: neither NULLs that a check does not judge nor rows outside `where`."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from watchdog.codec import findings_schema, from_dict, to_dict
from watchdog.model import CheckSpec
from watchdog.pipeline import Scan, scan
from watchdog.verify.facts import facts_of


def scanned(folder: Path, rows: Iterable[Sequence[Any]], *specs: CheckSpec) -> Scan:
    path = folder / "shop.db"
    path.unlink(missing_ok=True)
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)")
    base.execute("CREATE TABLE parent(k INTEGER PRIMARY KEY)")
    base.executemany("INSERT INTO parent VALUES (?)", [(1,), (2,)])
    base.executemany("INSERT INTO t(a, b) VALUES (?, ?)", rows)
    base.commit()
    base.close()
    return scan(path, specs=specs, infer=False)


MOSTLY_NULL = [*[(None, None)] * 90, *[(n, n) for n in range(1, 11)]]  # a and b: 90 NULLs and 1 to 10


def in_range(most: Any, **more: Any) -> CheckSpec:
    return CheckSpec("accepted_range", "t", ("a",), {"max": 5, "at_most": most, **more})


def test_half_of_the_values_are_not_five_percent_of_the_rows(tmp_path: Path) -> None:
    run = scanned(tmp_path, MOSTLY_NULL, in_range("10%"))
    (finding,) = run.findings
    assert finding.description == "5 of 10 values of t.a are outside the range (at most 5) (90 NULLs not evaluated)"
    assert (finding.count, finding.rows, finding.evaluated, finding.ratio) == (5, 100, 10, 0.5)


@pytest.mark.parametrize(
    ("most", "level"),
    [("50%", None), ("49.9%", "high"), (5, None), ({"medium": 0, "high": "50%"}, "medium"), ({"low": 0, "high": "1%"}, "high")],
)
def test_both_levels_take_their_share_of_what_was_evaluated(tmp_path: Path, most: Any, level: str | None) -> None:
    run = scanned(tmp_path, MOSTLY_NULL, in_range(most))
    assert [f.severity.label for f in run.findings] == ([level] if level else [])


def test_where_and_null_both_leave_the_share(tmp_path: Path) -> None:
    run = scanned(tmp_path, MOSTLY_NULL, in_range("99%", where="id > 95"))
    (result,) = run.results
    judged = result.judgement
    assert (judged.count, judged.rows, judged.evaluated, judged.status) == (5, 5, 5, "failed")


@pytest.mark.parametrize("check", ["not_null", "primary_key"])
def test_a_check_that_judges_null_takes_its_share_of_all_rows(tmp_path: Path, check: str) -> None:
    options = {"columns": ["a"]} if check == "primary_key" else {}
    where = () if check == "primary_key" else ("a",)
    run = scanned(tmp_path, MOSTLY_NULL, CheckSpec(check, "t", where, options))
    (finding,) = run.findings
    assert (finding.count, finding.rows, finding.evaluated, finding.ratio) == (90, 100, 100, 0.9)


def test_duplicates_orphans_and_rules_take_their_share_of_what_was_evaluated(tmp_path: Path) -> None:
    rows = [*[(None, None)] * 6, (1, 1), (1, 1), (2, 3), (9, None)]
    run = scanned(
        tmp_path, rows,
        CheckSpec("unique", "t", ("a",), {"at_most": "40%"}),
        CheckSpec("unique_combination_of_columns", "t", (), {"columns": ["a", "b"], "at_most": "60%"}),
        CheckSpec("relationships", "t", ("a",), {"to": "parent", "field": "k", "at_most": "20%"}),
        CheckSpec("expression_is_true", "t", (), {"expression": "a = b", "at_most": "30%"}),
    )  # fmt: skip
    told = {f.check: (f.count, f.rows, f.evaluated, f.description.partition(" of t")[0]) for f in run.findings}
    assert told == {
        "unique": (2, 10, 4, "2 of 4 values"),
        "unique_combination_of_columns": (2, 10, 3, "2 of 3 combinations"),
        "relationships": (1, 10, 4, "1 of 4 values"),
        "expression_is_true": (1, 10, 3, "1 of 3 rows"),
    }


@pytest.mark.parametrize(
    ("check", "columns", "options", "why"),
    [
        ("accepted_range", ("a",), {"max": 5, "at_most": "10%"}, "t.a: nothing to evaluate: all 90 are NULL"),
        ("accepted_range", ("a",), {"max": 5, "where": "id = 1"}, "the only one under its `where` is NULL"),
        ("unique", ("a",), {}, "t.a: nothing to evaluate: all 90 are NULL"),
        ("unique_combination_of_columns", (), {"columns": ["a", "b"]}, "all 90 have a NULL part"),
        ("relationships", ("a",), {"to": "parent", "at_most": "0%"}, "all 90 are NULL"),
        ("expression_is_true", (), {"expression": "a > 1"}, "nothing to evaluate: the expression is NULL for all 90 rows"),
    ],
)
def test_nothing_to_evaluate_is_a_skip_with_its_reason(
    tmp_path: Path, check: str, columns: tuple[str, ...], options: dict[str, Any], why: str
) -> None:
    run = scanned(tmp_path, MOSTLY_NULL[:90], CheckSpec(check, "t", columns, options))
    (result,) = run.results
    assert result.status == "skipped" and result.judgement.message.endswith(why)
    assert result.judgement.evaluated == 0 and not run.findings


def test_the_document_and_the_facts_of_a_report_hold_both_numbers(tmp_path: Path) -> None:
    run = scanned(tmp_path, MOSTLY_NULL, in_range("10%"))
    document = to_dict(run)
    jsonschema.validate(document, findings_schema())
    (finding,), (result,) = document["findings"], document["results"]
    for told in (finding, result):
        assert (told["count"], told["rows"], told["not_evaluated"], told["evaluated"]) == (5, 100, 90, 10)
    assert finding["ratio"] == 0.5 and from_dict(document).findings[0].ratio == 0.5
    (subject,) = facts_of(document).findings
    assert {kind: subject.number(kind) for kind in ("rows", "evaluated", "ratio", "complement", "excess")} == {
        "rows": 100, "evaluated": 10, "ratio": Fraction(1, 2), "complement": 5, "excess": Fraction(2, 5),
    }  # fmt: skip


def test_a_document_from_before_keeps_its_share_of_all_rows(tmp_path: Path) -> None:
    document = to_dict(scanned(tmp_path, MOSTLY_NULL, in_range("10%")))
    for told in (*document["findings"], *document["results"]):
        del told["evaluated"]
    document["findings"][0]["ratio"] = 0.05
    (subject,) = facts_of(document).findings
    assert subject.number("ratio") == Fraction(1, 20)


CELL = st.sampled_from([None, None, None, 0, 1, 2, 3, 9])
# check, where it stands, its options, and by hand: what is bad, what is evaluated
ROAD: list[tuple[str, tuple[str, ...], dict[str, Any], str, str]] = [
    ("not_null", ("a",), {}, "a IS NULL", "1"),
    ("accepted_range", ("a",), {"max": 2}, "a > 2", "a IS NOT NULL"),
    ("accepted_values", ("a",), {"values": [0, 1]}, "a NOT IN (0, 1)", "a IS NOT NULL"),
    ("unique", ("a",), {}, "a IN (SELECT a FROM t WHERE {w} GROUP BY a HAVING count(*) > 1)", "a IS NOT NULL"),
    ("unique_combination_of_columns", (), {"columns": ["a", "b"]},
     "(a, b) IN (SELECT a, b FROM t WHERE {w} GROUP BY a, b HAVING count(*) > 1)", "a IS NOT NULL AND b IS NOT NULL"),
    ("relationships", ("a",), {"to": "parent", "field": "k"}, "a NOT IN (SELECT k FROM parent)", "a IS NOT NULL"),
    ("expression_is_true", (), {"expression": "a <= b"}, "a > b", "a IS NOT NULL AND b IS NOT NULL"),
]  # fmt: skip


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(CELL, CELL), min_size=1, max_size=12),
    st.sampled_from(["1", "id > 3", "b IS NULL"]),
    st.integers(0, 100),
)
def test_a_share_is_what_plain_sql_says(rows: list[tuple[Any, Any]], where: str, percent: int) -> None:
    options = {"where": where, "at_most": f"{percent}%"}
    specs = [CheckSpec(check, "t", columns, {**own, **options}) for check, columns, own, _, _ in ROAD]
    with tempfile.TemporaryDirectory() as folder:
        run = scanned(Path(folder), rows, *specs)
        base = sqlite3.connect(Path(folder) / "shop.db")
        by_hand = {
            check: base.execute(
                f"SELECT count(*), count(CASE WHEN {seen} THEN 1 END), "
                f"count(CASE WHEN {seen} AND {bad.format(w=where)} THEN 1 END) FROM t WHERE {where}"
            ).fetchone()
            for check, _, _, bad, seen in ROAD
        }
        base.close()
    for result in run.results:
        if result.check == "row_count":  # "the table is empty": there is no check of that name
            continue
        in_scope, evaluated, count = by_hand[result.check]
        judged = result.judgement
        assert (judged.rows, judged.evaluated) == (in_scope, evaluated)
        if not evaluated:
            assert judged.status == "skipped"
            continue
        assert judged.count == count
        assert judged.status == ("failed" if Fraction(count, evaluated) > Fraction(percent, 100) else "passed")
    for finding in run.findings:
        in_scope, evaluated, count = by_hand[finding.check]
        assert finding.ratio == round(count / evaluated, 6)
