"""The benchmark is also a proof: Watchdog, SQL written by hand and the faults that were put in agree on all 28 counts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).resolve().parents[2] / "benchmarks" / "run.py"


def test_watchdog_and_sql_written_by_hand_count_the_known_faults() -> None:
    command = [sys.executable, str(RUN), "--rows", "2000", "--rounds", "1", "--only", "hand,watchdog"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for name, than in (("watchdog", "hand"), ("hand", "the known faults"), ("watchdog", "the known faults")):
        assert f"{name}: every count equals that of {than}" in done.stdout
