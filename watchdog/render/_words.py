"""The sentences that the formats for people share, as plain text: what was looked at, how it went, one failing row.

Not escaped: each format does that with what it is given here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from watchdog.codec import exit_code, shown_samples, summary
from watchdog.model import Finding, Result, Run
from watchdog.render._escape import short, visible

LONGEST = 80  # characters shown of a key or a value
NAMED = 5  # ids named for a shared reason


def some(number: int, noun: str) -> str:
    """`1 table`, `4 tables`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def looked_at(run: Run) -> str:
    place = "" if run.location in ("", run.source) else f" at {run.location}"
    how = ", ".join(part for part in (run.dialect, f"read {run.read_mode}" if run.read_mode else "") if part)
    rows = some(sum(run.rows.values()), "row")
    return f"{run.source}{place}{f' ({how})' if how else ''}: {some(len(run.rows), 'table')}, {rows}"


def checks(run: Run) -> str:
    told = summary(run)
    counts = (
        (told["checks_passed"], "passed"),
        (told["checks_failed"], "failed"),
        (told["checks_skipped"], "skipped"),
        (told["checks_errored"], "could not be evaluated"),
    )
    parts = ", ".join(f"{number:,} {word}" for number, word in counts if number)
    return f"{some(told['checks_run'], 'check')}{f': {parts}' if parts else ''}"


def findings(run: Run) -> str:
    if not run.findings:
        return "no findings"
    levels = summary(run)["findings_by_severity"]
    parts = ", ".join(f"{number:,} {level}" for level, number in levels.items() if number)
    accepted = sum(1 for finding in run.findings if finding.accepted)
    return f"{some(len(run.findings), 'finding')}: {parts}{f'; {accepted:,} accepted' if accepted else ''}"


def verdict(run: Run) -> str:
    """What this run says about the data, in one sentence."""
    told = summary(run)
    evaluated, looked = told["checks_evaluated"], some(told["checks_evaluated"], "check")
    if not run.results and run.rows and run.complete:
        return "Nothing was checked: there was no check to run, so this says nothing about the data."
    if not evaluated:
        return "Nothing was evaluated, so this says nothing about the data."
    blind = told["checks_skipped"] + told["checks_errored"]
    if run.findings:
        return f"{findings(run)}."
    where = f"{some(told['tables'], 'table')} with {some(sum(run.rows.values()), 'row')}"
    if blind:
        return f"No findings in {looked} on {where}; {some(blind, 'check')} did not look."
    if not run.complete:
        return f"No findings in {looked} on {where}, but not everything could be looked at."
    return f"No findings: {looked} on {where} passed."


def worst_first(run: Run) -> list[Finding]:
    """Accepted ones last."""
    return sorted(run.findings, key=lambda finding: (bool(finding.accepted), -finding.severity, finding.id))


def reasons_of_no_check(run: Run) -> list[str]:
    """Why the run could not evaluate, beyond the checks that say so themselves."""
    told = {f"{result.id}: {result.judgement.message}" for result in run.errors}
    return [reason for reason in run.exit_reasons if reason not in told]


def exits(run: Run) -> list[str]:
    """The exit code with each of its reasons; checks that could not be evaluated are counted, not repeated."""
    code, reasons = exit_code(run, run.fail_on)
    own = set(run.exit_reasons) - set(reasons_of_no_check(run))
    blind = [f"{some(len(run.errors), 'check')} could not be evaluated"] if own else []
    return [f"Exit {code}: {reason}" for reason in (*blind, *(reason for reason in reasons if reason not in own))]


def accepted(run: Run) -> list[str]:
    """`12 findings accepted by known.json`, a line for each that accepts."""
    by = Counter(finding.accepted for finding in run.findings if finding.accepted)
    return [f"{some(number, 'finding')} accepted by {who}" for who, number in sorted(by.items())]


def still_open(run: Run) -> list[Finding]:
    """The findings that nobody has accepted, worst first."""
    return [finding for finding in worst_first(run) if not finding.accepted]


def standing(run: Run, finding: Finding) -> str:
    """What else there is to know before getting up at night: known already, accepted, new, worse."""
    known = run.history.get("findings")
    past = known.get(finding.id) if isinstance(known, Mapping) else None
    parts = [str(past["state"])] if isinstance(past, Mapping) and past.get("state") else []
    count = past.get("previous_count") if isinstance(past, Mapping) else None
    if parts and isinstance(count, int) and count != finding.count:
        parts[0] += f", was {count:,}"
    return "; ".join([*parts, f"accepted: {finding.accepted}"] if finding.accepted else parts)


def origin(result: Result) -> str:
    """Where the check comes from."""
    place = f"{result.file}:{result.line}" if result.line else result.file
    if result.origin == "inferred":
        return f"inferred: {result.evidence}" if result.evidence else "inferred"
    words = "from the task" if result.origin == "task" else "declared"
    return f"{words} in {place}" if place else words


def rows_of(run: Run, finding: Finding) -> list[str]:
    """The failing rows, ready to be seen: `id=17: email=NULL`; rows that show the same stand together, `id=17, 40: ...`.

    Where there are no rows but places in the file, these.
    """
    places = finding.result.judgement.extra.get("places")
    if isinstance(places, list | tuple):
        return [short(visible(str(place)), 2 * LONGEST) for place in places]
    columns = finding.result.columns
    alike: dict[tuple[str, tuple[str, ...]], list[Mapping[str, Any]]] = {}
    for sample in shown_samples(run, finding):
        values = (
            {columns[0] if len(columns) == 1 else "value": sample["value"]}
            if "value" in sample
            else sample.get("values", {})
        )
        key = sample["key"] or ({"rowid": sample["rowid"]} if "rowid" in sample else {})
        alike.setdefault((_pairs(values), tuple(key)), []).append(key)
    return [_rows(keys, values) for (values, _), keys in alike.items()]


def grouped(results: Iterable[Result]) -> list[tuple[str, str]]:
    """Reason -> the ids that share it, in words; in order of first appearance."""
    ids: dict[str, list[str]] = {}
    for result in results:
        ids.setdefault(result.judgement.message, []).append(result.id)
    return [(why, ", ".join(some_ids[:NAMED]) + _more(len(some_ids))) for why, some_ids in ids.items()]


def cell(value: Any) -> str:
    """One JSON value for the eye: NULL, "text", 17, and the special ones by their text."""
    if value is None:
        return "NULL"
    if isinstance(value, Mapping) and set(value) == {"type", "text"}:
        kind, text = value["type"], visible(str(value["text"]))
        shown = {"blob": f"blob {text}", "invalid_utf8": f'"{text}" (not UTF-8)'}.get(kind, text)
    else:
        shown = f'"{visible(value)}"' if isinstance(value, str) else visible(str(value))
    return short(shown, LONGEST)


def _rows(keys: list[Mapping[str, Any]], values: str) -> str:
    if len(keys[0]) == 1:
        (name,) = keys[0]
        told = f"{short(visible(name), LONGEST)}={', '.join(cell(key[name]) for key in keys)}"
    else:
        told = "; ".join(_pairs(key) for key in keys) if keys[0] else some(len(keys), "row") + " without key"
    return f"{told}: {values}" if values else told


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{short(visible(name), LONGEST)}={cell(value)}" for name, value in values.items())


def _more(number: int) -> str:
    return f" and {number - NAMED:,} more" if number > NAMED else ""
