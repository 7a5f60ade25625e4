"""Cells that hold nothing: NULL, blanks, and words that people write where a value is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from watchdog.infer.look import Look, total
from watchdog.model import CheckSpec, Severity

MOSTLY = 0.8  # a column filled to this share is meant to be filled
HALF = 0.5  # above it, an empty cell is what is usual there

# marks that are never content: a spreadsheet's errors, a database's NULL
SIGNS = re.compile(
    r"n/a|#n/a|#(?:ref|value|num|div/0)!|#name\?|#null!|\\n|<(?:null|na|none|nan|nil)>|\((?:null|blank|none|empty)\)|not available",
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
    if look.column.nullable and 0 < look.nulls <= (1 - MOSTLY) * look.rows:
        share = 1 - look.nulls / look.rows
        yield look.spec("not_null", Severity.INFO, f"{share:.1%} of the rows seen are filled")


def missing_words(look: Look) -> Iterable[CheckSpec]:
    """Blanks and words for "missing" among proper values. Only the words that were seen are counted."""
    found = [v for v in look.texts if SIGNS.fullmatch(v.strip())]
    doubtful = [v for v in look.texts if WORDS.fullmatch(v.strip())]
    others = {v: n for v, n in look.texts.items() if v not in found and v not in doubtful}
    values = total(others) + total(look.numbers)
    if foreign := _foreign(doubtful, others, company=len(found) + (look.blanks > 0)):
        found += foreign
    count = look.blanks + sum(look.texts[v] for v in found)
    if not count or not values or count > HALF * (look.rows - look.nulls):
        return
    words = sorted({v.strip() for v in found})
    told = " and ".join(filter(None, ["blanks" if look.blanks else "", ", ".join(map(repr, words[:5]))]))
    yield look.spec("missing", Severity.LOW, look.saw(count, f"say that nothing is there ({told})"), values=words)


def _foreign(doubtful: list[str], others: dict[str, int], *, company: int) -> list[str]:
    """The doubtful words that cannot be values here.

    Either nine of ten other values hold digits (telephone numbers, amounts, dates) and the word holds none; or several
    such words stand side by side, as no set of names would.
    """
    with_digits = sum(n for v, n in others.items() if any(c.isdigit() for c in v))
    if with_digits >= 0.9 * total(others) and total(others) >= 5:
        return doubtful
    spellings = {v.strip().casefold() for v in doubtful}
    return doubtful if len(spellings) + company >= 3 and len(others) >= 10 else []


COLUMN_RULES = (null_rates, missing_words)
