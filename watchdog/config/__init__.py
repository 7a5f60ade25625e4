"""Reads config.yaml: what people wrote, with the line it stands in, checked and merged.

In: a path, the environment and the `.env` beside the file. Out: a frozen `Config`, whose checks are CheckSpecs that wait
for `plugins.bind`.
Refuses, as ConfigError with file and line: what is no YAML 1.2, unknown keys (naming the nearest one), wrong types,
unknown time zones and unset variables. The options of a check are not looked at here. task.yaml is read with the same
pieces.
"""

from watchdog.config.env import env_file, environment
from watchdog.config.load import is_ours, load_config, with_task
from watchdog.config.nodes import Node, load_yaml, parse_yaml, shown
from watchdog.config.rules import Rules, read_rules
from watchdog.config.schema import schema
from watchdog.config.values import Config, Defaults, Off, Schedule, SourceConfig

__all__ = [
    "Config",
    "Defaults",
    "Node",
    "Off",
    "Rules",
    "Schedule",
    "SourceConfig",
    "env_file",
    "environment",
    "is_ours",
    "load_config",
    "load_yaml",
    "parse_yaml",
    "read_rules",
    "schema",
    "shown",
    "with_task",
]
