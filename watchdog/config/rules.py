"""From `tables:`, `columns:`, `checks:` and `off:` to CheckSpecs, for config.yaml and task.yaml alike.

A check is written as its name, or as a mapping of its name to its options. Options of a table (severity, owner, tags,
where) go to all its checks that do not set them. Options are not judged here: `plugins.bind` knows them and gets file
and line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from watchdog.config.nodes import Node
from watchdog.config.values import NamedPlace, Off
from watchdog.model import CheckSpec, Origin

_NOTHING: Mapping[str, Any] = {}
_FOR_ALL_CHECKS = ("severity", "owner", "tags", "where")


@dataclass(frozen=True)
class Rules:
    checks: tuple[CheckSpec, ...]
    off: Off
    places: tuple[NamedPlace, ...] = ()


def read_rules(node: Node, folder: Path, origin: Origin = "declared") -> Rules:
    """The rules of a source or a task, in the order of the file. The node has the shape `RulesShape`.

    Files that checks name are looked for from `folder` on.
    """
    checks = tuple(replace(spec, folder=str(folder)) for spec in _checks(node, origin))
    return Rules(checks, frozenset(_off(node)), tuple(_places(node)))


def _places(node: Node) -> Iterator[NamedPlace]:
    tables = node.get("tables")
    for name, table in tables.mapping.items():
        yield NamedPlace(name, "", tables.file, tables.line_of(name))
        columns = table.get("columns")
        for column in columns.mapping:
            yield NamedPlace(name, column, columns.file, columns.line_of(column))


def _checks(node: Node, origin: Origin) -> Iterator[CheckSpec]:
    for entry in node.get("checks").items:
        yield _spec(entry, origin, None)
    for name, table in node.get("tables").mapping.items():
        for_all = {key: table.get(key).plain() for key in _FOR_ALL_CHECKS if table.get(key).value is not None}
        for entry in table.get("checks").items:
            yield _spec(entry, origin, name, options=for_all)
        for column, rules in table.get("columns").mapping.items():
            for entry in rules.items or rules.get("checks").items:
                yield _spec(entry, origin, name, (column,), for_all)


def _off(node: Node) -> Iterator[tuple[str | None, str | None, str]]:
    yield from ((None, None, entry.plain()) for entry in node.get("off").items)
    for name, table in node.get("tables").mapping.items():
        yield from ((name, None, entry.plain()) for entry in table.get("off").items)
        for column, rules in table.get("columns").mapping.items():
            yield from ((name, column, entry.plain()) for entry in rules.get("off").items)


def _spec(
    entry: Node,
    origin: Origin,
    table: str | None,
    columns: tuple[str, ...] = (),
    options: Mapping[str, Any] = _NOTHING,
) -> CheckSpec:
    name, line, given = _named(entry)
    own = given.plain() or {}
    needs = _needs(given.get("needs")) if origin == "task" else ()
    if origin == "task":
        own.pop("needs", None)
    return CheckSpec(name, table, columns, {**options, **own}, origin, entry.file, line, needs=needs)


def _named(entry: Node) -> tuple[str, int, Node]:
    """Name, line and options of one item of `checks:`."""
    if isinstance(entry.value, str) and entry.value.strip():
        return entry.value, entry.line, Node({}, entry.file, entry.line)
    example = "such as: not_null, or: {accepted_range: {min: 0}}"
    if not entry.mapping:
        raise entry.wrong("a check is its name, or a mapping of its name to its options", hint=example)
    if len(entry.mapping) > 1:
        keys = ", ".join(entry.mapping)
        raise entry.wrong(
            f"one check was expected here, found the keys {keys}", hint="indent the options below the check's name"
        )
    ((name, options),) = entry.mapping.items()
    if options.value is not None and not isinstance(options.value, Mapping):
        raise entry.wrong(f"check {name!r}: its options have to be a mapping of keys to values", name, hint=example)
    return name, entry.line_of(name), options


def _needs(node: Node) -> tuple[tuple[str, str], ...]:
    """`needs: {table: [columns]}` of a task's check."""
    if node.value is None:
        return ()
    if not isinstance(node.value, Mapping):
        raise node.wrong("needs: must be a mapping of tables to lists of their columns")
    for table, columns in node.mapping.items():
        if not all(isinstance(column.value, str) for column in columns.items) or not isinstance(columns.value, tuple):
            raise node.wrong(f"needs.{table}: must be a list of column names", table)
    return tuple((table, str(column.value)) for table, columns in node.mapping.items() for column in columns.items)
