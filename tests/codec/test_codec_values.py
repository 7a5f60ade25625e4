"""What outputs may show of a cell: the masking table, personal columns, and JSON for whatever a driver returns."""

import json
import math
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchdog.codec import Shown, clean, looks_personal, safe, shown_value

ANY_TEXT = st.text(st.characters(exclude_categories=()))
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    ANY_TEXT,
    st.binary(),
    st.decimals(),
    st.datetimes(),
    st.dates(),
)
VALUES = st.recursive(SCALARS, lambda deeper: st.lists(deeper) | st.dictionaries(ANY_TEXT, deeper), max_leaves=6)

MASKED: list[tuple[Any, Any]] = [
    (None, None),
    ("", ""),
    ("   ", "   "),
    ("\t\n", "\t\n"),
    ("N/A", "N/A"),
    (" null ", " null "),
    ("ann@example.org", "xxx@xxxxxxx.xxx"),
    ("Ann O'Hara-Smith", "Xxx X'Xxxx-Xxxxx"),
    ("+49 (170) 123-4567", "+99 (999) 999-9999"),
    ("2024-02-30", "9999-99-99"),
    ("2024-02-30T12:00:00Z", "9999-99-99X99:99:99X"),
    ("DE89 3704", "XX99 9999"),
    ("姓名", "xx"),
    ("e\u0301 👋 ½ ٣", "xx x 9 9"),
    ("trailing\n", "xxxxxxxx\n"),
    ("a" * 41, "x" * 40 + "… (41 characters)"),
    ("a" * 40, "x" * 40),
    ("b" * 12_345, "x" * 40 + "… (12,345 characters)"),
    ("caf\udce9", {"type": "invalid_utf8", "text": "xxx\ufffd"}),
    (0, {"type": "integer", "text": "9"}),
    (-4711, {"type": "integer", "text": "-9999"}),
    (2**63 - 1, {"type": "integer", "text": "9" * 19}),
    (-12.5, {"type": "real", "text": "-99.9"}),
    (1e300, {"type": "real", "text": "9e+999"}),
    (math.inf, {"type": "real", "text": "Infinity"}),
    (math.nan, {"type": "real", "text": "NaN"}),
    (Decimal("12.50"), {"type": "decimal", "text": "99.99"}),
    (True, {"type": "boolean", "text": "x"}),
    (b"\x00\x01", {"type": "blob", "text": "2 bytes"}),
    (b"", {"type": "blob", "text": "0 bytes"}),
    (date(2024, 2, 29), "9999-99-99"),
    ({"name": "Ann"}, '{"xxxx": "Xxx"}'),
]

FULL: list[tuple[Any, Any]] = [
    (None, None),
    (True, True),
    (2**63 - 1, 2**63 - 1),
    (-(2**63), -(2**63)),
    (2**63, {"type": "decimal", "text": "9223372036854775808"}),
    (0.1, 0.1),
    (-math.inf, {"type": "real", "text": "-Infinity"}),
    (b"\xff\x00", {"type": "blob", "text": "ff00"}),
    ("nul \x00", "nul \x00"),
    ("a\\b\udce9", {"type": "invalid_utf8", "text": "a\\\\b\\xe9"}),
    ("\ud83d", {"type": "invalid_utf8", "text": "\\ud83d"}),
    (Decimal("1.10"), {"type": "decimal", "text": "1.10"}),
    (datetime(2024, 2, 29, 1, 2, 3), "2024-02-29T01:02:03"),
    (complex(1, 2), {"type": "complex", "text": "(1+2j)"}),
]


@pytest.mark.parametrize(("value", "shown"), MASKED, ids=[ascii(value)[:30] for value, _ in MASKED])
def test_a_masked_value_keeps_its_shape_and_not_its_content(value: Any, shown: Any) -> None:
    assert shown_value(value, "masked", "note") == shown


@pytest.mark.parametrize(("value", "shown"), FULL, ids=[ascii(value)[:30] for value, _ in FULL])
def test_a_value_in_full_is_strict_json(value: Any, shown: Any) -> None:
    assert shown_value(value, "full", "note") == shown
    json.dumps(shown, allow_nan=False)


def test_a_column_that_looks_personal_is_masked_in_mode_full_until_it_is_allowed() -> None:
    assert shown_value("Ann", "full", "first_name") == "Xxx"
    assert shown_value("Ann", "full", "first_name", pii_allowed=True) == "Ann"
    assert shown_value("Ann", "masked", "first_name", pii_allowed=True) == "Xxx"
    assert shown_value("open", "full", "status") == "open"


def test_mode_none_shows_no_value_and_does_not_pretend_that_it_is_null() -> None:
    for value in ("Ann", None, 7, Shown("Xxx")):
        assert shown_value(value, "none", "note") == {"type": "hidden", "text": "not shown"}


def test_a_value_that_was_read_from_a_saved_result_is_shown_as_it_stands() -> None:
    assert shown_value(Shown("9999 characters"), "masked", "note") == "9999 characters"


@pytest.mark.parametrize(
    "name",
    [
        *("name", "Name", "first_name", "lastName", "SURNAME", "userName", "e-mail", "e_mail", "EMAIL_ADDRESS", "mail"),
        *("contactEmail", "phone", "phone_number", "Telephone", "mobile", "fax", "street", "billing_address", "DOB"),
        *("birth_date", "dateOfBirth", "iban", "SSN", "passport_no", "wechat", "wechat_id", "ip", "client_ip", "zip"),
        *("postal_code", "姓名", "手机号", "微信号", "password", "api_key", "credit_card", "latitude"),
    ],
)
def test_a_personal_column_is_known_by_its_name(name: str) -> None:
    assert looks_personal(name)


@pytest.mark.parametrize(
    "name",
    ["id", "status", "total", "created_at", "quantity", "shipment", "description", "tournament", "zipped", "", "金额"],
)
def test_other_columns_are_not_personal(name: str) -> None:
    assert not looks_personal(name)


@given(VALUES, st.sampled_from(["full", "masked", "none"]))
def test_whatever_a_driver_returns_becomes_strict_json_in_utf_8(value: Any, mode: Any) -> None:
    shown = shown_value(value, mode, "note")
    text = json.dumps(shown, allow_nan=False, ensure_ascii=False)
    text.encode("utf-8")
    assert json.loads(text) == shown
    assert safe(shown) == shown


@given(ANY_TEXT)
def test_no_letter_and_no_digit_of_a_text_survives_masking(text: str) -> None:
    value = "Q7" + text  # never blank, never a stand-in for a missing value
    shown = shown_value(value, "masked", "note")
    shape = (shown["text"] if isinstance(shown, dict) else shown).split("… (")[0]
    assert {c for c in shape if c.isalnum()} <= set("xX9")
    assert len(shape) == min(len(value), 40) or "… (" in value


@given(ANY_TEXT)
def test_clean_text_is_utf_8_and_stays_as_it_is(text: str) -> None:
    once = clean(text)
    once.encode("utf-8")
    assert clean(once) == once
    if text.isprintable():
        assert once == text
