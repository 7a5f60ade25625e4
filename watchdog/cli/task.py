"""The door of `tasks/<name>/run.py`: one database, one task; findings JSON on stdout, with `--llm` the report's path."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from watchdog import urls
from watchdog.cli.report import Wish
from watchdog.cli.scan import Flags
from watchdog.cli.scan import run as scan
from watchdog.cli.streams import ClosedPipe, safe_streams
from watchdog.errors import WatchdogError


def run(task: str, arguments: Sequence[str]) -> int:
    """The exit code of the scan; 2 for a wrong call, 130 for Ctrl-C."""
    with safe_streams():
        try:
            try:
                return scan(_flags(task, arguments))
            finally:
                sys.stdout.flush()
        except WatchdogError as problem:
            print(f"watchdog: {problem}", file=sys.stderr)
            return problem.exit_code
        except KeyboardInterrupt:
            return 130
        except ClosedPipe:
            return 141


def _flags(task: str, arguments: Sequence[str]) -> Flags:
    given = _parser(task).parse_args(arguments)
    wish = Wish(
        given.llm, given.lang, given.provider, given.approve, given.dry_run,
        Path(given.trace) if given.trace else None, given.resume,
    )  # fmt: skip
    return Flags(
        (str(Path(given.db)),), task=task, format="json", output=given.output, now=given.now, fail_on=given.fail_on,
        alone=True, wish=wish, only_path=given.llm,
    )  # fmt: skip


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        super().error(urls.in_words(message))


def _parser(task: str) -> argparse.ArgumentParser:
    parser = _Parser(
        prog=f"tasks/{task}/run.py", description=f"Scan a database with the task {task}.",
        epilog="exit codes: 0 clean, 1 findings, 2 usage, 3 could not evaluate, 4 report not verified, 130 Ctrl-C",
    )  # fmt: skip
    add = parser.add_argument
    add("--db", required=True, metavar="PATH", help="a SQLite database; it is only read")
    add("--now", metavar="ISO", help="the time that ages and futures are judged by (default: the clock)")
    add("--fail-on", metavar="LEVEL", help="exit 1 from this severity on (default high)")
    add(
        "--output",
        metavar="PATH",
        help="write the findings there instead of stdout; with --llm, the report beside them",
    )
    add("--llm", action="store_true", help="have a model write report.md, verified, and print its path")
    add("--lang", metavar="LANG", help="of the report: en, zh (default en)")
    add(
        "--provider", metavar="NAME", help="whose model writes (default: OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL)"
    )
    add("--approve", action="store_true", help="show the report and ask before it is written")
    add("--dry-run", action="store_true", help="print the prompts with their tokens; ask nobody")
    add("--trace", metavar="FILE", help="write each step of the report there as JSON lines")
    add("--resume", metavar="ID", help="go on with a report that was cut off")
    return parser
