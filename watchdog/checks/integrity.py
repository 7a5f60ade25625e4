"""Damage inside the database file: pages, rows and indexes that contradict each other.

Measures   the lines of SQLite's own integrity_check (at most 100): a damaged page, a row that its index lacks, a NULL in a
           NOT NULL column.
Fires      on any line.
Skips      when it does not finish in its time limit.
Why        a query that uses a damaged index gives wrong answers without an error.
Example    integrity
        -> the file contradicts itself in 6 places: row 55 missing from index accounts_code, ...
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from watchdog.model import Check, Judgement, Metric, Numbers, Past, Placed, failed, passed

NAMED = 3


@dataclass(frozen=True, kw_only=True)
class Integrity(Check):
    dimension = "consistency"
    takes = "database"

    def problem(self) -> str:
        share = any(limit.unit == "share" for limit in (self.at_most or {}).values())
        return "at_most: damage has no rows to take a share of; give a number of places" if share else ""

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        return {"lines": Metric("", "integrity")}

    def judge(self, at: Placed, now: Numbers, past: Past) -> Judgement:
        lines = _places(now["lines"])
        if not lines:
            return passed("the database's own integrity check finds nothing", count=0)
        more = f" and {len(lines) - NAMED:,} more" if len(lines) > NAMED else ""
        places = "1 place" if len(lines) == 1 else f"{len(lines):,} places"
        said = f"the file contradicts itself in {places}: {'; '.join(lines[:NAMED])}{more}"
        fired = self.fires(len(lines), 0)
        return (
            failed(said, severity=fired[0], threshold=fired[1], count=len(lines))
            if fired
            else passed(said, count=len(lines))
        )


def _places(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Without the lines that only sum up others: "wrong # of entries in index" beside the rows that it lacks."""
    told = tuple(line for line in lines if not line.startswith("wrong # of entries"))
    return told or lines
