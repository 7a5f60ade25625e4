"""The graph for LangGraph Studio (`langgraph.json`) and for the picture in the docs: it opens without a key.

The provider is `default`, with its model and key from the environment; they are looked for when a model is first asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from watchdog.chat import Client, Message, Reply, open_client
from watchdog.config.values import DEFAULT_TASK
from watchdog.report.graph import ReportGraph, build_graph
from watchdog.verify import verify_fn


class LaterClient:
    """A client that is opened when it is first asked."""

    name = "default"

    def __init__(self) -> None:
        self._client: Client | None = None

    def complete(
        self,
        messages: Sequence[Message],
        *,
        role: str = "specialist",
        schema: dict[str, Any] | None = None,
        tools: Sequence[dict[str, Any]] = (),
        seconds: float | None = None,
    ) -> Reply:
        self._client = self._client or open_client({}, name=self.name)
        return self._client.complete(messages, role=role, schema=schema, tools=tools, seconds=seconds)


def report() -> ReportGraph:
    """Input: `{"task_data": FINDINGS}`, perhaps with `"approve": true`."""
    return build_graph(DEFAULT_TASK, verify_fn, client=LaterClient(), tools=[])
