"""Number-like things that claim nothing: markers, labels, names, versions, ordinals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from watchdog.verify._lexemes import Piece


@dataclass(frozen=True, slots=True)
class Mask:
    """`end` is the index of the piece behind it; `goes_on` says that a list may follow: ids 17, 18 and 19."""

    end: int
    reason: str
    goes_on: bool = False


_ALWAYS = {  # a label that makes the number behind it a name, whatever follows
    "reference": "rfc iso din ieee pep cve cwe sha md utf http https owasp ticket jira",
    "label": "step steps section sections page pages chapter chapters figure fig appendix phase stage priority prio tier option "
    "footnote schritt schritte abschnitt seite seiten kapitel abbildung abb phase priorität étape étapes chapitre pages "
    "annexe rang",
    "version": "version versions v release python sqlite postgres postgresql mysql format",
    "code": "port code codes exit",
    "sample id": "id ids rowid rowids pk uuid",
}
_UNCOUNTED = {  # ... unless a noun or unit follows
    "label": "level round part question note rule item line lines point finding findings check table tables run attempt test case issue "
    "week kw sprint bug pr befund tabelle tableau constat niveau stufe punkt zeilennummer number nr n° no nummer numéro group",
    "code": "status error",
    "sample id": "row record key entry zeile ligne datensatz enregistrement",
}
_ALWAYS_REASON = {word: reason for reason, words in _ALWAYS.items() for word in words.split()}
_UNCOUNTED_REASON = {word: reason for reason, words in _UNCOUNTED.items() for word in words.split()}
_ZH_LABELS = (
    ("步骤", "label"), ("阶段", "label"), ("优先级", "label"), ("章节", "label"), ("附录", "label"), ("版本", "version"), ("主键", "sample id"),
    ("编号", "sample id"), ("序号", "sample id"), ("行号", "sample id"), ("端口", "code"), ("退出码", "code"), ("图", "label"),
)  # fmt: skip
_ORDINALS = frozenset("st nd rd th er ère ere ème eme e re".split())


def is_marker(p: Sequence[Piece], i: int) -> Mask | None:
    """A list marker or the number of a heading at the start of a line."""
    piece, after = p[i], p[i + 1]
    if (
        piece.opens
        and len(piece.text) < 4
        and piece.text.isdigit()
        and after.text in (".", ")", "、")
        and not after.apart
    ) and (p[i + 2].apart or p[i + 2].kind == "end" or after.text == "、"):
        return Mask(i + 2, "list marker")
    if (
        piece.opens
        and i
        and p[i - 1].text == "#"
        and "." in piece.text
        and not piece.text.count(",")
        and len(piece.text) < 9
    ) and after.text not in ("%", "‰"):
        return Mask(i + 1, "heading number")
    if i and p[i - 1].text == "(" and p[i - 1].opens and after.text == ")" and len(piece.text) < 3:
        return Mask(i + 1, "list marker")
    if i and p[i - 1].text == "^" and after.text == "]":
        return Mask(i + 1, "footnote")
    if (
        i > 1
        and p[i - 1].text == "["
        and not p[i - 1].opens
        and after.text == "]"
        and len(piece.text) < 3
        and p[i - 2].text != "|"
    ):
        return Mask(i + 1, "footnote")
    return None


def behind_label(p: Sequence[Piece], i: int, counts: Callable[[int], bool]) -> Mask | None:
    """step 3, HTTP 404, id=17, No. 5, #12, 第 3."""
    if not i:
        return None
    at, linked = i - 1, False
    if p[at].text == "#" and not p[i].apart and not p[at].opens:
        return Mask(i + 1, "reference", True)
    if p[at].text == "№":
        return Mask(i + 1, "reference", True)
    while at and p[at].text in ("=", ":", "：", "#", ".", "-", "'", '"', "为", "是", "(") and i - at < 3:
        linked = linked or p[at].text not in ("#", "'", '"')
        at -= 1
    word = p[at]
    if word.text == "第":
        nxt = p[i + 1].text[:1]
        return Mask(i + 1, "sample id" if nxt in ("行", "条", "笔") else "ordinal", True)
    for label, mark in _ZH_LABELS:
        if word.text == label[-1] and "".join(x.text for x in p[max(0, at - len(label) + 1) : at + 1]) == label:
            return Mask(i + 1, mark, True)
    if word.kind != "word" or (p[i].text.count(",") and not p[i].text.replace(",", "").isdigit()):
        return None
    low = word.low
    if low in ("no", "nr") and p[i - 1].text != "." and not word.text[0].isupper():
        return None
    if reason := _ALWAYS_REASON.get(low):
        if "," in p[i].text:
            return None
        if linked and p[i - 1].text in (":", "：", "(") and reason != "sample id":
            return None
        if p[i - 1].text == "." and low not in ("fig", "abb"):
            return None
        return Mask(i + 1, reason, reason in ("sample id", "label"))
    if low.endswith("_id") and (linked or p[at].end >= p[i].start - 1):
        return Mask(i + 1, "sample id", True)
    reason = _UNCOUNTED_REASON.get(low)
    if (
        not reason
        or not p[i].text.isdigit()
        or counts(i + 1)
        or p[i + 1].text in ("/", "→")
        or p[i + 1].low in ("of", "out")
    ):
        return None
    if (
        linked
        and not (p[i - 1].text in ("=", "#") and reason == "sample id")
        and not (p[i - 1].text == "." and low in ("no", "nr"))
    ):
        return None
    return Mask(i + 1, reason, True)


