"""A call blocks, wherever it is made from, and leaves nothing running."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import stub_model as stubs
from stub_model import Stub
from stub_world import MESSAGES

from watchdog.chat import ChatError

Client = Callable[..., Any]


def test_it_works_inside_a_running_loop(client: Client) -> None:
    async def main(stub: Stub) -> str:
        return str(client(stub).complete(MESSAGES).text)

    with Stub(["inside"]) as stub:
        assert asyncio.run(main(stub)) == "inside"


def test_the_deadline_holds_inside_a_running_loop(client: Client) -> None:
    async def main(stub: Stub) -> None:
        client(stub, max_retries=0, timeout=0.3).complete(MESSAGES)

    with Stub([stubs.hang()]) as stub, pytest.raises(ChatError) as caught:
        asyncio.run(main(stub))
    assert caught.value.kind == "timeout"


def test_one_client_serves_many_threads(client: Client) -> None:
    with Stub(lambda asked: f"to {asked['messages'][0]['content']}") as stub:
        one = client(stub)
        with ThreadPoolExecutor(4) as pool:
            texts = list(pool.map(lambda n: one.complete([{"role": "user", "content": str(n)}]).text, range(8)))
    assert texts == [f"to {n}" for n in range(8)]


@pytest.mark.parametrize("behaviour", [stubs.reply("x"), stubs.hang(), stubs.drip("x" * 500), stubs.cut()])
def test_no_thread_is_left(client: Client, behaviour: stubs.Behaviour) -> None:
    before = set(threading.enumerate())
    with Stub([behaviour]) as stub:
        try:
            client(stub, max_retries=0, timeout=0.4).complete(MESSAGES)
        except ChatError as error:
            assert error.kind in ("timeout", "unreachable")
    assert set(threading.enumerate()) - before == set()


def test_a_mistake_in_our_own_code_keeps_its_traceback(client: Client) -> None:
    with Stub([]) as stub, pytest.raises(KeyError):
        client(stub).complete([{"content": "a message without a role"}])
    assert stub.requests == []


def overrun(client: Client) -> None:
    with Stub(["one"]) as stub:
        one = client(stub)
        assert one.complete(MESSAGES).text == "one"
        with pytest.raises(ChatError):
            one.complete(MESSAGES)


def test_a_stub_whose_script_is_used_up_says_so(client: Client) -> None:
    with pytest.raises(AssertionError, match="script of 1 replies is used up"):
        overrun(client)
