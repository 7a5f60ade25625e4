"""Numbers in English, German and French words.

In: the pieces of a text and a place among them. Out: what is said there, or None. Ordinals, articles and set phrases
("one of the", "no one", "a third party") are no numbers. Whether a plain number word counts something is asked elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from watchdog.verify._lexemes import Piece
from watchdog.verify._units import NOUNS, STOP, TIMES, UNITS, countable


@dataclass(frozen=True, slots=True)
class Spoken:
    """`end` is the index of the piece behind it."""

    end: int
    value: Fraction
    form: str = "words"  # words, fraction, one_in, word_fold or none
    step: Fraction = Fraction(1)
    sure: bool = False  # it is a number whatever follows
    num: int | None = None
    den: int | None = None
    unit: str = ""


_EN_SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"  # fmt: skip
_DE_SMALL = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn"  # fmt: skip
_FR_SMALL = "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"


def _counted(words: str, start: int = 0, by: int = 1) -> dict[str, int]:
    return {word: start + by * at for at, word in enumerate(words.split())}


_EN = _counted(_EN_SMALL) | _counted("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10) | {"fourty": 40}
_DE = _counted(_DE_SMALL) | {"zwo": 2, "fuenf": 5, "zwoelf": 12, "dreissig": 30}
_DE_TENS = _counted("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig", 20, 10) | {"dreissig": 30}
_FR = _counted(_FR_SMALL) | _counted("vingt trente quarante cinquante soixante", 20, 10)
_FR |= {"vingts": 20, "une": 1, "septante": 70, "huitante": 80, "octante": 80, "nonante": 90}
_EN_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_DE_SCALES = {"tausend": 1000, "million": 10**6, "millionen": 10**6, "milliarde": 10**9, "milliarden": 10**9}
_FR_SCALES = {
    "cent": 100, "cents": 100, "mille": 1000, "million": 10**6, "millions": 10**6, "milliard": 10**9, "milliards": 10**9,
}  # fmt: skip
_SMALL = {"en": _EN, "de": _DE, "fr": _FR}
_SCALE = {"en": _EN_SCALES, "de": _DE_SCALES, "fr": _FR_SCALES}
_DOZENS = {"dozen": 12, "dutzend": 12, "douzaine": 12, "dizaine": 10, "vingtaine": 20, "centaine": 100}

_PARTS = _counted("half third quarter fifth sixth seventh eighth ninth tenth", 2) | {"fourth": 4, "twentieth": 20}
_EN_PARTS = _PARTS | {f"{word}s": n for word, n in _PARTS.items() if n > 2} | {"halves": 2}
_DE_PARTS = _counted("drittel viertel fünftel sechstel siebtel achtel neuntel zehntel", 3) | {"zwanzigstel": 20}
_FR_PARTS = _counted("tiers quart cinquième sixième septième huitième neuvième dixième", 3)
_FR_PARTS |= {"quarts": 4} | {f"{word}s": n for word, n in _FR_PARTS.items() if n > 4}
_PART_WORDS = {"en": _EN_PARTS, "de": _DE_PARTS, "fr": _FR_PARTS}

_FOLDS = {
    "en": {"twice": 2, "thrice": 3, "doubled": 2, "doubles": 2, "doubling": 2, "tripled": 3, "triples": 3, "tripling": 3,
           "trebled": 3, "quadrupled": 4, "quadruples": 4, "quintupled": 5, "twofold": 2, "threefold": 3, "fourfold": 4,
           "fivefold": 5, "sixfold": 6, "tenfold": 10},
    "de": {"verdoppelt": 2, "verdoppelte": 2, "verdoppelten": 2, "verdopplung": 2, "verdoppelung": 2, "verdreifacht": 3,
           "verdreifachte": 3, "verdreifachung": 3, "vervierfacht": 4, "vervierfachte": 4, "verfünffacht": 5,
           "verzehnfacht": 10, "zweimal": 2, "dreimal": 3, "viermal": 4, "fünfmal": 5, "zehnmal": 10, "zweifache": 2,
           "dreifache": 3, "vierfache": 4, "fünffache": 5},
    "fr": {"doublé": 2, "doublée": 2, "doublées": 2, "doublés": 2, "doublement": 2, "triplé": 3, "triplée": 3, "triplés": 3,
           "triplées": 3, "triplement": 3, "quadruplé": 4, "quadruplée": 4, "décuplé": 10},
}  # fmt: skip
_HALVED = frozenset("halved halving halbiert halbierte halbierten halbierung".split())
_DOUBLE = {"double": 2, "triple": 3, "treble": 3, "quadruple": 4}
_NONE = {"en": {"no", "none", "zero"}, "de": {"kein", "keine", "keinen", "keiner", "keinem", "keines", "keinerlei", "null"},
         "fr": {"aucun", "aucune", "aucuns", "aucunes", "zéro"}}  # fmt: skip
_NONE_BEFORE = frozenset(
    "of were was are have has had failed fail is found exist exists remain von der des ne n'".split()
)
_IN = {"en": {"in"}, "de": {"pro"}, "fr": {"sur"}}
_ONE = frozenset(
    "ein eine einer eines einem einen un une".split()
)  # articles too, and so only numbers in "eine von neun"
_EVERY = frozenset("every jede jeder jedes jeden jedem".split())
_NTH = {
    "en": {"other": 2, "second": 2} | _counted("third fourth fifth sixth seventh eighth ninth tenth", 3),
    "de": {f"{stem}{end}": n for n, stem in enumerate("zweit dritt viert fünft sechst siebt acht neunt zehnt".split(), 2)
           for end in ("e", "en", "er", "es")},
    "fr": {},
}  # fmt: skip


def spoken(p: Sequence[Piece], at: int, lang: str) -> Spoken | None:
    """The number, share or multiple that is said in words from a piece on. Chinese reports may hold English words."""
    tongue = lang if lang in _SMALL else "en"
    found = _one_way(p, at, tongue)
    return found or (
        _one_way(p, at, "en") if tongue != "en" and p[at].low in _EN and p[at].low not in _SMALL[tongue] else None
    )


def _one_way(p: Sequence[Piece], at: int, lang: str) -> Spoken | None:
    word = p[at].low
    before = p[at - 1].low if at else ""
    if word in _FOLDS[lang]:
        return Spoken(at + 1, Fraction(_FOLDS[lang][word]), "word_fold", sure=True, unit="fold")
    if word in _HALVED:
        return Spoken(at + 1, Fraction(1, 2), "word_fold", sure=True, unit="fold")
    if word in _DOUBLE and lang == "en":
        told = p[at + 1].low in {"the", "that", "what", "last", "its", "their", "previous"} or before in {"than", "to"}
        return Spoken(at + 1, Fraction(_DOUBLE[word]), "word_fold", sure=True, unit="fold") if told else None
    if word == "doppelt" and p[at + 1].low == "so":
        return Spoken(at + 1, Fraction(2), "word_fold", sure=True, unit="fold")
    if word in _EVERY and (den := _NTH[lang].get(p[at + 1].low)):
        return _percent(1, den, at + 2, "one_in") if counted(p, at + 2, lang, singular=True) else None
    part = _half(p, at, lang) or _share(p, at, lang)
    if part:
        return part
    if word in _NONE[lang] and (none := _nothing(p, at, lang)):
        return none
    return _plain(p, at, lang)


def _percent(num: int, den: int, end: int, form: str = "fraction") -> Spoken:
    return Spoken(end, Fraction(100 * num, den), form, sure=True, num=num, den=den, unit="percent")


def _half(p: Sequence[Piece], at: int, lang: str) -> Spoken | None:
    word, before, after = p[at].low, p[at - 1].low if at else "", p[at + 1].low
    if word == "hälfte" or (word in {"moitié", "moitie"}):
        return _percent(1, 2, at + 1)
    if word in {"halbe", "halben", "demi", "demie"} and lang != "en":
        far = at + (2 if after == "-" else 1)
        if p[far].low in {"million", "stunde", "heure"}:
            whole = 10**6 if p[far].low == "million" else 1
            end = far + (whole > 1)
            return Spoken(end, Fraction(whole, 2), step=Fraction(whole, 10), sure=True)
        return None
    if word != "half" or before in {"first", "second", "other", "and", "-", "better", "last", "latter"}:
        return None
    if after == "-" and not p[at + 1].apart:
        return None
    if before == "in":
        return Spoken(at + 1, Fraction(1, 2), "word_fold", sure=True, unit="fold")
    if after in {"a", "an"}:
        scale = _EN_SCALES.get(p[at + 2].low) or _DOZENS.get(p[at + 2].low)
        if scale:
            return Spoken(at + 3, Fraction(scale, 2), step=Fraction(max(scale // 10, 1)), sure=True)
        return Spoken(at + 2, Fraction(1, 2), step=Fraction(1, 10))  # half an hour
    return _percent(1, 2, at + 1)


def _share(p: Sequence[Piece], at: int, lang: str) -> Spoken | None:
    """A third, two thirds, ein Viertel, trois quarts; one in five."""
    parts = _PART_WORDS[lang]
    first, far = (1, at + 1) if p[at].low in {"a", "one", "ein", "einem", "eines", "un", "une"} else (0, at)
    if not first:
        count = _cardinal(p, at, lang)
        if count is None or count[1] > 100 or count[1].denominator != 1:
            first, far = (1, at) if p[at].low in parts and lang == "de" else (0, at)
        else:
            far, first = count[0], int(count[1])
    if not first:
        return None
    inner = far + 1 if p[far].text == "-" and not p[far].apart else far
    den = parts.get(p[inner].low)
    if den and p[inner].kind == "word":
        after = p[inner + 1].low
        lone = first == 1 and lang == "en"
        if p[inner + 1].text == "-" and not p[inner + 1].apart:
            return None
        if not lone or after in {
            "of",
            "are",
            "is",
            "were",
            "was",
            "have",
            "has",
            "lack",
            "fail",
            "failed",
            "in",
            "as",
            "more",
        }:
            return _percent(first, den, inner + 1)
        if after in {".", ",", ";", ")", "(", ""} and p[inner].low != "second":
            return _percent(first, den, inner + 1)
        return None
    if lang == "fr" and p[at].low in _ONE and p[far].low in NOUNS and p[far + 1].low == "sur":
        far += 1  # une ligne sur cinq
    return _one_in(p, far, first, lang)


def _one_in(p: Sequence[Piece], far: int, first: int, lang: str) -> Spoken | None:
    """The rest of "one in five" behind its first number."""
    joined = p[far].text == "-" and not p[far].apart
    inner = far + joined
    if lang == "en" and p[inner].low == "out" and p[inner + 1].low == "of" and p[inner + 2].low == "every":
        inner += 3
    elif p[inner].low in _IN[lang] and (lang == "en" or first == 1):
        inner += 1 + (p[inner + 1].low == "every")
    else:
        return None
    if joined:
        inner += p[inner].text == "-"
    if p[inner].kind == "num" and p[inner].text.isdigit() and len(p[inner].text) < 5:
        end, den = inner + 1, int(p[inner].text)
    else:
        count = _cardinal(p, inner, lang)
        if count is None or count[1].denominator != 1:
            return None
        end, den = count[0], int(count[1])
    if not first < den <= 10_000 or 1900 <= den < 2100 or UNITS.get(p[end].low, ("", 0))[0] in TIMES:
        return None  # 3 in 2026, 3 in 10 minutes
    return _percent(first, den, end, "one_in")


def one_in(p: Sequence[Piece], far: int, first: int, lang: str) -> Spoken | None:
    """ "1 in 5", "1 sur 5": the place behind the first number, and that number."""
    return _one_in(p, far, first, lang if lang in _SMALL else "en") if first else None


def _nothing(p: Sequence[Piece], at: int, lang: str) -> Spoken | None:
    zero = Spoken(at + 1, Fraction(0), "none", sure=True)
    if p[at].low == "none":
        return zero if p[at + 1].low in _NONE_BEFORE else None
    if p[at].low == "null" and (p[at].text.isupper() or not p[at + 1].text[:1].isupper()):
        return None
    if p[at + 1].low in {"one", "longer", "more", "matter", "doubt", "need", "."}:
        return None
    return zero if counted(p, at + 1, lang, many=lang != "de") else None


def counted(p: Sequence[Piece], at: int, lang: str, *, many: bool = True, singular: bool = False) -> bool:
    """Whether what stands at a piece is a countable noun, with up to two adjectives before it (high-severity is one)."""
    for step in range(3):
        piece = p[at + step] if at + step < len(p) else p[-1]
        if piece.kind == "name":
            continue
        if _severity_of(p, at + step):
            at += 2
            continue
        if piece.text == "-" and step and not piece.apart:
            return False  # a two-column key
        if piece.kind != "word" or piece.low in STOP:
            return False
        if (countable(piece.low) if many else piece.low in NOUNS) or (singular and countable(piece.low + "s")):
            return True
        if lang == "de" and many and piece.text[0].isupper():
            return True
    return False


def _severity_of(p: Sequence[Piece], at: int) -> bool:
    """high-severity, low-priority: an adjective in two words."""
    if at + 2 >= len(p) or p[at + 1].text != "-" or p[at + 1].apart or p[at + 2].apart:
        return False
    return p[at].kind == "word" and p[at + 2].low in {"severity", "priority", "level"}


def _plain(p: Sequence[Piece], at: int, lang: str) -> Spoken | None:
    count = _cardinal(p, at, lang)
    if count is None:
        return None
    end, value, step = count
    if p[end].text == "-" and not p[end].apart and p[end + 1].kind == "word" and not p[end + 1].apart:
        return None  # two-column, one-off
    words = sum(1 for piece in p[at:end] if piece.kind == "word")
    sure = value > 12 or words > 1 or value.denominator != 1
    if value == 1 and _article(p, at, end):
        return None
    return Spoken(end, value, step=step, sure=sure)


def _article(p: Sequence[Piece], at: int, end: int) -> bool:
    """ "one of the", "no one", "another one": not a count."""
    before, after = p[at - 1].low if at else "", p[end].low
    if before in {"no", "any", "every", "each", "another", "some", "this", "that", "which", "for", "by", "day"}:
        return True
    if p[at].low in _ONE:
        return not (after in {"von", "sur"} and (p[end + 1].kind == "num" or _said(p[end + 1].low)))
    if after == "of" and p[end + 1].kind != "num" and p[end + 1].low not in _EN:
        return True
    if after in {
        "more",
        "another",
        "such",
        "other",
        "thing",
        "way",
        "by",
        "reason",
        "step",
        "place",
        "side",
        "hand",
        "point",
    }:
        return p[end + 1].low == "thing" or after != "more"
    return False


def _said(word: str) -> bool:
    return word in _FR or word in _DE or german(word) is not None


def _cardinal(p: Sequence[Piece], at: int, lang: str) -> tuple[int, Fraction, Fraction] | None:
    """(the piece behind it, value, step) of a whole number, or of one with a half or spoken decimals."""
    small, scales = _SMALL[lang], _SCALE[lang]
    total, section, last = 0, -1, 10**12
    end = at
    here = at
    if p[at].low in {"a", "un", "une", "ein", "eine", "einer"}:
        dozen = _DOZENS.get(p[at + 1].low)
        if dozen:
            return at + 2, Fraction(dozen), Fraction(1)
        if p[at + 1].low in scales:
            section, here = 1, at + 1
        elif lang == "en":
            return None
    while here - at < 40 and p[here].kind == "word":
        word = p[here].low
        if word in {"and", "et"} and end > at and here == end:
            here += 1
            if p[here].low not in small or not (section >= 100 or (section < 0 and total) or word == "et"):
                break
            continue
        value = small.get(word)
        if value is None and lang == "de" and word not in scales:
            value = german(word)
        if value is not None:
            grown = _added(section, value, lang)
            if grown is None or (value == 0 and end > at):
                break
            section = grown
        elif word in scales:
            scale = scales[word]
            if scale == 100:
                if not (0 < section < 100 or (section < 0 and lang == "fr")):
                    break
                section = 100 * max(section, 1)
            else:
                if scale >= last or section == 0 or (section < 0 and (lang == "en" or scale > 1000)):
                    break
                total, section, last = total + max(section, 1) * scale, -1, scale
        else:
            break
        here += 1
        end = here
        if p[here].text == "-" and not p[here].apart and not p[here + 1].apart and p[here + 1].low in small | scales:
            here += 1
        elif p[here].text == "-" and not p[here].apart and p[here + 1].low == "et":
            here += 2 + (p[here + 2].text == "-")
    if end == at:
        return None
    return _tail(p, end, Fraction(total + max(section, 0)), lang)


def _added(section: int, value: int, lang: str) -> int | None:
    """A number below a hundred joins the hundreds, tens and units before it; None when it cannot."""
    if section < 0:
        return value
    rest = section % 100
    if value >= 100 or value == 0:
        return section + value if value < 1000 and section % 1000 == 0 and section else None
    if rest == 0 and section >= 100:
        return section + value
    if lang == "fr":
        if rest == 4 and value == 20:
            return section + 76
        return section + value if (rest in (60, 80) and value < 20) or (rest in (20, 30, 40, 50, 70, 90) and value < 10) or (
            rest in (70, 90, 10) and rest == 10 and 7 <= value <= 9) or (rest in (70, 90) and 7 <= value <= 9) else None  # fmt: skip
    return section + value if lang == "en" and rest >= 20 and rest % 10 == 0 and value < 10 else None


def _tail(p: Sequence[Piece], end: int, value: Fraction, lang: str) -> tuple[int, Fraction, Fraction]:
    """... and a half million; ... point five million; ... dozen."""
    small, scales = _SMALL[lang], _SCALE[lang]
    step = Fraction(1)
    lows = [p[min(end + ahead, len(p) - 1)].low for ahead in range(3)]
    if lows == ["and", "a", "half"] or lows[:2] in (["et", "demi"], ["et", "demie"]):
        end, value, step = end + (3 if lows[0] == "and" else 2), value + Fraction(1, 2), Fraction(1, 10)
    elif lows[0] in {"point", "komma", "virgule"} and lows[1] in small:
        places = 0
        far = end + 1
        while p[far].low in small and small[p[far].low] < 10 and places < 10:
            places += 1
            value += Fraction(small[p[far].low], 10**places)
            far += 1
        if places:
            end, step = far, Fraction(1, 10**places)
    elif lows[0] in _DOZENS:
        return end + 1, value * _DOZENS[lows[0]], Fraction(1)
    if step < 1 and p[end].low in scales:
        return end + 1, value * scales[p[end].low], step * scales[p[end].low]
    return end, value, step


@lru_cache(maxsize=4096)
def german(word: str) -> int | None:
    """A German number in one word, below a million: zweitausendsechshundertneunundvierzig."""
    if len(word) > 80:
        return None
    if "tausend" in word:
        head, _, tail = word.partition("tausend")
        thousands, rest = german(head) if head else 1, german(tail.removeprefix("und")) if tail else 0
        return None if thousands is None or rest is None or thousands > 999 or rest > 999 else thousands * 1000 + rest
    if "hundert" in word:
        head, _, tail = word.partition("hundert")
        hundreds, rest = german(head) if head else 1, german(tail.removeprefix("und")) if tail else 0
        return None if hundreds is None or rest is None or hundreds > 9 or rest > 99 else hundreds * 100 + rest
    if word in _DE and word != "null":
        return _DE[word]
    if word in _DE_TENS:
        return _DE_TENS[word]
    if word == "ein":
        return 1
    head, und, tail = word.partition("und")
    unit = 1 if head == "ein" else _DE.get(head, 0)
    return unit + _DE_TENS[tail] if und and 0 < unit < 10 and tail in _DE_TENS else None
