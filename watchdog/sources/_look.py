"""Look at a SQLite file from outside: header, side files and lock bytes, without taking a lock or creating anything.

One `Look` holds one descriptor from opening to closing, because closing one would drop the POSIX locks that SQLite
takes for us meanwhile (see `here`). Layouts: sqlite.org/fileformat2.html and sqlite.org/lockingv3.html.
"""

from __future__ import annotations

import os
import stat
import struct
import sys
import time
from dataclasses import dataclass
from io import FileIO
from typing import Self

from watchdog.errors import SourceError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

HEADER = 100  # bytes
WAL_HEADER = 32  # bytes; the two salts are in it, and every restart of the log changes them
_PENDING = 0x40000000  # first lock byte; RESERVED follows, then 510 SHARED bytes
_STEADY_TRIES, _STEADY_PAUSE = 10, 0.02  # seconds


@dataclass(frozen=True)
class Place:
    """How to speak of the file in messages."""

    name: str
    shown: str  # the path as given, control characters escaped

    def error(self, reason: str, hint: str) -> SourceError:
        return SourceError(f"source {self.name!r}: cannot read {self.shown}: {reason}", hint=hint)


@dataclass(frozen=True)
class Beside:
    """A side file: -wal or -journal. `head` is its first bytes."""

    inode: int
    size_bytes: int
    mtime_ns: int
    head: bytes


@dataclass(frozen=True)
class Stamp:
    """Everything that moves when somebody writes. An absent and an empty side file are both None."""

    device: int
    inode: int
    size_bytes: int
    mtime_ns: int
    change_counter: int
    wal: Beside | None
    journal: Beside | None

    @property
    def hot(self) -> bool:
        """The journal holds pages to roll back; whether a writer still needs it, the locks say."""
        return self.journal is not None and self.journal.head[:1] not in (b"", b"\0")


@dataclass(frozen=True)
class Writer:
    """A lock that only writers take, seen from outside."""

    level: str  # reserved | pending | exclusive
    pid: int  # 0 when unknown

    def words(self) -> str:
        return f"process {self.pid}" if self.pid > 0 else "another program"


class Look:
    """The open file. `path` has its symbolic links resolved, as SQLite does before it names the side files."""

    def __init__(self, given: str, place: Place) -> None:
        self.place = place
        self.path, self.file = _open(given, place)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()

    def header(self) -> bytes:
        self.file.seek(0)
        return self.file.read(HEADER)

    def stamp(self) -> Stamp:
        found = os.stat(self.path)
        return Stamp(
            found.st_dev,
            found.st_ino,
            found.st_size,
            found.st_mtime_ns,
            int.from_bytes(self.header()[24:28], "big"),
            self._beside("-wal"),
            self._beside("-journal"),
        )

    def steady(self) -> tuple[Stamp, Writer | None, bool]:
        """Stamp and writer as they stood at one moment; the last ones seen, and False, when the file never stands still."""
        for _ in range(_STEADY_TRIES):
            before, writer, after = self.stamp(), self.writer(), self.stamp()
            if before == after:
                return after, writer, True
            time.sleep(_STEADY_PAUSE)
        return after, writer, False

    def writer(self) -> Writer | None:
        """Who holds a writer's lock. None also where locks cannot be asked for (Windows, some network shares)."""
        for level, start, length in (
            ("exclusive", _PENDING + 2, 510),
            ("pending", _PENDING, 1),
            ("reserved", _PENDING + 1, 1),
        ):
            pid = _write_locked(self.file.fileno(), start, length)
            if pid is not None:
                return Writer(level, pid)
        return None

    def _beside(self, suffix: str) -> Beside | None:
        try:
            with open(self.path + suffix, "rb", buffering=0, opener=_opener) as side:
                found = os.fstat(side.fileno())
                if not found.st_size:
                    return None
                return Beside(
                    found.st_ino,
                    found.st_size,
                    found.st_mtime_ns,
                    side.read(WAL_HEADER),
                )
        except FileNotFoundError:
            return None
        except OSError as problem:
            problem.filename = self.place.shown + suffix
            raise self.place.error(
                f"its {suffix} file cannot be read: {problem.strerror}",
                f"the {suffix} file can hold part of the data: allow reading it too",
            ) from problem


def difference(before: Stamp, after: Stamp) -> str:
    """In words what moved between two looks, "" when nothing did."""
    if (before.device, before.inode) != (after.device, after.inode):
        return "another file took its place"
    said = []
    if before.size_bytes != after.size_bytes:
        said.append(f"its size went from {before.size_bytes:,} to {after.size_bytes:,} bytes")
    if before.change_counter != after.change_counter:
        said.append(f"its change counter went from {before.change_counter} to {after.change_counter}")
    for suffix, old, new in (
        ("-wal", before.wal, after.wal),
        ("-journal", before.journal, after.journal),
    ):
        if old != new:
            verb = "appeared" if old is None else "went away" if new is None else "changed"
            said.append(f"its {suffix} file {verb}")
    if before.mtime_ns != after.mtime_ns and not said:
        said.append("it was written to")
    return ", ".join(said)


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))  # a pipe must not block us


def _open(given: str, place: Place) -> tuple[str, FileIO]:
    try:
        path = os.path.realpath(given)
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise place.error("it is a folder", "name the database file in it")
        if not stat.S_ISREG(mode):
            raise place.error("it is not a regular file", "name the database file itself")
        return path, open(path, "rb", buffering=0, opener=_opener)
    except FileNotFoundError as problem:
        problem.filename = place.shown  # the path may hold a secret, and the cause is shown beside the error
        raise place.error("no such file", "is it spelled right? paths in config.yaml start from its folder") from problem
    except PermissionError as problem:
        problem.filename = place.shown
        raise place.error(
            "no permission to read it",
            "allow this user to read the file and to enter its folder",
        ) from problem
    except (OSError, ValueError) as problem:
        if isinstance(problem, OSError):
            problem.filename = place.shown
        reason = getattr(problem, "strerror", None) or str(problem)
        raise place.error(reason, "check that the path is right and its disk can be read") from problem


def _write_locked(handle: int, start: int, length: int) -> int | None:
    """The process that holds a write lock on these bytes (0: unknown), None when nobody does. Takes no lock.

    F_GETLK for a read lock names only what would block it, which are write locks; our own are never named.
    """
    if fcntl is None:
        return None
    linux = sys.platform.startswith("linux")  # the order of `struct flock` differs; the last item is padding
    layout = "hhqqi0q" if linux else "qqihhi"
    asked = (fcntl.F_RDLCK, os.SEEK_SET, start, length, 0)
    question = struct.pack(layout, *asked) if linux else struct.pack(layout, *asked[2:], *asked[:2], 0)
    try:
        answer = struct.unpack(layout, fcntl.fcntl(handle, fcntl.F_GETLK, question))
    except OSError:  # a file system without locks
        return None
    kind, pid = (answer[0], answer[4]) if linux else (answer[3], answer[2])
    return None if kind == fcntl.F_UNLCK else max(pid, 0)
