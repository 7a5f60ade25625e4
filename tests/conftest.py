"""What every test may ask for: small SQLite files, and the folder of reference data where there is one."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from watchdog.model import Run

ROOT = Path(__file__).parents[1]

# In the background (`nohup make test &`) SIGINT and SIGHUP are ignored, and a child inherits that for good: one that a test
# stops by them would never hear it. A handler is not inherited, so children start with the default.
if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None):
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda *_: None)  # the tests themselves go on when a terminal closes


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return ROOT


@pytest.fixture
def database(tmp_path: Path) -> Callable[..., Path]:
    """Makes a SQLite file in a folder of its own: `database("CREATE TABLE ...", "INSERT ...", name="shop.db")`."""

    def make(*statements: str, name: str = "test.db") -> Path:
        path = tmp_path / "source" / name
        path.parent.mkdir(exist_ok=True)
        base = sqlite3.connect(path, isolation_level=None)
        for statement in statements:
            base.execute(statement)
        base.close()
        return path

    return make


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of reference data that WATCHDOG_REFERENCE names; without it the test is skipped."""
    told = os.environ.get("WATCHDOG_REFERENCE")
    if not told:
        pytest.skip("reference data: set WATCHDOG_REFERENCE to their folder")
    folder = Path(told)
    assert folder.is_dir(), f"WATCHDOG_REFERENCE={told}: no such folder"
    return folder


@pytest.fixture(scope="session", autouse=True)
def every_document_is_valid() -> Iterator[None]:
    """Every findings document of a scan in this process is checked against the published JSON Schema."""
    from jsonschema import Draft202012Validator

    from watchdog.codec import document, findings_schema
    from watchdog.pipeline import Scan

    validator = Draft202012Validator(findings_schema())
    made = document.to_dict

    def checked(run: Run) -> dict[str, Any]:
        told = made(run)
        if isinstance(run, Scan):
            validator.validate(told)
        return told

    document.to_dict = checked
    yield
    document.to_dict = made
