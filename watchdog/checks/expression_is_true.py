"""Rows for which an SQL expression is false.

Measures   rows where `expression` is false. Where it is NULL the row is neither good nor bad: it is not evaluated.
Fires      above `at_most` (default 0).
Skips      a table without rows; when the expression is NULL in each of them because a column it uses is. (Where none is,
           as with `n <> NULL`, and where a value beside `:now` is no time, it could not look: exit code 3.)
Why        most rules of a business are one comparison within a row.
Example    expression_is_true: {expression: shipped_at >= ordered_at}
        -> 2 of 1,500 rows of orders break the rule "shipped_at >= ordered_at".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import ColumnElement

from watchdog.checks._words import shortened
from watchdog.clock import misused, names
from watchdog.model import CheckSpec, Judgement, Metric, Numbers, Past, Placed, RowCheck, Table, skipped
from watchdog.sql import count_if, not_, nulls, raw, single, user_sql


@dataclass(frozen=True, kw_only=True)
class ExpressionIsTrue(RowCheck):
    dimension = "accuracy"
    takes = "table"
    words = "break the rule"
    judges_nulls = True  # NULLs of the columns say nothing here: those of the expression do

    expression: str  # SQL, true for a good row; `:now` is the time of the run (see docs/config.md)
    columns: list[str] | None = None  # which columns it is about: they show in the id and in samples

    def problem(self) -> str:
        if not single(self.expression):
            return "option 'expression': it has to be one SQL condition"
        said = misused(self.expression)
        return f"option 'expression': {said}" if said else ""

    def placed_columns(self, spec: CheckSpec, table: Table | None) -> tuple[str, ...]:
        return tuple(self.columns or spec.columns)

    def predicate(self, at: Placed) -> ColumnElement[bool]:
        return not_(self._expression(at))

    def _expression(self, at: Placed, *, strict: bool = False) -> ColumnElement[bool]:
        return raw(user_sql(self.expression, at.now, at.time_zone, strict=strict))

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        assert at.table is not None
        wanted = {
            **RowCheck.asks(self, at),
            "bad": count_if(at.table, not_(self._expression(at, strict=True)), at.where),
            "nulls": count_if(at.table, self._expression(at).is_(None), at.where),
        }
        told = names(self.expression)
        used = [c for c in at.table.columns if c.name.lower() in told]
        return {**wanted, "gaps": nulls(*used, where=at.where)} if used else wanted

    def judge(self, at: Placed, now: Numbers, past: Past) -> Judgement:
        rows, gaps = int(now["rows"]), int(now.get("gaps", 0))
        if not rows or int(now["nulls"]) < rows:
            return RowCheck.judge(self, at, now, past)
        which = f"all {rows:,} rows" if rows > 1 else "the only row"
        said = f"the expression is NULL for {which}{' under its `where`' if at.where else ''}"
        if gaps < rows and at.spec.origin != "inferred":
            though = "no column it uses is NULL" if not gaps else f"in {rows - gaps:,} no column it uses is NULL"
            hint = ": nothing is = NULL or <> NULL, write IS NULL or IS NOT NULL" if "null" in names(self.expression) else ""
            return Judgement("error", f"could not look: {said}, though {though}{hint}")
        return skipped(f"{at.place}: nothing to evaluate: {said}", count=0, rows=rows, not_evaluated=rows)

    def noun(self, at: Placed) -> str:
        return f"rows of {at.table.full_name}" if at.table else "rows"

    def told(self, at: Placed) -> str:
        return f'{self.words} "{shortened(self.expression)}"'

    def unjudged(self, at: Placed, count: int) -> str:
        return "where it is NULL"
