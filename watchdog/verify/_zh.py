"""Chinese numerals: their value, and where a character that looks like one is part of a word."""

from __future__ import annotations

from fractions import Fraction

_DIGIT = {
    c: n
    for n, cs in enumerate(("零〇", "一壹", "二贰两兩俩", "三叁仨", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖"))
    for c in cs
}
_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_BIG = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_LONGEST = 40


def zh_value(run: str) -> Fraction | None:
    """两千六百四十九, 两千五 (2500), 一万二 (12000), 二〇二六, 五点八; None when it is no numeral (万一, 百百)."""
    if len(run) > _LONGEST:
        return None
    whole, point, decimals = run.partition("点")
    value = _whole(whole)
    if value is None or (point and not (decimals and all(c in _DIGIT for c in decimals))):
        return None
    return value + (Fraction(int("".join(str(_DIGIT[c]) for c in decimals)), 10 ** len(decimals)) if point else 0)


def _whole(run: str) -> Fraction | None:
    if not run:
        return None
    if all(c in _DIGIT for c in run):
        if len(run) == 2 and "零" not in run and "〇" not in run:
            return None  # 三五个: a few
        return Fraction(int("".join(str(_DIGIT[c]) for c in run)))
    run = run.replace("廿", "二十").replace("卅", "三十")
    total = section = 0  # section: what will be multiplied by 万 or 亿
    digit: int | None = None
    last = 0  # the scale before, for the short form 两千五
    for place, char in enumerate(run):
        if char in _DIGIT:
            if digit not in (None, 0):
                return None
            digit = _DIGIT[char]
            if digit == 0:
                last = 0
        elif char in _SMALL:
            scale = _SMALL[char]
            if digit is None and not (scale == 10 and (place == 0 or last != 10)):
                return None
            if last and last <= scale and section:
                return None
            section += (1 if digit is None else digit) * scale
            digit, last = None, scale
        else:
            scale = _BIG[char]
            section += digit or 0
            if section == 0 and (not total or scale <= last):
                return None
            if scale == 10**8:
                total, section = (total + section) * scale, 0
            else:
                total, section = total + section * scale, 0
            digit, last = None, scale
    if digit is not None:
        section += digit * last // 10 if last >= 100 else digit
    return Fraction(total + section)


# a numeral at the edge of a run that belongs to a word: (before it, behind it)
_BEFORE = frozenset("统唯同任单每某逐进另这那其上下前后不专归划合均某期周头")
_BEHIND = frozenset("旦些直致样般定起边共切律并同下体向贯度再味经会时目齐概键流旁方遍路面系对")
_PAIR_BEHIND = frozenset("者边侧端方旁头")


def edges(plain: str, start: int, end: int) -> tuple[int, int]:
    """The run of numerals without what belongs to a word beside it: 统一, 一旦, 十分, 之一, 万一."""
    before = plain[start - 1] if start else ""
    behind = plain[end : end + 1]
    if (
        plain[start] == "一"
        and (before in _BEFORE or (before == "之" and plain[start - 2 : start - 1] != "分"))
        and before
    ) or before == "期" or (before == "周" and end - start == 1):
        start += 1
    if start >= end:
        return end, end
    last = plain[end - 1]
    if (last == "一" and behind in _BEHIND and behind) or (last == "两" and behind in _PAIR_BEHIND and behind) or (last in "三二" and behind in "者方" and behind) or (last in "十百千" and behind == "分" and plain[end + 1 : end + 2] not in ("之", "钟")) or (last == "十" and behind == "足"):
        end -= 1
    if plain[start:end] in ("万一", "千万", "万千", "万万", "一一"):
        return end, end
    return start, end
