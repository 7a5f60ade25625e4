"""Known findings, for runners without history: what is accepted, by finding and by row, sorted, so that files merge.

In: a run, or the text of a baseline file. Out: that text, or the run with its known findings accepted. A finding is known
while each of its rows is listed. Where no rows are listed (too many, a check of a whole table, a file of version 1), its
count decides: it must not be above the listed one, or be none as then. Refuses text that is no baseline, a newer version,
and a fingerprint that is listed twice.

A row is named by its key, or by all that its query shows where it has none. Whole numbers stand as they are; text, and
whatever looks personal, as a hash that the finding's fingerprint salts: to compare rows, nobody has to read them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, TypeVar

from watchdog.codec.values import clean, looks_personal, safe
from watchdog.errors import ConfigError
from watchdog.model import Finding, Judgement, Run, Sample, Tally, one_or_more

AnyRun = TypeVar("AnyRun", bound=Run)
Key = int | str | tuple[int, ...]

BASELINE_VERSION = 2
MOST_KEYS = 1000  # rows of a finding that are listed; above, its count decides
MOST_BYTES = 64_000_000  # of a file; a thousand findings with all their keys are a third of that
NAMED = 5  # rows and findings that a sentence names
_HINT = "write it anew with --write-baseline"
_MANY = f"more than {MOST_KEYS:,} rows: the count decides"
_NO_ROWS = "no rows are listed: the count decides"


@dataclass(frozen=True)
class Known:
    """What is accepted of one finding. `keys` None: no rows are listed, the count decides (None: it counts nothing)."""

    count: int | None
    keys: tuple[Key, ...] | None = None
    id: str = ""


@dataclass(frozen=True)
class Baseline:
    findings: Mapping[str, Known] = field(default_factory=dict)  # by fingerprint
    name: str = "baseline"  # of the file, without its folder
    version: int = BASELINE_VERSION


# ---------------------------------------------------------------- rows


def row_key(fingerprint: str, row: Sample) -> Key:
    """What names a failing row in a baseline."""
    key = row.key or {}
    numbers = [v for v in key.values() if isinstance(v, int) and not isinstance(v, bool)]
    if key and len(numbers) == len(key) and not any(looks_personal(name) for name in key):
        return numbers[0] if len(numbers) == 1 else tuple(numbers)
    named: Any = safe(key or row.values)
    if not key or None in key.values():  # SQLite takes NULL in a key: then only the row id tells such rows apart
        named = [named, row.rowid]
    return sha256(f"{fingerprint}\n{json.dumps(named)}".encode()).hexdigest()[:16]


def tally(fingerprint: str, rows: Iterable[Sample], known: Known | None, wanted: int) -> Tally:
    """All failing rows of a finding beside those that a baseline lists; the first `wanted` that it does not are kept."""
    left = None if known is None or known.keys is None else Counter(known.keys)
    keys: list[Key] | None = []
    held: list[Key] = []
    shown: list[Sample] = []
    new = 0
    for row in rows:
        key = row_key(fingerprint, row)
        if keys is not None:
            keys.append(key)
            keys = keys if len(keys) <= MOST_KEYS else None
        if left is None:
            if keys is None:
                break
        elif left[key] > 0:
            left[key] -= 1
            held.append(key)
        else:
            new += 1
            shown += [row] if len(shown) < wanted else []
    return Tally(None if keys is None else _sorted(keys), None if left is None else _sorted(held), new, tuple(shown))


def _sorted(keys: Iterable[Key]) -> tuple[Key, ...]:
    return tuple(sorted(keys, key=lambda k: (0, k, (), "") if isinstance(k, int) else _behind(k)))


def _behind(key: str | tuple[int, ...]) -> tuple[int, int, tuple[int, ...], str]:
    return (1, 0, key, "") if isinstance(key, tuple) else (2, 0, (), key)


# ---------------------------------------------------------------- the file


def baseline_dump(run: Run, before: Baseline | None = None) -> str:
    """The findings of the run as a baseline; with `before`, what that accepts and is still true (nothing is added)."""
    today = {clean(f.fingerprint): _of(f) for f in run.findings}
    known = today if before is None else _still_true(run, today, before)
    blocks = [f"{json.dumps(fingerprint)}: {_block(known[fingerprint])}" for fingerprint in sorted(known)]
    opening = f'{{"watchdog_baseline": {BASELINE_VERSION}, "findings": {{\n'
    return opening + ",\n".join(blocks) + ("\n" if blocks else "") + "}}\n"


def _of(finding: Finding) -> Known:
    keys = finding.tally.keys if finding.tally else None
    return Known(finding.count if keys is None else len(keys), keys, clean(finding.id))


def _still_true(run: Run, today: Mapping[str, Known], before: Baseline) -> dict[str, Known]:
    """What was accepted, without what is mended; what this run did not look at stays as it is."""
    found = {clean(f.fingerprint): f for f in run.findings}
    mended = {clean(r.fingerprint) for r in run.results if r.status == "passed" and not r.judgement.count}
    kept: dict[str, Known] = {}
    for fingerprint, then in before.findings.items():
        if fingerprint in mended:
            continue
        now = today.get(fingerprint, then)
        held = found[fingerprint].tally if fingerprint in found else None
        if held and held.held is not None:
            now = Known(len(held.held), held.held, now.id)
        elif (now.count is None) != (then.count is None):
            now = then
        elif now.count is not None and then.count is not None and now.count > then.count:
            now = Known(then.count, None, now.id)
        if now.keys != ():
            kept[fingerprint] = now
    return kept


def _block(known: Known) -> str:
    opening = f'{{"id": {json.dumps(known.id)}, "count": {json.dumps(known.count)}, "keys": '
    if known.keys is None:
        note = _MANY if known.count is not None and known.count > MOST_KEYS else _NO_ROWS
        return f'{opening}null, "note": {json.dumps(note)}}}'
    return opening + "[\n" + ",\n".join(f" {json.dumps(key)}" for key in known.keys) + "\n]}"


def baseline_load(text: str, *, file: str = "") -> Baseline:
    """`file` names the text in errors; its name alone says later who has accepted a finding."""
    if len(text) > MOST_BYTES:
        raise ConfigError(f"baseline is larger than {MOST_BYTES // 1_000_000} MB", file=file, hint=_HINT)
    try:
        whole = json.loads(text, object_pairs_hook=_once)
    except _ListedTwiceError as twice:
        raise ConfigError(f"baseline lists {twice} twice", file=file, hint=f"keep the right line, or {_HINT}") from None
    except (ValueError, RecursionError) as problem:
        line = problem.lineno if isinstance(problem, json.JSONDecodeError) else None
        hint = f"is a merge conflict left in it? else {_HINT}"
        raise ConfigError("baseline is not valid JSON", file=file, line=line, hint=hint) from problem
    told = whole if isinstance(whole, dict) else {}
    version = told.get("watchdog_baseline")
    if version is None and told.get("format") == 1:  # as version 1 opens
        version = 1
    if type(version) is int and version > BASELINE_VERSION:
        said = f"baseline of version {version}, this program reads up to {BASELINE_VERSION}"
        raise ConfigError(said, file=file, hint=f"update Watchdog, or {_HINT}")
    findings = told.get("findings")
    if type(version) is not int or version < 1 or not isinstance(findings, dict):
        hint = f'a baseline opens with {{"watchdog_baseline": {BASELINE_VERSION}, "findings": ...; {_HINT}'
        raise ConfigError("not a baseline file", file=file, hint=hint)
    known = {fingerprint: _known(fingerprint, entry, file) for fingerprint, entry in findings.items()}
    return Baseline(known, clean(file.replace("\\", "/").rpartition("/")[2]) or "baseline", version)


def _known(fingerprint: str, entry: Any, file: str) -> Known:
    told = entry if isinstance(entry, dict) else {}
    count, keys, id = told.get("count", ""), told.get("keys"), told.get("id")
    if not (count is None or (type(count) is int and count >= 0)):
        hint = f'"count" is a whole number of rows, or null; {_HINT}'
        raise ConfigError(f"baseline entry {fingerprint!r} has no usable count", file=file, hint=hint)
    listed = None if keys is None else [_key(k) for k in keys] if isinstance(keys, list) else [None]
    if listed is not None and None in listed:
        hint = f'"keys" is a list of whole numbers, lists of them, and hashes, or null; {_HINT}'
        raise ConfigError(f"baseline entry {fingerprint!r} has no usable keys", file=file, hint=hint)
    rows = None if listed is None else _sorted(key for key in listed if key is not None)
    return Known(count if rows is None else len(rows), rows, id if isinstance(id, str) else "")


def _key(told: Any) -> Key | None:
    if isinstance(told, list):
        return tuple(told) if told and all(type(part) is int for part in told) else None
    return told if isinstance(told, str) or type(told) is int else None


# ---------------------------------------------------------------- what it accepts


def accept_known(run: AnyRun, baseline: Baseline) -> AnyRun:
    """The run with its known findings accepted, new rows named and mended ones told; a reason from before stays."""
    findings = tuple(_judged(finding, baseline) for finding in run.findings)
    notes = [*run.notes]
    if baseline.version < BASELINE_VERSION:
        notes.append(
            f"{baseline.name} is a baseline of version {baseline.version}: it accepts by count alone, not by row; write it anew"
        )
    mended = _mended(run, baseline)
    if mended:
        rows, which = sum(mended.values()), sorted(mended)
        more = f" and {len(which) - NAMED:,} more" if len(which) > NAMED else ""
        are = "row is" if rows == 1 else "rows are"
        notes.append(f"{rows:,} accepted {are} mended ({', '.join(which[:NAMED])}{more}): write the baseline anew")
    return replace(run, findings=findings, notes=tuple(notes))


def _judged(finding: Finding, baseline: Baseline) -> Finding:
    known, rows = baseline.findings.get(clean(finding.fingerprint)), finding.tally
    if finding.accepted or known is None:
        return finding
    if rows is None or rows.held is None:
        then, today = known.count, finding.count
        fine = then is None and today is None if then is None or today is None else today <= then
        return replace(finding, accepted=baseline.name) if fine else finding
    if not rows.new:
        return replace(finding, accepted=baseline.name)
    judged = _with_new(finding.result.judgement, rows)
    return replace(finding, result=replace(finding.result, judgement=judged), samples=rows.shown)


def _with_new(judged: Judgement, rows: Tally) -> Judgement:
    """Says how many of the rows nobody accepted, and names the first."""
    total = rows.new + len(rows.held or ())
    said = f"{rows.new:,} of {total:,} {one_or_more('rows', total)} {'is' if rows.new == 1 else 'are'} not in the baseline"
    names = [_named(row) for row in rows.shown[:NAMED] if row.key]
    more = f" and {rows.new - len(names):,} more" if rows.new > len(names) else ""
    where = f": {'; '.join(names)}{more}" if names else ""
    return replace(judged, message=f"{judged.message}; {said}{where}", extra={**judged.extra, "not_in_baseline": rows.new})


def _named(row: Sample) -> str:
    values = ((clean(name), json.dumps(safe(value), ensure_ascii=False)) for name, value in (row.key or {}).items())
    return ", ".join(f"{name}={value if len(value) <= 80 else value[:79] + '…'}" for name, value in values)


def _mended(run: Run, baseline: Baseline) -> dict[str, int]:
    """Finding -> accepted rows that are bad no more (1 for what counts no rows), as far as this run has looked."""
    gone: dict[str, int] = {}
    found = {clean(f.fingerprint): f for f in run.findings}
    for result in run.results:
        known = baseline.findings.get(clean(result.fingerprint))
        finding = found.get(clean(result.fingerprint))
        if known is None:
            continue
        then, rows = (1 if known.count is None else known.count), finding.tally if finding else None
        if rows is not None and rows.held is not None:
            less = then - len(rows.held)
        elif finding is not None:
            less = 0 if finding.count is None else then - finding.count
        else:
            less = then if result.status == "passed" and not result.judgement.count else 0
        if less > 0:
            gone[clean(result.id)] = less
    return gone


class _ListedTwiceError(ValueError):
    pass


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for key, value in pairs:
        if key in told:
            raise _ListedTwiceError(json.dumps(key))
        told[key] = value
    return told
