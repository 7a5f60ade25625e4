"""What the tests of the graph share: a small findings document, true and false texts about it, a kit to run them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from watchdog.chat import ChatError, Client, Scripted
from watchdog.model import Report, Task
from watchdog.report import write_report
from watchdog.report.kit import Kit
from watchdog.report.prompts import load
from watchdog.task import load_task
from watchdog.verify import verify_fn, verify_report

FOLDER = Path(__file__).parents[2] / "tasks" / "data-quality"
EMAIL, PHONE, STATUS = "orders.email.not_null", "customers.phone.missing", "orders.status.accepted_values"


def finding(id: str, check: str, severity: str, count: int, rows: int, words: str, **more: Any) -> dict[str, Any]:
    table, column, _ = id.split(".")
    return {
        "id": id, "fingerprint": id, "check": check, "name": check, "dimension": "validity", "origin": "declared",
        "table": table, "column": column, "columns": [column], "severity": severity, "count": count, "rows": rows,
        "not_evaluated": 0, "ratio": round(count / rows, 6), "threshold": {"value": 0, "unit": "rows"},
        "description": f"{count:,} of {rows:,} values of {table}.{column} {words}", "samples": [], "sql": "SELECT 1", **more,
    }  # fmt: skip


def document(*, findings: bool = True) -> dict[str, Any]:
    """Two high findings and a medium one in two tables, and a check that passed."""
    found = [
        finding(EMAIL, "not_null", "high", 123, 4567, "are NULL"),
        finding(STATUS, "accepted_values", "high", 2649, 4567, "hold a value that is not accepted"),
        finding(PHONE, "missing", "medium", 58, 1000, "hold a word for nothing"),
    ]
    found = found if findings else []
    passed = {
        "id": "orders.row_count", "check": "row_count", "name": "row_count", "table": "orders", "columns": [],
        "severity": "high", "origin": "declared", "status": "passed", "count": 0, "rows": 4567, "not_evaluated": 0,
        "observed": {}, "expected": {}, "reason": "4,567 rows",
    }  # fmt: skip
    failed = [{**{k: f[k] for k in ("id", "check", "name", "table", "columns", "severity", "origin", "count", "rows")},
               "status": "failed", "reason": f["description"]} for f in found]  # fmt: skip
    return {
        "format": 1,
        "run": {"id": "20260501T060000Z-0001", "started_at": "2026-05-01T06:00:00Z", "finished_at": "2026-05-01T06:00:01Z",
                "version": "0.1.0", "sample_values": "masked"},
        "source": {"name": "shop", "dialect": "sqlite", "location": "shop.db", "read_mode": "immutable", "state": {}},
        "summary": {
            "tables": 2, "rows": {"customers": 1000, "orders": 4567}, "checks_run": 1 + len(found),
            "checks_evaluated": 1 + len(found), "checks_passed": 1, "checks_failed": len(found), "checks_skipped": 0,
            "checks_errored": 0, "complete": True,
            "findings_by_severity": {"high": 2 if found else 0, "medium": 1 if found else 0, "low": 0, "info": 0},
        },
        "findings": found,
        "results": [passed, *failed],
        "history": {},
        "profile": {},
    }  # fmt: skip


HONEST = f"""\
## Summary

The scan has 3 findings: 2 high, 1 medium.

## High severity

- `{EMAIL}`: 123 of 4,567 rows are empty (2.7%). Possibly an import leaves the field out.
- `{STATUS}`: 2,649 of 4,567 rows hold a value that is not accepted (58.0%).

## Medium severity

- `{PHONE}`: 58 of 1,000 rows hold a word for nothing (5.8%)."""
WRONG = HONEST.replace("2,649", "2,694").replace("123 of", "125 of")
HALF = HONEST.replace("2,649", "2,694")
DROPS = "\n".join(line for line in HONEST.split("\n") if STATUS not in line)
INVENTS = HONEST + "\n- `invoices.total.not_null`: 77 of 500 rows are empty (15.4%)."
ITSELF = "I am sorry, as an AI language model I cannot read databases. I can help you to write a report."
LINE = {line.split("`")[1]: n for n, line in enumerate(HONEST.split("\n"), start=1) if line.startswith("- `")}


def patches(*changes: tuple[int, str]) -> str:
    import json

    return json.dumps([{"line": line, "text": text} for line, text in changes])


def line_of(id: str, text: str = HONEST) -> str:
    return text.split("\n")[LINE[id] - 1]


def task(**limits: Any) -> Task:
    from dataclasses import replace

    loaded = load_task(FOLDER)
    return replace(loaded, limits=limits) if limits else loaded


def written(client: Client, findings: dict[str, Any] | None = None, **more: Any) -> Report:
    """A report, with what holds for every one of them: nothing that the verifier objects to is published."""
    told = document() if findings is None else findings
    report = write_report(told, task=more.pop("task", task()), task_folder=FOLDER, client=client, **more)
    if more.get("verify", verify_fn) is not None:
        assert_published_is_true(report, told)
    return report


def assert_published_is_true(report: Report, findings: dict[str, Any]) -> None:
    """The text of the document, without its header and footnotes, says nothing that is not so."""
    assert verify_report(body(report), findings, lang="en").bad == ()
    places = [f"{f['table']}.{f['column']}" for f in findings["findings"] if f["severity"] == "high"]
    assert [place for place in places if place not in body(report)] == []


def body(report: Report) -> str:
    import re

    text = report.text.split("\n\n", 3)[3].split("\n## All findings")[0]  # behind title, header and the word on numbers
    return re.sub(r" ?\[\^\d+\]", "", text)


def kit(client: Client | Iterable[Any] = (), **more: Any) -> Kit:
    return Kit(
        client=Scripted(client) if isinstance(client, list | tuple) else client,  # type: ignore[arg-type]
        prompts=more.pop("prompts", load(FOLDER, more.get("lang", "en"))),
        verify_fn=more.pop("verify_fn", verify_fn),
        **more,
    )


def failing(kind: Any) -> Callable[[Any], ChatError]:
    return lambda _: ChatError(f"the server says {kind}", kind=kind, calls=1)
