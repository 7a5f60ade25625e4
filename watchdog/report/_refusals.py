"""Which sentences of a small model are not published, and why.

In: one sentence and its language. Out: the reason in words, "" when it may stand. Refused are numbers in any form and
language, claims that only a program can make (direction, comparison, severity, all or none), markup, marks of
verification, another script, talk about itself, and what only repeats the text that the model was given. Too strict is
right: a refused sentence costs a guess, a wrong one costs trust.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

LONGEST = 240  # characters of a sentence
SHORTEST = {"en": 20, "zh": 8}
RUN = {"en": 7, "zh": 12}  # so many words or characters in a row, found in the prompt, are a copy
GRAM = {"en": 3, "zh": 4}  # and so is a sentence half of whose pieces of this size are in it


class Refused(NamedTuple):
    key: str
    reason: str

    def __str__(self) -> str:
        return f"{self.key}: {self.reason}"


_NUMBERS = re.compile(
    r"\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?|hundreds?|thousands?|millions?|billions?|dozens?|half|halves"
    r"|thirds?|quarters?|percent|per cent|percentage|once|twice|thrice|double[sd]?|triple[sd]?|halved|couple|several|many|few"
    r"|null prozent|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\w+zehn|\w+zig|hundert|tausend|prozent"
    r"|hälfte|drittel|viertel|doppelt|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingt"
    r"|trente|quarante|cinquante|soixante|cent|cents|mille|pour cent|moitié|tiers|quart|douzaine)\b",
    re.IGNORECASE,
)
_HAN = "零〇一二两三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟"
_ORDINARY = re.compile(
    "万一|统一|唯一|同一|一[个种些般致旦样起定直切同并时律再套次性下]|第[一三]方|十分|千万别|一对多|不一|三方"
)
_HAN_NUMBER = re.compile(f"[{_HAN}]|百分|成以上|半数|一半|数[十百千万]|几[个条行十百千]|多[个条行张]|若干|倍")
_CLAIMS = {
    "a direction": re.compile(
        r"\b(?:ris(?:e|es|en|ing)|rose|f[ae]ll(?:en|ing)|fell|increas\w*|decreas\w*|gr[eo]w(?:s|n|ing|th)?|declin\w*|worsen\w*"
        r"|improv(?:ed|ing)|drop(?:s|ped)? (?:in|by|from|to)|surg\w+|spik\w+|climb\w*|shrank|shrunk|doubl\w+)\b"
        r"|上升|上涨|升高|增长|增多|增加[了到至]|数量增加|下降|下跌|减少|降低[了到至]|变差|变好|恶化|改善了|翻番",
        re.IGNORECASE,
    ),
    "a comparison": re.compile(
        r"\b(?:more|less|fewer|most|least|greater|larger|smaller|largest|smallest|higher|lower|highest|lowest|bigger|worse|worst"
        r"|better|best|above|below|exceed\w*|than|compared|majority|minority|largely|mostly|mainly|previous\w*|since yesterday"
        r"|last (?:run|time|week|month|year|scan)|all|none|every|only)\b"
        r"|高于|低于|多于|少于|大于|小于|超过|不足|相比|比上|更[多少高低大小]|最[多少高低大小]|大多|多数|少数|全部|所有|仅有|上次|上周|上月|去年|昨天",
        re.IGNORECASE,
    ),
    "a severity": re.compile(
        r"\b(?:high|medium|low|severe|severity|critical|urgent|minor|major|serious)\b|严重|高危|中危|低危|高风险|低风险|紧急|致命",
        re.IGNORECASE,
    ),
    "itself": re.compile(
        r"\b(?:I|I'm|[Ww]e|[Mm]y|[Aa]s an (?:AI|ai)|language model|[Ss]orry|assistant)\b"
        r"|我是|我们|作为(?:一个)?(?:AI|人工智能|语言模型)|抱歉|很遗憾",
    ),
    "verification": re.compile(r"[✓✔☑✅🗸]|\b(?:un)?verified\b|已核实|未核实|已验证|未验证", re.IGNORECASE),
}  # fmt: skip
_HARMLESS = re.compile(
    r"\b(?:most|more|less) likely\b|\b(?:lower|upper)[ -]?case\b|\bat least\b(?= not)|最有可能", re.IGNORECASE
)
_MARKUP = re.compile(r"[\[\]<>{}|`*#~\\@^=$%\n\r\t]|https?:|www\.|!\[|&\w+;|\u2028|\u2029")
_FOREIGN = frozenset("de la le les des du une est und der das den ein eine ist nicht el los las una di il".split())
_WORD = re.compile(r"[^\W\d]+(?:'[^\W\d]+)?")


def objection(sentence: str, lang: str) -> str:
    """What speaks against a sentence, whatever it was asked for."""
    text = unicodedata.normalize("NFKC", sentence).strip()
    if not text:
        return "it is empty"
    if len(text) > LONGEST:
        return f"it is longer than {LONGEST} characters"
    if len(text) < SHORTEST.get(lang, 8):
        return "it is too short to say anything"
    if _MARKUP.search(sentence) or any(unicodedata.category(c) in ("Cc", "Cf", "Co", "Cn", "Cs") for c in sentence):
        return "it holds markup, a link or invisible characters"
    if any(unicodedata.category(c)[0] == "N" for c in text):
        return "it holds a digit"
    number = _NUMBERS.search(text) or _HAN_NUMBER.search(_ORDINARY.sub("", text))
    if number:
        return f"it holds a number in words: {number[0]!r}"
    plain = _HARMLESS.sub("", text)
    for what, pattern in _CLAIMS.items():
        claim = pattern.search(plain)
        if claim:
            return f"it speaks of {what}: {claim[0]!r}"
    return _script(text, lang) or _loops(text, lang)


def copies(sentence: str, sources: Iterable[str], lang: str) -> str:
    """Why the sentence is but a copy of a text that the model was given ("" when it is its own)."""
    own = _pieces(sentence, lang)
    for source in sources:
        theirs = _pieces(source, lang)
        run, gram = RUN.get(lang, 7), GRAM.get(lang, 3)
        if _grams(own, min(run, max(len(own), 1))) & _grams(theirs, min(run, max(len(own), 1))):
            return "it repeats the text that was given"
        grams = _grams(own, gram)
        if len(grams & _grams(theirs, gram)) * 2 > len(grams):
            return "it repeats the text that was given"
    return ""


def alike(sentence: str, other: str, lang: str) -> bool:
    """Whether half of a sentence stands in another one."""
    own, theirs = (_grams(_pieces(text, lang), GRAM.get(lang, 3)) for text in (sentence, other))
    return len(own & theirs) * 2 > len(own)


def _script(text: str, lang: str) -> str:
    letters = [c for c in text if c.isalpha()]
    han = sum(1 for c in letters if "\u3400" <= c <= "\u9fff")
    latin = sum(1 for c in letters if c < "\u0250")
    if han + latin < len(letters):
        return "it is written in another script"
    if lang == "zh":
        return "" if han * 2 >= len(letters) else "it is not in Chinese"
    foreign = [word for word in _pieces(text, lang) if word in _FOREIGN]
    if han or len(foreign) > 1:
        return "it is not in English"
    if any(len(word) > 4 and not set(word) & set("aeiouyàâäéèêëîïôöùûü") for word in _pieces(text, lang)):
        return "it holds what is no word"
    if sum(len(word) == 1 and word != "a" for word in _pieces(text, lang)) > 2:
        return "it holds what is no word"
    return ""


def _loops(text: str, lang: str) -> str:
    """What a model writes that has lost its way: a word twice running, or few words over and over."""
    pieces = _pieces(text, lang)
    pairs = list(pairwise(pieces))
    if lang == "zh":
        looped = any(
            pieces[n : n + size] == pieces[n + size : n + 2 * size] for size in (3, 4, 5) for n in range(len(pieces))
            if n + 2 * size <= len(pieces)
        )  # fmt: skip
    else:
        looped = any(one == other for one, other in pairs)
    again = max((pairs.count(pair) for pair in set(pairs)), default=0)
    return "it goes round in circles" if looped or again > 2 else ""


def _pieces(text: str, lang: str) -> tuple[str, ...]:
    """Words, or characters where words are not set apart."""
    plain = text.casefold()
    return tuple(c for c in plain if c.isalnum()) if lang == "zh" else tuple(_WORD.findall(plain))


def _grams(pieces: tuple[str, ...], size: int) -> set[tuple[str, ...]]:
    return {pieces[n : n + size] for n in range(len(pieces) - size + 1)}
