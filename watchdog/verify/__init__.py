"""Checks every number of a text against a findings document. Knows nothing of models, files or the network.

from watchdog.verify import verify_report
verdict = verify_report(text, findings)
verdict.bad, verdict.ok, verdict.skipped
"""

from watchdog.verify.face import feedback, verify_fn, verify_report
from watchdog.verify.facts import Facts, facts_of
from watchdog.verify.fill import Filled, Span, fill, show, strip_marks
from watchdog.verify.repair import Repaired, cut, repair

__all__ = [
    "Facts",
    "Filled",
    "Repaired",
    "Span",
    "cut",
    "facts_of",
    "feedback",
    "fill",
    "repair",
    "show",
    "strip_marks",
    "verify_fn",
    "verify_report",
]
