"""What can go wrong, sorted by the person who can mend it.

Each class carries the exit code of `watchdog scan`. A message says what happened and where, `hint` says the next
step. Neither ever holds a secret or a cell value: a URL loses its password here, whoever quotes it. Anything that is
not a WatchdogError is a bug and keeps its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from watchdog import urls


class WatchdogError(Exception):
    """Could not evaluate (exit 3): the base of all errors that people are shown."""

    exit_code = 3

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(urls.in_words(message))
        self.message = urls.in_words(message)
        self.hint = urls.in_words(hint)

    def __str__(self) -> str:
        return f"{self.message}\n  {self.hint}" if self.hint else self.message


class UsageError(WatchdogError):
    """The command line asks for something that does not exist (exit 2)."""

    exit_code = 2


class ConfigError(UsageError):
    """A mistake in config.yaml, task.yaml or a file they name (exit 2). The message opens with file and line."""

    def __init__(self, message: str, *, file: str = "", line: int | None = None, hint: str = "") -> None:
        place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
        super().__init__(place + message, hint=hint)
        self.file, self.line = file, line


class SourceError(WatchdogError):
    """The source cannot be opened or read (exit 3)."""


class SourceMoved(SourceError):
    """The source was written to while it was read, so that what went wrong may be no fault of it."""


class OutputError(WatchdogError):
    """A result could not be delivered: disk full, no permission, closed file (exit 3)."""


def nearest(word: str, known: Iterable[str]) -> str:
    """A sentence that names the closest known word, else the known ones; empty when there are none."""
    names = sorted(set(known))
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"known: {shown}" if names else ""
