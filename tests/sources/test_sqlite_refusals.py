"""What cannot be read is refused with its own reason and a next step, and is left as it was."""

from __future__ import annotations

import os
import random
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from watchdog.errors import SourceError
from watchdog.model import Limits
from watchdog.sources.sqlite import open_sqlite

Keep = Callable[[Path], None]
Start = Callable[..., Any]


def refusal(path: Path | str, **more: Any) -> SourceError:
    limits = more.pop("limits", Limits())
    with (
        pytest.raises(SourceError) as caught,
        open_sqlite(path, name="shop", limits=limits, **more),
    ):
        pass
    assert caught.value.hint
    assert "Traceback" not in str(caught.value)
    return caught.value


def patched(shop: Path, at: int, data: bytes) -> bytes:
    content = bytearray(shop.read_bytes())
    content[at : at + len(data)] = data
    return bytes(content)


CONTENT: dict[str, tuple[Callable[[Path], bytes], str]] = {
    "empty": (lambda shop: b"", "it is empty (0 bytes), so there is nothing to scan"),
    "text": (lambda shop: b"id,name\n" * 512, "it is not a SQLite database"),
    "short": (lambda shop: b"x", "it is not a SQLite database"),
    "gzip": (lambda shop: b"\x1f\x8b" + zlib.compress(shop.read_bytes()), "it is a gzip file, not a SQLite 3 database"),
    "lfs": (lambda shop: b"version https://git-lfs.github.com/spec/v1\n", "it is a Git LFS pointer, not"),
    "encrypted": (lambda shop: random.Random(1).randbytes(8192), "or an encrypted one: its first bytes look random"),
    "cut": (lambda shop: shop.read_bytes()[:5000], "it is truncated: 5,000 bytes of 8,192"),
    "cut in header": (lambda shop: shop.read_bytes()[:50], "it is truncated inside its header"),
    "newer": (lambda shop: patched(shop, 18, b"\3\3"), "it is in a newer file format (read version 3, schema format 4)"),
    "newer schema": (lambda shop: patched(shop, 44, b"\0\0\0\5"), "newer file format (read version 1, schema format 5)"),
    "page size": (lambda shop: patched(shop, 16, b"\x03\xe8"), "its header is damaged"),
    "fractions": (lambda shop: patched(shop, 21, b"\0"), "its header is damaged"),
    "schema": (lambda shop: shop.read_bytes().replace(b"CREATE TABLE t(", b"CREATE TABLE t)"), "malformed database schema"),
}  # fmt: skip


@pytest.mark.parametrize("kind", CONTENT)
def test_each_bad_content_has_its_own_words(
    kind: str, shop: Path, untouched: Keep
) -> None:
    content, words = CONTENT[kind]
    path = shop.with_name("bad.db")
    path.write_bytes(content(shop))
    untouched(shop.parent)
    problem = refusal(path)
    assert problem.message.startswith(f"source 'shop': cannot read {path}: ")
    assert words in problem.message


def test_a_missing_file_is_refused_and_not_made(data: Path, untouched: Keep) -> None:
    untouched(data)
    assert refusal(data / "none.db").message.endswith("none.db: no such file")
    assert refusal(data / "none" / "none.db").message.endswith("none.db: no such file")


def test_a_folder_and_a_pipe_are_refused_without_waiting(
    data: Path, untouched: Keep
) -> None:
    os.mkfifo(data / "pipe")
    untouched(data)
    assert refusal(data).message.endswith("it is a folder")
    assert refusal(data / "pipe").message.endswith("it is not a regular file")


def test_an_impossible_path_is_refused_in_one_line(data: Path, untouched: Keep) -> None:
    untouched(data)
    assert "\n" not in refusal(f"{data}/new\nline").message
    assert refusal(f"{data}/{'x' * 300}").message.endswith("File name too long")
    assert "null" in refusal("a\0b").message


def test_no_permission_says_so(
    shared: Path, made: Start, as_nobody: Start, untouched: Keep
) -> None:
    path = shared / "secret.db"
    made(path, "CREATE TABLE t(n)")
    path.chmod(0o000 if os.geteuid() else 0o600)
    assert "no permission to read it" in as_nobody(lambda: refusal(path))
    path.chmod(0o644)
    Path(f"{path}-wal").write_bytes(b"x")
    Path(f"{path}-wal").chmod(0o000 if os.geteuid() else 0o600)
    assert "its -wal file cannot be read: Permission denied" in as_nobody(
        lambda: refusal(path)
    )
    Path(f"{path}-wal").chmod(0o600)
    untouched(shared)


def test_a_hot_journal_without_its_writer_is_refused(
    data: Path, made: Start, writer: Start, untouched: Keep
) -> None:
    path = data / "hot.db"
    made(path, "CREATE TABLE t(n, x)", "INSERT INTO t VALUES (1, zeroblob(200000))")
    killed = writer(path)
    killed.say(
        "PRAGMA cache_size=1",
        "BEGIN",
        "UPDATE t SET x = randomblob(200000)",
        "INSERT INTO t SELECT * FROM t",
    )
    killed.kill()
    assert Path(f"{path}-journal").stat().st_size > 0
    untouched(data)
    for snapshot in (False, True):
        problem = refusal(path, snapshot=snapshot)
        assert (
            "a writer was interrupted and its -journal file waits to be rolled back"
            in problem.message
        )


def test_a_copy_that_does_not_fit_says_so(
    shop: Path, child: Start, temp: Path, untouched: Keep
) -> None:
    base = sqlite3.connect(shop)
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("INSERT INTO t(word) VALUES (hex(zeroblob(100000)))")
    base.commit()
    base.close()
    untouched(shop.parent)
    code = """
import resource, sys
from watchdog.errors import SourceError
from watchdog.model import Limits
from watchdog.sources.sqlite import open_sqlite
resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
try:
    with open_sqlite(sys.argv[1], name="shop", limits=Limits(), snapshot=True): print("read")
except SourceError as problem: print(problem.message)
"""
    assert child(code, shop).hear().endswith("the private copy failed: File too large")
    assert list(temp.iterdir()) == []


def test_a_deadline_that_has_passed_stops_a_copy(
    shop: Path, temp: Path, untouched: Keep
) -> None:
    untouched(shop.parent)
    problem = refusal(shop, snapshot=True, limits=Limits(deadline=0.0))
    assert "the time was up before it could be copied" in problem.message
    assert list(temp.iterdir()) == []
