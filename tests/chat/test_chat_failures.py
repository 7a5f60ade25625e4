"""Each way in which a model server fails becomes one ChatError: a kind, one sentence, and the next step."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest
import stub_model as stubs
from stub_model import Stub
from stub_world import KEY, MESSAGES

from watchdog.chat import ChatError

Client = Callable[..., Any]

FAILURES = [
    (stubs.wrong_key(), "wrong_key", "does not accept the key"),
    (stubs.status(403), "wrong_key", "does not allow this key"),
    (stubs.unknown_model(), "unknown_model", "has no model 'stub'"),
    (stubs.status(404), "bad_request", "no chat under this address"),
    (stubs.Behaviour(b"<h1>not found</h1>", 404, content_type="text/html"), "not_json", "no chat under this address"),
    (stubs.status(429), "rate_limit", "takes no more requests"),
    (stubs.quota(), "quota", "is used up (429, insufficient_quota)"),
    (stubs.status(402), "quota", "is used up (402"),
    (stubs.context_too_long(), "context_too_long", "longer than stub can read"),
    (stubs.status(413), "context_too_long", "longer than stub can read"),
    (
        stubs.status(400, error={"message": "the request exceeds the available context size"}),
        "context_too_long",
        "read",
    ),
    (stubs.status(400, error={"code": "content_filter"}), "content_filter", "refused the prompt"),
    (stubs.status(400), "bad_request", "does not accept the request (400"),
    (stubs.status(408), "timeout", "took too long"),
    (stubs.status(409), "server", "a problem of its own (409"),
    (stubs.server_error(), "server", "a problem of its own (500"),
    (stubs.bad_gateway(), "server", "a problem of its own (502)"),
    (stubs.cut(), "unreachable", "broke off"),
    (stubs.html(), "not_json", "HTML instead of JSON"),
    (stubs.not_json(), "malformed", "not the JSON it should be"),
    (stubs.Behaviour(b""), "malformed", "not the JSON it should be"),
    (stubs.Behaviour(b"\xff\xfe{}"), "malformed", "not the JSON it should be"),
    (stubs.Behaviour(b"[" * 100_000), "malformed", "not the JSON it should be"),
    (stubs.Behaviour(b"[]"), "malformed", "without a reply"),
    (stubs.Behaviour(b"{}"), "malformed", "without a reply"),
    (stubs.Behaviour(b'{"choices": [{"message": null}]}'), "malformed", "without a reply"),
    (stubs.no_choices(), "malformed", "without a reply"),
    (stubs.null_choices(), "malformed", "without a reply"),
    (stubs.error_with_200(), "server", "a problem of its own (200)"),
    (stubs.error_with_200(429), "rate_limit", "takes no more requests for now (429)"),
    (stubs.error_with_200("insufficient_quota"), "quota", "is used up (200, insufficient_quota)"),
    (stubs.empty(), "empty", "is empty"),
    (stubs.reply(" \n\t"), "empty", "is empty"),
    (stubs.reply("<think>what now?</think>\n"), "empty", "is empty"),
    (stubs.null_content(), "empty", "is empty"),
    (stubs.refusal(), "refused", "refuses to answer"),
    (stubs.cut_off(), "cut_off", "ran out of tokens"),
    (stubs.content_filter(), "content_filter", "cut the reply off"),
    (stubs.completion({"content": "x"}, finish="insufficient_system_resource"), "server", "broke off in the middle"),
]


@pytest.mark.parametrize(("behaviour", "kind", "words"), FAILURES)
def test_a_failure_is_told_in_one_sentence(client: Client, behaviour: stubs.Behaviour, kind: str, words: str) -> None:
    with Stub([behaviour]) as stub, pytest.raises(ChatError) as caught:
        client(stub, max_retries=0).complete(MESSAGES)
    error = caught.value
    assert (error.kind, error.calls, len(stub.requests)) == (kind, 1, 1)
    assert error.message.startswith("provider 'default': ") and words in error.message
    assert "\n" not in error.message


def test_a_server_that_is_not_there_is_unreachable(client: Client) -> None:
    with socket.socket() as taken:  # bound and not listening: nobody else gets this port meanwhile
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(ChatError) as caught:
            client(address, max_retries=0).complete(MESSAGES)
    assert caught.value.kind == "unreachable"
    assert caught.value.message == f"provider 'default': nobody answers at {address}"


def test_a_server_without_tls_is_not_said_to_be_missing(client: Client) -> None:
    with Stub([]) as stub, pytest.raises(ChatError, match="no secure connection") as caught:
        client(stub.base_url.replace("http", "https"), max_retries=0).complete(MESSAGES)
    assert (caught.value.kind, stub.requests) == ("unreachable", [])


def test_a_name_that_no_one_knows_is_unreachable(client: Client) -> None:
    with pytest.raises(ChatError) as caught:
        client("http://nowhere.invalid/v1", max_retries=0, timeout=5).complete(MESSAGES)
    assert caught.value.kind in ("unreachable", "timeout")


@pytest.mark.parametrize("behaviour", [stubs.hang(), stubs.drip("word " * 50)], ids=["hangs", "drips"])
def test_a_reply_that_is_not_whole_in_time_is_a_timeout(client: Client, behaviour: stubs.Behaviour) -> None:
    with Stub([behaviour]) as stub, pytest.raises(ChatError, match=r"no whole reply within 0\.4 s") as caught:
        client(stub, max_retries=0, timeout=0.4).complete(MESSAGES)
    assert caught.value.kind == "timeout"


def test_a_drip_that_ends_in_time_is_a_reply(client: Client) -> None:
    short = stubs.Behaviour(b'{"choices":[{"message":{"role":"assistant","content":"slow"}}]}', how="drip")
    with Stub([short]) as stub:
        assert client(stub, max_retries=0, timeout=60).complete(MESSAGES).text == "slow"


def test_without_a_key_a_server_that_wants_one_says_so(client: Client) -> None:
    with Stub([stubs.wrong_key()]) as stub, pytest.raises(ChatError) as caught:
        client(stub, max_retries=0, api_key_env="NOT_SET").complete(MESSAGES)
    assert caught.value.kind == "no_key"
    assert "api_key_env" in caught.value.hint


@pytest.mark.parametrize(
    ("error", "hint"),
    [
        ({"param": "temperature", "code": "unsupported_value"}, "temperature: null"),
        ({"message": "Unsupported parameter: 'max_tokens'"}, "max_tokens"),
        ({"message": "response_format json_schema is not available"}, "structured: json_object"),
    ],
)
def test_a_refused_parameter_comes_with_the_line_to_write(client: Client, error: dict[str, str], hint: str) -> None:
    with Stub([stubs.status(400, error=error)]) as stub, pytest.raises(ChatError) as caught:
        client(stub).complete(MESSAGES)
    assert caught.value.kind == "bad_request" and hint in caught.value.hint


def test_a_schema_that_is_refused_is_told_as_an_error_and_not_as_a_warning(client: Client) -> None:
    said = "Invalid schema for response_format 'reply'"
    with Stub([stubs.status(400, error={"message": said})]) as stub, pytest.raises(ChatError) as caught:
        client(stub).complete(MESSAGES, schema={"type": "object"})
    assert caught.value.kind == "bad_request"


@pytest.mark.parametrize(
    "behaviour",
    [
        stubs.status(400, error={"message": f"xyzzy {KEY}", "code": f"{KEY} xyzzy", "param": "xyzzy 1"}),
        stubs.status(401, error={"message": f"Incorrect API key provided: {KEY}"}),
        stubs.error_with_200(message=f"xyzzy {KEY}"),
        stubs.Behaviour(f"xyzzy {KEY}".encode(), 500),
        stubs.Behaviour(f"<p>xyzzy {KEY}</p>".encode(), content_type="text/html"),
        stubs.cut_off("xyzzy"),
    ],
)
def test_no_message_holds_the_key_the_prompt_or_a_password(client: Client, behaviour: stubs.Behaviour) -> None:
    with Stub([behaviour]) as stub:
        address = stub.base_url.replace("http://", "http://ann:hunter2@") + "?token=t0ken"
        with pytest.raises(ChatError) as caught:
            client(address, max_retries=0).complete(MESSAGES)
    told = str(caught.value)
    assert "127.0.0.1" in told or "stub" in told
    for secret in (KEY, "xyzzy", "hunter2", "t0ken"):
        assert secret not in told


def test_a_reply_that_is_no_use_is_paid_for_and_kept_for_the_trace(client: Client) -> None:
    with Stub([stubs.cut_off("half of it")]) as stub, pytest.raises(ChatError) as caught:
        client(stub, price={"input": 1, "output": 10}).complete(MESSAGES)
    error = caught.value
    assert (error.tokens_in, error.tokens_out, error.text) == (100, 20, "half of it")
    assert error.cost == pytest.approx(300 / 1_000_000)
