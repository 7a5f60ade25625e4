"""A refusal is a value that names its rule: `path.outside`, `command.denied.rm_recursive`, `sql.not_select`."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 120  # characters of a stranger's text that a message repeats


@dataclass(frozen=True)
class Refused:
    rule: str  # the room, then what was against the rules, joined by dots; for programs
    message: str  # one sentence, for the model and for people


# Control characters could rewrite a terminal, the marks that turn the direction of writing could hide what is written,
# and half of a surrogate pair cannot be written at all.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """The text with characters that act instead of being seen written as escapes. Line ends become `\\n`, tabs stay."""
    return _UNSEEN.sub(_spelled, text.replace("\r\n", "\n"))


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def told(text: str) -> str:
    """A stranger's text in quotes, on one line and not too long."""
    short = text if len(text) <= LONGEST else text[:LONGEST] + "…"
    return "'" + visible(short).replace("\n", "\\n").replace("\t", "\\t") + "'"
