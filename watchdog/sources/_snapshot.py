"""Private copies of a database that somebody may be writing to, each one moment of it.

`copy_with_log` for WAL mode: plain copies of the file, then of its log, recovered by SQLite in the private folder.
SQLite itself must not open a WAL database where it lies: it would create or change the -shm file there.
`copy_by_backup` for rollback mode: SQLite's backup under a shared lock, which only makes writers wait.

Refuses when there is not enough room, when the time is up, when the file never stands still, or stays locked.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Callable
from io import FileIO
from pathlib import Path

from watchdog.errors import SourceError
from watchdog.sources._connection import file_uri
from watchdog.sources._library import library
from watchdog.sources._look import WAL_HEADER, Look, Place, Stamp, Writer

COPY = "copy.db"
_TRIES = 6
_PAUSE = 0.05  # seconds between two tries
_CHUNK = 1 << 20  # bytes
_PAGES = 1024  # pages of a backup between two looks at the clock
_MARGIN = 4 << 20  # bytes that must stay free


def copy_with_log(look: Look, folder: Path, deadline: float | None) -> int:
    """Make `folder`/copy.db from the file and its log; the number of frames of the log that went in."""
    for _ in range(_TRIES):
        before, writer = look.stamp(), look.writer()
        _check_room(folder, before, look.place)
        _clear(folder)
        _copy(look.file, folder / COPY, look.place, deadline)
        if before.wal is not None:  # after the file: every page a checkpoint moved meanwhile is in the log, too
            try:
                with open(look.path + "-wal", "rb", buffering=0) as log:
                    _copy(log, folder / f"{COPY}-wal", look.place, deadline)
            except FileNotFoundError:
                continue
        if one_moment(before, look.stamp(), writer or look.writer()):
            return _recover(folder / COPY, look.place) if before.wal else 0
        time.sleep(_PAUSE)
    raise look.place.error(
        "it was written to during each of the attempts to copy it",
        "scan it at a quieter time, or scan a copy made by the application or by `VACUUM INTO`",
    )


def one_moment(before: Stamp, after: Stamp, writer: Writer | None) -> bool:
    """May a copy taken between these two looks be trusted?

    With a log: yes while it is the same log from the same start (the salts in its header change at each restart).
    What a checkpoint wrote into the file meanwhile came from that log, which was copied later and wins on recovery; a
    commit half copied at its end fails its checksum and is left out whole. Without a log: only when nothing moved.
    """
    if (before.device, before.inode) != (after.device, after.inode):
        return False
    if before.wal is None or len(before.wal.head) < WAL_HEADER:
        return before == after and writer is None
    log = after.wal
    return (
        log is not None
        and (log.inode, log.head) == (before.wal.inode, before.wal.head)
        and log.size_bytes >= before.wal.size_bytes
        and not after.hot
    )


def _recover(copy: Path, place: Place) -> int:
    """Let SQLite bring the frames of the copied log into the copied file."""
    try:
        raw = library.connect(file_uri(copy, "mode=rw"), uri=True, isolation_level=None)
        try:
            raw.execute("PRAGMA trusted_schema=OFF")
            raw.execute("PRAGMA synchronous=OFF")
            busy, frames, done = raw.execute("PRAGMA wal_checkpoint").fetchone()
        finally:
            raw.close()
    except library.Error as problem:
        raise place.error(
            f"its write-ahead log cannot be recovered: {problem}",
            "restore the file and its -wal from a backup",
        ) from problem
    if busy or frames != done:
        raise place.error(
            f"only {done} of {frames} frames of its write-ahead log could be recovered",
            "scan again",
        )
    return max(int(frames), 0)  # -1: the log held nothing that SQLite would take


def copy_by_backup(look: Look, folder: Path, wait_seconds: float, deadline: float | None) -> None:
    """Make `folder`/copy.db, waiting at most `wait_seconds` for a writer that keeps readers out."""
    _check_room(folder, look.stamp(), look.place)
    source = library.connect(file_uri(look.path, "mode=ro"), uri=True, isolation_level=None, timeout=0)
    try:
        _share(source, look, wait_seconds, deadline)
        copy = library.connect(file_uri(folder / COPY, "mode=rwc"), uri=True, isolation_level=None)
        try:
            copy.execute("PRAGMA synchronous=OFF")
            source.backup(
                copy,
                pages=_PAGES,
                progress=lambda *_: _check_time(deadline, look.place),
            )
        finally:
            copy.close()
    except library.Error as problem:
        raise look.place.error(
            f"it cannot be copied: {problem}",
            "check the file with `PRAGMA integrity_check`",
        ) from problem
    finally:
        source.close()


def _share(source: sqlite3.Connection, look: Look, wait_seconds: float, deadline: float | None) -> None:
    """Take the shared lock by a first read in a transaction. Polls, so that Ctrl-C is heard."""
    end = time.monotonic() + wait_seconds
    while True:
        _check_time(deadline, look.place)
        before = look.stamp()
        try:
            source.execute("BEGIN")
            source.execute("PRAGMA schema_version").fetchone()
            return
        except library.OperationalError as problem:
            if source.in_transaction:
                source.execute("ROLLBACK")
            stamp, writer, still = look.steady()
            settled = still and writer is None and stamp == before  # else a writer may have caused it, and be gone by now
            if settled and stamp.hot:
                raise hot_journal(look.place) from problem
            if settled and "locked" not in str(problem):
                raise
            if time.monotonic() >= end:
                raise look.place.error(
                    f"it is locked by a writer ({writer.words() if writer else 'another program'}) "
                    f"and still was after {wait_seconds:g} s",
                    "scan again when the writer is done",
                ) from problem
        time.sleep(_PAUSE)


def hot_journal(place: Place) -> SourceError:
    return place.error(
        "a writer was interrupted and its -journal file waits to be rolled back",
        "open it once with its application or with the sqlite3 shell, which rolls it back; then scan again",
    )


def _check_room(folder: Path, stamp: Stamp, place: Place) -> None:
    log = stamp.wal.size_bytes if stamp.wal else 0
    needed = stamp.size_bytes + 2 * log + _MARGIN  # recovery can make the file grow by the log
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise place.error(
            f"it needs a private copy, {needed:,} bytes, and {folder.parent.parent} has {free:,} free",
            "set TMPDIR to a folder with more room, or scan while nobody writes",
        )


def _check_time(deadline: float | None, place: Place) -> None:
    if deadline is not None and time.monotonic() >= deadline:
        raise place.error("the time was up before it could be copied", "allow more time (--timeout)")


def _clear(folder: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        (folder / f"{COPY}{suffix}").unlink(missing_ok=True)


def _copy(source: FileIO, target: Path, place: Place, deadline: float | None) -> None:
    buffer = memoryview(bytearray(_CHUNK))
    source.seek(0)
    try:
        with open(target, "xb", buffering=0) as out:
            while count := source.readinto(buffer):
                _write(out.write, buffer[:count])
                _check_time(deadline, place)
    except FileNotFoundError:
        raise
    except OSError as problem:
        raise place.error(
            f"the private copy failed: {problem.strerror}",
            "set TMPDIR to a folder with more room, or check the disk",
        ) from problem


def _write(write: Callable[[memoryview], int], data: memoryview) -> None:
    while data:
        data = data[write(data) :]
