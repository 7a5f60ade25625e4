"""`watchdog doctor`: what this installation is made of and what stands in its way. Reads nothing but itself."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import sqlite3
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from watchdog.about import DISTRIBUTION, VERSION

CORE = (
    "sqlalchemy",
    "pydantic",
    "typer",
    "ruamel.yaml",
    "pandas",
    "apscheduler",
    "jinja2",
    "langgraph",
    "langchain-openai",
    "rich",
)
OLDEST_SQLITE = (3, 37, 0)  # PRAGMA table_list


def look() -> tuple[str, int]:
    """The words, and 0 when a scan can run here, else 3."""
    lines = [
        f"{DISTRIBUTION} {VERSION}, Python {platform.python_version()} on {platform.system()} {platform.machine()}",
        f"SQLite {sqlite3.sqlite_version} (module sqlite3)",
    ]
    bad = []
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        bad.append("SQLite 3.37 or later is needed: use a newer Python")
    for name in CORE:
        try:
            lines.append(f"  {name} {version(name)}")
        except PackageNotFoundError:
            needed = name in ("sqlalchemy", "pydantic", "typer", "ruamel.yaml")
            lines.append(f"  {name}: not installed" + ("" if needed else " (a scan does not need it)"))
            if needed:
                bad.append(f"the package {name} is missing: pip install {DISTRIBUTION}")
    lines += [f"note: {words}" for words in _collisions()]
    lines += [f"PROBLEM: {words}" for words in bad] or ["all is well: a scan can run here"]
    return "\n".join(lines) + "\n", 3 if bad else 0


def _collisions() -> list[str]:
    """Others that share our name: the package of file-system events, and the system's watchdog daemon."""
    notes = []
    try:
        there = version("watchdog")
    except PackageNotFoundError:
        there = ""
    if there:
        notes.append(
            f"the package 'watchdog' {there} (file-system events) is installed too; both work, installed from wheels"
        )
        spec = importlib.util.find_spec("watchdog")
        if spec and spec.origin and "observers" in {p.stem for p in Path(spec.origin).parent.iterdir()}:
            notes.append("an editable install of ours is shadowed by it: install the wheel instead")
    found = shutil.which("watchdog")
    if found and Path(found).parent != Path(sys.executable).parent:
        notes.append(f"`watchdog` on PATH is {found}, not ours: call {DISTRIBUTION} or the full path")
    return notes
