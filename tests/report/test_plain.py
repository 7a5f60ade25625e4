"""The report without a model: complete, in both languages, and nothing in it that the verifier would not sign."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from papers import HOSTILE, a_finding, a_flood, a_morning, a_paper, a_result

from watchdog.errors import UsageError
from watchdog.plugins import check_names
from watchdog.render._escape import visible
from watchdog.report._skeleton import span
from watchdog.report._words import _EN, _ZH, FAULTS, LEVELS
from watchdog.report.plain import plain
from watchdog.verify import facts_of, verify_report

LANGUAGES = ("en", "zh")


def written(paper: dict[str, Any], lang: str) -> str:
    """The plain report, once the verifier has signed it."""
    text = plain(paper, facts_of(paper), lang)
    verdict = verify_report(text, paper, lang=lang)
    assert [(claim.text, claim.cited, claim.reason) for claim in verdict.bad] == []
    return text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_finding_is_told_with_its_numbers_and_verifies(lang: str) -> None:
    paper = a_morning()
    text = written(paper, lang)
    assert all(f"`{finding['id']}`" in text for finding in paper["findings"])
    for number in ("123", "4,567", "2.7%", "100", "31", "24", "1,500"):
        assert number in text
    assert text.index("orders.email.not_null") < text.index("customers.email.unique") < text.index("products.name.type")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("check", [*sorted(FAULTS), "a_check_of_yours"])
@pytest.mark.parametrize("count", [1, 2, 1500])
def test_the_words_of_each_check_verify(check: str, count: int, lang: str) -> None:
    written(a_paper([a_finding(f"orders.email.{check or 'x'}", "medium", count)]), lang)


def test_each_check_that_counts_rows_has_words_of_its_own() -> None:
    measures = {"freshness", "integrity", "query", "row_count", "foreign_key"}  # they do not say "n of m rows"
    assert set(check_names()) - measures == set(FAULTS) - {""}


def test_both_languages_say_the_same_things_with_the_same_holes() -> None:
    assert set(_EN) == set(_ZH)
    for key in _EN:
        holes = [set(re.findall(r"\{[^}]*\}", said[key])) - {"{checks}", "{noun}", "{findings}"} for said in (_EN, _ZH)]
        assert holes[0] == holes[1], key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_was_not_evaluated_is_told_and_never_called_good(lang: str) -> None:
    paper = a_morning()
    text = written(paper, lang)
    tail = text[text.index(_EN["unevaluated"] if lang == "en" else f"## {_ZH['unevaluated']}") :]
    assert "`orders.note.matches`" in tail and "no such function: REGEXP" in tail
    assert "`products.seen.freshness`" in tail and "60" not in tail  # nothing vouches for the number in that reason
    assert (_EN if lang == "en" else _ZH)["incomplete"] in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_found_nothing_looked_at_and_could_not_look_are_three_things(lang: str) -> None:
    clean = written(a_paper((), [a_result("a.b.not_null")]), lang)
    blind = written(a_paper((), [a_result("a.b.not_null", "error", reason="locked")]), lang)
    empty = written(a_paper(), lang)
    say = _EN if lang == "en" else _ZH
    assert say["none"] in clean and say["none_seen"] in blind and say["no_checks"] in empty
    assert say["none"] not in blind and say["none"] not in empty


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_flood_of_findings_hides_no_high_one(lang: str) -> None:
    paper = a_flood(1200)
    text = written(paper, lang)
    assert all(f"`{finding['id']}`" in text for finding in paper["findings"] if finding["severity"] == "high")
    assert text.count("\n- ") < 300 + 3 * 202 and (_EN if lang == "en" else _ZH)["more"] in text


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_shown_and_is_nothing_but_a_name(name: str) -> None:
    finding = a_finding("t.c.not_null", table=name, column=name, columns=[name], name=name, description=name)
    paper = a_paper([finding | {"id": f"{name}.c.not_null"}], [a_result(name, "skipped", reason=f"{name} was locked")])
    for lang in LANGUAGES:
        text = plain(paper, facts_of(paper), lang)
        assert len(text.splitlines()) == len(text.split("\n")) - 1
        tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
        kinds = {child.type for token in tokens for child in token.children or [token]}
        assert not kinds & {"html_inline", "html_block", "link_open", "image", "fence", "code_block"}
        assert [token.tag for token in tokens if token.type == "heading_open"] == ["h2", "h2", "h2"]
        if visible(name) == name.strip():  # no id of ours holds what cannot be shown: its parts are quoted then
            verdict = verify_report(text, paper, lang=lang)
            assert not [claim for claim in verdict.bad if claim.kind == "number"]


@given(st.text(min_size=1, max_size=40))
@settings(max_examples=150, deadline=None)
def test_a_code_span_holds_any_name(name: str) -> None:
    tokens = MarkdownIt().parse(f"- {span(name)}: x")
    inline = next(token for token in tokens if token.type == "inline")
    assert [child.type for child in inline.children or []] == ["code_inline", "text"]


numbers = st.integers(min_value=0, max_value=10**7)


@given(numbers.filter(bool), numbers, numbers, st.sampled_from(LEVELS), st.sampled_from(sorted(FAULTS)))
@settings(max_examples=120, deadline=None)
def test_any_numbers_verify(count: int, more: int, before: int, severity: str, check: str) -> None:
    rows = count + more
    finding = a_finding(
        f"orders.email.{check or 'x'}", severity, count, rows, previous_count=before, not_evaluated=more
    )
    paper = a_paper([finding, a_finding("customers.id.unique", "high", 4, 400, groups=2, surplus=2)])
    for lang in LANGUAGES:
        written(paper, lang)


def test_an_unknown_language_lists_the_known_ones() -> None:
    paper = a_paper()
    with pytest.raises(UsageError, match="'fr'") as problem:
        plain(paper, facts_of(paper), "fr")
    assert "en, zh" in problem.value.hint
