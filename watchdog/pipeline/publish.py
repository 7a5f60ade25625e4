"""Writes the results of configured sources under reports/, and removes those that are too old to be kept."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path

from watchdog.errors import UsageError
from watchdog.model import Run
from watchdog.plugins import renderer, renderer_names
from watchdog.writing import NO_GUARD, Guard, sweep, write_text

LATEST = "latest"
PARTIAL = ".partial"  # in the names of a run that looked at a part only
_RUN = r"(\d{8}T\d{6}Z-[0-9a-f]{4})"  # the id of a run, which begins with its time: names sort by it


def publish(
    run: Run,
    reports: Path,
    formats: Iterable[str] = (),
    *,
    latest: bool = True,
    keep: int | None = None,
    guard: Guard = NO_GUARD,
) -> tuple[Path, ...]:
    """Writes `<reports>/<source>/<run id>.json`, `.md` and further formats, and `latest.*` as copies. Returns the paths.

    latest: False for a run that looked at a part only, which never stands as the last whole one and is called
    `<run id>.partial.*`. keep: the newest runs of its kind that stay, this one among them; None = all.
    """
    folder = reports / folder_name(run.source)
    written = []
    for name in dict.fromkeys(("json", "markdown", *formats)):
        part = renderer(name)
        text = part.render(run)
        for stem in (run.id, LATEST) if latest else (f"{run.id}{PARTIAL}",):
            path = folder / f"{stem}{part.SUFFIX}"
            write_text(path, text, guard)
            written.append(path)
    sweep(folder, guard)
    if keep is not None:
        _remove_old(folder, run.id, keep, guard, partial=not latest)
    return tuple(written)


def published_names(formats: Iterable[str] = ()) -> tuple[str, ...]:
    """The files that `publish` writes under names that are known beforehand."""
    return tuple(f"{LATEST}{renderer(name).SUFFIX}" for name in dict.fromkeys(("json", "markdown", *formats)))


def folder_name(source: str) -> str:
    """A source's name as one folder: nothing that would leave it."""
    plain = re.sub(r"[^\w.-]+", "_", source).strip(".") or "source"
    return plain[:100]


def _remove_old(folder: Path, own: str, keep: int, guard: Guard, *, partial: bool) -> None:
    """Leaves the newest runs, `own` among them whatever the clock says. Only files that are named as ours are touched;
    one that cannot be removed stays. Partial runs make room for partial ones alone: none pushes out a whole one, of
    which `latest.*` is a copy."""
    endings = "|".join(re.escape(renderer(name).SUFFIX) for name in renderer_names())
    ours = re.compile(rf"{_RUN}{re.escape(PARTIAL) if partial else ''}(?:{endings}|\.report\.md)")
    files: dict[str, list[Path]] = {}
    for entry in folder.iterdir():
        if found := ours.fullmatch(entry.name):
            files.setdefault(found[1], []).append(entry)
    newest_first = sorted(files.keys() - {own}, reverse=True)
    for path in (path for run in newest_first[keep - 1 :] for path in files[run]):
        with contextlib.suppress(OSError, UsageError):
            guard.refuse(path)
            if stat.S_ISREG(os.lstat(path).st_mode):
                path.unlink()
