"""SQLite's own check of its file, as much of it as can be had.

In: how to ask one statement on a connection without functions of ours. Out: a Damage, or the reason why there is none.
One index that calls a function or collation of its own program ends the check of the whole file, and so may a damaged page.
Then each table is checked alone, what is named before an error is kept, and what was not looked at is said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from watchdog.model import Damage
from watchdog.scan.failure import Failure
from watchdog.sql import literal

MOST_LINES = 10_000  # where SQLite stops for this, the count is "at least"
MOST_OF_A_TABLE = 100  # SQLite's own number, where a table is named: another one cannot be given
NAMED = 3  # tables not looked at that are told by name
LONGEST = 100  # characters of such a name
WHOLE = f"PRAGMA integrity_check({MOST_LINES})"
NO_PAGES = "pages never used were not looked for"
Ask = Callable[[str], Sequence[Sequence[Any]] | Failure]
_A_NUMBER = re.compile(r"[+-]?\d")  # SQLite reads the name of such a table as a number of lines


@dataclass(frozen=True)
class _Said:
    """What one statement told: its lines, and why there are no more of them."""

    lines: tuple[str, ...]
    failure: Failure | None
    full: bool = False  # it told as much as it may


def look(raw: Any, ask: Ask) -> Damage | Failure:
    """`ask` asks on the connection `raw`. A Failure when nothing is known to be damaged and not all was looked at."""
    whole = _said(raw, ask, WHOLE, MOST_LINES)
    if whole.failure is None:
        return Damage(whole.lines[:MOST_LINES], not whole.full)
    if whole.failure.stopped:
        return whole.failure
    failures: dict[str, Failure] = {}  # table -> why it could not be looked at
    parts: list[_Said] = []
    names = () if whole.failure.late else _tables(ask)
    for name in names:
        part = _table(raw, ask, name)
        if part.failure is not None:
            if part.failure.stopped:
                return part.failure
            failures[name] = part.failure
        parts.append(part)
    if len(failures) == len(names):
        unseen: tuple[str, ...] = (whole.failure.message,)
    else:
        unseen = tuple(_reasons(failures))
        if isinstance(ask(f"EXPLAIN {WHOLE}"), Failure):  # else the pages were looked at, before the rows
            unseen += (NO_PAGES,)
    # a line names its table or index, so the same line twice is told once by each of two looks, or twice by one
    told = Counter(whole.lines)
    for part in parts:
        told |= Counter(part.lines)
    lines = tuple(told.elements())
    if lines:
        return Damage(lines[:MOST_LINES], False, unseen)
    return Failure("; ".join(unseen), whole.failure.fatal or any(f.fatal for f in failures.values()))


def _tables(ask: Ask) -> tuple[str, ...]:
    found = ask("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name")
    return () if isinstance(found, Failure) else ("sqlite_master", *(name for (name,) in found))


def _table(raw: Any, ask: Ask, name: str) -> _Said:
    if _A_NUMBER.match(name):
        return _Said((), Failure("its name begins like a number, so that SQLite does not check it alone", False))
    try:
        name.encode()
    except UnicodeEncodeError:
        return _Said((), Failure("its name is no valid text", False))
    return _said(raw, ask, f"PRAGMA main.integrity_check({literal(name)})", MOST_OF_A_TABLE)


def _reasons(failures: dict[str, Failure]) -> Iterator[str]:
    """Tables that could not be looked at, those with the same reason together."""
    for reason in dict.fromkeys(f.message for f in failures.values()):
        names = [name[:LONGEST] for name, f in failures.items() if f.message == reason]
        more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
        yield f"table{'s' if len(names) > 1 else ''} {', '.join(names[:NAMED])}{more}: {reason}"


def _said(raw: Any, ask: Ask, statement: str, most: int) -> _Said:
    with _kept(raw) as rows:
        found = ask(statement)
    lines = tuple(line for row in rows for line in told_by(row))
    return _Said(lines, found if isinstance(found, Failure) else None, len(lines) >= most)


@contextmanager
def _kept(raw: Any) -> Iterator[list[str]]:
    """Every text that the connection reads meanwhile: sqlite3 itself throws the last row before an error away."""
    decode, rows = raw.text_factory, list[str]()

    def keep(text: bytes) -> str:
        rows.append(decode(text))
        return rows[-1]

    raw.text_factory = keep
    try:
        yield rows
    finally:
        raw.text_factory = decode


def told_by(row: str) -> list[str]:
    """What one row of integrity_check tells: all that is wrong with the pages stands in one, under a heading. Other rows tell
    one thing each, and a line break in them belongs to a name."""
    if not row.startswith("*** in database "):
        return [] if row == "ok" else [row]
    return [line.strip() for line in row.splitlines()[1:] if line.strip()]
