"""A saved findings document as a Run again, good enough for every renderer.

In: a dict or text, of this version, an older one or a foreign hand. Out: a Run without catalog and measurements, whose
sample values are `Shown`. Missing fields get empty values; unknown fields of a finding are kept in its judgement's
`extra`, others are passed over; `ratio` and the counts of the summary are computed anew. Refuses, with a WatchdogError
that names the place: text that is no JSON, a newer format, a field of the wrong type.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeVar, get_args

from watchdog.about import FORMAT
from watchdog.codec.document import FIELDS
from watchdog.codec.exits import findings_reason, report_reason
from watchdog.codec.values import Mode, Shown
from watchdog.errors import WatchdogError, nearest
from watchdog.model import Finding, Judgement, Origin, Result, Run, Sample, Severity, Status, Threshold

T = TypeVar("T")
UNKNOWN_TIME = datetime(1970, 1, 1, tzinfo=UTC)  # stands in where a foreign file gives no time
LEVELS = {level.label: level for level in Severity}
_WORDS: Mapping[Any, str] = {
    str: "text", int: "a whole number", float: "a number", bool: "true or false", dict: "an object", list: "a list"
}  # fmt: skip


def loads(text: str, *, file: str = "") -> Run:
    """`file` names the text in errors."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as problem:
        where = f":{problem.lineno}" if isinstance(problem, json.JSONDecodeError) else ""
        hint = "expected the output of `watchdog scan --format json`"
        raise WatchdogError(f"{file or 'findings'}{where}: not valid JSON", hint=hint) from problem
    return from_dict(whole, file=file)


def from_dict(whole: Any, *, file: str = "") -> Run:
    top = _Node.of(whole, file or "findings")
    form = top.get("format", int, FORMAT)
    if form > FORMAT:
        hint = "update Watchdog to read it"
        raise WatchdogError(f"{top.place}: findings format {form}, this version reads up to {FORMAT}", hint=hint)
    if "findings" not in top.fields:
        hint = "expected the output of `watchdog scan --format json`"
        raise WatchdogError(f"{top.place}: no list of findings", hint=hint)
    about, source, told = top.node("run"), top.node("source"), top.node("summary")
    fail_on = told.choice("fail_on", {**LEVELS, "never": None}, "high")
    run = Run(
        id=about.get("id", str, ""),
        source=source.get("name", str, ""),
        dialect=source.get("dialect", str, ""),
        location=source.get("location", str, ""),
        read_mode=source.get("read_mode", str, ""),
        state=source.get("state", dict, {}),
        started=about.moment("started_at"),
        finished=about.moment("finished_at"),
        version=about.get("version", str, ""),
        format=form,
        engine=about.get("engine", str, ""),
        config_digest=about.get("config_digest", str, ""),
        rows=told.node("rows").each(int),
        results=tuple(_result(n, n.choice("status", _same(Status), "passed"), "reason") for n in top.nodes("results")),
        findings=tuple(_finding(n) for n in top.nodes("findings")),
        measurements=(),
        catalog=None,
        complete=told.get("complete", bool, True),
        notes=told.texts("notes"),
        sample_values=about.choice("sample_values", _same(Mode), "masked"),
        profile=top.get("profile", dict, {}),
        history=top.get("history", dict, {}),
        fail_on=fail_on,
        report=top.get("report", dict, {}),
    )
    # the document lists all reasons; a run keeps those of its own and derives those about findings and report
    derived = [*filter(None, (findings_reason(run, fail_on), report_reason(run)))]
    reasons = tuple(reason for reason in told.texts("exit_reasons") if reason not in derived)
    return replace(run, exit_reasons=reasons)


def _finding(node: _Node) -> Finding:
    result = _result(node, "failed", "description")
    column = result.columns[0] if len(result.columns) == 1 else "value"
    return Finding(
        result=result,
        samples=tuple(_sample(sample, column) for sample in node.nodes("samples")),
        sql=node.get("sql", str, ""),
        accepted=_accepted(node),
    )


def _accepted(node: _Node) -> str:
    """Who has accepted it. Older files say so in `accepted` itself."""
    told = node.fields.get("accepted")
    if isinstance(told, bool):
        by: str = node.get("accepted_by", str, "")
        return (by or "unknown") if told else ""
    reason: str = node.get("accepted", str, "")
    return reason


def _sample(node: _Node, column: str) -> Sample:
    values = {name: Shown(value) for name, value in node.get("values", dict, {}).items()}
    if "value" in node.fields:
        values[column] = Shown(node.fields["value"])
    return Sample(key=node.get("key", dict, None), rowid=node.get("rowid", int, None), values=values)


