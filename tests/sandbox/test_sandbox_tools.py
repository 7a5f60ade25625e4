"""The toolbox: definitions for a model, and calls that always answer."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from watchdog.errors import SourceError, UsageError
from watchdog.sandbox import Tool, Toolbox, ToolResult, toolbox


def test_the_default_set_reads_files_and_refuses_commands(project: Path) -> None:
    tools = toolbox(project)
    assert tools.names == ("read_file", "run_command")
    assert tools.call("read_file", {"path": "readme.md"}) == ToolResult("hello\n")
    found = tools.call("run_command", {"argv": ["ls"]})
    assert (found.ok, found.rule) == (False, "command.off")
    assert found.text == "refused (command.off): commands are off: none is allowed"


def test_definitions_are_those_of_the_openai_interface(project: Path) -> None:
    with sqlite3.connect(":memory:") as connection:
        definitions = toolbox(project, connection=connection).definitions
    connection.close()
    assert [one["function"]["name"] for one in definitions] == ["read_file", "run_command", "query"]
    for one in definitions:
        assert one["type"] == "function" and one["function"]["description"]
        Draft202012Validator.check_schema(one["function"]["parameters"])
        assert one["function"]["parameters"]["additionalProperties"] is False
    json.dumps(definitions)


def test_an_empty_toolbox_has_no_tools() -> None:
    assert Toolbox().definitions == []
    assert Toolbox().call("read_file", {}).text == "there is no tool 'read_file'; there are no tools"


@pytest.mark.parametrize(
    ("name", "arguments", "rule", "says"),
    [
        ("read_fil", {"path": "x"}, "tool.unknown", "did you mean 'read_file'?"),
        ("", {}, "tool.unknown", "known: read_file, run_command"),
        ("read_file", None, "tool.arguments", "not a JSON object"),
        ("read_file", [], "tool.arguments", "not a JSON object"),
        ("read_file", {}, "tool.arguments", "'path' is missing"),
        ("read_file", {"path": 1}, "tool.arguments", "not of the type 'string'"),
        ("read_file", {"path": None}, "tool.arguments", "not of the type 'string'"),
        ("read_file", {"path": ["a"]}, "tool.arguments", "not of the type 'string'"),
        ("read_file", {"paht": "a"}, "tool.arguments", "did you mean 'path'?"),
        ("read_file", {"path": "a", "x\x1b": 1}, "tool.arguments", "unknown argument"),
        ("run_command", {"argv": [1]}, "tool.arguments", "not of the type 'array'"),
        ("run_command", {"argv": {}}, "tool.arguments", "not of the type 'array'"),
        ("run_command", {"argv": []}, "command.empty", "no command"),
        ("run_command", {"argv": "rm -rf /"}, "command.denied.rm_recursive", "never run"),
        ("read_file", {"path": "../outside/secret.txt"}, "path.outside", "outside of the project folder"),
        ("query", {"sql": "SELECT 1"}, "tool.unknown", "known"),
    ],
)
def test_what_does_not_fit_is_a_result_with_its_rule(
    project: Path, name: str, arguments: Any, rule: str, says: str
) -> None:
    found = toolbox(project).call(name, arguments)
    assert (found.ok, found.rule) == (False, rule)
    assert says in found.text and "\x1b" not in found.text


def test_a_tool_that_fails_is_a_result_and_tells_no_secret() -> None:
    def broken(_: Any) -> ToolResult:
        raise ValueError("password hunter2")

    def said(_: Any) -> ToolResult:
        raise SourceError("cannot open shop.db", hint="is it there?")

    nothing = {"type": "object", "properties": {}}
    tools = Toolbox([Tool("broken", "", nothing, broken), Tool("said", "", nothing, said)])
    assert tools.call("broken", {}) == ToolResult("broken failed: ValueError", ok=False, rule="tool.failed")
    assert "cannot open shop.db" in tools.call("said", {}).text


def test_what_is_left_out_of_a_file_is_said(project: Path) -> None:
    (project / "long.txt").write_text("x" * 5_000)
    found = toolbox(project, limit_bytes=1_000).call("read_file", {"path": "long.txt"})
    assert found.ok and found.text.endswith("x\n[4,000 of 5,000 bytes are left out]")


@pytest.mark.usefixtures("isolated")
def test_a_command_is_told_in_words(project: Path) -> None:
    tools = toolbox(project, allow=["cat", "ls"])
    assert "Allowed: cat, ls." in tools.definitions[1]["function"]["description"]
    assert tools.call("run_command", {"argv": "cat readme.md"}).text == "exit code 0\nstdout:\nhello\n"
    found = tools.call("run_command", {"argv": ["cat", "nowhere"]})
    assert (found.ok, found.rule) == (False, "")
    assert found.text.startswith("exit code 1\nstderr:\n")


def test_a_query_is_answered_as_json_and_a_refusal_named(project: Path) -> None:
    connection = sqlite3.connect(":memory:")
    tools = toolbox(project, connection=connection)
    assert json.loads(tools.call("query", {"sql": "SELECT 1 AS a"}).text) == {
        "columns": ["a"],
        "rows": [[1]],
        "cut": "",
    }
    assert tools.call("query", {"sql": "DROP TABLE t"}).rule == "sql.not_select"
    connection.close()


def test_a_wrong_setting_is_an_error_of_the_caller(project: Path) -> None:
    for wrong in ({"allow": ["sh"]}, {"allow": ["/bin/ls"]}):
        with pytest.raises(UsageError):
            toolbox(project, **wrong)  # type: ignore[arg-type]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200)
@given(
    st.sampled_from(["read_file", "run_command", "query"]) | st.text(max_size=8),
    st.dictionaries(st.sampled_from(["path", "argv", "sql"]) | st.text(max_size=4), JSON, max_size=3) | JSON,
)
def test_no_call_raises(project: Path, name: str, arguments: Any) -> None:
    connection = sqlite3.connect(":memory:")
    found = toolbox(project, connection=connection).call(name, arguments)
    connection.close()
    assert isinstance(found, ToolResult)
    assert (not found.ok) == bool(found.rule)
    found.text.encode()
