"""Data goes up, imports go down: each module imports from the floors below its own, and rooms never from each other."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from imports_of import imports_of

FLOORS = (
    {"urls"},  # the cellar: what even an error needs
    {"about", "clock", "errors", "model", "printed"},  # ground: it and the cellar know the standard library only
    {"codec", "config", "places", "plugins", "reading", "sql", "writing"},  # tools
    {"catalog", "chat", "checks", "dialects", "history", "importers", "infer", "notify", "render", "sandbox", "scan",
     "sources", "task", "verify"},  # rooms
    {"author", "investigate", "report"},  # workshops, the only floor with langgraph
    {"pipeline"},  # the hallway
    {"cli", "demo", "mcp", "rest", "scheduler"},  # doors
)  # fmt: skip
WORKSHOPS = FLOORS[4]
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}
PACKAGE = Path(__file__).parents[1] / "watchdog"
FILES = sorted(p for p in PACKAGE.rglob("*.py") if p.parent != PACKAGE or p.name != "__init__.py")


def room(file: Path) -> str:
    return file.relative_to(PACKAGE).with_suffix("").parts[0]


def objections(file: Path, own: str) -> Iterator[str]:
    for name in imports_of(ast.parse(file.read_text(encoding="utf-8"))):
        top, _, rest = name.partition(".")
        other = rest.partition(".")[0]
        if not top:
            yield f"{own} imports {name}: say the full name"
        elif top == "watchdog":
            # the command line opens the other doors
            if not (FLOOR[other] < FLOOR[own] or other == own or (own == "cli" and FLOOR[other] == FLOOR[own])):
                yield f"{own} (floor {FLOOR[own]}) imports {name} (floor {FLOOR[other]})"
        elif FLOOR[own] <= FLOOR["errors"] and top not in sys.stdlib_module_names:
            yield f"the ground floor imports {name}"
        elif top == "langgraph" and own not in WORKSHOPS:
            yield f"{own} imports {name}: only the workshops {sorted(WORKSHOPS)} do"


def test_every_module_has_a_floor() -> None:
    assert {room(file) for file in FILES} <= set(FLOOR)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_imports_only_go_down(file: Path) -> None:
    assert list(objections(file, room(file))) == []


HIDDEN = """
def f():
    if TYPE_CHECKING:
        import a
    else:
        import b
    try:
        from c.d import e
    finally:
        from . import g
"""


def test_an_import_is_seen_wherever_it_hides() -> None:
    assert list(imports_of(ast.parse(HIDDEN))) == ["b", "c.d.e", "..g"]


def test_what_is_against_the_rules_is_seen(tmp_path: Path) -> None:
    wrong = {
        "model": "import sqlalchemy",
        "scan": "from watchdog.checks import unique",
        "config": "def f():\n    import watchdog.pipeline",
        "verify": "import langgraph.graph",
        "scheduler": "from watchdog import cli",
        "infer": "from . import dates",
    }
    right = {
        "scan": "import sqlalchemy\nfrom watchdog import sql",
        "report": "import langgraph",
        "cli": "import watchdog.demo",
    }
    for told, expected in ((wrong, 1), (right, 0)):
        for name, code in told.items():
            file = tmp_path / f"{name}.py"
            file.write_text(code)
            assert len(list(objections(file, name))) == expected, code
