"""Reading text files inside one folder, and nothing outside of it.

In: a path as a model writes it. Out: the text of a regular file, or a refusal. The path is walked one name at a time from
the folder's own descriptor and no step follows a link: links are read and walked as names, so that nothing that is swapped
between a look and the next can lead outside. Refused: whatever leads outside, secrets (by the names in `secrets.py`),
folders, devices, pipes, sockets, binary files, and private keys wherever they lie.
"""

from __future__ import annotations

import codecs
import os
import re
import stat
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from watchdog.errors import UsageError
from watchdog.sandbox.refused import Refused, told, visible
from watchdog.sandbox.secrets import database_name, masked, private_key, secret_name

LIMIT_BYTES = 64_000
LONGEST_PATH = 4_096  # characters
MOST_LINKS = 40  # as Linux
MOST_ENTRIES = 200_000  # files and folders that a look for secrets walks through
MOST_COVERED = 2_000

_HERE = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_FOLDER = _HERE | getattr(os, "O_DIRECTORY", 0)
_FILE = _HERE | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)  # a pipe must not make us wait for its writer

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CONTROL = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]")


@dataclass(frozen=True)
class FileText:
    path: str  # from the project folder, links resolved
    text: str
    size_bytes: int
    left_out_bytes: int  # of the end of the file


@dataclass(frozen=True)
class Covered:
    """What a command must not see of a folder, as paths from it."""

    folders: tuple[str, ...]
    files: tuple[str, ...]


class _Stop(Exception):
    def __init__(self, rule: str, message: str) -> None:
        self.refused = Refused(rule, message)


