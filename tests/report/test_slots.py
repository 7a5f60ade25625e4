"""The style for small models: what is asked, what is let through, what the report looks like without any of it."""

from __future__ import annotations

import json
import re

import pytest
from papers import HOSTILE, a_finding, a_flood, a_morning, a_paper

from watchdog.errors import UsageError
from watchdog.places import find_task
from watchdog.report import slots
from watchdog.report.plain import plain
from watchdog.report.prompts import load
from watchdog.verify import facts_of, verify_report

PAPER = a_paper(
    [
        a_finding("orders.email.not_null"),
        a_finding("orders.customer_id.relationships", description="7 values have no row in customers.id"),
        a_finding("products.unit_price.type", "medium"),
        a_finding("customers.name.missing", "low"),
    ]
)
KEY = {f["id"].rpartition(".")[0]: key for key, f in slots.keyed(PAPER).items()}
GOOD = {
    "en": {
        "orders.email": "Perhaps a form lets guests go on without an address, so look at the settings of the checkout.",
        "orders.customer_id": "Possibly a deletion removed people whose customer_id stayed behind, so look at the clean-up job.",
        "products.unit_price": "Probably an import wrote prices as text with a sign, so look at the files of the supplier.",
        "customers.name": "Perhaps an optional field kept blanks where a real name belongs, so look at the sign-up page.",
    },
    "zh": {
        "orders.email": "可能是表单允许访客不填邮箱就结账,应查看结账页面的设置。",
        "orders.customer_id": "也许是删除操作清理了客户资料但订单仍然留着旧的编号,应查看操作日志。",
        "products.unit_price": "或许是导入程序把供应商文件中的价格当作文本写入,应查看导入日志。",
        "customers.name": "可能是选填字段在注册时接受空格作为姓名,应查看页面设置。",
    },
}
PROMPT = load(find_task("data-quality", None)).slots.fill(facts=slots.ask(PAPER))  # type: ignore[union-attr]


def given(lang: str) -> dict[str, str]:
    return {KEY[place]: sentence for place, sentence in GOOD[lang].items()}


def why(sentence: str, lang: str = "en", place: str = "orders.email") -> str:
    refusals = slots.refused({KEY[place]: sentence}, prompt=PROMPT, findings=PAPER, lang=lang)
    assert len(refusals) < 2
    return refusals[0].reason if refusals else ""


def test_keys_are_simple_the_worst_come_first_and_no_call_asks_for_too_many() -> None:
    told = slots.keyed(a_flood(100))
    assert list(told) == [f"a{n}" for n in range(1, slots.MOST + 1)]
    assert {finding["severity"] for finding in told.values()} == {"high"}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_schema_lets_no_digit_and_no_markup_through(lang: str) -> None:
    schema = slots.schema(PAPER, lang)
    assert schema["required"] == list(slots.keyed(PAPER)) and schema["additionalProperties"] is False
    for place, sentence in GOOD[lang].items():
        told = schema["properties"][KEY[place]]
        if sentence:
            sentence = sentence.replace(",", "\uff0c") if lang == "zh" else sentence
            assert re.search(told["pattern"], sentence), sentence
            for wrong in "1٣3`[<*|#\n":
                assert not re.search(told["pattern"], sentence[:-6] + wrong + sentence[-6:])
    json.dumps(schema)
    with pytest.raises(UsageError):
        slots.schema(PAPER, "fr")


def test_what_is_asked_holds_no_number_and_no_room_for_a_hostile_name() -> None:
    text = slots.ask(PAPER)
    assert not re.search(r"\b(12|1,?500|0\.8)\b", text)
    for name in HOSTILE:
        paper = a_paper([a_finding("t.c.not_null", table=name, columns=[name], name=name, note=name)])
        lines = slots.ask(paper).split("\n")
        assert len(lines) == 3 and lines[1].startswith("a1 ") and lines[1].isprintable() and "[[" not in lines[1]


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ('{"a1": "Perhaps  so.", "a9": "x", "a2": 3}', {"a1": "Perhaps so."}),
        ('Sure!\n```json\n{"a1": "Perhaps."}\n```', {"a1": "Perhaps."}),
        ("no JSON", {}),
        ('{"a1": ', {}),
        ("}{", {}),
        ('["a1"]', {}),
        ("", {}),
        ('{"a":' * 5000 + "}" * 5000, {}),
    ],
)
def test_a_reply_is_read_as_far_as_it_can_be(reply: str, read: dict[str, str]) -> None:
    assert slots.read(reply, PAPER) == read


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_good_sentences_pass_and_the_report_with_them_verifies(lang: str) -> None:
    sentences = given(lang)
    assert slots.refused(sentences, prompt=PROMPT, findings=PAPER, lang=lang) == []
    text = slots.assemble(PAPER, facts_of(PAPER), sentences, lang)
    assert all(sentence in text for sentence in sentences.values())
    verdict = verify_report(text, PAPER, lang=lang)
    assert [(claim.text, claim.cited, claim.reason) for claim in verdict.bad] == []


