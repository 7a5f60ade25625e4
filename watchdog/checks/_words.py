"""Options of checks in words for people: what was expected, short enough for one line."""

from __future__ import annotations

LONGEST = 80  # characters of an expression or a pattern in a message


def shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."


def bound(limit: int | float | str) -> str:
    return limit if isinstance(limit, str) else f"{limit:,}"
