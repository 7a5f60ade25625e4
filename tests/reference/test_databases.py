"""Databases of public projects: their real faults are found, what is right about them is not called wrong."""

from __future__ import annotations

import shutil

import pytest
from known_faults import folder, listed, looked, missed, needed, said_of

from watchdog.model import Severity

DATABASES = listed("databases/known.json")


@pytest.fixture
def scanned(known, tmp_path):
    place = folder()
    assert place is not None
    for file in (place / "databases").glob(known["file"] + "*"):  # with its -wal file, where there is one
        shutil.copy(file, tmp_path)
    return looked(tmp_path / known["file"])


@needed
@pytest.mark.parametrize("known", DATABASES, ids=lambda known: known["file"])
def test_real_faults_are_found_and_right_things_are_not_called_wrong(known, scanned):
    assert missed(scanned, known["must_find"]) == []
    faulty = {f"{fault['table']}.{fault['column']}" for fault in known["must_find"]}
    for entry in known["must_not_error"]:
        place = entry.split()[0]
        if place not in faulty:
            assert said_of(scanned, place, Severity.LOW if place == "*" else Severity.MEDIUM) == []


@needed
@pytest.mark.parametrize(
    "known", [k for k in DATABASES if k["file"] == "flashcards_v1.db"], ids=lambda known: known["file"]
)
def test_a_missing_collation_costs_only_what_needs_it(known, scanned):
    assert not scanned.complete
    assert not scanned.errors
    skipped = [r for r in scanned.results if r.status == "skipped" and "unicase" in r.judgement.message]
    assert skipped
    assert {r.table for r in scanned.results if r.status in ("passed", "failed")} >= {"cards", "notes", "col"}


@needed
@pytest.mark.parametrize("known", [k for k in DATABASES if k["file"] == "hot_wal.db"], ids=lambda known: known["file"])
def test_commits_that_are_only_in_the_log_are_read(known, scanned):
    assert len(scanned.rows) == 2
    assert scanned.rows["MyTable"] == 11
    assert scanned.read_mode == "snapshot"
