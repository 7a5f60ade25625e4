"""The timetable: what comes next, one run a source, and a clean end."""

import os
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from apscheduler.events import EVENT_JOB_SUBMITTED  # type: ignore[import-untyped]

from watchdog.config import Config, load_config
from watchdog.errors import ConfigError, SourceError
from watchdog.scheduler import build, list_next, run

ROOT = Path(__file__).parents[2]
PATIENCE = 30  # seconds until a test gives up; none waits that long when things are right


def nothing(line: str) -> None:
    """For tests that do not look at what is said."""


def write(folder: Path, schedules: str) -> Path:
    file = folder / "config.yaml"
    sources = "sources:\n  shop: {path: shop.db, time_zone: Europe/Berlin}\n  crm: {path: crm.db}\n"
    file.write_text(f"watchdog: 1\n{sources}schedules:\n{schedules}")
    return file


def config(folder: Path, schedules: str) -> Config:
    return load_config(write(folder, schedules))


def test_two_zones_are_listed_soonest_first(tmp_path: Path) -> None:
    told = config(
        tmp_path,
        '  - {source: crm, cron: "0 6 * * *", time_zone: America/New_York}\n'
        '  - {source: shop, cron: "0 6 * * *"}\n'
        "  - {source: crm, every: 90m, jitter: 5m}\n",
    )
    now = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)  # Berlin goes to summer time half an hour later
    assert [(n.source, n.when, n.at.astimezone(UTC)) for n in list_next(told, now)] == [
        ("crm", "every 5400 s", now + timedelta(minutes=90)),
        ("shop", "0 6 * * *", datetime(2026, 3, 29, 4, tzinfo=UTC)),
        ("crm", "0 6 * * *", datetime(2026, 3, 29, 10, tzinfo=UTC)),
    ]
    assert {str(s.time_zone) for s in told.schedules} == {"America/New_York", "Europe/Berlin", "UTC"}


def test_a_schedule_keeps_what_the_config_says(tmp_path: Path) -> None:
    found = config(tmp_path, "  - {source: shop, every: 2d, jitter: 30s, llm: on_change}\n").schedules[0]
    assert (found.every_seconds, found.jitter_seconds, found.llm, found.line) == (172_800, 30, "on_change", 6)


def test_nothing_to_wait_for_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no schedules"):
        run(write(tmp_path, ""), lambda source, llm: 0)


def test_starts_that_were_missed_become_one(tmp_path: Path) -> None:
    ran: SimpleQueue[str] = SimpleQueue()

    def scan(source: str, llm: str) -> int:
        ran.put(source)
        return 0

    scheduler = build(
        config(tmp_path, "  - {source: shop, every: 1m}\n"),
        scan,
        say=nothing,
        stopping=threading.Event(),
    )
    starts: SimpleQueue[list[datetime]] = SimpleQueue()
    scheduler.add_listener(lambda event: starts.put(event.scheduled_run_times), EVENT_JOB_SUBMITTED)
    scheduler.start(paused=True)
    slept = datetime.now(UTC) - timedelta(hours=5)
    scheduler.get_jobs()[0].modify(next_run_time=slept)
    scheduler.resume()
    assert ran.get(timeout=PATIENCE) == "shop"
    submitted = starts.get(timeout=PATIENCE)
    scheduler.shutdown(wait=True)
    assert len(submitted) == 1 and submitted[0] > slept + timedelta(hours=4)
    assert ran.empty() and starts.empty()


