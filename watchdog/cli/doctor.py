"""`watchdog doctor`: what this installation is made of, what stands in its way, and which models it could ask.

Reads nothing but itself and the config here. Asks nobody.
"""

from __future__ import annotations

import importlib.util
import platform
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from watchdog.about import DISTRIBUTION, VERSION
from watchdog.config import environment
from watchdog.errors import WatchdogError

CORE = (
    "sqlalchemy",
    "pydantic",
    "typer",
    "ruamel.yaml",
    "pandas",
    "apscheduler",
    "jinja2",
    "langgraph",
    "langgraph-checkpoint-sqlite",
    "langchain-openai",
    "markdown-it-py",
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
    if not bad:
        lines += ["models, for --llm (nobody was asked):", *(f"  {line}" for line in _models())]
    lines += [f"note: {words}" for words in _collisions()]
    lines += [f"PROBLEM: {words}" for words in bad] or ["all is well: a scan can run here"]
    return "\n".join(lines) + "\n", 3 if bad else 0


def _models() -> Iterator[str]:
    """Each provider of the config here, or the default one: where it is, and whether its key is there. Never the key."""
    from watchdog.chat import profile_of
    from watchdog.chat.profiles import NO_KEY
    from watchdog.cli.inputs import config_at

    try:
        config = config_at(None, quiet=True)
        environ = config.environ if config else environment(Path())
    except WatchdogError as problem:
        yield f"not ready: {problem.message}"
        return
    told = dict(config.providers) if config and config.providers else {"default": {}}
    for name, provider in sorted(told.items()):
        if provider.get("kind", "openai") == "scripted":
            yield f"{name}: replies from {provider.get('file')}, no server"
            continue
        try:
            profile = profile_of(provider, name=name, env=environ)
        except WatchdogError as problem:
            yield f"{name}: not ready: {problem.message}"
            continue
        key = (
            "needs no key"
            if profile.key == NO_KEY
            else "its key is set"
            if profile.key
            else f"no key ({profile.key_missing})"
        )
        yield f"{name}: {profile.model} at {profile.server}, {key}"


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