def _result(node: _Node, status: Status, words: str) -> Result:
    unknown = {key: value for key, value in node.fields.items() if key not in FIELDS} if words == "description" else {}
    columns = node.texts("columns")
    if not columns and isinstance(node.fields.get("column"), str):
        columns = (node.fields["column"],)
    check = node.get("check", str, "")
    return Result(
        id=node.get("id", str, ""),
        fingerprint=node.get("fingerprint", str, ""),
        check=check,
        name=node.get("name", str, check),
        dimension=node.get("dimension", str, ""),
        origin=node.choice("origin", _same(Origin), "declared"),
        table=node.get("table", str, None),
        schema=node.get("schema", str, ""),
        columns=columns,
        severity=node.choice("severity", LEVELS, "high"),
        judgement=Judgement(
            status,
            node.get(words, str, ""),
            count=node.get("count", int, None),
            rows=node.get("rows", int, None),
            not_evaluated=_not_evaluated(node),
            threshold=_threshold(node),
            observed=node.fields.get("observed"),
            expected=node.fields.get("expected"),
            value=_real(node),
            unit=node.get("unit", str, None),
            extra=unknown,
        ),
        tags=node.texts("tags"),
        owner=node.get("owner", str, None),
        note=node.get("note", str, None),
        file=node.get("file", str, ""),
        line=node.get("line", int, None),
        evidence=node.get("evidence", str, ""),
    )


def _not_evaluated(node: _Node) -> int | None:
    """A foreign file may give `evaluated` alone."""
    told: int | None = node.get("not_evaluated", int, None)
    rows, evaluated = node.get("rows", int, None), node.get("evaluated", int, None)
    return rows - evaluated if told is None and rows is not None and evaluated is not None and evaluated < rows else told


def _threshold(node: _Node) -> Threshold | None:
    """Older and foreign files give a plain number: rows when it is whole, else a share."""
    told = node.fields.get("threshold")
    if told is None:
        return None
    if isinstance(told, dict):
        limit = node.node("threshold")
        unit = limit.choice("unit", {"rows": "rows", "share": "share"}, "rows")
        return Threshold(limit.get("value", float, 0), "share" if unit == "share" else "rows")
    value = node.get("threshold", float, 0)
    return Threshold(value, "rows" if isinstance(value, int) else "share")


def _real(node: _Node) -> float | None:
    told = node.fields.get("value")
    if isinstance(told, dict) and told.get("text") in {"NaN", "Infinity", "-Infinity"}:
        return float(told["text"])
    value: float | None = node.get("value", float, None)
    return value


def _same(words: Any) -> dict[str, Any]:
    return {word: word for word in get_args(words)}


@dataclass(frozen=True)
class _Node:
    """An object of the document and its place in it; a missing or null field is as good as the default."""

    fields: Mapping[str, Any]
    place: str

    @classmethod
    def of(cls, value: Any, place: str) -> _Node:
        return cls(_expected(value, dict, place), place)

    def get(self, key: str, kind: type[T], default: Any) -> Any:
        value = self.fields.get(key)
        return default if value is None else _expected(value, kind, f"{self.place}: {key}")

    def node(self, key: str) -> _Node:
        return _Node(self.get(key, dict, {}), f"{self.place}: {key}")

    def nodes(self, key: str) -> list[_Node]:
        return [_Node.of(v, f"{self.place}: {key}[{n}]") for n, v in enumerate(self.get(key, list, []))]

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(_expected(v, str, f"{self.place}: {key}[{n}]") for n, v in enumerate(self.get(key, list, [])))

    def each(self, kind: type[T]) -> dict[str, T]:
        return {key: _expected(value, kind, f"{self.place}: {key}") for key, value in self.fields.items()}

    def choice(self, key: str, known: Mapping[str, Any], default: str) -> Any:
        word = self.get(key, str, default)
        if word not in known:
            raise WatchdogError(f"{self.place}: {key}: {word!r} is unknown", hint=nearest(word, known))
        return known[word]

    def moment(self, key: str) -> datetime:
        text = self.get(key, str, None)
        if text is None:
            return UNKNOWN_TIME
        try:
            moment = datetime.fromisoformat(text)
            return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
        except (ValueError, OverflowError) as problem:
            said = f"{self.place}: {key}: {text!r} is no time"
            raise WatchdogError(said, hint="expected 2026-05-01T06:00:00Z") from problem


def _expected(value: Any, kind: type[T], place: str) -> T:
    wanted: Any = (int, float) if kind is float else kind
    endless = isinstance(value, float) and not math.isfinite(value)
    if not isinstance(value, wanted) or (isinstance(value, bool) and kind is not bool) or endless:
        raise WatchdogError(f"{place}: expected {_WORDS[kind]}", hint="the file was changed, or another tool wrote it")
    return value  # type: ignore[no-any-return, unused-ignore]  # a whole number serves where a number is expected
