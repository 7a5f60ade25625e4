"""A scan starts fast because it loads little: what serves reports, schedules and data frames stays outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HEAVY = {"langgraph", "langchain", "langchain_core", "langchain_openai", "openai", "pandas", "numpy", "apscheduler",
         "jinja2"}  # fmt: skip
ONLY_FOR_SCANS = {"sqlalchemy", "ruamel"}
CODE = """
import json, os, sys
from watchdog.cli.app import main
del os.fork  # the scan runs here, not in a copy of this process
into = sys.argv.pop(1)
try:
    main()
finally:
    with open(into, "w") as stream:
        json.dump(sorted({name.partition(".")[0] for name in sys.modules}), stream)
"""
Loaded = Callable[..., tuple[int, set[str]]]


@pytest.fixture
def loaded(root: Path, tmp_path: Path) -> Loaded:
    """The exit code of `watchdog ARGUMENTS...` in a process of its own, and the packages that it loaded."""

    def call(*arguments: str | Path) -> tuple[int, set[str]]:
        into = tmp_path / "modules.json"
        command = [sys.executable, "-c", CODE, str(into), *map(str, arguments)]
        environment = {**os.environ, "PYTHONPATH": str(root)}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert into.exists(), done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, set(json.loads(into.read_text()))

    return call


@pytest.mark.parametrize("arguments", [["--help"], ["scan", "--help"]])
def test_help_loads_no_database_library_and_nothing_heavy(loaded: Loaded, arguments: list[str]) -> None:
    code, modules = loaded(*arguments)
    assert code == 0
    assert "typer" in modules
    assert modules & (HEAVY | ONLY_FOR_SCANS | {"rich"}) == set()


@pytest.mark.parametrize("format", ["text", "json", "markdown", "junit", "github"])
def test_a_scan_loads_nothing_heavy(loaded: Loaded, database: Callable[..., Path], format: str) -> None:
    path = database(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, word TEXT)", "INSERT INTO t(word) VALUES ('a'), ('b'), (NULL)"
    )
    code, modules = loaded("scan", path, "--format", format)
    assert code == 0
    assert "sqlalchemy" in modules
    assert modules & HEAVY == set()


def test_a_scan_by_a_config_loads_nothing_heavy(loaded: Loaded, database: Callable[..., Path], tmp_path: Path) -> None:
    path = database("CREATE TABLE t(id INTEGER PRIMARY KEY, word TEXT)", "INSERT INTO t(word) VALUES (NULL)")
    rules = "tables: {t: {columns: {word: [not_null]}}}"
    config = tmp_path / "config.yaml"
    config.write_text(f"watchdog: 1\nsources:\n  s:\n    path: {path}\n    {rules}\n")
    code, modules = loaded("scan", "--config", config)
    assert code == 1
    assert "ruamel" in modules
    assert modules & HEAVY == set()
