"""Cells that hold nothing: NULL, blanks, and words that people write where a value is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from watchdog.infer.look import Look, total
from watchdog.model import CheckSpec, Severity
from watchdog.sql import literal, quoted

FEW_NULLS = 0.2  # up to this share, a column is meant to be filled
LONGEST = 20  # characters: no word below is longer
FEW = 5  # values that show what a column holds
HALF = 0.5  # above it, an empty cell is what is usual there

# marks that are never content: a spreadsheet's errors, a database's NULL
SIGNS = re.compile(
    r"n/a|#n/a|#(?:ref|value|num|null|div/0)!|#name\?|\\n|<(?:null|na|none|nan|nil)>|\((?:null|blank|none|empty)\)"
    r"|not available",
    re.IGNORECASE,
)
# words that some people and places are called, or that are codes: they need a reason to be believed
WORDS = re.compile(
    r"n\.a\.?|na|nan|nat|nil|null|none|undefined|unknown|missing|empty|blank|void|not applicable|no data|tbd|tba"
    r"|not (?:known|recorded|reported|specified|provided|stated|given)|unspecified|unk|\?+|-+|–|—|\.+|_+",
    re.IGNORECASE,
)


def null_rates(look: Look) -> Iterable[CheckSpec]:
    """A column that is mostly filled: its NULLs are worth knowing, no more."""
    if look.column.nullable and 0 < look.nulls <= FEW_NULLS * look.rows:
        evidence = f"{look.rows - look.nulls:,} of {look.rows:,} rows seen are filled"
        yield look.spec("not_null", Severity.INFO, evidence)


def missing_words(look: Look) -> Iterable[CheckSpec]:
    """Blanks and words for "missing" among proper values. Only the words that were seen are counted."""
    found = gaps(look)
    count = total(found)
    seen = look.rows - look.nulls
    if not count or count > HALF * seen or count == seen:
        return
    shown = ["blanks"] * ("" in found) + [repr(word) for word in sorted(found) if word][:5]
    evidence = look.saw(count, f"say that nothing is there ({', '.join(shown)})")
    words = sorted({word.lower() for word in found} - {""})
    yield look.spec("missing", Severity.LOW, evidence, null_words=words)


def gaps(look: Look) -> dict[str, int]:
    """The words that stand for nothing in this column, stripped, with their rows; "" for blanks."""
    short = {v: v.strip() for v in look.texts if len(v) <= LONGEST}
    sure = {v for v, word in short.items() if SIGNS.fullmatch(word)}
    doubtful = {v for v, word in short.items() if WORDS.fullmatch(word)}
    if doubtful and _foreign(look, sure, doubtful):
        sure |= doubtful
    found = {"": look.blanks} if look.blanks else {}
    for value in sure:
        found[short[value]] = found.get(short[value], 0) + look.texts[value]
    return found


def values(look: Look) -> int:
    """Rows that hold something: numbers, and text that does not stand for nothing."""
    return total(look.numbers) + total(look.texts) + look.blanks - total(gaps(look))


def without_gaps(look: Look) -> dict[str, str]:
    """The option `where` that leaves blanks and words for "missing" to the check `missing`; {} when there are none."""
    found = gaps(look)
    if not found:
        return {}
    words = ", ".join(literal(word) for word in sorted({word.lower() for word in found}))
    return {"where": f"lower(trim({quoted(look.column.name)})) NOT IN ({words})"}


def _foreign(look: Look, sure: set[str], doubtful: set[str]) -> bool:
    """Doubtful words cannot be values here.

    Either nine of ten other values hold digits (telephone numbers, amounts, dates), which such words never do; or
    several of them stand side by side, the sure ones and blanks included, as names and codes would not.
    """
    others = {v: n for v, n in look.texts.items() if v not in sure and v not in doubtful}
    numbers = total(look.numbers)
    proper = numbers + total(others)
    with_digits = numbers + sum(n for v, n in others.items() if any(c.isdigit() for c in v))
    if proper >= FEW and with_digits >= 0.9 * proper:
        return True
    spellings = {v.strip().lower() for v in doubtful | sure}
    return len(spellings) + (look.blanks > 0) >= 3 and proper >= 2 * FEW


COLUMN_RULES = (null_rates, missing_words)
