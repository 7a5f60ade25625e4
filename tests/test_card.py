"""What the project promises from the outside: its folders, the six packages it is built on, and a real use of each."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
from imports_of import imports_of

# the package and the module that a use of it imports
BUILT_ON = {
    "langgraph": "langgraph",
    "langchain-openai": "langchain_openai",
    "sqlalchemy": "sqlalchemy",
    "pandas": "pandas",
    "apscheduler": "apscheduler",
    "jinja2": "jinja2",
}
# not in use yet, with the part that will use it; a package that is used may not stay here
AWAITED = {
    "jinja2": "the HTML report",
}


def imported(package: Path) -> set[str]:
    """The top names of all modules that the code imports, wherever in a file."""
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in package.rglob("*.py"))
    return {name.partition(".")[0] for tree in trees for name in imports_of(tree)}


@pytest.mark.parametrize(
    "name",
    ["config.yaml", "pyproject.toml", "README.md", "LICENSE", "reports/README.md", "tasks/data-quality/run.py",
     "tasks/crm-qa/run.py", "tests/conftest.py", "watchdog/__init__.py"],
)  # fmt: skip
def test_the_repository_has_its_parts_where_they_are_looked_for(root: Path, name: str) -> None:
    assert (root / name).is_file()


def test_the_six_packages_are_plain_dependencies(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    names = {re.split(r"[<>=!~\[; ]", requirement)[0].lower() for requirement in project["dependencies"]}
    assert set(BUILT_ON) - names == set()


@pytest.mark.parametrize("package", sorted(BUILT_ON))
def test_each_of_the_six_is_in_use_or_awaited_and_not_both(root: Path, package: str) -> None:
    in_use = BUILT_ON[package] in imported(root / "watchdog")
    assert in_use or package in AWAITED, f"nothing in watchdog/ imports {package}"
    assert not (in_use and package in AWAITED), f"{package} is in use now: take it off AWAITED"
