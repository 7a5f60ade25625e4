"""Verified reports that may be used again: one file for the same findings, prompts and model.

What differs in every run (its id and times, the state of the file) is no part of the key. So a report that is found is
verified again by whoever takes it. A file that cannot be read counts as missing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from watchdog.errors import OutputError, UsageError
from watchdog.writing import NO_GUARD, Guard, whole

FORMAT = 1
_EACH_RUN = ("run",)


def key(findings: Mapping[str, Any], prompts: str, model: str, lang: str, style: str, task_input: str = "") -> str:
    told = {name: value for name, value in findings.items() if name not in _EACH_RUN}
    source, history = told.get("source"), told.get("history")
    if isinstance(source, Mapping):
        told["source"] = {name: source.get(name) for name in ("name", "dialect", "location")}
    if isinstance(history, Mapping):
        told["history"] = {name: value for name, value in history.items() if name != "previous_run"}
    shaping = [FORMAT, told, prompts, model, lang, style, task_input]
    text = json.dumps(shaping, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def find(folder: Path, key: str) -> dict[str, Any] | None:
    """`text`, `spans` and `status` of a report, None without one."""
    try:
        kept = json.loads((folder / f"{key}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if (
        not isinstance(kept, dict)
        or not isinstance(kept.get("text"), str)
        or kept.get("status") not in ("verified", "repaired")
    ):
        return None
    spans = kept.get("spans")
    good = isinstance(spans, list) and all(isinstance(span, list) and len(span) == 3 for span in spans)
    return {**kept, "spans": spans if good else []}


def keep(folder: Path, key: str, kept: Mapping[str, Any], guard: Guard = NO_GUARD) -> None:
    """Whole or not at all; that it could not be kept costs the next run a call and nothing else."""
    with contextlib.suppress(OutputError, UsageError), whole(folder / f"{key}.json", guard, private=True) as stream:
        json.dump(kept, stream, ensure_ascii=False)
