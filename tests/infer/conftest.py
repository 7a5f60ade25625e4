"""Small databases, and the checks that are inferred from them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from watchdog.catalog import sqlite as catalog_sqlite
from watchdog.infer import Off, infer
from watchdog.model import Catalog, CheckSpec, ColumnProfile, Limits
from watchdog.scan import profile
from watchdog.sources.sqlite import open_sqlite

NOW = datetime(2026, 12, 31, tzinfo=UTC)


class Inferred(list[CheckSpec]):
    """The specs, and short ways to ask for one."""

    def of(self, check: str, table: str = "t") -> dict[str, CheckSpec]:
        """The specs of one check by the column they are about (columns joined by +)."""
        return {
            "+".join(s.columns or s.options.get("columns", ())): s for s in self if (s.name, s.table) == (check, table)
        }

    def level(self, check: str, column: str, table: str = "t") -> str | None:
        spec = self.of(check, table).get(column)
        return None if spec is None else str(spec.options["severity"])


@pytest.fixture
def database(tmp_path: Path) -> Callable[[str], tuple[Catalog, dict[str, list[ColumnProfile]]]]:
    """From an SQL script (or a function on the connection) to a catalogue with the profiles of all its tables."""
    path = tmp_path / "small.db"

    def made(script: str | Callable[[sqlite3.Connection], Any]) -> tuple[Catalog, dict[str, list[ColumnProfile]]]:
        raw = sqlite3.connect(path)
        raw.executescript(script) if isinstance(script, str) else script(raw)
        raw.commit()
        raw.close()
        with open_sqlite(path, name="small", limits=Limits()) as opened, opened.source.connect() as connection:
            catalog = catalog_sqlite.read(opened.source, NOW)
            tables = [t for t in catalog.tables if t.columns and t.kind in ("table", "view")]
            return catalog, {t.full_name: profile.take(connection, t, rows=100_000) for t in tables}

    return made


@pytest.fixture
def inferred(database: Callable[..., Any]) -> Callable[..., Inferred]:
    def made(script: Any, off: Iterable[Off] = ()) -> Inferred:
        catalog, profiles = database(script)
        return Inferred(infer(catalog, profiles, now=NOW, off=frozenset(off)))

    return made


@pytest.fixture
def column(inferred: Callable[..., Inferred]) -> Callable[..., Inferred]:
    """What is inferred from the values of one column of table `t`."""

    def made(name: str, values: Sequence[object], native: str = "TEXT", table: str = "t") -> Inferred:
        def fill(db: sqlite3.Connection) -> None:
            quoted = '"' + name.replace('"', '""') + '"'
            db.execute(f'DROP TABLE IF EXISTS "{table}"')
            db.execute(f'CREATE TABLE "{table}"({quoted} {native})')
            db.executemany(f'INSERT INTO "{table}" VALUES(?)', [(value,) for value in values])

        return inferred(fill)

    return made
