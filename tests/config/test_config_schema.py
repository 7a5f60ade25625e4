"""The JSON Schema that editors use agrees with what is read."""

from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from watchdog.config import load_config, parse_yaml, schema
from watchdog.errors import ConfigError

CHECKS: dict[str, dict[str, Any]] = {
    "not_null": {"type": "object", "properties": {"severity": {"$ref": "#/$defs/Level"}}, "additionalProperties": False,
                 "$defs": {"Level": {"enum": ["low", "high"]}}},
    "row_count": {"type": "object", "properties": {"min": {"type": "integer"}}, "additionalProperties": False},
}  # fmt: skip


def accepts(text: str, checks: dict[str, dict[str, Any]] | None = None) -> bool:
    return bool(jsonschema.Draft202012Validator(schema(checks)).is_valid(parse_yaml(text, "c").plain()))


def source(rules: str) -> str:
    return f"watchdog: 1\nsources: {{s: {{path: x.db, {rules}}}}}"


def test_it_is_a_valid_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.Draft202012Validator.check_schema(schema(CHECKS))


def test_the_config_of_this_project_fits() -> None:
    assert accepts((Path(__file__).parents[2] / "config.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("watchdog: 1", True),
        ("watchdog: 2", False),
        ("sources: {}", False),
        ("watchdog: 1\nsorces: {}", False),
        (source("samples: 3"), True),
        (source("samples: -3"), False),
        (source("url: y"), False),
        (source("infer: yes"), False),
        (source("tables: {t: {columns: {c: [not_null, {matches: {regex: x}}], d: {off: [formats]}}}}"), True),
        (source("tables: {t: {columns: {c: {of: []}}}}"), False),
        (source("checks: [{a: {}, b: {}}]"), False),
        (source("time_zone: UTC") + "\nschedules: [{source: s, every: 5m}]", True),
        (source("time_zone: UTC") + "\nschedules: [{source: s, every: 5}]", False),
        (source("time_zone: UTC") + "\nschedules: [{source: s}]", False),
    ],
)
def test_schema_and_reader_agree(tmp_path: Path, text: str, right: bool) -> None:
    (tmp_path / "config.yaml").write_text(text)
    try:
        load_config(tmp_path / "config.yaml", environ={})
        read = True
    except ConfigError:
        read = False
    assert (accepts(text), read) == (right, right)


@pytest.mark.parametrize(
    ("checks", "right"),
    [
        ("[not_null]", True),
        ("[{not_null: {severity: low}}]", True),
        ("[{row_count: {min: 1}}, not_null]", True),
        ("[{not_null: null}]", True),
    ]
    + [("[nut_null]", False), ("[{not_null: {severity: huge}}]", False), ("[{row_count: {mim: 1}}]", False)],
)
def test_the_options_of_checks_are_plugged_in(checks: str, right: bool) -> None:
    assert accepts(source(f"checks: {checks}"), CHECKS) is right
