"""The config reference and the editors' schema are made from the code, and are current."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from watchdog.cli.reference import config_reference, config_schema
from watchdog.config import load_yaml
from watchdog.plugins import check_names

HINT = "run: python -m watchdog.cli.reference docs/"


def test_the_config_reference_is_current(root: Path) -> None:
    assert (root / "docs" / "config.md").read_text() == config_reference(), HINT


def test_the_editors_schema_is_current_and_knows_every_check(root: Path) -> None:
    text = (root / "docs" / "config.schema.json").read_text()
    assert text == config_schema(), HINT
    assert set(json.loads(text)["$defs"]["check"]["anyOf"][0]["enum"]) == set(check_names())


def test_the_editors_schema_takes_the_configs_of_the_project(root: Path) -> None:
    schema = json.loads(config_schema())
    for name in ("config.yaml", "benchmarks/orders.yaml"):
        jsonschema.validate(load_yaml(root / name).plain(), schema)


@pytest.mark.parametrize(
    "rule",
    [
        {"not_nul": {}},
        {"not_null": {"severity": "loud"}},
        {"not_null": {"at_most": 0.5}},
        {"accepted_values": {}},
        {"valid": {"format": "emial"}},
    ],
)
def test_the_editors_schema_refuses_mistakes(rule: object) -> None:
    config = {"watchdog": 1, "sources": {"a": {"path": "a.db", "tables": {"t": {"columns": {"c": [rule]}}}}}}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(config, json.loads(config_schema()))
