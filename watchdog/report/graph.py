"""The graph of a report: START -> planner? (and its tools) -> specialist -> evaluator -> fix -> evaluator ... -> END.

`build_graph` is the way in for programs; `watchdog.report.write_report` runs the graph and makes the document. A model is
asked in planner, specialist, evaluator (the review) and fix; `settle` decides without one what may be published, and
`approval` waits for a person where that was asked for. Routers are pure and return the name of the next node.
"""

from __future__ import annotations

import contextvars
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from watchdog.chat import Budget, Client, open_client, tracing
from watchdog.model import Task
from watchdog.places import find_task
from watchdog.report import nodes
from watchdog.report.checkpoints import DURABILITY
from watchdog.report.kit import Kit, VerifyFn
from watchdog.report.prompts import load
from watchdog.report.state import State, start
from watchdog.report.tooling import TURNS, asks, toolbox
from watchdog.task import load_task

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from watchdog.sandbox.tools import Tool

Node = Callable[[State, Kit], dict[str, Any]]
AfterPlanner = Literal["tools", "specialist", "settle"]
AfterSpecialist = Literal["evaluator", "settle"]
AfterEvaluator = Literal["fix", "settle"]
AfterFix = Literal["evaluator", "settle"]
AfterSettle = Literal["approval", "__end__"]


def after_planner(state: State) -> AfterPlanner:
    if state["stop"]:
        return "settle"
    return "tools" if asks(state["messages"]) else "specialist"


def after_specialist(state: State) -> AfterSpecialist:
    return "settle" if state["stop"] else "evaluator"


def after_evaluator(state: State) -> AfterEvaluator:
    return "settle" if state["stop"] else "fix"


def after_fix(state: State) -> AfterFix:
    return "settle" if state["stop"] else "evaluator"


def after_settle(state: State) -> AfterSettle:
    return "approval" if state["approve"] else "__end__"


ROUTERS = {
    "planner": after_planner, "specialist": after_specialist, "evaluator": after_evaluator, "fix": after_fix,
    "settle": after_settle,
}  # fmt: skip


