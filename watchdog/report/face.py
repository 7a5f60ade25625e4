"""Writes the report of a scan: the one way in for those who want a document and not a graph.

In: the findings document, the task with its folder, a client. Out: a `model.Report`, whatever a model or its server does:
where no text could be verified, the facts in the program's own words, and the reason. Raised is only what a person has to mend:
prompts that do not fit, findings that contradict themselves, a checkpoint or a trace that cannot be used, and
`AwaitsApproval`, which is no failure.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watchdog.chat import Budget, Client, Spent, estimate_messages, tracing
from watchdog.errors import UsageError, WatchdogError
from watchdog.model import Report, Task, Verdict
from watchdog.report import reuse as store
from watchdog.report import slots
from watchdog.report.document import Meta, document
from watchdog.report.kit import FACTS_TOKENS, Kit, Style, VerifyFn
from watchdog.report.plain import plain
from watchdog.report.prompts import Prompts, load
from watchdog.report.sheet import sheet
from watchdog.report.state import State, Status, start
from watchdog.report.tooling import toolbox
from watchdog.report.trace import Trace
from watchdog.verify import Span, facts_of, verify_fn, verify_report
from watchdog.writing import NO_GUARD, Guard

if TYPE_CHECKING:
    from watchdog.sandbox.tools import Tool

PROMPT_AND_REPLY = 3_000  # tokens of a context window that are kept free of facts


class AwaitsApproval(WatchdogError):
    """The text is ready and a person has to look at it first (exit 4, as there is no report yet)."""

    exit_code = 4

    def __init__(self, thread_id: str, text: str, status: Status) -> None:
        super().__init__(
            f"the report {thread_id} waits for approval", hint=f"go on with --resume {thread_id}, to publish it or not"
        )
        self.thread_id, self.text, self.status = thread_id, text, status


@dataclass(frozen=True)
class Preview:
    """A prompt of a dry run. Of fix and evaluator the report and the complaints are not known yet."""

    role: str
    text: str
    tokens: int  # estimated


def write_report(
    findings: Mapping[str, Any],
    *,
    task: Task,
    task_folder: Path,
    client: Client,
    lang: str = "en",
    style: Style = "markdown",
    limits: Mapping[str, Any] | None = None,
    task_input: str = "",
    use_planner: bool = False,
    review: bool = False,
    tools: Sequence[Tool] | None = (),
    samples: bool = False,
    verify: VerifyFn | None = verify_fn,
    trace: Path | None = None,
    hide: Sequence[str] = (),
    checkpoint: Path | None = None,
    thread_id: str | None = None,
    resume: bool = False,
    approve: bool = False,
    approved: bool | None = None,
    reuse: Path | None = None,
    guard: Guard = NO_GUARD,
    clock: Callable[[], float] = time.monotonic,
) -> Report:
    """Has the findings put into words, verified, and made a document.

    limits: calls, tokens, seconds, money, max_retries; they go before those of the task. review: a model looks at the first
    text as well. samples: masked values of failing cells may be shown to the model. verify: None = nothing is checked, and
    the report says so. hide: secrets that the trace masks, besides those of the environment. checkpoint: the file that
    remembers the steps; with resume=True the thread goes on where it was. approve: stop before publishing
    (AwaitsApproval); it goes on by resume=True with approved=True or False. reuse: a folder of verified reports; for the
    same findings, prompts and model the one there is taken and nobody is asked. guard: what the trace is not written over.
    """
    findings = dict(findings)
    facts_of(findings)  # refuses findings that contradict themselves, before anybody is asked
    prompts = _prompts(task_folder, lang, style)
    told = {**task.limits, **(limits or {})}
    key = store.key(findings, prompts.digest, _model(client), lang, style, task_input)
    if reuse is not None and verify is not None and not resume:
        kept = store.find(reuse, key)
        if kept is not None and (again := _reused(findings, kept, prompts, lang)) is not None:
            return again
    kit = Kit(
        client=client,
        prompts=prompts,
        verify_fn=verify,
        lang=lang,
        style=style,
        use_planner=use_planner,
        review=review,
        toolbox=toolbox(tools if use_planner else []),
        budget=Budget.of(told),
        facts_tokens=_facts_tokens(client),
        samples=samples,
        clock=clock,
        trace=Trace(trace, secrets=hide, guard=guard) if trace is not None else None,
    )
    begun = start(findings, task_input=task_input, max_retries=int(told.get("max_retries", 3)), approve=approve)
    if (approve or resume) and checkpoint is None:
        raise UsageError("a report that is approved or resumed needs a checkpoint file", hint="name one")
    if checkpoint is not None:
        guard.refuse(checkpoint, "checkpoint", ours=True)
    state = _run(kit, begun, checkpoint, thread_id or new_thread(findings), resume=resume, approved=approved)
    report = _report(findings, state, kit)
    if reuse is not None and report.status in ("verified", "repaired"):
        store.keep(reuse, key, {"text": state["published"], "spans": state["spans"], "status": report.status}, guard)
    return report


def dry_run(
    findings: Mapping[str, Any],
    *,
    task_folder: Path,
    lang: str = "en",
    style: Style = "markdown",
    task_input: str = "",
    use_planner: bool = False,
    review: bool = False,
    samples: bool = False,
    client: Client | None = None,
) -> tuple[Preview, ...]:
    """The prompts as they would be sent, in order, with their estimated tokens. Asks nobody; `client` is only measured."""
    prompts = _prompts(task_folder, lang, style)
    if style == "slots":
        assert prompts.slots is not None, "`_prompts` looked"
        told = [("specialist", prompts.slots.fill(facts=slots.ask(findings, lang)))]
    else:
        facts = sheet(findings, facts_of(findings), max_tokens=_facts_tokens(client), lang=lang, samples=samples).text
        unknown = "(not known before the report is written)"
        told = [("specialist", prompts.specialist.fill(facts=facts, plan=""))]
        if use_planner and prompts.planner is not None:
            told.insert(0, ("planner", prompts.planner.fill(facts=facts)))
        if review and prompts.evaluator is not None:
            told.append(("evaluator", prompts.evaluator.fill(facts=facts, report=unknown)))
        told.append(("fix", prompts.fix.fill(facts=facts, report=unknown, feedback=unknown)))
    system = [{"role": "system", "content": task_input}] if task_input.strip() else []
    return tuple(
        Preview(role, text, estimate_messages([*system, {"role": "user", "content": text}])) for role, text in told
    )


def new_thread(findings: Mapping[str, Any]) -> str:
    """An id of its own for each report: the run's, and four digits more."""
    run = findings.get("run")
    name = run.get("id") if isinstance(run, Mapping) else None
    return f"{name if isinstance(name, str) and name else 'report'}-{secrets.token_hex(2)}"


