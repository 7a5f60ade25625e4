"""YAML as Watchdog reads it: 1.2, with line marks, and with limits."""

import math
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchdog.config import load_yaml, parse_yaml
from watchdog.config.nodes import MAX_ALIASED, MAX_BYTES
from watchdog.errors import ConfigError


def plain(text: str) -> object:
    return parse_yaml(text, "c.yaml").plain()


def refusal(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_yaml(text, "c.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    "word",
    ["NO", "no", "yes", "on", "off", "y", "010", "007", "-010", "1:30", "2026-05-01", "0o8", "1_000", "00.5", "nUll"],
)
def test_words_that_other_readers_bend_stay_text(word: str) -> None:
    assert plain(f"a: {word}") == {"a": word}


@pytest.mark.parametrize(
    ("word", "value"),
    [("true", True), ("FALSE", False), ("null", None), ("~", None), ("", None), ("0", 0), ("-12", -12), ("0x1F", 31)]
    + [("0o17", 15), ("1.50", 1.5), (".5", 0.5), ("1e3", 1000.0), ("-.inf", -math.inf), ("9223372036854775808", 2**63)],
)
def test_the_core_schema_names_the_other_types(word: str, value: object) -> None:
    found = plain(f"a: {word}")
    assert found == {"a": value}
    assert isinstance(found, dict) and type(found["a"]) is type(value)


def test_quoted_and_block_scalars_are_text() -> None:
    assert plain("a: '1'\nb: \"true\"\nc: |\n  12\n") == {"a": "1", "b": "true", "c": "12\n"}


def test_nan_is_a_number_and_a_number_of_thousands_of_digits_stays_text() -> None:
    found = plain(f"a: .nan\nb: {'9' * 5000}")
    assert isinstance(found, dict) and math.isnan(found["a"]) and found["b"] == "9" * 5000


def test_keys_are_text_whatever_they_look_like() -> None:
    assert plain("NO: 1\n1: 2\nnull: 3\ntrue: 4") == {"NO": 1, "1": 2, "null": 3, "true": 4}


def test_every_node_knows_its_line() -> None:
    node = parse_yaml("# first\na:\n  b: [1,\n     2]\n  c: x\n", "c.yaml")
    assert [node.line_of("a"), node.line_of("a", "b", 0), node.line_of("a", "b", 1), node.line_of("a", "c")] == [
        2,
        3,
        4,
        5,
    ]
    assert node.line_of("a", "missing", 7) == 2


def test_an_empty_file_is_an_empty_value() -> None:
    assert plain("") is None
    assert plain("# only words\n") is None


def test_invalid_yaml_names_file_and_line() -> None:
    assert refusal("a: 1\nb: [1\nc: 2\n").startswith("c.yaml:3: not valid YAML: ")


def test_a_tab_as_indentation_is_explained() -> None:
    assert "spaces, not tabs" in refusal("a:\n\tb: 1\n")


def test_a_control_character_is_refused_with_its_line() -> None:
    assert refusal("a: 1\nb: \x01\n").startswith("c.yaml:2: ")


def test_half_a_character_is_refused() -> None:
    assert refusal('a: 1\nb: "\\ud800"\n').startswith("c.yaml:2: ")


def test_a_key_written_twice_is_refused_with_both_lines() -> None:
    message = refusal("a:\n  x: 1\n  y: 2\n  x: 3\n")
    assert message.startswith("c.yaml:4: ") and "'x'" in message and "line 2" in message


def test_the_same_key_under_two_parents_is_fine() -> None:
    assert plain("a: {x: 1}\nb: {x: 2}") == {"a": {"x": 1}, "b": {"x": 2}}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a: !!python/object/apply:os.system [ls]", "tags"),
        ("a: !secret x", "tags"),
        ("a: &x {b: 1}\nc: {<<: *x}", "merge"),
    ]
    + [("a: *nobody", "*nobody"), ("a: &x [*x]", "its own anchor"), ("a: 1\n---\nb: 2\n", "second document")]
    + [("? [a]\n: 1", "key has to be text"), ("a: &x b\n*x : 1", "alias cannot be a key")],
)
def test_what_a_config_does_not_need_is_refused(text: str, word: str) -> None:
    assert word in refusal(text)


def test_an_alias_stands_for_its_anchor() -> None:
    assert plain("a: &x [1, {b: 2}]\nc: *x") == {"a": [1, {"b": 2}], "c": [1, {"b": 2}]}


def test_a_billion_laughs_are_refused() -> None:
    lines = ["l0: &l0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 10)]
    assert f"{MAX_ALIASED:,}" in refusal("\n".join(lines))


@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 100_000, "".join(" " * n + "a:\n" for n in range(200))])
def test_deep_nesting_is_refused_and_does_not_crash(text: str) -> None:
    assert "nested deeper" in refusal(text)


def test_a_file_that_is_not_utf8_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "c.yaml"
    file.write_bytes(b"a: 1\nb: M\xfcller\n")
    with pytest.raises(ConfigError, match=r"c\.yaml:2: not UTF-8"):
        load_yaml(file)


def test_a_byte_order_mark_is_no_content(tmp_path: Path) -> None:
    file = tmp_path / "c.yaml"
    file.write_bytes(b"\xef\xbb\xbfa: 1\n")
    assert load_yaml(file).plain() == {"a": 1}


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "c.yaml"
    file.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(ConfigError, match="larger than 5 MB"):
        load_yaml(file)


def test_a_missing_file_and_a_folder_are_two_refusals(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        load_yaml(tmp_path / "none.yaml")
    with pytest.raises(ConfigError, match="not a file"):
        load_yaml(tmp_path)


def test_the_file_is_shown_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "c.yaml").write_text("a: 1")
    monkeypatch.chdir(tmp_path)
    assert load_yaml(tmp_path / "sub" / "c.yaml").file == "sub/c.yaml"
    monkeypatch.chdir(tmp_path / "sub")
    assert load_yaml(tmp_path / "sub" / "c.yaml").file == "c.yaml"
    monkeypatch.chdir(os.sep)
    assert load_yaml(tmp_path / "sub" / "c.yaml").file.endswith("sub/c.yaml")


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        assert parse_yaml(text, "c.yaml").line >= 1
    except ConfigError as problem:
        assert str(problem).startswith("c.yaml:")


@given(st.text(alphabet="ab:-[]{}&*!|>'\"#%@,? \n\t<1.", max_size=40))
def test_any_punctuation_is_read_or_refused(text: str) -> None:
    try:
        assert parse_yaml(text, "c.yaml").line >= 1
    except ConfigError as problem:
        assert str(problem).startswith("c.yaml:")
