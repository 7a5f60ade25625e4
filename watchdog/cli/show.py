"""`watchdog checks` and `watchdog explain`: the documentation that stands in the checks themselves."""

from __future__ import annotations

from collections.abc import Iterator

from watchdog.checks._reference import COMMON, PLACES, Option, options_of
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
    lines = [
        name, "=" * len(name), check_doc(name), "",
        f"Dimension  {cls.dimension}",
        f"Severity   {cls.default_severity.label} unless `severity` or `at_most` says otherwise",
        f"Stands     under {PLACES[cls.takes]}", "",
        "Options", *(line for option in options_of(name) for line in _option(option)),
        f"  and, as every check: {', '.join(COMMON)}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _option(option: Option) -> Iterator[str]:
    default = " (needed)" if option.needed else f" (default {option.default})" if option.default else ""
    yield f"  {option.name:18} {option.values.replace('`', '')}{default}"
    if option.meaning:
        yield f"  {'':18} {option.meaning}"
