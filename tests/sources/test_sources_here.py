"""Asking whether a file is open here, without touching it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from watchdog.model import Limits
from watchdog.sources.here import open_in_this_process
from watchdog.sources.sqlite import open_sqlite


def test_an_open_file_is_known_under_each_of_its_names(shop: Path) -> None:
    link, twin = shop.with_name("link.db"), shop.with_name("twin.db")
    link.symlink_to(shop)
    os.link(shop, twin)
    assert not open_in_this_process(shop)
    base = sqlite3.connect(shop)
    assert [open_in_this_process(path) for path in (shop, str(link), twin)] == [
        True,
        True,
        True,
    ]
    base.close()
    assert not open_in_this_process(shop)


def test_a_missing_file_and_another_file_are_not_open(shop: Path) -> None:
    with shop.open("rb"):
        assert not open_in_this_process(shop.with_name("none.db"))
        assert not open_in_this_process(shop.parent)


def test_a_source_is_open_here_only_while_it_is_read(shop: Path) -> None:
    with open_sqlite(shop, name="shop", limits=Limits()):
        assert open_in_this_process(shop)
    assert not open_in_this_process(shop)


def test_asking_keeps_the_locks_of_this_process(
    shop: Path, child: Callable[..., Any]
) -> None:
    code = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    try: fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB); print("free")
    except OSError: print("held")
"""
    with shop.open("r+b") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        assert open_in_this_process(shop)
        assert child(code, shop).hear() == "held"
    assert child(code, shop).hear() == "free"
