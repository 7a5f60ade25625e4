"""The exit code of a scan: a table, first match wins."""

from dataclasses import replace

import pytest
from sample import HIGH, INFO, LOW, MEDIUM, a_result, a_run

from watchdog.codec import exit_code
from watchdog.model import Finding, Run, Severity, failed


def run_with(*levels: Severity, accepted: bool = False, reasons: tuple[str, ...] = ()) -> Run:
    told = [Finding(a_result(f"t.c{n}", failed("x"), severity=level)) for n, level in enumerate(levels)]
    return a_run(tuple(replace(f, accepted="known" if accepted else "") for f in told), exit_reasons=reasons)


@pytest.mark.parametrize(
    ("run", "fail_on", "code", "reasons"),
    [
        (run_with(), HIGH, 0, ()),
        (run_with(MEDIUM), HIGH, 0, ()),
        (run_with(HIGH), HIGH, 1, ("1 finding of severity high: t.c0",)),
        (run_with(MEDIUM, LOW), LOW, 1, ("2 findings of severity low or above: t.c0, t.c1",)),
        (run_with(INFO), INFO, 1, ("1 finding of severity info or above: t.c0",)),
        (run_with(HIGH), None, 0, ()),
        (run_with(HIGH, accepted=True), HIGH, 0, ()),
        (run_with(reasons=("timed out",)), HIGH, 3, ("timed out",)),
        (run_with(HIGH, reasons=("timed out",)), HIGH, 3, ("timed out", "1 finding of severity high: t.c0")),
        (run_with(HIGH, reasons=("timed out",)), None, 3, ("timed out",)),
        (run_with(HIGH, accepted=True, reasons=("timed out",)), HIGH, 3, ("timed out",)),
    ],
)
def test_the_first_match_wins_and_all_reasons_are_told(
    run: Run, fail_on: Severity | None, code: int, reasons: tuple[str, ...]
) -> None:
    assert exit_code(run, fail_on) == (code, reasons)


def test_many_findings_are_counted_and_a_few_named() -> None:
    (reason,) = exit_code(run_with(*[HIGH] * 1234), HIGH)[1]
    assert reason == "1,234 findings of severity high: t.c0, t.c1, t.c2, t.c3, t.c4 and 1,229 more"


def test_telling_the_reasons_to_the_run_does_not_change_its_exit_code() -> None:
    run = run_with(HIGH)
    told = replace(run, exit_reasons=exit_code(run, HIGH)[1])
    assert exit_code(told, HIGH) == exit_code(run, HIGH)