def glued_name(p: Sequence[Piece], i: int, suffix: bool) -> Mask | None:
    """A number that is part of a name: 1st, UTF-8, 12abc, 4-digit, 24x7."""
    piece, after = p[i], p[i + 1]
    if after.kind == "word" and not after.apart:
        if after.low in _ORDINALS and piece.text.isdigit():
            return Mask(i + 2, "ordinal")
        if after.low == "s" and len(piece.text) == 4 and piece.text[:2] in ("19", "20"):
            return Mask(i + 2, "decade")
        if not suffix:
            return Mask(_to_the_end(p, i + 1), "name")
    if (
        after.text in ("×", "*")
        and not after.apart
        and p[i + 2].kind == "num"
        and {piece.text, p[i + 2].text} == {"24", "7"}
    ):
        return Mask(i + 3, "around the clock")
    if after.text == "." and not after.apart and p[i + 2].low in ("x", "y") and not p[i + 2].apart:
        return Mask(i + 3, "version")
    if i > 1 and not piece.apart and not p[i - 1].apart and p[i - 2].kind == "word":
        joint, word = p[i - 1].text, p[i - 2]
        if joint == "-" and word.low not in ("top", "max", "min") and not p[i - 2].text.endswith("倍"):
            return Mask(_to_the_end(p, i), "name")
        if joint == "." and (word.low not in ("approx", "ca", "circa", "c", "min", "max", "nr", "no")):
            return Mask(_to_the_end(p, i), "name")
    if after.text == "-" and not after.apart and not p[i + 2].apart and p[i + 2].low in _COMPOUNDS:
        return Mask(i + 3, "compound word")
    if (
        piece.text == "1"
        and after.text == ":"
        and not after.apart
        and p[i + 2].low in ("n", "m")
        and not p[i + 2].apart
    ):
        return Mask(i + 3, "relation")
    return None


_COMPOUNDS = frozenset(
    "digit digits letter character bit way step level factor tier part stage to sided fold-out stellig stellige stelligen".split()
)


def _to_the_end(p: Sequence[Piece], end: int) -> int:
    """Where a name ends that letters, digits and joints run on in."""
    size = len(p) - 3
    end += 1
    while end < size and not p[end].apart:
        if p[end].kind in ("num", "word"):
            end += 1
        elif p[end].text in "-._:/" and p[end + 1].kind in ("num", "word") and not p[end + 1].apart:
            end += 2
        else:
            break
    return end
