"""A rule that somebody wrote is looked at, or its scan is not green: it says why, with the place of the rule."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from watchdog.config import load_config
from watchdog.errors import ConfigError
from watchdog.model import CheckSpec
from watchdog.pipeline import scan

Make = Callable[..., Path]
TABLES = (
    "CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER, note)",
    "INSERT INTO orders(customer_id) VALUES (1), (1)",
    "CREATE TABLE nobody(x INTEGER)",
    "CREATE VIRTUAL TABLE words USING fts5(body)",
)


def configured(path: Path, source: str) -> Any:
    config = path.parent.parent / "config.yaml"
    config.write_text(f"watchdog: 1\nsources:\n  shop:\n    path: {path}\n{source}")
    return scan("shop", config=load_config(config))


@pytest.mark.parametrize("table", ["words", "words_data"])
def test_a_rule_on_a_virtual_table_could_not_look(database: Make, table: str) -> None:
    run = configured(database(*TABLES), f"    tables: {{{table}: {{checks: [{{row_count: {{min: 1}}}}]}}}}\n")
    assert run.exit_code() == 3 and not run.complete
    (told,) = (r for r in json.loads(run.to_json())["results"] if r["table"] == table)
    assert told["status"] == "error" and told["reason"].startswith("could not look: ")
    (result,) = (r for r in run.results if r.table == table)
    assert result.status == "error" and "virtual table" in result.judgement.message
    assert any(f"{table}.row_count: could not look" in reason for reason in run.exit_reasons)


def test_a_parent_that_is_a_virtual_table_cannot_be_asked(database: Make) -> None:
    rule = "{relationships: {to: words, field: body}}"
    run = configured(database(*TABLES), f"    tables: {{orders: {{columns: {{customer_id: [{rule}]}}}}}}\n")
    assert run.exit_code() == 3
    assert "the parent table 'words' cannot be read: a virtual table" in run.exit_reasons[0]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("    exclude: [ord*]\n", "table 'orders' is left out by `exclude`"),
        ("    include: [nobody]\n", "table 'orders' is not among `include`"),
    ],
)
def test_a_rule_on_a_table_that_the_same_config_leaves_out_is_a_mistake(database: Make, settings: str, said: str) -> None:
    rules = "    tables:\n      orders:\n        columns: {note: [not_null]}\n"
    with pytest.raises(ConfigError, match=rf"config\.yaml:8: check 'not_null': {said}"):
        configured(database(*TABLES), settings + rules)


def test_a_table_may_be_left_out_for_one_run_by_the_command_line(database: Make) -> None:
    from watchdog.pipeline import Options

    specs = (CheckSpec("not_null", "orders", ("id",)), CheckSpec("row_count", "nobody", (), {"min": 0}))
    run = scan(database(*TABLES), options=Options(specs=specs, infer=False, exclude=("orders",)))
    assert {r.table for r in run.results} == {"nobody", None} and run.exit_code() == 0


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("{ordres: {}}", "there is no table 'ordres'\n  did you mean 'orders'?"),
        ("{ordres: {off: [missing]}}", "there is no table 'ordres'\n  did you mean 'orders'?"),
        ("{orders: {columns: {notes: {off: [missing]}}}}", "table 'orders' has no column 'notes'\n  did you mean 'note'?"),
    ],
)
def test_a_place_that_does_not_exist_is_said_whether_or_not_a_check_stands_there(database: Make, rules: str, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        configured(database(*TABLES), f"    tables: {rules}\n")
    assert said in str(refused.value) and "config.yaml:5: " in str(refused.value)


def test_an_unknown_task_is_said_with_its_line(database: Make) -> None:
    with pytest.raises(ConfigError, match=r"config\.yaml:6: there is no task 'data-qualty'"):
        configured(database(*TABLES), "    infer: false\n    task: data-qualty\n")


@pytest.mark.parametrize(
    ("check", "column", "said"),
    [
        ("type", "note", "declares no type"),
        ("foreign_key", "note", "declares no foreign key"),
        ("primary_key", "", "no primary key"),
    ],
)
def test_a_rule_that_does_not_apply_is_a_mistake(database: Make, check: str, column: str, said: str) -> None:
    table = "orders" if column else "nobody"
    spec = CheckSpec(check, table, (column,) if column else (), file="config.yaml", line=9)
    with pytest.raises(ConfigError, match=rf"^config\.yaml:9: check '{check}': .*{said}"):
        scan(database(*TABLES), specs=[spec])


def test_a_passing_state_of_the_data_is_a_skip_and_green(database: Make) -> None:
    specs = [
        CheckSpec("not_null", "nobody", ("x",)),
        CheckSpec("not_null", "orders", ("id",), {"where": "id > 10"}),
        CheckSpec("freshness", "orders", ("note",), {"max_age": "1d"}),
        CheckSpec("row_count", "orders", (), {"min": 1}),
    ]
    run = scan(database(*TABLES), specs=specs, infer=False)
    assert sorted(r.status for r in run.results) == ["passed", "skipped", "skipped", "skipped"]
    assert run.exit_code() == 0 and run.complete
