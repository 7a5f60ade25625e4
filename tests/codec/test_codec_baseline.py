"""Known findings: what a baseline file accepts, how it merges, what it refuses."""

import json
from dataclasses import replace

import pytest
from sample import a_result, a_run, hostile_run, sample_run

from watchdog.codec import accept_known, baseline_dump, baseline_load, exit_code
from watchdog.codec.baseline import Baseline, Known
from watchdog.errors import ConfigError
from watchdog.model import Finding, Run, Severity, failed


def counted(count: int | None) -> Run:
    return a_run((Finding(a_result("t.c.not_null", failed("x", count=count, rows=100))),))


@pytest.mark.parametrize(
    ("then", "today", "accepted"),
    [
        (5, 5, True),
        (5, 4, True),
        (5, 0, True),
        (5, 6, False),
        (0, 1, False),
        (None, None, True),
        (None, 5, False),
        (5, None, False),
    ],
)
def test_a_finding_is_known_while_its_count_is_not_above_the_listed_one(
    then: int | None, today: int | None, accepted: bool
) -> None:
    run = accept_known(counted(today), baseline_load(baseline_dump(counted(then))))
    assert run.findings[0].accepted == ("baseline" if accepted else "")
    assert exit_code(run, Severity.HIGH)[0] == (0 if accepted else 1)


def test_a_finding_that_is_not_listed_stays_open() -> None:
    assert accept_known(counted(5), Baseline({"0" * 16: Known(100)})).findings[0].accepted == ""


def test_a_reason_that_was_there_before_stays() -> None:
    run = counted(5)
    run = replace(run, findings=(replace(run.findings[0], accepted="ticket 7"),))
    assert accept_known(run, baseline_load(baseline_dump(run))).findings[0].accepted == "ticket 7"


def test_a_baseline_has_one_sorted_finding_a_block_whatever_the_order_of_the_run() -> None:
    run = sample_run()
    text = baseline_dump(run)
    assert text == baseline_dump(replace(run, findings=tuple(reversed(run.findings))))
    opening, *lines, closing = text.splitlines()
    assert (opening, closing) == ('{"watchdog_baseline": 2, "findings": {', "}}")
    assert len(lines) == len(run.findings)
    assert lines == sorted(lines)
    assert json.loads(text)["findings"][run.findings[0].fingerprint] == {
        "id": "orders.email.not_null", "count": 123, "keys": None, "note": "no rows are listed: the count decides",
    }  # fmt: skip


def test_a_baseline_of_any_run_can_be_read_again() -> None:
    for run in (a_run(), sample_run(), hostile_run()):
        known = baseline_load(baseline_dump(run))
        told = {fingerprint: (entry.count, entry.keys) for fingerprint, entry in known.findings.items()}
        assert told == {finding.fingerprint: (finding.count, None) for finding in run.findings}
        assert all(finding.accepted for finding in accept_known(run, known).findings)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "b.json:1: baseline is not valid JSON"),
        ('{"format": 1, "findings": {\n<<<<<<< ours\n', "b.json:2: baseline is not valid JSON"),
        ("[]", "b.json: not a baseline file"),
        ('{"findings": {}}', "not a baseline file"),
        ('{"format": 1, "findings": []}', "not a baseline file"),
        ('{"format": 2, "findings": {}}', "not a baseline file"),
        ('{"watchdog_baseline": true, "findings": {}}', "not a baseline file"),
        ('{"watchdog_baseline": 3, "findings": {}}', "baseline of version 3, this program reads up to 2"),
        ('{"watchdog_baseline": 2, "findings": {"aa": {"count": 1, "keys": 5}}}', "'aa' has no usable keys"),
        ('{"watchdog_baseline": 2, "findings": {"aa": {"count": 1, "keys": [1.5]}}}', "'aa' has no usable keys"),
        ('{"watchdog_baseline": 2, "findings": {"aa": {"count": 1, "keys": [[]]}}}', "'aa' has no usable keys"),
        ('{"watchdog_baseline": 2, "findings": {"aa": {"count": 1, "keys": [null]}}}', "'aa' has no usable keys"),
        ('{"format": 1, "findings": {"aa": 5}}', "baseline entry 'aa' has no usable count"),
        ('{"format": 1, "findings": {"aa": {}}}', "baseline entry 'aa' has no usable count"),
        ('{"format": 1, "findings": {"aa": {"count": -1}}}', "no usable count"),
        ('{"format": 1, "findings": {"aa": {"count": true}}}', "no usable count"),
        ('{"format": 1, "findings": {"aa": {"count": 1}, "aa": {"count": 2}}}', 'baseline lists "aa" twice'),
    ],
)
def test_what_is_no_baseline_is_refused_with_its_place_and_a_hint(text: str, words: str) -> None:
    with pytest.raises(ConfigError) as refused:
        baseline_load(text, file="b.json")
    assert words in refused.value.message
    assert refused.value.hint
    assert refused.value.exit_code == 2
