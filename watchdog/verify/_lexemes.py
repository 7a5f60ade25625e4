"""Text in small pieces: numbers, words, Chinese numerals and signs, in order. Marks of emphasis and blanks are no pieces."""

from __future__ import annotations

import re
from dataclasses import dataclass

ZH_DIGITS = "零〇一二三四五六七八九两俩仨壹贰叁肆伍陆柒捌玖兩"
ZH_SCALES = "十百千万亿拾佰仟萬億廿卅"
ZH = ZH_DIGITS + ZH_SCALES
LETTERS = "A-Za-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u0400-\u052f"
_KINDS = rf"""
(?P<num>\d+(?:[.,'\u00a0_]\d+)*)
|(?P<word>[{LETTERS}](?:[{LETTERS}0-9\u0300-\u036f]|_(?=[{LETTERS}0-9]))*)
|(?P<zh>[{ZH}]+(?:点[{ZH_DIGITS}]+)?)
|(?P<name>\ufffc+)
|(?P<gap>[ \u00a0*`_]+|~~|\n(?![ \t]*\n))
|(?P<end>\n)
|(?P<sign>.)
"""
_PIECE = re.compile(_KINDS, re.VERBOSE | re.ASCII | re.DOTALL)
# where groups may be parted by a plain space, as in French: 1 234,5
_SPACED = re.compile(_KINDS.replace(r"(?P<num>", r"(?P<num>\d{1,3}(?:\x20\d{3})++(?!\d)(?:[,.]\d+)?|", 1),
                     re.VERBOSE | re.ASCII | re.DOTALL)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Piece:
    kind: str  # num, word, zh, name, sign, or end (of a paragraph)
    text: str
    low: str
    start: int
    end: int
    apart: bool  # a blank stands before it
    opens: bool  # it is the first of its line


def pieces(plain: str, *, spaced: bool = False) -> list[Piece]:
    """All pieces, closed by three of kind "end" so that a look ahead needs no bounds."""
    found: list[Piece] = []
    apart, opens = True, True
    for match in (_SPACED if spaced else _PIECE).finditer(plain):
        kind, text = match.lastgroup or "sign", match.group()
        if kind == "gap":
            apart = apart or " " in text or "\u00a0" in text or "\n" in text
            opens = opens or "\n" in text
            continue
        found.append(Piece(kind, text, text.lower(), match.start(), match.end(), apart, opens))
        apart = opens = kind == "end"
    stop = len(plain)
    return found + [Piece("end", "", "", stop, stop, True, True)] * 3