def test_a_report_without_sentences_is_the_plain_one() -> None:
    paper = a_morning()
    facts = facts_of(paper)
    assert slots.assemble(paper, facts, {}) == plain(paper, facts)
    assert slots.assemble(paper, facts, {"a99": "x", "a1": ""}) == plain(paper, facts)


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("An import.", "too short"),
        ("Perhaps an import " + "went wrong and " * 20, "longer"),
        ("Perhaps 12 imports ran with a form that lost its addresses.", "digit"),
        ("Perhaps ٣ imports ran with a form that lost its addresses.", "digit"),
        ("Perhaps \uff13 imports ran with a form that lost its addresses.", "digit"),
        ("Perhaps two imports ran with a form that lost its addresses.", "'two'"),
        ("Perhaps the import ran twice over the same supplier file.", "'twice'"),
        ("Vielleicht liefen drei Importe mit einem alten Formular.", "'drei'"),
        ("Peut-être que trois imports ont utilisé un ancien formulaire.", "'trois'"),
        ("Perhaps 三 imports ran with a form that lost its addresses.", "'三'"),
        ("Perhaps half of the forms come in without an address.", "'half'"),
        ("Perhaps empty addresses rose after the new form went live.", "'rose'"),
        ("Perhaps the share of empty addresses has increased since then.", "'increased'"),
        ("Perhaps mobile forms are worse than the desktop pages here.", "'worse'"),
        ("Perhaps the count is above what the shop can answer.", "'above'"),
        ("Perhaps all addresses come from the same broken form.", "'all'"),
        ("Perhaps a critical fault of the form loses the addresses.", "'critical'"),
        ("Perhaps the products table is filled by the same program.", "'products'"),
        ("Perhaps unit_price is filled by the same broken program.", "'unit_price'"),
        ("Perhaps guest_email is what the checkout fills instead.", "'guest_email'"),
        ("Perhaps crm.contacts is where the address stays instead.", "'crm.contacts'"),
        ("Perhaps see https://x.y for how such an address is lost.", "markup"),
        ("Perhaps [the form](x) lets guests go on without an address.", "markup"),
        ("Perhaps <b>the form</b> lets guests go on without it.", "markup"),
        ("Perhaps the form, see [[f1|,]], lets guests go on.", "markup"),
        ("Perhaps the form `x` lets guests go on without it.", "markup"),
        ("Perhaps the\u200b form lets guests go on without it.", "invisible"),
        ("Perhaps the form \u202elets guests go on without it.", "invisible"),
        ("Perhaps the form lets guests go on ✓ without it.", "verification"),
        ("Perhaps the form is to blame (verified) for the gap.", "verification"),
        ("As an AI language model I cannot know where this is from.", "itself"),
        ("Perhaps a default value ia ia ia ia ia ia, so look at its ia.", "circles"),
        ("Possibly a merge ia a b c d e f g h, so look at the w x y z.", "no word"),
        ("Possibly a merge of wfwfwfwf and others, so look at the log.", "no word"),
        ("Perhaps a form of the form of the form of the page lost it.", "circles"),
        ("Possibly a late delivery de lutte en la lumiere, so look at it.", "not in English"),
        ("Sorry, that is nothing a helper could ever know about.", "itself"),
        ("可能是结账页面允许访客不填邮箱地址造成的。", "not in English"),
        ("Возможно, форма позволяет гостям не указывать адрес.", "another script"),
    ],
)
def test_what_a_program_has_to_say_itself_is_refused(sentence: str, said: str) -> None:
    assert said in why(sentence)


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("可能有三个导入任务使用了旧的表单设置。", "三"),
        ("可能一半的访客没有填写邮箱地址就离开了。", "一"),
        ("可能百分之五的访客没有填写邮箱地址。", "百"),
        ("可能在新表单上线之后空邮箱的数量上升了。", "上升"),
        ("可能访客填写的邮箱少于注册用户填写的。", "少于"),
        ("可能是严重的表单缺陷让邮箱没有保存下来。", "严重"),
        ("可能全部邮箱都来自同一张有缺陷的表单。", "全部"),
        ("可能 guest_email 才是结账页面填写的列。", "guest_email"),
        ("Perhaps the form lets guests go on without it.", "not in Chinese"),
        ("フォームのせいでメールが保存されない。", "another script"),
        ("可能是导入程序导入程序没有检查邮箱造成的。", "circles"),
        ("可能", "too short"),
    ],
)
def test_the_same_holds_in_chinese(sentence: str, said: str) -> None:
    assert said in why(sentence, "zh")


