"""What a config.yaml says, merged and ready: frozen values for the rest of the house.

`defaults:` is merged into every source already. A source's own keys are listed in `given`, because a task stands
between a source and the defaults (see `with_task`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from watchdog.errors import UsageError, nearest
from watchdog.model import CheckSpec

FailOn = Literal["high", "medium", "low", "info", "never"]
SampleValues = Literal["full", "masked", "none"]
Pii = Literal["mask", "allow"]
Llm = Literal["never", "on_change", "always"]

Off = frozenset[tuple[str | None, str | None, str]]  # (table, column, check): inferred checks that are not wanted there

DEFAULT_TASK = "data-quality"


@dataclass(frozen=True, kw_only=True)
class Defaults:
    fail_on: FailOn = "high"
    samples: int = 5
    sample_values: SampleValues = "masked"
    pii: Pii = "mask"  # "allow": columns that look personal are treated like others
    time_zone: str = "UTC"
    infer: bool = True
    formats: tuple[str, ...] = ()  # further formats to write beside json and md
    owner: str | None = None
    tags: tuple[str, ...] = ()
    keep: int = 30  # runs of each source that stay in reports/


@dataclass(frozen=True)
class NamedPlace:
    """A table, or a column of it, that a config names."""

    table: str
    column: str  # "" for the table
    file: str
    line: int


@dataclass(frozen=True, kw_only=True)
class SourceConfig(Defaults):
    """One source. Exactly one of `path` and `url` is given; either may hold a secret of the environment and is kept out of
    `repr`."""

    name: str
    line: int | None
    path: Path | None = field(default=None, repr=False)  # absolute
    shown: str = ""  # path or url as it was written, ${NAME} unfilled and without password: messages and results name it so
    url: str | None = field(default=None, repr=False)
    task: str = DEFAULT_TASK
    include: tuple[str, ...] = ()  # globs of tables; () = all
    exclude: tuple[str, ...] = ()
    checks: tuple[CheckSpec, ...] = ()
    off: Off = frozenset()
    places: tuple[NamedPlace, ...] = ()
    task_line: int | None = None  # where the task is named, None where it is the default one
    given: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """When a source is scanned: by `cron` (in `time_zone`) or `every_seconds`, exactly one of the two."""

    source: str
    file: str
    line: int | None
    cron: str | None = None
    every_seconds: int | None = None
    time_zone: str = "UTC"
    jitter_seconds: int = 0
    llm: Llm = "never"


@dataclass(frozen=True, kw_only=True)
class Config:
    file: str  # as shown to people
    folder: Path  # absolute; paths in the file start here
    digest: str  # of what is written, whatever its order, comments and layout
    defaults: Defaults = Defaults()
    sources: tuple[SourceConfig, ...] = ()  # in the order of the file
    schedules: tuple[Schedule, ...] = ()
    providers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)  # with what `.env` adds

    def source(self, name: str) -> SourceConfig:
        """A source by its name. UsageError when there is none."""
        found = next((s for s in self.sources if s.name == name), None)
        if found is None:
            raise UsageError(f"{self.file} has no source {name!r}", hint=nearest(name, (s.name for s in self.sources)))
        return found
