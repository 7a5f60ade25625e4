"""The runs that the renderers and the codec are tested with, and the small builders they are made of."""

from datetime import UTC, datetime
from typing import Any

from watchdog.model import Finding, Judgement, Result, Run, Sample, Severity, Threshold, failed, passed, skipped

HIGH, MEDIUM, LOW, INFO = Severity.HIGH, Severity.MEDIUM, Severity.LOW, Severity.INFO

HOSTILE = (
    "line\nbreak",
    "carriage\rreturn",
    "pipe|pipe",
    "back\\slash|\\",
    "`tick` ``",
    "<script>alert(1)</script> <b>&amp;",
    "::error file=x::pwned",
    "\n::warning::second line",
    "cdata ]]> <![CDATA[",
    "emoji 👩\u200d🚀 é",
    "rtl \u202egnp.exe\u202c",
    "lone \udcff \ud800 surrogates",
    "100% %0A %25",
    "nul \x00 esc \x1b[31m c1 \x9b2J",
    "[link](http://x.y) ![i](x) www.x.y @team a@b.co *bold* _it_ ~s~ $x$ # 1. - + ---",
    "a,b:c=d;e",
    "\ufffe\uffff\ufdd0",
    " spaces at both ends ",
    "",
)


def a_result(
    id: str,
    judgement: Judgement,
    *,
    table: str | None = "orders",
    columns: tuple[str, ...] = ("email",),
    severity: Severity = HIGH,
    check: str = "not_null",
    **more: Any,
) -> Result:
    told: dict[str, Any] = {
        "name": check,
        "dimension": "completeness",
        "origin": "declared",
        "schema": "",
        "fingerprint": hash_of(id),
    }
    return Result(
        id=id, check=check, table=table, columns=columns, severity=severity, judgement=judgement, **told | more
    )


def hash_of(text: str) -> str:
    return text.encode("utf-8", "surrogatepass").hex()[-16:].rjust(16, "0")


def a_run(findings: tuple[Finding, ...] = (), results: tuple[Result, ...] = (), **more: Any) -> Run:
    told: dict[str, Any] = {
        "id": "20260501T060000Z-a1b2",
        "source": "shop",
        "dialect": "sqlite",
        "location": "data/shop.db",
        "read_mode": "immutable",
        "state": {"size_bytes": 65536, "change_counter": 12},
        "started": datetime(2026, 5, 1, 6, 0, tzinfo=UTC),
        "finished": datetime(2026, 5, 1, 6, 0, 1, 500000, tzinfo=UTC),
        "version": "0.1.0",
        "format": 1,
        "engine": "sqlite3 3.45.1",
        "config_digest": "0123456789abcdef",
        "rows": {},
        "measurements": (),
        "catalog": None,
        "complete": True,
    }
    every = tuple(sorted((*(finding.result for finding in findings), *results), key=lambda result: result.id))
    return Run(**told | {"findings": findings, "results": every} | more)


