"""The documentation of the checks, made from what stands in them: docstrings, fields and the comments behind the fields.

python -m watchdog.checks._reference > docs/checks.md
"""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any

from watchdog.model import Check
from watchdog.plugins import check_class, check_doc, check_names, option_schema

SECTIONS = ("Measures", "Fires", "Skips", "Why", "Example")
PLACES = {"column": "a column", "columns": "several columns", "table": "a table", "database": "the source"}
COMMON = tuple(f.name for f in fields(Check))
OPENING = """# Checks

Made from the checks themselves by `python -m watchdog.checks._reference > docs/checks.md`; `watchdog explain CHECK` shows the
same on a terminal. How a check is written in config.yaml, and what the options `severity`, `where`, `at_most`, `name`,
`description`, `tags` and `owner` mean, which every check takes: [config.md](config.md).

NULL is judged by `not_null` alone (and by `primary_key` in a key). Everywhere else it is not evaluated, and how many there
were stands beside the result. `rows` counts all rows under `where`, those with NULL too.

"""


@dataclass(frozen=True)
class Option:
    """An option of a check's own. `default` is "" when it has none."""

    name: str
    values: str
    needed: bool
    default: str
    meaning: str


def options_of(check: str) -> tuple[Option, ...]:
    """The options that the check does not share with all others, in the order of its file."""
    cls, told = check_class(check), option_schema(check)["properties"]
    meanings = _comments(cls)
    own = [f for f in fields(cls) if f.name not in COMMON]
    return tuple(
        Option(
            f.name, ", ".join(dict.fromkeys(kinds(told[f.name]))), f.default is MISSING,
            "" if f.default in (MISSING, None) else json.dumps(f.default), meanings.get(f.name, ""),
        )
        for f in own
    )  # fmt: skip


_FIELD = re.compile(r"^    (\w+): .*?(?:  # (.+))?$", re.M)


def _comments(cls: type[Check]) -> dict[str, str]:
    """What stands behind the fields of a check in its file."""
    return {name: comment for name, comment in _FIELD.findall(inspect.getsource(cls)) if comment}


def kinds(told: Mapping[str, Any]) -> Iterator[str]:
    """What a part of a JSON Schema takes, in words."""
    if "enum" in told:
        yield " / ".join(f"`{v}`" for v in told["enum"])
    elif "const" in told:
        yield f"`{told['const']}`"
    elif "anyOf" in told:
        for part in told["anyOf"]:
            yield from (k for k in kinds(part) if k != "null")
    elif "$ref" in told:
        yield {"check": "a check"}.get(told["$ref"].rsplit("/", 1)[-1], "mapping")
    elif told.get("type") == "array":
        yield f"list of {' / '.join(kinds(told.get('items', {}))) or 'values'}"
    elif told.get("type") == "object":
        yield "mapping"
    else:
        words = {"string": "text", "integer": "whole number", "boolean": "true / false"}
        yield words.get(str(told.get("type")), str(told.get("type", "a check")))


def sections(check: str) -> dict[str, str]:
    """The docstring by its parts: the title under "", then Measures, Fires, Skips, Why, Example."""
    title, _, rest = check_doc(check).partition("\n")
    found = {"": title}
    for part in re.split(r"^(?=[A-Z]\w+ {2,})", rest, flags=re.M)[1:]:
        name, _, text = part.partition(" ")
        found[name] = " ".join(text.split())
    return found


def reference() -> str:
    table = "| check | finds | dimension | stands under |\n|---|---|---|---|\n" + "".join(map(_line, check_names()))
    return OPENING + table + "".join(map(_check, check_names()))


def _line(name: str) -> str:
    cls, title = check_class(name), sections(name)[""].rstrip(".")
    return f"| [`{name}`](#{name}) | {title} | {cls.dimension} | {PLACES[cls.takes]} |\n"


def _check(name: str) -> str:
    cls, told = check_class(name), sections(name)
    lines = [f"\n## {name}\n", _wrapped(told[""])]
    lines += [_wrapped(f"**{part}** {_escaped(told[part])}") for part in SECTIONS if part != "Example"]
    rule, _, message = told["Example"].partition(" -> ")
    lines += [f"**Example**\n\n    {rule}\n    -> {message}\n"]
    lines += [f"Severity {cls.default_severity.label} unless `severity` or `at_most` says otherwise.\n"]
    options = options_of(name)
    if options:
        lines += ["| option | value | default | meaning |\n|---|---|---|---|", *map(_row, options)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _row(option: Option) -> str:
    default = "needed" if option.needed else f"`{option.default}`" if option.default else ""
    return f"| `{option.name}` | {option.values} | {default} | {_escaped(option.meaning)} |"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n"


def _escaped(text: str) -> str:
    """Markdown keeps its hands off what stands outside backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else re.sub(r"([*_<|\\])", r"\\\1", p) for p in parts)


if __name__ == "__main__":
    print(reference(), end="")
