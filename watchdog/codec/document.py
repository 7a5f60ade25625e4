"""A Run as the findings document, format 1: strict JSON in a fixed order, described by `findings.schema.json`.

In: a Run. Out: a dict that is pure JSON, or its text. Not written: the catalog and the measurements. The same run gives
the same bytes. Characters that a terminal would obey or hide (controls, bidirectional marks) are written as `\\uNNNN`.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

from watchdog.codec.exits import exit_code
from watchdog.codec.values import clean, safe, shown_value
from watchdog.model import Finding, Result, Run, Sample, Severity, Threshold

# What a finding says about itself. A check's `extra` stands beside these fields and cannot take their names.
FIELDS = frozenset((
    "id", "fingerprint", "check", "name", "dimension", "origin", "table", "schema", "column", "columns", "severity",
    "count", "rows", "not_evaluated", "evaluated", "ratio", "threshold", "value", "unit", "observed", "expected", "description",
    "accepted", "accepted_by", "tags", "owner", "note", "evidence", "samples", "sql", "file", "line",
))  # fmt: skip
_UNSEEN = re.compile("[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def dumps(run: Run) -> str:
    return json_text(to_dict(run))


def json_text(value: Any) -> str:
    """Pure JSON as every output writes it: readable in any language, nothing in it that a terminal obeys or hides."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1)
    return _UNSEEN.sub(lambda unseen: f"\\u{ord(unseen[0]):04x}", text) + "\n"


def to_dict(run: Run) -> dict[str, Any]:
    return {
        "format": run.format,
        "run": {
            "id": clean(run.id),
            "started_at": _moment(run.started),
            "finished_at": _moment(run.finished),
            "version": clean(run.version),
            "engine": clean(run.engine),
            "config_digest": clean(run.config_digest),
            "sample_values": run.sample_values,
        },
        "source": {
            "name": clean(run.source),
            "dialect": clean(run.dialect),
            "location": clean(run.location),
            "read_mode": clean(run.read_mode),
            "state": safe(run.state),
        },
        "summary": summary(run),
        "findings": [_finding(run, finding) for finding in run.findings],
        "results": [_result(result) for result in sorted(run.results, key=lambda r: clean(r.id))],
        "history": safe(run.history),
        "profile": safe(run.profile),
        **({"report": safe(run.report)} if run.report else {}),
    }


def summary(run: Run) -> dict[str, Any]:
    """The counts that every output repeats. `tables` are those whose rows were counted."""
    statuses = [result.status for result in run.results]
    levels = [finding.severity for finding in run.findings]
    passed, failed = statuses.count("passed"), statuses.count("failed")
    return {
        "tables": len(run.rows),
        "rows": {clean(table): run.rows[table] for table in sorted(run.rows, key=clean)},
        "checks_run": len(statuses),
        "checks_evaluated": passed + failed,
        "checks_passed": passed,
        "checks_failed": failed,
        "checks_skipped": statuses.count("skipped"),
        "checks_errored": statuses.count("error"),
        "findings_by_severity": {level.label: levels.count(level) for level in sorted(Severity, reverse=True)},
        "complete": run.complete,
        "fail_on": "never" if run.fail_on is None else run.fail_on.label,
        "exit_reasons": [clean(reason) for reason in exit_code(run, run.fail_on)[1]],
        "notes": [clean(note) for note in run.notes],
    }


def shown_samples(run: Run, finding: Finding) -> list[dict[str, Any]]:
    """The failing rows as outputs show them: the key in full, `rowid` where it can be read and is not the key itself;
    `value` where the finding is about that one column, else `values` by column; neither when values are not shown."""
    return [_sample(run, finding, sample) for sample in finding.samples]


