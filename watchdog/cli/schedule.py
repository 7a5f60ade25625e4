"""`watchdog schedule`: the schedules of config.yaml, run by APScheduler until it is told to end."""

from __future__ import annotations

from pathlib import Path

from watchdog import scheduler
from watchdog.config import load_config
from watchdog.pipeline import run_once


def run(config: Path, only_list: bool) -> int:
    if only_list:
        for name, when, moment in scheduler.list_next(load_config(config)):
            print(f"{name:24} {when:20} {moment}")
        return 0
    return scheduler.run(config, lambda name: run_once(config, name))
