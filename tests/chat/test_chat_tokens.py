"""The estimate of tokens: near enough for a budget, on the high side, and without a tokenizer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchdog.chat import estimate_messages, estimate_tokens

# Counted with the tokenizer of Qwen 2.5 Coder 1.5B.
COUNTED = [
    ("The table customers has 2,649 rows, of which 5.8% are NULL.", 22),
    ("本次检查共发现十二个问题，其中三个为高严重程度。", 15),
    ('{"id": "f12", "kind": "count", "value": "12480", "table": "orders"}', 30),
    ("联系人表 contacts 有 2649 行，其中 5.8% 的邮箱为空。", 24),
    ("- **f3** `orders.email`: 412 of 1,000 values are NULL (at most 5%)", 29),
    ("La vérification a trouvé douze problèmes, dont trois très sévères.", 17),
]


@pytest.mark.parametrize(("text", "counted"), COUNTED)
def test_it_is_near_what_a_tokenizer_counts(text: str, counted: int) -> None:
    assert 0.9 * counted <= estimate_tokens(text) <= 1.7 * counted


def test_nothing_is_nothing() -> None:
    assert (estimate_tokens(""), estimate_messages([])) == (0, 0)


@given(st.text(), st.text())
def test_a_longer_text_has_no_fewer_tokens(one: str, other: str) -> None:
    assert max(estimate_tokens(one), estimate_tokens(other)) <= estimate_tokens(one + other)
    assert estimate_tokens(one + other) <= estimate_tokens(one) + estimate_tokens(other)


@given(st.text(min_size=1))
def test_every_text_has_at_least_one(text: str) -> None:
    assert 1 <= estimate_tokens(text) <= len(text)


def test_tool_calls_and_the_frame_of_a_message_count() -> None:
    call = {"id": "1", "function": {"name": "scan", "arguments": "{}"}}
    plain = estimate_messages([{"role": "user", "content": "abcd"}])
    assert plain == 5
    assert estimate_messages([{"role": "assistant", "content": None, "tool_calls": [call]}]) > 4
