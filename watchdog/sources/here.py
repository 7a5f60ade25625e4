"""Is a file already open in this process? Looks at the descriptors we have, never at the file.

Closing any descriptor of a file drops every POSIX lock that this process holds on it (fcntl(2)), also those of an
application's own SQLite connections, which could then be corrupted. So ask here before a file is opened at all, and
read it from a child process when the answer is yes. Without POSIX locks (Windows) the answer is always no.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

_LISTS = ("/proc/self/fd", "/dev/fd")  # Linux; macOS and the BSDs
_MOST = 65_536  # descriptors tried one by one where neither list exists


def open_in_this_process(path: str | Path) -> bool:
    """True when a descriptor of this process is on the same file, under whatever name. A missing file is not open."""
    if os.name == "nt":
        return False
    try:
        wanted = os.stat(path)
    except OSError:
        return False
    return any(_same(number, wanted) for number in _descriptors())


def _same(number: int, wanted: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.fstat(number), wanted)
    except OSError:  # closed since it was listed
        return False


def _descriptors() -> Iterable[int]:
    for folder in _LISTS:
        try:
            return [int(entry) for entry in os.listdir(folder) if entry.isdigit()]
        except OSError:
            continue
    most = os.sysconf("SC_OPEN_MAX")
    return range(min(most, _MOST) if most > 0 else _MOST)
