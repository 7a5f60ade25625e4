"""What the nodes work with: the world, passed in. It is the graph's context and never lies in a checkpoint."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from watchdog.chat import DEFAULTS, Budget, Client
from watchdog.errors import WatchdogError
from watchdog.report.prompts import Prompts
from watchdog.report.state import Item
from watchdog.report.tooling import toolbox
from watchdog.report.trace import Trace
from watchdog.verify import Facts, facts_of

if TYPE_CHECKING:
    from watchdog.sandbox.tools import Toolbox

Style = Literal["markdown", "slots"]
VerifyFn = Callable[[Mapping[str, Any]], tuple[list[Item], list[Item]]]
FACTS_TOKENS = 6_000  # of a prompt, for the facts; longer findings are summed up


@dataclass(frozen=True)
class Kit:
    client: Client
    prompts: Prompts
    verify_fn: VerifyFn | None
    lang: str = "en"
    style: Style = "markdown"
    use_planner: bool = False
    review: bool = False  # the evaluator's prompt is used, in the first round
    toolbox: Toolbox = field(default_factory=lambda: toolbox([]))  # the planner's
    budget: Budget = DEFAULTS
    facts_tokens: int = FACTS_TOKENS
    samples: bool = False  # masked values of failing cells go into the prompt
    clock: Callable[[], float] = time.monotonic
    trace: Trace | None = None
    _facts: dict[int, tuple[Any, Facts | None]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def plans(self) -> bool:
        return self.use_planner and self.prompts.planner is not None and self.style == "markdown"

    @property
    def reviews(self) -> bool:
        return self.review and self.prompts.evaluator is not None and self.style == "markdown"

    def facts(self, document: Mapping[str, Any]) -> Facts | None:
        """The facts of a document; None for data of a task that are no findings. Made once for each document."""
        kept = self._facts.get(id(document))
        if kept is None or kept[0] is not document:
            try:
                made: Facts | None = facts_of(document)
            except WatchdogError:
                if isinstance(document.get("findings"), list):
                    raise  # findings that contradict themselves: nothing can be said about them
                made = None
            kept = (document, made)
            self._facts.clear()
            self._facts[id(document)] = kept
        return kept[1]
