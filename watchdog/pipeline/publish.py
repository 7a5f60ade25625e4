"""Writes results: atomically, whole or not at all."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from watchdog.errors import OutputError
from watchdog.model import Run
from watchdog.plugins import renderer


def publish(run: Run, reports: Path, formats: Iterable[str] = ()) -> tuple[Path, ...]:
    """Writes `<reports>/<source>/<run id>.json`, `.md` and further formats, and `latest.*` as copies. Returns the paths."""
    folder = reports / folder_name(run.source)
    written = []
    for name in dict.fromkeys(("json", "markdown", *formats)):
        part = renderer(name)
        text = part.render(run)
        for stem in (run.id, "latest"):
            path = folder / f"{stem}{part.SUFFIX}"
            write_text(path, text)
            written.append(path)
    return tuple(written)


def folder_name(source: str) -> str:
    """A source's name as one folder: nothing that would leave it."""
    plain = re.sub(r"[^\w.-]+", "_", source).strip(".") or "source"
    return plain[:100]


def write_text(path: Path, text: str) -> None:
    """Atomically: a reader sees the old file or the new one, a full disk leaves the old one. OutputError otherwise."""
    temporary = ""
    try:
        if path.exists() and not path.is_file():  # a pipe or a device is written to, never replaced
            path.write_text(text, encoding="utf-8", newline="")
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            temporary = file.name
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as problem:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise OutputError(
            f"cannot write {path}: {problem.strerror or problem}", hint="the result is not there"
        ) from problem


def _umask() -> int:
    if sys.platform == "win32":
        return 0
    mask = os.umask(0)
    os.umask(mask)
    return mask
