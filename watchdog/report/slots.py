"""The style for small models: the program writes the report, the model one sentence of guess for each of the worst findings.

    ask        the findings as the prompt shows them, under the keys a1, a2, ...
    schema     what the reply has to look like; a server that enforces it lets no digit through
    read       the sentences of a reply by key; what is not a sentence for a key that was asked is left away
    refused    which of them may not be published, and why (the rules: `_refusals`)
    assemble   the report; a finding without a sentence stands without one

A sentence says what may have caused a finding and where to look. Numbers, names, directions and comparisons are the
program's: a small model gets them wrong, and a sentence without any cannot be wrong about them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from watchdog.report import _told
from watchdog.report._fence import fence
from watchdog.report._refusals import Refused, alike, copies, objection
from watchdog.report._skeleton import skeleton
from watchdog.report._words import fault, words
from watchdog.report.sheet import NAME, quoted
from watchdog.verify import Facts

MOST = 8  # findings of one call; more make a small model repeat itself
SAME = 2  # findings that may share one sentence, or half of it: twins, such as one fault in two columns
NEW, NEW_ZH = 3, 6  # words, characters, that a sentence has to add to its finding
_EMPTY = frozenset(
    "perhaps possibly probably likely table column value field rows that which this from with have been".split()
)
# Which steps of the work may have let a fault happen. The schema makes a sentence begin with one of them and end with a place
# to look at: left to itself a small model tells the fault again, or says of each that a rule was missing.
_STEPS = {
    "empty": ("a form|an import|a default value|an optional field", "表单|导入程序|默认值|选填字段"),
    "orphan": ("a deletion|a merge|a late delivery|a partial import", "删除操作|合并操作|延迟到达的数据|不完整的导入"),
    "twin": ("a repeated import|a merge|a retry|a manual entry", "重复导入|合并操作|重试操作|手工录入"),
    "form": ("a conversion|an import|a manual edit|an old version", "格式转换|导入程序|手工修改|旧版本的程序"),
    "time": ("a time zone|a clock|a manual entry|a delayed job", "时区设置|系统时钟|手工录入|延迟的任务"),
    "value": ("a manual edit|another program|an old version|an import", "手工修改|其他程序|旧版本的程序|导入程序"),
}
_STEPS_OF = {
    "not_null": "empty", "missing": "empty", "primary_key": "empty", "relationships": "orphan", "unique": "twin",
    "unique_combination_of_columns": "twin", "type": "form", "valid": "form", "matches": "form", "encoding": "form",
    "not_future": "time", "freshness": "time",
}  # fmt: skip


def keyed(findings: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The findings that a model is asked about, the worst first, by simple keys."""
    return {f"a{n}": finding for n, finding in enumerate(_told.findings_of(findings)[:MOST], start=1)}


def ask(findings: Mapping[str, Any], lang: str = "en") -> str:
    """The value of `{{facts}}` in the prompt `slots`: no numbers, a model need not see what it may not say."""
    return fence("\n".join(f"{key} {_fault(finding, lang)}" for key, finding in keyed(findings).items()))


def schema(findings: Mapping[str, Any], lang: str = "en") -> dict[str, Any]:
    words(lang)  # refuses a language that we do not know
    told = keyed(findings)
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(told),
        "properties": {key: {"type": "string", "pattern": _pattern(finding, lang)} for key, finding in told.items()},
    }


def read(reply: str, findings: Mapping[str, Any]) -> dict[str, str]:
    """Nothing at all from a reply that is not JSON. Fences and words around the object are tolerated."""
    start, end = reply.find("{"), reply.rfind("}")
    try:
        told = json.loads(reply[start : end + 1]) if 0 <= start < end else {}
    except (ValueError, RecursionError):
        told = {}
    return {key: " ".join(told[key].split()) for key in keyed(findings) if isinstance(told.get(key), str)}


def refused(
    sentences: Mapping[str, str],
    *,
    prompt: str,
    findings: Mapping[str, Any] | None = None,
    lang: str = "en",
    feedback: str = "",
) -> list[Refused]:
    """What may not be published, in the order of the keys. `prompt` and `feedback` are the texts that the model saw.

    Without `findings` the names in a sentence are not looked at.
    """
    told = keyed(findings) if findings is not None else {}
    names = _names(findings) if findings is not None else frozenset()
    seen: list[str] = []
    found = []
    for key, sentence in sentences.items():
        why = objection(sentence, lang)
        why = why or copies(sentence, (prompt, feedback), lang)
        if findings is not None:
            why = why or _strange(sentence, told.get(key), names) or _nothing_new(sentence, told[key], lang)
        if not why and sum(alike(sentence, other, lang) for other in seen) >= SAME:
            why = "it says what was said of other findings already"
        if why:
            found.append(Refused(key, why))
        else:
            seen.append(sentence)
    return found


