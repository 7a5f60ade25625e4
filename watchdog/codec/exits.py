"""The exit code of a scan and the reasons for it.

First match wins: 3 could not evaluate, 1 findings, 4 a report that a model could not write or that could not be verified,
0 clean.
"""

from __future__ import annotations

from watchdog.codec.values import clean
from watchdog.model import Run, Severity

NAMED = 5  # findings that a reason names
GOOD_REPORT = ("verified", "repaired")  # what a model wrote, whole


def exit_code(run: Run, fail_on: Severity | None) -> tuple[int, tuple[str, ...]]:
    """`run.exit_reasons` say why the run could not evaluate; findings from `fail_on` on that nobody accepted make 1.

    All reasons are returned, whichever decided. `fail_on` None means that findings never count.
    """
    findings = findings_reason(run, fail_on)
    unevaluated = tuple(reason for reason in run.exit_reasons if reason != findings)
    report = report_reason(run)
    reasons = (*unevaluated, *filter(None, (findings, report)))
    return (3 if unevaluated else 1 if findings else 4 if report else 0), reasons


def findings_reason(run: Run, fail_on: Severity | None) -> str:
    """Why the findings make exit 1, in words; "" when they do not."""
    if fail_on is None:
        return ""
    ids = [clean(finding.id) for finding in run.findings if finding.severity >= fail_on and not finding.accepted]
    if not ids:
        return ""
    more = f" and {len(ids) - NAMED:,} more" if len(ids) > NAMED else ""
    level = fail_on.label if fail_on is Severity.HIGH else f"{fail_on.label} or above"
    return f"{len(ids):,} finding{'' if len(ids) == 1 else 's'} of severity {level}: {', '.join(ids[:NAMED])}{more}"


def report_reason(run: Run) -> str:
    """Why the report makes exit 4, in words; "" when it does not, or none was asked for."""
    status = str(run.report.get("status", ""))
    if not status or status in GOOD_REPORT:
        return ""
    why = str(run.report.get("reason", ""))
    return clean(f"the report is {_STATUS.get(status, status)}" + (f": {why}" if why else ""))


_STATUS = {
    "cut": "cut: what could not be verified is left out",
    "facts_only": "in the program's own words, without a model's",
    "unverified": "not verified",
    "waiting": "not published",
    "none": "not there",
}
