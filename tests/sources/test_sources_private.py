"""Private folders: closed to others, never beside the source, gone afterwards."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from watchdog.errors import SourceError
from watchdog.sources.private import private_folder

HOLD = """
import sys
from watchdog.sources.private import private_folder
with private_folder(avoid=sys.argv[1]) as folder:
    print(folder, flush=True); sys.stdin.read()
"""


def test_a_folder_is_ours_alone_and_gone_afterwards(data: Path, temp: Path) -> None:
    with private_folder(avoid=data / "shop.db") as folder:
        (folder / "copy.db").write_bytes(b"x")
        assert folder.stat().st_mode & 0o777 == 0o700
        assert folder.parent == temp / f"watchdog-{os.geteuid()}"
        assert folder.parent.stat().st_mode & 0o777 == 0o700
    assert list(temp.iterdir()) == []


def test_two_uses_have_two_folders_and_the_last_one_out_removes_the_base(
    data: Path, temp: Path
) -> None:
    with private_folder(avoid=data / "a.db") as first:
        with private_folder(avoid=data / "b.db") as second:
            assert first != second
            assert first.is_dir()
        assert first.is_dir()
        assert not second.exists()
    assert list(temp.iterdir()) == []


def test_a_killed_run_is_swept_and_a_running_one_is_not(
    data: Path, temp: Path, child: Callable[..., Any]
) -> None:
    killed, running = child(HOLD, data / "a.db"), child(HOLD, data / "a.db")
    left, used = Path(killed.hear()), Path(running.hear())
    (used / "copy.db").write_bytes(b"x")
    killed.kill()
    assert left.is_dir()
    with private_folder(avoid=data / "a.db"):
        assert not left.exists()
        assert (used / "copy.db").exists()
    running.kill()
    with private_folder(avoid=data / "a.db"):
        pass
    assert list(temp.iterdir()) == []


def test_nothing_is_made_beside_or_below_the_source(temp: Path, tmp_path: Path) -> None:
    for source in (temp / "shop.db", tmp_path / "shop.db"):
        with private_folder(avoid=source) as folder:
            assert source.parent not in folder.parents
            assert list(temp.iterdir()) == []


@pytest.mark.parametrize("kind", ["link", "file", "stranger"])
def test_a_base_that_is_not_ours_is_refused(kind: str, data: Path, temp: Path) -> None:
    base = temp / f"watchdog-{os.geteuid()}"
    if kind == "link":
        (temp / "elsewhere").mkdir()
        base.symlink_to(temp / "elsewhere")
    elif kind == "file":
        base.touch()
    else:
        if os.geteuid():
            pytest.skip("only root can give a folder to another user")
        base.mkdir()
        os.chown(base, 12345, 12345)
    words = {
        "link": "is a symbolic link",
        "file": "is not a folder",
        "stranger": "belongs to user id 12345",
    }[kind]
    with (
        pytest.raises(SourceError, match=words),
        private_folder(avoid=data / "shop.db"),
    ):
        pass
    assert kind != "link" or list((temp / "elsewhere").iterdir()) == []


def test_a_base_open_to_others_is_closed_again(data: Path, temp: Path) -> None:
    base = temp / f"watchdog-{os.geteuid()}"
    base.mkdir()
    base.chmod(0o777)
    with private_folder(avoid=data / "shop.db"):
        assert base.stat().st_mode & 0o777 == 0o700
