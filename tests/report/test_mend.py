"""A fix changes lines that are wrong; what is verified elsewhere stays as it is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchdog.report.mend import Mended, Patch, mend, read_patches
from watchdog.report.reading import cleaned, issues_in, json_in, lines_cleaned, speaks_of_itself

TEXT = "## Summary\n\n12 of 50 rows are empty.\n7 of 50 rows are odd.\nLook at the import."
VERIFIED = [{"line": 3, "cited": "12"}, {"line": 3, "cited": "50"}, {"line": 4, "cited": "50"}]


def mended(reply: object, *, named: set[int], lenient: bool = False, verified: object = VERIFIED) -> Mended:
    said = reply if isinstance(reply, str) else json.dumps(reply)
    return mend(TEXT, read_patches(said, TEXT), shown=TEXT, named=named, verified=verified, lenient=lenient)  # type: ignore[arg-type]


def test_a_named_line_is_changed_and_the_rest_stays() -> None:
    done = mended([{"line": 4, "text": "8 of 50 rows are odd."}], named={4})
    assert done.text == TEXT.replace("7 of", "8 of")
    assert done.refused == ()


def test_a_line_with_a_verified_number_that_nobody_complained_about_is_refused() -> None:
    done = mended([{"line": 3, "text": "13 of 50."}, {"line": 4, "text": "8 of 50 rows are odd."}], named={4})
    assert done.text == TEXT.replace("7 of", "8 of")
    assert len(done.refused) == 1 and done.refused[0].startswith("line 3:")


def test_a_line_without_numbers_may_change_and_a_new_one_may_stand_behind_a_verified_one() -> None:
    asked, more = "Ask the importer.", "12 of 50 rows are empty.\n- more"
    done = mended([{"line": 5, "text": asked}, {"line": 3, "text": more}], named=set())
    assert done.text.split("\n")[2:] == [
        "12 of 50 rows are empty.",
        "- more",
        "7 of 50 rows are odd.",
        "Ask the importer.",
    ]


def test_an_empty_text_takes_the_line_out() -> None:
    assert mended([{"line": 4, "text": ""}], named={4}).text == TEXT.replace("7 of 50 rows are odd.\n", "")


def test_a_reviewer_may_reword_a_line_that_keeps_its_numbers() -> None:
    kept, lost = "Perhaps 12 of 50 rows are empty.", "Some rows are empty."
    assert kept in mended([{"line": 3, "text": kept}], named=set(), lenient=True).text
    assert lost not in mended([{"line": 3, "text": lost}], named=set(), lenient=True).text
    assert kept not in mended([{"line": 3, "text": kept}], named=set()).text


@pytest.mark.parametrize(
    "reply",
    [
        '{"patches": [{"line": 4, "text": "8 odd"}]}',
        '```json\n[{"line": "4", "text": "4: 8 odd"}]\n```',
        'Here it is: {"line": 4, "text": "8 odd"} I hope it helps.',
        "{'line': 4}" + '[{"line": 4, "text": "8 odd"}]',
    ],
)
def test_patches_are_found_in_whatever_they_stand_in(reply: str) -> None:
    assert read_patches(reply, TEXT) == (Patch(4, 4, ("8 odd",)),)


@pytest.mark.parametrize(
    "reply",
    ["", "I am sorry.", "[]", '[{"line": 99, "text": "x"}]', '[{"line": true, "text": "x"}]', '[{"text": "x"}]', "[" * 5000],
)  # fmt: skip
def test_a_reply_of_no_use_changes_nothing(reply: str) -> None:
    assert mended(reply, named={4}).text == TEXT


def test_a_whole_text_again_is_read_as_the_changes_that_it_comes_to() -> None:
    again = TEXT.replace("12 of", "13 of").replace("7 of", "8 of")
    done = mended(again, named={4})
    assert done.text == TEXT.replace("7 of", "8 of")
    assert mended(again, named={4}, verified=[]).text == again


def test_two_patches_for_one_line_are_one_too_many() -> None:
    done = mended([{"line": 4, "text": "a"}, {"line": 4, "text": "b"}], named={4})
    assert "a" in done.text.split("\n") and "b" not in done.text.split("\n")


@given(st.text(max_size=200), st.sets(st.integers(1, 6)))
def test_verified_numbers_elsewhere_survive_any_reply(reply: str, named: set[int]) -> None:
    done = mend(TEXT, read_patches(reply, TEXT), shown=TEXT, named=named, verified=VERIFIED)
    assert 3 in named or "12 of 50 rows are empty." in done.text.split("\n")


def test_talk_around_a_report_and_marks_of_verification_are_taken_off() -> None:
    said = "Sure! Here is the report:\n\n```markdown\n## Summary\n\n12 ✓ rows.\n```\n"
    assert "✓" not in cleaned(said) and cleaned(said).startswith("## Summary")
    assert cleaned("## A\n\n12 rows.\n\nLet me know if you need more!") == "## A\n\n12 rows."
    assert cleaned("12 rows are empty.\n\n## A") == "12 rows are empty.\n\n## A"


@given(st.text(max_size=300))
def test_cleaning_twice_is_cleaning_once_and_reading_never_fails(reply: str) -> None:
    once = cleaned(reply)
    assert lines_cleaned(once) == once
    issues_in(reply)
    json_in(reply)


def test_placeholders_pass_through_the_cleaning() -> None:
    assert cleaned("## A\n[[f12|,]] of [x](y)") == "## A\n[[f12|,]] of \\[x\\](y)"


def test_a_line_about_the_writer_is_told_from_one_about_a_table() -> None:
    assert speaks_of_itself("As an AI language model I cannot do that.")
    assert speaks_of_itself("作为一个人工智能助手,我无法访问数据库。")
    assert not speaks_of_itself("`language model` has 3 rows")
    assert not speaks_of_itself("The assistant table has 3 rows.")


def test_a_review_is_read_from_an_object_or_a_list_and_else_there_is_none() -> None:
    assert issues_in('{"issues": ["say that f is a guess", 3, ""]}') == ["say that f is a guess"]
    assert issues_in('["one"]') == ["one"]
    assert issues_in("looks good") == [] == issues_in('{"issues": "none"}')
