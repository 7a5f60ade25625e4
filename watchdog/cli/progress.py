"""A progress bar on a terminal's stderr: what is read, steps done, time left. Never on a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from watchdog.codec import clean
from watchdog.scan.measure import Progress

DRAWN_SECONDS = 0.1  # between two pictures. Drawn when there is news, not by a thread: a scan is a copy of this process


@contextmanager
def bar(name: str) -> Iterator[Progress]:
    import time

    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as shown:
        line = shown.add_task(escape(clean(name)), total=None)

        shown.refresh()
        drawn = time.monotonic()

        def tell(what: str, done: int, total: int) -> None:
            nonlocal drawn
            if done < total and time.monotonic() - drawn < DRAWN_SECONDS:
                return
            drawn = time.monotonic()
            printable = "".join(c if c.isprintable() else "?" for c in clean(what))[:40]
            shown.update(line, description=escape(printable), completed=done, total=total, refresh=True)

        yield tell
