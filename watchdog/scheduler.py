"""The door for runs on a timetable: calls `run_source` for the schedules of a config until a signal ends it.

In: a config and a function that runs one source, with a report or without, and returns its exit code. Out: 0 once SIGTERM
or SIGINT came and running scans have finished; a second signal ends the process at once. One run a source at a time: a
start that falls into a running one is left out, with a note. Starts missed while the machine slept become one start. The
config is read once. A daily time that the clocks skip in spring comes an hour later; one that they repeat in autumn comes
twice.
"""

from __future__ import annotations

import functools
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import SimpleQueue
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from watchdog.config import Config, Schedule, load_config
from watchdog.config.cron import parse_cron
from watchdog.config.values import Llm
from watchdog.errors import ConfigError, WatchdogError

if TYPE_CHECKING:
    from apscheduler.schedulers.background import BackgroundScheduler  # type: ignore[import-untyped]

RunSource = Callable[[str, Llm], int]  # a source of config.yaml, and whether a report is wanted
Say = Callable[[str], None]

WORKERS = 4  # sources scanned side by side; each scan has threads of its own


class Next(NamedTuple):
    source: str
    when: str  # the cron text, or "every 900 s"
    at: datetime  # in the schedule's time zone


def say_on_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def list_next(config: Config, now: datetime | None = None) -> list[Next]:
    """The next start of every schedule, jitter left out, soonest first."""
    moment = now or datetime.now(UTC)
    starts = [Next(s.source, _when(s), _next(s, moment)) for s in config.schedules]
    return sorted(starts, key=lambda start: (start.at, start.source))


def run(
    config_path: Path, run_source: RunSource, *, say: Say = say_on_stderr, stop: SimpleQueue[int] | None = None
) -> int:
    """Run until a signal comes or something is put into `stop`. ConfigError when there is nothing to wait for."""
    stopping = threading.Event()
    wake: SimpleQueue[int] = SimpleQueue() if stop is None else stop
    with _signals_into(wake):
        config = load_config(config_path)
        scheduler = build(config, run_source, say=say, stopping=stopping)
        scheduler.start()
        for start in list_next(config):
            say(f"{start.source}: next run {start.at.isoformat(timespec='seconds')} ({start.when})")
        wake.get()
        stopping.set()
        say("ending: waiting for running scans; a second signal ends at once")
        scheduler.shutdown(wait=True)
    return 0


def build(config: Config, run_source: RunSource, *, say: Say, stopping: threading.Event) -> BackgroundScheduler:
    """The schedules as jobs, not started yet."""
    from apscheduler.executors.pool import ThreadPoolExecutor  # type: ignore[import-untyped]
    from apscheduler.schedulers.background import BackgroundScheduler

    if not config.schedules:
        raise ConfigError("there are no schedules", file=config.file, hint='such as: {source: shop, cron: "0 6 * * *"}')
    sources = {schedule.source for schedule in config.schedules}
    scheduler = BackgroundScheduler(
        executors={"default": ThreadPoolExecutor(min(WORKERS, len(sources)))},
        job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},  # late is better than never
        timezone=UTC,
    )
    busy = {source: threading.Lock() for source in sources}
    for schedule in config.schedules:
        _next(schedule, datetime.now(UTC))
        one = functools.partial(run_source, schedule.source, schedule.llm)
        job = functools.partial(_run_one, schedule.source, one, busy[schedule.source], say, stopping)
        scheduler.add_job(
            job, _trigger(schedule, jitter=schedule.jitter_seconds), name=f"{schedule.source} {_when(schedule)}"
        )
    return scheduler


def _run_one(source: str, run: Callable[[], int], busy: threading.Lock, say: Say, stopping: threading.Event) -> None:
    """One start. An error that is meant for people is said and the timetable goes on; APScheduler logs any other."""
    if stopping.is_set():
        return
    if not busy.acquire(blocking=False):
        say(f"{source}: still running, this start is left out")
        return
    try:
        say(f"{source}: ended with exit code {run()}")
    except WatchdogError as problem:
        say(f"{source}: {problem}")
    finally:
        busy.release()


def _when(schedule: Schedule) -> str:
    return schedule.cron or f"every {schedule.every_seconds} s"


def _next(schedule: Schedule, now: datetime) -> datetime:
    found: datetime | None = _trigger(schedule, start=now).get_next_fire_time(None, now)
    if found is None:
        raise ConfigError(f"the schedule {_when(schedule)!r} never comes", file=schedule.file, line=schedule.line)
    return found


def _trigger(schedule: Schedule, *, start: datetime | None = None, jitter: int = 0) -> Any:
    """APScheduler's trigger for a schedule. `start` is when an interval is counted from (None = now)."""
    from apscheduler.triggers.combining import OrTrigger  # type: ignore[import-untyped]
    from apscheduler.triggers.cron import CronTrigger  # type: ignore[import-untyped]
    from apscheduler.triggers.interval import IntervalTrigger  # type: ignore[import-untyped]

    zone, spread = schedule.time_zone, jitter or None
    if schedule.cron is None:
        assert schedule.every_seconds is not None
        first = start + timedelta(seconds=schedule.every_seconds) if start else None
        return IntervalTrigger(seconds=schedule.every_seconds, start_date=first, timezone=zone, jitter=spread)
    cron = parse_cron(schedule.cron)
    common = {"minute": cron.minute, "hour": cron.hour, "month": cron.month, "timezone": zone, "jitter": spread}
    if cron.either:
        return OrTrigger([CronTrigger(day=cron.day, **common), CronTrigger(day_of_week=cron.weekday, **common)])
    return CronTrigger(day=cron.day, day_of_week=cron.weekday, **common)


@contextmanager
def _signals_into(wake: SimpleQueue[int]) -> Iterator[None]:
    """Put the first SIGTERM or SIGINT into the queue and leave the second one to the system.

    A queue and not an Event: `SimpleQueue.put` may interrupt itself, `Event.set` in a handler can block on its lock.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(number: int, frame: FrameType | None) -> None:
        for each in signals:
            signal.signal(each, signal.SIG_DFL)
        wake.put(number)

    signals = (signal.SIGTERM, signal.SIGINT)
    before = {number: signal.signal(number, handle) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
