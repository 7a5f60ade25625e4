"""The findings document: its shape, its schema, and the way back."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sample import a_result, a_run, clean_run, hostile_run, sample_run

from watchdog.codec import dumps, findings_schema, from_dict, loads, to_dict
from watchdog.errors import WatchdogError
from watchdog.model import Finding, Judgement, Result, Run, Sample, Severity, Threshold, failed, skipped

SCHEMA = jsonschema.Draft202012Validator(findings_schema())

# ---------------------------------------------------------------- runs that no scan ever made

TEXT = st.text(st.characters(exclude_categories=()), max_size=8)
NAME = st.one_of(
    st.sampled_from(["orders", "email", "a.b", "\udce9", "\n"]),
    st.text(st.characters(exclude_categories=()), min_size=1, max_size=6),
)
COUNT = st.none() | st.integers(0, 10**6)
CELL = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXT, st.binary(max_size=4))
DEEP = st.recursive(
    CELL, lambda deeper: st.lists(deeper, max_size=3) | st.dictionaries(TEXT, deeper, max_size=3), max_leaves=5
)
TIME = st.datetimes(
    datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.sampled_from([UTC, timezone(timedelta(hours=5))])
)
THRESHOLD = st.none() | st.builds(
    lambda unit, value: Threshold(value / 100 if unit == "share" else value, unit),
    st.sampled_from(["rows", "share"]),
    st.integers(0, 100),
)


@st.composite
def judgements(draw: st.DrawFn, status: Any) -> Judgement:
    return Judgement(
        status,
        draw(TEXT),
        count=draw(COUNT),
        rows=draw(COUNT),
        not_evaluated=draw(COUNT),
        threshold=draw(THRESHOLD),
        observed=draw(DEEP),
        expected=draw(DEEP),
        value=draw(st.none() | st.floats()),
        unit=draw(st.none() | TEXT),
        extra=draw(st.dictionaries(st.sampled_from(["groups", "surplus", "previous_count"]), COUNT)),
    )


@st.composite
def results(draw: st.DrawFn, status: Any) -> Result:
    return Result(
        id=draw(NAME),
        fingerprint=draw(st.text("0123456789abcdef", min_size=16, max_size=16)),
        check=draw(NAME),
        name=draw(TEXT),
        dimension=draw(TEXT),
        origin=draw(st.sampled_from(["declared", "inferred", "task"])),
        table=draw(st.none() | NAME),
        schema=draw(TEXT),
        columns=tuple(draw(st.lists(NAME, max_size=2))),
        severity=draw(st.sampled_from(Severity)),
        judgement=draw(judgements(status)),
        tags=tuple(draw(st.lists(TEXT, max_size=2))),
        owner=draw(st.none() | TEXT),
        note=draw(st.none() | TEXT),
        file=draw(TEXT),
        line=draw(st.none() | st.integers(1, 999)),
        evidence=draw(TEXT),
    )


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    result = draw(results("failed"))
    names = st.sampled_from(result.columns) if result.columns else st.sampled_from(["value", "a"])
    keys = st.none() | st.dictionaries(NAME, CELL, max_size=2)
    sample = st.builds(Sample, keys, st.none() | st.integers(), st.dictionaries(names, CELL, max_size=2))
    return Finding(result, tuple(draw(st.lists(sample, max_size=2))), draw(TEXT), draw(TEXT))


@st.composite
def runs(draw: st.DrawFn) -> Run:
    others = draw(st.lists(st.sampled_from(["passed", "skipped", "error", "failed"]).flatmap(results), max_size=3))
    return a_run(
        tuple(draw(st.lists(findings(), max_size=3))),
        tuple(others),
        id=draw(TEXT),
        source=draw(TEXT),
        location=draw(TEXT),
        state=draw(st.dictionaries(TEXT, CELL, max_size=2)),
        started=draw(TIME),
        finished=draw(TIME),
        rows=draw(st.dictionaries(TEXT, st.integers(0, 10**9), max_size=2)),
        complete=draw(st.booleans()),
        notes=tuple(draw(st.lists(TEXT, max_size=2))),
        exit_reasons=tuple(draw(st.lists(TEXT, max_size=2))),
        sample_values=draw(st.sampled_from(["full", "masked", "none"])),
        pii_allowed=draw(st.booleans()),
        fail_on=draw(st.none() | st.sampled_from(Severity)),
        history=draw(st.just({}) | st.just({"previous_run": None, "findings": {}, "resolved": []})),
        profile=draw(st.dictionaries(TEXT, DEEP, max_size=2)),
    )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(runs())
def test_a_saved_run_is_the_loaded_run_and_fits_the_schema(run: Run) -> None:
    text = dumps(run)
    text.encode("utf-8")
    assert dumps(loads(text)) == text
    assert json.loads(text) == to_dict(run)
    SCHEMA.validate(json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON")))


# ---------------------------------------------------------------- its shape


def test_a_finding_has_the_fields_that_readers_know() -> None:
    told = to_dict(sample_run())["findings"][0]
    assert told == {
        "id": "orders.email.not_null",
        "fingerprint": told["fingerprint"],
        "check": "not_null",
        "name": "not_null",
        "dimension": "completeness",
        "origin": "declared",
        "table": "orders",
        "column": "email",
        "columns": ["email"],
        "severity": "high",
        "count": 123,
        "rows": 4567,
        "not_evaluated": 0,
        "evaluated": 4567,
        "ratio": 0.026932,
        "threshold": {"value": 0, "unit": "rows"},
        "description": "123 of 4,567 values of orders.email are NULL",
        "tags": ["mail"],
        "owner": "data-team",
        "note": "Every order can be answered.",
        "samples": [{"key": {"id": 17}, "value": None}, {"key": {"id": 23}, "value": None}],
        "sql": 'SELECT * FROM "orders" WHERE "email" IS NULL',
        "file": "config.yaml",
        "line": 12,
    }


def test_several_columns_have_their_values_by_name_and_no_single_column() -> None:
    told = to_dict(replace(sample_run(), sample_values="full"))["findings"][1]
    assert "column" not in told
    assert told["columns"] == ["order_id", "position"]
    assert (told["groups"], told["surplus"], told["accepted"], told["accepted_by"]) == (2, 4, True, "known.json")
    assert told["samples"] == [{"key": {"rowid": 5}, "values": {"order_id": 1207, "position": 2}}]


def test_a_measured_value_has_its_unit_and_no_invented_count() -> None:
    told = to_dict(sample_run())["findings"][3]
    assert (told["value"], told["unit"]) == (31.0, "hours")
    assert (told["count"], told["rows"], told["ratio"], told["threshold"]) == (None, None, None, None)


def test_the_summary_counts_checks_that_looked_apart_from_those_that_did_not() -> None:
    assert to_dict(sample_run())["summary"] == {
        "tables": 4,
        "rows": {"customers": 250, "lines": 9000, "notes": 0, "orders": 4567},
        "checks_run": 10,
        "checks_evaluated": 6,
        "checks_passed": 1,
        "checks_failed": 5,
        "checks_skipped": 3,
        "checks_errored": 1,
        "findings_by_severity": {"high": 2, "medium": 1, "low": 1, "info": 1},
        "complete": False,
        "fail_on": "high",
        "exit_reasons": [
            "orders.total.accepted_range: no such function: to_money",
            "1 finding of severity high: orders.email.not_null",
        ],
        "notes": ["table `shop_cache` is virtual and was not scanned"],
    }


def test_the_row_id_stands_beside_a_key_that_is_not_the_row_id() -> None:
    told = Finding(
        a_result("a", failed("x")),
        (Sample({"code": "x"}, 5), Sample({"id": 7}, 7), Sample({"rowid": 8}, 8), Sample(None, 9), Sample(None)),
    )
    assert to_dict(a_run((told,)))["findings"][0]["samples"] == [
        {"key": {"code": "x"}, "rowid": 5},
        {"key": {"id": 7}},
        {"key": {"rowid": 8}},
        {"key": None, "rowid": 9},
        {"key": None},
    ]


def test_the_key_of_a_row_is_shown_whatever_happens_to_its_values() -> None:
    told = Finding(a_result("a", failed("x")), (Sample({"email": "ann@x.org"}, None, {"email": "ann@x.org"}),))
    assert to_dict(a_run((told,)))["findings"][0]["samples"] == [{"key": {"email": "ann@x.org"}, "value": "xxx@x.xxx"}]
    hidden = to_dict(a_run((told,), sample_values="none"))["findings"][0]["samples"]
    assert hidden == [{"key": {"email": "ann@x.org"}}]


def test_further_fields_of_a_check_cannot_replace_the_known_ones() -> None:
    told = to_dict(
        a_run((Finding(a_result("a", failed("x", count=1, extra={"count": 9, "column": "z", "groups": 3}))),))
    )
    assert (told["findings"][0]["count"], told["findings"][0]["column"], told["findings"][0]["groups"]) == (
        1,
        "email",
        3,
    )


def test_what_a_terminal_would_obey_is_escaped_and_reads_back_the_same() -> None:
    run = replace(clean_run(), notes=("\x9b2J \u202e \u2028 \x7f \ufeff",))
    text = dumps(run)
    assert '"\\u009b2J \\u202e \\u2028 \\u007f \\ufeff"' in text
    assert json.loads(text)["summary"]["notes"] == list(run.notes)


def test_the_same_run_gives_the_same_bytes_whatever_order_its_parts_came_in() -> None:
    run = sample_run()
    mixed = replace(run, results=tuple(reversed(run.results)), rows=dict(reversed(list(run.rows.items()))))
    assert dumps(mixed) == dumps(run)


# ---------------------------------------------------------------- the schema


@pytest.mark.parametrize(
    "damage",
    [
        lambda d: d.pop("results"),
        lambda d: d["run"].pop("id"),
        lambda d: d["run"].update(started_at="yesterday"),
        lambda d: d["summary"].update(tables=-1),
        lambda d: d["summary"]["findings_by_severity"].update(critical=1),
        lambda d: d["findings"][0].pop("column"),
        lambda d: d["findings"][0].update(severity="critical"),
        lambda d: d["findings"][0].update(threshold={"value": 5, "unit": "share"}),
        lambda d: d["findings"][0].update(threshold={"value": 5, "unit": "percent"}),
        lambda d: d["findings"][0].update(count="5"),
        lambda d: d["findings"][0].update({"Not A Word": 1}),
        lambda d: d["findings"][0]["samples"][0].update(values={}),
        lambda d: d["findings"][1].update(column="order_id"),
        lambda d: d["results"][0].update(status="ok"),
        lambda d: d["results"][0].pop("reason"),
        lambda d: d.update(format=2),
    ],
)
def test_the_schema_catches_a_mistake(damage: Any) -> None:
    document = to_dict(sample_run())
    SCHEMA.validate(document)
    damage(document)
    assert not SCHEMA.is_valid(document)


def test_the_schema_lets_later_fields_in() -> None:
    document = to_dict(sample_run())
    for place in (document, document["run"], document["summary"], document["findings"][0], document["results"][0]):
        place["later"] = {"x": 1}
    SCHEMA.validate(document)


# ---------------------------------------------------------------- the way back


def test_later_fields_of_a_finding_are_kept_and_others_passed_over() -> None:
    document = to_dict(sample_run())
    document["later"] = document["run"]["later"] = document["results"][0]["later"] = document["findings"][0][
        "later"
    ] = 1
    again = to_dict(from_dict(document))
    assert again["findings"][0]["later"] == 1
    del again["findings"][0]["later"]
    assert again == to_dict(sample_run())


def test_a_loaded_run_ends_as_the_run_itself_did() -> None:
    for run in (sample_run(), replace(sample_run(), exit_reasons=()), hostile_run()):
        loaded = loads(dumps(run))
        assert len(loaded.exit_reasons) == len(run.exit_reasons)
        assert loaded.fail_on == run.fail_on


def test_a_plain_threshold_of_a_foreign_file_is_rows_when_whole_and_else_a_share() -> None:
    run = from_dict({"findings": [{"id": "a", "threshold": 5}, {"id": "b", "threshold": 0.05}, {"id": "c"}]})
    assert [f.result.judgement.threshold for f in run.findings] == [
        Threshold(5, "rows"),
        Threshold(0.05, "share"),
        None,
    ]


def test_a_file_with_findings_alone_is_enough() -> None:
    finding = {
        "id": "t.c.not_null",
        "table": "t",
        "column": "c",
        "severity": "low",
        "count": 2,
        "rows": 8,
        "ratio": 0.9,
    }
    (told,) = from_dict({"findings": [finding | {"samples": [{"key": {"id": 1}, "value": "raw"}]}]}).findings
    assert (told.severity, told.result.columns, told.ratio) == (Severity.LOW, ("c",), 0.25)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "f.json:1: not valid JSON"),
        ("[1,", "not valid JSON"),
        ("[]", "f.json: expected an object"),
        ("{}", "f.json: no list of findings"),
        ('{"format": 2, "findings": []}', "findings format 2, this version reads up to 1"),
        ('{"format": "1", "findings": []}', "format: expected a whole number"),
        ('{"format": true, "findings": []}', "format: expected a whole number"),
        ('{"findings": [7]}', "findings[0]: expected an object"),
        ('{"findings": [{"severity": "hihg"}]}', "findings[0]: severity: 'hihg' is unknown"),
        ('{"findings": [{"count": "many"}]}', "findings[0]: count: expected a whole number"),
        ('{"findings": [{"threshold": NaN}]}', "findings[0]: threshold: expected a number"),
        ('{"findings": [{"samples": [{"key": 5}]}]}', "findings[0]: samples[0]: key: expected an object"),
        ('{"findings": [], "run": {"started_at": "noon"}}', "run: started_at: 'noon' is no time"),
        ('{"findings": [], "summary": {"rows": {"t": null}}}', "summary: rows: t: expected a whole number"),
    ],
)
def test_what_is_no_findings_document_is_refused_with_its_place_and_a_hint(text: str, words: str) -> None:
    with pytest.raises(WatchdogError) as refused:
        loads(text, file="f.json")
    assert words in refused.value.message
    assert refused.value.hint


JSON_KEYS = st.sampled_from(
    ["findings", "format", "run", "summary", "results", "id", "count", "samples", "key", "value", "threshold", "rows"]
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXT),
    lambda deeper: st.lists(deeper, max_size=3) | st.dictionaries(JSON_KEYS | TEXT, deeper, max_size=4),
    max_leaves=12,
)


@settings(deadline=None)
@given(JSON, JSON)
def test_any_json_is_read_or_refused_in_words(whole: Any, finding: Any) -> None:
    for document in (
        whole,
        {"findings": [finding]},
        {"findings": [], "run": finding},
        {"findings": [], "summary": finding},
    ):
        try:
            run = loads(json.dumps(document))
        except WatchdogError:
            continue
        assert dumps(loads(dumps(run))) == dumps(run)


def test_an_unfinished_run_without_anything_is_a_document_too() -> None:
    run = a_run(results=(a_result("a", skipped("no rows"), table=None, columns=()),))
    SCHEMA.validate(to_dict(run))
    assert loads(dumps(run)).results[0].judgement.message == "no rows"
