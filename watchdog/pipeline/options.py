"""What one run is asked for beyond the configuration: the flags of the command line, the arguments of a Python caller."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from watchdog.codec import Baseline
from watchdog.model import CheckSpec, Severity
from watchdog.scan.measure import Progress, quiet


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
    progress: Progress = field(default=quiet, compare=False)
