"""task.yaml to Task."""

from pathlib import Path

import pytest

from watchdog.errors import ConfigError
from watchdog.model import CheckSpec
from watchdog.places import find_task, task_names
from watchdog.task import load_task

CRM = """\
name: crm
description: contacts and their messages
infer: false
time_zone: Asia/Shanghai
prompts: {lang: [en, zh]}
limits: {calls: 8, tokens: 60000, seconds: 300}
off: [formats]
tables:
  contacts:
    columns:
      wechat_id:
        - unique
        - expression_is_true: {expression: a = b, needs: {contacts: [a, b], chat_messages: [id]}}
checks:
  - query: {sql: SELECT 1, needs: {contacts: [id]}}
"""


def write(folder: Path, text: str, name: str = "crm") -> Path:
    (folder / name).mkdir()
    (folder / name / "task.yaml").write_text(text, encoding="utf-8")
    return folder / name


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load_task(write(folder, text))
    return str(caught.value)


def test_a_task_is_read_whole(tmp_path: Path) -> None:
    task = load_task(write(tmp_path, CRM))
    assert (task.name, task.description, task.infer) == ("crm", "contacts and their messages", False)
    assert (task.time_zone, task.prompts) == ("Asia/Shanghai", {"lang": ["en", "zh"]})
    assert task.limits == {"calls": 8, "tokens": 60000, "seconds": 300}
    assert task.off == {(None, None, "formats")}


def test_its_checks_say_where_they_come_from(tmp_path: Path) -> None:
    task = load_task(write(tmp_path, CRM))
    assert {c.origin for c in task.checks} == {"task"}
    assert {c.file for c in task.checks} == {"tasks/crm/task.yaml"}
    assert task.checks[1] == CheckSpec("unique", "contacts", ("wechat_id",), {}, "task", "tasks/crm/task.yaml", 12)


def test_needs_are_taken_out_of_the_options(tmp_path: Path) -> None:
    query, _, expression = load_task(write(tmp_path, CRM)).checks
    assert (query.options, query.needs) == ({"sql": "SELECT 1"}, (("contacts", "id"),))
    assert expression.options == {"expression": "a = b"}
    assert expression.needs == (("contacts", "a"), ("contacts", "b"), ("chat_messages", "id"))


def test_an_almost_empty_task_leaves_the_rest_to_the_config(tmp_path: Path) -> None:
    task = load_task(write(tmp_path, "description: nothing yet\n"))
    assert (task.name, task.infer, task.time_zone, task.checks, task.limits) == ("crm", None, None, (), {})


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("name: other", 1, "folder is 'crm'"),
        ("description: x\ntabels: {}", 2, "did you mean 'tables'?"),
        ("description: x\nlimits: {call: 1}", 2, "did you mean 'calls'?"),
        ("description: x\nlimits: {calls: 0}", 2, "limits.calls"),
        ("description: x\ninfer: yes", 2, "true and false"),
        ("description: x\ntime_zone: Mars", 2, "unknown time zone"),
        ("checks:\n  - query: {sql: x, needs: [contacts]}", 2, "needs: must be a mapping"),
        ("checks:\n  - query:\n      needs:\n        contacts: id", 4, "needs.contacts"),
        ("description: [x", 1, "not valid YAML"),
        ("- a\n- b", 1, "mapping"),
    ],
)
def test_a_broken_task_is_an_error_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    message = refusal(tmp_path, text)
    assert f"task.yaml:{line}: " in message and words in message


def test_a_folder_without_task_yaml_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match=r"empty/task\.yaml: no such file"):
        load_task(tmp_path / "empty")


def test_every_task_that_comes_with_the_project_can_be_read() -> None:
    tasks = {name: load_task(find_task(name, None)) for name in task_names(None)}
    assert {"crm-qa", "data-quality"} <= set(tasks)
    assert (tasks["data-quality"].infer, tasks["crm-qa"].infer) == (True, False)
    assert len(tasks["crm-qa"].checks) == 13
