"""What the text of a query says before SQLite sees it: its words, whether it writes, and how large it becomes.

This names refusals and guards the time that SQLite takes to prepare; what a query may do is decided in `sql.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_WRITING = frozenset(("insert", "update", "delete", "replace"))
_TOKEN = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|/\*.*?(?:\*/|\Z)|[^\W\d][\w$]*|[\d.]\w*|\s+|.""",
    re.S,
)


def tokens(sql: str) -> Iterator[str]:
    """Words in lower case and without quotes, and single characters; no white space and no comments."""
    for match in _TOKEN.finditer(sql):
        piece = match[0]
        if not piece.isspace() and not piece.startswith(("--", "/*")):
            yield plain(piece)


def plain(word: str) -> str:
    """A name as SQLite compares it: only the case of ASCII letters is put aside."""
    if len(word) > 1 and word[0] in "'\"`[":
        quote = word[-1]
        word = word[1:-1].replace(quote * 2, quote)
    return "".join(c.lower() if c.isascii() else c for c in word)


def writes(sql: str) -> str:
    """The first word that stands bare in the text and begins a write; `replace(` is a function."""
    pieces = [m[0].lower() for m in _TOKEN.finditer(sql) if not m[0].isspace() and not m[0].startswith(("--", "/*"))]
    for word, following in zip(pieces, [*pieces, ""][1:], strict=True):
        if word in _WRITING and not (word == "replace" and following == "("):
            return word
    return ""


def expansions(words: list[str], views: Mapping[str, float]) -> float:
    """How often, at most, SQLite writes out a part of the query: WITH parts and views that use each other multiply."""
    total = 1.0 + sum(views.get(word, 0.0) for word in words)
    defined: dict[str, int] = {}
    for at, word in enumerate(words):
        if word == "as":
            after = [w for w in words[at + 1 : at + 4] if w not in ("not", "materialized")]
            if after[:1] == ["("] and (name := _defined_before(words, at)):
                defined[name] = defined.get(name, 0) + 1
    for name, times in defined.items():
        uses = sum(1 for at, word in enumerate(words) if word == name and words[at + 1 : at + 2] != ["."])
        total = min(total * max(1.0, (uses - times) / times) ** min(times, 1_000), 1e9)
    return total


class Views(dict[str, float]):
    """How often each view of a schema is written out, counted when it is asked for. A view that uses itself is SQLite's to
    refuse."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        super().__init__()
        self._texts = texts

    def get(self, name: str, default: Any = 0.0) -> float:
        if name not in self and name in self._texts:
            self[name] = 1.0
            self[name] = expansions(list(tokens(self._texts[name])), self)
        found: float = super().get(name, default)
        return found


def _defined_before(words: list[str], at: int) -> str:
    """The name that `AS (` at this place defines, a list of columns between them left out."""
    at -= 1
    if at >= 0 and words[at] == ")":
        while at >= 0 and words[at] != "(":
            at -= 1
        at -= 1
    return words[at] if at >= 0 else ""
