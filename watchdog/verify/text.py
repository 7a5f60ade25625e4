"""Text as a reader sees it, and the way back to what was written.

In: any text. Out: the same text with every digit in ASCII, without what cannot be seen, each character with its place in
the original. Nothing is refused. Work grows linearly.

One space stands for all spaces that hold a number together (no-break, thin, figure space ...): GROUP_SPACE. Marks of
emphasis, html tags and backslashes vanish inside a number (2,6**94**) and stay elsewhere; entities (&nbsp; &#50;) are read.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Language = Literal["en", "zh", "de", "fr"]

GROUP_SPACE = "\u00a0"

_KEPT = frozenset("，；！？：。、…")  # marks of a clause or sentence: read as themselves outside numbers
_SPACES = frozenset("\u00a0\u202f\u2005\u2006\u2007\u2008\u2009\u200a")
_OTHER = {
    "\u2212": "-", "\u2010": "-", "\u2011": "-", "\u02d7": "-", "\u066b": ".", "\u066c": ",", "\u066a": "%",
    "\u2019": "'", "\u02bc": "'", "\u00b4": "'", "\u2018": "'", "\u2215": "/", "\u2044": "/", "\u2236": ":", "\u201a": ",",
    "\t": " ", "\u000b": " ", "\u000c": " ", "\u0085": " ", "\u2028": " ", "\u2029": " ",
    "\u115f": "", "\u1160": "", "\u3164": "", "\uffa0": "", "\u034f": "", "\u2800": " ",
}  # fmt: skip

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_IN_NUMBER = "0-9.,'%\u00a0"
_TAGS = r"</?(?:b|i|u|s|em|strong|span|mark|code|small|big|font|tt|del|ins)(?:\s[^<>\n]{0,80})?>|<!--[^<>\n]{0,80}-->"
_MARKS = re.compile(rf"(?<=[0-9.,'{GROUP_SPACE}-])(?:\*++|~~|`++|\\(?=[.,'%])|{_TAGS})++(?=[{_IN_NUMBER}]|\\)")
_WIDE = re.compile(r"(?<=[0-9])(?:，(?=[0-9]{3}(?![0-9]))|：(?=[0-9]{2}(?![0-9])))")


@dataclass(frozen=True)
class Text:
    """`where[i]` is the place of `plain[i]` in the original; one more entry holds the original's length."""

    plain: str
    where: tuple[int, ...]
    hidden: tuple[int, ...]  # places in `plain` before which an invisible character was taken out of a number


@lru_cache(maxsize=4096)
def _seen(char: str) -> str:
    """How one character reads: "" when it cannot be seen."""
    if char in _KEPT or char == "\ufffc":
        return char
    if char in _SPACES:
        return GROUP_SPACE
    if char in _OTHER:
        return _OTHER[char]
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if category == "Cf" or (category == "Cc" and char != "\n") or 0xFE00 <= ord(char) <= 0xFE0F:
        return ""
    if category in ("Mn", "Me"):
        return char  # `normal` drops it behind a digit
    if category == "No":
        return char  # footnotes, circled numbers and ½ are not digits of a number
    wide = unicodedata.normalize("NFKC", char)
    return "".join(_OTHER.get(c, GROUP_SPACE if c in _SPACES else c) for c in wide) or char


def normal(original: str) -> Text:
    """The text as it reads. A line end stays one; `\\r\\n` is one."""
    plain: list[str] = []
    where: list[int] = []
    gone: list[int] = []  # places in `plain` where something invisible was

    def take(char: str, place: int) -> None:
        if char == "\n" or " " <= char <= "~":
            plain.append(char)
            where.append(place)
            return
        if unicodedata.category(char) in ("Mn", "Me") and plain and plain[-1].isdigit():
            gone.append(len(plain))
            return
        seen = _seen(char)
        if not seen:
            gone.append(len(plain))
        plain.extend(seen)
        where.extend([place] * len(seen))

    entities = {found.start(): found for found in _ENTITY.finditer(original)}
    place, size = 0, len(original)
    while place < size:
        char = original[place]
        if char == "&" and place in entities:
            for read in html.unescape(entities[place].group()):
                take(" " if read in "\r\n" else read, place)
            place = entities[place].end()
            continue
        if char == "\r":
            char = "\n"
            if original[place + 1 : place + 2] == "\n":
                place += 1
        take(char, place)
        place += 1
    return _joined("".join(plain), where, gone, size)


