"""Known findings, for runners without history: fingerprint and count of each, one a line, sorted, so that files merge.

In: a run, or the text of a baseline file. Out: that text, or the run with its known findings accepted. A finding is
known when its fingerprint is listed with a count not below today's; one that counts nothing, when it is listed so too.
Refuses text that is no baseline, a newer format, and a fingerprint that is listed twice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from watchdog.codec.values import clean
from watchdog.errors import ConfigError
from watchdog.model import Finding, Run

AnyRun = TypeVar("AnyRun", bound=Run)

BASELINE_FORMAT = 1
ACCEPTED = "baseline"
_HINT = "write it anew with --write-baseline"


def baseline_dump(run: Run) -> str:
    known = {clean(f.fingerprint): {"count": f.count, "id": clean(f.id)} for f in run.findings}
    lines = [f"{json.dumps(key)}: {json.dumps(known[key])}" for key in sorted(known)]
    return f'{{"format": {BASELINE_FORMAT}, "findings": {{\n' + ",\n".join(lines) + ("\n" if lines else "") + "}}\n"


def baseline_load(text: str, *, file: str = "") -> dict[str, int | None]:
    """Fingerprint -> count; None where the finding counts nothing. `file` names the text in errors."""
    try:
        whole = json.loads(text, object_pairs_hook=_once)
    except _ListedTwiceError as twice:
        raise ConfigError(f"baseline lists {twice} twice", file=file, hint=f"keep the right line, or {_HINT}") from None
    except (ValueError, RecursionError) as problem:
        line = problem.lineno if isinstance(problem, json.JSONDecodeError) else None
        hint = f"is a merge conflict left in it? else {_HINT}"
        raise ConfigError("baseline is not valid JSON", file=file, line=line, hint=hint) from problem
    form = whole.get("format") if isinstance(whole, dict) else None
    if type(form) is int and form > BASELINE_FORMAT:
        said = f"baseline of format {form}, this version reads up to {BASELINE_FORMAT}"
        raise ConfigError(said, file=file, hint=f"update Watchdog, or {_HINT}")
    findings = whole.get("findings") if isinstance(whole, dict) else None
    if type(form) is not int or form < 1 or not isinstance(findings, dict):
        hint = f'a baseline opens with {{"format": 1, "findings": ...; {_HINT}'
        raise ConfigError("not a baseline file", file=file, hint=hint)
    return {fingerprint: _count(fingerprint, entry, file) for fingerprint, entry in findings.items()}


def accept_known(run: AnyRun, baseline: Mapping[str, int | None]) -> AnyRun:
    """The run with its known findings accepted; a reason that was there before stays."""
    new = (replace(f, accepted=ACCEPTED) if _newly_known(f, baseline) else f for f in run.findings)
    return replace(run, findings=tuple(new))


def _newly_known(finding: Finding, baseline: Mapping[str, int | None]) -> bool:
    if finding.accepted or finding.fingerprint not in baseline:
        return False
    then, today = baseline[finding.fingerprint], finding.count
    return then is None and today is None if then is None or today is None else today <= then


def _count(fingerprint: str, entry: Any, file: str) -> int | None:
    count = entry.get("count", "") if isinstance(entry, dict) else ""
    if count is None or (type(count) is int and count >= 0):
        return count
    hint = f'"count" is a whole number of rows, or null; {_HINT}'
    raise ConfigError(f"baseline entry {fingerprint!r} has no usable count", file=file, hint=hint)


class _ListedTwiceError(ValueError):
    pass


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for key, value in pairs:
        if key in told:
            raise _ListedTwiceError(json.dumps(key))
        told[key] = value
    return told
