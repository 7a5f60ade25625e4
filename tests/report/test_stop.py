"""The loop ends when all is verified, when nothing new comes, and when enough was tried."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchdog.report.state import Round
from watchdog.report.stop import in_words, seen, stop


def bad(*cited: str) -> list[dict[str, Any]]:
    return [{"kind": "number", "subject": "orders.email.not_null", "cited": one, "line": 3} for one in cited]


def trail(*rounds: tuple[str, str]) -> list[Round]:
    """`("a", "12 13")`: the text, and what is wrong in it."""
    return [seen(text, bad(*wrong.split())) for text, wrong in rounds]


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [
        ([("a", "")], "verified"),
        ([("a", "12")], ""),
        ([("a", "12"), ("b", "")], "verified"),
        ([("a", "12 13"), ("b", "12")], ""),
        ([("a", "12"), ("a", "12")], "no_progress"),  # the same text
        ([("a", "12"), ("b", "12")], "no_progress"),  # the same set in other words
        ([("a", "12 13"), ("b", "13 12")], "no_progress"),  # its order says nothing
        ([("a", "12"), ("b", "13"), ("c", "12")], "no_progress"),  # a set that was there before
        ([("a", "12"), ("b", "13")], ""),  # one round that is no smaller may happen
        ([("a", "12"), ("b", "13"), ("c", "14")], "no_progress"),  # two may not
        ([("a", "12 13 14"), ("b", "15 16 17"), ("c", "18 19")], ""),
        ([("a", "12"), ("b", "13 14"), ("a", "12")], "oscillation"),
        ([("a", "12 12"), ("b", "12")], ""),  # twice the same mistake is more than once
    ],
)
def test_a_round_goes_on_only_from_something_new_and_smaller(rounds: list[tuple[str, str]], expected: str) -> None:
    assert stop(trail(*rounds), attempts=len(rounds) - 1, max_retries=3) == expected


def test_retries_are_the_fixes_done_so_three_make_four_evaluations() -> None:
    rounds = trail(("a", "1 2 3 4"), ("b", "1 2 3"), ("c", "1 2"), ("d", "1"))
    assert [stop(rounds[: n + 1], attempts=n, max_retries=3) for n in range(4)] == ["", "", "", "retries"]
    assert stop(rounds[:1], attempts=0, max_retries=0) == "retries"


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.lists(st.sampled_from("1234"), min_size=1, max_size=4))))
def test_without_a_limit_the_loop_ends_all_the_same(rounds: list[tuple[str, list[str]]]) -> None:
    """The size of the set has to fall in each two rounds, so it cannot last longer than twice the first size."""
    told = trail(*((text, " ".join(wrong)) for text, wrong in rounds))
    first = next((n for n in range(1, len(told) + 1) if stop(told[:n], n - 1, 10**9)), None)
    if first is None:
        assert len(told) <= 2 * len(told[0]["bad"]) if told else True
    else:
        assert first <= 2 * len(told[0]["bad"]) + 1


def test_the_reason_counts_statements_and_fixes() -> None:
    assert in_words("retries", 3, 1) == "1 statement of the model could not be verified after 3 fixes"
    assert "no progress after 1 fix" in in_words("no_progress", 1, 2)
    assert in_words("verified", 1, 0) == ""
