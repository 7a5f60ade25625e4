"""Damage inside the database file: pages, rows and indexes that contradict each other.

Measures   the places that SQLite's own integrity_check names (at most 10,000): a damaged page, a row that its index lacks, a
           NULL in a NOT NULL column. The JSON output has their number by kind (`kinds`) and the first three (`places`);
           `at_least` says that `count` and every number in `kinds` are minima: SQLite stopped, or not all was looked at. Where
           one table needs a function or collation of its own program, the others are checked one by one.
Fires      on any place.
Skips      when it does not finish in its time limit.
Why        a query that uses a damaged index gives wrong answers without an error.
Example    integrity
        -> the file contradicts itself in 6 places: 4 rows missing from an index, 2 pages never used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from watchdog.model import Check, Judgement, Metric, Numbers, Past, Placed, failed, one_or_more, passed

SHOWN = 3
LONGEST = 300  # characters of a place: it may hold names from the file, which may be of any length
OTHERS = "other contradictions"
ONE = {  # the kinds, and what is said of a single one
    "pages never used": "page never used",
    "rows missing from an index": "row missing from an index",
    "wrong numbers of entries in an index": "wrong number of entries in an index",
    "duplicates in a unique index": "duplicate in a unique index",
    "damaged entries of an index": "damaged entry of an index",
    "rows out of order": "row out of order",
    "NULLs in a NOT NULL column": "NULL in a NOT NULL column",
    "rows against a CHECK constraint": "row against a CHECK constraint",
    "values of another type than their column takes": "value of another type than its column takes",
    "faults of the list of free pages": "fault of the list of free pages",
    "faults of the pointer map": "fault of the pointer map",
    "references to a wrong page": "reference to a wrong page",
    "pages that cannot be read": "page that cannot be read",
    "damaged pages": "damaged page",
    "other contradictions": "other contradiction",
}
# What SQLite says, in its older and newer words. Names from the file stand behind what is looked at.
_KNOWN = tuple(
    (re.compile(pattern), kind)
    for pattern, kind in (
        (r"Page \d+(?: is|:) never used", "pages never used"),
        (r"row \d+ missing from index ", "rows missing from an index"),
        (r"wrong # of entries in index ", "wrong numbers of entries in an index"),
        (r"non-unique entry in index ", "duplicates in a unique index"),
        (r"rowid not at end-of-record for row ", "damaged entries of an index"),
        (r"row not in PRIMARY KEY order for |.{0,80}?Rowid -?\d+ out of order", "rows out of order"),
        (r"NULL value in ", "NULLs in a NOT NULL column"),
        (r"CHECK constraint failed in ", "rows against a CHECK constraint"),
        (r"(?:NUMERIC|TEXT|non-[A-Z]+) value in ", "values of another type than their column takes"),
        (r"(?i)(?:main )?freelist|free-page", "faults of the list of free pages"),
        (r"(?i).{0,80}?(?:pointer map|ptr ?map)", "faults of the pointer map"),
        (r".{0,80}?(?:2nd reference to page|invalid page number) \d+", "references to a wrong page"),
        (r".{0,80}?(?:failed to get page|unable to get the page|btreeInitPage\(\) returns)", "pages that cannot be read"),
        (r"(?:On tree page|Tree|Page) \d+|Multiple uses for byte |Fragmentation of ", "damaged pages"),
    )
)


@dataclass(frozen=True, kw_only=True)
class Integrity(Check):
    dimension = "consistency"
    takes = "database"

    def problem(self) -> str:
        share = any(limit.unit == "share" for limit in (self.at_most or {}).values())
        return "at_most: damage has no rows to take a share of; give a number of places" if share else ""

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        return {"damage": Metric("", "integrity")}

    def judge(self, at: Placed, now: Numbers, past: Past) -> Judgement:
        lines = _places(now["damage"].lines)
        if not lines:
            return passed("the database's own integrity check finds nothing", count=0)
        count = len(lines)
        kinds = dict(sorted(Counter(map(kind, lines)).items(), key=lambda pair: (-pair[1], pair[0])))
        least, unseen = "" if now["damage"].complete else "at least ", now["damage"].unseen
        told = ", ".join(f"{least}{number:,} {words if number > 1 else ONE[words]}" for words, number in kinds.items())
        aside = f"; could not look everywhere: {'; '.join(unseen)}" if unseen else ""
        said = f"the file contradicts itself in {least}{count:,} {one_or_more('places', count)}: {told}{aside}"
        blind = {"could_not_look": True} if unseen else {}
        fired = self.fires(count, 0)
        if fired is None:
            return passed(said, count=count, extra=blind)
        shown = [line[:LONGEST] for line in lines[:SHOWN]]
        extra = {"kinds": kinds, "places": shown, **({"at_least": True} if least else {}), **blind}
        return failed(said, severity=fired[0], threshold=fired[1], count=count, extra=extra)


def kind(line: str) -> str:
    """What a place is, in the plural."""
    return next((words for known, words in _KNOWN if known.match(line)), OTHERS)


_SUM = "wrong # of entries in index "
_MISSING = re.compile(r"row \d+ missing from index (.*)", re.DOTALL)


def _places(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Without the lines that only sum up others: "wrong # of entries in index" beside the rows that this index lacks."""
    told = {found[1] for line in lines if (found := _MISSING.fullmatch(line))}
    return tuple(line for line in lines if not line.startswith(_SUM) or line.removeprefix(_SUM) not in told)
