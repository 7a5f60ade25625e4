"""Open a SQLite file for reading, whatever its state, and never change it or anything beside it.

In: a path. Out: an `OpenSqlite` whose `source.connect()` gives read-only SQLAlchemy connections, all on one picture.

immutable   the file itself, without locks: nothing is pending and nobody writes. Afterwards `moved()` must be asked:
            when it says something, what was read may be wrong: open the file again with `snapshot=True`.
snapshot    a private copy of one moment: its write-ahead log holds frames, a writer has it locked, or on wish.

Refuses, with the reason and the next step: what is no SQLite 3 file, newer, damaged or encrypted; a journal that waits
to be rolled back; a lock that is not given up in time; a file that is never still. The caller has asked `here` first
whether this process has the file open already.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.pool import NullPool

from watchdog.errors import SourceError, SourceMoved
from watchdog.model import Limits, Source
from watchdog.sources import _header
from watchdog.sources._connection import Reader
from watchdog.sources._library import ENGINE, library
from watchdog.sources._look import HEADER, Look, Place, Stamp, Writer, difference
from watchdog.sources._snapshot import COPY, copy_by_backup, copy_with_log, hot_journal
from watchdog.sources.private import private_folder


class PlainSqlite(SQLiteDialect_pysqlite):
    """SQLAlchemy's dialect without its own `regexp` and `floor`, which would replace ours and SQLite's."""

    supports_statement_cache = True

    def on_connect(self) -> Any:
        return None


registry.register("sqlite.watchdog", __name__, PlainSqlite.__name__)


@dataclass(frozen=True)
class OpenSqlite:
    """An open file. `moved()` is "" while everything is as at opening, else says what changed; a snapshot never moves.
    `cancel()` may be called from any thread: it ends all running statements, and no connection is given afterwards."""

    source: Source
    moved: Callable[[], str]
    cancel: Callable[[], None]


@dataclass(frozen=True)
class _Picture:
    """The file that is really read, and how it came to be."""

    path: Path
    mode: str
    header: bytes
    stamp: Stamp  # of the original, when it was looked at
    notes: tuple[str, ...] = ()


@contextmanager
def open_sqlite(
    path: str | Path,
    *,
    name: str,
    limits: Limits,
    snapshot: bool = False,
    wait_seconds: float = 5.0,
    shown: str = "",
    now: datetime | None = None,
) -> Iterator[OpenSqlite]:
    """Everything made for the reading is gone on leaving, also after an error or Ctrl-C.

    shown: how messages and results name the file, when its path may hold a secret. now: what views that read the clock are
    given.
    """
    given = os.fspath(path)
    shown = shown or given
    place = Place(name, shown if shown.isprintable() else ascii(shown))
    with ExitStack() as stack:
        look = stack.enter_context(Look(given, place))
        try:
            picture = _choose(look, stack, snapshot, wait_seconds, limits.deadline)
        except OSError as problem:
            problem.filename = place.shown
            reason = problem.strerror or str(problem)
            raise place.error(
                f"while it was being opened: {reason}",
                "check the file and its disk; scan again",
            ) from problem
        reader = Reader(picture.path, _header.encoding(picture.header), limits.deadline, now)
        stack.callback(reader.close)
        _read_schema(reader, place, lambda: _moved(look, picture))
        engine, plain = (
            create_engine("sqlite+watchdog://", module=library, creator=creator, poolclass=NullPool)
            for creator in (reader.connect, functools.partial(reader.connect, plain=True))
        )
        stack.callback(engine.dispose)
        stack.callback(plain.dispose)

        def connect(engine: Engine = engine) -> Connection:
            if reader.stopped.is_set():
                raise place.error("the reading was cancelled", "scan again")
            return engine.connect()


        source = Source(
            name=name,
            dialect="sqlite",
            shown_url=shown,
            read_mode=picture.mode,
            limits=limits,
            connect=connect,
            connect_plain=functools.partial(connect, plain),
            state={
                "size_bytes": picture.stamp.size_bytes,
                "change_counter": picture.stamp.change_counter,
            },
            engine=ENGINE,
            encoding=_header.encoding(picture.header).upper(),
            notes=picture.notes,
        )
        yield OpenSqlite(source, lambda: _moved(look, picture), reader.stop)


def _choose(
    look: Look,
    stack: ExitStack,
    snapshot: bool,
    wait_seconds: float,
    deadline: float | None,
) -> _Picture:
    stamp, writer, still = look.steady()
    _header.refuse_foreign(look.file, stamp.size_bytes, look.place)
    if stamp.hot and writer is None and still:
        raise hot_journal(look.place)
    has_log = _header.uses_wal(look.header()) or os.path.exists(f"{look.path}-wal")
    if still and not (snapshot or stamp.wal is not None or (writer is not None and not has_log)):
        header = look.header()
        if look.stamp() == stamp:  # else the header may tell of pages that came after the size was asked for
            _header.refuse_damaged(header, stamp.size_bytes, look.place)
            return _Picture(Path(look.path), "immutable", header, stamp)
        still = False
    folder = stack.enter_context(private_folder(avoid=look.path))
    frames = 0
    if has_log:
        frames = copy_with_log(look, folder, deadline)
    else:
        copy_by_backup(look, folder, wait_seconds, deadline)
    copy = folder / COPY
    with open(copy, "rb") as file:
        header = file.read(HEADER)
    _header.refuse_damaged(header, copy.stat().st_size, look.place)
    return _Picture(
        copy,
        "snapshot",
        header,
        stamp,
        (f"read from a private copy: {_why(stamp, frames, writer, still)}",),
    )


def _why(stamp: Stamp, frames: int, writer: Writer | None, still: bool) -> str:
    if stamp.wal is not None:
        return f"its write-ahead log held {frames:,} frames"
    return "a writer held it" if writer else "a copy was asked for" if still else "it was being written to"


def _read_schema(reader: Reader, place: Place, moved: Callable[[], str]) -> None:
    """One read of the schema, so that what nobody could scan is refused here and in these words. SourceMoved where a writer
    was at work meanwhile."""
    try:
        reader.read_schema()
    except library.Error as problem:
        if said := moved():
            raise SourceMoved(said) from problem
        raise place.error(str(problem), "check the file with `PRAGMA integrity_check`") from problem


def _moved(look: Look, picture: _Picture) -> str:
    if picture.mode == "snapshot":
        return ""
    try:
        return difference(picture.stamp, look.stamp())
    except FileNotFoundError:
        return "it is gone"
    except (OSError, SourceError):
        return "it can no longer be looked at"
