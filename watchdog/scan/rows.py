"""The failing rows themselves: samples for a finding, all of them for `--rows`, and the SQL that lists them.

A second, targeted query, asked only for checks that failed. Rows are named by key: the primary key by column name, else
the row id, else a declared NOT NULL unique key, else nothing; the row id stands beside it where it can be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, StatementError

from watchdog.model import Evidence, Groups, Measurement, Metric, Placed, Sample, Table
from watchdog.scan.engines.sql import whole
from watchdog.scan.plan import Plan
from watchdog.sql import bracketed, quoted, speak


@dataclass(frozen=True)
class Listing:
    """A query for failing rows and how to read its rows: key columns, then the row id, then the check's columns."""

    select: str
    order: str
    key: tuple[str, ...]
    rowid: str | None
    columns: tuple[str, ...]
    by_rowid: bool  # the order is that of the row ids
    given: tuple[Any, ...] = ()  # the values of its placeholders

    def statement(self, limit: int | None = None, span: tuple[int, int] | None = None) -> str:
        text = self.select
        if span and self.rowid:
            text += f" AND {self.rowid} BETWEEN {span[0]} AND {span[1]}"
        return f"{text}{self.order}" + (f" LIMIT {limit}" if limit is not None else "")

    def sample(self, row: Any) -> Sample:
        """One row of the query as a Sample."""
        at = len(self.key)
        rowid = row[at] if self.rowid else None
        rest = row[at + (1 if self.rowid else 0) :]
        key = dict(zip(self.key, row[:at], strict=True)) if self.key else {"rowid": rowid} if self.rowid else None
        return Sample(key, rowid, dict(zip(self.columns, rest, strict=True)))


def listing(at: Placed, dialect: str, keys: tuple[Any, ...] = ()) -> Listing | None:
    """How to list the failing rows of a check; None where it has none to list.

    `keys` are all the duplicated values of a group check, where they are known: the rows that hold one of them.
    """
    evidence = at.check.evidence(at)
    if evidence is None or (at.table is None and not evidence.query):
        return None
    if evidence.query:
        return Listing(f"SELECT * FROM ({evidence.query}\n)", "", (), None, (), False)
    table = at.table
    assert table is not None
    key = table.row_key
    names = tuple(c.name for c in at.columns if c.position >= 0)
    picked = [quoted(n) for n in key] + ([table.rowid] if table.rowid else []) + [quoted(n) for n in names]
    only = [bracketed(at.where)] if at.where else []
    if keys:
        condition = " AND ".join([*only, f"{quoted(evidence.group[0])} IN ({', '.join('?' * len(keys))})"])
    else:
        condition = " AND ".join([*only, _condition(at, table, evidence, dialect, only)])
    by_rowid = table.rowid is not None and (table.rowid_is_key or not key)
    ordered = [table.rowid] if by_rowid else [*(quoted(n) for n in key), *([table.rowid] if table.rowid else [])]
    order = f" ORDER BY {', '.join(o for o in ordered if o)}" if ordered else ""
    select = f"SELECT {', '.join(p for p in picked if p) or '1'} FROM {whole(table)} WHERE {condition}"
    return Listing(select, order, key, table.rowid, names, by_rowid, keys)


def group_keys(at: Placed, plan: Plan, measured: Mapping[Metric, Measurement]) -> tuple[Any, ...]:
    """The duplicated values that the measuring has kept; () when they are too many, or cannot be given back to SQL."""
    metric = plan.asked.get(at.id, {}).get("groups")
    found = measured[metric].value if metric is not None and metric in measured else None
    if not isinstance(found, Groups) or "?" in at.where:
        return ()
    return found.keys if all(_can_be_given(k) for k in found.keys) else ()


def _can_be_given(key: Any) -> bool:
    """Text that did not decode was read with surrogates, which sqlite3 does not take back."""
    return not isinstance(key, str) or key.isascii() or not any("\ud800" <= c <= "\udfff" for c in key)


def _condition(at: Placed, table: Table, evidence: Evidence, dialect: str, only: list[str]) -> str:
    if not evidence.group:
        return f"({speak(evidence.bad, dialect, at.now)})"
    names = ", ".join(quoted(n) for n in evidence.group)
    left = names if len(evidence.group) == 1 else f"({names})"
    filled = " AND ".join([*only, *(f"{quoted(n)} IS NOT NULL" for n in evidence.group)])
    return f"{left} IN (SELECT {names} FROM {whole(table)} WHERE {filled} GROUP BY {names} HAVING count(*) > 1)"


def span_of(
    at: Placed, how: Listing, plan: Plan, measured: Mapping[Metric, Measurement], wanted: int
) -> tuple[int, int] | None:
    """The row ids among which the first `wanted` failing rows lie, known from the slices of the pass; None = anywhere."""
    metric = plan.asked.get(at.id, {}).get("bad")
    found = measured[metric].found if metric is not None and metric in measured else ()
    if not how.by_rowid or not found:
        return None
    seen = 0
    for _, last, count in found:
        seen += count
        if seen >= wanted:
            return found[0][0], last
    return found[0][0], found[-1][1]


def samples(connection: Connection, how: Listing, limit: int, span: tuple[int, int] | None) -> tuple[Sample, ...]:
    """The first `limit` failing rows by key; () when they cannot be read."""
    if limit <= 0:
        return ()
    try:
        result = connection.exec_driver_sql(how.statement(limit, span), how.given or None)
        names = list(result.keys())
        found = [tuple(row) for row in result.fetchall()]
    except (DBAPIError, StatementError):
        return ()
    if not how.key and not how.columns and how.rowid is None and how.order == "":
        return tuple(Sample(None, None, dict(zip(names, row, strict=False))) for row in found)
    return tuple(how.sample(row) for row in found)


def every(connection: Connection, how: Listing) -> Iterator[Sample]:
    """All failing rows, streamed. DBAPIError when the query breaks off."""
    with connection.execution_options(stream_results=True).exec_driver_sql(how.statement()) as result:
        names = list(result.keys())
        free = not how.key and not how.columns and how.rowid is None
        for row in result:
            yield Sample(None, None, dict(zip(names, row, strict=False))) if free else how.sample(tuple(row))
