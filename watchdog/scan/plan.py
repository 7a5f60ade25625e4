"""From wishes to work: places checks in the catalogue, and gathers their metrics into passes. Pure; no I/O.

`place` binds a CheckSpec to its table and columns and gives it its id and fingerprint. `plan` collects every metric once
(equal ones are the same value): mergeable words of a table go into one pass over it, the others are statements of their own.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from watchdog.clock import misused
from watchdog.errors import ConfigError, nearest
from watchdog.model import Catalog, Check, CheckSpec, Column, Metric, Placed, Predicate, Table
from watchdog.sql import MERGEABLE, settled, single, user_sql

Asked = Mapping[str, Mapping[str, Metric]]  # placed id -> the check's own name for it -> metric


def place(
    spec: CheckSpec, check: Check, catalog: Catalog, *, now: datetime, time_zone: str, allowed: Callable[[str], bool]
) -> Placed | None:
    """The check at its place; None when its table is not selected.

    A table or column that is not there, and a place where it does not apply, is a ConfigError for a declared check, and a
    reason to skip for a task's. A table that cannot be read is an error of any check that somebody wrote: nobody looked.
    """
    table: Table | None = None
    columns: tuple[Column, ...] = ()
    skip = blind = ""
    if spec.table is not None:
        table = catalog.table(spec.table)
        if table is None:
            skip = _missing(spec, f"there is no table {spec.table!r}", spec.table, [t.full_name for t in catalog.tables])
            table = Table("", spec.table, "table", ())
        elif not allowed(table.full_name):
            return None
        elif table.kind in ("virtual", "shadow") or not table.columns:
            blind = f"table {spec.table!r}: {table.note}"
    names = check.placed_columns(spec, table)
    if (table is None and check.takes != "database") or (not names and check.takes == "column"):
        stands = "a column" if check.takes == "column" else "a table"
        raise ConfigError(f"check {spec.name!r}: it stands under {stands}", file=spec.file, line=spec.line)
    if spec.columns and check.takes != "column" and type(check).placed_columns is Check.placed_columns:
        stands = "a table" if check.takes == "table" else "the source"
        raise ConfigError(f"check {spec.name!r}: it stands under {stands}", file=spec.file, line=spec.line)
    if table is not None and not skip and not blind:
        known = [c.name for c in table.columns]
        for name in names:
            if name not in known:
                skip = _missing(spec, f"table {table.full_name!r} has no column {name!r}", name, known)
                break
    if not skip:
        skip = _needs(spec, catalog)
    if table is not None:
        columns = tuple(table.column(n) or Column(table.full_name, n, "other", "", True, -1) for n in names)
    where = _where(spec, check, now, time_zone)
    placed = Placed(
        identify(table, names, spec.name, check.name), fingerprint(catalog.source, table, names, spec, check),
        check, spec.name, spec, table, columns, catalog, now, time_zone, skip or blind, bool(blind), where,
    )  # fmt: skip
    if skip or blind:
        return placed
    if blind := check.blind(placed, catalog):
        return replace(placed, skip_reason=blind, blind=True)
    if not (reason := check.skip(placed, catalog)):
        return placed
    if spec.origin == "declared":
        raise ConfigError(f"check {spec.name!r}: {reason}", file=spec.file, line=spec.line)
    return replace(placed, skip_reason=reason)


def _where(spec: CheckSpec, check: Check, now: datetime, time_zone: str) -> str:
    if check.where is None:
        return ""
    said = misused(check.where) if single(check.where) else "has to be one SQL condition"
    if said:
        raise ConfigError(f"check {spec.name!r}: option 'where': {said}", file=spec.file, line=spec.line)
    return user_sql(check.where, now, time_zone)


def _missing(spec: CheckSpec, said: str, wanted: str, known: Sequence[str]) -> str:
    """The reason to skip a task's check whose table or column `wanted` is not there; ConfigError for a declared one."""
    if spec.origin == "declared":
        raise ConfigError(f"check {spec.name!r}: {said}", file=spec.file, line=spec.line, hint=nearest(wanted, known))
    close = difflib.get_close_matches(wanted, known, n=1, cutoff=0.8)
    return said + (f" (there is {close[0]!r})" if close else "")


def _needs(spec: CheckSpec, catalog: Catalog) -> str:
    for name, column in spec.needs:
        table = catalog.table(name)
        if table is None:
            return _missing(spec, f"there is no table {name!r}", name, [t.full_name for t in catalog.tables])
        if column and table.column(column) is None:
            known = [c.name for c in table.columns]
            return _missing(spec, f"table {name!r} has no column {column!r}", column, known)
    return ""