def findings_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the findings document."""
    from importlib.resources import files

    schema: dict[str, Any] = json.loads(files("watchdog").joinpath("findings.schema.json").read_text("utf-8"))
    return schema


def _sample(run: Run, finding: Finding, sample: Sample) -> dict[str, Any]:
    told: dict[str, Any] = {"key": None if sample.key is None else safe(sample.key)}
    if sample.rowid is not None and list((sample.key or {}).values()) != [sample.rowid]:
        told["rowid"] = sample.rowid
    if run.sample_values == "none" or not sample.values:
        return told
    shown = {c: shown_value(v, run.sample_values, c, pii_allowed=run.pii_allowed) for c, v in sample.values.items()}
    if tuple(shown) == finding.result.columns and len(shown) == 1:
        return told | {"value": shown[finding.result.columns[0]]}
    return told | {"values": {clean(column): value for column, value in shown.items()}}


def _finding(run: Run, finding: Finding) -> dict[str, Any]:
    result, judged = finding.result, finding.result.judgement
    columns = [clean(column) for column in result.columns]
    told: dict[str, Any] = {
        "id": clean(result.id),
        "fingerprint": clean(result.fingerprint),
        "check": clean(result.check),
        "name": clean(result.name),
        "dimension": clean(result.dimension),
        "origin": result.origin,
        "table": _text(result.table),
        **({"schema": clean(result.schema)} if result.schema else {}),
        **({"column": columns[0]} if len(columns) == 1 else {}),
        "columns": columns,
        "severity": result.severity.label,
        "count": judged.count,
        "rows": judged.rows,
        "not_evaluated": judged.not_evaluated,
        "evaluated": judged.evaluated,
        "ratio": finding.ratio,
        "threshold": _threshold(judged.threshold),
        **_measured(result),
    }
    seen = {"observed": judged.observed, "expected": judged.expected}
    told |= {key: safe(value) for key, value in seen.items() if value is not None}
    told |= {"description": clean(judged.message)}
    told |= {clean(key): safe(value) for key, value in judged.extra.items() if clean(key) not in FIELDS}
    if finding.accepted:
        told |= {"accepted": True, "accepted_by": clean(finding.accepted)}
    if result.tags:
        told["tags"] = [clean(tag) for tag in result.tags]
    told |= {key: clean(text) for key, text in (("owner", result.owner), ("note", result.note)) if text is not None}
    if result.evidence:
        told["evidence"] = clean(result.evidence)
    told |= {"samples": shown_samples(run, finding), "sql": clean(finding.sql)}
    return told | {"file": _text(result.file or None), "line": result.line}


def _result(result: Result) -> dict[str, Any]:
    judged = result.judgement
    return {
        "id": clean(result.id),
        "fingerprint": clean(result.fingerprint),
        "check": clean(result.check),
        "name": clean(result.name),
        "dimension": clean(result.dimension),
        "table": _text(result.table),
        **({"schema": clean(result.schema)} if result.schema else {}),
        "columns": [clean(column) for column in result.columns],
        "severity": result.severity.label,
        "origin": result.origin,
        "status": result.status,
        "count": judged.count,
        "rows": judged.rows,
        "not_evaluated": judged.not_evaluated,
        "evaluated": judged.evaluated,
        **_measured(result),
        "observed": safe(judged.observed),
        "expected": safe(judged.expected),
        "reason": clean(judged.message),
        "file": _text(result.file or None),
        "line": result.line,
    }


def _measured(result: Result) -> dict[str, Any]:
    value, unit = result.judgement.value, result.judgement.unit
    told: dict[str, Any] = {} if value is None else {"value": safe(value)}
    return told if unit is None else told | {"unit": clean(unit)}


def _threshold(threshold: Threshold | None) -> dict[str, Any] | None:
    if threshold is None:
        return None
    whole = threshold.unit == "rows" and threshold.value == int(threshold.value)
    return {"value": int(threshold.value) if whole else threshold.value, "unit": threshold.unit}


def _text(text: str | None) -> str | None:
    return None if text is None else clean(text)


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
