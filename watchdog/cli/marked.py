"""A line of a text with a part of it marked below, as compilers show where something is wrong. Pure.

In: the line, the part by its columns, the width there is. Out: the line as it is shown and the carets, both as wide on a
terminal as they claim: Chinese characters take two columns, combining marks none. What a terminal would obey or an eye
cannot see is spelled out. Of a long line the surroundings of the part are shown.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from watchdog.codec import clean

LEAST = 20  # columns of a line that are shown however narrow the terminal is
CUT = "…"


class Marked(NamedTuple):
    text: str
    carets: str  # spaces, then at least one caret


def marked(line: str, start: int, end: int, width: int) -> Marked:
    """`start` and `end` are characters of `line`; what lies outside it is taken for its nearest end."""
    shown = [_shown(character) for character in line]
    start = min(max(start, 0), len(shown))
    end = min(max(end, start), len(shown))
    first, last = _window(shown, start, end, max(width, LEAST))
    head = CUT if first else ""
    before, inside = head + "".join(shown[first:start]), "".join(shown[start : min(end, last)])
    text = before + inside + "".join(shown[max(start, min(end, last)) : last]) + (CUT if last < len(shown) else "")
    return Marked(text.rstrip(), " " * columns(before) + "^" * max(1, columns(inside)))


def columns(text: str) -> int:
    """How many columns a terminal takes for it."""
    return sum(_columns(character) for character in text)


def printable(text: str) -> str:
    """The text on one line, with nothing in it that a terminal obeys."""
    return "".join(_shown(character) for character in text)


def _columns(character: str) -> int:
    if " " <= character <= "~":
        return 1
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _shown(character: str) -> str:
    if character == "\t":
        return "    "
    if character.isprintable() or character == "\u3000":
        return character
    if character >= "\u00a0" and unicodedata.category(character) == "Zs":
        return " "  # the spaces inside 1 234
    number = ord(character)
    return (
        clean(character) if 0xD800 <= number < 0xE000 else f"\\u{number:04x}" if number > 0xFF else f"\\x{number:02x}"
    )


def _window(shown: list[str], start: int, end: int, width: int) -> tuple[int, int]:
    """The characters to show: all when they fit, else the part in the middle of what fits."""
    sizes = [columns(one) for one in shown]
    if sum(sizes) <= width:
        return 0, len(shown)
    room = width - 2 * len(CUT)
    first = last = start
    while last < end and room >= sizes[last]:
        room -= sizes[last]
        last += 1
    grew = True
    while grew:
        grew = False
        if first > 0 and room >= sizes[first - 1]:
            first, room, grew = first - 1, room - sizes[first - 1], True
        if last < len(shown) and last >= end and room >= sizes[last]:
            last, room, grew = last + 1, room - sizes[last], True
    return first, last
