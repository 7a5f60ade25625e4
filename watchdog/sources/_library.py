"""Which SQLite reads: Python's own, or the newer one that the `fast` extra brings (pysqlite3). Results are the same.

Everything in this room takes `library` from here, so that one scan never mixes two.
"""

from __future__ import annotations

import importlib
import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    library = sqlite3
else:
    try:
        library = importlib.import_module("pysqlite3.dbapi2")
    except ImportError:
        library = sqlite3
    else:
        library = max(sqlite3, library, key=lambda module: module.sqlite_version_info)

NAME = library.__name__.partition(".")[0]
ENGINE = f"{NAME} {library.sqlite_version}"
