"""What a model is shown: facts with tags, no rows, no values; hostile names; little room."""

from __future__ import annotations

import re

import pytest
from papers import HOSTILE, a_finding, a_flood, a_morning, a_paper, a_result

from watchdog.chat import estimate_tokens
from watchdog.report.sheet import sheet
from watchdog.verify import facts_of, fill

TAG = re.compile(r"\[\[(f\d+)\]\]")


def inside(text: str) -> list[str]:
    opening, *lines, closing = text.split("\n")
    assert re.fullmatch(r"<<<DATA [0-9a-f]{16}", opening) and opening[3:] + ">>>" == closing
    return lines


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_tag_is_a_fact_that_the_verifier_fills_as_it_is_shown(lang: str) -> None:
    paper = a_morning()
    facts = facts_of(paper)
    tags = 0
    for line in inside(sheet(paper, facts, max_tokens=10_000, lang=lang).text):
        for found in TAG.finditer(line):
            tags += 1
            filled = fill(found[0], facts, lang)
            assert not filled.problems
            assert " = " not in line or filled.text == line.rpartition(" = ")[2]
    assert tags > 20


def test_numbers_stand_under_their_finding() -> None:
    paper = a_morning()
    facts = facts_of(paper)
    own = ""
    for line in inside(sheet(paper, facts, max_tokens=10_000).text):
        if line.startswith("FINDING "):
            own = line.removeprefix("FINDING ")
        elif own and (found := TAG.search(line)):
            fact = facts.by_id(found[1])
            assert fact is not None and fact.subjects == (own,)
    assert own == "products.name.type"


def test_the_worst_come_first_and_what_was_not_evaluated_is_told_with_its_reason() -> None:
    paper = a_morning()
    told = sheet(paper, facts_of(paper), max_tokens=10_000)
    assert told.ids[:2] == ("orders.customer_id.relationships", "orders.email.not_null")
    assert told.ids[-1] == "products.name.type" and told.left_out == 0 and len(told.ids) == 7
    assert '"orders.note.matches" error, because: "no such function: REGEXP"' in told.text
    assert '"products.seen.freshness" skipped, because: "all 60 values are NULL"' in told.text
    assert told.text.index("NOT EVALUATED") < told.text.index("PASSED") < told.text.index('"orders.id.not_null"')
    assert "INCOMPLETE" in told.text


def samples(*values: object) -> list[dict[str, object]]:
    return [{"key": {"email": "ann@x.org"}, "value": value} for value in values]


def test_no_cell_value_and_no_key_is_shown_unless_asked_and_masked() -> None:
    paper = a_paper([a_finding("t.c.valid", samples=samples("xxx@x.xxx", {"type": "integer", "text": "999"}, None))])
    facts = facts_of(paper)
    assert "xxx@x.xxx" not in sheet(paper, facts, max_tokens=5000).text
    shown = sheet(paper, facts, max_tokens=5000, samples=True).text
    assert '"xxx@x.xxx", "999", "NULL"' in shown and "ann@x.org" not in shown
    for mode in ("full", "none", None):
        paper["run"]["sample_values"] = mode
        assert "xxx@x.xxx" not in sheet(paper, facts, max_tokens=5000, samples=True).text


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_stays_on_its_line_in_the_fence_and_is_no_tag(name: str) -> None:
    more = {"table": name, "description": name, "note": name, "owner": name, "evidence": name}
    paper = a_paper([a_finding(f"{name}.c.not_null", **more)], [a_result(name, "skipped", reason=name)])
    paper["source"]["name"] = name
    facts = facts_of(paper)
    lines = inside(sheet(paper, facts, max_tokens=5000).text)
    assert sum(line.startswith("FINDING ") for line in lines) == 1
    assert sum(line.startswith("TOTALS") for line in lines) == 1
    assert not any(line.startswith(("##", "DATA", "```", "Ignore")) for line in lines)
    for line in lines:
        assert line.isprintable()
        assert line.count("[[") == len(TAG.findall(line)) and "]] [[" not in line
        assert len(line) < 700


def test_long_findings_fit_the_context_and_the_rest_are_counted() -> None:
    paper = a_flood(1200)
    facts = facts_of(paper)
    sizes = []
    for room in (900, 2000, 6000, 20_000):
        told = sheet(paper, facts, max_tokens=room)
        assert estimate_tokens(told.text) <= room
        assert len(told.ids) + told.left_out == 1200
        assert all(id.startswith("t") and int(id[1:5]) % 4 == 0 for id in told.ids[:300])
        assert "NOT LISTED: further findings of severity" in told.text
        assert "findings of severity high = 300" in told.text and "findings = 1,200" in told.text
        sizes.append(len(told.ids))
    assert sizes == sorted(sizes) and sizes[0] >= 5 and sizes[-1] >= 300


def test_the_worst_finding_is_told_however_little_room_there_is() -> None:
    paper = a_flood(30)
    told = sheet(paper, facts_of(paper), max_tokens=0)
    assert told.ids == ("t0000.c.not_null",) and told.left_out == 29


def test_the_same_paper_gives_the_same_bytes_in_any_order() -> None:
    paper = a_morning()
    first = sheet(paper, facts_of(paper), max_tokens=3000).text
    assert sheet(paper, facts_of(paper), max_tokens=3000).text == first
    paper["results"].reverse()
    assert [line for line in inside(first) if "[[" not in line] == [
        line for line in inside(sheet(paper, facts_of(paper), max_tokens=3000).text) if "[[" not in line
    ]


def test_foreign_and_empty_papers_are_shown_too() -> None:
    for paper in ({"findings": []}, {"findings": [{"id": "x.y.z", "severity": "awful", "count": 3}], "results": None}):
        told = sheet(paper, facts_of(paper), max_tokens=1000)
        assert inside(told.text)[1:] and told.left_out == 0
    assert "[[" in told.text and told.ids == ("x.y.z",)
