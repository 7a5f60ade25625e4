"""The findings document as the report's parts read it: worst first, safe against foreign and odd files.

Nothing is refused; what is not there is empty. Numbers are never taken from here but from the facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from watchdog.report._words import LEVELS


def findings_of(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """By severity, then id. A severity that we do not know comes first: nobody may overlook it."""
    return sorted(items(document.get("findings")), key=lambda f: (rank(f), text(f.get("id"))))


def rank(finding: Mapping[str, Any]) -> int:
    level = text(finding.get("severity"))
    return LEVELS.index(level) if level in LEVELS else -1


def level_of(finding: Mapping[str, Any]) -> str:
    level = text(finding.get("severity"))
    return level if level in LEVELS else "other"


def results_of(document: Mapping[str, Any], status: str) -> list[Mapping[str, Any]]:
    """The checks with that outcome (passed, skipped, error), by id."""
    found = [r for r in items(document.get("results")) if r.get("status") == status]
    return sorted(found, key=lambda r: text(r.get("id")))


def not_evaluated(document: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(id, skipped | error, reason): what could not be looked at before what did not need to be."""
    for status in ("error", "skipped"):
        yield from ((text(r.get("id")), status, text(r.get("reason"))) for r in results_of(document, status))


def place(finding: Mapping[str, Any]) -> str:
    """`table.column`, for people."""
    columns = [c for c in finding.get("columns") or () if isinstance(c, str)] or [text(finding.get("column"))]
    return ".".join(filter(None, (text(finding.get("table")), "+".join(filter(None, columns)))))


def past(document: Mapping[str, Any], finding: Mapping[str, Any]) -> Mapping[str, Any]:
    """What history says of a finding."""
    return mapping(mapping(mapping(document.get("history")).get("findings")).get(text(finding.get("id"))))


def complete(document: Mapping[str, Any]) -> bool:
    told = mapping(document.get("summary")).get("complete")
    return told is not False and not any(True for _ in not_evaluated(document))


def items(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def text(value: Any) -> str:
    return value if isinstance(value, str) else ""
