"""Raw connections that can only read, and a `Reader` that opens them on one file and can stop them all.

Not trusted: the schema (views and virtual tables run code on read), SQL from the user, SQL from a model. The authorizer
lets through reading and a list of harmless pragmas; everything else is "not authorized", whatever the file allows.
"""

from __future__ import annotations

import functools
import os
import sqlite3
import sys
import threading
import time
import weakref
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from watchdog.clock import views_at_one_time
from watchdog.model import LONGEST_VALUE
from watchdog.sources._functions import compiled, register
from watchdog.sources._library import library
from watchdog.sources.patterns import Patterns

READING_PRAGMAS = frozenset(  # with or without an argument: the argument names a table or a number of messages
    {
        "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
        "quick_check", "table_info", "table_list", "table_xinfo",
    }
)  # fmt: skip
ASKING_PRAGMAS = frozenset(  # only without an argument, which would set them
    {
        "application_id", "auto_vacuum", "cell_size_check", "collation_list", "compile_options", "data_version",
        "database_list", "encoding", "foreign_keys", "freelist_count", "function_list", "journal_mode", "module_list",
        "page_count", "page_size", "pragma_list", "query_only", "read_uncommitted", "schema_version", "trusted_schema",
        "user_version",
    }
)  # fmt: skip
# Before 3.41 SQLite took its own JSON functions for unsafe: with OFF, one generated column that uses them makes the
# whole schema unreadable. The authorizer below judges the functions of a schema too, whatever this says.
JSON_IS_SAFE = library.sqlite_version_info >= (3, 41)
FORBIDDEN_FUNCTIONS = frozenset({"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", "fsdir"})
_STEPS = 50_000  # virtual machine steps between two looks at the clock: a few milliseconds


def file_uri(path: str | Path, parameters: str) -> str:
    """A `file:` URI for sqlite3; every byte of the path that could be taken for syntax is escaped."""
    text = os.path.abspath(path).replace(os.sep, "/")
    return f"file://{'' if text.startswith('/') else '/'}{quote(os.fsencode(text))}?{parameters}"


class Tracked(library.Connection):
    """A connection that remembers its thread; a subclass, because the base cannot be weakly referenced."""

    owner: threading.Thread
    patterns: Patterns