@pytest.mark.parametrize(
    "sentence",
    [
        "可能是统一的导入规则没有检查邮箱,应查看一下导入程序。",
        "万一表单没有校验,邮箱就会留空,应查看第三方表单。",
        "也许一些访客不愿留下联系方式,应查看结账流程的要求。",
    ],
)
def test_chinese_words_that_only_look_like_numbers_pass(sentence: str) -> None:
    assert why(sentence, "zh") == ""


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("orders.email", "Most likely the checkout form does not insist on an address; look at its fields."),
        ("orders.email", "Perhaps an address such as the email is optional in the mobile form."),
        ("orders.customer_id", "Possibly somebody deleted rows of customers before their orders were archived."),
        ("products.unit_price", "Probably the supplier file brings unit_price as text with a currency sign."),
    ],
)
def test_a_sentence_may_name_what_belongs_to_its_finding(place: str, sentence: str) -> None:
    assert why(sentence, place=place) == ""


def test_what_repeats_the_prompt_the_data_or_the_feedback_is_refused() -> None:
    assert "repeats" in why("The owner has read the fault: do not tell it again, tell how it came about.")
    feedback = "Say why the checkout loses the address of a guest instead of naming the column again."
    sentence = "Perhaps the checkout loses the address of a guest instead of naming the column."
    assert slots.refused({"a1": sentence}, prompt=PROMPT, findings=PAPER) == []
    again = slots.refused({"a1": sentence}, prompt=PROMPT, findings=PAPER, feedback=feedback)
    assert [str(refusal) for refusal in again] == ["a1: it repeats the text that was given"]


def test_one_sentence_may_serve_twins_but_not_every_finding() -> None:
    paper = a_flood(40)
    same = "Perhaps the nightly import leaves the field empty when the file has no value, so look at its log."
    nearly = "Possibly the nightly import leaves the field empty when the file has no value, so look there."
    sentences = {
        "a1": same,
        "a2": same,
        "a3": nearly,
        "a4": "Perhaps an old form sends blanks where an answer belongs.",
    }
    refusals = slots.refused(sentences, prompt="", findings=paper)
    assert [refusal.key for refusal in refusals] == ["a3"]
    assert slots.kept(sentences, refusals).keys() == {"a1", "a2", "a4"}


def test_a_key_that_nobody_asked_for_is_refused() -> None:
    refusals = slots.refused({"a7": GOOD["en"]["orders.email"]}, prompt="", findings=PAPER)
    assert refusals == [slots.Refused("a7", "nobody asked for it")]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("task", ["data-quality", "crm-qa"])
def test_a_model_that_copies_its_prompt_line_by_line_gets_nothing_through(task: str, lang: str) -> None:
    prompts = load(find_task(task, None), lang)
    assert prompts.slots is not None
    prompt = prompts.slots.fill(facts=slots.ask(PAPER, lang))
    for line in re.split(r"[\n.。:;]+", prompt):
        if line.strip():
            assert slots.refused({"a1": line.strip()}, prompt=prompt, findings=PAPER, lang=lang), line
