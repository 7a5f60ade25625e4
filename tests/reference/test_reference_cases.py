"""Small databases rebuilt from public reports: each fault is found with its count and rows, decoys are left alone."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from known_faults import CHECKS, NOT_YET, NOT_YET_AT, folder, listed, looked, missed, needed, said_of

from watchdog.model import Severity

CASES = listed("cases/cases.json")


@pytest.fixture
def scanned(case, tmp_path):
    place = folder()
    assert place is not None
    return looked(Path(shutil.copy(place / "cases" / case["file"], tmp_path)))


@needed
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_what_is_wrong_is_found_with_its_count_and_rows(case, scanned):
    assert missed(scanned, case["expect"]) == []


@needed
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_what_only_looks_odd_is_not_reported(case, scanned):
    faulty = {f"{fault['table']}.{fault['column']}" for fault in case["expect"]}
    for entry in case["must_not_report"]:
        row = re.fullmatch(r"(\S+) row (\d+)", entry)
        if row:
            shown = [s for f in scanned.findings if f.result.table == row[1] for s in f.samples]
            assert int(row[2]) not in {s.rowid for s in shown}
        elif entry.split()[0] not in faulty and (entry.split()[0], "decoy") not in NOT_YET_AT:
            assert said_of(scanned, entry.split()[0], Severity.LOW) == []


@needed
def test_every_fault_has_a_check_or_is_known_to_have_none_yet():
    hostile = {"control character or undecodable text"}
    problems = {f["problem"] for case in CASES for f in case["expect"]} | hostile
    assert problems <= CHECKS.keys() | NOT_YET
    assert not CHECKS.keys() & NOT_YET
