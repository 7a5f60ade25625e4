"""Reports that have begun and not ended: where they are remembered, so that a killed one can go on.

One file of what a report was begun with and one checkpoint for each, which only their owner can read; both are gone when
the report is written. With a config.yaml that is `reports/.watchdog/` beside it, else a folder for such things of the user
(`$XDG_STATE_HOME/dq-watchdog`, else `~/.local/state/dq-watchdog`): nothing is written beside a database.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from watchdog.errors import OutputError, UsageError
from watchdog.writing import whole

_ID = re.compile(r"[\w.-]{1,120}")
_SIDES = ("", "-wal", "-shm", "-journal")


@dataclass(frozen=True)
class Unfinished:
    """One report under way. `begun`: findings, source, task, lang and provider."""

    id: str
    folder: Path
    begun: Mapping[str, Any]

    @property
    def checkpoint(self) -> Path:
        return self.folder / f"{self.id}.sqlite"

    @property
    def has_begun(self) -> bool:
        """Whether a step was kept: a process may end before its first one."""
        if not self.checkpoint.is_file():
            return False
        try:
            with contextlib.closing(sqlite3.connect(self.checkpoint)) as db:
                return db.execute("SELECT 1 FROM checkpoints LIMIT 1").fetchone() is not None
        except sqlite3.OperationalError:  # no such table
            return False
        except sqlite3.Error:
            return True  # damaged: the report says so when it opens it

    @property
    def findings(self) -> dict[str, Any]:
        told: dict[str, Any] = self.begun["findings"]
        return told

    def forget(self) -> None:
        for path in (_file(self.folder, self.id), *(Path(f"{self.checkpoint}{side}") for side in _SIDES)):
            path.unlink(missing_ok=True)


def state_folder(beside: Path | None, environ: Mapping[str, str] = os.environ) -> Path:
    """`beside` is the folder of config.yaml, None without one. Nothing is made yet."""
    if beside is not None:
        return beside / "reports" / ".watchdog"
    base = environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):  # the rule of the XDG Base Directory Specification
        base = os.path.expanduser("~/.local/state")
    return Path(base) / "dq-watchdog"


def begin(folder: Path, id: str, begun: Mapping[str, Any]) -> Unfinished:
    """Remembers what a report is about. OutputError where nothing can be written."""
    try:
        with whole(_file(folder, id), private=True) as file:
            json.dump(begun, file)
    except OutputError as problem:
        raise OutputError(f"cannot keep the state of a report in {folder}: {problem.message}") from problem
    return Unfinished(id, folder, begun)


def find(folder: Path, id: str) -> Unfinished:
    """A report that has not ended. UsageError when there is none of this id."""
    hint = "ids are told when a report begins; one that is written is forgotten"
    if not _ID.fullmatch(id):
        raise UsageError(f"--resume {id!r}: that is no id of a report", hint=hint)
    try:
        begun = json.loads(_file(folder, id).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"--resume {id}: {folder} knows of no such report", hint=hint) from None
    except (OSError, ValueError) as problem:
        raise UsageError(f"--resume {id}: what {folder} knows of it cannot be read", hint="begin anew") from problem
    if not isinstance(begun, dict) or not isinstance(begun.get("findings"), dict):
        raise UsageError(f"--resume {id}: what {folder} knows of it cannot be read", hint="begin anew")
    return Unfinished(id, folder, begun)


def _file(folder: Path, id: str) -> Path:
    return folder / f"{id}.json"
