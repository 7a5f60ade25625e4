"""printf() and format() in SQL of the user, which SQLite lets end in NULL where all other functions raise. Text in, text out."""

from __future__ import annotations

import re

_COVERED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|/\*.*?(?:\*/|\Z)""", re.S)
_CALLED = re.compile("printf|format", re.I)
_CALL = re.compile(r"""[`"\[]?\b(?:printf|format)\b[`"\]]?\s*\(""", re.I)
_NAMED = re.compile(r"\s*as\s*(?:\(|not\b|materialized\b)", re.I)  # WITH format(a) AS (...): no call
_TEXT = re.compile("'(?:[^']|'')+'")


def never_cut(text: str, longest: int) -> str:
    """SQL whose printf() and format() raise "string or blob too big" above `longest` bytes, as all other functions do.

    SQLite's own give NULL there, which would pass for "no such row". They are NULL also for a format that is NULL or empty,
    which stays so.
    """
    if not _CALLED.search(text):
        return text
    too_long = f"zeroblob({longest + 1} + 0 * random())"  # random: SQLite evaluates a constant call before it is needed
    given = _bare(text)
    out = text
    for call in reversed(list(_CALL.finditer(given))):  # from the right: what stands within comes first
        end, comma = _arguments_end(given, call.end())
        form = text[call.end() : comma].strip()
        if not end or not form or form == "''" or _NAMED.match(given, end):
            continue
        written, _ = _arguments_end(_bare(out), call.end())
        told = too_long if _TEXT.fullmatch(form) else f"CASE WHEN length({form}\n) > 0 THEN {too_long} END"
        out = f"{out[: call.start()]}coalesce({out[call.start() : written]}, {told}){out[written:]}"
    return out


def _arguments_end(bare: str, at: int) -> tuple[int, int]:
    """Behind the bracket that closes arguments beginning at `at` (0: none does), and where the first of them ends."""
    depth, first = 1, 0
    for place in range(at, len(bare)):
        depth += {"(": 1, ")": -1}.get(bare[place], 0)
        if not first and (depth == 0 or (depth == 1 and bare[place] == ",")):
            first = place
        if depth == 0:
            return place + 1, first
    return 0, first


def _bare(text: str) -> str:
    """The text, as long as it is, with blanks for comments and x for what is quoted, except the names of the two functions."""

    def covered(found: re.Match[str]) -> str:
        word = found[0]
        if word.startswith(("--", "/*")):
            return " " * len(word)
        return word if word[0] != "'" and word[1:-1].lower() in ("printf", "format") else "x" * len(word)

    return _COVERED.sub(covered, text)
