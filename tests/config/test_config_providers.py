"""What config.yaml may say of a model's server, and task.yaml of the cost of a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from watchdog.config import load_config
from watchdog.errors import ConfigError
from watchdog.task import load_task


def refusal(tmp_path: Path, line: str) -> str:
    path = tmp_path / "config.yaml"
    path.write_text(f"watchdog: 1\nproviders:\n  one:\n    model: m\n    {line}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(path, environ={})
    return str(caught.value)


def test_everything_that_may_be_said_is_read(tmp_path: Path) -> None:
    written = """
    kind: openai
    api_key_env: K
    base_url_env: B
    model_env: M
    base_url: http://127.0.0.1:1/v1
    model: m
    models: {planner: a, specialist: b, evaluator: c, fix: d}
    temperature: null
    max_tokens: 2000
    context_tokens: 8192
    timeout: 90
    max_retries: 0
    max_wait: 0
    structured: json_object
    style: slots
    price: {input: 0, output: 1.5, currency: EUR}
    cache: kept
    tracing: false
"""
    path = tmp_path / "config.yaml"
    path.write_text(f"watchdog: 1\nproviders:\n  one:{written}  two:\n", encoding="utf-8")
    providers = load_config(path, environ={}).providers
    assert providers["one"]["price"] == {"input": 0, "output": 1.5, "currency": "EUR"}
    assert providers["two"] == {}


@pytest.mark.parametrize("key", ["api_key_env", "base_url_env", "model_env"])
def test_a_key_in_the_place_of_a_variables_name_is_refused_and_not_shown(tmp_path: Path, key: str) -> None:
    said = refusal(tmp_path, f"{key}: sk-proj-1234")
    assert f"providers.one.{key}: is not the name of an environment variable" in said
    assert "never stands in this file" in said and "sk-" not in said


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("temperature: 2.5", "less than or equal to 2"),
        ("timeout: 0", "greater than 0"),
        ("max_retries: 11", "less than or equal to 10"),
        ("max_wait: -1", "greater than or equal to 0"),
        ("context_tokens: 100", "greater than or equal to 512"),
        ("style: prose", "'markdown' or 'slots'"),
        ("structured: yaml", "'json_schema', 'json_object' or 'none'"),
        ("kind: azure", "'openai', 'scripted' or 'recorded'"),
        ("models: {specialst: x}", "did you mean 'specialist'?"),
        ("price: {input: 1}", "price.output: is missing"),
        ("price: {input: 1, output: -1}", "greater than or equal to 0"),
        ("timeuot: 3", "did you mean 'timeout'?"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, line: str, words: str) -> None:
    said = refusal(tmp_path, line)
    assert "config.yaml:5: " in said and words in said


def task(tmp_path: Path, limits: str) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "task.yaml").write_text(f"name: mine\nlimits: {limits}\n", encoding="utf-8")
    return folder


def test_a_task_limits_what_its_report_may_cost(tmp_path: Path) -> None:
    limits = "{calls: 4, tokens: 20000, seconds: 60, money: 0.1, max_retries: 0}"
    read = load_task(task(tmp_path, limits)).limits
    assert read == {"calls": 4, "tokens": 20_000, "seconds": 60, "money": 0.1, "max_retries": 0}


@pytest.mark.parametrize("limits", ["{calls: 0}", "{money: 0}", "{max_retries: -1}", "{seconds: 0}", "{token: 5}"])
def test_a_limit_that_limits_nothing_is_refused(tmp_path: Path, limits: str) -> None:
    with pytest.raises(ConfigError, match=r"task\.yaml:2: .*limits"):
        load_task(task(tmp_path, limits))
