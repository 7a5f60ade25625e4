"""`--rows`: every failing row of every finding, streamed to a CSV or JSON Lines file.

CSV as RFC 4180 has it. Columns: finding, table, rowid, key, column, value.
One line for each column of the check; values are masked as everywhere.
The file appears whole or not at all.
"""

from __future__ import annotations

import csv
import json
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from sqlalchemy.exc import DBAPIError

from watchdog.codec import clean, safe, shown_value
from watchdog.errors import OutputError, UsageError, WatchdogError
from watchdog.model import Result, Sample
from watchdog.scan.rows import Listing, every
from watchdog.writing import NO_GUARD, Guard, whole

HEADER = ("finding", "table", "rowid", "key", "column", "value")


class RowsFile:
    """OutputError when the file cannot be written; UsageError when its ending names no known form, or by the guard."""

    def __init__(self, path: Path, guard: Guard = NO_GUARD) -> None:
        if path.suffix not in (".csv", ".jsonl"):
            raise UsageError(f"--rows {path}: its ending names no known form", hint="known: .csv, .jsonl")
        guard.refuse(path, "--rows")
        self.path = path
        self.file: IO[str] | None = None
        self._whole: AbstractContextManager[IO[str]] = whole(path, guard)

    def __enter__(self) -> RowsFile:
        self.file = self._whole.__enter__()
        if self.path.suffix == ".csv":
            csv.writer(self.file, lineterminator="\r\n").writerow(HEADER)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._whole.__exit__(kind, error, trace)

    def write(self, finding: Result, how: Listing, connection: Any, mode: Any, *, pii_allowed: bool) -> None:
        assert self.file is not None
        table = csv.writer(self.file, lineterminator="\r\n") if self.path.suffix == ".csv" else None
        try:
            for sample in every(connection, how):
                for name, value in (sample.values or {"": None}).items():
                    shown = shown_value(value, mode, name, pii_allowed=pii_allowed)
                    line = (
                        clean(finding.id),
                        clean(finding.table or ""),
                        sample.rowid,
                        _key(sample),
                        clean(name),
                        shown,
                    )
                    if table:
                        table.writerow(["" if v is None else _text(v) for v in line])
                    else:
                        self.file.write(json.dumps(dict(zip(HEADER, line, strict=True)), ensure_ascii=True) + "\n")
        except OSError as problem:
            raise OutputError(f"--rows {self.path}: cannot write it: {problem.strerror}") from problem
        except DBAPIError as problem:
            said = f"--rows {self.path}: the rows of {clean(finding.id)} cannot be read to the end: {problem.orig}"
            raise WatchdogError(said, hint="nothing was written there") from problem


def _key(sample: Sample) -> Any:
    """The primary key: the value itself when it is one column, else an object; None where there is no declared key."""
    if not sample.key or list(sample.key) == ["rowid"]:
        return None
    values = {clean(k): safe(v) for k, v in sample.key.items()}
    return next(iter(values.values())) if len(values) == 1 else values


def _text(value: Any) -> str:
    """A cell of the CSV. A leading =, +, - or @ would be a formula to a spreadsheet, hence the apostrophe."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    text = str(value)
    return f"'{text}" if isinstance(value, str) and text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
