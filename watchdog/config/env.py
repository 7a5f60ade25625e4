"""What the environment adds: variables from `.env`, and `${NAME}` in the values that may hold secrets.

What `.env` says is handed on as values and never put into the environment: no program that is started inherits it.

A message names the variable and never its value.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from watchdog import urls
from watchdog.config.nodes import Node, read_text, shown
from watchdog.errors import ConfigError

_PLACEHOLDER = re.compile(r"\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(?::-([^{}]*))?\})?")
_LINE = re.compile(r"(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)")
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(?:#.*)?')
_SINGLE = re.compile(r"'([^']*)'\s*(?:#.*)?")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def substitute(node: Node, environ: Mapping[str, str]) -> str:
    """The text of a node with `${NAME}` and `${NAME:-default}` filled in.

    As in a shell, the default also replaces an empty value.
    """

    def fill(found: re.Match[str]) -> str:
        name, default = found[1], found[2]
        if name is None:
            raise node.wrong("'${' opens a variable that is never closed", hint="write ${NAME} or ${NAME:-default}")
        value = environ.get(name)
        if value is None and default is None:
            raise node.wrong(
                f"the environment variable {name} is not set",
                hint=f"set it, in .env too, or write ${{{name}:-default}}",
            )
        return default if not value and default is not None else value or ""

    return _PLACEHOLDER.sub(fill, str(node.value))


def as_written(node: Node) -> str:
    """What messages and results show of such a node: the variable's name where its value (or default) is filled in, and
    no password that stands beside it."""
    return urls.shown(_PLACEHOLDER.sub(lambda found: f"${{{found[1] or ''}}}", str(node.value)))


def environment(folder: Path) -> dict[str, str]:
    """The variables of `.env` in a folder and of the environment, which wins."""
    return {**env_file(folder / ".env"), **os.environ}


def env_file(path: Path) -> dict[str, str]:
    """The KEY=VALUE lines of a file, the first of two with one key; {} without one.

    Understands `export`, quotes (escapes inside double ones) and comments; nothing is expanded inside a value.
    """
    told: dict[str, str] = {}
    if not path.exists():
        return told
    file = shown(path)
    for number, line in enumerate(read_text(path, file).splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        pair = _LINE.fullmatch(line)
        value = _value(pair[2]) if pair else None
        if not pair or value is None or "\0" in value:
            raise ConfigError(
                "not a KEY=VALUE line", file=file, line=number, hint="quote a value that holds quotes or #"
            )
        told.setdefault(pair[1], value)
    return told


def _value(text: str) -> str | None:
    """The value behind `=`; None when a quote is not closed."""
    if found := _DOUBLE.fullmatch(text):
        return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), found[1])
    if found := _SINGLE.fullmatch(text):
        return found[1]
    return None if text[:1] in ("'", '"') else re.sub(r"(^|\s+)#.*", "", text).rstrip()
