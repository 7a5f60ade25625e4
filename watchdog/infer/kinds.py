"""Values of another kind than their column: text among numbers, broken JSON, text in no encoding."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from watchdog.infer.gaps import values, without_gaps
from watchdog.infer.look import CUT, Look, total
from watchdog.model import CheckSpec, Kind, Severity

HALF = 0.5  # of the values: what they are, the column is
MANY_ODD = 0.2  # above this share, values of another kind are no slip but how the column is used
# a number as people write it: sign, currency, separators, per cent, a unit
_WRITTEN = re.compile(r"[-+(]?[$€£¥]?[0-9][0-9.,']*(?:[eE][-+]?[0-9]+)?[$€£¥%)]?[^\W\d_]{0,3}")


def wrong_type(look: Look) -> Iterable[CheckSpec]:
    """Values of another storage class than declared.

    Where many of them are, and are not just numbers written as text, the declaration is what is off, and that is no
    more than a hint. STRICT tables and the row id cannot go wrong. Of a STRING, an ENUM or a UUID SQLite makes a number where
    it can, and programs keep a UUID as 16 bytes too: what stands there says nothing about a slip.
    """
    column = look.column
    if column.kind == "text" and not _stays_text(column.native):
        return
    rowid = look.table.rowid_is_key and column.name in look.table.primary_key
    if look.table.strict or rowid or column.kind not in ("integer", "decimal", "text", "boolean"):
        return
    odd = look.blobs
    if column.kind != "text":
        odd += total(look.texts) + look.blanks - look.texts_like(_is_written_number)
        odd += sum(n for v, n in look.numbers.items() if not _fits(v, column.kind))
    level = Severity.INFO if odd > MANY_ODD * (look.rows - look.nulls) else Severity.MEDIUM
    yield look.spec("type", level, f"declared {column.native}")


def _stays_text(native: str) -> bool:
    """Whether SQLite leaves digits as text there: TEXT affinity, rules 1 and 2 of sqlite.org/datatype3.html."""
    upper = native.upper()
    return "INT" not in upper and any(word in upper for word in ("CHAR", "CLOB", "TEXT"))


def _is_written_number(text: str) -> bool:
    return _WRITTEN.fullmatch("".join(text.split())) is not None


def _fits(number: float, kind: Kind) -> bool:
    return number in (0, 1) if kind == "boolean" else isinstance(number, int) or kind != "integer"


def broken_json(look: Look) -> Iterable[CheckSpec]:
    """A column of JSON texts: by its type or name and nine of ten values, or by objects and lists in nearly all."""
    if look.blobs and look.column.native.upper() == "JSONB":
        return  # SQLite's own binary JSON among texts
    named = look.column.kind == "json" or "json" in look.words
    good = look.texts_like(_may_be_json if named else _may_be_json_object)
    if good >= (1 if named else 10) and good >= (0.9 if named else 0.98) * values(look):
        yield look.spec("valid", Severity.MEDIUM, look.saw(good, "are JSON"), format="json", **without_gaps(look))


def _may_be_json(text: str) -> bool:
    if len(text) >= CUT:  # the profile keeps only how it begins
        return text.lstrip()[:1] in ("{", "[", '"')
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _may_be_json_object(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[") and _may_be_json(text)


def undecodable(look: Look) -> Iterable[CheckSpec]:
    """Text that is not valid in the database's encoding breaks most programs that read it."""
    if look.column.kind in ("text", "json"):
        yield look.spec("encoding", Severity.MEDIUM, f"declared {look.column.native}")
    elif total(look.texts) > HALF * (look.rows - look.nulls):
        yield look.spec("encoding", Severity.MEDIUM, look.saw(total(look.texts), "are text"))


COLUMN_RULES = (wrong_type, broken_json, undecodable)
