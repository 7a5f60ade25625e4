"""GitHub workflow commands: what could not be evaluated, one note per finding, worst first, and what was looked at.

GitHub shows 10 errors, 10 warnings and 10 notices a step and drops the rest, so the worst come first. Accepted
ones are counted in the last notice. A finding points at the line of its check where a file names it. The Report is not used.
"""

from __future__ import annotations

from watchdog.model import Finding, Report, Result, Run, Severity
from watchdog.render import _words
from watchdog.render._escape import visible, workflow, workflow_property

SUFFIX = ".github.txt"
LEVEL = {Severity.INFO: "notice", Severity.LOW: "notice", Severity.MEDIUM: "warning", Severity.HIGH: "error"}


def render(run: Run, report: Report | None = None) -> str:
    lines = [_command("error", "could not evaluate", reason) for reason in _words.reasons_of_no_check(run)]
    lines += [_command("error", f"{r.id} could not be evaluated", r.judgement.message, r) for r in run.errors]
    lines += [_finding(run, finding) for finding in _words.still_open(run)]
    accepted = (visible(line) for line in _words.accepted(run))
    told = "\n".join((visible(_words.verdict(run)), *accepted, visible(_words.looked_at(run)), _words.checks(run)))
    lines.append(_command("notice", f"watchdog {run.source}", told))
    return "".join(lines)


def _finding(run: Run, finding: Finding) -> str:
    level = LEVEL[finding.severity]
    standing = _words.standing(run, finding)
    said = visible(f"{finding.description} [{standing}]" if standing else finding.description)
    return _command(level, finding.id, "\n".join((said, *_words.rows_of(run, finding))), finding.result)


def _command(level: str, title: str, message: str, result: Result | None = None) -> str:
    fields = {"title": title}
    if result is not None and result.file:
        line = {"line": str(result.line)} if result.line else {}
        fields = {"file": result.file, **line, "title": title}
    shown = ",".join(f"{key}={workflow_property(text)}" for key, text in fields.items())
    return f"::{level} {shown}::{workflow(message)}\n"
