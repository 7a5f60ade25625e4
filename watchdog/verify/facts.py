"""The numbers that a findings document holds, and those that follow from them: what a text about it may say.

In: the document as a dict, of this version, an older one or a foreign hand. Out: `Facts`. A passed check says "0 of n";
a skipped one, or one that errored, says nothing. Derived are only numbers about one subject (difference to the run
before, the rest of the rows, the excess over the threshold); sums and comparisons of several are made where a sentence
names them. A share is one of the rows that were evaluated; an older document may have taken it of all rows in scope.
Refuses a document whose own share contradicts its count and rows: then no text about it can be judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from watchdog.errors import WatchdogError
from watchdog.model import Fact

LEVELS = ("high", "medium", "low", "info")
OFF = Fraction(5, 10_000_000)  # a share in the document is rounded to six places
DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?")
TIME_UNITS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400, "weeks": 604800}
_TOLD = frozenset(  # fields that are read one by one, or that are no facts (texts, keys, places)
    "id fingerprint check name dimension origin table schema column columns severity count rows not_evaluated evaluated ratio "
    "threshold value unit observed expected description accepted accepted_by tags owner note evidence samples sql file line "
    "previous_count status reason groups surplus".split()
)
_SUFFIXES = {"_seconds": "seconds", "_minutes": "minutes", "_hours": "hours", "_days": "days", "_bytes": "bytes",
             "_ratio": "share", "_rows": "rows"}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """One result of the document and its facts."""

    id: str
    table: str
    columns: tuple[str, ...]
    check: str
    name: str
    severity: str  # "" for a check that did not fail
    status: str  # passed, failed, skipped or error
    reason: str  # why it was skipped, or what it says of itself
    facts: tuple[Fact, ...]
    words: str  # what the program says about it: description, note and evidence
    samples: tuple[str, ...]  # the keys of the rows shown

    @property
    def count(self) -> Fraction | None:
        return self.number("count")

    def number(self, kind: str) -> Fraction | None:
        return next((f.value for f in self.facts if f.kind == kind and isinstance(f.value, Fraction)), None)

    def fact(self, kind: str) -> Fact | None:
        return next((f for f in self.facts if f.kind == kind), None)


@dataclass(frozen=True, eq=False)
class Facts:
    """All facts, by id and by subject. `results` are in the document's order, failed ones first."""

    all: tuple[Fact, ...]
    results: tuple[Subject, ...]
    rows: Mapping[str, int]  # table -> rows
    run: tuple[Fact, ...]  # about the whole run
    dates: frozenset[str]  # every date or moment the document speaks of, as ISO text
    document: Mapping[str, Any] = field(repr=False)
    _ids: dict[str, Fact] = field(default_factory=dict, repr=False)
    _subjects: dict[str, tuple[Fact, ...]] = field(default_factory=dict, repr=False)

    def by_id(self, id: str) -> Fact | None:
        return self._ids.get(id)

    def of(self, subject: str) -> tuple[Fact, ...]:
        """The facts of a finding or result id, of a table, of "severity:high", or of the whole run ("")."""
        return self._subjects.get(subject, ())

    @property
    def findings(self) -> tuple[Subject, ...]:
        return tuple(s for s in self.results if s.status == "failed")

    @property
    def tables(self) -> tuple[str, ...]:
        named = dict.fromkeys([*self.rows, *(s.table for s in self.results if s.table)])
        return tuple(named)


class _Maker:
    def __init__(self) -> None:
        self.all: list[Fact] = []
        self.by_subject: dict[str, list[Fact]] = {}

    def add(self, subject: str, kind: str, value: Fraction | int | str, unit: str, origin: str) -> Fact:
        exact = value if isinstance(value, str | Fraction) else Fraction(value)
        fact = Fact(f"f{len(self.all) + 1}", (subject,), kind, exact, unit, origin)
        self.all.append(fact)
        self.by_subject.setdefault(subject, []).append(fact)
        return fact


def facts_of(findings: Mapping[str, Any]) -> Facts:
    """The facts of a findings document. WatchdogError when it is none, or contradicts itself."""
    if not isinstance(findings, Mapping) or not isinstance(findings.get("findings"), list):
        raise WatchdogError("the findings hold no list of findings", hint="expected `watchdog scan --format json`")
    make = _Maker()
    summary, history = _dict(findings.get("summary")), _dict(findings.get("history"))
    past = _dict(history.get("findings"))
    subjects: list[Subject] = []
    for n, finding in enumerate(findings["findings"]):
        if isinstance(finding, Mapping):
            subjects.append(_finding(make, finding, _dict(past.get(_text(finding.get("id")))), f"findings[{n}]"))
    known = {s.id for s in subjects}
    for n, result in enumerate(_list(findings.get("results"))):
        if isinstance(result, Mapping) and _text(result.get("id")) not in known:
            subjects.append(_result(make, result, f"results[{n}]"))
    rows = {_text(t): int(r) for t, r in _dict(summary.get("rows")).items() if _whole(r) is not None}
    for table, count in rows.items():
        make.add(table, "table_rows", count, "rows", f"summary.rows.{table}")
    _totals(make, findings, summary, subjects, rows)
    dates = frozenset(_dates(findings))
    for moment in sorted(dates):
        make.add("", "date", moment, "date", "run")
    return Facts(
        all=tuple(make.all),
        results=tuple(subjects),
        rows=rows,
        run=tuple(make.by_subject.get("", ())),
        dates=dates,
        document=findings,
        _ids={fact.id: fact for fact in make.all},
        _subjects={subject: tuple(facts) for subject, facts in make.by_subject.items()},
    )


