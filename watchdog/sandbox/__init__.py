"""Tools for a model, each behind a wall: files of one folder, commands by an allow-list, one reading query at a time.

A refusal is a value that names its rule; nothing here raises because of what a model asked for.
"""

from watchdog.sandbox.commands import CommandLimits, CommandResult, Commands, isolation_reason
from watchdog.sandbox.paths import FileText, Folder
from watchdog.sandbox.refused import Refused
from watchdog.sandbox.sql import Query, QueryLimits, QueryResult
from watchdog.sandbox.tools import Tool, Toolbox, ToolResult, query, read_file, run_command, toolbox

__all__ = [
    "CommandLimits",
    "CommandResult",
    "Commands",
    "FileText",
    "Folder",
    "Query",
    "QueryLimits",
    "QueryResult",
    "Refused",
    "Tool",
    "ToolResult",
    "Toolbox",
    "isolation_reason",
    "query",
    "read_file",
    "run_command",
    "toolbox",
]
