"""Rows that a query of your own returns: each one is a failure.

Measures   the rows that the query returns. One SELECT (or WITH ... SELECT); `:now`
           is the time of the run, and so is SQLite's own 'now': see docs/config.md.
Fires      above `at_most` (default 0).
Skips      nothing.
Why        what no built-in check says, SQL does.
Example    query: {sql: SELECT * FROM orders WHERE paid AND shipped_at IS NULL}
        -> the query returns 4 rows.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from watchdog.clock import misused
from watchdog.model import Check, Evidence, Judgement, Metric, Numbers, Past, Placed, failed, passed
from watchdog.reading import MEGABYTE, read_bytes
from watchdog.sql import single, user_sql

LONGEST = 5 * MEGABYTE  # of a file with a query
_OPENS = re.compile(r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/|\()*(SELECT|WITH|VALUES)\b", re.I | re.S)


@dataclass(frozen=True, kw_only=True)
class Query(Check):
    dimension = "accuracy"
    takes = "database"
    paths = ("file",)

    sql: str | None = None  # the query itself; it or a file is needed
    file: str | None = None  # a file that holds the query; a relative path starts from the folder of config.yaml or task.yaml

    def problem(self) -> str:
        if (self.sql is None) == (self.file is None):
            return "give either `sql` or `file`"
        try:
            text = self._text
        except UnicodeDecodeError:
            return f"cannot read {self.file!r}: not UTF-8"
        except (OSError, ValueError) as problem:
            return f"cannot read {self.file!r}: {getattr(problem, 'strerror', None) or problem}"
        limits = (self.at_most or {}).values()
        if any(limit.unit == "share" for limit in limits):
            return "at_most: a query has no rows to take a share of; give a number of rows"
        if not text:
            return "the query has to be one statement"
        if not _OPENS.match(text):
            return "the query has to be a SELECT: it is run read-only"
        return misused(text)

    @functools.cached_property
    def _text(self) -> str:
        """Read once, so that what is run is what was judged and what the fingerprint knows."""
        if self.sql is not None:
            return single(self.sql)
        return single(read_bytes(Path(self.file or ""), LONGEST).decode("utf-8-sig"))

    def defining(self) -> Mapping[str, Any]:
        return {"sql": self._text, **({"where": self.where} if self.where else {})}

    def _sql(self, at: Placed, *, strict: bool = False) -> str:
        text = user_sql(self._text, at.now, at.time_zone, strict=strict)
        where = user_sql(self.where, at.now, at.time_zone, strict=strict) if self.where else ""
        return f"SELECT * FROM ({text}\n) WHERE {where}" if where else text

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        return {"rows": Metric(at.table.full_name if at.table else "", "query", (self._sql(at, strict=True),))}

    def judge(self, at: Placed, now: Numbers, past: Past) -> Judgement:
        count = int(now["rows"])
        said = f"the query returns {count:,} {'row' if count == 1 else 'rows'}"
        fired = self.fires(count, 0)
        return failed(said, severity=fired[0], threshold=fired[1], count=count) if fired else passed(said, count=count)

    def evidence(self, at: Placed) -> Evidence | None:
        return Evidence(query=self._sql(at))
