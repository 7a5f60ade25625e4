"""Measure Watchdog beside a plain full read, hand-written SQL and peers: CPU, time and memory of whole processes.

    python benchmarks/run.py [--rows 1000000 | --db orders.db] [--rounds 5] [--only hand,watchdog] [--peer gx=PYTHON]
    python benchmarks/run.py --no-config [--rows ...]      a scan that nobody configured, beside the full read
    python benchmarks/run.py --startup                     how long until anything happens

The commands run in turn, round after round, after one round that does not count; the table shows medians. CPU is user and
system time with all children, and `x` the ratio to the first command: CPU ratios carry over to other machines, walls do not.
Watchdog has one connection as its rivals do: threads that share a core would make each other's CPU seconds longer.
Counts are compared too: exit 1 when Watchdog, the hand-written SQL and the known faults do not agree on every check, or a
command fails; 2 for wrong usage. Runs from a checkout with the interpreter that runs it; needs a Unix for `wait4`.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import make_db
from rules import COUNTED

HERE = Path(__file__).resolve().parent
PEERS = {"gx": ("great_expectations", HERE / "peer_gx.py")}
RSS_UNIT = 1 if sys.platform == "darwin" else 1024  # getrusage(2): bytes on macOS, KiB elsewhere
WATCHDOG = (sys.executable, "-P", "-m", "watchdog.cli.app")

Counts = Mapping[str, int | None]


class Broken(Exception):
    """A command that did not do its work; says which and why."""


@dataclass(frozen=True)
class Command:
    name: str
    argv: tuple[str, ...]
    target: str = ""  # in words, shown beside the figures


@dataclass(frozen=True)
class Taken:
    """What one process took, and what it printed."""

    cpu_seconds: float
    wall_seconds: float
    peak_bytes: int
    printed: str


def once(command: Command, folder: Path) -> Taken:
    """Run it in `folder`, where no config.yaml is found by chance. Broken when it does not end with 0."""
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program does not compile itself at every start
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begun = time.perf_counter()
        process = subprocess.Popen(
            command.argv, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder, env=environment
        )
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode != 0:
            last = err.read().decode("utf-8", "replace").strip().splitlines()[-3:]
            raise Broken(f"{command.name} ended with {process.returncode}: {' | '.join(last)}")
        printed = out.read().decode("utf-8", "replace")
    return Taken(used.ru_utime + used.ru_stime, wall, used.ru_maxrss * RSS_UNIT, printed)


def interleaved(commands: Sequence[Command], rounds: int, folder: Path) -> dict[str, list[Taken]]:
    taken: dict[str, list[Taken]] = {c.name: [] for c in commands}
    for number in range(rounds + 1):
        for command in commands:
            print(f"round {number} of {rounds}: {command.name}", file=sys.stderr)
            one = once(command, folder)
            if number:  # the first round fills caches and compiles
                taken[command.name].append(one)
    return taken


def table(commands: Sequence[Command], taken: Mapping[str, Sequence[Taken]], unit: str) -> str:
    def median(name: str, field: str) -> float:
        return float(statistics.median(getattr(one, field) for one in taken[name]))

    whole = median(commands[0].name, "cpu_seconds")
    lines = [f"| command | CPU, {unit} | CPU s | wall s | peak MB | target |", "|---|---:|---:|---:|---:|---|"]
    for command in commands:
        cpu, wall, peak = (median(command.name, f) for f in ("cpu_seconds", "wall_seconds", "peak_bytes"))
        lines.append(
            f"| {command.name} | {cpu / whole:.2f} | {cpu:.2f} | {wall:.2f} | {peak / 1e6:.0f} | {command.target} |"
        )
    return "\n".join(lines)


# ---------------------------------------------------------------- answers


def counts_of(printed: str) -> Counts:
    """The failing rows of each check by its id: of the scripts here as they print them, of Watchdog from its findings JSON."""
    told = json.loads(printed)
    if "counts" in told:
        counts: Counts = told["counts"]
        return counts
    return {result["id"]: result["count"] for result in told["results"]}


def differences(name: str, found: Counts, expected: Counts, than: str) -> list[str]:
    said = []
    for place in COUNTED:
        if place not in found:
            said.append(f"{name} did not evaluate {place}")
        elif found[place] != expected[place]:
            said.append(f"{name} counts {found[place]} for {place}, {than} {expected[place]}")
    return said + [f"{name} evaluated {place}, which nobody asked for" for place in found if place not in COUNTED]


# ---------------------------------------------------------------- what is measured


def scan(database: Path, jobs: int) -> tuple[str, ...]:
    return (*WATCHDOG, "scan", str(database), "--fail-on", "never", "--jobs", str(jobs))


def measure_checks(database: Path, told: argparse.Namespace, folder: Path) -> int:
    rules = ("--as", "orders", "--config", str(HERE / "orders.yaml"), "--no-infer")
    known = [
        Command("full read (U)", (sys.executable, str(HERE / "baseline.py"), str(database))),
        Command("hand", (sys.executable, str(HERE / "hand.py"), str(database))),
        Command("watchdog", (*scan(database, told.jobs), *rules, "--format", "json"), "<= 10 U, <= 1.2 x hand"),
    ]
    commands = known[:1] + [
        c for c in [*known[1:], *peers(database, told.peer)] if not told.only or c.name in told.only
    ]
    taken = interleaved(commands, told.rounds, folder)
    print(heading("The 28 checks of orders.yaml", database, told.rounds))
    print(table(commands, taken, "x U"))
    found = {c.name: counts_of(taken[c.name][-1].printed) for c in commands[1:]}
    return compare(found, database)


def compare(found: Mapping[str, Counts], database: Path) -> int:
    """Say who agrees with whom; 1 when the ones that must do not."""
    expected: dict[str, Counts] = {}
    if "hand" in found:
        expected["hand"] = found["hand"]
    truth = make_db.truth_file(database)
    if truth.is_file():
        expected["the known faults"] = json.loads(truth.read_text(encoding="utf-8"))["counts"]
    wrong: list[str] = []
    for than, counts in expected.items():
        for name, own in found.items():
            if name == than:
                continue
            differing = differences(name, own, counts, than)
            print(f"\n{name}: " + ("every count equals that of " + than if not differing else "; ".join(differing)))
            wrong += differing if name not in PEERS else []
    if not expected:
        print("\nNothing to compare the counts with.")
    return 1 if wrong else 0


def peers(database: Path, pythons: Mapping[str, str]) -> list[Command]:
    found = []
    for name, (package, script) in PEERS.items():
        python = pythons.get(name)
        if python is None and importlib.util.find_spec(package):
            python = sys.executable
        if python is None:
            hint = f"--peer {name}=PYTHON names another environment"
            print(f"{name} is left out: {package} is not installed here; {hint}", file=sys.stderr)
            continue
        found.append(Command(name, (python, str(script), str(database)), ">= 2.5 x watchdog"))
    return found


def measure_no_config(database: Path, told: argparse.Namespace, folder: Path) -> int:
    commands = [
        Command("full read (U)", (sys.executable, str(HERE / "baseline.py"), str(database))),
        Command("watchdog", scan(database, told.jobs), "<= 20 U"),
    ]
    taken = interleaved(commands, told.rounds, folder)
    print(heading("A scan without configuration", database, told.rounds))
    print(table(commands, taken, "x U"))
    return 0


def measure_startup(rounds: int, folder: Path) -> int:
    tiny = folder / "tiny.db"
    database = sqlite3.connect(tiny)
    database.executescript(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'a'), (2, 'b');"
    )
    database.close()
    pairs = [
        (
            Command("import typer", (sys.executable, "-c", "import typer")),
            Command("watchdog --help", (*WATCHDOG, "--help"), "<= 2.5"),
        ),
        (
            Command("import sqlalchemy, pydantic, typer", (sys.executable, "-c", "import sqlalchemy, pydantic, typer")),
            Command("watchdog scan of two rows", (*WATCHDOG, "scan", str(tiny), "--fail-on", "never"), "<= 1.7"),
        ),
    ]
    taken = interleaved([c for pair in pairs for c in pair], rounds, folder)
    print(f"### Start-up ({rounds} rounds)")
    for pair in pairs:
        print(f"\n{table(pair, taken, 'x import')}")
    return 0


def heading(what: str, database: Path, rounds: int) -> str:
    connection = sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    (rows,) = connection.execute("SELECT count(*) FROM orders").fetchone()
    connection.close()
    size = database.stat().st_size / 1e6
    return f"### {what}: {rows:,} rows, {size:,.0f} MB (SQLite {sqlite3.sqlite_version}, {rounds} rounds)\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure Watchdog beside a full read, hand-written SQL and peers.")
    parser.add_argument(
        "--rows", type=int, default=1_000_000, help="orders in the database that is made (default 1,000,000)"
    )
    parser.add_argument("--db", type=Path, help="use this database of make_db.py instead of making one")
    parser.add_argument("--jobs", type=int, default=1, help="connections of Watchdog; the rivals have one (default 1)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--only", type=lambda text: text.split(","), default=[], help="these commands: hand,watchdog,gx"
    )
    parser.add_argument(
        "--peer", type=lambda text: text.split("=", 1), action="append", default=[], metavar="NAME=PYTHON"
    )
    parser.add_argument("--no-config", action="store_true", help="measure a scan without configuration")
    parser.add_argument("--startup", action="store_true", help="measure the start-up")
    told = parser.parse_args()
    if told.rounds < 1 or any(len(pair) != 2 or pair[0] not in PEERS for pair in told.peer):
        parser.error(
            f"--rounds is 1 or more; --peer takes one of {', '.join(PEERS)} and an interpreter, as gx=/path/to/python"
        )
    told.peer = dict(told.peer)
    if told.db and not told.db.is_file():
        parser.error(f"--db {told.db}: no such file")
    with tempfile.TemporaryDirectory(prefix="watchdog-benchmark-") as name:
        folder = Path(name)
        try:
            if told.startup:
                return measure_startup(told.rounds, folder)
            database = told.db.resolve() if told.db else folder / "orders.db"
            if not told.db:
                make_db.write(database, told.rows)
            return (measure_no_config if told.no_config else measure_checks)(database, told, folder)
        except Broken as problem:
            print(f"run.py: {problem}", file=sys.stderr)
            return 1


if __name__ == "__main__":
    sys.exit(main())
