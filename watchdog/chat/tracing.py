"""Keeps LangChain and LangGraph from reporting to outside services.

With LANGSMITH_TRACING (or LANGCHAIN_TRACING_V2) set in a shell, a plain `invoke` posts prompts and state to LangSmith.
Here that takes a word in config.yaml as well: whatever the environment says, nothing is traced without `tracing: true`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

# Switches of a tracer that LangChain has dropped: it refuses to run while they are set and the new tracer is off.
_DROPPED = ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER")


@contextmanager
def tracing(asked_for: bool = False) -> Iterator[None]:
    """Around every invoke of a model or a graph. Threads that copy the context are covered too."""
    if asked_for:
        yield
        return
    from langsmith import tracing_context

    for name in _DROPPED:
        os.environ.pop(name, None)
    with tracing_context(enabled=False, parent=False):
        yield