def kept(sentences: Mapping[str, str], refusals: Sequence[Refused]) -> dict[str, str]:
    gone = {refusal.key for refusal in refusals}
    return {key: sentence for key, sentence in sentences.items() if key not in gone}


def assemble(findings: Mapping[str, Any], facts: Facts, sentences: Mapping[str, str], lang: str = "en") -> str:
    """`sentences` by key, without the refused ones."""
    told = keyed(findings)
    guesses = {_told.text(told[key].get("id")): said for key, said in sentences.items() if key in told and said}
    return skeleton(findings, facts, lang, guesses)


def _pattern(finding: Mapping[str, Any], lang: str) -> str:
    """A guess in one sentence: no digits, no quotation marks, no markup; `_` as in a column's name."""
    english, chinese = _STEPS[_STEPS_OF.get(_told.text(finding.get("check")), "value")]
    if lang == "zh":
        return f"^(可能|也许|或许)是({chinese})[一-龥A-Za-z_、]{{5,40}}，应查看[一-龥A-Za-z_、]{{2,20}}。$"
    said, where = "[a-z]{1,14}( [A-Za-z_-]{1,18}){3,13}", "(its|the)( [a-z-]{1,16}){1,6}"
    return rf"^(Perhaps|Possibly|Probably) ({english}) {said}, so look at {where}\.$"


def _fault(finding: Mapping[str, Any], lang: str) -> str:
    place, check = _told.place(finding), _told.text(finding.get("check"))
    name, note = _told.text(finding.get("name")), _told.text(finding.get("note"))
    told = [f"{quoted(place, NAME)}: {fault(check, lang)}"]
    if name and name != check:
        told.append(quoted(name, NAME))
    if note:
        told.append(quoted(note))
    return "; ".join(told)


def _names(findings: Mapping[str, Any]) -> frozenset[str]:
    """Every table, and every column whose name is no plain word, of the document."""
    found: set[str] = set(_told.mapping(_told.mapping(findings.get("summary")).get("rows")))
    for told in (*_told.items(findings.get("findings")), *_told.items(findings.get("results"))):
        found.add(_told.text(told.get("table")))
        found.update(c for c in told.get("columns") or () if isinstance(c, str) and not c.isalpha())
    found |= {name.replace("_", " ") for name in found if "_" in name}
    return frozenset(name for name in found if len(name) > 2)


def _strange(sentence: str, finding: Mapping[str, Any] | None, names: frozenset[str]) -> str:
    """Why a name in the sentence is not of this finding ("" when all are)."""
    if finding is None:
        return "nobody asked for it"
    own = " ".join(
        [_told.text(finding.get(key)) for key in ("id", "table", "name", "description", "note", "evidence")]
        + [_told.place(finding)]
    ).casefold()
    own += own.replace("_", " ")
    for word in _identifiers(sentence):
        if word.casefold() not in own:
            return f"it names {word!r}, which is not in this finding"
    for name in sorted(names):
        if name.casefold() not in own and _holds(sentence.casefold(), name.casefold()):
            return f"it names {name!r}, which is not in this finding"
    return ""


def _nothing_new(sentence: str, finding: Mapping[str, Any], lang: str) -> str:
    """Why the sentence says no more than the finding itself ("" when it does)."""
    own = " ".join([_fault(finding, lang), _told.text(finding.get("description")), _told.place(finding)]).casefold()
    if lang == "zh":
        new = (
            {c for c in sentence if "\u3400" <= c <= "\u9fff"}
            - set(own)
            - set("可能也许或是因为的了在中有与和该这表列行值其")
        )
        return "" if len(new) >= NEW_ZH else "it only tells the finding again"
    new = {w for w in re.findall("[a-z]{4,}", sentence.casefold()) if w.rstrip("s") not in own} - _EMPTY
    return "" if len(new) >= NEW else "it only tells the finding again"


def _identifiers(sentence: str) -> list[str]:
    """Words that only a database has: with `_` in them, or a dot between two words."""
    stripped = (word.strip(",;()“”'.。，；（）") for word in re.split("[\\s,，、]+", sentence))
    return [w for w in ("".join(c for c in word if c.isascii()) for word in stripped) if "_" in w or "." in w]


def _holds(sentence: str, name: str) -> bool:
    """Whether a name stands in a sentence as a word of its own."""
    at = sentence.find(name)
    while at >= 0:
        around = sentence[at - 1 : at] + sentence[at + len(name) : at + len(name) + 1]
        if not any(c.isascii() and (c.isalnum() or c == "_") for c in around):
            return True
        at = sentence.find(name, at + 1)
    return False


__all__ = ["MOST", "Refused", "ask", "assemble", "kept", "keyed", "read", "refused", "schema"]
