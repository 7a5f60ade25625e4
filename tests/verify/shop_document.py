"""One findings document that the tests of the verifier speak about: five tables, six findings, a run before it."""

from __future__ import annotations

from typing import Any


def finding(
    table: str, column: str, check: str, severity: str, count: int | None, rows: int, **more: Any
) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": f"{table}.{column}.{check}", "check": check, "name": check, "dimension": "accuracy", "origin": "declared",
        "table": table, "columns": [column], "severity": severity, "count": count, "rows": rows, "not_evaluated": 0,
        "ratio": None if count is None else round(count / rows, 6), "threshold": {"value": 0, "unit": "rows"},
        "description": f"{count} of {rows} values of {table}.{column}", "samples": [], "sql": "SELECT 1",
    }  # fmt: skip
    return told | more


def result(
    table: str, column: str, check: str, status: str, count: int | None, rows: int | None, reason: str
) -> dict[str, Any]:
    return {
        "id": f"{table}.{column}.{check}", "check": check, "name": check, "table": table, "columns": [column],
        "severity": "high", "origin": "declared", "status": status, "count": count, "rows": rows, "not_evaluated": 0,
        "observed": None, "expected": None, "reason": reason,
    }  # fmt: skip


def document() -> dict[str, Any]:
    findings = [
        finding("orders", "email", "not_null", "high", 2649, 45672, description="2,649 of 45,672 values of orders.email are NULL"),
        finding("orders", "customer_id", "relationships", "high", 112, 45672,
                description="112 of 45,672 values of orders.customer_id have no row in customers.id"),
        finding("payments", "paid_at", "freshness", "high", None, 8200, value=31.0, unit="hours", threshold=None,
                observed={"age_hours": 31.0}, expected={"max_age_hours": 24.0},
                description="payments.paid_at: the newest time is 31.0 hours old, at most 24 hours expected"),
        finding("payments", "amount", "accepted_range", "medium", 3165, 8200, threshold={"value": 0.05, "unit": "share"},
                allowed_min=0, allowed_max=10000, observed={"observed_min": -50, "observed_max": 99999},
                description="3,165 of 8,200 values of payments.amount are outside the range (0 to 10,000)"),
        finding("customers", "email", "unique", "medium", 38, 1000, groups=17, surplus=21,
                description="38 of 1,000 values of customers.email occur more than once (17 groups)"),
        finding("customers", "country", "missing", "low", 14, 1000, threshold={"value": 5, "unit": "rows"},
                description="14 of 1,000 values of customers.country are blank or a word for nothing"),
    ]  # fmt: skip
    failed = [
        {
            **result(f["table"], f["columns"][0], f["check"], "failed", f["count"], f["rows"], f["description"]),
            "severity": f["severity"],
        }
        for f in findings
    ]
    passed = [
        result(
            "chat_messages",
            "contact_id",
            "relationships",
            "passed",
            0,
            800,
            "0 of 800 values have no row in contacts.id",
        ),
        result("customers", "id", "unique", "passed", 0, 1000, "no duplicates among 1,000 values of customers.id"),
        result("payments", "amount", "not_null", "passed", 0, 8200, "0 of 8,200 values of payments.amount are NULL"),
        result("suppliers", "name", "not_null", "passed", 0, 60, "0 of 60 values of suppliers.name are NULL"),
    ]
    skipped = [
        result("chat_messages", "content", "matches", "skipped", None, None, "the column does not exist"),
        result("orders", "total", "expression_is_true", "error", None, None, "no such function: f"),
    ]
    return {
        "format": 1,
        "run": {"id": "20261201T060000Z-58f2", "started_at": "2026-12-01T06:00:00Z", "finished_at": "2026-12-01T06:00:02Z",
                "version": "0.1.0"},
        "source": {"name": "shop", "dialect": "sqlite", "location": "shop.db", "read_mode": "immutable", "state": {}},
        "summary": {
            "tables": 5,
            "rows": {"chat_messages": 800, "customers": 1000, "orders": 45672, "payments": 8200, "suppliers": 60},
            "checks_run": 12, "checks_evaluated": 10, "checks_passed": 4, "checks_failed": 6, "checks_skipped": 1, "checks_errored": 1,
            "findings_by_severity": {"high": 3, "medium": 2, "low": 1, "info": 0}, "complete": False, "exit_reasons": [],
        },
        "findings": findings,
        "results": [*failed, *passed, *skipped],
        "history": {
            "previous_run": {"id": "20261130T060000Z-11aa", "started_at": "2026-11-30T06:00:00Z"},
            "findings": {
                "orders.email.not_null": {"state": "worse", "previous_count": 2601, "first_seen": "2026-11-12T06:00:00Z"},
                "orders.customer_id.relationships": {"state": "better", "previous_count": 140, "first_seen": "2026-10-01T06:00:00Z"},
                "customers.email.unique": {"state": "ongoing", "previous_count": 38, "first_seen": "2026-10-01T06:00:00Z"},
                "payments.amount.accepted_range": {"state": "worse", "previous_count": 1055, "first_seen": "2026-10-01T06:00:00Z"},
                "customers.country.missing": {"state": "new", "first_seen": "2026-12-01T06:00:00Z"},
            },
            "resolved": [],
        },
        "profile": {},
    }  # fmt: skip
