"""One layer tries again, and only what may be gone in a moment."""

from __future__ import annotations

import email.utils
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import stub_model as stubs
from stub_model import Stub
from stub_world import MESSAGES, World

from watchdog.chat import ChatError
from watchdog.chat.failures import retry_after
from watchdog.chat.retry import Failed, Retry

Client = Callable[..., Any]


@pytest.mark.parametrize(
    "behaviour",
    [
        stubs.status(408), stubs.status(409), stubs.status(429), stubs.server_error(), stubs.bad_gateway(), stubs.cut(),
        stubs.not_json(), stubs.no_choices(), stubs.error_with_200(),
    ],
)  # fmt: skip
def test_what_may_pass_is_tried_again_and_every_request_counts(client: Client, behaviour: stubs.Behaviour) -> None:
    with Stub([behaviour, behaviour, "fine"]) as stub:
        reply = client(stub).complete(MESSAGES)
    assert (reply.text, reply.attempts, len(stub.requests)) == ("fine", 3, 3)


@pytest.mark.parametrize(
    "behaviour",
    [
        stubs.quota(), stubs.status(400), stubs.context_too_long(), stubs.wrong_key(), stubs.unknown_model(), stubs.html(),
        stubs.empty(), stubs.refusal(), stubs.cut_off(), stubs.content_filter(),
    ],
)  # fmt: skip
def test_what_will_not_pass_is_asked_once(client: Client, world: World, behaviour: stubs.Behaviour) -> None:
    with Stub([behaviour]) as stub, pytest.raises(ChatError) as caught:
        client(stub).complete(MESSAGES)
    assert (caught.value.calls, len(stub.requests), world.slept) == (1, 1, [])


def test_a_timeout_is_tried_again(client: Client) -> None:
    with Stub([stubs.hang(), "fine"]) as stub:
        assert client(stub, timeout=2).complete(MESSAGES).attempts == 2


def test_waits_grow_and_the_last_error_counts_all_requests(client: Client, world: World) -> None:
    with Stub([stubs.server_error()] * 4) as stub, pytest.raises(ChatError) as caught:
        client(stub, max_retries=3).complete(MESSAGES)
    assert world.slept == [0.5, 1.0, 2.0]  # a random of 0 is the shorter end of the jitter
    assert (caught.value.calls, caught.value.seconds) == (4, 3.5)


def test_retry_after_is_kept_to(client: Client, world: World) -> None:
    with Stub([stubs.status(429, {"Retry-After": "7"}), "fine"]) as stub:
        reply = client(stub).complete(MESSAGES)
    assert (world.slept, reply.seconds) == ([7.0], 7.0)


def test_a_long_retry_after_is_capped(client: Client, world: World) -> None:
    busy = stubs.status(429, {"Retry-After": "3600"})
    with Stub([busy, busy]) as stub, pytest.raises(ChatError) as caught:
        client(stub, max_wait=5).complete(MESSAGES)
    assert (world.slept, caught.value.kind, caught.value.calls) == ([5.0], "rate_limit", 2)


def test_no_wait_outlasts_the_time_of_the_call(client: Client, world: World) -> None:
    with Stub([stubs.status(429, {"Retry-After": "30"})]) as stub, pytest.raises(ChatError) as caught:
        client(stub).complete(MESSAGES, seconds=20)
    assert (world.slept, caught.value.kind) == ([], "rate_limit")


def test_a_call_without_time_makes_no_request(client: Client) -> None:
    with Stub([]) as stub, pytest.raises(ChatError, match="no time is left") as caught:
        client(stub).complete(MESSAGES, seconds=0)
    assert (caught.value.kind, caught.value.calls, stub.requests) == ("timeout", 0, [])


def failing(kind: Any, times: int, wait: float | None = None) -> Callable[[float | None], float | None]:
    left = [Failed(ChatError("x", kind=kind), wait) for _ in range(times)]

    def once(seconds: float | None) -> float | None:
        if left:
            raise left.pop()
        return seconds

    return once


def test_jitter_only_lengthens_what_a_server_asked_for(world: World) -> None:
    retry = Retry(5, 100, world.sleep, world.clock, lambda: 1.0)
    retry.run(failing("rate_limit", 1, wait=10))
    retry.run(failing("server", 2))
    assert world.slept == [pytest.approx(11), 1.0, 2.0]


def test_a_server_that_asks_for_no_wait_gets_none(world: World) -> None:
    assert Retry(1, 100, world.sleep, world.clock, lambda: 0.0).run(failing("rate_limit", 1, wait=0)).attempts == 2
    assert world.slept == [0.0]


def test_the_time_left_shrinks_with_every_attempt(world: World) -> None:
    tried = Retry(5, 100, world.sleep, world.clock, lambda: 0.0).run(failing("server", 2), seconds=10)
    assert tried.value == 10 - 0.5 - 1.0


def test_without_any_wait_allowed_it_still_tries_again_at_once(world: World) -> None:
    assert Retry(2, 0, world.sleep, world.clock, lambda: 0.0).run(failing("server", 2, wait=9)).attempts == 3
    assert world.slept == [0.0, 0.0]


def test_waits_together_stay_under_the_cap(world: World) -> None:
    with pytest.raises(ChatError):
        Retry(10, 30, world.sleep, world.clock, lambda: 0.0).run(failing("server", 99))
    assert sum(world.slept) == 30


NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": email.utils.format_datetime(NOW + timedelta(seconds=40))}, 40.0),
        ({"retry-after": email.utils.format_datetime(NOW - timedelta(seconds=40))}, 0.0),
        ({}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "9" * 400}, None),
    ],
)
def test_retry_after_is_read_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds
