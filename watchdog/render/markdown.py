"""For a page or a pull request: verdict, a table of findings, what was not evaluated, what was looked at.

A Report that is given opens the page in its own words, which are Markdown already; everything else is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from watchdog.model import Finding, Report, Run
from watchdog.render import _words
from watchdog.render._escape import code, markdown

SUFFIX = ".md"


def render(run: Run, report: Report | None = None) -> str:
    return "\n\n".join(_parts(run, report)) + "\n"


def _parts(run: Run, report: Report | None) -> Iterator[str]:
    if report is not None:
        yield f"# {markdown(report.title)}"
        yield f"{report.text.strip()}\n\nNumbers: {report.status.replace('_', ' ')}."
        yield f"## Findings of {code(run.source)}"
    else:
        yield f"# Data quality of {code(run.source)}"
    yield f"**{markdown(_words.verdict(run))}**"
    told = [_finding(run, finding) for finding in _words.still_open(run)]
    if told:
        yield _table(("Severity", "Finding", "What was found", "Rows"), told)
    yield from (markdown(line) + "." for line in _words.accepted(run))
    skipped = [result for result in run.results if result.status == "skipped"]
    for title, results in (("Could not be evaluated", run.errors), ("Skipped", skipped)):
        if results:
            yield f"## {title}"
            rows = _words.grouped(results)
            yield _table(("Reason", "Checks"), ((markdown(why), markdown(ids)) for why, ids in rows))
    yield "## What was looked at"
    yield "\n".join(f"- {markdown(line)}" for line in _facts(run))


def _finding(run: Run, finding: Finding) -> Sequence[str]:
    standing, note = _words.standing(run, finding), finding.result.note
    level = f"{finding.severity.label} ({markdown(standing)})" if standing else finding.severity.label
    words = [finding.description, *([note] if note else []), _words.origin(finding.result)]
    rows = [code(row) for row in _words.rows_of(run, finding)]
    return level, code(finding.id), "<br>".join(markdown(line) for line in words), "<br>".join(rows)


def _facts(run: Run) -> Iterator[str]:
    yield _words.looked_at(run)
    yield _words.checks(run)
    yield from (f"{table}: {_words.some(run.rows[table], 'row')}" for table in sorted(run.rows))
    if not run.complete:
        yield "Incomplete: not everything could be looked at"
    yield from _words.exits(run)
    yield from (f"Note: {note}" for note in run.notes)
    if run.sample_values == "masked" and any(sample.values for f in run.findings for sample in f.samples):
        yield "Values are masked: x and X are letters, 9 is a digit"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells are escaped already."""
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