class Reader:
    """Opens guarded connections on one unchanging file. They stop at `deadline` (time.monotonic) or after `stop()`."""

    def __init__(self, path: str | Path, encoding: str, deadline: float | None, now: datetime | None = None) -> None:
        self._uri = file_uri(path, "mode=ro&immutable=1")
        self._encoding, self._deadline = encoding, deadline
        self._now = now  # what views take for the time; None = the clock's
        self._views: tuple[str, ...] = ()
        self._trusted = not JSON_IS_SAFE  # until the schema is known
        self._rtree_parts: frozenset[str] = frozenset()
        self._lock = threading.Lock()
        self._open: weakref.WeakSet[Tracked] = weakref.WeakSet()
        self.stopped = threading.Event()

    def connect(self, *, plain: bool = False) -> sqlite3.Connection:
        """`plain`, for SQLite's own check of the file: without functions of ours, which an index of the file would take for
        those of its own program, and with damaged cells named instead of refused."""
        raw = library.connect(
            self._uri,
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            factory=Tracked,
        )
        raw.owner = threading.current_thread()
        with self._lock:
            self._open.add(raw)
        for statement in self._views:
            with suppress(library.Error):  # it is as broken as the view itself: who reads that hears why
                raw.execute(statement)
        guard(raw, self._rtree_parts, trusted=self._trusted, cells=not plain)
        # Our REGEXP comes after the schema is read: one that calls the REGEXP of its own program means another, and SQLite
        # would refuse the whole schema for its "unsafe use" of ours.
        if plain:
            raw.patterns = Patterns(compiled)
        else:
            raw.execute("SELECT 1 FROM sqlite_master LIMIT 0").close()
            raw.patterns = register(raw, self._encoding)
        raw.set_progress_handler(self._must_stop, _STEPS)
        return raw

    def read_schema(self) -> None:
        """Prove that the schema can be read; sqlite3.Error when not. Call it before anything else."""
        raw = self.connect()
        try:
            uses_json = "SELECT 1 FROM sqlite_master WHERE sql LIKE '%json%' OR sql LIKE '%->%'"
            self._trusted = not JSON_IS_SAFE and raw.execute(uses_json).fetchone() is not None
            found = raw.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%USING%rtree%'")
            self._rtree_parts = frozenset(f"{name}_{part}" for (name,) in found for part in ("node", "rowid", "parent"))
            if self._now is not None:
                scripts = raw.execute("SELECT sql FROM sqlite_master WHERE type = 'view' AND sql IS NOT NULL")
                self._views = views_at_one_time([str(sql) for (sql,) in scripts], self._now)
        finally:
            raw.close()

    def stop(self) -> None:
        """End every running statement; none that takes long will run to its end afterwards."""
        self.stopped.set()
        for raw in self._all():
            with suppress(library.ProgrammingError):  # closed meanwhile
                raw.interrupt()

    def close(self) -> None:
        """Stop, then close what was left open, except in a thread that may still be inside SQLite with it."""
        self.stop()
        for raw in self._all():
            if raw.owner is threading.current_thread() or not raw.owner.is_alive():
                raw.close()

    def _all(self) -> list[Tracked]:
        with self._lock:
            return list(self._open)

    def _must_stop(self) -> bool:
        return self.stopped.is_set() or (self._deadline is not None and time.monotonic() >= self._deadline)


def guard(
    raw: sqlite3.Connection, rtree_parts: frozenset[str], *, trusted: bool = not JSON_IS_SAFE, cells: bool = True
) -> None:
    """Turn a fresh connection into one that only reads, and that reads text which is not valid Unicode. `cells`: a page
    with a cell that cannot be is refused whole, as malformed."""
    on = {True: "ON", False: "OFF"}
    for setting in (f"trusted_schema={on[trusted]}", "query_only=ON", f"cell_size_check={on[cells]}"):
        raw.execute(f"PRAGMA {setting}")
    if hasattr(raw, "setlimit"):  # Python 3.11; not in pysqlite3
        raw.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    if sys.version_info >= (3, 12) and hasattr(raw, "setconfig"):  # pysqlite3 has none
        raw.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        raw.setconfig(sqlite3.SQLITE_DBCONFIG_DQS_DML, False)  # an unknown "name" is an error, not a text
    raw.text_factory = functools.partial(str, encoding="utf-8", errors="surrogateescape")
    raw.set_authorizer(functools.partial(_allow, rtree_parts))


def _allow(
    rtree_parts: frozenset[str],
    action: int,
    first: str | None,
    second: str | None,
    *_: str | None,
) -> int:
    """Prepared is not yet run: two writes that SQLite prepares to *read* virtual tables pass, and still cannot be run,
    because the file is immutable and query_only is on."""
    if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE):
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION:
        allowed = (second or "").lower() not in FORBIDDEN_FUNCTIONS
    elif action == sqlite3.SQLITE_PRAGMA:
        name = (first or "").lower()
        allowed = name in READING_PRAGMAS or (name in ASKING_PRAGMAS and second is None)
    elif action == sqlite3.SQLITE_UPDATE:  # a virtual table declares its columns by a CREATE TABLE of its own
        allowed = first == "sqlite_master"
    elif action in (
        sqlite3.SQLITE_INSERT,
        sqlite3.SQLITE_DELETE,
    ):  # an R*Tree prepares these when it is first read
        allowed = first in rtree_parts
    else:  # BEGIN and its end only frame reads: there is nothing else that may run
        allowed = action == sqlite3.SQLITE_TRANSACTION
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY
