"""Odd files, made by the reference data's own generator: each behaves as its manifest says."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from known_faults import folder, looked, missed, needed, said_of

from watchdog.errors import SourceError
from watchdog.model import Severity

pytestmark = needed


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """The folder of odd files and its manifest by file name."""
    place = folder()
    assert place is not None
    out = tmp_path_factory.mktemp("hostile")
    subprocess.run(
        [sys.executable, str(place / "hostile" / "make_hostile.py"), str(out)], check=True, capture_output=True
    )
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    return out, {entry["file"]: entry for entry in manifest}


FILES = [
    "zero_byte.db", "not_a_database.db", "truncated.db", "wide_2000.db", "odd_names.db", "data #1 100%.db",
    "bad_text.db",
    "big_integers.db", "mixed_types.db", "nan_inf.db", "without_rowid.db", "rowid_column.db", "foreign_keys_broken.db",
    "hot_wal.db", "index_disagrees.db", "utf16.db", "generated_columns.db", "epoch_units.db", "date_sentinels.db",
    "many_tables.db",
]  # fmt: skip


def test_every_file_of_the_manifest_is_looked_at(hostile):
    assert sorted(hostile[1]) == sorted(FILES)


def _no_literal(word: str) -> None:
    raise AssertionError(f"{word} is not JSON")


@pytest.mark.parametrize("file", FILES)
def test_an_odd_file_behaves_as_its_manifest_says(hostile, file):
    out, manifest = hostile
    entry = manifest[file]
    if file in ("zero_byte.db", "not_a_database.db", "truncated.db"):  # nothing in them can be scanned
        assert entry["expect"] in ("error", "either")
        with pytest.raises(SourceError) as refused:
            looked(out / file)
        assert refused.value.exit_code == 3
        assert refused.value.hint
        assert "\n" not in refused.value.message
        return
    assert entry["expect"] in ("scan", "either")
    run = looked(out / file)
    assert missed(run, entry["planted"]) == []
    for place in entry["clean"]:
        assert said_of(run, place, Severity.LOW) == []
    assert run.complete
    text = run.to_json()
    assert json.loads(text.encode("utf-8").decode("utf-8"), parse_constant=_no_literal)["format"] == 1


def test_undecodable_text_is_found(hostile):
    run = looked(hostile[0] / "bad_text.db")
    finding = next(f for f in run.findings if f.check == "encoding")
    assert finding.count == 2
    assert [s.rowid for s in finding.samples] == [12, 13]


def test_generated_columns_repeat_nothing_of_their_base(hostile):
    run = looked(hostile[0] / "generated_columns.db")
    assert said_of(run, "line.total", Severity.LOW) == said_of(run, "line.label", Severity.LOW) == []


def test_what_an_index_hides_is_counted_in_the_table(hostile):
    run = looked(hostile[0] / "index_disagrees.db")
    assert run.rows["accounts"] == 60
