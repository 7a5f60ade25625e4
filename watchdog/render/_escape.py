"""Strangers' names and values, made harmless. Text goes in, text that the format takes literally comes out.

All start from `visible`: what a terminal would obey, or an eye cannot see, is spelled out. So every result is valid
UTF-8, free of line breaks and free of what XML 1.0 forbids.
"""

from __future__ import annotations

import re

from watchdog.codec import clean

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufdd0-\ufdef\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_MARKS = re.compile(r"[\\`*\[\]~$#!@^{}]|(?<!\w)_|_(?!\w)|:(?=//)|(?<=www)\.", re.IGNORECASE)
_OPENING = re.compile(r"^(\s*)(?:([-+=])|(\d+)([.)]))")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"})


def visible(text: str) -> str:
    """Controls, line breaks, bidirectional and invisible characters as `\\n`, `\\x1b`, `\\u202e`."""
    return _UNSEEN.sub(_spelled, clean(text))


def short(text: str, most: int) -> str:
    """At most `most` characters and a sign that there are more."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def markdown(text: str) -> str:
    """Text inside a paragraph or a cell of a table: no markup, no HTML, no link."""
    plain = _MARKS.sub(r"\\\g<0>", visible(text))
    return _OPENING.sub(r"\1\3\\\2\4", plain).translate(_ENTITIES)


def code(text: str) -> str:
    """Text as Markdown code that also holds inside a table, where a code span cannot hold every character."""
    seen = visible(text)
    plain = seen and seen == seen.strip() and not set(seen) & set("`|\\")
    return f"`{seen}`" if plain else f"<code>{markdown(text)}</code>"


def workflow(text: str) -> str:
    """The message of a GitHub workflow command; a line break of ours stays one."""
    return "%0A".join(visible(line).replace("%", "%25") for line in text.split("\n"))


def workflow_property(text: str) -> str:
    return workflow(visible(text)).replace(":", "%3A").replace(",", "%2C")


def _spelled(unseen: re.Match[str]) -> str:
    character = unseen[0]
    number = ord(character)
    long = f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
    return _SHORT.get(character, long)