def _finding(make: _Maker, told: Mapping[str, Any], past: Mapping[str, Any], origin: str) -> Subject:
    id = _text(told.get("id"))
    start = len(make.all)
    count = _whole(told.get("count"))
    _counted(make, id, told, origin)
    earlier = _whole(past.get("previous_count"))
    previous = earlier if earlier is not None else _whole(told.get("previous_count"))
    if previous is not None and count is not None:
        make.add(id, "previous", previous, "rows", f"{origin}.previous_count")
        make.add(id, "delta", count - previous, "rows", f"{origin}: count - previous")
        if previous:
            make.add(
                id, "percent_change", Fraction(count - previous, previous), "change", f"{origin}: count / previous"
            )
            make.add(id, "fold", Fraction(count, previous), "fold", f"{origin}: count / previous")
    before = _number(past.get("previous_ratio", told.get("previous_ratio")))
    share = _share(told, origin)
    if before is not None and share is not None:
        make.add(id, "previous_ratio", before, "share", f"{origin}.previous_ratio")
        make.add(id, "points", share - before, "points", f"{origin}: ratio - previous_ratio")
    _threshold(make, id, told, count, share, origin)
    _overdue(make, id, told, origin)
    return _subject(make, told, id, start, "failed", _text(told.get("description")))


def _result(make: _Maker, told: Mapping[str, Any], origin: str) -> Subject:
    id, status = _text(told.get("id")), _text(told.get("status")) or "passed"
    start = len(make.all)
    if status in ("passed", "failed"):
        _counted(make, id, told, origin)
    return _subject(make, told, id, start, status, _text(told.get("reason")))


def _subject(make: _Maker, told: Mapping[str, Any], id: str, start: int, status: str, reason: str) -> Subject:
    columns = tuple(_text(c) for c in _list(told.get("columns"))) or (
        (_text(told["column"]),) if told.get("column") else ()
    )
    keys = [_dict(_dict(sample).get("key")) for sample in _list(told.get("samples"))]
    check = _text(told.get("check"))
    return Subject(
        id=id,
        table=_text(told.get("table")),
        columns=columns,
        check=check,
        name=_text(told.get("name")) or check,
        severity=_text(told.get("severity")) if status == "failed" else "",
        status=status,
        reason=reason,
        facts=tuple(make.all[start:]),
        words="\n".join(filter(None, (reason, _text(told.get("note")), _text(told.get("evidence"))))),
        samples=tuple(str(value) for key in keys for value in key.values()),
    )


def _evaluated(told: Mapping[str, Any]) -> int | None:
    """The rows that the check says something about; None when the document does not say so."""
    rows, aside, evaluated = (_whole(told.get(key)) for key in ("rows", "not_evaluated", "evaluated"))
    if evaluated is not None or rows is None:
        return evaluated
    return max(rows - (aside or 0), 0)


def _share(told: Mapping[str, Any], origin: str) -> Fraction | None:
    """count / evaluated; count / rows where the document has taken it so and does not name what was evaluated."""
    count, rows, evaluated = _whole(told.get("count")), _whole(told.get("rows")), _evaluated(told)
    said = _number(told.get("ratio"))
    older = rows if "evaluated" not in told else None
    shares = [Fraction(count, whole) for whole in (evaluated, older) if count is not None and whole]
    if said is None or not shares:
        return shares[0] if shares else None
    fitting = [share for share in shares if abs(said - share) <= OFF]
    if not fitting:
        raise WatchdogError(
            f"{origin}: the ratio {float(said):g} is not {count} / {evaluated or rows}",
            hint="the findings file was changed; scan again",
        )
    return fitting[0]


