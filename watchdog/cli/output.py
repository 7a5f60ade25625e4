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


def refuse_sources(
    targets: Iterable[tuple[str, Path]], sources: Iterable[tuple[str, Path]], config: Path | None
) -> None:
    """UsageError when a target would be written over a source, its side files or the config. `targets`: flag and path;
    `sources`: how a path is shown, and the path."""
    kept = {os.path.realpath(source) + end: shown for shown, source in sources for end in BESIDE}
    if config is not None:
        kept[os.path.realpath(config)] = str(config)
    for flag, target in targets:
        if os.path.realpath(target) in kept:
            mine = kept[os.path.realpath(target)]
            raise UsageError(f"{flag} {target}: would be written over {mine} or beside it", hint="name another file")


def deliver(runs: Sequence[Run], part: ModuleType, output: str | None, *, several: bool) -> None:
    """One result to stdout or a file; several as one JSON array, one text after the other, or a folder of files."""
    from watchdog.pipeline import write_text  # here, as `say` also serves commands that read no database

    if output is not None:
        if several and Path(output).is_file():
            raise UsageError(f"--output {output}: several results need a folder")
        targets = result_files([run.source for run in runs], output, part.SUFFIX, several=several)
        for run, target in zip(runs, targets, strict=True):
            write_text(target, part.render(run))
        return
    texts = [part.render(one) for one in runs]
    if part.SUFFIX == ".json" and several:
        say("[\n" + ",\n".join(t.rstrip("\n") for t in texts) + "\n]\n")
    else:
        say(("\n" if part.SUFFIX == ".txt" else "").join(texts))


def result_files(sources: Sequence[str], output: str, suffix: str, *, several: bool) -> list[Path]:
    """The file of each result: `output` itself, or one in it for each source."""
    target = Path(output)
    if several or output.endswith("/") or target.is_dir():
        return [target / f"{name}{suffix}" for name in file_names(sources)]
    return [target] * len(sources[:1])


def file_names(sources: Sequence[str]) -> list[str]:
    """A name for a file of each; two files of one name from two folders are numbered."""
    from watchdog.pipeline.publish import folder_name

    taken: dict[str, int] = {}
    names = []
    for name in map(folder_name, sources):
        taken[name] = taken.get(name, 0) + 1
        names.append(f"{name}-{taken[name]}" if taken[name] > 1 else name)
    return names
