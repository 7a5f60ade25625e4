"""A client that says what it was told to say."""

from __future__ import annotations

from pathlib import Path

import pytest
from stub_world import MESSAGES

from watchdog.chat import ChatError, Reply, Scripted, Spent, ToolCall, open_client
from watchdog.errors import UsageError


def test_replies_come_in_order_and_what_was_asked_is_kept() -> None:
    client = Scripted(["one", Reply("two", tokens_in=5, tokens_out=1)])
    first = client.complete(MESSAGES, role="planner", seconds=3)
    second = client.complete(MESSAGES[1:], schema={"type": "object"})
    assert (first.text, second.text, second.tokens_in) == ("one", "two", 5)
    assert first.estimated and first.tokens_in > 0 and not second.estimated
    assert [(asked.role, asked.seconds) for asked in client.asked] == [("planner", 3), ("specialist", None)]
    assert client.asked[1].messages == tuple(MESSAGES[1:])


def test_what_was_asked_does_not_change_afterwards() -> None:
    client, messages = Scripted(["x"]), [{"role": "user", "content": "before"}]
    client.complete(messages)
    messages[0]["content"] = "after"
    assert client.asked[0].messages[0]["content"] == "before"


def test_exceptions_are_raised_and_functions_are_asked() -> None:
    client = Scripted([ChatError("busy", kind="rate_limit", calls=4), lambda messages: messages[-1]["content"].upper()])
    with pytest.raises(ChatError) as caught:
        client.complete(MESSAGES)
    assert Spent().plus(caught.value).calls == 4
    assert client.complete(MESSAGES).text == "THE SECRET WORD IS XYZZY."


def test_one_function_answers_without_end() -> None:
    client = Scripted(lambda messages: f"{len(messages)} messages")
    assert [client.complete(MESSAGES[:n]).text for n in (1, 2)] == ["1 messages", "2 messages"]


def test_a_script_that_is_used_up_says_so() -> None:
    client = Scripted([])
    with pytest.raises(ChatError, match="script of 0 replies is used up") as caught:
        client.complete(MESSAGES)
    assert (caught.value.kind, caught.value.calls) == ("exhausted", 0)


def test_a_script_is_an_ordinary_provider(tmp_path: Path) -> None:
    lines = ['"first"', '{"text": "second", "tokens_in": 7, "tokens_out": 2}', "", '{"error": "timeout"}',
             '{"tool_calls": [{"name": "scan", "arguments": {"table": "a"}}]}']  # fmt: skip
    (tmp_path / "replies.jsonl").write_text("\n".join(lines))
    client = open_client({"kind": "scripted", "file": "replies.jsonl"}, name="demo", env={}, folder=tmp_path)
    assert client.name == "demo"
    assert client.complete(MESSAGES).text == "first"
    assert client.complete(MESSAGES).tokens_in == 7
    with pytest.raises(ChatError) as caught:
        client.complete(MESSAGES)
    assert caught.value.kind == "timeout"
    assert client.complete(MESSAGES).tool_calls == (ToolCall("call_1", "scan", {"table": "a"}, '{"table": "a"}'),)


@pytest.mark.parametrize(
    "line", ["{", "5", "[]", "{}", '{"text": 5}', '{"error": "tired"}', '{"tool_calls": [{}]}', '{"tool_calls": 5}']
)
def test_a_line_that_is_no_reply_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    (tmp_path / "r.jsonl").write_text(f'"fine"\n{line}\n')
    with pytest.raises(UsageError, match=r"r\.jsonl:2: not a scripted reply"):
        open_client({"kind": "scripted", "file": "r.jsonl"}, env={}, folder=tmp_path)


@pytest.mark.parametrize(
    ("provider", "words"),
    [
        ({"kind": "scripted"}, "`file` is missing"),
        ({"kind": "scripted", "file": "none.jsonl"}, "cannot read .*none.jsonl"),
        ({"kind": "recorded"}, "`cache` is missing"),
    ],
)
def test_a_script_that_cannot_be_read_is_a_usage_error(tmp_path: Path, provider: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        open_client(provider, env={}, folder=tmp_path)
