"""Text that stands for "nothing": blanks, and words such as N/A, null or a lone dash.

Measures   rows whose text is empty or white space (`blanks`), or is one of the null-words once case and white space at
           its ends are put aside (`null_words`). NULL itself is the check `not_null` and is not evaluated here.
Fires      above `at_most` (default 0).
Skips      a table without rows, a column of NULLs alone. Numbers and BLOBs are never missing.
Why        a filled cell that says nothing passes every check for NULL, and counts as a value in every report.
Example    missing: {at_most: 2%}
        -> 7 of 150 values of contacts.phone are blank or a word for nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import ColumnElement

from watchdog.model import Column, Placed, RowCheck, Severity
from watchdog.sql import cell, is_blank, is_word

WORDS = (
    "#n/a", "(null)", "-", "--", "---", "<na>", "<null>", "?", "??", "???", "[null]", "\\n", "missing", "n.a.", "n/a", "n.d.",
    "na", "nan", "nil", "no data", "none", "not available", "null", "tbd", "undefined", "unknown",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Missing(RowCheck):
    dimension = "completeness"
    words = "are blank or a word for nothing"
    default_severity = Severity.MEDIUM

    null_words: list[str] | None = None  # instead of the built-in ones; case and white space do not count
    blanks: bool = True  # whether empty text and white space count

    def problem(self) -> str:
        return "" if self.blanks or self._words() else "neither blanks nor null_words are looked for"

    def _words(self) -> tuple[str, ...]:
        """In small letters as SQLite knows them, those of ASCII alone."""
        if self.null_words is None:
            return WORDS
        small = (re.sub("[A-Z]+", lambda m: m[0].lower(), word.strip()) for word in self.null_words)
        return tuple(sorted({*small} - {""}))

    def told(self, at: Placed) -> str:
        parts = [*(["blank"] if self.blanks else []), *(["a word for nothing"] if self._words() else [])]
        return f"are {' or '.join(parts)}"

    def bad(self, column: Column) -> ColumnElement[bool]:
        c, known = cell(column), self._words()
        parts = [*([is_blank(c)] if self.blanks else []), *([is_word(c, words=known)] if known else [])]
        return sa.or_(*parts)
