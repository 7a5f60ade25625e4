"""Whole numbers in words: English, German, French, Chinese. Below 10^12."""

from __future__ import annotations

_EN = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_EN_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
_DE = "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split()
_DE_TENS = "- - zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
_FR = "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf".split()
_FR_TENS = "- - vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt".split()
_ZH = "零一二三四五六七八九"


def spell(value: int, lang: str) -> str:
    if lang == "zh":
        return chinese(value)
    said = {"de": _german, "fr": _french}.get(lang, _english)(abs(value))
    return f"{'moins' if lang == 'fr' else 'minus'} {said}" if value < 0 else said


def _english(value: int) -> str:
    parts = []
    for scale, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand")):
        if value >= scale:
            parts.append(f"{_english_below(value // scale)} {name}")
            value %= scale
    if value or not parts:
        parts.append(("and " if parts and value < 100 else "") + _english_below(value))
    return " ".join(parts)


def _english_below(value: int) -> str:
    if value >= 100:
        rest = value % 100
        return f"{_EN[value // 100]} hundred" + (f" and {_english_below(rest)}" if rest else "")
    if value < 20:
        return _EN[value]
    return _EN_TENS[value // 10] + (f"-{_EN[value % 10]}" if value % 10 else "")


def _german(value: int) -> str:
    parts = []
    for scale, one, many in ((10**9, "eine Milliarde", "Milliarden"), (10**6, "eine Million", "Millionen")):
        if value >= scale:
            count = value // scale
            parts.append(one if count == 1 else f"{_german_below(count)} {many}")
            value %= scale
    if value or not parts:
        parts.append("eins" if value == 1 else _german_below(value) + ("s" if value % 100 == 1 else ""))
    return " ".join(parts)


def _german_below(value: int) -> str:
    if value >= 1000:
        return f"{_german_below(value // 1000)}tausend" + (_german_below(value % 1000) if value % 1000 else "")
    if value >= 100:
        return f"{_DE[value // 100]}hundert" + (_german_below(value % 100) if value % 100 else "")
    if value < 20:
        return _DE[value]
    return (f"{_DE[value % 10]}und" if value % 10 else "") + _DE_TENS[value // 10]


def _french(value: int) -> str:
    parts = []
    for scale, name in ((10**9, "milliard"), (10**6, "million")):
        if value >= scale:
            count = value // scale
            parts.append(f"{_french_below(count)} {name}{'s' if count > 1 else ''}")
            value %= scale
    if value >= 1000:
        parts.append(
            "mille"
            if value < 2000
            else f"{_french_below(value // 1000).removesuffix('s') if value // 1000 % 100 in (0, 80) else _french_below(value // 1000)} mille"
        )
        value %= 1000
    if value or not parts:
        parts.append(_french_below(value))
    return " ".join(parts)


def _french_below(value: int) -> str:
    if value >= 100:
        hundreds, rest = divmod(value, 100)
        head = "cent" if hundreds == 1 else f"{_FR[hundreds]} cent{'' if rest else 's'}"
        return head + (f" {_french_below(rest)}" if rest else "")
    if value < 20:
        return _FR[value]
    tens, rest = divmod(value, 10)
    if tens in (7, 9):
        rest += 10
    if not rest:
        return _FR_TENS[tens] + ("s" if tens == 8 else "")
    return f"{_FR_TENS[tens]} et {_FR[rest]}" if rest in (1, 11) and tens < 8 else f"{_FR_TENS[tens]}-{_FR[rest]}"


def chinese(value: int, *, pair: bool = True) -> str:
    """两千六百四十九; `pair`: a lone or leading two is 两, as before a measure word."""
    if value < 0:
        return "负" + chinese(-value, pair=pair)
    if value == 2 and pair:
        return "两"
    if value < 10:
        return _ZH[value]
    said = ""
    for scale, name in ((10**8, "亿"), (10**4, "万"), (1, "")):
        part, value = divmod(value, scale)
        if part:
            if said and part < 1000:
                said += "零"
            said += _below_10000(part) + name
    said = said.removeprefix("一") if said.startswith("一十") else said
    return (
        said.replace("二千", "两千")
        .replace("二万", "两万", said.startswith("二万"))
        .replace("二亿", "两亿", said.startswith("二亿"))
    )


def _below_10000(value: int) -> str:
    said, gap = "", False
    for scale, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, value = divmod(value, scale)
        if not digit:
            gap = bool(said)
            continue
        said += ("零" if gap and said else "") + _ZH[digit] + name
        gap = False
    return said