def _counted(make: _Maker, id: str, told: Mapping[str, Any], origin: str) -> None:
    """What a check counted, of how many; what it measured; what it saw and expected."""
    count, rows = _whole(told.get("count")), _whole(told.get("rows"))
    evaluated, share = _evaluated(told), _share(told, origin)
    aside = _whole(told.get("not_evaluated")) or (rows - evaluated if rows is not None and evaluated is not None else 0)
    if count is not None:
        make.add(id, "count", count, "rows", f"{origin}.count")
    if rows is not None:
        make.add(id, "rows", rows, "rows", f"{origin}.rows")
    if count is not None and share is not None and evaluated is not None:
        make.add(id, "ratio", share, "share", f"{origin}.ratio")
        if count:
            make.add(id, "complement", evaluated - count, "rows", f"{origin}: evaluated - count")
            make.add(id, "complement_ratio", 1 - share, "share", f"{origin}: 1 - ratio")
    if aside > 0:
        make.add(id, "not_evaluated", aside, "rows", f"{origin}.not_evaluated")
        if rows:
            make.add(id, "not_evaluated_ratio", Fraction(aside, rows), "share", f"{origin}: not_evaluated / rows")
        if evaluated is not None:
            make.add(id, "evaluated", evaluated, "rows", f"{origin}.evaluated")
    for kind in ("groups", "surplus"):
        number = _whole(told.get(kind))
        if number is not None:
            make.add(id, kind, number, "groups" if kind == "groups" else "rows", f"{origin}.{kind}")
    value, unit = _number(told.get("value")), _text(told.get("unit"))
    if value is not None and not (unit == "rows" and rows == value):
        make.add(id, "value", value, unit, f"{origin}.value")
    seen: set[tuple[str, Fraction | str]] = set()
    for part in ("observed", "expected"):
        for kind, leaf, leaf_unit in _leaves(told.get(part), part):
            seen.add((kind, leaf))
            same = kind == "observed" and leaf in (value, rows)
            if not same:
                make.add(id, kind, leaf, leaf_unit or (unit if not isinstance(leaf, str) else ""), f"{origin}.{part}")
    for key, extra in told.items():
        if key not in _TOLD and isinstance(key, str):
            for kind, leaf, leaf_unit in _leaves(extra, key):
                if (kind, leaf) in seen:
                    continue
                make.add(id, kind, leaf, leaf_unit or _unit(kind), f"{origin}.{key}")


def _threshold(
    make: _Maker, id: str, told: Mapping[str, Any], count: int | None, share: Fraction | None, origin: str
) -> None:
    raw = told.get("threshold")
    limit = raw if isinstance(raw, Mapping) else {"value": raw, "unit": "rows" if _whole(raw) is not None else "share"}
    value, unit = _number(limit.get("value")), _text(limit.get("unit"))
    if value is None:
        return
    make.add(id, "threshold", value, unit, f"{origin}.threshold")
    measured = _number(told.get("value"))
    if unit == "rows" and count is not None and value:
        make.add(id, "excess", count - value, "rows", f"{origin}: count - threshold")
    elif unit == "share" and share is not None:
        make.add(id, "excess", share - value, "points", f"{origin}: ratio - threshold")
    elif unit == _text(told.get("unit")) and measured is not None:
        make.add(id, "excess", measured - value, unit, f"{origin}: value - threshold")


def _overdue(make: _Maker, id: str, told: Mapping[str, Any], origin: str) -> None:
    """By how much a measured value is above the largest, or below the smallest, that was expected."""
    value, unit = _number(told.get("value")), _text(told.get("unit"))
    if value is None:
        return
    for kind, bound, own in _leaves(told.get("expected"), "expected"):
        if isinstance(bound, Fraction) and (own == unit or not own):
            if kind.startswith("max") and value > bound:
                make.add(id, "excess", value - bound, unit, f"{origin}: value - {kind}")
            elif kind.startswith("min") and value < bound:
                make.add(id, "excess", bound - value, unit, f"{origin}: {kind} - value")


