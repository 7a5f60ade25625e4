"""A client of a stub server, in a world whose sleep costs no time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from stub_model import Stub
from stub_world import KEY, MESSAGES, World

from watchdog.chat import profile_of
from watchdog.chat.openai import OpenAIClient


@pytest.fixture(autouse=True)
def nothing_from_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proxies, keys and tracing of whoever runs the tests stay outside."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL",
                 "LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_HANDLER"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def client(world: World) -> Callable[..., OpenAIClient]:
    """`client(stub, temperature=None, ...)`: the real client, asking the stub."""

    def make(stub: Stub | str, *, name: str = "default", **settings: Any) -> OpenAIClient:
        base_url = stub if isinstance(stub, str) else stub.base_url
        provider = {"base_url": base_url, "api_key_env": "STUB_KEY", "model": "stub", **settings}
        told = profile_of(provider, name=name, env={"STUB_KEY": KEY})
        return OpenAIClient(told, sleep=world.sleep, clock=world.clock, random=lambda: 0.0)

    return make


@pytest.fixture
def replied(client: Callable[..., OpenAIClient]) -> Callable[..., Any]:
    """`replied(behaviour, **arguments of complete)`: what one request to such a server comes to, and the request's JSON."""

    def ask(behaviour: Any, *, settings: dict[str, Any] | None = None, **arguments: Any) -> tuple[Any, Any]:
        with Stub([behaviour]) as stub:
            reply = client(stub, max_retries=0, **(settings or {})).complete(MESSAGES, **arguments)
        return reply, stub.requests[0].json

    return ask
