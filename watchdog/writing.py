"""What is written: whole or not at all, and never over what the program reads.

A `Guard` knows what must stay: databases with the files that SQLite keeps beside them, configs, other inputs. It knows them
by device and inode as well as by name, so no spelling, link or mount hides one. Every writer asks it before anything is
opened for writing. Refuses (UsageError): a target that is kept, one that holds a SQLite database or its log, whosever, one
whose folder would have to be made in the place of such a file, and a URL.

A file comes to be beside its place, as `.NAME.PID-RANDOM.part`, and is flock'ed as long as somebody writes it. A run that
was killed leaves it there with the lock free: the next run of the same output removes it, and never one in use.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from watchdog import urls
from watchdog.errors import OutputError, UsageError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

SIDES = ("-wal", "-journal", "-shm")  # what SQLite keeps under a database's own name
LONGEST = 180  # bytes of a name inside that of its part file; names end at 255
_MAGIC = (b"SQLite format 3\0", b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
_PART = re.compile(r"\..+\.\d+-[0-9a-f]{16}\.part", re.DOTALL)
_HINT = "name another file"

Mark = tuple[object, ...]  # one way to know a file again


# ---------------------------------------------------------------- what must stay


@dataclass(frozen=True)
class Guard:
    """What must not be written over: each mark with the words for what it stands for."""

    marks: Mapping[Mark, str] = field(default_factory=dict)

    def keeping(self, databases: Iterable[str | Path] = (), files: Iterable[str | Path] = (), *, shown: str = "") -> Guard:
        """This one, with further databases (their side files too, which may not be there yet) and single files. `shown`: how
        messages name the databases, whose paths may hold a secret."""
        marks = dict(self.marks)
        for given in databases:
            for path in dict.fromkeys((os.path.realpath(given), os.path.abspath(given))):
                for side in SIDES:
                    marks |= dict.fromkeys(_marks(path + side, folded=True), f"the {side} file of {shown or given}")
            marks |= dict.fromkeys(_marks(given), f"{shown or given}, which is read")
        for given in files:
            marks |= dict.fromkeys(_marks(given), f"{given}, which is read")
        return Guard(marks)

    def refuse(self, target: str | Path, flag: str = "", *, ours: bool = False) -> None:
        """UsageError when the target must stay as it is. `flag` names what asked for it; `ours`: a database of the program's
        own is expected there."""
        said = f"{flag} {urls.shown(str(target))}".strip()
        if urls.is_url(str(target)):
            hint = "a file called so is named by its whole path"
            raise UsageError(f"{said}: an output is a file or folder, not a URL", hint=hint)
        if kept := self._kept(target):
            raise UsageError(f"{said}: would be written over {kept}", hint=_HINT)
        if not ours and _is_of_a_database(os.path.realpath(target)):
            raise UsageError(f"{said}: is a SQLite database or belongs to one", hint=_HINT)
        for folder in _folders_to_make(target):
            if kept := self._kept(folder):
                raise UsageError(f"{said}: its folder would take the place of {kept}", hint=_HINT)
            if _is_of_a_database(os.path.realpath(folder)):
                raise UsageError(f"{said}: its folder would take the place of a SQLite database's file", hint=_HINT)

    def _kept(self, place: str | Path) -> str | None:
        return next((self.marks[mark] for mark in _marks(place, folded=True) if mark in self.marks), None)

    def refuse_stream(self, number: int, flag: str) -> None:
        """UsageError when an open descriptor, such as that of stdout, writes into a file that must stay."""
        with contextlib.suppress(OSError):
            found = os.fstat(number)
            kept = self.marks.get(("inode", found.st_dev, found.st_ino)) if stat.S_ISREG(found.st_mode) else None
            if kept is not None:
                raise UsageError(f"{flag}: would be written over {kept}", hint=_HINT)


NO_GUARD = Guard()


def _marks(given: str | Path, *, folded: bool = False) -> list[Mark]:
    """By its real name, by its inode when it is there, by its name in its folder's inode.

    `folded`: by its name in small letters too, for files that a file system which does not tell case apart would find.
    """
    try:
        real = os.path.realpath(given)
    except ValueError:  # a NUL: no file can be called so
        return []
    folder, name = os.path.split(real)
    found: list[Mark] = [("name", real)]
    with contextlib.suppress(OSError, ValueError):
        there = os.stat(folder)
        found.append(("place", there.st_dev, there.st_ino, name))
        if folded:
            found.append(("folded", there.st_dev, there.st_ino, name.casefold()))
    with contextlib.suppress(OSError, ValueError):
        there = os.stat(real)
        found.append(("inode", there.st_dev, there.st_ino))
    return found


def _folders_to_make(target: str | Path) -> list[Path]:
    """The folders above that are not there, as they are spelled and as they really are: `a/../b` makes `a` as well."""
    above = [*Path(target).parents, *Path(os.path.realpath(target)).parents]
    return [folder for folder in dict.fromkeys(above) if not (os.path.isdir(folder) or os.path.isdir(os.path.realpath(folder)))]


def _is_of_a_database(real: str) -> bool:
    """A database of SQLite, its log or journal, or the place where they would be."""
    beside = (real.removesuffix(side) for side in SIDES if real.endswith(side))
    return any(_begins_as_sqlite(path) for path in (real, *beside))


def _begins_as_sqlite(target: str) -> bool:
    try:
        if not stat.S_ISREG(os.stat(target).st_mode):
            return False
        with open(target, "rb", buffering=0) as file:
            return file.read(16).startswith(_MAGIC)
    except (OSError, ValueError):
        return False


# ---------------------------------------------------------------- whole or not at all


def write_text(path: Path, text: str, guard: Guard = NO_GUARD) -> None:
    """A reader sees the old file or the new one, a full disk leaves the old one. OutputError, or UsageError by the guard."""
    with whole(path, guard) as file:
        file.write(text)


@contextlib.contextmanager
def whole(path: Path, guard: Guard = NO_GUARD, *, private: bool = False) -> Iterator[IO[str]]:
    """A file that takes its place when the block ends; after an error or Ctrl-C what was there is still there.

    private: a file that its owner alone can read, in a folder of the program's own, where whatever dead runs left is removed.
    """
    guard.refuse(path)
    try:
        if _is_stream(path):  # written to, never replaced
            with path.open("w", encoding="utf-8", newline="") as file:
                yield file
            return
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
        sweep(path.parent, guard, None if private else path.name)
        part, handle = _new_part(path)
        try:
            with open(handle, "w", encoding="utf-8", newline="") as file:
                yield file
                file.flush()
                os.fsync(handle)
                if not private:
                    os.chmod(part, 0o666 & ~_umask())
                guard.refuse(path)
                os.replace(part, path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as problem:
        reason = problem.strerror or problem
        raise OutputError(f"cannot write {path}: {reason}", hint="the result is not there") from problem


def sweep(folder: Path, guard: Guard = NO_GUARD, name: str | None = None) -> None:
    """Removes the part files that killed runs left in a folder: of the file `name`, of all without one."""
    opens = f".{_stem(name)}." if name is not None else "."
    found = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        found = [e.path for e in entries if e.name.startswith(opens) and _PART.fullmatch(e.name)]
    for part in found:
        rest = os.path.basename(part)[len(opens) :]
        if name is None or rest.count(".") == 1:  # not that of a file whose name only begins so
            _remove_dead(part, guard)


def _remove_dead(part: str, guard: Guard) -> None:
    if fcntl is None:
        return
    with contextlib.suppress(OSError, UsageError):
        guard.refuse(part)
        handle = os.open(part, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            found = os.fstat(handle)
            if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and found.st_nlink == 1:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(part)
        finally:
            os.close(handle)


def _new_part(path: Path) -> tuple[Path, int]:
    """A file that was not there, and its descriptor, whose lock keeps it."""
    while True:
        part = path.with_name(f".{_stem(path.name)}.{os.getpid()}-{os.urandom(8).hex()}.part")
        handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
        if fcntl is None:
            return part, handle
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(handle), os.lstat(part)):
                return part, handle
        except (BlockingIOError, FileNotFoundError):  # another run swept it before it was locked
            pass
        except OSError:  # a file system without locks, where nobody can sweep either
            return part, handle
        os.close(handle)


def _stem(name: str) -> str:
    """The name inside a part file's: itself, or a digest where that would be too long."""
    raw = os.fsencode(name)
    return name if len(raw) <= LONGEST else hashlib.sha256(raw).hexdigest()[:32]


def _is_stream(path: Path) -> bool:
    """A pipe, a device, or a name for an open descriptor such as /dev/stdout."""
    if not path.exists():
        return False
    folder = os.path.realpath(path.parent)
    return not path.is_file() or folder == "/dev" or folder.startswith(("/dev/fd", "/proc/"))


def _umask() -> int:
    if sys.platform == "win32":
        return 0
    mask = os.umask(0)
    os.umask(mask)
    return mask
