"""References to rows that do not exist.

Measures   rows whose value has no row in the parent table: of one column (`to`, `field`) or of several (`columns`, `to`,
           `fields`; by default the parent's primary key). Affinity and collation are the parent's, and a row with a NULL
           in the reference is not evaluated: both as SQLite's own foreign keys do it.
Fires      above `at_most` (default 0). When all of at least 10 values are orphans, it says that the declaration itself is
           probably wrong.
Skips      a table without rows, a column of NULLs alone.
Why        SQLite does not enforce foreign keys unless each connection asks for it, so orphans are common.
Example    relationships: {to: customers, field: id}
        -> 3 of 1,500 values of orders.customer_id have no row in customers.id.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement

from watchdog.errors import nearest
from watchdog.model import Catalog, CheckSpec, Judgement, Metric, Numbers, Past, Placed, Reference, RowCheck, Table
from watchdog.sql import is_orphan, nulls, orphans, rows

ENOUGH = 10  # values: of fewer, all may be orphans by chance


@dataclass(frozen=True, kw_only=True)
class Relationships(RowCheck):
    dimension = "consistency"
    words = "have no row in the parent table"

    to: str  # the parent table
    field: str | None = None  # its column; default: its primary key
    columns: list[str] | None = None  # for a composite reference, with `fields`
    fields: list[str] | None = None  # the parent's columns, in the order of `columns`; default: its primary key

    def problem(self) -> str:
        if self.field and self.fields:
            return "give `field` or `fields`, not both"
        if self.columns and self.fields and len(self.columns) != len(self.fields):
            return f"{len(self.columns)} columns point to {len(self.fields)} fields"
        return ""

    def placed_columns(self, spec: CheckSpec, table: Table | None) -> tuple[str, ...]:
        return tuple(self.columns or spec.columns)

    def defining(self) -> Mapping[str, Any]:
        return {k: v for k, v in RowCheck.defining(self).items() if k != "columns"}

    def _parent(self, catalog: Catalog) -> tuple[Table | None, tuple[str, ...]]:
        parent = catalog.table(self.to)
        names = tuple(self.fields or ([self.field] if self.field else parent.primary_key if parent else ()))
        return parent, names

    def blind(self, at: Placed, catalog: Catalog) -> str:
        parent = self._parent(catalog)[0]
        if parent is not None and (parent.kind in ("virtual", "shadow") or not parent.columns):
            return f"the parent table {self.to!r} cannot be read: {parent.note}"
        return ""

    def skip(self, at: Placed, catalog: Catalog) -> str:
        parent, names = self._parent(catalog)
        if parent is None:
            return f"there is no parent table {self.to!r}; {nearest(self.to, (t.full_name for t in catalog.tables))}"
        known = [c.name for c in parent.columns]
        missing = [n for n in names if n not in known]
        if missing:
            return f"the parent table {self.to!r} has no column {missing[0]!r}; {nearest(missing[0], known)}"
        if not at.columns or len(names) != len(at.columns):
            return (
                f"{len(at.columns)} columns of {at.place} point to {len(names)} of {self.to!r}: name them with `field`"
            )
        return ""

    def _orphan(self, at: Placed) -> tuple[Table, Reference]:
        parent, names = self._parent(at.catalog)
        assert parent is not None
        keys = {frozenset(parent.primary_key), *(frozenset(k.columns) for k in parent.unique_keys)}
        keyed = frozenset(names) in keys or (len(names) == 1 and names[0] in parent.indexes)
        return parent, Reference(tuple(c.name for c in at.columns), parent.full_name, names, keyed)

    def predicate(self, at: Placed) -> ColumnElement[bool]:
        assert at.table is not None
        parent, reference = self._orphan(at)
        return is_orphan(at.table, reference, parent)

    def told(self, at: Placed) -> str:
        parent, reference = self._orphan(at)
        return f"have no row in {parent.full_name}.{'+'.join(reference.parent_columns)}"

    def judge(self, at: Placed, now: Numbers, past: Past) -> Judgement:
        said = RowCheck.judge(self, at, now, past)
        values = int(now["rows"]) - int(now["nulls"])
        if said.status != "failed" or values < ENOUGH or said.count != values:
            return said
        wrong = "the declared foreign key" if at.spec.origin == "inferred" else "this rule"
        where = "" if not at.where else " under `where`"
        hint = f"not one value{where} has a row there, so {wrong} itself is probably wrong: another table or column is meant"
        return replace(said, message=f"{said.message}; {hint}")

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        assert at.table is not None
        parent, reference = self._orphan(at)
        return {
            "rows": rows(at.table, at.where),
            "nulls": nulls(*at.columns, where=at.where),
            "bad": orphans(at.table, reference, parent, at.where),
        }
