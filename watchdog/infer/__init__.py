"""From a catalogue and profiles to checks that nobody wrote: what the schema proves, and what the values make plain.

In: the catalogue and, for each table, the profiles of its columns. Out: CheckSpecs of origin `inferred`, each with its
evidence in words, in a fixed order, at most one a place and kind. Pure: nothing is read, the same input gives the same
specs. Precision comes first: a rule that is not sure says nothing. What rules wish for is then measured on all rows.
Views, virtual tables and tables with a note are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from watchdog.infer import dates, gaps, kinds, schema
from watchdog.infer.look import Look
from watchdog.model import Catalog, CheckSpec, ColumnProfile, Table

Off = tuple[str | None, str | None, str]  # (table, column, check) that is not wanted; None for all of them

DATABASE_RULES = (schema.integrity,)
TABLE_RULES = schema.TABLE_RULES
COLUMN_RULES = (*gaps.COLUMN_RULES, *kinds.COLUMN_RULES)
DATED_RULES = dates.DATED_RULES  # these also want to know what time it is


def infer(
    catalog: Catalog,
    profiles: Mapping[str, Sequence[ColumnProfile]],
    *,
    now: datetime,
    off: frozenset[Off] = frozenset(),
) -> list[CheckSpec]:
    """The checks that suit this database, but for those that are `off`."""
    found: dict[tuple[object, ...], CheckSpec] = {}
    for spec in _wishes(catalog, profiles, now):
        columns = _columns(spec)
        ways = [(None, None, spec.name), (spec.table, None, spec.name), *((spec.table, c, spec.name) for c in columns)]
        if off.isdisjoint(ways):
            found.setdefault((spec.table, columns, spec.name, spec.options.get("name")), spec)
    return list(found.values())


def _columns(spec: CheckSpec) -> tuple[str, ...]:
    """What the check is about: checks of several columns carry them as an option."""
    return spec.columns or tuple(spec.options.get("columns", ()))


def _wishes(catalog: Catalog, profiles: Mapping[str, Sequence[ColumnProfile]], now: datetime) -> Iterator[CheckSpec]:
    for database_rule in DATABASE_RULES:
        yield from database_rule(catalog)
    for table in catalog.tables:
        if table.kind != "table" or table.note:
            continue
        for table_rule in TABLE_RULES:
            yield from table_rule(table)
        for look in _looks(table, profiles.get(table.full_name, ())):
            for column_rule in COLUMN_RULES:
                yield from column_rule(look)
            for dated_rule in DATED_RULES:
                yield from dated_rule(look, now)


def _looks(table: Table, profiles: Sequence[ColumnProfile]) -> Iterator[Look]:
    known = {profile.column: profile for profile in profiles}
    for column in table.columns:
        nothing = ColumnProfile(table.full_name, column.name, 0, {}, False, "not looked at")
        yield Look(table, column, known.get(column.name, nothing))
