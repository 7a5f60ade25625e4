"""The JSON Schema of config.yaml, for editors.

In: the schemas of the checks' options by name, as the registry is not known here. Without them any check is accepted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_HERE = "#/$defs/"


def schema(checks: Mapping[str, Mapping[str, Any]] | None = None) -> dict[str, Any]:
    from watchdog.config.shape import CHECK, ConfigShape

    whole = _changed(ConfigShape.model_json_schema(), lambda part: {"$ref": f"{_HERE}check"} if part == CHECK else part)
    definitions = whole["$defs"]
    options: dict[str, Any] = {}
    for name, written in (checks or {}).items():
        own = _changed(written, lambda part, name=name: _moved(part, name))
        definitions.update({f"{name}.{key}": value for key, value in own.pop("$defs", {}).items()})
        options[name] = own
    definitions["check"] = _check(options)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole, "title": "Watchdog config.yaml"}


def _check(options: Mapping[str, Any]) -> dict[str, Any]:
    named: dict[str, Any] = {"type": "string"}
    with_options: dict[str, Any] = {"type": "object", "minProperties": 1, "maxProperties": 1}
    if options:
        named["enum"] = sorted(options)
        with_options["properties"] = {name: {"anyOf": [own, {"type": "null"}]} for name, own in options.items()}
        with_options["additionalProperties"] = False
    return {"anyOf": [named, with_options], "description": "a check's name, or its name with its options"}


def _moved(part: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A reference of a check's schema, pointed at where the definitions of that check lie now."""
    target = part.get("$ref")
    if not isinstance(target, str) or not target.startswith(_HERE):
        return part
    return {**part, "$ref": f"{_HERE}{name}.{target.removeprefix(_HERE)}"}


def _changed(part: Any, change: Any) -> Any:
    """A copy with `change` applied to every mapping in it, the outer ones first."""
    if isinstance(part, Mapping):
        return {key: _changed(value, change) for key, value in change(part).items()}
    return [_changed(value, change) for value in part] if isinstance(part, list) else part
