"""Where results go: stdout, a file, a folder.

In: texts and runs. OutputError when a result cannot be delivered; ClosedPipe when nobody reads stdout any more; UsageError
by the guard, see `watchdog.writing`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from watchdog.cli.streams import ClosedPipe
from watchdog.errors import OutputError, UsageError
from watchdog.model import Run
from watchdog.writing import Guard, write_text

__all__ = ["ClosedPipe", "deliver", "file_names", "result_files", "say"]


def say(text: str) -> None:
    """Writes to stdout and makes sure that it got there."""
    stream = sys.stdout
    if stream is None or stream.closed:
        raise OutputError("cannot write to stdout: it is closed", hint="use --output FILE")
    try:
        stream.buffer.write(text.encode("utf-8", "backslashreplace"))
        stream.flush()
    except OSError as problem:
        if isinstance(problem, BrokenPipeError):
            raise ClosedPipe from None
        raise OutputError(f"cannot write to stdout: {problem.strerror}") from problem


def deliver(runs: Sequence[Run], part: ModuleType, output: str | None, guard: Guard, *, several: bool) -> None:
    """One result to stdout or a file; several as one JSON array, one text after the other, or a folder of files."""
    if output is not None:
        targets = result_files([run.source for run in runs], output, part.SUFFIX, several=several)
        for run, target in zip(runs, targets, strict=True):
            write_text(target, part.render(run), guard)
        return
    texts = [part.render(one) for one in runs]
    if part.SUFFIX == ".json" and several:
        say("[\n" + ",\n".join(t.rstrip("\n") for t in texts) + "\n]\n")
    else:
        say(("\n" if part.SUFFIX == ".txt" else "").join(texts))


def result_files(sources: Sequence[str], output: str, suffix: str, *, several: bool) -> list[Path]:
    """The file of each result: `output` itself, or one in it for each source."""
    target = Path(output)
    if several and target.is_file():
        raise UsageError(f"--output {output}: several results need a folder")
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
