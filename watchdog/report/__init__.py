"""The verified report: a model words it, a program counts it. Nothing is published that was not checked.

from watchdog.report import build_graph, dry_run, write_report
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from watchdog.report.face import AwaitsApproval, Preview, dry_run, new_thread, write_report
    from watchdog.report.graph import build_graph

__all__ = ["AwaitsApproval", "Preview", "build_graph", "dry_run", "new_thread", "write_report"]


def __getattr__(name: str) -> Any:
    """Loaded when asked for: langgraph takes seconds, and the facts-only report and a dry run need none of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "build_graph":
        from watchdog.report.graph import build_graph

        return build_graph
    from watchdog.report import face

    return getattr(face, name)
