"""Where results go: stdout, a file, a folder; never over what is scanned.

In: texts and runs. Refuses, before anything is scanned: an output that is a source, lies where its journal would, or is the
config. OutputError when a result cannot be delivered; ClosedPipe when nobody reads stdout any more.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType

from watchdog.errors import OutputError, UsageError
from watchdog.model import Run
from watchdog.pipeline import write_text
from watchdog.pipeline.publish import folder_name

BESIDE = ("", "-wal", "-journal", "-shm")  # what SQLite keeps under a database's own name


class ClosedPipe(Exception):
    """The reader of stdout has gone: end quietly."""


def say(text: str) -> None:
    """Writes to stdout and makes sure that it got there."""
    stream = sys.stdout
    if stream is None or stream.closed:
        raise OutputError("cannot write to stdout: it is closed", hint="use --output FILE")
    try:
        stream.buffer.write(text.encode("utf-8", "backslashreplace"))
        stream.flush()
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # Python flushes what is left once more at its end
        if isinstance(problem, BrokenPipeError):
            raise ClosedPipe from None
        raise OutputError(f"cannot write to stdout: {problem.strerror}") from problem


def refuse_sources(targets: Iterable[tuple[str, Path]], sources: Iterable[Path], config: Path | None) -> None:
    """UsageError when a target would be written over a source, its side files or the config. `targets`: flag and path."""
    kept = {os.path.realpath(source) + end: source for source in sources for end in BESIDE}
    if config is not None:
        kept[os.path.realpath(config)] = config
    for flag, target in targets:
        if os.path.realpath(target) in kept:
            mine = kept[os.path.realpath(target)]
            raise UsageError(f"{flag} {target}: would be written over {mine} or beside it", hint="name another file")


def deliver(runs: Sequence[Run], part: ModuleType, output: str | None, *, several: bool) -> None:
    """One result to stdout or a file; several as one JSON array, one text after the other, or a folder of files."""
    if output is not None:
        target = Path(output)
        if several or output.endswith("/") or target.is_dir():
            if target.is_file():
                raise UsageError(f"--output {target}: several results need a folder")
            _to_folder(runs, part, target)
        elif runs:
            write_text(target, part.render(runs[0]))
        return
    texts = [part.render(one) for one in runs]
    if part.SUFFIX == ".json" and several:
        say("[\n" + ",\n".join(t.rstrip("\n") for t in texts) + "\n]\n")
    else:
        say(("\n" if part.SUFFIX == ".txt" else "").join(texts))


def _to_folder(runs: Sequence[Run], part: ModuleType, folder: Path) -> None:
    taken: dict[str, int] = {}
    for one in runs:
        name = folder_name(one.source)
        taken[name] = taken.get(name, 0) + 1
        number = f"-{taken[name]}" if taken[name] > 1 else ""  # two files of one name from two folders
        write_text(folder / f"{name}{number}{part.SUFFIX}", part.render(one))
