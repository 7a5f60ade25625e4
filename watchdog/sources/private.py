"""Private temporary folders for copies of other people's data, gone when their use ends.

`<temp>/watchdog-<uid>/` (mode 0700, ours, never a symlink) holds one sub-folder a use, each with a file that stays
flock'ed as long as the use lasts. A run that was killed leaves its sub-folder behind with the lock free: the next run
removes it, and never one in use. A flock on the base itself orders creating and sweeping. Without flock (Windows)
nothing is swept.

Refuses a base that belongs to somebody else, and to work where only the folder to avoid would be left.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from watchdog.errors import SourceError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_IN_USE = "in-use"


@contextlib.contextmanager
def private_folder(*, avoid: str | Path) -> Iterator[Path]:
    """A fresh folder only we can read, not in the folder of the file `avoid` nor below it; removed on leaving."""
    base = _place(Path(os.path.realpath(avoid)).parent) / f"watchdog-{_user()}"
    try:
        folder, lock = _create(base)
    except OSError as problem:
        raise SourceError(
            f"no private temporary folder in {base}: {problem.strerror}",
            hint="set TMPDIR to a folder that has room and may be written to",
        ) from problem
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)
        with contextlib.suppress(OSError):  # somebody else's use is in it
            base.rmdir()


def _user() -> str:
    return str(os.geteuid()) if hasattr(os, "geteuid") else "user"


def _place(source_folder: Path) -> Path:
    """The first temporary place that is neither the source's folder nor below it."""
    wanted = [
        tempfile.gettempdir(),
        "/var/tmp",
        "/tmp",
        os.environ.get("XDG_RUNTIME_DIR", ""),
        "~/.cache",
        "~",
    ]
    for text in filter(None, wanted):
        place = Path(os.path.realpath(os.path.expanduser(text)))
        beside = place == source_folder or (source_folder in place.parents and source_folder.parent != source_folder)
        if not beside and place.is_dir() and os.access(place, os.W_OK | os.X_OK):
            return place
    raise SourceError(
        f"no temporary folder outside {source_folder} for a private copy",
        hint="set TMPDIR to a folder that lies elsewhere and has room for the copy",
    )


def _create(base: Path) -> tuple[Path, int | None]:
    """The new folder and the descriptor whose lock keeps it."""
    while True:
        with contextlib.suppress(FileExistsError):
            base.mkdir(mode=0o700)
        try:
            _check(base)
            if fcntl is None:
                return Path(tempfile.mkdtemp(prefix="use-", dir=base)), None
            with _alone(base):
                _sweep(base)
                folder = Path(tempfile.mkdtemp(prefix="use-", dir=base))
                lock = os.open(folder / _IN_USE, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return folder, lock
        except FileNotFoundError:  # a run that ended took the empty base away
            continue


def _check(base: Path) -> None:
    """Ours, a real folder, closed to others: a name in a shared folder can be taken by anybody."""
    found = base.lstat()
    problem = ""
    if not stat.S_ISDIR(found.st_mode):
        problem = "is not a folder" if not stat.S_ISLNK(found.st_mode) else "is a symbolic link"
    elif hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        problem = f"belongs to user id {found.st_uid}"
    if problem:
        raise SourceError(
            f"the private temporary folder {base} {problem}",
            hint="remove it, or set TMPDIR to a folder of your own",
        )
    if os.name != "nt" and found.st_mode & 0o077:
        base.chmod(0o700)


@contextlib.contextmanager
def _alone(base: Path) -> Iterator[None]:
    """Hold the lock on the base; FileNotFoundError when it was removed meanwhile."""
    handle = os.open(base, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        if not os.path.samestat(os.fstat(handle), base.lstat()):
            raise FileNotFoundError(base)
        yield
    finally:
        os.close(handle)


def _sweep(base: Path) -> None:
    """Remove what killed runs left: sub-folders whose lock is free. Called while alone."""
    for entry in base.iterdir():
        if entry.is_dir() and not entry.is_symlink() and _free(entry / _IN_USE):
            shutil.rmtree(entry, ignore_errors=True)


def _free(lock: Path) -> bool:
    try:
        handle = os.open(lock, os.O_RDWR)
    except OSError:  # killed before the file was there, or while it was being removed
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True
