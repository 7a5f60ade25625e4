"""Where the things that come with Watchdog lie: its tasks and the config template.

In a wheel they lie in `watchdog/_bundled/`; in a checkout, also an editable install, at the top of the repository. A
user's `tasks/` beside config.yaml is looked at first. Refuses names that are more than a folder's name.
"""

from __future__ import annotations

import re
from pathlib import Path

from watchdog.errors import UsageError, nearest

_TASK_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def bundled(name: str, package: Path = Path(__file__).parent) -> Path:
    """A bundled file or folder by its name. UsageError when the installation does not hold it."""
    packed, checkout = package / "_bundled" / name, package.parent
    if packed.exists():
        return packed
    # pyproject.toml: the folder above an installed package is site-packages, whose `tasks` would be somebody else's
    if (checkout / "pyproject.toml").is_file() and (checkout / name).exists():
        return checkout / name
    raise UsageError(
        f"this installation lacks {name!r}", hint="install it again: pip install --force-reinstall dq-watchdog"
    )


def config_template() -> Path:
    return bundled("config.yaml")


def tasks_folders(beside: Path | None) -> list[Path]:
    """The folders that hold tasks, the one that wins first. `beside` is the folder of config.yaml."""
    own = beside / "tasks" if beside else None
    folders = [own] if own and own.is_dir() else []
    shipped = bundled("tasks")
    if not any(folder.samefile(shipped) for folder in folders):
        folders.append(shipped)
    return folders


def task_names(beside: Path | None) -> list[str]:
    found = {f.name for folder in tasks_folders(beside) for f in folder.iterdir() if (f / "task.yaml").is_file()}
    return sorted(name for name in found if _TASK_NAME.fullmatch(name))


def find_task(name: str, beside: Path | None) -> Path:
    """The folder of a task. UsageError, with the known ones, when there is none of this name."""
    if not _TASK_NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot be the name of a task", hint="letters, digits, '_' and '-'; a folder in tasks/"
        )
    for folder in tasks_folders(beside):
        if (folder / name).is_dir():
            return folder / name
    known = task_names(beside)
    hint = nearest(name, known)
    listed = f"; known: {', '.join(known)}" if known and not hint.startswith("known") else ""
    raise UsageError(f"there is no task {name!r}", hint=hint + listed)
