"""Values of another storage class than the column was declared for.

Measures   rows whose storage class does not fit the declared kind (or `kind`): integer takes whole numbers, decimal any
           number, text only text, boolean 0 and 1, blob only BLOBs, date and timestamp anything but BLOBs. NULL is not
           evaluated. SQLite enforces this in STRICT tables only.
Fires      above `at_most` (default 0).
Skips      a table without rows, a column of NULLs alone; a column whose declared type promises nothing.
Why        '1,204' in an INTEGER column counts as 1 in every sum, and no comparison or join finds '12' where 12 is meant.
Example    type
        -> 4 of 80 values of readings.value are not integer as declared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa
from sqlalchemy import ColumnElement

from watchdog.model import Catalog, Column, Kind, Placed, RowCheck, Severity
from watchdog.sql import among, cell, is_number, not_, storage_class

CLASSES: dict[str, list[str]] = {
    "integer": ["integer"], "decimal": ["integer", "real"], "text": ["text"], "blob": ["blob"], "boolean": ["integer"],
    "date": ["text", "integer", "real"], "timestamp": ["text", "integer", "real"],
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Type(RowCheck):
    dimension = "conformity"
    words = "are of another type"
    default_severity = Severity.MEDIUM

    kind: Literal["integer", "decimal", "text", "boolean", "date", "timestamp", "blob"] | None = None  # if not the declared one

    def _kind(self, column: Column) -> Kind:
        return self.kind or column.kind

    def skip(self, at: Placed, catalog: Catalog) -> str:
        if self._kind(at.columns[0]) in CLASSES:
            return ""
        native = at.columns[0].native
        return (
            f"{at.place}: its declared type {native!r} promises nothing" if native else f"{at.place} declares no type"
        )

    def bad(self, column: Column) -> ColumnElement[bool]:
        c, kind = cell(column), self._kind(column)
        if kind == "decimal":
            return not_(is_number(c))
        wrong = not_(among(storage_class(c), [*CLASSES[kind], "null"]))
        if kind == "boolean":
            return sa.or_(wrong, sa.and_(among(storage_class(c), ["integer"]), not_(among(c, [0, 1]))))
        return wrong

    def told(self, at: Placed) -> str:
        return f"are not {self.kind or f'{at.columns[0].kind} as declared'}"
