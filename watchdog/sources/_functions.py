"""The SQL functions of every connection: `regexp(pattern, cell)`, or `cell REGEXP pattern`, `valid_utf8(blob)`,
`watchdog_unreadable(name)`, which ends the statement, and `watchdog_at(name, value, ...)` of `patterns`.

A cell given as BLOB is text in the database's own encoding: write `CAST(cell AS BLOB)`. Given so, no byte makes these
functions raise. (Text given as TEXT is decoded by Python before it gets here, and invalid UTF-8 stops the statement.)
NULL gives NULL. A pattern that is no regular expression is the caller's mistake and raises.
"""

from __future__ import annotations

import functools
import re
import sqlite3
from collections.abc import Callable

from watchdog.sources.patterns import PATTERNS, Patterns, Refused

Cell = bytes | str | int | float | None

_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\$", re.DOTALL)  # an escape, a class, or the anchor
_MULTILINE = re.compile(r"\(\?[aiLsux]*m")


def register(raw: sqlite3.Connection, encoding: str) -> Patterns:
    """The patterns that the connection evaluates."""
    patterns = Patterns(compiled)
    raw.create_function("regexp", 2, _regexp(encoding, patterns), deterministic=True)
    raw.create_function("valid_utf8", 1, functools.partial(_valid, encoding), deterministic=True)
    raw.create_function("watchdog_at", -1, patterns.at)
    raw.create_function("watchdog_unreadable", 1, functools.partial(_unreadable, patterns))
    return patterns


@functools.lru_cache(maxsize=PATTERNS)
def compiled(pattern: str) -> re.Pattern[str]:
    r"""The pattern with `$` meaning the very end: Python's own also matches before a last newline, so that an address
    with a line break after it would pass. Kept as written under (?m), where `$` is the end of a line."""
    if not _MULTILINE.search(_TOKEN.sub("", pattern)):
        pattern = _TOKEN.sub(lambda token: r"\Z" if token[0] == "$" else token[0], pattern)
    return re.compile(pattern)


def _regexp(encoding: str, patterns: Patterns) -> Callable[[Cell, Cell], bool | None]:
    """The function for one connection. Called once a row: each pattern is looked up in a plain dictionary, and the usual
    cell, bytes that decode, goes straight to its search."""
    searches, memory = patterns.searches, patterns.memory

    def regexp(pattern: Cell, cell: Cell) -> bool | None:
        if pattern is None or cell is None:
            return None
        if type(pattern) is not str:
            pattern = _decode(pattern, encoding) if isinstance(pattern, bytes) else str(pattern)
        known = searches.get(pattern)
        memory[0], search = known if known is not None else patterns.ready(pattern)
        try:
            return search(cell.decode(encoding) if type(cell) is bytes else str(cell)) is not None
        except UnicodeDecodeError:
            return search(_decode(cell, encoding)) is not None  # type: ignore[arg-type]

    return regexp


def _valid(encoding: str, cell: Cell) -> int | None:
    if cell is None:
        return None
    if not isinstance(cell, bytes):  # Python decoded it already, or it is a number
        return 1
    try:
        cell.decode(encoding)
    except UnicodeDecodeError:
        return 0
    return 1


def _unreadable(patterns: Patterns, name: str) -> None:
    """Called where a value beside `:now` is no time: whether its row is good or bad, nobody can say."""
    patterns.refused = (
        f"a value of {name} cannot be read as a time beside `:now` (read are ISO text, Julian days, and seconds, milliseconds"
        " or microseconds since 1970 as numbers): leave such rows out, or turn them into ISO text"
    )
    raise Refused


def _decode(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding, "surrogateescape")
    except UnicodeDecodeError:  # UTF-16 that cannot keep its bad halves as surrogates
        return data.decode(encoding, "replace")
