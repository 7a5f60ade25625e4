"""What is sent, and what comes back, when all goes well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import stub_model as stubs
from stub_model import Stub
from stub_world import KEY, MESSAGES

from watchdog.chat import ChatError, ToolCall, estimate_messages, open_client

Replied = Callable[..., tuple[Any, Any]]
SCHEMA = {"type": "object", "properties": {"f1": {"type": "string"}}, "required": ["f1"], "additionalProperties": False}
TOOL = {"type": "function", "function": {"name": "scan", "parameters": {"type": "object", "properties": {}}}}


def test_a_reply_has_text_usage_and_the_servers_name_of_the_model(replied: Replied) -> None:
    reply, _ = replied("Two tables failed.")
    assert (reply.text, reply.tokens_in, reply.tokens_out, reply.estimated) == ("Two tables failed.", 100, 20, False)
    assert (reply.model, reply.finish, reply.tool_calls, reply.attempts) == ("stub-1", "stop", (), 1)


def test_the_request_holds_what_the_profile_says_and_no_more(client: Callable[..., Any]) -> None:
    with Stub(["fine"]) as stub:
        client(stub).complete(MESSAGES)
    (request,) = stub.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.json.pop("stream", False) is False
    assert request.json == {"model": "stub", "messages": MESSAGES, "temperature": 0.3}


def test_a_null_temperature_is_not_sent(replied: Replied) -> None:
    assert "temperature" not in replied("fine", settings={"temperature": None})[1]


def test_max_tokens_goes_by_the_name_that_all_servers_know(replied: Replied) -> None:
    request = replied("fine", settings={"max_tokens": 700})[1]
    assert request["max_tokens"] == 700 and "max_completion_tokens" not in request


def test_each_role_has_its_model(client: Callable[..., Any]) -> None:
    with Stub(["a", "b", "c", "d"]) as stub:
        one = client(stub, model="small", models={"specialist": "big", "evaluator": "strict"})
        for role in ("specialist", "evaluator", "planner", "fix"):
            one.complete(MESSAGES, role=role)
    assert [request.json["model"] for request in stub.requests] == ["big", "strict", "small", "big"]


def test_missing_usage_is_estimated_and_said_to_be(replied: Replied) -> None:
    reply, _ = replied(stubs.no_usage("二千六百行"), settings={"price": {"input": 1_000_000, "output": 0}})
    assert reply.estimated
    assert (reply.tokens_in, reply.tokens_out) == (estimate_messages(MESSAGES), 5)
    assert reply.cost == reply.tokens_in


def test_usage_of_zeros_is_no_usage(replied: Replied) -> None:
    assert replied(stubs.reply("x", usage={"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}))[0].estimated


def test_cost_follows_from_the_prices_and_is_unknown_without(replied: Replied) -> None:
    assert replied("x", settings={"price": {"input": 0.5, "output": 2}})[0].cost == pytest.approx(90 / 1_000_000)
    assert replied("x")[0].cost is None


def test_the_folder_of_a_model_file_is_not_told(client: Callable[..., Any]) -> None:
    said = b'{"model": "/home/ann/models/tiny.gguf", "choices": [{"message": {"role": "assistant", "content": "x"}}]}'
    with Stub([stubs.Behaviour(said), stubs.Behaviour(said.replace(b"/home/ann", b"ann"))]) as stub:
        one = client(stub)
        assert [one.complete(MESSAGES).model for _ in range(2)] == ["tiny.gguf", "ann/models/tiny.gguf"]


def test_thinking_at_the_start_is_no_part_of_the_reply(replied: Replied) -> None:
    assert replied("<think>\n12 or 13?\n</think>\n\n12 rows.")[0].text == "12 rows."
    assert replied("A tag <think>in</think> the text stays.")[0].text == "A tag <think>in</think> the text stays."


# ---------------------------------------------------------------- schemas and tools


def test_a_schema_is_sent_strictly(replied: Replied) -> None:
    reply, request = replied('{"f1": "x"}', schema=SCHEMA)
    assert reply.text == '{"f1": "x"}'
    told = request["response_format"]
    assert told["type"] == "json_schema"
    assert told["json_schema"] == {"name": "reply", "strict": True, "schema": SCHEMA}
    assert request["messages"] == MESSAGES


def test_a_reply_under_a_schema_that_is_cut_off_is_no_other_failure(client: Callable[..., Any]) -> None:
    with Stub([stubs.cut_off('{"f1": "')]) as stub, pytest.raises(ChatError) as caught:
        client(stub).complete(MESSAGES, schema=SCHEMA)
    assert caught.value.kind == "cut_off"


@pytest.mark.parametrize(("structured", "format"), [("json_object", {"type": "json_object"}), ("none", None)])
def test_a_server_without_schemas_is_told_in_words(replied: Replied, structured: str, format: Any) -> None:
    _, request = replied("{}", settings={"structured": structured}, schema=SCHEMA)
    assert request.get("response_format") == format
    assert '"additionalProperties": false' in request["messages"][-1]["content"]


def test_tools_are_sent_and_calls_come_back_read(replied: Replied) -> None:
    reply, request = replied(stubs.tool_call("scan", table="客户"), tools=[TOOL])
    assert request["tools"] == [TOOL]
    assert (reply.text, reply.finish) == ("", "tool_calls")
    assert reply.tool_calls == (ToolCall("call_1", "scan", {"table": "客户"}, '{"table": "客户"}'),)


def test_arguments_that_are_no_json_come_back_raw(replied: Replied) -> None:
    reply, _ = replied(stubs.tool_calls(("scan", '{"table": "a"}'), ("scan", "{table: b")))
    assert [call.arguments for call in reply.tool_calls] == [{"table": "a"}, None]
    assert reply.tool_calls[1].raw == "{table: b"


def test_a_talk_with_tools_goes_back_as_it_came() -> None:
    calls = [
        {"id": "1", "type": "function", "function": {"name": "scan", "arguments": '{"table": "a"}'}},
        {"id": "2", "type": "function", "function": {"name": "scan", "arguments": "{broken"}},
    ]
    talk = [
        *MESSAGES,
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": "1", "content": "7 rows"},
        {"role": "tool", "tool_call_id": "2", "content": "not JSON"},
    ]
    with Stub(["done"]) as stub:
        client = open_client({"base_url": stub.base_url, "model": "m"}, env={})
        client.complete(talk)
    assert stub.requests[0].json["messages"] == talk


# ---------------------------------------------------------------- what stays at home


def test_another_server_does_not_learn_the_openai_organisation(
    client: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
    with Stub(["x"]) as stub:
        client(stub).complete(MESSAGES)
    assert not [value for value in stub.requests[0].headers.values() if "secret" in value]


def test_a_proxy_is_not_asked_for_a_server_on_this_machine(
    client: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Stub(["direct"]) as stub, Stub([]) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        assert client(stub).complete(MESSAGES).text == "direct"
    assert proxy.requests == []
