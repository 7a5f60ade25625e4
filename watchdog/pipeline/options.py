"""What one run is asked for beyond the configuration: the flags of the command line, the arguments of a Python caller.

UsageError for a time limit that is none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from watchdog.codec import Baseline
from watchdog.errors import UsageError
from watchdog.model import CheckSpec, Severity
from watchdog.scan.measure import Progress, quiet
from watchdog.writing import NO_GUARD, Guard

LONGEST_TIMEOUT = 366 * 24 * 3600  # seconds; the system's own clocks and waits overflow not far above


@dataclass(frozen=True, kw_only=True)
class Options:
    """None = as the configuration says."""

    samples: int | None = None
    sample_values: Literal["full", "masked", "none"] | None = None
    fail_on: Severity | Literal["never"] | None = None
    infer: bool | None = None
    jobs: int | None = None
    now: datetime | None = None
    timeout: float | None = None  # seconds for the whole scan of one source
    select: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    baseline: Baseline | None = None
    keys: bool = False  # whether a baseline of the run will be written: the keys of its failing rows are looked up
    rows: Path | None = None  # where all failing rows go: .csv or .jsonl
    rows_level: Severity = Severity.LOW
    specs: tuple[CheckSpec, ...] = ()  # further declared checks
    guard: Guard = field(default=NO_GUARD, compare=False, repr=False)  # what no output may be written over; the source never is
    progress: Progress = field(default=quiet, compare=False)
    cell_seconds: float = 10.0  # of computing that a regular expression may spend on one cell, in a process of its own

    def __post_init__(self) -> None:
        if self.timeout is not None and not 0 < self.timeout <= LONGEST_TIMEOUT:  # nan is neither
            raise UsageError(
                f"timeout {self.timeout:g}: not a number of seconds above 0, at most {LONGEST_TIMEOUT:,}",
                hint="leave it out for no limit",
            )
