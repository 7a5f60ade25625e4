"""Why a statement gave no answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Failure:
    """`fatal`: the file or the whole scan is at fault, not the metric."""

    message: str
    fatal: bool
    stopped: bool = False
    suspect: bool = False  # a regular expression was refused that has held everything up: ask again alone
    late: bool = False  # its own time limit has ended it
