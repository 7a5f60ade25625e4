"""Values that do not match a regular expression.

Measures   rows whose text does not hold a match of `regex` (Python's `re`, searched: anchor it with ^ and $). `$` is the
           very end: a trailing line break does not pass. Numbers are judged by their text, a BLOB never matches, NULL is
           not evaluated.
Fires      above `at_most` (default 0).
Skips      a table without rows, a column of NULLs alone.
Why        a code of another shape is usually a value of another column.
Example    matches: {regex: "^[0-9]{5}$"}
        -> 10 of 1,500 values of orders.ship_zip do not match ^[0-9]{5}$.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass

from sqlalchemy import ColumnElement

from watchdog.checks._words import shortened
from watchdog.model import Column, Placed, RowCheck
from watchdog.sql import cell, not_, regex_match


@dataclass(frozen=True, kw_only=True)
class Matches(RowCheck):
    dimension = "conformity"
    words = "do not match the pattern"

    regex: str  # searched in the text; anchor it with ^ and $

    def problem(self) -> str:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)  # set operations that `re` may know one day
                re.compile(self.regex)
        except (re.error, OverflowError, RecursionError) as problem:
            return f"option 'regex': not a regular expression: {problem}"
        return ""

    def bad(self, column: Column) -> ColumnElement[bool]:
        return not_(regex_match(cell(column), pattern=self.regex))

    def told(self, at: Placed) -> str:
        return f"do not match {shortened(self.regex)}"
