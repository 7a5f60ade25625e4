"""What the schema itself promises: keys, filled columns, foreign keys. Breaking it is proven, so these are high."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from watchdog.model import Catalog, CheckSpec, ForeignKey, Severity, Table

HIGH = Severity.HIGH.label


def _spec(check: str, table: Table, place: Sequence[str], evidence: str, **options: Any) -> CheckSpec:
    told = {"severity": HIGH, **options}
    return CheckSpec(check, table.full_name, tuple(place), told, origin="inferred", evidence=evidence)


def integrity(catalog: Catalog) -> Iterable[CheckSpec]:
    """The file agrees with itself, as far as the engine can tell."""
    evidence = "every database file should be sound"
    yield CheckSpec("integrity", options={"severity": HIGH}, origin="inferred", evidence=evidence)


def unique_keys(table: Table) -> Iterable[CheckSpec]:
    """Declared primary and unique keys hold no value twice, whatever their index says.

    A key that is the row id, or contains it, cannot; two keys over the same columns are one promise.
    """
    rowid = frozenset(table.primary_key) if table.rowid_is_key else frozenset(("",))
    told = {rowid}
    unique = [(key.columns, "declared UNIQUE") for key in table.unique_keys]
    for columns, evidence in [(table.primary_key, "declared PRIMARY KEY"), *unique]:
        if columns and frozenset(columns) not in told and not rowid <= frozenset(columns):
            told.add(frozenset(columns))
            yield _unique(table, columns, evidence)


def _unique(table: Table, columns: Sequence[str], evidence: str) -> CheckSpec:
    if len(columns) == 1:
        return _spec("unique", table, columns, evidence)
    return _spec("unique_combination_of_columns", table, (), evidence, columns=list(columns))


def filled_keys(table: Table) -> Iterable[CheckSpec]:
    """A primary key names its row, so no part of it is NULL; SQLite lets NULLs in unless told otherwise."""
    nullable = {c.name for c in table.columns if c.nullable}
    if table.rowid_is_key or not nullable.intersection(table.primary_key):
        return
    yield _spec("primary_key", table, (), "a PRIMARY KEY whose columns may be NULL", columns=list(table.primary_key))


def filled_columns(table: Table) -> Iterable[CheckSpec]:
    """A column declared NOT NULL holds no NULL: only damage or a changed schema can put one there."""
    for column in table.columns:
        alias = table.rowid_is_key and column.name in table.primary_key
        if not column.nullable and not alias:
            yield _spec("not_null", table, (column.name,), "declared NOT NULL")


def references(table: Table) -> Iterator[CheckSpec]:
    """Each value of a foreign key exists in the parent table, and the declaration itself can work."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for key in table.foreign_keys:
        check = "foreign_key" if key.problem else "relationships"
        place = (check, key.columns)
        again = {"name": f"{check} to {key.parent}"} if place in seen else {}
        if not again or (f"{check} to {key.parent}", key.columns) not in seen:
            seen |= {place, (f"{check} to {key.parent}", key.columns)}
            yield _reference(table, key, check, again)


def _reference(table: Table, key: ForeignKey, check: str, name: dict[str, str]) -> CheckSpec:
    evidence = f"declared FOREIGN KEY to {key.parent}"
    if check == "foreign_key":
        return _spec(check, table, key.columns, f"{evidence}: {key.problem}", **name)
    if len(key.columns) == 1:
        return _spec(check, table, key.columns, evidence, to=key.parent, field=key.parent_columns[0], **name)
    return _spec(
        check, table, (), evidence, columns=list(key.columns), to=key.parent, fields=list(key.parent_columns), **name
    )


TABLE_RULES = (unique_keys, filled_keys, filled_columns, references)