class ReportGraph(CompiledStateGraph[State, Kit, State, State]):
    """The compiled graph, which fills in what a caller left out and reports to nobody.

    With LANGSMITH_TRACING set in a shell, a plain graph posts its whole state to LangSmith at every step.
    """

    traced = False  # True: a provider of config.yaml says `tracing: true`
    max_retries = 3  # where the input does not say

    def invoke(self, input: Any, config: Any = None, **kwargs: Any) -> Any:
        with tracing(self.traced):
            return super().invoke(self._completed(input), config, **self._options(kwargs))

    async def ainvoke(self, input: Any, config: Any = None, **kwargs: Any) -> Any:
        with tracing(self.traced):
            return await super().ainvoke(self._completed(input), config, **self._options(kwargs))

    def stream(self, input: Any, config: Any = None, **kwargs: Any) -> Iterator[Any]:
        """Each step runs in a context of its own: between two of them the caller's stays as it is."""
        context = contextvars.copy_context()
        steps = super().stream(self._completed(input), config, **self._options(kwargs))

        def step() -> Any:
            with tracing(self.traced):
                return next(steps, None)

        while (part := context.run(step)) is not None:
            yield part

    async def astream(self, input: Any, config: Any = None, **kwargs: Any) -> AsyncIterator[Any]:
        with tracing(self.traced):
            async for part in super().astream(self._completed(input), config, **self._options(kwargs)):
                yield part

    def _completed(self, input: Any) -> Any:
        """A new run's input with every field of the state. None and commands, which go on with an old one, stay."""
        if not isinstance(input, Mapping):
            return input
        given = {key: value for key, value in input.items() if key in State.__annotations__}
        return {**start(given.get("task_data", {}), max_retries=self.max_retries), **given}

    def get_context_jsonschema(self) -> None:
        """None: a kit is made of things, nobody types it into a form."""

    def _options(self, kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """An empty context is none. Each step is written down before the next one starts."""
        kept = {"durability": DURABILITY} if self.checkpointer and kwargs.get("durability") is None else {}
        return {**kwargs, "context": kwargs.get("context") or None, **kept}


def compile_graph(
    kit: Kit, *, checkpointer: BaseCheckpointSaver[Any] | None = None, max_retries: int = 3
) -> ReportGraph:
    """The graph over a kit. A run's own context, where it is given, takes the kit's place."""
    builder = StateGraph(State, context_schema=Kit)

    def add(name: str, node: Node) -> None:
        def step(state: State, runtime: Runtime[Kit]) -> dict[str, Any]:
            return _stepped(name, node, state, runtime.context or kit)

        builder.add_node(name, step)

    for name, node in (
        ("specialist", nodes.specialist), ("evaluator", nodes.evaluator), ("fix", nodes.fix), ("settle", nodes.settle),
        ("approval", nodes.approval),
    ):  # fmt: skip
        add(name, node)
    if kit.plans:
        add("planner", nodes.planner)
        add("tools", nodes.tools)
        builder.add_edge(START, "planner")
        builder.add_conditional_edges("planner", after_planner)
        builder.add_edge("tools", "planner")
    else:
        builder.add_edge(START, "specialist")
    builder.add_conditional_edges("specialist", after_specialist)
    builder.add_conditional_edges("evaluator", after_evaluator)
    builder.add_conditional_edges("fix", after_fix)
    builder.add_conditional_edges("settle", after_settle)
    builder.add_edge("approval", END)
    app = builder.compile(checkpointer=checkpointer, name="report")
    traced = bool(getattr(getattr(kit.client, "profile", None), "tracing", False))
    # `compile` makes its own class and nothing else; what stands in a class is kept by `with_config`, which copies.
    app.__class__ = type("ReportGraph", (ReportGraph,), {"traced": traced, "max_retries": max_retries})
    # More steps than a run can have: a loop without an end would be a mistake of ours, and is not waited for.
    quiet: ReportGraph = app.with_config(recursion_limit=2 * TURNS + 2 * max(max_retries, 10) + 12)  # type: ignore[assignment]
    return quiet


def build_graph(
    task: Task | str | Path,
    verify_fn: VerifyFn | None,
    use_planner: bool = True,
    max_retries: int = 3,
    provider: Mapping[str, Any] | None = None,
    tools: Sequence[Tool] | None = None,
    client: Client | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    *,
    lang: str = "en",
    style: Literal["markdown", "slots"] = "markdown",
    review: bool = True,
    budget: Budget | None = None,
) -> ReportGraph:
    """The graph of a task, ready for `invoke({"task_input": ..., "task_data": findings})`.

    task: its name, its folder, or a loaded one. verify_fn: `(state) -> (bad, ok)`; None = nothing is checked and the
    result says so. use_planner: only where the task has a planner's prompt. provider: as in config.yaml, for those who give
    no `client`. tools: those of the planner; None = reading files and running commands, which refuse until allowed.
    `published` and `status` of the result are what may be shown; `artifact` is what the model wrote last.
    UsageError and ConfigError before anything is asked.
    """
    folder, limits = _task(task)
    prompts = load(folder, lang)
    plans = use_planner and prompts.planner is not None and style == "markdown"
    kit = Kit(
        client=client if client is not None else open_client(provider or {}),
        prompts=prompts,
        verify_fn=verify_fn,
        lang=lang,
        style=style,
        use_planner=use_planner,
        review=review,
        toolbox=toolbox(tools if plans else []),
        budget=budget or Budget.of(limits),
    )
    return compile_graph(kit, checkpointer=checkpointer, max_retries=max_retries)


def _task(task: Task | str | Path) -> tuple[Path, Mapping[str, Any]]:
    """The folder and the limits of a task."""
    if isinstance(task, Task):
        return find_task(task.name, None), task.limits
    folder = task if isinstance(task, Path) else find_task(task, None)
    return folder, load_task(folder).limits


def _stepped(name: str, node: Node, state: State, kit: Kit) -> dict[str, Any]:
    """A step with its line in the trace. A step that was interrupted leaves no line."""
    started = kit.clock()
    changes = node(state, kit)
    if kit.trace:
        number = len(state["trail"]) + (name not in ("settle", "approval"))  # the evaluation that it belongs to
        kit.trace.step(name, number, changes, kit.clock() - started)
    return changes
