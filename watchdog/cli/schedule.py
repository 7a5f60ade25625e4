"""`watchdog schedule`: the schedules of config.yaml, run by APScheduler until it is told to end."""

from __future__ import annotations

from pathlib import Path

from watchdog import scheduler
from watchdog.config import env_file, load_config
from watchdog.pipeline import run_once


def run(config: Path, only_list: bool) -> int:
    env_file(config.parent / ".env")
    if only_list:
        for coming in scheduler.list_next(load_config(config)):
            print(f"{coming.source:24} {coming.when:20} {coming.at}")
        return 0
    return scheduler.run(config, lambda name: run_once(config, name))