def identify(table: Table | None, columns: Sequence[str], check: str, name: str | None) -> str:
    """`table.column.check[.name]`; a part that could be misread is JSON-quoted."""
    parts = [_part(table.full_name, schema=bool(table.schema))] if table else []
    if columns:
        parts.append("+".join(_part(c) for c in columns))
    parts.append(check)
    if name and name != check:
        parts.append(_part(name))
    return ".".join(parts)


def _part(text: str, *, schema: bool = False) -> str:
    odd = any(c in text for c in ('.+"' if not schema else '+"')) or any(ord(c) < 32 or ord(c) == 127 for c in text)
    return json.dumps(text, ensure_ascii=False) if odd or text != text.strip() or not text else text


def fingerprint(source: str, table: Table | None, columns: Sequence[str], spec: CheckSpec, check: Check) -> str:
    """The identity of what is counted, over time: never severity, threshold or words.

    The options of an inferred check follow the data, so they do not define it.
    """
    options = {} if spec.origin == "inferred" else dict(check.defining())
    what = [source, table.full_name if table else None, list(columns), spec.name, check.name, options]
    text = json.dumps(what, sort_keys=True, ensure_ascii=True, default=repr)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def refuse_twins(placed: Iterable[Placed]) -> None:
    """ConfigError when two checks share an id."""
    seen: dict[str, Placed] = {}
    for one in placed:
        other = seen.setdefault(one.id, one)
        if other is not one:
            raise ConfigError(
                f"check {one.check_name!r} stands twice at {one.place or 'the database'} (also line {other.spec.line})",
                file=one.spec.file, line=one.spec.line, hint="give one of them a `name:`",
            )  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """What to measure. `passes` holds the mergeable metrics of each table in the order they were first asked."""

    passes: Mapping[str, tuple[Metric, ...]]  # table name -> metrics
    separate: tuple[Metric, ...]
    asked: Asked

    @property
    def metrics(self) -> tuple[Metric, ...]:
        return tuple(m for metrics in self.passes.values() for m in metrics) + self.separate


def plan(placed: Iterable[Placed], counted: Iterable[Metric], dialect: str, now: datetime) -> Plan:
    """`counted` are metrics wanted whatever the checks (the rows of each selected table)."""
    passes: dict[str, dict[Metric, None]] = {}
    separate: dict[Metric, None] = {}
    asked: dict[str, Mapping[str, Metric]] = {}

    def add(metric: Metric) -> None:
        if metric.word in MERGEABLE:
            passes.setdefault(metric.table, {})[metric] = None
        else:
            separate[metric] = None

    for metric in counted:
        add(metric)
    for one in placed:
        if one.skip_reason:
            continue
        wanted = {key: settled(metric, dialect, now) for key, metric in {**one.check.asks(one), **_guard(one)}.items()}
        asked[one.id] = wanted
        for metric in wanted.values():
            add(metric)
    return Plan({t: tuple(ms) for t, ms in passes.items()}, tuple(separate), asked)


def _guard(one: Placed) -> Mapping[str, Metric]:
    """A count that fails where a `where` compares with `:now` what is no time: it would leave such rows out in silence."""
    if one.table is None or not one.check.where or one.check.takes == "database":
        return {}  # a query sees to its own
    strict = user_sql(one.check.where, one.now, one.time_zone, strict=True)
    return {"guard": Metric(one.table.full_name, "count_if", (Predicate(strict),))} if strict != one.where else {}


# ---------------------------------------------------------------- slices

SLICE_BYTES = 16_000_000  # of the file per slice, so that what a slice gathers stays small
SLICE_ROWS = 200_000
MOST_SLICES = 512


def slices(first: int | None, last: int | None, file_bytes: int) -> tuple[tuple[int, int], ...]:
    """Ranges of row ids that cover first to last, the same whatever the number of jobs; () for an empty table.

    The width follows the bytes a row id stands for, as if the whole file were this table.
    """
    if first is None or last is None:
        return ()
    span = last - first + 1
    width = max(1_000, min(SLICE_ROWS, SLICE_BYTES * span // max(file_bytes, 1)))
    width = max(width, -(-span // MOST_SLICES))
    return tuple((low, min(low + width - 1, last)) for low in range(first, last + 1, width))
