"""JUnit XML: a suite per table, a case per check; the numbers on a suite are those of its cases.

What makes exit 1 is a failure, what makes exit 3 an error: a finding below `fail_on`, or an accepted one, passes and
says so in its output. A run that could not evaluate for a reason that belongs to no check gets a case of its own. The
Report is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from watchdog.model import Finding, Report, Result, Run
from watchdog.render import _words
from watchdog.render._escape import visible

SUFFIX = ".junit.xml"
WHOLE = "(database)"  # the suite of the checks that belong to no table
RUN = "(run)"


def render(run: Run, report: Report | None = None) -> str:
    findings = {finding.id: finding for finding in run.findings}
    suites: dict[str, list[ElementTree.Element]] = {}
    for result in sorted(run.results, key=lambda r: (r.table or "", r.id)):
        suites.setdefault(result.table or WHOLE, []).append(_case(run, result, findings.get(result.id)))
    if run.exit_reasons and not run.errors:
        case = ElementTree.Element("testcase", classname=visible(run.source), name="could be evaluated")
        case.extend(_said("error", reason, type="evaluation") for reason in run.exit_reasons[:1])
        _output(case, run.exit_reasons[1:])
        suites.setdefault(RUN, []).append(case)
    seconds = max((run.finished - run.started).total_seconds(), 0)
    about = {"name": visible(f"watchdog {run.source}"), "time": f"{seconds:.3f}"}
    root = ElementTree.Element("testsuites", about | _counts([case for cases in suites.values() for case in cases]))
    for name, cases in suites.items():
        ElementTree.SubElement(root, "testsuite", {"name": visible(name)} | _counts(cases)).extend(cases)
    ElementTree.indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _case(run: Run, result: Result, finding: Finding | None) -> ElementTree.Element:
    place = ".".join(part for part in (result.table, "+".join(result.columns)) if part)
    case = ElementTree.Element("testcase", classname=visible(place or run.source), name=visible(result.name))
    if result.status == "skipped":
        case.append(_said("skipped", result.judgement.message))
    elif result.status == "error":
        case.append(_said("error", result.judgement.message, type="evaluation"))
    elif finding is not None:
        rows = _words.rows_of(run, finding)
        if run.fail_on is not None and finding.severity >= run.fail_on and not finding.accepted:
            failure = _said("failure", finding.description, type=result.dimension or result.check)
            failure.text = "\n".join((f"{finding.severity.label}: {visible(finding.id)}", *rows))
            case.append(failure)
        else:
            why = f"accepted: {finding.accepted}" if finding.accepted else "does not fail the run"
            _output(case, (f"{finding.severity.label}, {why}: {finding.description}", *rows))
    return case


def _said(tag: str, message: str, **more: str) -> ElementTree.Element:
    shown = {key: visible(text) for key, text in more.items()}
    return ElementTree.Element(tag, shown | {"message": visible(message)})


def _output(case: ElementTree.Element, lines: Sequence[str]) -> None:
    if lines:
        ElementTree.SubElement(case, "system-out").text = "\n".join(visible(line) for line in lines)


def _counts(cases: Sequence[ElementTree.Element]) -> dict[str, str]:
    tags = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    found = {name: str(sum(case.find(tag) is not None for case in cases)) for name, tag in tags.items()}
    return {"tests": str(len(cases))} | found
