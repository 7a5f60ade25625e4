"""What the graph of a report remembers from step to step, and which step may write what.

Plain JSON types only: the state is written to a file after each step and read back by another process. The things that
do their work (the client, the prompts, the verifier, the clock) are in `Kit`, which is never written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from typing_extensions import TypedDict  # that of `typing` has no JSON Schema before Python 3.12: Studio asks for one

Stop = Literal["", "verified", "unchecked", "retries", "no_progress", "oscillation", "budget", "model"]
Status = Literal["verified", "repaired", "cut", "facts_only", "unverified"]
Item = dict[str, Any]  # what is wrong or right at one place: line, text, cited, subject, kind, expected, rule, reason


class Round(TypedDict):
    """What an evaluation saw, in short: enough to tell whether the next one sees anything new."""

    text: str  # its hash
    bad: list[list[str]]  # kind, subject, cited of each mismatch, sorted


class State(TypedDict, total=False):
    # given at the start
    task_input: str  # what the person asks for beyond the task, in words; may be empty
    task_data: dict[str, Any]  # the findings document
    max_retries: int  # of fix; so there are at most that many evaluations and one more
    approve: bool  # a person is asked before anything is published
    # the plan
    plan: str
    messages: list[dict[str, Any]]  # the planner's talk with its tools
    # the text
    slots: dict[str, str]  # style `slots`: the model's sentences by key
    dropped: list[str]  # why sentences of the model were not used
    draft: str  # as written, with placeholders
    artifact: str  # the draft with its numbers filled in
    filled: list[list[Any]]  # start, end, fact id of each number that was filled in
    attempts: int  # fixes done
    # the evaluation
    fictitious: list[Item]  # what is not true, and in the first round what a reviewer would change
    verified: list[Item]
    eval_issues: list[str]  # the reviewer's remarks of the first round
    trail: list[Round]
    kept: str  # a draft that was verified and was to become better still
    # the end
    usage: dict[str, Any]  # chat.Spent: calls, tokens_in, tokens_out, estimated, cost, seconds
    stop: Stop  # why the loop ended; "" = it goes on
    reason: str  # the same in words, where a reader should know
    published: str  # the text that may be shown
    spans: list[list[Any]]  # `filled` of that text
    status: Status | Literal[""]
    approved: bool


GIVEN = frozenset({"task_input", "task_data", "max_retries", "approve"})
OWNERS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "planner": frozenset({"plan", "messages", "usage", "stop", "reason"}),
        "tools": frozenset({"messages"}),
        "specialist": frozenset({"slots", "dropped", "draft", "artifact", "filled", "usage", "stop", "reason"}),
        "evaluator": frozenset({"fictitious", "verified", "eval_issues", "trail", "kept", "usage", "stop", "reason"}),
        "fix": frozenset({"slots", "dropped", "draft", "artifact", "filled", "attempts", "usage", "stop", "reason"}),
        "settle": frozenset({"published", "spans", "status", "reason"}),
        "approval": frozenset({"published", "spans", "status", "reason", "approved"}),
    }
)
"""node -> the fields it may return; a test holds the nodes to it."""


def start(task_data: Mapping[str, Any], *, task_input: str = "", max_retries: int = 3, approve: bool = False) -> State:
    return {
        "task_input": task_input, "task_data": dict(task_data), "max_retries": max_retries, "approve": approve,
        "plan": "", "messages": [], "slots": {}, "dropped": [], "draft": "", "artifact": "", "filled": [], "attempts": 0,
        "fictitious": [], "verified": [], "eval_issues": [], "trail": [], "kept": "", "usage": {}, "stop": "",
        "reason": "", "published": "", "spans": [], "status": "", "approved": False,
    }  # fmt: skip


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
