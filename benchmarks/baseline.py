"""U: the CPU of one full read. SQLite decodes every cell of a table once, in one statement, as a whole process.

    python benchmarks/baseline.py orders.db [--table orders]

Prints the number of cells that are not NULL. Every other figure here is told as a multiple of what this process costs.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
from pathlib import Path


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def opened(path: Path) -> sqlite3.Connection:
    """Read-only and without locks: nobody writes to the file of a benchmark."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)


def count_every_cell(database: sqlite3.Connection, table: str) -> int:
    names = [row[1] for row in database.execute(f"PRAGMA table_info({quoted(table)})")]
    counts = ", ".join(f"count({quoted(name)})" for name in names)
    row: tuple[int, ...] = database.execute(f"SELECT {counts} FROM {quoted(table)} NOT INDEXED").fetchone()
    return sum(row)


def main() -> int:
    parser = argparse.ArgumentParser(description="Read every cell of a table once.")
    parser.add_argument("database", type=Path)
    parser.add_argument("--table", default="orders")
    told = parser.parse_args()
    print(count_every_cell(opened(told.database), told.table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
