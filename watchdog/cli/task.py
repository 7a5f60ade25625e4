"""The door of `tasks/<name>/run.py`: one database, one task, findings JSON on stdout."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from watchdog.cli.output import ClosedPipe
from watchdog.cli.scan import Flags
from watchdog.cli.scan import run as scan
from watchdog.errors import WatchdogError


def run(task: str, arguments: Sequence[str]) -> int:
    """The exit code of the scan; 2 for a wrong call, 130 for Ctrl-C."""
    parser = argparse.ArgumentParser(prog=f"tasks/{task}/run.py", description=f"Scan a database with the task {task}.")
    parser.add_argument("--db", required=True, metavar="PATH", help="a SQLite database; it is only read")
    parser.add_argument(
        "--now", metavar="ISO", help="the time that ages and futures are judged by (default: the clock)"
    )
    parser.add_argument("--fail-on", metavar="LEVEL", help="exit 1 from this severity on (default high)")
    given = parser.parse_args(arguments)
    try:
        return scan(
            Flags((str(Path(given.db)),), task=task, format="json", now=given.now, fail_on=given.fail_on, alone=True)
        )
    except WatchdogError as problem:
        print(f"watchdog: {problem}", file=sys.stderr)
        return problem.exit_code
    except KeyboardInterrupt:
        return 130
    except ClosedPipe:
        return 141