def test_one_source_runs_once_at_a_time(tmp_path: Path) -> None:
    inside, release, said = threading.Event(), threading.Event(), SimpleQueue[str]()

    def slow(source: str, llm: str) -> int:
        inside.set()
        release.wait(PATIENCE)
        return 0

    told = config(
        tmp_path, "  - {source: shop, every: 1d}\n  - {source: shop, every: 2d}\n  - {source: crm, every: 3d}\n"
    )
    jobs = [job.func for job in build(told, slow, say=said.put, stopping=threading.Event()).get_jobs()]
    first = threading.Thread(target=jobs[0])
    first.start()
    assert inside.wait(PATIENCE)
    jobs[1]()
    assert said.get(timeout=PATIENCE) == "shop: still running, this start is left out"
    release.set()
    first.join()
    jobs[2]()
    jobs[1]()
    assert [said.get(timeout=PATIENCE) for _ in range(3)] == [
        "shop: ended with exit code 0",
        "crm: ended with exit code 0",
        "shop: ended with exit code 0",
    ]


def test_a_source_that_fails_is_told_and_runs_again(tmp_path: Path) -> None:
    said: list[str] = []

    def broken(source: str, llm: str) -> int:
        raise SourceError("cannot open shop.db", hint="look at the path")

    (job,) = build(
        config(tmp_path, "  - {source: shop, every: 1d}\n"), broken, say=said.append, stopping=threading.Event()
    ).get_jobs()
    job.func()
    job.func()
    assert said == ["shop: cannot open shop.db\n  look at the path"] * 2


def test_no_run_begins_while_it_ends(tmp_path: Path) -> None:
    ran: list[str] = []

    def scan(source: str, llm: str) -> int:
        ran.append(source)
        return 0

    stopping = threading.Event()
    told = config(tmp_path, "  - {source: shop, every: 1d}\n")
    (job,) = build(told, scan, say=nothing, stopping=stopping).get_jobs()
    stopping.set()
    job.func()
    assert ran == []


def test_it_can_be_ended_from_inside_another_program(tmp_path: Path) -> None:
    stop: SimpleQueue[int] = SimpleQueue()
    stop.put(0)
    before = signal.getsignal(signal.SIGTERM)
    said: list[str] = []
    assert run(write(tmp_path, "  - {source: shop, every: 1d}\n"), lambda s, llm: 0, say=said.append, stop=stop) == 0
    assert said[0].startswith("shop: next run ") and said[0].endswith("(every 86400 s)")
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_thread_may_run_it_without_touching_signals(tmp_path: Path) -> None:
    stop: SimpleQueue[int] = SimpleQueue()
    stop.put(0)
    codes: list[int] = []
    file = write(tmp_path, "  - {source: shop, every: 1d}\n")
    thread = threading.Thread(target=lambda: codes.append(run(file, lambda s, llm: 0, say=nothing, stop=stop)))
    thread.start()
    thread.join(PATIENCE)
    assert codes == [0]


CHILD = """
import sys, time
from pathlib import Path
from watchdog.scheduler import run

def scan(source, llm):
    print("begin", source, file=sys.stderr, flush=True)
    time.sleep(float(sys.argv[2]))
    print("end", source, file=sys.stderr, flush=True)
    return 0

sys.exit(run(Path(sys.argv[1]), scan))
"""


def child(file: Path, seconds: float) -> subprocess.Popen[str]:
    command: list[Any] = [sys.executable, "-c", CHILD, file, str(seconds)]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path})


def wait_for(process: subprocess.Popen[str], word: str) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if word in line:
            return
    raise AssertionError(f"ended before it said {word!r}")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_exit_code_0(tmp_path: Path, number: signal.Signals) -> None:
    process = child(write(tmp_path, '  - {source: shop, cron: "0 6 1 1 *"}\n'), 0)
    wait_for(process, "next run")
    process.send_signal(number)
    _, rest = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "Traceback" not in rest


def test_a_running_scan_finishes_before_the_end(tmp_path: Path) -> None:
    process = child(write(tmp_path, "  - {source: shop, every: 1s}\n"), 1.5)
    wait_for(process, "begin shop")
    process.terminate()
    _, rest = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "end shop" in rest and "exit code 0" in rest and "begin" not in rest


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    process = child(write(tmp_path, "  - {source: shop, every: 1s}\n"), 300)
    wait_for(process, "begin shop")
    process.terminate()
    wait_for(process, "ending")
    process.terminate()
    process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGTERM
