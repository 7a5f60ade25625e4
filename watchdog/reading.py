"""Small files that people name, read with a bound: a device that never ends or a file of gigabytes costs no memory.

Refuses, as an OSError whose `strerror` says why: folders, pipes and devices, and what is larger than the caller expects.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

MEGABYTE = 1_000_000


def read_bytes(path: Path, most: int, *, cut: bool = False) -> bytes:
    """All of a regular file. `most`: bytes above which it is refused, or cut off there."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        if found.st_size > most and not cut:
            raise _larger(most, str(path))
        return _bounded(file, most, str(path), cut=cut)


def read_stream(stream: BinaryIO, most: int) -> bytes:
    """All that a stream such as stdin gives."""
    return _bounded(stream, most, "stdin", cut=False)


def _bounded(file: BinaryIO, most: int, name: str, *, cut: bool) -> bytes:
    data = file.read(most if cut else most + 1)
    if len(data) > most:
        raise _larger(most, name)
    return data


def _larger(most: int, name: str) -> OSError:
    return OSError(errno.EFBIG, f"larger than {most // MEGABYTE:,} MB", name)
