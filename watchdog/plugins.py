"""Finds the parts that live in files (checks, renderers) and turns a CheckSpec into a check.

A check is a file in `watchdog/checks/` (or an entry point of the group `watchdog.checks`, or a file in a task's `checks/`
folder) that holds one subclass of `Check`; the file's name is the check's name. A renderer is a file in `watchdog/render/`
with `render` and `SUFFIX`.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

from watchdog.errors import ConfigError, UsageError, nearest
from watchdog.model import AtMost, Check, CheckSpec, Severity, Threshold

GROUP = "watchdog.checks"


@functools.cache
def check_names() -> tuple[str, ...]:
    """Every check that can be named in config.yaml, sorted."""
    return tuple(sorted(_own() | set(_outside())))


@functools.cache
def _own() -> frozenset[str]:
    package = importlib.import_module("watchdog.checks")
    return frozenset(m.name for m in pkgutil.iter_modules(package.__path__) if not m.name.startswith("_"))


def _known(name: str) -> bool:
    """Ours first: looking for entry points reads the metadata of every installed package."""
    return name in _own() or name in _outside()


@functools.cache
def _outside() -> dict[str, Any]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}


@functools.cache
def check_class(name: str) -> type[Check]:
    """The class of a check by its name. UsageError when there is none."""
    if not _known(name):
        raise UsageError(f"unknown check {name!r}", hint=nearest(name, check_names()))
    outside = None if name in _own() else _outside()[name]
    module = outside.load() if outside else importlib.import_module(f"watchdog.checks.{name}")
    if isinstance(module, type):
        return module
    found = [
        v
        for v in vars(module).values()
        if isinstance(v, type) and v.__module__ == module.__name__ and issubclass(v, Check)
    ]
    if len(found) != 1:
        raise UsageError(f"check {name!r}: its file has to hold one subclass of Check, found {len(found)}")
    return found[0]


def check_doc(name: str) -> str:
    """The check's documentation: the docstring of its file."""
    cls = check_class(name)
    return (importlib.import_module(cls.__module__).__doc__ or "").strip()


@functools.cache
def renderer_names() -> tuple[str, ...]:
    package = importlib.import_module("watchdog.render")
    return tuple(sorted(m.name for m in pkgutil.iter_modules(package.__path__) if not m.name.startswith("_")))


def renderer(name: str) -> ModuleType:
    if name not in renderer_names():
        raise UsageError(f"unknown format {name!r}", hint=nearest(name, renderer_names()))
    return importlib.import_module(f"watchdog.render.{name}")


# ---------------------------------------------------------------- options


@functools.cache
def option_names(name: str) -> tuple[str, ...]:
    return tuple(f.name for f in fields(check_class(name)))


@functools.cache
def _adapter(name: str) -> Any:
    from pydantic import ConfigDict, TypeAdapter

    cls = check_class(name)
    if "__pydantic_config__" not in vars(cls):
        setattr(cls, "__pydantic_config__", ConfigDict(extra="forbid", arbitrary_types_allowed=True))  # noqa: B010
    return TypeAdapter(cls)


def option_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a check's options, for editors: as they are written, levels as words."""
    told = dict(_adapter(name).json_schema())
    level = {"enum": [s.label for s in Severity]}
    limit = {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": r"^\s*\d+(\.\d+)?\s*%\s*$"}]}
    by_level = {"type": "object", "additionalProperties": limit, "propertyNames": level, "minProperties": 1}
    own = {"severity": level, "at_most": {"anyOf": [*limit["anyOf"], by_level]}}
    told["properties"] = {**told.get("properties", {}), **own}
    told.get("$defs", {}).pop("Severity", None)
    return told


def bind(spec: CheckSpec) -> Check:
    """The check that a spec asks for. ConfigError with file and line when the check or an option is unknown or wrong."""
    from pydantic import ValidationError

    def wrong(message: str, hint: str = "") -> ConfigError:
        return ConfigError(f"check {spec.name!r}: {message}", file=spec.file, line=spec.line, hint=hint)

    if not _known(spec.name):
        raise ConfigError(
            f"unknown check {spec.name!r}", file=spec.file, line=spec.line, hint=nearest(spec.name, check_names())
        )
    cls = check_class(spec.name)
    known = option_names(spec.name)
    for key in spec.options:
        if key not in known:
            raise wrong(f"unknown option {key!r}", nearest(key, known))
    given = dict(spec.options)
    for key in cls.paths:
        if isinstance(given.get(key), str):
            given[key] = str(Path(spec.folder) / Path(given[key]).expanduser())
    try:
        if "severity" in given:
            given["severity"] = severity(given["severity"])
        if given.get("at_most") is not None:
            given["at_most"] = at_most(given["at_most"], given.get("severity") or cls.default_severity)
        if isinstance(given.get("tags"), str):
            given["tags"] = (given["tags"],)
        check: Check = _adapter(spec.name).validate_python(given)
    except ValidationError as problem:
        raise wrong(*_mistake(given, problem.errors(include_url=False, include_input=False))) from None
    except ValueError as problem:
        raise wrong(str(problem)) from None
    said = check.problem()
    if said:
        raise wrong(said)
    return check


_NOUNS = {
    "a valid string": "text", "a valid integer": "a whole number", "a valid number": "a number",
    "a valid boolean": "true or false", "a valid list": "a list", "a valid tuple": "a list", "a valid dictionary": "a mapping",
}  # fmt: skip


def _mistake(given: Mapping[str, Any], errors: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """The first option that is wrong with all that it might be (a value of several kinds has an error for each), and a hint."""
    first = errors[0]
    option, *inside = first["loc"]
    if first["type"] == "missing" and not inside:
        return f"option {option!r} is needed", ""
    wanted = [str(e["msg"]).removeprefix("Input should be ").partition(",")[0] for e in errors if e["loc"][0] == option]
    if first["type"] == "literal_error":
        known = re.findall("'([^']*)'", str(first["ctx"]["expected"]))
        return f"option {option!r}: must be one of {', '.join(known)}", nearest(str(given.get(option)), known)
    each = "each of them " if any(isinstance(part, int) for part in inside) else ""
    return f"option {option!r}: {each}must be {' or '.join(dict.fromkeys(_NOUNS.get(w, w) for w in wanted))}", ""


def severity(word: Any) -> Severity:
    if isinstance(word, Severity):
        return word
    try:
        return Severity[str(word).upper()]
    except KeyError:
        raise ValueError(f"severity {word!r} is none of info, low, medium, high") from None


_SHARE = re.compile(r"(\d+(?:\.\d+)?)\s*%")


def threshold(given: Any) -> Threshold:
    """`5` is rows, `"5%"` a share; a bare fraction is refused because it could mean either."""
    if isinstance(given, Threshold):
        return given
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        return Threshold(given)
    if isinstance(given, str) and (found := _SHARE.fullmatch(given.strip())):
        share = Fraction(found[1]) / 100
        if share <= 1:
            return Threshold(float(share), "share")
    raise ValueError(f'at_most: {given!r} is neither a number of rows (5) nor a share ("5%")')


def at_most(given: Any, level: Severity) -> AtMost:
    if isinstance(given, Mapping):
        if not given:
            raise ValueError("at_most: no level given")
        return {severity(k): threshold(v) for k, v in given.items()}
    return {level: threshold(given)}
