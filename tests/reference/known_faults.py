"""Reference data with known faults: the folder that WATCHDOG_REFERENCE names. Without it these tests are skipped."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from watchdog.model import Finding, Severity
from watchdog.pipeline import scan
from watchdog.pipeline.scanning import Scan

NOW = datetime(2026, 12, 31, tzinfo=UTC)
SAMPLES = 100

# what the data calls a fault -> the check that finds it
CHECKS = {
    "orphan": "relationships",
    "missing": "not_null",
    "missing key": "primary_key",
    "missing-value word": "missing",
    "empty string": "missing",
    "blank": "missing",
    "impossible date": "valid",
    "invalid JSON": "valid",
    "date in the future": "not_future",
    "wrong type": "type",
    "duplicate": "unique",
    "foreign key to a missing table": "foreign_key",
    "foreign key to a missing column": "foreign_key",
    "index disagrees with table": "integrity",
}
# faults that no check looks for yet
NOT_YET = frozenset((
    "case or spelling variant",
    "control character or undecodable text",  # the undecodable half is there: see test_hostile
    "duplicate after folding case and spaces",
    "duplicate in a key-like column",
    "duplicate rows",
    "end before start",
    "format differs",
    "format differs (length)",
    "infinite number",
    "infinite or absurd number",
    "mojibake",
    "negative number among positive ones",
    "outlier (no possible time)",
    "outlier date",
    "outlier within its group (quant)",
    "placeholder coordinates",
    "placeholder date",
    "placeholder number (-99)",
    "placeholder or outlier number",
    "placeholder number (2^31-1)",
    "placeholder number (999)",
    "rare variant of a frequent value",
    "surrounding space",
    "time unit differs",
))  # fmt: skip
# faults of a kind that has a check, and decoys, where no rule is good enough yet
NOT_YET_AT = frozenset((
    ("images.datetime_taken", "impossible date"),  # EXIF writes dates with colons
    ("subs.note", "decoy"),  # a fifth of the notes are '', and that is how this program writes "no note"
))  # fmt: skip


def folder() -> Path | None:
    told = os.environ.get("WATCHDOG_REFERENCE")
    return Path(told) if told else None


def listed(name: str) -> list[Any]:
    """The entries of a JSON list in the reference data; [] without it."""
    place = folder()
    return list(json.loads((place / name).read_text(encoding="utf-8"))) if place else []


needed = pytest.mark.skipif(folder() is None, reason="WATCHDOG_REFERENCE names no folder with the reference data")


def looked(path: Path) -> Scan:
    """The scan of a file without any set-up, and proof that nothing beside the file changed."""
    before = _bytes_beside(path)
    try:
        return scan(path, now=NOW, samples=SAMPLES)
    finally:
        assert _bytes_beside(path) == before


def _bytes_beside(path: Path) -> dict[str, str]:
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(path.parent.iterdir()) if p.is_file()}


def found(run: Scan, fault: dict[str, Any]) -> Finding | None:
    """The finding of the fault's kind at its place."""
    check, column = CHECKS[fault["problem"]], fault["column"]
    table = None if check == "integrity" else fault["table"]
    columns = () if column is None or check == "integrity" else (column,)
    places = ((f, f.result) for f in run.findings if f.check == check)
    return next((f for f, r in places if r.table == table and r.columns == columns), None)


def missed(run: Scan, faults: Iterable[dict[str, Any]]) -> list[str]:
    """What a scan should have found and did not, in words; [] when all is well."""
    said = []
    for fault in faults:
        if fault["problem"] in NOT_YET or (f"{fault['table']}.{fault['column']}", fault["problem"]) in NOT_YET_AT:
            continue
        finding, place = found(run, fault), f"{fault['table']}.{fault['column']}: {fault['problem']}"
        if finding is None:
            said.append(f"{place} not found")
        elif finding.check == "integrity":
            if "missing from an index" not in finding.description or (finding.count or 0) < fault["count"]:
                said.append(f"{place}: {finding.description}")
        elif finding.count != fault["count"]:
            said.append(f"{place}: {finding.count} instead of {fault['count']}")
        elif "rowids" in fault and finding.samples:
            rowids = [s.rowid for s in finding.samples]
            if rowids != sorted(fault["rowids"])[:SAMPLES]:
                said.append(f"{place}: rows {rowids}")
        elif "rowids" in fault:
            said.append(f"{place}: no rows shown")
    return said


def said_of(run: Scan, place: str, level: Severity) -> list[str]:
    """The findings at or above `level` about a table, `table.column`, or a glob of one; `*` is the whole file."""
    about = [f for f in run.findings if f.severity >= level]
    return [f.id for f in about if place == "*" or any(fnmatchcase(p, place) for p in _places(f))]


def _places(finding: Finding) -> Iterable[str]:
    table = finding.result.table or ""
    yield table
    yield from (f"{table}.{column}" for column in finding.result.columns)
