"""The SQL engine: answers every word, exactly. Pure: from metrics to statements, from answers to values.

One pass over a table is one SELECT of many expressions per slice of row ids; states of slices merge in slice order.
Words that read more than one table, group or sort are statements of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from watchdog.model import Groups, Metric, Table
from watchdog.sql import bracketed, literal, quoted, table_name

MOST_EXPRESSIONS = 400  # SQLite refuses more than 2,000 result columns (sqlite.org/limits.html, no. 2)
MOST_TEXT = 400_000  # characters of one statement; SQLite's default limit is 1,000,000 bytes
SHORT_TEXT = 4_096  # bytes; longer cells are decoded one by one, shorter ones joined


@dataclass(frozen=True)
class Part:
    """Some metrics of one table, answered together by one SELECT per slice."""

    table: Table
    metrics: tuple[Metric, ...]

    def halves(self) -> tuple[Part, Part]:
        middle = len(self.metrics) // 2
        return Part(self.table, self.metrics[:middle]), Part(self.table, self.metrics[middle:])

    def statement(self, span: tuple[int, int] | None) -> str:
        wanted = ", ".join(e for m in self.metrics for e in expressions(m))
        return f"SELECT {wanted} FROM {whole(self.table)}{_within(self.table, span)}"


def whole(table: Table) -> str:
    """The table itself and never one of its indexes, which might disagree with it; a view has none."""
    return table_name(table) + (" NOT INDEXED" if table.kind == "table" else "")


def _within(table: Table, span: tuple[int, int] | None) -> str:
    return f" WHERE {table.rowid} BETWEEN {span[0]} AND {span[1]}" if span else ""


def told_key(table: Table) -> str:
    """A condition that always holds, and tells the key of the row that it is asked about."""
    key = table.row_key or ((table.rowid,) if table.rowid else ())
    return f"watchdog_at({', '.join(f'{literal(name)}, {quoted(name)}' for name in key)})"


def parts(table: Table, metrics: Sequence[Metric]) -> list[Part]:
    """As few statements as the limits allow, in the order of the metrics."""
    groups: list[list[Metric]] = []
    count = size = 0
    for metric in metrics:
        said = expressions(metric)
        text = sum(len(e) for e in said)
        if not groups or count + len(said) > MOST_EXPRESSIONS or size + text > MOST_TEXT:
            groups.append([])
            count = size = 0
        groups[-1].append(metric)
        count, size = count + len(said), size + text
    return [Part(table, tuple(group)) for group in groups]


def expressions(metric: Metric) -> tuple[str, ...]:
    """The aggregate expressions that answer a mergeable metric; `value_of` reads their answers."""
    only = f" FILTER (WHERE {bracketed(metric.where)})" if metric.where else ""
    match metric.word:
        case "rows":
            return (f"count(*){only}",)
        case "nulls":
            if len(metric.args) == 1:
                return (f"count(*){only} - count({quoted(metric.args[0])}){only}",)
            any_null = " OR ".join(f"{quoted(name)} IS NULL" for name in metric.args)
            return (f"count(*) FILTER (WHERE {_and(metric.where, any_null)})",)
        case "count_if":
            return (f"count(*) FILTER (WHERE {_and(metric.where, metric.args[0].text)})",)
        case "highest":
            return (f"max({metric.args[0].text}){only}",)
        case "undecodable":
            cell = quoted(metric.args[0])
            # text lies between the numbers and the BLOBs: comparing is cheaper than typeof()
            text = f"+{cell} >= '' COLLATE BINARY AND +{cell} < x''"
            size = f"length(CAST({cell} AS BLOB))"
            # joined by a comma, bytes that only together would be a character stay apart
            short = f"FILTER (WHERE {_and(metric.where, f'{text} AND {size} < {SHORT_TEXT}')})"
            return (
                f"CAST(group_concat({cell}) {short} AS BLOB)",
                f"count(*) FILTER (WHERE {_and(metric.where, f'{size} >= {SHORT_TEXT} AND {text}')})",
            )
    raise AssertionError(metric.word)


def _and(where: str, condition: str) -> str:
    return f"{bracketed(where)} AND ({condition})" if where else condition


def answers(metrics: Sequence[Metric], row: Sequence[Any]) -> list[Any]:
    """The value of each metric on one slice, from the row that its statement gave."""
    values: list[Any] = []
    at = 0
    for metric in metrics:
        width = 2 if metric.word == "undecodable" else 1
        given = row[at : at + width]
        values.append(_suspect(given) if metric.word == "undecodable" else given[0])
        at += width
    return values


def _suspect(given: Sequence[Any]) -> int:
    """1 when this slice may hold text that does not decode and has to be looked at cell by cell, else 0."""
    joined, long_texts = given
    if long_texts:
        return 1
    try:
        (joined or b"").decode("utf-8")
    except UnicodeDecodeError:
        return 1
    return 0


def merged(metric: Metric, values: Sequence[Any]) -> Any:
    """One value from those of the slices, in slice order."""
    if metric.word == "highest":
        known = [v for v in values if v is not None]
        if not known:
            return None
        best = max(known)
        return float(f"{best:.12g}") if isinstance(best, float) else best
    return sum(v or 0 for v in values)


def separate(metric: Metric, table: Table | None, index: str = "") -> str:
    """The statement of a word that cannot share a pass. `index` may answer instead of the table (duplicates)."""
    match metric.word:
        case "duplicates":
            assert table is not None
            names = ", ".join(quoted(name) for name in metric.args)
            filled = " AND ".join(f"{quoted(name)} IS NOT NULL" for name in metric.args)
            source = f"{table_name(table)} INDEXED BY {quoted(index)}" if index else whole(table)
            key = names if len(metric.args) == 1 else "NULL"
            groups = (
                f"SELECT {key} AS k, count(*) AS n FROM {source}"
                f" WHERE {_and(metric.where, filled)} GROUP BY {names} HAVING count(*) > 1"
            )
            cte = quoted(f"groups of {table.name}")  # a name of its own: the table's would refer to itself
            few = f"SELECT k FROM {cte} WHERE length(CAST(k AS BLOB)) < {SHORT_TEXT} LIMIT {MOST_KEYS}"
            return (
                f"WITH {cte} AS MATERIALIZED ({groups}) SELECT count(*), coalesce(sum(n), 0), NULL"
                f" FROM {cte} UNION ALL SELECT NULL, NULL, k FROM ({few})"
            )
        case "orphans":
            assert table is not None
            return f"SELECT count(*) FROM {table_name(table)} WHERE {_and(metric.where, metric.args[0].text)}"
        case "query":
            return str(metric.args[0])  # its rows are read: a count(*) around it would skip expressions that raise
    raise AssertionError(metric.word)


MOST_KEYS = 100  # duplicated values kept, so that their rows are found without grouping the table again


def separate_value(metric: Metric, found: Sequence[Sequence[Any]]) -> Any:
    if metric.word == "duplicates":
        (groups, members, _), *keys = found
        return Groups(groups, members, tuple(key for _, _, key in keys) if len(keys) == groups else ())
    return found[0][0]
