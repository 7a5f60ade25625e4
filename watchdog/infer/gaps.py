"""Cells that hold nothing: NULL, blanks, and words that people write where a value is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from watchdog.infer.look import Look, total
from watchdog.model import CheckSpec, Severity

MOSTLY = 0.8  # a column filled to this share is meant to be filled
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
    if look.column.nullable and 0 < look.nulls <= (1 - MOSTLY) * look.rows:
        share = 1 - look.nulls / look.rows
        yield look.spec("not_null", Severity.INFO, f"{share:.1%} of the rows seen are filled")


def missing_words(look: Look) -> Iterable[CheckSpec]:
    """Blanks and words for "missing" among proper values. Only the words that were seen are counted."""
    found = {v for v in look.texts if SIGNS.fullmatch(v.strip())}
    doubtful = {v for v in look.texts if WORDS.fullmatch(v.strip())}
    others = {v: n for v, n in look.texts.items() if v not in found | doubtful}
    values = total(others) + total(look.numbers)
    if _foreign(doubtful, others, company=len(found) + (look.blanks > 0)):
        found |= doubtful
    count = look.blanks + sum(look.texts[v] for v in found)
    if not count or not values or count > HALF * (look.rows - look.nulls):
        return
    words = sorted({v.strip() for v in found})
    told = " and ".join(filter(None, ["blanks" if look.blanks else "", ", ".join(map(repr, words[:5]))]))
    yield look.spec("missing", Severity.LOW, look.saw(count, f"say that nothing is there ({told})"), values=words)


def _foreign(doubtful: set[str], others: dict[str, int], *, company: int) -> bool:
    """Doubtful words that cannot be values here.

    Either nine of ten other values hold digits (telephone numbers, amounts, dates), which such words never do; or several
    of them stand side by side (with the `company` of sure ones), as names and codes would not.
    """
    with_digits = sum(n for v, n in others.items() if any(c.isdigit() for c in v))
    if total(others) >= FEW and with_digits >= 0.9 * total(others):
        return True
    return len({v.strip().casefold() for v in doubtful}) + company >= 3 and total(others) >= 2 * FEW


COLUMN_RULES = (null_rates, missing_words)
