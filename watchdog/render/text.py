"""For a terminal: the findings, worst first, then what was looked at and what was not. No colour codes.

A finding is its severity and id, then in words what was found, a few failing rows, and where the check comes from;
accepted ones are one line. The last lines say what the run is worth, so that they are on the screen when it ends. The
Report is not used.
"""

from __future__ import annotations

from collections.abc import Iterator

from watchdog.model import Finding, Report, Run
from watchdog.render import _words
from watchdog.render._escape import visible

SUFFIX = ".txt"
REASONS = 10  # different reasons listed for checks that were skipped


def render(run: Run, report: Report | None = None) -> str:
    blocks = ["\n".join(_finding(run, finding)) for finding in _words.still_open(run)]
    return "\n\n".join([*blocks, "\n".join(_summary(run))]) + "\n"


def _finding(run: Run, finding: Finding) -> Iterator[str]:
    standing = _words.standing(run, finding)
    yield f"{finding.severity.name:<8}{visible(finding.id)}{visible(f'  [{standing}]') if standing else ''}"
    limit = finding.result.judgement.threshold
    tolerated = f" (tolerated: {limit.words()})" if limit and limit.value else ""
    yield f"        {visible(finding.description)}{tolerated}"
    if finding.result.note:
        yield f"        {visible(finding.result.note)}"
    yield from (f"          {row}" for row in _words.rows_of(run, finding))
    yield f"        {visible(_words.origin(finding.result))}"


def _summary(run: Run) -> Iterator[str]:
    errors = _words.grouped(run.errors)
    skipped = _words.grouped(r for r in run.results if r.status == "skipped")
    for reason, ids in errors:
        yield _line("Could not look", f"{ids}: {reason}")
    for reason, ids in skipped[:REASONS]:
        yield _line("Skipped", f"{ids}: {reason}")
    if len(skipped) > REASONS:
        yield _line("Skipped", f"for {len(skipped) - REASONS:,} more reasons, all in the JSON output")
    if run.rows:
        tables = sorted(run.rows.items(), key=lambda pair: (-pair[1], pair[0]))
        more = f" and {len(tables) - REASONS:,} more" if len(tables) > REASONS else ""
        yield _line("Tables", ", ".join(f"{name} {rows:,}" for name, rows in tables[:REASONS]) + more)
    for note in run.notes:
        yield _line("Note", note)
    for accepted in _words.accepted(run):
        yield _line("Accepted", accepted)
    if run.sample_values == "masked" and any(sample.values for f in _words.still_open(run) for sample in f.samples):
        yield _line("Values", "masked: x and X are letters, 9 is a digit")
    yield _line("Looked at", _words.looked_at(run))
    yield _line("Checks", _words.checks(run))
    if not run.complete:
        yield _line("Incomplete", "not everything could be looked at")
    for reason in _words.exits(run):
        yield _line(*reason.split(": ", 1))
    yield _line("Result", _words.verdict(run))


def _line(head: str, text: str) -> str:
    return f"{head:<16}{visible(text)}"
