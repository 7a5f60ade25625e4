"""Remembers where a report stands, so that one that was killed goes on without asking a model the same thing again.

A SQLite file that only its owner can read (prompts and findings lie in it), one thread a report, the last `KEPT` of them. What
comes back from it is plain data: the serializer revives no class that the file may name.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watchdog.errors import WatchdogError
from watchdog.report.trace import private_file

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite import SqliteSaver
    from langgraph.graph.state import CompiledStateGraph
    from langgraph.types import StateSnapshot

DURABILITY = "sync"  # a step is in the file before the next one starts
KEPT = 20  # reports; each takes about eight times the size of its findings
WAIT_SECONDS = 10.0  # for another process that writes to the file


class CheckpointError(WatchdogError):
    """The file cannot be used, or holds something else (exit 3)."""


@contextmanager
def checkpoints(path: Path) -> Iterator[SqliteSaver]:
    """The saver of a file, which is made when it is missing. What goes wrong with the file is a CheckpointError."""
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
    from langgraph.checkpoint.sqlite import SqliteSaver

    private_file(path, "checkpoint")
    connection = sqlite3.connect(path, check_same_thread=False, timeout=WAIT_SECONDS)
    try:
        saver = SqliteSaver(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        saver.setup()
        yield saver
    except sqlite3.Error as problem:
        raise _broken(path, problem) from problem
    finally:
        connection.close()


def where_it_stands(app: CompiledStateGraph[Any, Any, Any, Any], config: Any, path: Path) -> StateSnapshot:
    """What the file knows of a thread; without values when it knows nothing."""
    try:
        return app.get_state(config)
    except WatchdogError:
        raise
    except Exception as problem:  # a damaged page, a torn value: the library has no error of its own for them
        raise _broken(path, problem) from problem


def forget_old(saver: SqliteSaver) -> None:
    """Leaves the threads that were last written to."""
    last = "SELECT thread_id FROM checkpoints GROUP BY thread_id ORDER BY max(checkpoint_id) DESC LIMIT -1 OFFSET ?"
    for (thread,) in saver.conn.execute(last, (KEPT - 1,)).fetchall():
        saver.delete_thread(thread)


def _broken(path: Path, problem: Exception) -> CheckpointError:
    why = str(problem) if isinstance(problem, sqlite3.Error) else "what it holds cannot be read"
    if isinstance(problem, sqlite3.OperationalError):  # locked, disk full, no permission
        return CheckpointError(f"the checkpoint {path} cannot be used: {why}", hint="no report was written")
    return CheckpointError(
        f"the checkpoint {path} is damaged or no checkpoint: {why}",
        hint="delete it, or name another file, and start anew",
    )
