"""Each format against its expected file, and against hostile, empty, blind and very long runs.

After a wanted change: WATCHDOG_REWRITE_EXPECTED=1 pytest tests/render, then read the diff of tests/render/expected/.
"""

import importlib
import json
import os
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from markdown_it import MarkdownIt
from sample import HIGH, HOSTILE, LOW, MEDIUM, a_run, clean_run, hostile_run, long_run, sample_run, skipped_run

from watchdog import codec
from watchdog.model import Report, Run
from watchdog.render._escape import visible

FORMATS = ("text", "json", "markdown", "junit", "github")
EXPECTED = Path(__file__).parent / "expected"


def renderer(name: str) -> ModuleType:
    return importlib.import_module(f"watchdog.render.{name}")


def render(name: str, run: Run, report: Report | None = None) -> str:
    text: str = renderer(name).render(run, report)
    return text


def cases(run: Run) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(render("junit", run)).iter("testcase"))


@pytest.mark.parametrize("name", FORMATS)
def test_the_sample_run_reads_as_expected(name: str) -> None:
    expected = EXPECTED / f"sample{renderer(name).SUFFIX}"
    text = render(name, sample_run())
    if os.environ.get("WATCHDOG_REWRITE_EXPECTED"):
        expected.write_text(text, encoding="utf-8", newline="")
    assert text == expected.read_bytes().decode("utf-8")


@pytest.mark.parametrize("name", FORMATS)
def test_a_saved_run_reads_as_the_run_itself(name: str) -> None:
    for run in (sample_run(), hostile_run(), skipped_run()):
        loaded = codec.loads(codec.dumps(run))
        if run.findings and run.findings[0].id.isprintable():
            assert render(name, loaded) == render(name, run)
        assert render(name, codec.loads(codec.dumps(loaded))) == render(name, loaded)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "run", [a_run(), clean_run(), skipped_run(), hostile_run()], ids=["empty", "clean", "skipped", "hostile"]
)
def test_every_output_is_valid_utf_8_and_safe_for_a_terminal(name: str, run: Run) -> None:
    text = render(name, run)
    assert text.encode("utf-8").decode("utf-8") == text
    assert text.endswith("\n")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]", text)


def test_a_clean_run_says_what_was_looked_at() -> None:
    text = render("text", clean_run())
    assert "No findings: 1 check on 1 table with 10 rows passed." in text
    assert "shop at data/shop.db (sqlite, read immutable)" in text


@pytest.mark.parametrize("name", ["text", "markdown", "github"])
@pytest.mark.parametrize("run", [a_run(), skipped_run()], ids=["empty", "skipped"])
def test_a_run_that_evaluated_nothing_is_never_called_clean(name: str, run: Run) -> None:
    text = render(name, run)
    assert "Nothing was evaluated" in text
    assert "No findings" not in text


def test_checks_that_did_not_look_stand_beside_a_run_without_findings() -> None:
    half = replace(clean_run(), results=(*clean_run().results, *skipped_run().results))
    assert "No findings in 1 check on 1 table with 10 rows; 1 check did not look." in render("text", half)
    blind = replace(clean_run(), complete=False)
    assert "but not everything could be looked at" in render("text", blind)


def test_the_worst_finding_is_told_first() -> None:
    run = sample_run()
    mixed = replace(run, findings=tuple(reversed(run.findings)))
    for name in ("text", "markdown"):
        text = render(name, mixed)
        places = [text.index(finding.id) for finding in run.findings if finding.severity < HIGH]
        assert places == sorted(places)
        assert text.index("orders.email.not_null") < places[0]


@pytest.mark.parametrize("name", ["text", "markdown", "junit", "github"])
def test_masked_and_hidden_values_appear_nowhere(name: str) -> None:
    run = sample_run()
    assert "call me" not in render(name, run)
    assert "491701234567" not in render(name, run)
    assert "id=4" in render(name, replace(run, sample_values="none"))
    assert "phone=" not in render(name, replace(run, sample_values="none"))
    assert "phone=" in render(name, replace(run, sample_values="full"))
    assert "call me" not in render(name, replace(run, sample_values="full"))
    assert "call me" in render(name, replace(run, sample_values="full", pii_allowed=True))


def test_skipped_checks_with_the_same_reason_share_a_line() -> None:
    assert "notes.body.not_null, notes.title.not_null: no rows to judge\n" in render("text", sample_run())


def test_hostile_text_cannot_open_a_line_on_a_terminal() -> None:
    lines = render("text", hostile_run()).splitlines()
    starts = {line.split(" ", 1)[0] for line in lines if line}
    heads = {"Could", "Skipped", "Tables", "Note", "Looked", "Checks", "Exit", "Result", "HIGH", ""}
    assert starts <= heads


def test_a_workflow_command_holds_one_finding_and_nothing_else() -> None:
    run = hostile_run()
    lines = render("github", run).splitlines()
    assert len(lines) == len(run.findings) + len(run.errors) + len(run.exit_reasons) + 1
    for line in lines:
        command = re.fullmatch(r"::(error|warning|notice) ((?:[a-z]+=[^,:\r\n]*,?)+)::[^\r\n]*", line)
        assert command, line
        keys = [field.split("=", 1)[0] for field in command[2].split(",")]
        assert set(keys) <= {"file", "line", "title"}
        assert not re.search(r"%(?!25|0A|3A|2C)", line)


