"""The wheel: what it carries, and that it can live beside PyPI's `watchdog`, which has the same import name."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from watchdog.about import DISTRIBUTION, VERSION

# what the other package has at its top; a file of ours by that name would be written over by it, or write over it
TAKEN = {"__main__", "events", "observers", "tricks", "utils", "version", "watchmedo"}


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = out.iterdir()
    assert path.name == f"dq_watchdog-{VERSION}-py3-none-any.whl"
    return zipfile.ZipFile(path)


def read(wheel: zipfile.ZipFile, ending: str) -> str:
    (name,) = (n for n in wheel.namelist() if n.endswith(ending))
    return wheel.read(name).decode()


def test_no_file_of_ours_has_a_name_that_the_other_package_uses(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[1].removesuffix(".py") for name in wheel.namelist() if name.startswith("watchdog/")}
    assert {"model", "cli", "_bundled"} <= tops
    assert tops & TAKEN == set()


def test_the_init_file_is_a_docstring_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    body = ast.parse(wheel.read("watchdog/__init__.py")).body
    assert len(body) == 1
    assert ast.get_docstring(ast.Module(body, []))


def test_everything_installed_lies_in_the_package(wheel: zipfile.ZipFile) -> None:
    assert {name.split("/")[0] for name in wheel.namelist()} == {"watchdog", f"dq_watchdog-{VERSION}.dist-info"}


def test_tasks_config_and_schema_are_carried_byte_by_byte(wheel: zipfile.ZipFile, root: Path) -> None:
    wanted = {"watchdog/_bundled/config.yaml": root / "config.yaml"}
    for file in sorted((root / "tasks").rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            wanted[f"watchdog/_bundled/{file.relative_to(root)}"] = file
    schema = "watchdog/findings.schema.json"
    assert {name: wheel.read(name) for name in wanted} == {name: file.read_bytes() for name, file in wanted.items()}
    assert wheel.read(schema) == (root / schema).read_bytes()
    assert not [name for name in wheel.namelist() if "__pycache__" in name]


def test_both_commands_are_installed(wheel: zipfile.ZipFile) -> None:
    scripts = read(wheel, ".dist-info/entry_points.txt").splitlines()
    assert {"watchdog = watchdog.cli.app:main", "dq-watchdog = watchdog.cli.app:main"} <= set(scripts)


def test_the_metadata_say_name_version_licence_and_python(wheel: zipfile.ZipFile) -> None:
    told = set(read(wheel, ".dist-info/METADATA").splitlines())
    wanted = {
        f"Name: {DISTRIBUTION}",
        f"Version: {VERSION}",
        "License-Expression: Apache-2.0",
        "Requires-Python: >=3.11",
    }
    assert wanted <= told
    assert "Apache License" in read(wheel, "licenses/LICENSE")


def test_the_lean_set_takes_the_versions_of_the_constraints(root: Path) -> None:
    pin = re.compile(r"^([a-z0-9-]+)==(\S+)", re.M)
    lean = dict(pin.findall((root / "requirements-scan.txt").read_text()))
    full = dict(pin.findall((root / "constraints.txt").read_text()))
    assert {"sqlalchemy", "pydantic", "typer", "ruamel-yaml"} <= set(lean)
    assert lean == {name: full[name] for name in lean}


def test_every_dependency_is_pinned_by_the_constraints(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    names = {re.split(r"[<>=\[ ]", requirement)[0].lower().replace(".", "-") for requirement in wanted}
    pinned = set(re.findall(r"^([a-z0-9-]+)==", (root / "constraints.txt").read_text(), re.M))
    assert names - pinned == set()
