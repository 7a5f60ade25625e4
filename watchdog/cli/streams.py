"""stdout that is whole or an error, stderr that never is one: for every command, whoever prints.

Python's own streams lose what a full disk or a pipe takes only in part when PYTHONUNBUFFERED is set, print a traceback when
the disk of stderr is full, and are None where the shell closed them (then `print` to stderr goes to stdout). A descriptor
that is closed is opened on /dev/null first: the next file that is opened would take its number, and what a library says
on stderr would land in it. That these were closed is remembered: /dev/stdout is no output then.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import select
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from watchdog.errors import OutputError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


_LINKS = 40  # that Linux follows in one name
_NUMBERS = re.compile(r"/dev/fd|/proc/(?P<process>\d+)/(?:task/\d+/)?fd")  # the folders that hold open descriptors
_was_closed: set[int] = set()


class ClosedPipe(Exception):
    """The reader of stdout has gone: end quietly."""


class _Raw(io.RawIOBase):
    """Writes all of what it is given, or fails. After a failure nothing more is tried."""

    def __init__(self, number: int | None, *, strict: bool) -> None:
        self.number, self.strict, self.failed = number, strict, False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        if self.number is None:
            raise io.UnsupportedOperation("closed")
        return self.number

    def isatty(self) -> bool:
        return self.number is not None and os.isatty(self.number)

    def write(self, data: ReadableBuffer, /) -> int:
        rest = memoryview(data).cast("B")
        size = len(rest)
        try:
            while rest and not self.failed:
                rest = rest[self._some(rest) :]
        except OSError as problem:
            self.failed = True
            if self.strict and isinstance(problem, BrokenPipeError):
                raise ClosedPipe from None
            if self.strict:
                raise OutputError(f"cannot write to stdout: {problem.strerror or problem}") from problem
        return size

    def _some(self, data: memoryview) -> int:
        if self.number is None:
            raise OSError("it is closed; use --output FILE")
        try:
            written = os.write(self.number, data)
        except BlockingIOError:  # a pipe that somebody made non-blocking: wait for room
            select.select([], [self.number], [])
            return 0
        if not written:
            raise OSError("nothing was taken")
        return written


@contextlib.contextmanager
def safe_streams() -> Iterator[None]:
    """For the time of one command, which has to flush stdout itself to learn whether all of it arrived.

    Streams that somebody put in place of the process's own are left alone.
    """
    _occupy_standard_numbers()
    before = sys.stdout, sys.stderr
    if sys.stdout is sys.__stdout__:
        sys.stdout = _text(before[0], 1, strict=True)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _text(before[1], 2, strict=False)
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OutputError, ClosedPipe, OSError, ValueError):
                stream.flush()
        sys.stdout, sys.stderr = before


def _text(old: TextIO | None, number: int, *, strict: bool) -> io.TextIOWrapper:
    raw = _Raw(number if old is not None and not old.closed else None, strict=strict)
    line_by_line = not strict or raw.isatty()
    encoding = getattr(old, "encoding", None) or "utf-8"
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding, "backslashreplace", line_buffering=line_by_line)


def _occupy_standard_numbers() -> None:
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            _was_closed.add(number)
            with contextlib.suppress(OSError):
                os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # takes the lowest number that is free: this one


def refuse_closed(path: Path, flag: str) -> None:
    """OutputError when the path names a standard stream, as /dev/stdout and /dev/fd/1 do, that was closed by the caller."""
    if _was_closed and _descriptor(path) in _was_closed:
        raise OutputError(f"cannot write to {flag} {path}: it is closed", hint="name a file")


def _descriptor(path: Path) -> int | None:
    """The number of an open descriptor that a path names, through links too. What the number stands for is not followed."""
    for _ in range(_LINKS):
        folder = os.path.realpath(path.parent)
        found = _NUMBERS.fullmatch(folder)
        if found and path.name.isdecimal() and found["process"] in (None, str(os.getpid())):
            return int(path.name)
        try:
            path = Path(folder, os.readlink(path))
        except OSError:  # no link, or not there
            return None
    return None
