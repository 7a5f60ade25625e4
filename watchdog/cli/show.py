"""`watchdog checks` and `watchdog explain`: the documentation that stands in the checks themselves."""

from __future__ import annotations

from dataclasses import MISSING, fields

from watchdog.model import Check
from watchdog.plugins import check_class, check_doc, check_names


def list_checks() -> str:
    lines = []
    for name in check_names():
        cls = check_class(name)
        lines.append(f"{name:32} {cls.dimension:13} {check_doc(name).splitlines()[0]}\n")
    return "".join(lines)


def explain_check(name: str) -> str:
    """UsageError, with the nearest name, for a check that does not exist."""
    cls = check_class(name)
    common = {f.name for f in fields(Check)}
    own = [f for f in fields(cls) if f.name not in common]
    told = [f"  {f.name:18} {f.type}{'' if f.default is MISSING else f' (default {f.default!r})'}" for f in own]
    lines = [
        name, "=" * len(name), check_doc(name), "",
        f"Dimension  {cls.dimension}", f"Severity   {cls.default_severity.label} unless `severity` says otherwise",
        f"Stands     under a {cls.takes}", "",
        "Options", *(told or ["  none of its own"]), "",
        "  and, as every check: severity, where, at_most, name, description, tags, owner",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"