# ---------------------------------------------------------------- the run


def _run(
    kit: Kit, begun: State, checkpoint: Path | None, thread_id: str, *, resume: bool, approved: bool | None
) -> State:
    """The graph from its start, or from where its thread stands, to the end."""
    from watchdog.report.checkpoints import checkpoints, forget_old, where_it_stands
    from watchdog.report.graph import compile_graph

    config: dict[str, Any] = {"configurable": {"thread_id": thread_id}}
    with contextlib.ExitStack() as stack:
        saver = stack.enter_context(checkpoints(checkpoint)) if checkpoint is not None else None
        app = compile_graph(kit, checkpointer=saver, max_retries=begun["max_retries"])
        stack.enter_context(tracing(app.traced))
        step: Any = begun
        if checkpoint is not None:
            there = where_it_stands(app, config, checkpoint)
            step = _next(begun, there, thread_id, checkpoint, resume=resume, approved=approved)
            if step is None and not there.next:
                return _same(there.values)
            if saver is not None and step is begun:
                forget_old(saver)
        if kit.trace and step is begun:
            kit.trace.step("start", 0, begun, 0.0)
        state: dict[str, Any] = app.invoke(step, config, context=kit)
    if "__interrupt__" in state:
        raise AwaitsApproval(thread_id, state["published"], state["status"])
    return _same(state)


def _next(begun: State, there: Any, thread_id: str, checkpoint: Path, *, resume: bool, approved: bool | None) -> Any:
    """What the graph is given: the start, None to go on, or a person's answer."""
    from langgraph.types import Command

    if not resume:
        if there.values:
            hint = f"go on with it by --resume {thread_id}, or take another id: one thread is one report"
            raise UsageError(f"{checkpoint} has a report {thread_id!r} already", hint=hint)
        return begun
    if not there.values:
        raise UsageError(f"{checkpoint} has no report {thread_id!r}", hint="ids are told when a report starts")
    if _digest(there.values.get("task_data")) != _digest(begun["task_data"]):
        raise UsageError(
            f"the report {thread_id!r} is about other findings", hint="name the findings it was begun with"
        )
    if there.interrupts:
        if approved is None:
            raise AwaitsApproval(thread_id, there.values["published"], there.values["status"])
        return Command(resume=approved)
    return None


