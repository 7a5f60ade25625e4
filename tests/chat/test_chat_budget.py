"""When to stop asking, and what has been spent."""

from __future__ import annotations

import json

import pytest

from watchdog.chat import DEFAULTS, Budget, ChatError, Reply, Spent


def test_replies_and_failures_add_up() -> None:
    spent = Spent()
    spent = spent.plus(Reply("a", tokens_in=10, tokens_out=2, cost=0.5, seconds=1.5, attempts=2))
    spent = spent.plus(ChatError("x", kind="cut_off", calls=3, tokens_in=4, tokens_out=1, cost=0.25, seconds=2))
    assert spent == Spent(calls=5, tokens_in=14, tokens_out=3, cost=0.75, seconds=3.5)
    assert not spent.estimated
    assert spent.plus(Reply("a", estimated=True, cost=0)).estimated


def test_one_reply_without_a_price_makes_the_sum_unknown() -> None:
    assert Spent().plus(Reply("a", cost=1)).plus(Reply("b", cost=None)).plus(Reply("c", cost=1)).cost is None


def test_what_is_spent_lies_in_a_state_as_json() -> None:
    spent = Spent(calls=2, tokens_in=9, cost=None, seconds=0.5)
    assert Spent.of(json.loads(json.dumps(spent.plain()))) == spent


def test_the_limits_of_a_task_replace_the_defaults_one_by_one() -> None:
    assert (DEFAULTS.calls, DEFAULTS.tokens, DEFAULTS.seconds, DEFAULTS.money) == (8, 60_000, 300, None)
    assert Budget.of({"calls": 3, "max_retries": 1}) == Budget(calls=3)


NO_PRICE = "its cost is unknown, so the limit on money cannot be kept: the provider has no price"


@pytest.mark.parametrize(
    ("budget", "spent", "tokens", "reason"),
    [
        (DEFAULTS, Spent(), 0, ""),
        (DEFAULTS, Spent(calls=7, tokens_in=59_999, seconds=299), 0, ""),
        (DEFAULTS, Spent(calls=8), 0, "its 8 calls are used up"),
        (DEFAULTS, Spent(calls=11), 0, "its 8 calls are used up"),
        (Budget(calls=1), Spent(calls=1), 0, "its one call is used up"),
        (DEFAULTS, Spent(tokens_in=50_000, tokens_out=10_000), 0, "60,000 of its 60,000 tokens are used"),
        (DEFAULTS, Spent(tokens_in=50_000), 12_000, "50,000 of its 60,000 tokens are used and the next prompt has about 12,000"),
        (DEFAULTS, Spent(seconds=300), 0, "its 300 seconds are over"),
        (Budget(money=0.5), Spent(cost=0.49), 0, ""),
        (Budget(money=0.5), Spent(cost=0.5), 0, "its limit of 0.5 is reached"),
        (Budget(money=0.5), Spent(cost=None), 0, NO_PRICE),
        (Budget(None, None, None), Spent(calls=99, tokens_in=10**9, seconds=10**6, cost=None), 10**9, ""),
    ],
)  # fmt: skip
def test_a_refusal_says_what_is_used_up(budget: Budget, spent: Spent, tokens: int, reason: str) -> None:
    assert budget.refusal(spent, tokens=tokens) == reason


def test_what_is_left_is_never_negative() -> None:
    assert (DEFAULTS.seconds_left(Spent(seconds=100)), DEFAULTS.calls_left(Spent(calls=3))) == (200, 5)
    assert (DEFAULTS.seconds_left(Spent(seconds=999)), DEFAULTS.calls_left(Spent(calls=99))) == (0, 0)
    assert (Budget(seconds=None).seconds_left(Spent()), Budget(calls=None).calls_left(Spent())) == (None, None)
