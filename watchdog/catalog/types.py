"""What a declared type means to people: a kind for the names that are types somewhere, `other` for everything else.

SQLite takes any words for a type and draws an affinity from parts of them (sqlite.org/datatype3.html); that decides what
it stores, and says nothing of what was meant: INTEGER_OR_TEXT has INTEGER affinity and promises nothing. So a name has to
be known as a whole. Beside it may stand a size, a sign, and words that change nothing about the kind of value.
"""

from __future__ import annotations

import functools
import re

from watchdog.model import Kind

_NAMES: dict[Kind, str] = {
    "integer": """
        INT, INTEGER, TINYINT, SMALLINT, MEDIUMINT, MIDDLEINT, BIGINT, HUGEINT, TINY INT, SMALL INT, MEDIUM INT, BIG INT,
        INT1, INT2, INT3, INT4, INT8, INT16, INT32, INT64, INT128, UINT, UINT8, UINT16, UINT32, UINT64, UINTEGER, UTINYINT,
        USMALLINT, UBIGINT, UHUGEINT, LONG INTEGER, SHORT INTEGER, SERIAL, SERIAL2, SERIAL4, SERIAL8, SMALLSERIAL, BIGSERIAL,
        COUNTER, YEAR
    """,
    "decimal": """
        REAL, FLOAT, FLOAT4, FLOAT8, FLOAT32, FLOAT64, DOUBLE, DOUBLE PRECISION, FLOATING POINT, SINGLE, NUMERIC, DECIMAL, DEC,
        FIXED, NUMBER, DECFLOAT, BINARY_FLOAT, BINARY_DOUBLE, MONEY, SMALLMONEY, CURRENCY
    """,
    "text": """
        TEXT, TINYTEXT, SMALLTEXT, MEDIUMTEXT, LONGTEXT, NTEXT, CITEXT, STRING, CHAR, NCHAR, BPCHAR, CHARACTER, VARCHAR, NVARCHAR,
        VARCHAR2, NVARCHAR2, LONGVARCHAR, LONGNVARCHAR, LONG VARCHAR, CHAR VARYING, CHARACTER VARYING, VARYING CHARACTER,
        NATIVE CHARACTER, NATIONAL CHAR, NATIONAL CHARACTER, NATIONAL VARCHAR, NATIONAL CHAR VARYING,
        NATIONAL CHARACTER VARYING, NCHAR VARYING, CLOB, NCLOB, DBCLOB, CHAR LARGE OBJECT, CHARACTER LARGE OBJECT, SYSNAME,
        UUID, GUID, UNIQUEIDENTIFIER, XML
    """,
    "boolean": "BOOL, BOOLEAN, BIT",
    "date": "DATE, DATE32",
    "timestamp": """
        DATETIME, DATETIME2, SMALLDATETIME, DATETIMEOFFSET, DATETIME WITH TIME ZONE, DATETIME WITHOUT TIME ZONE, TIMESTAMP,
        TIMESTAMPTZ, TIMESTAMP WITH TIME ZONE, TIMESTAMP WITHOUT TIME ZONE, TIMESTAMP WITH LOCAL TIME ZONE
    """,
    "json": "JSON, JSONB",
    "blob": """
        BLOB, TINYBLOB, MEDIUMBLOB, LONGBLOB, BINARY, VARBINARY, LONGVARBINARY, LONG VARBINARY, BINARY VARYING,
        BINARY LARGE OBJECT, BYTEA, BYTES, IMAGE, RAW, LONG RAW, BFILE
    """,
}
# Known, and `other` on purpose: TIME and INTERVAL are written as text, seconds or parts of a day; LONG is a text in Oracle
# and a number elsewhere; ANY is SQLite's word for no promise; bit strings, arrays, ranges, places and addresses.
_KINDS: dict[str, Kind] = {
    " ".join(name.split()): kind for kind, names in _NAMES.items() for name in names.split(",")
}  # fmt: skip

LONGEST = 10_000  # characters: the list of an ENUM; the patterns below are not made for more
_SIZE = re.compile(r"\(\s*(?:[+-]?\d+|MAX|\*)(?:\s+(?:CHAR|BYTE))?\s*(?:,\s*[+-]?\d+\s*)?\)")
_MEMBERS = re.compile(r"(?:ENUM|SET)\s*\(\s*'(?:[^']|'')*'(?:\s*,\s*'(?:[^']|'')*')*\s*\)")
_SIGN = re.compile(r"\b(?:UNSIGNED|SIGNED|ZEROFILL)\b")
_COUNTED = re.compile(r"(?<=\w) (?:AUTO_?INCREMENT|IDENTITY)$")
_WRITTEN = re.compile(r"(?<=\w)(?: (?:CHARACTER SET|CHARSET|COLLATE) \w+| BINARY| ASCII| UNICODE)+$")


@functools.lru_cache(4096)  # a schema repeats its types
def kind_of(native: str) -> Kind:
    """What a declared type means to people; `other` when it promises nothing."""
    upper = native.strip().upper()
    if len(upper) > LONGEST:
        return "other"
    if upper.startswith(("ENUM", "SET")):
        return "text" if _MEMBERS.fullmatch(_WRITTEN.sub("", upper)) else "other"
    sizes = _SIZE.findall(upper)
    name = " ".join(_SIZE.sub(" ", upper, count=1).split())
    if name in ("BIT", "BOOL", "BOOLEAN") and sizes and not re.fullmatch(r"\(\s*1\s*\)", sizes[0]):
        return "other"  # a string of bits
    if name in _KINDS:
        return _KINDS[name]
    bare = " ".join(_SIGN.sub(" ", name).split())
    if bare != name and _KINDS.get(bare) in ("integer", "decimal"):
        return _KINDS[bare]
    for beside, kind in ((_COUNTED, "integer"), (_WRITTEN, "text")):
        bare = beside.sub("", _SIGN.sub(" ", name).strip() if kind == "integer" else name)
        if bare != name and _KINDS.get(" ".join(bare.split())) == kind:
            return _KINDS[" ".join(bare.split())]
    return "other"
