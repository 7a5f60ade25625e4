"""report.md: header, text, table, footnotes; whatever a model or a database puts in, it stays a report."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from papers import HOSTILE, a_finding, a_flood, a_morning, a_paper, a_result

from watchdog.model import Claim, Verdict
from watchdog.report._tidy import tidy
from watchdog.report.document import ROWS, Meta, document
from watchdog.report.plain import plain
from watchdog.verify import facts_of, verify_report

META = Meta(
    status="verified", model="a-model", rounds=2, calls=3, tokens_in=3456, tokens_out=789, cost=0.0123, seconds=12.34,
    prompts="0123456789abcdef", notes=("a sentence was dropped",),
)  # fmt: skip
PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
NOTHING = Verdict((), (), ())


def parts(text: str) -> set[str]:
    """The kinds of everything in a Markdown text, down to its inline parts."""

    def walk(tokens: list[Token]) -> set[str]:
        found: set[str] = set()
        for token in tokens:
            found |= {token.type, token.tag} | walk(token.children or [])
        return found

    return walk(PARSER.parse(text))


def a_document(paper: dict[str, Any], lang: str = "en", meta: Meta = META) -> str:
    body = plain(paper, facts_of(paper), lang)
    return document(paper, body, verify_report(body, paper, lang=lang), meta, lang)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_whole_document_verifies_as_anybody_may_check(lang: str) -> None:
    paper = a_morning()
    verdict = verify_report(a_document(paper, lang), paper, lang=lang)
    assert [(claim.text, claim.cited, claim.reason) for claim in verdict.bad] == []
    assert len(verdict.ok) > 20


def test_the_header_says_where_it_comes_from_and_what_it_cost() -> None:
    text = a_document(a_morning())
    total = len(verify_report(plain(a_morning(), facts_of(a_morning())), a_morning()).ok)
    block = text.split("```")[1]
    assert "source: shop (data/shop.db, sqlite)" in block
    assert "run: 20260501T060000Z-a1b2, 2026-05-01 06:00 UTC" in block
    assert f"numbers: {total} of {total} numbers verified" in block
    assert "status: verified\n" in block and "model: a-model" in block
    assert "rounds 2, calls 3, tokens 3,456 in and 789 out, 12.3 s" in block
    assert "cost: 0.0123" in block and "prompts: 0123456789abcdef" in block and "note: a sentence was dropped" in block


@pytest.mark.parametrize("status", ["repaired", "cut", "facts_only", "unverified"])
def test_a_report_that_is_not_simply_verified_says_so_and_why(status: Any) -> None:
    meta = dataclasses.replace(META, status=status, reason="the model repeated itself\n# x", cost=None, estimated=True)
    texts = [a_document(a_morning(), lang, meta) for lang in ("en", "zh")]
    for text in texts:
        assert f"{status.replace('_', ' ')} - the model repeated itself\\n# x" in text
    assert "cost: unknown" in texts[0] and "(estimated)" in texts[0]
    verified = a_document(a_morning())
    assert texts[0].split("```")[2].split("##")[0] != verified.split("```")[2].split("##")[0]


def test_numbers_that_were_not_verified_are_never_published() -> None:
    wrong = Claim(1, 0, 1, "9 rows", "9", "", "number", None, ("12 (count)",), "equal", "no such fact")
    for verdict in (Verdict((wrong,), (), ()), None):
        for status in ("verified", "repaired", "cut", "facts_only"):
            with pytest.raises(ValueError, match="without mismatches"):
                document(a_paper(), "9 rows", verdict, Meta(status=status))  # type: ignore[arg-type]
    assert "NOT checked" in document(a_paper(), "9 rows", None, Meta(status="unverified"))


def test_the_table_holds_every_finding_with_its_numbers_and_its_past() -> None:
    text = a_document(a_morning())
    assert "| high | `orders.email.not_null` | 123 | 4,567 | 2.7% | 100 | worse |" in text
    assert "| medium | `customers.email.unique` | 4 | 400 | 1% | – | new |" in text
    assert re.search(r"\| medium \| `orders.updated.freshness` \| 31[^|]*\| 1,500 \| – \| – \|  \|", text)
    assert "accepted" in text and text.count("\n| ") >= 9
    assert "| 严重程度 |" in a_document(a_morning(), "zh") and "变差" in a_document(a_morning(), "zh")


def test_a_table_that_would_be_too_long_says_how_many_are_left_out() -> None:
    text = document(a_flood(1200), "", NOTHING, META)
    assert text.count("\n| high |") == 300 and text.count("\n| medium |") == ROWS - 300
    assert "… and 700 more in the findings file." in text
    assert len(text) < 150_000


def test_nothing_found_leaves_no_empty_table() -> None:
    text = a_document(a_paper())
    assert "|" not in text and "All findings" not in text


def test_what_was_not_evaluated_is_listed_whatever_the_text_says() -> None:
    text = document(a_morning(), "All is well.", NOTHING, META)
    assert "error: orders.note.matches - no such function: REGEXP" in text
    assert "skipped: products.seen.freshness - all 60 values are NULL" in text


def test_each_number_of_the_text_leads_to_its_finding() -> None:
    paper = a_morning()
    facts = facts_of(paper)
    body = (
        "## Summary\n\nIn `orders.email.not_null`, 123 of 4,567 rows are NULL.\n\n| a | rows |\n|---|---|\n| b | 7 |\n"
    )
    count, rows = (next(f for f in facts.of("orders.email.not_null") if f.kind == k) for k in ("count", "rows"))
    total = next(f for f in facts.of("severity:high"))

    def claim(line: int, cited: str, fact: str | None) -> Claim:
        return Claim(line, body.split("\n")[line - 1].find(cited), 0, "", cited, "", "number", fact, (), "equal", "")

    claims = (claim(3, "4,567", rows.id), claim(3, "123", count.id), claim(7, "7", total.id), claim(3, "NULL", None))
    text = document(paper, "\n\n" + body, Verdict((), tuple(
        dataclasses.replace(c, line=c.line + 2) for c in claims), ()), META)  # fmt: skip
    assert "rows are NULL.[^1]\n" in text and "| b | 7 [^2] |" in text
    assert (
        f"[^1]: `“123” = count of orders.email.not_null ({count.id}); "
        f"“4,567” = rows of orders.email.not_null ({rows.id})`\n" in text
    )
    assert f"[^2]: `“7” = findings high of severity high ({total.id})`" in text


def test_the_same_input_gives_the_same_bytes() -> None:
    assert a_document(a_morning()) == a_document(a_morning())
    assert a_document(a_morning()).endswith("\n") and not a_document(a_morning()).endswith("\n\n")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_database_changes_nothing_but_the_names(name: str) -> None:
    finding = a_finding(
        "t.c.not_null", table=name, columns=[name], severity="high", check=name, name=name, description=name
    )
    paper = a_paper([finding | {"id": f"{name}.c"}], [a_result(f"{name}.d", "error", reason=name)])
    paper["source"] |= {"name": name, "location": name}
    paper["run"]["id"] = name
    paper["history"] = {"findings": {f"{name}.c": {"state": name, "previous_count": 3}}}
    meta = dataclasses.replace(META, reason=name, model=name, prompts=name, notes=(name,))
    for lang in ("en", "zh"):
        body = plain(paper, facts_of(paper), lang)
        text = document(paper, body, NOTHING, meta, lang)
        assert not parts(text) & {"img", "a", "s", "code_block"}
        html = re.findall(r"<[^>\s]{1,20}>", re.sub(r"`[^`\n]+`", "", "".join(text.split("```")[::2])))
        assert set(html) <= {"<code>", "</code>"}
        tokens = PARSER.parse(text)
        assert [token.tag for token in tokens if token.type == "heading_open"].count("h1") == 1
        assert sum(token.type == "fence" for token in tokens) == 3
        assert sum(token.type == "tr_open" for token in tokens) == 2
        assert all(line.isprintable() for line in text.split("\n"))


@pytest.mark.parametrize(
    ("written", "published"),
    [
        ("# Title\ntext", "## Title\ntext"),
        ("Title\n=====", "Title\n-----"),
        ("> - # Title", "> - ## Title"),
        ("a <b>bold</b> word", "a &lt;b>bold&lt;/b> word"),
        ("a<br>b", "a b"),
        ("![x](http://a.b/c.png)", "\\!\\[x\\](http\\://a.b/c.png)"),
        ("[x](/y) <http://a.b>", "\\[x\\](/y) &lt;http\\://a.b>"),
        ("see www.a.b or a@b.c", "see www\\.a.b or a\\@b.c"),
        ("[[f12|,]] [^1]", "\\[\\[f12|,\\]\\] \\[^1\\]"),
        ("&#49;2 rows &amp; more &copy;", "&amp;#49;2 rows &amp; more &amp;copy;"),
        ("```sql\nSELECT 1\n```", "\nSELECT 1\n"),
        ("- ~~~\n  x", "\n  x"),
        ("`a<b` and ``c`d``", "`a<b` and ``c`d``"),
        ("one ` alone", "one \\` alone"),
        ("- `a|b` <i>", "- `a|b` &lt;i>"),
        ("| `a|b` <i> |\n|---|", "| \\`a|b\\` &lt;i> |\n|---|"),
        ("a\u202eb\u200bc\u00add\x00e\tf", "abcde    f"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("**bold** _it_ - 1.5% | x", "**bold** _it_ - 1.5% | x"),
        ("\\[kept\\] \\<b> \\\\<i>", "\\[kept\\] &lt;b> \\\\&lt;i>"),
    ],
)
def test_what_a_model_writes_is_tidied_and_stays_readable(written: str, published: str) -> None:
    assert tidy(written) == published
    assert tidy(published) == published


PIECES = st.sampled_from(
    ["`", "``", "```", "~~~", "|", "<b>", "<", "\\", "[x](http://y.z)", "![", "&#49;", "\n", "\n\n", "- ", "> ", "1. ", "    ",
     "# ", "a", "7", "\n|---|---|\n", "<!--", "-->", "http://a.b", "]:", "[a]: /x", "\n===", "=", "\t", "<br>", "@", "\u202e"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=25).map("".join))
@settings(max_examples=600, deadline=None)
def test_no_text_of_a_model_gets_html_links_images_code_blocks_or_a_title_through(text: str) -> None:
    once = tidy(text)
    assert tidy(once) == once
    assert once.count("\n") == text.count("\n")
    assert not parts(once) & {"html_block", "html_inline", "image", "link_open", "fence", "h1"}


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_text_at_all_can_be_tidied(text: str) -> None:
    once = tidy(text)
    assert tidy(once) == once
    assert not parts(once) & {"html_block", "html_inline", "image", "link_open", "fence", "h1"}


def test_a_text_without_end_is_bounded_and_costs_no_more_than_its_length() -> None:
    for hostile in (
        "`" * 10**6,
        "`a" * 500_000,
        "\\" * 10**6,
        "a\n" * 500_000,
        "- " * 500_000,
        "[" * 10**6,
        "`` ` " * 250_000,
    ):
        once = tidy(hostile)
        assert len(once) <= 100_000 and tidy(once) == once
