"""What the command line is given to read: a config, a report, a findings document; the last two also from stdin, as `-`.

Refuses, of report and findings as WatchdogError (exit 3, "could not look"): what is not there, no UTF-8, no JSON, no
findings document, a newer format. What is said names the file and the next step, and repeats nothing that was in it.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from watchdog import urls
from watchdog.about import FORMAT
from watchdog.config import Config, is_ours, load_config
from watchdog.errors import ConfigError, UsageError, WatchdogError
from watchdog.reading import MEGABYTE, read_bytes, read_stream

STDIN = "-"
MOST = {"report": 20 * MEGABYTE, "findings": 500 * MEGABYTE}  # beyond what any run of ours writes
EXPECTED = "expected the output of `watchdog scan --format json`"


def text_at(path: Path, what: str) -> str:
    """The text, its line ends as `\\n`, without a byte order mark. `what` names the thing in errors."""
    name = shown(path)
    try:
        raw = _stdin(MOST[what]) if str(path) == STDIN else read_bytes(path, MOST[what])
    except OSError as problem:
        hint = "a pipe is named -" if problem.strerror == "not a regular file" else ""
        raise WatchdogError(f"cannot read the {what} {name}: {problem.strerror or problem}", hint=hint) from problem
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        place = f"{name}: not UTF-8 (byte {problem.start + 1:,})"
        raise WatchdogError(place, hint=f"save the {what} as UTF-8") from problem
    return text.replace("\r\n", "\n").replace("\r", "\n")  # Markdown takes a lone \r for a line end as well


def _stdin(most: int) -> bytes:
    if sys.stdin is None or sys.stdin.closed:
        raise OSError("it is closed")
    return read_stream(sys.stdin.buffer, most)


def findings_at(path: Path) -> dict[str, Any]:
    """A findings document of this format or an older one. Whether it contradicts itself is for `verify` to see."""
    name, text = shown(path), text_at(path, "findings")
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as problem:
        line = f":{problem.lineno}" if isinstance(problem, json.JSONDecodeError) else ""
        raise WatchdogError(f"{name}{line}: not valid JSON", hint=EXPECTED) from problem
    if isinstance(told, list) and told and all(isinstance(one, dict) and "findings" in one for one in told):
        raise WatchdogError(f"{name}: holds the results of {len(told)} sources", hint="give one of them")
    if not isinstance(told, dict) or not isinstance(told.get("findings"), list):
        raise WatchdogError(f"{name}: no findings document", hint=EXPECTED)
    form = told.get("format", FORMAT)
    if isinstance(form, bool) or not isinstance(form, int):
        raise WatchdogError(f"{name}: format: expected a whole number", hint=EXPECTED)
    if form > FORMAT:
        hint = "update Watchdog to read it"
        raise WatchdogError(f"{name}: findings format {form}, this version reads up to {FORMAT}", hint=hint)
    return told


def shown(path: Path) -> str:
    return "stdin" if str(path) == STDIN else str(path)


def refuse_nameless(flag: str, path: Path | None) -> None:
    """UsageError for a flag with nothing behind it, as `--rows "$UNSET"` is; a Path of nothing is the current folder."""
    if path == Path():
        raise UsageError(f"{flag}: names no file")


def config_at(named: Path | None, quiet: bool = False) -> Config | None:
    """The config that was named, else config.yaml here when it is one of ours."""
    if named is not None:
        refuse_nameless("--config", named)
        found = named
    else:
        found = Path("config.yaml")
        if not found.is_file():
            return None
        if not os.access(found, os.R_OK):
            raise ConfigError(
                "no permission to read it", file="config.yaml", hint="name another one with --config FILE"
            )
        if not is_ours(found):
            words = "config.yaml here does not open with `watchdog:`; it belongs to another program and was ignored"
            note(quiet, words)
            return None
    return load_config(found)


def note(quiet: bool, words: str) -> None:
    if not quiet:
        print(f"watchdog: note: {urls.in_words(words)}", file=sys.stderr)
