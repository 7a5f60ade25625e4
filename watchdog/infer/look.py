"""What a rule looks at: one column, its table, and the values that its profile counted, sorted by what they are."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from watchdog.model import CheckSpec, Column, ColumnProfile, Severity, Table

CUT = 256  # a text of this length may go on in the file

_TOKEN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


@dataclass(frozen=True)
class Look:
    table: Table
    column: Column
    profile: ColumnProfile

    @property
    def counts(self) -> Mapping[Any, int]:
        return self.profile.counts

    @functools.cached_property
    def words(self) -> frozenset[str]:
        """The words of the column's name, in small letters: `createdAt` and `CREATED_AT` are created, at."""
        return _words(self.column.name)

    @functools.cached_property
    def table_words(self) -> frozenset[str]:
        return _words(self.table.name)

    @functools.cached_property
    def rows(self) -> int:
        return sum(self.counts.values())

    @property
    def nulls(self) -> int:
        return self.counts.get(None, 0)

    @functools.cached_property
    def texts(self) -> dict[str, int]:
        """Text that is more than white space."""
        return {v: n for v, n in self.counts.items() if isinstance(v, str) and v.strip()}

    @functools.cached_property
    def blanks(self) -> int:
        return sum(n for v, n in self.counts.items() if isinstance(v, str) and not v.strip())

    @functools.cached_property
    def numbers(self) -> dict[float, int]:
        return {v: n for v, n in self.counts.items() if isinstance(v, int | float)}

    @functools.cached_property
    def blobs(self) -> int:
        return sum(n for v, n in self.counts.items() if isinstance(v, bytes))

    def texts_like(self, holds: Callable[[str], object]) -> int:
        """Rows whose text satisfies `holds`."""
        return sum(n for v, n in self.texts.items() if holds(v))

    def spec(self, check: str, severity: Severity, evidence: str, **options: Any) -> CheckSpec:
        """A wish for a check on this column."""
        return CheckSpec(
            check, self.table.full_name, (self.column.name,), {"severity": severity.label, **options},
            origin="inferred", evidence=evidence,
        )  # fmt: skip

    def saw(self, count: int, what: str) -> str:
        """Evidence in words: `60 of 62 values seen are ISO dates`."""
        seen = self.rows - self.nulls
        return f"{count:,} of {seen:,} values seen {what}"


def _words(name: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _TOKEN.findall(name))


def total(counts: Mapping[Any, int]) -> int:
    return sum(counts.values())
