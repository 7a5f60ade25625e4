"""Each check documents itself: in the docstring of its file, whence `docs/checks.md` and `watchdog explain` come."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from watchdog.checks._reference import COMMON, SECTIONS, options_of, reference, sections
from watchdog.config import parse_yaml
from watchdog.model import CheckSpec
from watchdog.plugins import bind, check_class, check_names


@pytest.mark.parametrize("check", check_names())
def test_a_check_says_what_it_measures_and_why(check: str) -> None:
    told = sections(check)
    assert list(told) == ["", *SECTIONS]
    assert told[""].endswith(".") and "\n" not in told[""]
    assert all(len(told[part]) > 5 for part in SECTIONS)


@pytest.mark.parametrize("check", check_names())
def test_every_option_of_its_own_is_listed(check: str) -> None:
    own = [f.name for f in fields(check_class(check)) if f.name not in COMMON]
    assert [option.name for option in options_of(check)] == own
    assert all(option.values and option.meaning for option in options_of(check))


@pytest.mark.parametrize("check", check_names())
def test_the_example_is_a_rule_that_config_yaml_takes(check: str) -> None:
    rule = parse_yaml(sections(check)["Example"].partition(" -> ")[0], "example").plain()
    ((name, options),) = rule.items() if isinstance(rule, dict) else ((rule, {}),)
    assert name == check
    bind(CheckSpec(check, options=options))


@pytest.mark.parametrize("check", check_names())
def test_a_check_is_of_a_known_dimension(check: str) -> None:
    known = {"accuracy", "completeness", "conformity", "consistency", "coverage", "timeliness", "uniqueness"}
    assert check_class(check).dimension in known


def test_the_reference_of_the_checks_is_current(root: Path) -> None:
    hint = "make it anew: python -m watchdog.checks._reference > docs/checks.md"
    assert (root / "docs" / "checks.md").read_text(encoding="utf-8") == reference(), hint
