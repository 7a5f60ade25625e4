"""`watchdog schedule`: the schedules of config.yaml, run by APScheduler until it is told to end."""

from __future__ import annotations

import sys
from pathlib import Path

from watchdog import scheduler
from watchdog.config import Config, load_config
from watchdog.errors import WatchdogError
from watchdog.pipeline import run_once


def run(config: Path, only_list: bool) -> int:
    if only_list:
        for coming in scheduler.list_next(load_config(config)):
            print(f"{coming.source:24} {coming.when:20} {coming.at}")
        return 0
    _look_at_reports(load_config(config))
    return scheduler.run(config, lambda name, llm: run_once(config, name, llm=llm))


def _look_at_reports(config: Config) -> None:
    """Says at once why no model can write the reports that are wanted. The scans run all the same, with facts-only ones."""
    from watchdog.pipeline.reporting import open_writer

    for name in dict.fromkeys(s.source for s in config.schedules if s.llm != "never"):
        try:
            open_writer(config, config.source(name).task)
        except WatchdogError as problem:
            print(f"watchdog: note: {name}: reports will be facts only: {problem}", file=sys.stderr)