def _totals(
    make: _Maker, whole: Mapping[str, Any], summary: Mapping[str, Any], subjects: list[Subject], rows: Mapping[str, int]
) -> None:
    failed = [s for s in subjects if s.status == "failed"]
    tables = _whole(summary.get("tables"))
    if tables is None and rows:
        tables = len(rows)
    if tables is not None:
        make.add("", "tables", tables, "tables", "summary.tables")
    affected = len({s.table for s in failed if s.table})
    make.add("", "tables_affected", affected, "tables", "findings: their tables")
    if tables is not None:
        make.add("", "tables_clean", max(tables - affected, 0), "tables", "summary.tables - those with findings")
    if rows:
        make.add("", "total_rows", sum(rows.values()), "rows", "summary.rows: their sum")
    for kind in ("run", "evaluated", "passed", "failed", "skipped", "errored"):
        number = _whole(summary.get(f"checks_{kind}"))
        if number is None and _list(whole.get("results")):
            statuses = [_text(_dict(r).get("status")) for r in _list(whole.get("results"))]
            number = {
                "run": len(statuses), "evaluated": statuses.count("passed") + statuses.count("failed"),
                "errored": statuses.count("error"),
            }.get(kind, statuses.count(kind))  # fmt: skip
        if number is not None:
            make.add("", f"checks_{kind}", number, "checks", f"summary.checks_{kind}")
    checks = {f.kind: f.value for f in make.by_subject.get("", ()) if f.unit == "checks"}
    for base in ("run", "evaluated"):
        total = checks.get(f"checks_{base}")
        if isinstance(total, Fraction) and total:
            for kind in ("passed", "failed"):
                part = checks.get(f"checks_{kind}")
                if isinstance(part, Fraction):
                    make.add("", f"checks_{kind}_of_{base}", part / total, "share", f"checks_{kind} / checks_{base}")
    make.add("", "findings", len(failed), "findings", "findings: their number")
    make.add(
        "", "columns_affected", len({(s.table, c) for s in failed for c in s.columns}), "columns", "findings: columns"
    )
    for level in LEVELS:
        make.add(f"severity:{level}", f"findings_{level}", sum(s.severity == level for s in failed), "findings",
                 f"findings of severity {level}")  # fmt: skip
    states = [_text(_dict(h).get("state")) for h in _dict(_dict(whole.get("history")).get("findings")).values()]
    for state in sorted(set(filter(None, states))):
        make.add("", f"findings_{state}", states.count(state), "findings", f"history: findings that are {state}")
    resolved = _list(_dict(whole.get("history")).get("resolved"))
    if "resolved" in _dict(whole.get("history")) and "resolved" not in states:
        make.add("", "findings_resolved", len(resolved), "findings", "history.resolved")
    size = _whole(_dict(_dict(whole.get("source")).get("state")).get("size_bytes"))
    if size:
        make.add("", "size", size, "bytes", "source.state.size_bytes")


def _dates(whole: Mapping[str, Any]) -> Iterator[str]:
    """Moments of the run and of the run before, and dates that findings observed, expect or mention."""
    run = _dict(whole.get("run"))
    history = _dict(whole.get("history"))
    yield from _moments([run.get("started_at"), run.get("finished_at"), run.get("now"), run.get("id")])
    yield from _moments(_leaf_texts(history.get("previous_run")))
    for told in _dict(history.get("findings")).values():
        yield from _moments(_leaf_texts(told))
    for part in ("findings", "results"):
        for told in _list(whole.get(part)):
            if isinstance(told, Mapping):
                texts = [told.get("description"), told.get("reason"), told.get("note"), told.get("evidence")]
                kept = {k: v for k, v in told.items() if k not in _TOLD or k in ("observed", "expected")}
                yield from _moments([*texts, *_leaf_texts(kept)])


def _moments(texts: Any) -> Iterator[str]:
    for text in texts:
        if isinstance(text, str) and len(text) >= 8:
            for found in DATE.findall(text):
                yield found.replace(" ", "T")
            if re.match(r"\d{8}T\d{6}Z", text):
                yield f"{text[:4]}-{text[4:6]}-{text[6:8]}T{text[9:11]}:{text[11:13]}:{text[13:15]}"


def _leaf_texts(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < 6 and isinstance(value, Mapping):
        for item in value.values():
            yield from _leaf_texts(item, depth + 1)
    elif depth < 6 and isinstance(value, list):
        for item in value:
            yield from _leaf_texts(item, depth + 1)


def _leaves(value: Any, name: str, depth: int = 0) -> Iterator[tuple[str, Fraction | str, str]]:
    """The numbers and dates in a value, each with a name and its unit ("" = unknown)."""
    if isinstance(value, str):
        if DATE.fullmatch(value):
            yield name, value, "date"
        return
    number = _number(value)
    if number is not None:
        yield name, number, ""
    elif depth < 4 and isinstance(value, Mapping):
        if set(value) == {"type", "text"}:  # a 64-bit integer, a NaN: as the codec writes them
            number = _number_text(value.get("text"))
            if number is not None:
                yield name, number, ""
            return
        for key, item in value.items():
            yield from ((k, v, u or _unit(k)) for k, v, u in _leaves(item, str(key), depth + 1))
    elif depth < 4 and isinstance(value, list):
        for item in value[:50]:
            yield from _leaves(item, name, depth + 1)


def _unit(kind: str) -> str:
    return next((unit for suffix, unit in _SUFFIXES.items() if kind.endswith(suffix)), "")


def _number(value: Any) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int):
        return Fraction(value)
    return Fraction(repr(value)) if value == value and abs(value) != float("inf") else None


def _number_text(text: Any) -> Fraction | None:
    return Fraction(text) if isinstance(text, str) and re.fullmatch(r"-?\d{1,40}(\.\d{1,40})?", text) else None


def _whole(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if isinstance(value, int) or (abs(value) < 2**53 and value == int(value)) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