def sample_run() -> Run:
    """A morning: findings of each level, one accepted, one check that could not run, three that did not need to."""
    missing = Finding(
        a_result(
            "orders.email.not_null",
            failed(
                "123 of 4,567 values of orders.email are NULL",
                count=123,
                rows=4567,
                not_evaluated=0,
                threshold=Threshold(0),
            ),
            file="config.yaml",
            line=12,
            note="Every order can be answered.",
            tags=("mail",),
            owner="data-team",
        ),
        samples=(Sample({"id": 17}, values={"email": None}), Sample({"id": 23}, values={"email": None})),
        sql='SELECT * FROM "orders" WHERE "email" IS NULL',
    )
    twice = Finding(
        a_result(
            "lines.order_id+position.unique_combination_of_columns",
            failed(
                "6 of 9,000 rows of lines share order_id and position",
                count=6,
                rows=9000,
                not_evaluated=2,
                threshold=Threshold(0),
                extra={"groups": 2, "surplus": 4},
            ),
            table="lines",
            columns=("order_id", "position"),
            check="unique_combination_of_columns",
            dimension="uniqueness",
            file="config.yaml",
            line=20,
        ),
        samples=(Sample({"rowid": 5}, values={"order_id": 1207, "position": 2}),),
        sql="SELECT 1",
        accepted="known.json",
    )
    odd = Finding(
        a_result(
            "customers.phone.matches",
            failed("3 of 250 values of customers.phone do not look like the rest", count=3, rows=250, not_evaluated=10),
            table="customers",
            columns=("phone",),
            severity=MEDIUM,
            check="matches",
            dimension="conformity",
            origin="inferred",
            evidence="247 of 250 values have the shape +99 999 9999999",
        ),
        samples=(
            Sample({"id": 4}, 4, values={"phone": "call me <Ann>"}),
            Sample({"id": 9}, values={"phone": "N/A"}),
            Sample({"id": 11}, values={"phone": 491701234567}),
        ),
        sql="SELECT 2",
    )
    stale = Finding(
        a_result(
            "orders.created_at.freshness",
            failed("newest value of orders.created_at is 31 hours old, at most 24 hours", value=31.0, unit="hours"),
            columns=("created_at",),
            severity=LOW,
            check="freshness",
            dimension="timeliness",
            file="config.yaml",
        ),
        sql="SELECT 3",
    )
    hint = Finding(
        a_result(
            "customers.row_count",
            failed("customers holds 250 rows", observed=250, expected={"min": 300}),
            table="customers",
            columns=(),
            severity=INFO,
            check="row_count",
            dimension="coverage",
            origin="task",
        ),
    )
    others = (
        a_result(
            "orders.id.unique",
            passed("4,567 values, all different", count=0, rows=4567),
            columns=("id",),
            check="unique",
        ),
        a_result("notes.body.not_null", skipped("no rows to judge", rows=0), table="notes", columns=("body",)),
        a_result("notes.title.not_null", skipped("no rows to judge", rows=0), table="notes", columns=("title",)),
        a_result("integrity", skipped("switched off"), table=None, columns=(), check="integrity"),
        a_result(
            "orders.total.accepted_range",
            Judgement("error", "no such function: to_money"),
            columns=("total",),
            check="accepted_range",
            file="config.yaml",
            line=31,
        ),
    )
    return a_run(
        (missing, twice, odd, stale, hint),
        others,
        rows={"orders": 4567, "lines": 9000, "customers": 250, "notes": 0},
        complete=False,
        notes=("table `shop_cache` is virtual and was not scanned",),
        exit_reasons=("orders.total.accepted_range: no such function: to_money",),
        history={
            "previous_run": {"id": "20260430T060000Z-c3d4", "started_at": "2026-04-30T06:00:00Z"},
            "findings": {
                "orders.email.not_null": {
                    "state": "worse",
                    "previous_count": 100,
                    "first_seen": "2026-04-01T06:00:00Z",
                },
                "customers.phone.matches": {"state": "new"},
            },
            "resolved": [],
        },
    )


def clean_run() -> Run:
    results = (a_result("orders.email.not_null", passed("0 of 10 values are NULL", count=0, rows=10)),)
    return a_run(results=results, rows={"orders": 10})


def skipped_run() -> Run:
    results = (a_result("orders.email.not_null", skipped("no rows to judge", rows=0)),)
    return a_run(results=results, rows={"orders": 0}, exit_reasons=("nothing was evaluated",))


def hostile_run() -> Run:
    """Every name, message and value is hostile, once for each outcome."""
    findings, others = [], []
    for n, text in enumerate(HOSTILE):
        columns = (text, f"other {text}")
        place: dict[str, Any] = {
            "table": text,
            "columns": columns,
            "name": text,
            "owner": text,
            "note": text,
            "file": text,
        }
        result = a_result(
            f"{n} {text}", failed(text, count=1, rows=2, extra={"groups": 1}), **place, evidence=text, line=n + 1
        )
        findings.append(
            Finding(result, (Sample({text: text}, values={text: text, f"other {text}": text}),), sql=text, accepted="")
        )
        others.append(a_result(f"s{n} {text}", skipped(text), **place))
        others.append(a_result(f"e{n} {text}", Judgement("error", text), **place))
    names: dict[str, Any] = {
        "source": "\n".join(HOSTILE),
        "location": "\x1b]0;x\x07\n::error::",
        "read_mode": "|",
        "engine": "\udcff",
    }
    told: dict[str, Any] = {
        "rows": dict.fromkeys(HOSTILE, 1),
        "notes": HOSTILE,
        "exit_reasons": HOSTILE,
        "sample_values": "full",
    }
    return a_run(tuple(findings), tuple(others), **names, **told)


def long_run(findings: int) -> Run:
    told = []
    for n in range(findings):
        judgement = failed(f"{n} of 9 values", count=n, rows=9, threshold=Threshold(0.01, "share"))
        result = a_result(f"t{n % 50}.c{n:05}.not_null", judgement, table=f"t{n % 50}", columns=(f"c{n:05}",))
        told.append(Finding(result, (Sample({"id": n}, values={f"c{n:05}": None}),)))
    return a_run(tuple(sorted(told, key=lambda f: f.id)), rows={f"t{n}": 9 for n in range(50)})