def _joined(plain: str, where: list[int], gone: list[int], size: int) -> Text:
    """Numbers in one piece: wide commas become plain ones and marks inside a number vanish."""
    plain = _WIDE.sub(lambda found: "," if found.group() == "，" else ":", plain)
    hidden = [at for at in dict.fromkeys(gone) if _inside(plain, at)]
    cuts = [found.span() for found in _MARKS.finditer(plain) if not _product(plain, found.span())]
    if not cuts:
        return Text(plain, (*where, size), tuple(hidden))
    kept: list[str] = []
    places: list[int] = []
    moved: list[int] = []
    done, out = 0, 0
    waiting = iter([*hidden, len(plain) + 1])
    next_hidden = next(waiting)
    for start, end in [*cuts, (len(plain), len(plain))]:
        while next_hidden <= start:
            moved.append(out + next_hidden - done)
            next_hidden = next(waiting)
        while next_hidden < end:
            moved.append(out + start - done)
            next_hidden = next(waiting)
        kept.append(plain[done:start])
        places.extend(where[done:start])
        out += start - done
        done = end
    return Text("".join(kept), (*places, size), tuple(dict.fromkeys(moved)))


def _inside(plain: str, at: int) -> bool:
    """Whether a number goes on from the left of a place to its right."""
    left, right = plain[max(0, at - 2) : at], plain[at : at + 2]
    if not left or not right or not (left[-1] in "0123456789.,'-+" and right[0] in "0123456789.,'%"):
        return False
    return (left[-1].isdigit() or left[-1] in "-+" or left[:1].isdigit()) and (
        right[0] in "0123456789%" or right[1:].isdigit()
    )


def _product(plain: str, span: tuple[int, int]) -> bool:
    """A lone star between digits, as in 3*5, is not emphasis: it has no partner near by."""
    start, end = span
    if plain[start:end] != "*":
        return False
    return "*" not in plain[max(0, start - 40) : start] and "*" not in plain[end : end + 40]


_CODE = re.compile(r"`[^`\n]*`|\ufffc+|https?://\S+")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[A-Za-zÀ-ÿ]+")
_COMMON: dict[Language, frozenset[str]] = {
    "en": frozenset(
        "the of and is are was were in to with for that has have had not this from by on at it no an be there which than "
        "rows row values checks tables".split()
    ),
    "de": frozenset(
        "der die das und ist sind war waren in zu mit für dass hat haben nicht dies von bei auf im den dem des ein eine "
        "einer einen es kein keine als wurde wurden zeilen werte prüfungen tabellen oder auch nur über".split()
    ),
    "fr": frozenset(
        "le la les des du de et est sont dans avec pour que qui ont n pas ce cette par sur en un une il elle aucun aucune "
        "plus à a au aux lignes valeurs contrôles ou été était".split()
    ),
}


def language(report: str) -> Language:
    """The language most of the words are in; "en" when nothing tells. Names in code spans do not vote."""
    text = _CODE.sub(" ", report[:100_000])
    words = _WORD.findall(text.lower())
    if len(_HAN.findall(text)) * 2 > len(words):
        return "zh"
    votes = dict.fromkeys(_COMMON, 0)
    for word in words:
        for tongue, common in _COMMON.items():
            votes[tongue] += word in common
    best = max(votes.values())
    return next(tongue for tongue, count in votes.items() if count == best)
