"""Reads a task: task.yaml and the checks in it.

In: the task's folder. Out: a `Task` whose checks have the origin `task`. A check there may say `needs: {table:
[columns]}`, further columns that it reads: where they are missing it is skipped instead of being an error.
Refuses, as ConfigError with file and line, whatever config.yaml would refuse too. A broken task is never skipped.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

from watchdog.config import load_yaml, read_rules
from watchdog.model import Task


def load_task(folder: Path) -> Task:
    from watchdog.config.shape import TaskShape, validate

    node = load_yaml(folder / "task.yaml")
    shape = validate(TaskShape, node)
    name = folder.resolve().name
    if shape.name not in (None, name):
        raise node.wrong(
            f"name: is {shape.name!r} and the folder is {name!r}", "name", hint="a task is called like its folder"
        )
    rules = read_rules(node, folder, "task")
    # The same in every installation: a result that names a folder of site-packages would differ by machine.
    file = f"tasks/{name}/task.yaml"
    return Task(
        name=name,
        description=shape.description,
        checks=tuple(dataclasses.replace(spec, file=file) for spec in rules.checks),
        infer=shape.infer,
        prompts=shape.prompts,
        limits=shape.limits.model_dump(exclude_none=True),
        time_zone=shape.time_zone,
        off=rules.off,
    )