def _same(values: Mapping[str, Any]) -> State:
    state: State = {**values}  # type: ignore[typeddict-item]
    return state


def _digest(document: Any) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True, default=str).encode()).hexdigest()


# ---------------------------------------------------------------- the document


def _report(findings: Mapping[str, Any], state: State, kit: Kit) -> Report:
    """The document. What goes into it is verified once more, here, whatever the graph said: it is the last gate."""
    text, status, reason = state["published"], state["status"] or "facts_only", state["reason"]
    verdict: Verdict | None = None
    if status != "unverified":
        verdict = verify_report(text, findings, lang=kit.lang, filled=_spans(state["spans"]))
        if verdict.bad or not text:
            reason = reason or "the verifier objected to the finished text"
            status = "facts_only"
            text, verdict = _facts_only(findings, kit.lang)
    spent = Spent.of(state["usage"])
    meta = Meta(
        status=status,
        reason=reason,
        model=_model(kit.client),
        rounds=len(state["trail"]),
        calls=spent.calls,
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        estimated=spent.estimated,
        cost=spent.cost,
        seconds=spent.seconds,
        prompts=kit.prompts.digest,
        notes=_notes(findings, state, kit),
    )
    return _document(findings, text, verdict, kit.lang, meta)


def _facts_only(findings: Mapping[str, Any], lang: str) -> tuple[str, Verdict]:
    """The program's own words. Their numbers come from the facts: a sentence that the verifier does not understand is not
    counted as verified and hides no finding.
    """
    text = plain(findings, facts_of(findings), lang)
    return text, replace(verify_report(text, findings, lang=lang), bad=())


def _reused(findings: Mapping[str, Any], kept: Mapping[str, Any], prompts: Prompts, lang: str) -> Report | None:
    """A report of an earlier run, if it is still true: a date or a previous count may be another one by now."""
    verdict = verify_report(kept["text"], findings, lang=lang, filled=_spans(kept["spans"]))
    if verdict.bad:
        return None
    notes = ("written for an earlier run with the same findings, and verified again",)
    meta = Meta(status=kept["status"], prompts=prompts.digest, notes=notes)
    return _document(findings, kept["text"], verdict, lang, meta)


def _document(findings: Mapping[str, Any], text: str, verdict: Verdict | None, lang: str, meta: Meta) -> Report:
    source = findings.get("source")
    name = source.get("name") if isinstance(source, Mapping) else None
    return Report(
        title=f"Data quality of {name}" if isinstance(name, str) else "Data quality",
        text=document(findings, text, verdict, meta, lang),
        status=meta.status,
        claims=verdict.ok if verdict else (),
        skipped=verdict.skipped if verdict else (),
        rounds=meta.rounds,
        calls=meta.calls,
        model=meta.model,
        tokens_in=meta.tokens_in,
        tokens_out=meta.tokens_out,
        cost=meta.cost,
        seconds=meta.seconds,
        reason=meta.reason,
        prompts=meta.prompts,
    )


def _notes(findings: Mapping[str, Any], state: State, kit: Kit) -> tuple[str, ...]:
    notes = []
    if state["dropped"]:
        notes.append(f"sentences of the model that were not used: {len(state['dropped'])}")
    if kit.style == "markdown":
        left = sheet(findings, facts_of(findings), max_tokens=kit.facts_tokens, lang=kit.lang).left_out
        if left:
            notes.append(f"findings that the model was not shown one by one: {left}")
    return tuple(notes)


def _spans(spans: Sequence[Sequence[Any]]) -> tuple[Span, ...]:
    return tuple(Span(int(first), int(end), str(fact)) for first, end, fact in spans)


def _prompts(folder: Path, lang: str, style: Style) -> Prompts:
    prompts = load(folder, lang)
    if style == "slots" and prompts.slots is None:
        name = "slots.md" if lang == "en" else f"slots.{lang}.md"
        raise UsageError(f"the task {folder.name!r} has no prompt for the style `slots`", hint=f"add prompts/{name}")
    return prompts


def _model(client: Client) -> str:
    named = getattr(client, "model_of", None)
    return str(named("specialist")) if callable(named) else client.name


def _facts_tokens(client: Client | None) -> int:
    """As many as fit, where the provider says what its model can read: in a fix the report stands beside the facts."""
    context = getattr(getattr(client, "profile", None), "context_tokens", None)
    return FACTS_TOKENS if context is None else max(200, min(FACTS_TOKENS, (int(context) - PROMPT_AND_REPLY) * 2 // 3))
