"""Walks over the pieces of a text once and tells its numbers. See `numbers`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from watchdog.verify import _units as units
from watchdog.verify._digits import Separators, read
from watchdog.verify._lexemes import Piece, pieces
from watchdog.verify._masks import Mask, behind_label, glued_name, is_marker
from watchdog.verify._moments import Moment, chinese, moment, named
from watchdog.verify._zh import edges, zh_value
from watchdog.verify.words import Spoken, counted, one_in, spoken

_YEAR_AFTER = frozenset(
    "in since until before after during year fy early late mid end im seit en depuis année jahr jahre vor nach".split()
)
_VULGAR = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5),
           "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8)}  # fmt: skip
_ZH_HALF = re.compile(r"半数|半(?=的|[，。、；）)]|$)")
_ZH_HALF_UNIT = re.compile(r"半个?(?P<unit>小时|分钟|天|年|月|星期)")
_ZH_FOLD = re.compile(r"翻(?:了)?(?:(?P<times>[一二两三1-3])番|番|(?:一|1)?倍)|减半|加倍")
_ZH_EVERY = re.compile(
    r"每[ \u00a0]?(?P<den>[一二三四五六七八九十百千两]{1,5}|[0-9]{1,4})[ \u00a0]?[行条个张项列次组处笔位份]?[^，。；\n0-9]{0,8}?有[ \u00a0]?"
    r"(?P<num>[一二三四五六七八九十两]{1,3}|[0-9]{1,3})(?=[ \u00a0]?[行条个张项列次组处笔位份])"
)
_ZH_MORE_BY = re.compile(r"(?:增加|增长|提高|上升|扩大|上涨|增多|增|多|高)[了出]?[ \u00a0*]*$")
_ZH_SHARE_AFTER = re.compile(r"成(?![功为立员本交长果效分份对])(?P<more>[一二三四五六七八九半])?")
_ZH_ONE_ARTICLE = frozenset("个种类次项份些点名家下")
_ZH_ONE_BEFORE = ("有", "仅", "只", "共", "仅有", "只有", "共有", "中", "另")
_JOINS = re.compile(
    r"^[ \u00a0*%]*(?P<join>-|–|—|~|→|->|=>|to|bis|à|至|到|and|und|et|和|与)[ \u00a0*]*(?:大约|约|about|around|etwa|environ)?[ \u00a0*]*$"
)
_AND = frozenset("and und et 和 与".split())
_BETWEEN = re.compile(r"(?:between|zwischen|entre|介于|在|从)[ \u00a0*]*(?:about|约)?[ \u00a0*]*$", re.IGNORECASE)
_ADDS_UP = frozenset("add adds added sum sums went going goes came comes is are moved now".split())
_EXPONENT = re.compile(r"[eE](?P<sign>[+-]?)(?P<power>[0-9]{1,2})(?![0-9A-Za-z])")
_FOLD_BEFORE = frozenset("x×")


@dataclass(frozen=True)
class Number:
    """A number that claims something. `text` is the span: sign, digits or words, and unit.

    A percentage is 5.8, not 0.058; fractions, tenths and "one in five" are percentages too, with `num` and `den`.
    """

    start: int
    end: int
    text: str
    value: Fraction
    step: Fraction  # place value of the last digit shown, times its scale: 1 for 2,649, 1/10 for 5.8%, 1000 for 3k
    unit: str  # "", percent, permille, points, fold, bytes, or a time: seconds ... years
    qualifier: str  # "", about, nearly, over, under, at_least, at_most
    form: str  # digits, words, zh, fraction, one_in, tenths, word_fold, none
    malformed: str = ""  # the expected writing where it breaks the report's convention
    num: int | None = None
    den: int | None = None


@dataclass(frozen=True)
class Masked:
    """Something that looks like a number and claims nothing."""

    start: int
    end: int
    text: str
    reason: str


class Reader:
    """One pass over one text. `done` is where the last token ends: nothing is read twice."""

    def __init__(self, plain: str, lang: str, separators: Separators) -> None:
        self.plain, self.lang, self.separators = plain, lang, separators
        self.p: list[Piece] = pieces(plain, spaced=" " in separators.group)
        self.found: list[Number | Moment | Masked] = []
        self.done = 0
        self.mantissa = Fraction(0)  # of the last number, before its scale
        self.scale: int = 1
        self.label: Mask | None = None

    def read(self) -> list[Number | Moment | Masked]:
        at: dict[str, Callable[[int], int]] = {
            "num": self._digits,
            "word": self._word,
            "zh": self._zh,
            "sign": self._sign,
        }
        i, size = 0, len(self.p) - 3
        while i < size:
            piece = self.p[i]
            if piece.start < self.done:
                i += 1
                continue
            read = at.get(piece.kind)
            i = read(i) if read else i + 1
        return self.found

    # ------------------------------------------------------------ digits

    def _digits(self, i: int) -> int:
        piece = self.p[i]
        then = moment(self.plain, piece.start, self.lang) if not self._joined(i) else None
        if then and not (then.kind in ("monthday", "year", "month") and self._counts(self._piece_at(then.end, i))):
            return self._keep(then, i)
        mask = (
            is_marker(self.p, i)
            or self._range_of_label(i)
            or behind_label(self.p, i, self._counts)
            or glued_name(self.p, i, self._suffix(i))
        )
        if mask:
            self.label = mask if mask.goes_on else None
            return self._masked(i, mask.end, mask.reason)
        if self._year(i):
            return self._keep(Moment(piece.start, piece.end, piece.text, "year", piece.text), i)
        if fraction := self._slash(i):
            return fraction
        follows = self.p[i + 1]
        if follows.text == "分" and self.p[i + 2].text == "之":
            return self._zh_share(i, Fraction(int(piece.text[:9])) if piece.text.isdigit() else None)
        told = read(piece.text, self.separators, self.lang, counted=self._things(i + 1), percent=follows.text == "%")
        if told.value is None:
            return self._masked(i, i + 1, "version")
        if piece.text.isdigit() and len(piece.text) < 5 and (part := one_in(self.p, i + 1, int(piece.text), self.lang)):
            return self._spoken(i, part)
        value, step = told.value, Fraction(1, 10**told.decimals)
        if (
            self.p[i - 1].text == "."
            and i
            and not piece.apart
            and self.p[i - 1].apart
            and piece.text.isdigit()
            and len(piece.text) <= 40
        ):
            value, step = value / 10 ** len(piece.text), Fraction(1, 10 ** len(piece.text))
            return self._number(i, i + 1, value, step, "digits", told.malformed, start=self.p[i - 1].start)
        return self._number(i, i + 1, value, step, "digits", told.malformed)

    def _joined(self, i: int) -> bool:
        """Whether a piece only goes on what stands before it: the 5 of a-5, the 2 of v1.2."""
        if i == 0 or self.p[i].apart or self.p[i - 1].apart:
            return False
        return self.p[i - 1].text in ("-", ".", "_", "/", ":") and i > 1 and self.p[i - 2].kind in ("word", "num")

    def _range_of_label(self, i: int) -> Mask | None:
        """The 18 of "ids 17, 18"."""
        if self.label is None or not self.p[i].text.isdigit():
            return None
        between = self.plain[self.p[self.label.end - 1].end : self.p[i].start] if i - self.label.end < 4 else "?"
        if between.strip() in {
            ",",
            "and",
            "und",
            "et",
            "&",
            "-",
            "–",
            "、",
            "和",
            "to",
            ", and",
            "or",
            "bis",
            "à",
            "至",
            "/",
            "#",
            ", #",
            "and #",
        }:
            return Mask(i + 1, self.label.reason, True) if not self._things(i + 1) else None
        return None

    def _year(self, i: int) -> bool:
        text = self.p[i].text
        if len(text) != 4 or not text.isdigit() or not "1900" <= text <= "2099" or i == 0 or self._counts(i + 1):
            return False
        return (
            self.p[i - 1].low in _YEAR_AFTER
            and self.p[i + 1].text not in ("%", "-", "–", "/", "→")
            and self.p[i + 1].low not in ("of", "to")
        )

    def _slash(self, i: int) -> int:
        """1/3 of ..., 24/7, 7x24; everything else with a slash is two numbers."""
        piece, slash, other = self.p[i], self.p[i + 1], self.p[i + 2]
        if (
            slash.text != "/"
            or slash.apart
            or other.kind != "num"
            or other.apart
            or not (piece.text + other.text).isdigit()
        ):
            return 0
        if (piece.text, other.text) in {("24", "7"), ("7", "24"), ("24", "365")}:
            return self._masked(i, i + 3, "around the clock")
        far = self.p[i + 3]
        if len(piece.text) < 3 and len(other.text) < 3 and 0 < int(piece.text) < int(other.text) and far.low in {
            "of", "der", "des", "de", "的", "von"}:  # fmt: skip
            num, den = int(piece.text), int(other.text)
            return self._spoken(
                i, Spoken(i + 3, Fraction(100 * num, den), "fraction", num=num, den=den, unit="percent")
            )
        return 0

    def _suffix(self, i: int) -> bool:
        """Whether the word that touches a number is a unit, a scale or a thing that is counted."""
        piece = self.p[i + 1]
        return piece.kind == "word" and not piece.apart and (
            piece.low in units.UNITS or piece.low in units.SCALES or units.countable(piece.low) or piece.low == "x"
            or bool(_EXPONENT.match(self.plain, piece.start)))  # fmt: skip

    def _things(self, i: int) -> bool:
        """Whether things are counted here that are never cut: rows, 行."""
        if self.p[i].low in units.UNITS:
            return False
        return counted(self.p, i, self.lang) or bool(units.MEASURE.match(self.plain, self.p[i - 1].end))

    def _counts(self, i: int) -> bool:
        """Whether a unit or a countable noun stands here."""
        low = self.p[i].low
        return low == "%" or (low in units.UNITS and len(low) > 1) or counted(self.p, i, self.lang) or bool(
            i and units.MEASURE.match(self.plain, self.p[i - 1].end))  # fmt: skip

    def _piece_at(self, end: int, i: int) -> int:
        while i < len(self.p) - 1 and self.p[i].start < end:
            i += 1
        return i

    # ------------------------------------------------------------ words, Chinese, signs

    def _word(self, i: int) -> int:
        piece = self.p[i]
        then = named(self.plain, piece.start) if piece.text[0].isupper() else None
        if then and not self._counts(self._piece_at(then.end, i)):
            return self._keep(then, i)
        if any(c.isdigit() for c in piece.text):
            if piece.low[0] == "x" and piece.text[1:].isdigit() and len(piece.text) < 6:
                return self._add(
                    piece.start, piece.end, i + 1, Fraction(int(piece.text[1:])), Fraction(1), "fold", "digits"
                )
            end = i + 1
            while (
                end < len(self.p) - 3
                and not self.p[end].apart
                and (
                    self.p[end].kind in ("num", "word")
                    or (self.p[end].text in ".-:/"
                    and not self.p[end + 1].apart
                    and self.p[end + 1].kind in ("num", "word"))
                )
            ):
                end += 1
            return self._masked(i, end, "name")
        told = spoken(self.p, i, self.lang)
        if told is None or not self._wanted(i, told):
            return i + 1
        return self._spoken(i, told)

    def _wanted(self, i: int, told: Spoken) -> bool:
        if told.sure or self._counts(told.end) or self._measure_word(told.end):
            return True
        follows = self.p[told.end]
        if follows.low in {"of", "von", "sur", "out", "der", "des"} and told.value != 1:
            return True
        if follows.low in {"of", "von", "sur"}:
            return self.p[told.end + 1].kind == "num" or spoken(self.p, told.end + 1, self.lang) is not None
        before = self.p[i - 1].low if i else ""
        if before in {"of", "von", "sur"} and self.found and isinstance(self.found[-1], Number):
            between = self.plain[self.found[-1].end : self.p[i - 1].start][:40]
            return len(between) < 40 and not any(mark in between for mark in ".,;:\n|(")
        if follows.low in {"to", "and", "or", "bis", "und", "à", "ou"}:
            far = spoken(self.p, told.end + 1, self.lang)
            return far is not None and far.form == "words" and (far.sure or self._counts(far.end))
        return False

    def _measure_word(self, i: int) -> bool:
        return i > 0 and bool(units.MEASURE.match(self.plain, self.p[i - 1].end))

    def _spoken(self, i: int, told: Spoken) -> int:
        piece = self.p[i]
        if told.form == "words":
            return self._number(i, told.end, told.value, told.step, "words")
        end = self.p[told.end - 1].end
        return self._add(piece.start, end, told.end, told.value, told.step, told.unit, told.form, num=told.num, den=told.den,
                         qualifier=self._qualifier(i, articles=True))  # fmt: skip

    def _zh(self, i: int) -> int:
        piece = self.p[i]
        if then := chinese(self.plain, piece.start):
            return self._keep(then, i)
        if none := units.ZH_NONE.match(self.plain, piece.start):
            return self._none(i, none.end())
        before = self.plain[piece.start - 1 : piece.start]
        if before == "第":
            return self._ordinal(i)
        start, end = edges(self.plain, piece.start, piece.end)
        if self.p[i + 1].text == "分" and self.p[i + 2].text == "之":
            run = self.plain[start:end]
            return self._zh_share(
                i, Fraction(units.ZH_SCALE[run]) if run in ("百", "千", "万", "萬") else zh_value(run)
            )
        if self.p[i + 1].text == "、" and piece.opens and len(piece.text) < 4:
            return self._masked(i, i + 1, "list marker")
        if self.plain.startswith("一半", start) and start < end:
            return self._add(start, start + 2, i + 2, Fraction(50), Fraction(1), "percent", "fraction", num=1, den=2,
                             qualifier=self._zh_qualifier(start))  # fmt: skip
        if start >= end:
            return i + 1
        value = zh_value(self.plain[start:end])
        if value is None or not self._zh_counts(start, end, value):
            return i + 1
        if share := _ZH_SHARE_AFTER.match(self.plain, end):
            more = share["more"]
            tenths = value + (Fraction(1, 2) if more == "半" else (zh_value(more or "") or Fraction(0)) / 10)
            if value <= 10:
                return self._add(start, share.end(), i + 1, tenths * 10, Fraction(1 if more else 10), "percent", "tenths",
                                 qualifier=self._zh_qualifier(start))  # fmt: skip
        decimals = len(self.plain[start:end].partition("点")[2].rstrip("万亿千百十"))
        return self._number(i, i + 1, value, Fraction(1, 10**decimals), "zh", start=start, end=end)

    def _zh_counts(self, start: int, end: int, value: Fraction) -> bool:
        run, behind = self.plain[start:end], self.plain[end : end + 1]
        before = self.plain[max(0, start - 2) : start].rstrip()
        if any(self.plain.startswith(unit, end) for unit, _, _ in units.ZH_UNITS):
            return not (behind == "成" and not _ZH_SHARE_AFTER.match(self.plain, end))
        if run == "一" and behind in _ZH_ONE_ARTICLE:
            return before.endswith(("仅", "只", "仅有", "只有", "共", "共有", "中"))
        if run == "一":
            return bool(units.MEASURE.match(self.plain, end)) and (before.endswith(_ZH_ONE_BEFORE) or bool(
                units.ZH_NOUN.match(self.plain, end + 1)))  # fmt: skip
        if units.MEASURE.match(self.plain, end) or units.ZH_NOUN.match(self.plain, end) or behind in tuple("%多余"):
            return True
        return len(run) > 2 and value >= 13

    def _zh_share(self, i: int, den: Fraction | None) -> int:
        """百分之五点八, 千分之三, 三分之一; `i` is what stands before 分之."""
        top = self.p[i + 3]
        if not den:
            return i + 1
        decimals = 0
        end = top.end
        if top.kind == "num":
            told = read(top.text, self.separators, self.lang, percent=True)
            num, decimals = told.value, told.decimals
        elif top.kind == "zh":
            while end > top.start and zh_value(self.plain[top.start : end]) is None:
                end -= 1
                if top.end - end > 2:
                    return i + 1
            num = zh_value(self.plain[top.start : end]) if end > top.start else None
            decimals = len(self.plain[top.start : end].partition("点")[2])
        else:
            return i + 1
        if num is None:
            return i + 1
        start, qualifier = self.p[i].start, self._zh_qualifier(self.p[i].start)
        step = Fraction(1, 10**decimals)
        if den == 100:
            return self._add(start, end, i + 4, num, step, "percent", "zh", qualifier=qualifier)
        if den == 1000:
            return self._add(start, end, i + 4, num, step, "permille", "zh", qualifier=qualifier)
        if den == 10**4:
            return self._add(start, end, i + 4, num / 100, step / 100, "percent", "zh", qualifier=qualifier)
        whole = num.denominator == 1
        return self._add(start, end, i + 4, 100 * num / den, Fraction(1), "percent", "fraction", qualifier=qualifier,
                         num=int(num) if whole else None, den=int(den))  # fmt: skip

    def _ordinal(self, i: int) -> int:
        """第三, 第 17 行."""
        row = self.plain[self.p[i].end : self.p[i].end + 2].strip()[:1] in ("行", "条", "笔")
        return self._masked(i, i + 1, "sample id" if row else "ordinal")

    def _sign(self, i: int) -> int:
        piece = self.p[i]
        text = piece.text
        if text in _VULGAR:
            num, den = _VULGAR[text]
            return self._add(piece.start, piece.end, i + 1, Fraction(100 * num, den), Fraction(1), "percent", "fraction", num=num,
                             den=den, qualifier=self._qualifier(i))  # fmt: skip
        if text in "没无未不并均尚" and (none := units.ZH_NONE.match(self.plain, piece.start)):
            return self._none(i, none.end())
        if text in "翻减加" and (fold := _ZH_FOLD.match(self.plain, piece.start)):
            times = fold["times"]
            value = (
                Fraction(1, 2)
                if text == "减"
                else Fraction(2 ** int(zh_value(times) or 1))
                if times and not times.isdigit()
                else Fraction(2 ** int(times or 1))
            )
            return self._add(
                piece.start,
                fold.end(),
                i + 1,
                value,
                Fraction(1),
                "fold",
                "word_fold",
                qualifier=self._zh_qualifier(piece.start),
            )
        if (
            text == "半"
            and (unit := _ZH_HALF_UNIT.match(self.plain, piece.start))
            and self.p[i - 1].text not in ("个", "上", "下")
        ):
            name = next(name for word, name, _ in units.ZH_UNITS if word.endswith(unit["unit"]))
            return self._add(piece.start, unit.end(), i + 1, Fraction(1, 2), Fraction(1, 10), name, "zh",
                             qualifier=self._zh_qualifier(piece.start))  # fmt: skip
        if text == "每" and (every := _ZH_EVERY.match(self.plain, piece.start)):
            some, whole = (Fraction(int(x)) if x.isdigit() else zh_value(x) for x in (every["num"], every["den"]))
            if some and whole and some < whole:
                return self._add(piece.start, every.end(), i + 1, 100 * some / whole, Fraction(1), "percent", "one_in",
                                 num=int(some), den=int(whole), qualifier=self._zh_qualifier(piece.start))  # fmt: skip
        if (
            text == "半"
            and i
            and self.p[i - 1].text not in ("一", "大", "多", "小", "上", "下", "前", "后", "个")
            and (half := _ZH_HALF.match(self.plain, piece.start))
        ):
            over = self.p[i - 1].text == "过"
            return self._add(piece.start, half.end(), i + 1, Fraction(50), Fraction(1), "percent", "fraction", num=1, den=2,
                             qualifier="over" if over else self._zh_qualifier(piece.start))  # fmt: skip
        if text.isnumeric():
            return self._masked(i, i + 1, "footnote" if text in "¹²³⁴⁵⁶⁷⁸⁹⁰₀₁₂₃₄₅₆₇₈₉" else "list marker")
        return i + 1

    def _none(self, i: int, end: int) -> int:
        return self._add(self.p[i].start, end, i + 1, Fraction(0), Fraction(1), "", "none")

    # ------------------------------------------------------------ what stands around a number

    def _number(self, i: int, after: int, value: Fraction, step: Fraction, form: str, malformed: str = "", *,
                start: int | None = None, end: int | None = None) -> int:  # fmt: skip
        """A number whose digits or words are known: its scale, unit, sign and qualifier."""
        p, plain = self.p, self.plain
        begin = p[i].start if start is None else start
        stop = p[after - 1].end if end is None else end
        self.mantissa, self.scale = value, 1
        qualifier = ""
        if (
            form == "digits"
            and p[after].kind == "word"
            and not p[after].apart
            and (power := _EXPONENT.match(plain, p[after].start))
        ):
            tens = Fraction(10) ** int(power["sign"] + power["power"])
            value, step, stop = value * tens, step * tens, power.end()
            after = self._piece_at(stop, after)
        elif form == "digits" and p[after].text in _VULGAR and not p[after].apart:
            num, den = _VULGAR[p[after].text]
            value, step, stop, after = value + Fraction(num, den), Fraction(1, 10), p[after].end, after + 1
        if form in ("digits", "zh") and plain[stop : stop + 1] in tuple(units.ZH_MORE):
            qualifier, stop = "over", stop + 1
            after = self._piece_at(stop, after)
        if form != "zh" and p[after].kind == "zh":
            value, step, stop, after = self._zh_scale(value, step, stop, after)
            if plain[stop : stop + 1] in tuple(units.ZH_MORE):
                qualifier, stop = "over", stop + 1
                after = self._piece_at(stop, after)
        elif scale := self._scale(after, form):
            value, step, stop, after = value * scale, step * scale, p[after].end, after + 1
            self.scale = scale
            if p[after].text == "." and not p[after].apart and p[after - 1].low in {"mio", "mrd", "tsd"}:
                stop, after = p[after].end, after + 1
        unit, times, unit_end = self._unit(after, stop)
        if unit_end:
            if plain.startswith("个半小时", stop):
                value += Fraction(1, 2)
            value, step, stop = value * times, step * times, unit_end
            after = self._piece_at(stop, after)
        if unit == "fold" and _ZH_MORE_BY.search(plain[max(0, begin - 8) : begin]) and plain[stop - 1] == "倍":
            value += 1
        begin, sign = self._signed(i, begin)
        if begin < self.done:
            begin = max(self.done, p[i].start if start is None else start)
        if sign < 0:
            value = -value
        if i and p[i - 1].text in _FOLD_BEFORE and not p[i].apart and not unit and p[i - 1].start >= self.done:
            unit, begin = "fold", p[i - 1].start
        first = i if begin >= p[i].start else i - 1
        qualifier = qualifier or self._qualifier(first) or self._zh_qualifier(begin) or self._after(after, stop)
        return self._add(begin, stop, after, value, step, unit, form, malformed=malformed, qualifier=qualifier)

    def _scale(self, i: int, form: str) -> int:
        """k, M, Mio., thousand ... behind a number, 0 when none."""
        piece = self.p[i]
        scale = units.SCALES.get(piece.low, 0)
        if not scale or piece.kind != "word":
            return 0
        if piece.low in units.GLUED_SCALES:
            things = counted(self.p, i + 1, self.lang)
            if piece.apart:
                return scale if things and piece.text in ("k", "K", "M", "bn", "mn") else 0
            if piece.low == "m" and piece.text == "m":
                return scale if things else 0
            if piece.low == "b":
                return scale if things else 0
        return scale

    def _zh_scale(self, value: Fraction, step: Fraction, stop: int, i: int) -> tuple[Fraction, Fraction, int, int]:
        """1.2万, 3万2千, 1万2: digits that Chinese scales go on."""
        total, cur, last, cur_step = Fraction(0), value, 10**12, step
        for _ in range(4):
            piece = self.p[i]
            if (
                piece.kind != "zh"
                or (piece.apart and " " not in self.plain[stop : piece.start])
                or piece.start - stop > 1
            ):
                break
            at, scale = 0, 1
            while at < min(len(piece.text), 3) and piece.text[at] in units.ZH_SCALE:
                scale *= units.ZH_SCALE[piece.text[at]]
                at += 1
            follows = self.plain[piece.start + at : piece.start + at + 2]
            if (
                at == 0
                or scale >= last
                or (piece.text[at - 1] in "百十千" and follows[:1] == "分")
                or (total and cur >= 10)
            ):
                break
            total, cur_step, last, stop = total + cur * scale, cur_step * scale, scale, piece.start + at
            self.scale = scale
            cur = Fraction(0)
            rest = piece.text[at:]
            if rest:
                more = zh_value(rest)
                if more is None or more >= scale:
                    break
                if len(rest) == 1 and scale >= 100:
                    more = more * scale / 10
                    cur_step = Fraction(scale, 10)
                else:
                    cur_step = Fraction(1)
                return total + more, cur_step, piece.end, i + 1
            i += 1
            following = self.p[i]
            if following.kind != "num" or following.apart or not following.text.isdigit() or len(following.text) > 4:
                return total, cur_step, stop, i
            digits = Fraction(int(following.text))
            if self.p[i + 1].kind == "zh" and not self.p[i + 1].apart and self.p[i + 1].text[0] in units.ZH_SCALE:
                cur, cur_step, stop_after = digits, Fraction(1), following.end
                stop, i = stop_after, i + 1
                continue
            if len(following.text) == 1 and scale >= 100:
                return total + digits * scale / 10, Fraction(scale, 10), following.end, i + 1
            return total + digits, Fraction(1), following.end, i + 1
        return total + cur if total else value, cur_step, stop, i

    def _unit(self, i: int, stop: int) -> tuple[str, int | Fraction, int]:
        """(unit, how much of it one is, where it ends) of what stands behind a number; the end is 0 when there is none."""
        piece = self.p[i]
        if piece.text == "%":
            if self.p[i + 1].low in {"points", "point"} or (
                self.p[i + 1].text == "-" and self.p[i + 2].low.startswith("punkt")
            ):
                return "points", 1, self.p[i + 1 if self.p[i + 1].text != "-" else i + 2].end
            return "percent", 1, piece.end
        if piece.text == "‰":
            return "permille", 1, piece.end
        if piece.text == "×":
            return ("fold", 1, piece.end) if self.p[i + 1].kind != "num" else ("", 1, 0)
        lead = self.plain[stop : stop + 1] in (" ", "\u00a0")
        for word, unit, times in units.ZH_UNITS:
            if self.plain.startswith(word, stop + lead):
                if word == "成" and not _ZH_SHARE_AFTER.match(self.plain, stop + lead):
                    continue
                end = stop + lead + len(word)
                return ("percent", 10, end) if unit == "tenths" else (unit, times, end)
        if piece.kind == "sign" and not (piece.text in "-p" and not piece.apart):
            return "", 1, 0
        for phrase, name in units.PHRASES:
            if piece.low == phrase[0] and all(
                self.p[min(i + k, len(self.p) - 1)].low == part for k, part in enumerate(phrase)
            ):
                if phrase[0] == "-" and piece.apart:
                    continue
                return name, 1, self.p[i + len(phrase) - 1].end
        if piece.text == "-" and not piece.apart and not self.p[i + 1].apart and self.p[i + 1].low in units.UNITS:
            name, times = units.UNITS[self.p[i + 1].low]
            return (
                (name, times, self.p[i + 1].end) if name in units.TIMES and len(self.p[i + 1].low) > 2 else ("", 1, 0)
            )
        if piece.kind == "word" and not piece.apart and piece.low == "x":
            return "fold", 1, piece.end
        if piece.kind == "word" and piece.low == "m" and not piece.apart:
            return "minutes", 1, piece.end
        if piece.kind == "word" and piece.text == "B" and not piece.apart:
            return "bytes", 1, piece.end
        if (
            piece.kind != "word"
            or piece.low not in units.UNITS
            or (piece.low in units.ONLY_GLUED and piece.apart and piece.low != "h")
        ):
            return "", 1, 0
        name, times = units.UNITS[piece.low]
        return name, times, piece.end

    def _signed(self, i: int, begin: int) -> tuple[int, int]:
        """Where a number begins with its sign, and the sign."""
        if not i:
            return begin, 1
        sign = self.p[i - 1]
        if sign.start < self.done:
            return begin, 1
        if sign.text == "负" and not self.p[i].apart:
            return sign.start, -1
        if sign.low in {"minus", "moins", "negative"} and not (i > 1 and self.p[i - 2].kind in ("num", "zh")):
            return sign.start, -1
        if sign.text not in ("-", "+", "–") or self.p[i].apart:
            return begin, 1
        before = self.p[i - 2] if i > 1 else None
        free = sign.apart or before is None or before.text in tuple('([{|:：~≈<>=→"+,，、;；/（→*')
        if not free or (
            before is not None
            and before.kind == "num"
            and sign.text != "+"
            and before.end >= self.done - 1
            and not sign.apart
        ):
            return begin, 1
        return sign.start, -1 if sign.text != "+" else 1

    def _qualifier(self, i: int, *, articles: bool = False) -> str:
        """The word before a number that loosens it: about, nearly ..."""
        p = self.p
        if articles and i and p[i - 1].low in units.SMALL_WORDS:
            i -= 1
            if i and p[i].text == "'" and p[i - 1].low == "l":
                i -= 1
        for size in range(min(units.LONGEST_QUALIFIER, i), 0, -1):
            if p[i - size].start < self.done:
                continue
            name = units.QUALIFIERS.get(tuple(piece.low for piece in p[i - size : i]))
            if name is None:
                continue
            before = p[i - size - 1] if i > size else None
            if p[i - size].text in ("<", ">") and (
                p[i - size].opens or (before and before.text in ("-", "=", "–", "<") and not p[i - size].apart)
            ):
                return ""
            if p[i - size].low == "up" and before and before.low in _ADDS_UP:
                return ""
            if name == "at_most" or not (before and before.low in {"not", "nicht", "pas"}):
                return name
        return ""

    def _zh_qualifier(self, begin: int) -> str:
        text = self.plain[max(self.done, begin - 9) : begin].rstrip(" \u00a0*_`")
        for _ in range(2):
            for word, name in units.ZH_BEFORE:
                if text.endswith(word):
                    head = text[: -len(word)]
                    if (word == "近" and head.endswith(tuple("最附临远邻将"))) or (
                        word == "约" and head.endswith(tuple("契节违预公"))
                    ):
                        return ""
                    if word in ("超过", "超出") and head.endswith(("未", "没有", "没")):
                        return "at_most"
                    return name
            if not text.endswith(units.ZH_BETWEEN):
                return ""
            text = text[:-1]
        return ""

    def _after(self, i: int, stop: int) -> str:
        """... or more, +, 左右, 以上."""
        if self.plain[stop : stop + 1] == "+" and not self.plain[stop + 1 : stop + 2].isdigit():
            return "at_least"
        lead = 1 if self.plain[stop : stop + 1] in (" ", "\u00a0") else 0
        measure = units.MEASURE.match(self.plain, stop)
        for at in (stop + lead, measure.end() if measure else stop):
            for word, name in units.ZH_AFTER:
                if self.plain.startswith(word, at):
                    return name
        return units.AFTER.get((self.p[i].low, self.p[i + 1].low), "") if i + 1 < len(self.p) else ""

    # ------------------------------------------------------------ keeping

    def _add(self, start: int, end: int, after: int, value: Fraction, step: Fraction, unit: str, form: str, *, malformed: str = "",
             qualifier: str = "", num: int | None = None, den: int | None = None) -> int:  # fmt: skip
        self.label = None
        start = max(start, self.done)
        self._share_unit(start, unit)
        self.found.append(
            Number(start, end, self.plain[start:end], value, step, unit, qualifier, form, malformed, num, den)
        )
        self.done = end
        return max(after, 1)

    def _share_unit(self, start: int, unit: str) -> None:
        """ "3 to 5%", "2-3 million": the first takes the unit and the scale of the second."""
        last = self.found[-1] if self.found else None
        if (
            not isinstance(last, Number)
            or last.unit
            or last.form not in ("digits", "words", "zh")
            or not 0 < start - last.end < 24
        ):
            return
        found = _JOINS.match(self.plain[last.end : start])
        if not found or (
            found["join"] in _AND and not _BETWEEN.search(self.plain[max(0, last.start - 14) : last.start])
        ):
            return
        value, step = last.value, last.step
        if self.scale > 1 and step <= 1 and abs(value) < self.mantissa and value == abs(value) < 1000:
            value, step = value * self.scale, step * self.scale
        if unit or value != last.value:
            self.found[-1] = replace(last, unit=unit, value=value, step=step)

    def _keep(self, then: Moment, i: int) -> int:
        self.label = None
        self.found.append(then)
        self.done = then.end
        return self._piece_at(then.end, i)

    def _masked(self, i: int, after: int, reason: str) -> int:
        start, end = max(self.p[i].start, self.done), self.p[after - 1].end
        self.found.append(Masked(start, end, self.plain[start:end], reason))
        self.done = end
        return after
