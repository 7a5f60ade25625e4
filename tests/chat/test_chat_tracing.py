"""Nothing is reported to an outside service, whatever the environment says, unless the config asks for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import stub_model as stubs
from stub_model import Stub
from stub_world import MESSAGES

from watchdog.chat import tracing

Client = Callable[..., Any]
SWITCHES = [
    {"LANGSMITH_TRACING": "true"},
    {"LANGCHAIN_TRACING_V2": "true"},
    {"LANGSMITH_TRACING_V2": "true"},
    {"LANGCHAIN_TRACING": "true"},
    {"LANGCHAIN_HANDLER": "langchain", "LANGSMITH_TRACING": "true"},
]


def listen(monkeypatch: pytest.MonkeyPatch, listener: Stub, **switches: str) -> None:
    from langsmith.utils import get_env_var

    for name, value in {
        "LANGSMITH_ENDPOINT": f"http://127.0.0.1:{listener.port}", "LANGSMITH_API_KEY": "ls-key",
        "LANGCHAIN_ENDPOINT": f"http://127.0.0.1:{listener.port}", "LANGCHAIN_API_KEY": "ls-key", **switches,
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    get_env_var.cache_clear()  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def forget_the_environment() -> Any:
    from langsmith.utils import get_env_var

    yield
    get_env_var.cache_clear()  # type: ignore[attr-defined]


def accept(asked: Any) -> stubs.Behaviour:
    return stubs.Behaviour(b"{}", 202)


@pytest.mark.parametrize("switches", SWITCHES)
def test_tracing_in_the_environment_leads_to_no_request(
    client: Client, monkeypatch: pytest.MonkeyPatch, switches: dict[str, str]
) -> None:
    with Stub(["fine"]) as stub, Stub(accept) as listener:
        listen(monkeypatch, listener, **switches)
        assert client(stub).complete(MESSAGES).text == "fine"
        flush()
    assert listener.requests == []


def test_a_graph_is_silent_inside_the_block(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    from langchain_core.runnables import RunnableLambda

    with Stub(["fine"]) as stub, Stub(accept) as listener:
        listen(monkeypatch, listener, LANGSMITH_TRACING="true")
        with tracing():
            assert RunnableLambda(lambda _: client(stub).complete(MESSAGES).text).invoke({}) == "fine"
        flush()
    assert listener.requests == []


def test_a_graph_above_that_is_traced_does_not_hear_the_prompt(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    from langchain_core.callbacks import BaseCallbackHandler
    from langchain_core.runnables import RunnableLambda

    heard: list[str] = []

    class Ear(BaseCallbackHandler):
        def on_chain_start(self, *args: Any, **kwargs: Any) -> None:
            heard.append("chain")

        def on_chat_model_start(self, *args: Any, **kwargs: Any) -> None:
            heard.append("model")

    with Stub(["fine"]) as stub:
        RunnableLambda(lambda _: client(stub).complete(MESSAGES).text).invoke({}, {"callbacks": [Ear()]})
    assert heard == ["chain"]


def test_with_the_word_of_the_config_the_environment_is_followed(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also shows that the other tests would see a request."""
    with Stub(["fine"]) as stub, Stub(accept) as listener:
        listen(monkeypatch, listener, LANGSMITH_TRACING="true")
        client(stub, tracing=True).complete(MESSAGES)
        flush()
        assert listener.requests != []


def flush() -> None:
    """Waits for what the tracer, if there is one, has not sent yet."""
    from langchain_core.tracers.langchain import wait_for_all_tracers

    wait_for_all_tracers()
    asyncio.run(asyncio.sleep(0))
