"""Replies that are kept are given again, and nothing is asked for them."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest
import stub_model as stubs
from stub_model import Stub
from stub_world import MESSAGES

from watchdog.chat import ChatError, Client, Reply, open_client
from watchdog.errors import OutputError


def caching(stub: Stub, folder: Path, **settings: Any) -> Client:
    provider = {
        "base_url": stub.base_url,
        "model": "m",
        "cache": "kept",
        "price": {"input": 1, "output": 1},
        **settings,
    }
    return open_client(provider, env={}, folder=folder)


def replay(folder: Path, **settings: Any) -> Reply:
    provider = {"kind": "recorded", "model": "m", "cache": "kept", **settings}
    return open_client(provider, env={}, folder=folder).complete(MESSAGES)


def test_the_second_time_nothing_is_asked_and_nothing_paid(tmp_path: Path) -> None:
    with Stub(["only once"]) as stub:
        first, second = (caching(stub, tmp_path).complete(MESSAGES) for _ in range(2))
    assert len(stub.requests) == 1
    assert (first.text, first.attempts, first.cost) == ("only once", 1, pytest.approx(120 / 1_000_000))
    assert (second.text, second.attempts, second.cost, second.tokens_in) == ("only once", 0, 0.0, 100)


def test_a_recording_is_replayed_without_server_and_key(tmp_path: Path) -> None:
    with Stub([stubs.tool_calls(("scan", '{"a": 1}'), ("scan", "{bad"), content="recorded")]) as stub:
        first = caching(stub, tmp_path).complete(MESSAGES)
    again = replay(tmp_path)
    assert (again.text, again.tool_calls, again.finish) == (first.text, first.tool_calls, first.finish)


@pytest.mark.parametrize("other", [{"model": "n"}, {"temperature": 0}, {"max_tokens": 9}, {"structured": "none"}])
def test_another_parameter_is_another_prompt(tmp_path: Path, other: dict[str, Any]) -> None:
    with Stub(["x"]) as stub:
        caching(stub, tmp_path).complete(MESSAGES)
    assert replay(tmp_path).text == "x"
    with pytest.raises(ChatError, match="holds no reply to this prompt") as caught:
        replay(tmp_path, **other)
    assert (caught.value.kind, caught.value.calls) == ("exhausted", 0)


def test_messages_schema_tools_and_model_of_the_role_tell_replies_apart(tmp_path: Path) -> None:
    with Stub([str(n) for n in range(5)]) as stub:
        client = caching(stub, tmp_path, models={"evaluator": "n"})
        tool = {"type": "function", "function": {"name": "t"}}
        calls: list[dict[str, Any]] = [{}, {"schema": {"type": "object"}}, {"tools": [tool]}, {"role": "evaluator"}]
        texts = [client.complete(MESSAGES, **call).text for call in calls] + [client.complete(MESSAGES[1:]).text]
        assert texts == ["0", "1", "2", "3", "4"]
        assert client.complete(MESSAGES, role="fix").text == "0"


def test_only_the_owner_can_read_what_is_kept(tmp_path: Path) -> None:
    with Stub(["private"]) as stub:
        caching(stub, tmp_path).complete(MESSAGES)
    (file,) = (tmp_path / "kept").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert "xyzzy" not in file.read_text()  # the prompt is not in it


@pytest.mark.parametrize("broken", ["", "{", "[]", "{}", '{"text": "x", "tool_calls": [5]}', '{"tool_calls": []}'])
def test_a_broken_file_counts_as_missing(tmp_path: Path, broken: str) -> None:
    with Stub(["first", "second"]) as stub:
        caching(stub, tmp_path).complete(MESSAGES)
        (file,) = (tmp_path / "kept").iterdir()
        file.write_text(broken)
        assert caching(stub, tmp_path).complete(MESSAGES).text == "second"
    assert replay(tmp_path).text == "second"


def test_failures_are_not_kept(tmp_path: Path) -> None:
    with Stub([stubs.cut_off(), "whole"]) as stub:
        client = caching(stub, tmp_path)
        with pytest.raises(ChatError):
            client.complete(MESSAGES)
        assert client.complete(MESSAGES).text == "whole"


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file where the folder should be")
    with Stub(["x"]) as stub, pytest.raises(OutputError, match="cannot keep a reply"):
        caching(stub, tmp_path).complete(MESSAGES)
