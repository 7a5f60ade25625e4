"""A progress bar on a terminal's stderr: what is read, steps done, time left. Never on a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from watchdog.codec import clean
from watchdog.scan.measure import Progress


@contextmanager
def bar(name: str) -> Iterator[Progress]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        line = shown.add_task(escape(clean(name)), total=None)

        def tell(what: str, done: int, total: int) -> None:
            printable = "".join(c if c.isprintable() else "?" for c in clean(what))[:40]
            shown.update(line, description=escape(printable), completed=done, total=total)

        yield tell