def test_github_points_at_the_line_of_the_check_and_levels_follow_severity() -> None:
    text = render("github", sample_run())
    assert "::error file=config.yaml,line=12,title=orders.email.not_null::123 of 4%2C567" not in text
    assert "::error file=config.yaml,line=12,title=orders.email.not_null::123 of 4,567 values" in text
    assert "::warning title=customers.phone.matches::" in text
    assert "::notice file=config.yaml,title=orders.created_at.freshness::" in text
    assert "line=20" not in text and "%0A1 finding accepted by known.json%0A" in text


def test_hostile_text_keeps_the_shape_of_markdown_tables_and_brings_no_markup() -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(render("markdown", hostile_run()))
    allowed = {"<br>", "<code>", "</code>"}
    assert not [t for t in tokens if t.type in {"html_block", "code_block", "fence", "hr"}]
    width, wide = 0, []
    for token in tokens:
        if token.type == "tr_open":
            width = 0
        if token.type in {"th_open", "td_open"}:
            width += 1
        if token.type == "tr_close":
            wide.append(width)
    assert set(wide) == {2, 4}
    assert wide.count(4) == 1 + len(HOSTILE)
    inline = [child for token in tokens for child in token.children or ()]
    assert {child.content for child in inline if child.type == "html_inline"} <= allowed
    kinds = {"text", "text_special", "code_inline", "html_inline", "strong_open", "strong_close"}
    assert {child.type for child in inline} <= kinds


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_shows_hostile_text_as_it_stands(text: str) -> None:
    from watchdog.render._escape import code, markdown

    reader = MarkdownIt("commonmark").enable("table")
    for shown in (code(text), markdown(text)):
        table = reader.parse(f"| a | b |\n|---|---|\n| x{shown}x | y |\n")
        cell = next(token for token in table if token.type == "inline" and token.content.startswith("x"))
        parts = [child.content for child in cell.children or () if child.type != "html_inline"]
        assert "".join(parts) == f"x{visible(text)}x"


def test_junit_holds_every_check_and_its_counts_match() -> None:
    for run in (sample_run(), hostile_run(), a_run(), skipped_run(), clean_run()):
        root = ElementTree.fromstring(render("junit", run))
        for suite in (root, *root.iter("testsuite")):
            inside = list(suite.iter("testcase"))
            assert int(suite.attrib["tests"]) == len(inside)
            for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
                assert int(suite.attrib[name]) == sum(case.find(tag) is not None for case in inside)
        own = [case for case in cases(run) if case.attrib["name"] != "could be evaluated"]
        assert len(own) == len(run.results)


def test_junit_has_a_suite_for_each_table_and_one_for_the_database() -> None:
    root = ElementTree.fromstring(render("junit", sample_run()))
    assert [suite.attrib["name"] for suite in root] == ["(database)", "customers", "lines", "notes", "orders"]


def test_junit_fails_where_the_exit_code_does() -> None:
    run = sample_run()

    def failures(**more: Any) -> int:
        return sum(case.find("failure") is not None for case in cases(replace(run, **more)))

    assert failures() == 1
    assert failures(fail_on=MEDIUM) == 2
    assert failures(fail_on=LOW) == 3
    assert failures(fail_on=None) == 0


def test_junit_is_red_when_a_run_without_errors_could_not_evaluate() -> None:
    late = replace(clean_run(), complete=False, exit_reasons=("timed out after 60 s", "3 checks were not reached"))
    red = [case for case in cases(late) if case.find("error") is not None]
    assert [case.find("error").attrib["message"] for case in red] == ["timed out after 60 s"]  # type: ignore[union-attr]


def test_a_report_opens_the_markdown_page_in_its_own_words() -> None:
    report = Report(title="Monday | <b>", text="Orders lost **123** e-mails.", status="facts_only")
    page = render("markdown", sample_run(), report)
    opening = [
        "# Monday &#124; &lt;b&gt;",
        "Orders lost **123** e-mails.",
        "Numbers: facts only.",
        "## Findings of `shop`",
    ]
    assert page.split("\n\n")[:4] == opening


def test_the_json_output_of_every_run_fits_the_published_schema() -> None:
    schema = codec.findings_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    for run in (sample_run(), clean_run(), skipped_run(), hostile_run(), a_run(), long_run(20)):
        jsonschema.validate(json.loads(render("json", run)), schema)


@pytest.mark.parametrize("name", FORMATS)
def test_ten_thousand_findings_are_all_told(name: str) -> None:
    assert render(name, long_run(10_000)).count(".not_null") >= (0 if name == "junit" else 10_000)
    if name == "junit":
        assert len(cases(long_run(10_000))) == 10_000


@pytest.mark.parametrize("name", FORMATS)
def test_work_grows_with_the_number_of_findings_and_not_faster(name: str) -> None:
    few = work(lambda: render(name, long_run(100)))
    many = work(lambda: render(name, long_run(1000)))
    assert many < 11 * few


def work(job: Callable[[], object]) -> int:
    """How many functions are called: a measure of work that no busy machine disturbs."""
    calls = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    job()  # once before: imports and caches
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        job()
    finally:
        sys.setprofile(before)
    return calls
