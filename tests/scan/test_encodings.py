"""Text that does not decode is counted exactly, whatever the encoding of the database and the length of the cell."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from watchdog.model import CheckSpec
from watchdog.pipeline import scan

BAD = {
    "UTF-8": [b"caf\xe9", b"\xed\xa0\x80", b"\xc3", b"a" * 5000 + b"\xff", b"\x80"],
    # a lone surrogate before an ordinary letter, one at the end, and one whose bytes would pass as UTF-8
    "UTF-16le": [b"\x00\xd8a\x00", b"a\x00\x00\xdc", b"a\xd8\xa9\x00"],
    "UTF-16be": [b"\xd8\x00\x00a", b"\x00a\xdc\x00", b"\xd8a\x00\xa9"],
}
GOOD = ["", "plain", "café", "東京", "\U0001f600", "x" * 5000, "nul\0inside", "\x7f"]


def blobs_become_text(path: Path, blobs: list[bytes]) -> None:
    """SQL cannot store UTF-16 that is not valid: in the record of each cell the serial type is turned by hand."""
    data = path.read_bytes()
    for raw in blobs:
        record = bytes([3, 0, 12 + 2 * len(raw)]) + raw
        assert data.count(record) == 1
        data = data.replace(record, bytes([3, 0, 13 + 2 * len(raw)]) + raw)
    path.write_bytes(data)


@pytest.mark.parametrize("encoding", sorted(BAD))
def test_every_undecodable_cell_is_counted_and_no_other(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "text.db"
    base = sqlite3.connect(path)
    base.execute(f"PRAGMA encoding = '{encoding}'")
    base.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, x)")
    base.executemany("INSERT INTO t(x) VALUES (?)", [(text,) for text in GOOD])
    base.executemany("INSERT INTO t(x) VALUES (?)", [(7,), (1.5,), (None,), (b"\xff\xfe",)])
    if encoding == "UTF-8":
        base.executemany("INSERT INTO t(x) VALUES (CAST(? AS TEXT))", [(raw,) for raw in BAD[encoding]])
    else:
        base.executemany("INSERT INTO t(x) VALUES (?)", [(raw,) for raw in BAD[encoding]])
    base.commit()
    base.close()
    if encoding != "UTF-8":
        blobs_become_text(path, BAD[encoding])
    run = scan(path, specs=[CheckSpec("encoding", "t", ("x",))], infer=False, samples=20)
    (finding,) = run.findings
    assert finding.count == len(BAD[encoding])
    first = len(GOOD) + 4 + 1
    assert [s.key for s in finding.samples] == [{"id": first + n} for n in range(len(BAD[encoding]))]


def test_halves_of_a_character_in_two_cells_do_not_make_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "halves.db"
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE t(x)")
    base.executemany("INSERT INTO t(x) VALUES (CAST(? AS TEXT))", [(b"\xc3",), (b"\xa9",)])
    base.commit()
    base.close()
    run = scan(path, specs=[CheckSpec("encoding", "t", ("x",))], infer=False)
    assert [f.count for f in run.findings] == [2]
