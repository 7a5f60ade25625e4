"""The tools of a model, by name: definitions as the OpenAI interface takes them, and calls that always answer.

In: a name and arguments as a model wrote them. Out: a `ToolResult` with text for the model. A refusal, a failure, a tool
that does not exist and arguments that do not fit are results like any other; nothing is raised.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from watchdog.errors import WatchdogError, nearest
from watchdog.sandbox.commands import CommandLimits, CommandResult, Commands
from watchdog.sandbox.paths import LIMIT_BYTES, Folder
from watchdog.sandbox.refused import Refused, told
from watchdog.sandbox.sql import Query, QueryLimits, Show


@dataclass(frozen=True)
class ToolResult:
    text: str
    ok: bool = True
    rule: str = ""  # that a refusal names, or the limit that was reached


@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    parameters: Mapping[str, Any]  # a JSON Schema: an object of texts, whole numbers and lists of texts
    run: Callable[[Mapping[str, Any]], ToolResult]

    @property
    def definition(self) -> dict[str, Any]:
        told_model = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": told_model}


class Toolbox:
    """Tools by their names; a later one takes the place of an earlier one of the same name."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools = {tool.name: tool for tool in tools}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._tools)

    @property
    def definitions(self) -> list[dict[str, Any]]:
        return [tool.definition for tool in self._tools.values()]

    def call(self, name: str, arguments: Mapping[str, Any] | None) -> ToolResult:
        """Never raises. `arguments` None: the model wrote something that is no JSON object."""
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None:
            hint = nearest(str(name)[:100], self._tools) or "there are no tools"
            return ToolResult(f"there is no tool {told(str(name))}; {hint}", ok=False, rule="tool.unknown")
        wrong = _misfit(arguments, tool.parameters)
        if wrong or arguments is None:
            return ToolResult(f"{tool.name}: {wrong}", ok=False, rule="tool.arguments")
        try:
            return tool.run(arguments)
        except WatchdogError as problem:
            return ToolResult(f"{tool.name} failed: {problem}", ok=False, rule="tool.failed")
        except Exception as problem:  # noqa: BLE001 a model's call must not end the run it is part of
            return ToolResult(f"{tool.name} failed: {type(problem).__name__}", ok=False, rule="tool.failed")


def toolbox(
    project: Path,
    *,
    allow: Iterable[str] = (),
    connection: sqlite3.Connection | None = None,
    show: Show | None = None,
    hidden: Sequence[str] = (),
    limit_bytes: int = LIMIT_BYTES,
    command_limits: CommandLimits | None = None,
    query_limits: QueryLimits | None = None,
    now: datetime | None = None,
) -> Toolbox:
    """`read_file` and `run_command` (off until names are allowed); with a connection also `query`.

    `hidden` are further patterns of names that are secret, `show` says what is shown of a value that a query returns (see
    `sql.py`: as it is, unless told). UsageError for a folder or an allowed name that cannot be.
    """
    folder = Folder(project, hidden=hidden, limit_bytes=limit_bytes)
    tools = [read_file(folder), run_command(Commands(folder, allow=allow, limits=command_limits))]
    if connection is not None:
        tools.append(query(Query(connection, limits=query_limits, show=show, now=now)))
    return Toolbox(tools)


# ---------------------------------------------------------------- the tools


def read_file(folder: Folder) -> Tool:
    def run(arguments: Mapping[str, Any]) -> ToolResult:
        found = folder.read(arguments["path"])
        if isinstance(found, Refused):
            return _refused(found)
        rest = (
            f"\n[{found.left_out_bytes:,} of {found.size_bytes:,} bytes are left out]" if found.left_out_bytes else ""
        )
        return ToolResult(found.text + rest)

    about = (
        "Read one text file of the project. The path starts from the project folder. Secrets, binary files and anything "
        f"outside of the folder are refused; of a long file the first {folder.limit_bytes:,} bytes are given."
    )
    return Tool("read_file", about, _schema(path="the file, for example tasks/data-quality/task.yaml"), run)


def run_command(commands: Commands) -> Tool:
    def run(arguments: Mapping[str, Any]) -> ToolResult:
        found = commands.run(arguments["argv"])
        return _refused(found) if isinstance(found, Refused) else ToolResult(_in_words(found), found.ok, found.rule)

    allowed = f"Allowed: {', '.join(commands.allowed)}." if commands.allowed else "No command is allowed at present."
    about = (
        "Run one command in the project folder, read-only, without a shell (no pipes, redirects or variables) and without a "
        f"network. {allowed}"
    )
    parameters = _schema(argv="the name of the command and its arguments, one item each")
    parameters["properties"]["argv"] |= {"type": "array", "items": {"type": "string"}}
    return Tool("run_command", about, parameters, run)


def query(database: Query) -> Tool:
    def run(arguments: Mapping[str, Any]) -> ToolResult:
        found = database.run(arguments["sql"])
        return _refused(found) if isinstance(found, Refused) else ToolResult(found.to_json())

    about = "Run one SELECT (or WITH ... SELECT) on the database, in SQLite's SQL, and get columns and rows as JSON."
    return Tool("query", about, _schema(sql="one SELECT or WITH statement"), run)


def _refused(refused: Refused) -> ToolResult:
    return ToolResult(f"refused ({refused.rule}): {refused.message}", ok=False, rule=refused.rule)


def _in_words(result: CommandResult) -> str:
    parts = [f"exit code {result.exit_code}"] if result.exit_code is not None else []
    parts += result.reasons
    text = "; ".join(parts) + "\n"
    for name, output, cut in (
        ("stdout", result.stdout, result.stdout_truncated),
        ("stderr", result.stderr, result.stderr_truncated),
    ):
        if output:
            text += f"{name}{' (only its beginning)' if cut else ''}:\n{output.rstrip()}\n"
    return text


# ---------------------------------------------------------------- arguments


def _schema(**texts: str) -> dict[str, Any]:
    """A JSON Schema of texts that all have to be given."""
    return {
        "type": "object",
        "properties": {name: {"type": "string", "description": about} for name, about in texts.items()},
        "required": list(texts),
        "additionalProperties": False,
    }


def _misfit(arguments: object, schema: Mapping[str, Any]) -> str:
    """What is wrong with the arguments; "" when they fit. One text where a list of texts is asked for fits."""
    if not isinstance(arguments, Mapping):
        return "the arguments are not a JSON object"
    known: Mapping[str, Any] = schema.get("properties", {})
    for name in arguments:
        if name not in known:
            return f"unknown argument {told(str(name))}; {nearest(str(name)[:100], known) or 'there are none'}"
    for name in schema.get("required", ()):
        if name not in arguments:
            return f"the argument {name!r} is missing"
    for name, value in arguments.items():
        if not _fits(value, known[name].get("type", "string")):
            return f"the argument {name!r} is not of the type {known[name].get('type', 'string')!r}"
    return ""


def _fits(value: object, kind: str) -> bool:
    if kind == "array":
        return isinstance(value, str) or (isinstance(value, list | tuple) and all(isinstance(v, str) for v in value))
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, str)
