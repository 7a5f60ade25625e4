"""Real columns that are mostly clean: at most one cell in 1,000 is called wrong that is not."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from known_faults import NOW, folder, needed

from watchdog.model import Severity
from watchdog.pipeline import scan
from watchdog.pipeline.scanning import Scan

pytestmark = needed
EVERY = 1_000_000  # samples: all rows


def scanned(name: str, tmp_path: Path) -> Scan:
    place = folder()
    assert place is not None
    return scan(Path(shutil.copy(place / "benchmarks" / f"{name}.db", tmp_path)), now=NOW, samples=EVERY)


def flagged(run: Scan, level: Severity) -> set[tuple[str | None, int | None, str]]:
    """The cells (table, row id, column) of the findings at or above a level."""
    return {
        (finding.result.table, sample.rowid, column)
        for finding in run.findings
        if finding.severity >= level
        for sample in finding.samples
        for column in finding.result.columns
    }


def listed(name: str) -> set[tuple[str, int, str]]:
    """The cells that people found wrong, or debatable."""
    place = folder()
    assert place is not None
    cells = set()
    for kind in ("truth", "ignore"):
        file = place / "benchmarks" / f"{name}.{kind}.csv"
        if file.exists():
            with file.open(encoding="utf-8", newline="") as lines:
                cells |= {(row["table"], int(row["rowid"]), row["column"]) for row in csv.DictReader(lines)}
    return cells


def cells(run: Scan) -> int:
    assert run.catalog is not None
    return sum(run.rows[t.full_name] * len(t.columns) for t in run.catalog.tables if t.full_name in run.rows)


@pytest.mark.parametrize("name", ["dgov_clean", "spreadsheet_columns"])
def test_clean_cells_are_left_alone(name, tmp_path):
    run = scanned(name, tmp_path)
    wrongly = flagged(run, Severity.MEDIUM) - listed(name)
    assert cells(run) > 30_000
    assert 1_000 * len(wrongly) <= cells(run), sorted(wrongly)[:20]


@pytest.mark.parametrize(("name", "least"), [("flights", 2_000), ("billionaire", 1_000)])
def test_what_is_said_to_be_missing_is_missing(name, least, tmp_path):
    found = flagged(scanned(name, tmp_path), Severity.LOW)
    assert len(found) >= least
    assert len(found - listed(name)) <= 0.01 * len(found)
