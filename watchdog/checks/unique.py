"""Values that occur more than once in a column that should be unique.

Measures   rows in groups of more than one equal value (`count`), the groups (`groups`) and the rows beyond the first of
           each group (`surplus`). Equal means equal to the database: its collation, 1 = 1.0. NULL is never a duplicate.
Fires      above `at_most` (default 0).
Skips      a table without rows, a column of NULLs alone.
Why        a key that is not one doubles every join.
Example    unique
        -> 4 of 1,000 values of customers.email occur more than once (2 groups).
"""

from __future__ import annotations

from dataclasses import dataclass

from watchdog.checks._duplicates import Duplicates


@dataclass(frozen=True, kw_only=True)
class Unique(Duplicates):
    """No options of its own."""
