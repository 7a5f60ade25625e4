"""Two roads to one count: the fused scan, and plain SQL written by hand, over random schemas, odd names and odd values."""

from __future__ import annotations

import json
import math
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from watchdog.model import CheckSpec
from watchdog.pipeline import scan

NAMES = st.sampled_from(
    [
        "id",
        "group",
        "a b",
        'dou"ble',
        "O'Brien",
        "semi;--",
        "naïve",
        "雪☃",
        " lead",
        "trail ",
        "a.b",
        "%s {0}",
        ":now",
        "?",
        "[x]",
        "`t`",
    ]
)
TYPES = st.sampled_from(
    ["INTEGER", "TEXT", "REAL", "NUMERIC", "BLOB", "", "STRING", "FLOATING POINT", "BOOLEAN", "TEXT COLLATE NOCASE"]
)
TEXTS = st.one_of(
    st.sampled_from(
        [
            "",
            " ",
            "\t",
            "a",
            "A",
            "a ",
            "1",
            "1.0",
            "01",
            "n/a",
            "nan",
            "é",
            "x\0y",
            "\0",
            "2026-02-30",
            "abc",
            "{}",
            "a@b.co",
        ]
    ),
    st.text(max_size=6),
)
VALUES = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(-3, 3),
    st.sampled_from([2**53, 2**53 + 1, 0.0, -0.0, 1.0, 0.1, math.inf, -math.inf, 1e300]),
    TEXTS,
    st.binary(max_size=3),
    st.sampled_from([b"bad:\xff", b"bad:\xed\xa0\x80", b"bad:caf\xe9"]),  # stored as TEXT: see `put`
)


def q(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@st.composite
def tables(draw: Any) -> dict[str, Any]:
    columns = draw(st.lists(NAMES, min_size=1, max_size=4, unique_by=str.lower))
    types = [draw(TYPES) for _ in columns]
    rows = draw(st.lists(st.tuples(*(VALUES for _ in columns)), max_size=30))
    gap = draw(st.sampled_from([1, 1, 700, 10**6, 10**15]))  # wide gaps cut the table into many slices
    return {"name": draw(NAMES), "columns": columns, "types": types, "rows": rows, "gap": gap}


def build(path: Path, made: dict[str, Any]) -> sqlite3.Connection:
    db = sqlite3.connect(path)
    db.text_factory = bytes
    declared = ", ".join(f"{q(c)} {t}" for c, t in zip(made["columns"], made["types"], strict=True))
    db.execute(f"CREATE TABLE {q(made['name'])} ({declared})")
    free = next(a for a in ("rowid", "_rowid_", "oid") if a not in {c.lower() for c in made["columns"]})
    for number, row in enumerate(made["rows"]):
        slots, given_values = [], []
        for value in row:
            text = isinstance(value, bytes) and value.startswith(b"bad:")
            slots.append("CAST(? AS TEXT)" if text else "?")
            given_values.append(value[4:] if text else value)
        names = ", ".join([free, *(q(c) for c in made["columns"])])
        db.execute(
            f"INSERT INTO {q(made['name'])} ({names}) VALUES (?, {', '.join(slots)})",
            [1 + number * made["gap"], *given_values],
        )
    db.commit()
    return db


def oracle(db: sqlite3.Connection, table: str, column: str) -> dict[str, int]:
    t, c = q(table), q(column)

    def one(sql: str) -> int:
        return int(db.execute(sql).fetchone()[0] or 0)

    texts = [v for (v,) in db.execute(f"SELECT {c} FROM {t} NOT INDEXED WHERE typeof({c}) = 'text'")]
    undecodable = 0
    for value in texts:
        try:
            value.decode("utf-8")
        except UnicodeDecodeError:
            undecodable += 1
    return {
        "not_null": one(f"SELECT count(*) FROM {t} WHERE {c} IS NULL"),
        "unique": one(
            f"SELECT sum(n) FROM (SELECT count(*) n FROM {t} WHERE {c} IS NOT NULL GROUP BY {c} HAVING n > 1)"
        ),
        "accepted_range": one(
            f"SELECT count(*) FROM {t} WHERE {c} IS NOT NULL AND (typeof({c}) IN ('text', 'blob') OR {c} < -1 OR {c} > 2)"
        ),
        "accepted_values": one(
            f"SELECT count(*) FROM {t} WHERE {c} IS NOT NULL AND NOT ({c} = 'a' OR {c} = '1' OR {c} = 'é')"
        ),
        "encoding": undecodable,
    }


SPECS: dict[str, dict[str, Any]] = {
    "not_null": {},
    "unique": {},
    "accepted_range": {"min": -1, "max": 2},
    "accepted_values": {"values": ["a", "1", "é"]},
    "encoding": {},
}


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables())
def test_fused_counts_equal_plain_sql_written_by_hand(made: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "odd name #1 100%.db"
        build(path, made).close()  # a file that this process has open would be scanned in a child process
        specs = [
            CheckSpec(check, made["name"], (c,), options) for c in made["columns"] for check, options in SPECS.items()
        ]
        one = scan(path, specs=specs, infer=False, jobs=1)
        four = scan(path, specs=specs, infer=False, jobs=4)
        assert {**json.loads(one.to_json()), "run": 0} == {**json.loads(four.to_json()), "run": 0}
        db = sqlite3.connect(path)
        db.text_factory = bytes
        assert one.rows == {made["name"]: len(made["rows"])}
        for column in made["columns"]:
            truth = oracle(db, made["name"], column)
            found = {r.check: r.judgement.count for r in one.results if r.columns == (column,)}
            assert found == truth, column
        for finding in one.findings:  # the SQL that a finding shows lists exactly the rows it counts
            assert "valid_utf8" in finding.sql or len(db.execute(finding.sql).fetchall()) == finding.count
        db.close()
        assert sorted(p.name for p in Path(folder).iterdir()) == [path.name]
