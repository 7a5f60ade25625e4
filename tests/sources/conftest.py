"""Folders that must not change, temporary folders of our own, and writers in processes of their own.

Locks are per process: a writer in this process would be invisible to the code under test, and undone by it.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

WRITER = """
import sqlite3, sys
base = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
for line in sys.stdin:
    rows = base.execute(line).fetchall()
    print("done", rows, flush=True)
"""


class Child:
    """A Python process that answers each line with one line. Ended by its pid."""

    def __init__(self, code: str, *arguments: str | Path) -> None:
        command = [sys.executable, "-c", code, *map(str, arguments)]
        environment = {
            **os.environ,
            "TMPDIR": tempfile.gettempdir(),
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.pid = self._process.pid

    def hear(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the child ended before it answered"
        return line.strip()

    def say(self, *lines: str) -> None:
        assert self._process.stdin is not None
        for line in lines:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
            self.hear()

    def kill(self) -> None:
        """SIGKILL: no chance to tidy up."""
        self._process.kill()
        self._process.communicate()


@pytest.fixture(autouse=True)
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder that no other run uses, so that what is left in it can be asserted."""
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of the source."""
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def seen(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = {p for p in folder.rglob("*") if p.is_file()}
    return {
        os.fspath(p.relative_to(folder)): (p.read_bytes(), p.stat().st_mtime_ns)
        for p in files
    }


@pytest.fixture
def untouched() -> Iterator[Callable[[Path], None]]:
    """Call it when a folder is as it must stay: names, bytes and times are compared at the end."""
    kept: dict[Path, dict[str, tuple[bytes, int]]] = {}

    def keep(folder: Path) -> None:
        kept[folder] = seen(folder)

    yield keep
    assert kept, "the test never said what must stay as it is"
    for folder, before in kept.items():
        assert seen(folder) == before


@pytest.fixture
def child() -> Iterator[Callable[..., Child]]:
    started: list[Child] = []

    def start(code: str, *arguments: str | Path) -> Child:
        started.append(Child(code, *arguments))
        return started[-1]

    yield start
    for process in started:
        process.kill()


@pytest.fixture
def writer(child: Callable[..., Child]) -> Callable[[Path], Child]:
    """Start a process with the database open, to which SQL is said."""
    return lambda path: child(WRITER, path)


@pytest.fixture
def shop(data: Path) -> Path:
    """A quiet database of three rows in rollback mode."""
    path = data / "shop.db"
    make(
        path,
        "CREATE TABLE t(id INTEGER PRIMARY KEY, word TEXT)",
        "INSERT INTO t(word) VALUES ('a'), ('b'), ('c')",
    )
    return path


def make(path: Path, *statements: str) -> None:
    base = sqlite3.connect(os.fspath(path), isolation_level=None)
    for statement in statements:
        base.execute(statement)
    base.close()


@pytest.fixture
def made() -> Callable[..., None]:
    """Make a database file by SQL statements."""
    return make


@pytest.fixture
def as_nobody() -> Callable[[Callable[[], object]], str]:
    """Run something without root's rights; the words of what it returned or raised."""

    def run(action: Callable[[], object]) -> str:
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                if os.geteuid() == 0:
                    os.setgid(65534)
                    os.setuid(65534)
                answer = repr(action())
            except BaseException as problem:  # noqa: BLE001  (it has to cross a pipe)
                answer = f"{type(problem).__name__}: {problem}"
            os.write(write, answer.encode())
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as pipe:
            answer = pipe.read()
        os.waitpid(pid, 0)
        return answer

    return run


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that every user may enter, which pytest's own are not."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
