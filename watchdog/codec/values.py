"""What an output may show of a cell, as JSON: the only place that masks.

In: any value that a database driver returns. Out: null, booleans, numbers, texts, or `{"type": ..., "text": ...}` for
what JSON cannot say: infinities and NaN (`real`), integers beyond 64 bits and decimals (`decimal`), blobs in hex
(`blob`), and text that is not valid UTF-8 (`invalid_utf8`, its bytes as `\\xNN`, its backslashes doubled). Nothing is
refused.

Masked values keep the shape and lose the content:
  text       letters become x or X, digits 9, pictures and marks x; punctuation, spaces and control characters stay,
             since they are what is wrong so often. After 40 characters it ends in `…` and the full length.
  dates      as text: 9999-99-99.
  numbers    `{"type": "integer", "text": "-999"}`: their class, sign and number of digits; infinities and NaN stay.
  blobs      their length.
  invalid    text that is not UTF-8 is masked as text, with the replacement character for each bad byte.
Not content, and so always visible: NULL, blank text, and text that only stands in for a missing value ("N/A", "null").
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Literal

Mode = Literal["full", "masked", "none"]

LONGEST = 40  # characters of a masked text that are kept
HIDDEN: Mapping[str, str] = {"type": "hidden", "text": "not shown"}  # a value in mode `none`; null would read as NULL
STAND_INS = frozenset(
    ("null", "(null)", "<null>", "none", "nil", "nan", "n/a", "n.a.", "na", "#n/a", "-", "--", "?", "tbd", "unknown")
)

PERSONAL_ANYWHERE = re.compile(
    "email|phone|telefon|address|adresse|birth|geburt|passport|password|passwd|wechat|whatsapp|postcode|postalcode|"
    "creditcard|cardnumber|licen[cs]e|nationalid|apikey|姓名|名字|手机|电话|邮箱|地址|身份证|微信|生日|护照|银行卡"
)
PERSONAL_WORD = re.compile(
    ".*names?|mails?|tel|fax|mobile?|cell|street|strasse|zip|plz|dob|ssn|sin|nin|iban|bic|swift|pan|cv[cv]|tax|vat|ip|"
    "latitude|longitude|gender|sex|religion|ethnicity|salary|secret|token|qq|skype|telegram"
)

_LONE = re.compile("[\ud800-\udfff]")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


@dataclass(frozen=True)
class Shown:
    """A sample value that was read from a saved result: it was masked when it was written and is shown as it stands."""

    value: Any


def looks_personal(column_name: str) -> bool:
    """Whether a column of that name probably tells about a person: snake_case, camelCase or run together."""
    words = [word.lower() for word in _WORDS.findall(unicodedata.normalize("NFKC", column_name))]
    return bool(PERSONAL_ANYWHERE.search("".join(words))) or any(PERSONAL_WORD.fullmatch(word) for word in words)


def shown_value(value: Any, mode: Mode, column_name: str, *, pii_allowed: bool = False) -> Any:
    """What an output shows of a cell. A column that looks personal is shown in full only when `pii_allowed`."""
    if mode == "none":
        return dict(HIDDEN)
    if isinstance(value, Shown):
        return safe(value.value)
    if mode == "full" and (pii_allowed or not looks_personal(column_name)):
        return safe(value)
    return masked(value)


def clean(text: str) -> str:
    """Text that can be written as UTF-8: bytes that were not, and lone surrogates, as `\\xNN` and `\\uNNNN`."""
    return text if text.isascii() else _LONE.sub(_spelled, text)


def safe(value: Any) -> Any:
    """The value as strict JSON. Applying it twice changes nothing more."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value) if -(2**63) <= value < 2**63 else _special("decimal", str(Decimal(value)))
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else _special("real", _endless(value))
    if isinstance(value, str):
        return _special("invalid_utf8", clean(value.replace("\\", "\\\\"))) if _LONE.search(value) else str(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return _special("blob", bytes(value).hex())
    if isinstance(value, Mapping):
        return {clean(str(key)): safe(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [safe(item) for item in value]
    if isinstance(value, set | frozenset):
        return [safe(item) for item in sorted(value, key=repr)]
    if isinstance(value, Decimal):
        return _special("decimal", str(value))
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return _special(clean(type(value).__name__), clean(str(value)))


def masked(value: Any) -> Any:
    """The shape of a value without its content, as the head of this module says."""
    if value is None:
        return None
    if isinstance(value, bool):
        return _special("boolean", "x")
    if isinstance(value, int):
        return _special("integer", re.sub(r"\d", "9", str(Decimal(value))))
    if isinstance(value, float):
        return _special("real", re.sub(r"\d", "9", repr(value)) if math.isfinite(value) else _endless(value))
    if isinstance(value, Decimal):
        return _special("decimal", re.sub(r"\d", "9", str(value)))
    if isinstance(value, bytes | bytearray | memoryview):
        size = len(bytes(value))
        return _special("blob", f"{size:,} byte{'' if size == 1 else 's'}")
    if isinstance(value, str):
        return _masked_text(value)
    plain = safe(value)
    return _masked_text(plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False))


def _masked_text(text: str) -> Any:
    if not text.strip() or text.strip().casefold() in STAND_INS:
        return text
    shape = "".join(_shape(character) for character in text[:LONGEST])
    if len(text) > LONGEST:
        shape += f"… ({len(text):,} characters)"
    return _special("invalid_utf8", shape) if _LONE.search(text) else shape


def _shape(character: str) -> str:
    kind = unicodedata.category(character)
    if kind in {"Lu", "Lt"}:
        return "X"
    if kind == "Cs":
        return "\N{REPLACEMENT CHARACTER}"
    if kind[0] == "N":
        return "9"
    return "x" if kind[0] in "LM" or kind in {"So", "Co", "Cn"} else character


def _special(kind: str, text: str) -> dict[str, str]:
    return {"type": kind, "text": text}


def _endless(value: float) -> str:
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _spelled(lone: re.Match[str]) -> str:
    code = ord(lone[0])  # surrogateescape keeps the bad byte 0xNN as U+DCNN
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"
