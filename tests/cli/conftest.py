"""The command line, called in this process: exit code, stdout and stderr of one call."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from watchdog.cli.app import main


@dataclass(frozen=True)
class Called:
    code: int
    out: str
    err: str

    @property
    def says_one_thing(self) -> bool:
        """One clear message on stderr, nothing on stdout, no traceback."""
        return self.err.startswith("watchdog: ") and self.err.count("\nwatchdog: ") == 0 and "Traceback" not in self.err


@pytest.fixture
def watchdog(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[..., Called]:
    """Calls `watchdog ARGUMENTS...` in an empty folder `tmp_path/cwd`."""
    home = tmp_path / "cwd"
    home.mkdir()
    monkeypatch.chdir(home)

    def call(*arguments: str | Path) -> Called:
        monkeypatch.setattr(sys, "argv", ["watchdog", *map(str, arguments)])
        capfd.readouterr()
        try:
            main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        out, err = capfd.readouterr()
        return Called(code, out, err)

    return call


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Three orders: one without e-mail, one with a customer that does not exist."""
    path = tmp_path / "source" / "shop.db"
    path.parent.mkdir()
    db = sqlite3.connect(path)
    db.executescript(
        """
        CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), email TEXT, total REAL);
        INSERT INTO customers VALUES (1, 'Ann'), (2, 'Bob');
        INSERT INTO orders VALUES (1, 1, 'ann@example.com', 5.0), (2, 2, NULL, 7.5), (3, 99, 'bob@example.com', 1.0);
        """
    )
    db.close()
    return path


@pytest.fixture
def config(tmp_path: Path, shop: Path) -> Callable[[str], Path]:
    """Writes a config.yaml with a source `shop`; the argument is the YAML under `tables:` (or any other key of the source)."""

    def write(rules: str, *, head: str = "") -> Path:
        path = tmp_path / "cwd" / "config.yaml"
        indented = "\n".join("    " + line for line in rules.strip("\n").splitlines())
        path.write_text(f"watchdog: 1\n{head}sources:\n  shop:\n    path: {shop}\n    infer: false\n{indented}\n")
        return path

    return write


def table(path: Path, *statements: str) -> Sequence[str]:
    db = sqlite3.connect(path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()
    return statements
