"""Options that are wrong: said in words of config.yaml, with file and line, before anything is read."""

from __future__ import annotations

from typing import Any

import pytest

from watchdog.errors import ConfigError
from watchdog.model import CheckSpec, Severity
from watchdog.plugins import bind, check_names


@pytest.mark.parametrize(
    ("check", "options", "said"),
    [
        ("accepted_values", {}, "option 'values' is needed"),
        ("accepted_values", {"values": "open"}, "option 'values': must be a list"),
        ("accepted_values", {"values": ["a", None]}, "option 'values': each of them must be text or a whole number or a number"),
        ("accepted_range", {"min": [1]}, "option 'min': must be a whole number or a number or text"),
        ("row_count", {"min": 1.5}, "option 'min': must be a whole number"),
        ("freshness", {"max_age": 5}, "option 'max_age': must be text or a mapping"),
        ("freshness", {"max_age": {"high": 5}}, "option 'max_age': must be text"),
        ("valid", {"format": "emial"}, "did you mean 'email'?"),
        ("type", {"kind": "xyzzy"}, "must be one of integer, decimal, text, boolean, date, timestamp, blob"),
        ("not_null", {"wehre": "x"}, "unknown option 'wehre'\n  did you mean 'where'?"),
        ("not_null", {"severity": "hgh"}, "severity 'hgh' is none of info, low, medium, high"),
        ("integrity", {"at_most": "5%"}, "at_most: damage has no rows to take a share of"),
        ("foreign_key", {"at_most": 1}, "foreign_key takes no at_most"),
        ("matches", {"regex": "("}, "not a regular expression"),
    ],
)
def test_a_wrong_option_is_named_with_what_it_takes(check: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as told:
        bind(CheckSpec(check, options=options, file="config.yaml", line=7))
    assert said in str(told.value)
    assert told.value.message.startswith(f"config.yaml:7: check {check!r}: ")
    assert "nput should" not in str(told.value)


ODD = [None, "", "x", 5, -1, 1.5, True, [], ["x"], [None], {}, {"high": 1}, "\0", float("nan")]


@pytest.mark.parametrize("check", check_names())
def test_whatever_is_given_is_a_check_or_a_mistake_in_words(check: str) -> None:
    from watchdog.plugins import option_names

    for option in option_names(check):
        for odd in ODD:
            try:
                made = bind(CheckSpec(check, options={option: odd}))
            except ConfigError as mistake:
                assert mistake.message.startswith(f"check {check!r}: ")
            else:
                assert isinstance(made.level, Severity)