class Folder:
    """One project folder. `hidden` are further patterns of names that are secret."""

    def __init__(self, root: Path, *, hidden: Sequence[str] = (), limit_bytes: int = LIMIT_BYTES) -> None:
        """UsageError where there is no such folder, or where it is the whole disk."""
        self._given = os.path.abspath(root)
        self.root = Path(os.path.realpath(root))
        self._hidden, self.limit_bytes = tuple(hidden), limit_bytes
        if not self.root.is_dir():
            raise UsageError(f"{root}: no such folder", hint="the tools of a model read inside one project folder")
        if self.root.parent == self.root:
            raise UsageError(f"{root}: the whole disk is no project folder", hint="name the folder of the project")
        self._identity = _identity(os.stat(self.root))

    def read(self, path: str) -> FileText | Refused:
        """Never raises."""
        try:
            with self._opened(path) as (descriptor, name):
                return self._text(descriptor, name)
        except _Stop as stop:
            return stop.refused
        except OSError as problem:
            return Refused("path.unreadable", f"{told(path)} cannot be read: {problem.strerror or 'it failed'}")

    @contextmanager
    def _opened(self, path: str) -> Iterator[tuple[int, str]]:
        """The descriptor of a regular file inside, and its path from the folder."""
        if os.open not in os.supports_dir_fd or os.stat not in os.supports_dir_fd:
            raise _Stop("path.unsupported", "this system cannot open files relative to a folder, so none is read")
        names = deque(self._names(path))
        root = os.open(self.root, _FOLDER)
        held = [root]  # the folders from the project's down to where we are
        try:
            if _identity(os.fstat(root)) != self._identity:
                raise _Stop("path.changed", "the project folder was replaced by another one")
            yield self._walk(path, names, held)
        finally:
            for descriptor in held:
                os.close(descriptor)

    def _names(self, path: str) -> list[str]:
        if "\0" in path:
            raise _Stop("path.nul", "a path holds no NUL character")
        if len(path) > LONGEST_PATH:
            raise _Stop("path.too_long", f"a path has at most {LONGEST_PATH:,} characters, this one {len(path):,}")
        if not path.strip():
            raise _Stop("path.empty", "no path was given")
        try:
            os.fsencode(path)
        except UnicodeEncodeError:
            raise _Stop("path.text", f"{told(path)} cannot be the name of a file") from None
        if path.startswith("~"):
            raise _Stop("path.home", f"{told(path)}: '~' means nothing here, paths start from the project folder")
        inside = self._inside(path) if path.startswith("/") else path
        if inside is None:
            raise _Stop("path.outside", f"{told(path)} is outside of the project folder")
        return inside.split("/")

    def _inside(self, path: str) -> str | None:
        """The rest of an absolute path that starts with the project folder; None where it does not."""
        plain = re.sub("/+", "/", path)
        for root in (self._given, str(self.root)):
            if plain == root or plain.startswith(root + "/"):
                return plain[len(root) + 1 :]
        return None

    def _walk(self, path: str, names: deque[str], held: list[int]) -> tuple[int, str]:
        passed: list[str] = []
        links = 0
        while names:
            name = names.popleft()
            if name in ("", "."):
                continue
            if name == "..":
                if not passed:
                    raise _Stop("path.outside", f"{told(path)} leads outside of the project folder")
                passed.pop()
                os.close(held.pop())
                continue
            if pattern := secret_name(name, self._hidden):
                raise _Stop("path.secret", f"{told(path)} may hold secrets (names like {pattern!r} are not read)")
            look = self._look(path, name, held[-1])
            if stat.S_ISLNK(look.st_mode):
                links += 1
                if links > MOST_LINKS:
                    raise _Stop("path.loop", f"{told(path)} goes through more than {MOST_LINKS} links")
                target = self._target(path, name, held[-1])
                if target.startswith("/"):
                    inside = self._inside(target)
                    if inside is None:
                        raise _Stop("path.outside", f"{told(path)} is a link that leads outside of the project folder")
                    target = inside
                    passed.clear()
                    while len(held) > 1:
                        os.close(held.pop())
                names.extendleft(reversed(target.split("/")))
                if len(names) > LONGEST_PATH:
                    raise _Stop("path.loop", f"{told(path)} goes through links that grow without end")
                continue
            if stat.S_ISDIR(look.st_mode):
                held.append(self._open(path, name, _FOLDER, held[-1]))
                passed.append(name)
                continue
            if any(rest not in ("", ".") for rest in names):
                raise _Stop("path.missing", f"there is no file {told(path)} in the project folder")
            _regular(path, look)
            held.append(self._open(path, name, _FILE, held[-1]))
            opened = os.fstat(held[-1])
            _regular(path, opened)
            if _identity(opened) != _identity(look):
                raise _Stop("path.changed", f"{told(path)} was replaced while it was opened")
            return held[-1], "/".join([*passed, name])
        raise _Stop("path.folder", f"{told(path)} is a folder, not a file")

    def _look(self, path: str, name: str, at: int) -> os.stat_result:
        try:
            return os.stat(name, dir_fd=at, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            raise _Stop("path.missing", f"there is no file {told(path)} in the project folder") from None

    def _target(self, path: str, name: str, at: int) -> str:
        try:
            return os.readlink(name, dir_fd=at)
        except OSError:  # it was a link a moment ago
            raise _Stop("path.changed", f"{told(path)} was replaced while it was opened") from None

    def _open(self, path: str, name: str, flags: int, at: int) -> int:
        try:
            return os.open(name, flags, dir_fd=at)
        except PermissionError:
            raise
        except OSError:  # it was there a moment ago, and was neither a link nor of another kind
            raise _Stop("path.changed", f"{told(path)} was replaced while it was opened") from None

    def _text(self, descriptor: int, name: str) -> FileText | Refused:
        data = _read(descriptor, self.limit_bytes)
        size = max(os.fstat(descriptor).st_size, len(data))
        text = decoded(data, whole=len(data) == size)
        if text is None:
            return Refused("path.binary", f"{told(name)} is a binary file of {size:,} bytes, which is not shown")
        if private_key(text):
            return Refused("path.secret", f"{told(name)} holds a private key, which is not shown")
        return FileText(name, visible(masked(text)), size, size - len(data))

    def covered(self, *, databases: bool = True) -> Covered | Refused:
        """The secrets, pipes, sockets and devices (and databases) below the folder; links are not followed.

        A folder that cannot be listed is covered as a whole. Refused where there is too much to look through.
        """
        folders: list[str] = []
        files: list[str] = []
        waiting = [""]
        seen = 0
        while waiting:
            here = waiting.pop()
            try:
                with os.scandir(self.root / here) as entries:
                    for entry in entries:
                        seen += 1
                        if seen > MOST_ENTRIES or len(folders) + len(files) > MOST_COVERED:
                            return Refused("command.project_too_large", "the project folder is too large for commands")
                        below = os.path.join(here, entry.name)
                        folder = entry.is_dir(follow_symlinks=False)
                        if entry.is_symlink():
                            continue  # where it leads is covered under its own name
                        if secret_name(entry.name, self._hidden):
                            (folders if folder else files).append(below)
                        elif folder:
                            waiting.append(below)
                        elif not entry.is_file(follow_symlinks=False) or (databases and database_name(entry.name)):
                            files.append(below)
            except FileNotFoundError:
                continue  # gone meanwhile
            except OSError:
                if not here:
                    return Refused("command.project_unreadable", "the project folder cannot be listed")
                folders.append(here)
        return Covered(tuple(sorted(folders)), tuple(sorted(files)))


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _regular(path: str, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise _Stop("path.special", f"{told(path)} is no regular file (a device, a pipe or a socket)")


def _read(descriptor: int, limit: int) -> bytes:
    parts: list[bytes] = []
    left = limit
    while left > 0 and (part := os.read(descriptor, left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def decoded(data: bytes, *, whole: bool) -> str | None:
    """The text of bytes; None for binary data. Bytes that are not valid become the replacement character, and where the
    data are only the beginning, a character that is cut at their end is left out."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    if encoding == "utf-8" and (b"\0" in data or len(_CONTROL.findall(data)) > len(data) // 20):
        return None
    return codecs.getincrementaldecoder(encoding)("replace").decode(data, final=whole)
