"""SQLite's accent: how the words of `sql.py` are said, cheaply.

Measured on SQLite 3.40 over e-mail addresses (ns a row above reading the cell): `typeof` 6, `trim` 14, IN over 60
literals 56, `instr` 33, a GLOB over the whole text 400, a Python callback about 1,400. So patterns are guarded.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

from watchdog.dialects import _sqlite_times, glob
from watchdog.sql import (
    _after,
    _is_orphan,
    _Word,
    exactly,
    is_blank,
    is_date,
    is_json,
    is_number,
    is_valid_text,
    is_word,
    literal,
    moment,
    quoted,
    regex_match,
    storage_class,
    table_name,
)

# Unicode's White_Space property; SQLite's own trim() takes the space alone
WHITE = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f"
    "\u205f\u3000"
)
_WHITE = "char(" + ",".join(str(ord(c)) for c in WHITE) + ")"


def _inner(word: _Word, compiler: SQLCompiler, **kw: Any) -> str:
    return compiler.process(word.clauses, **kw)


@compiles(storage_class, "sqlite")
def _storage_class(word: storage_class, compiler: SQLCompiler, **kw: Any) -> str:
    return f"typeof({_inner(word, compiler, **kw)})"


@compiles(is_number, "sqlite")
def _is_number(word: is_number, compiler: SQLCompiler, **kw: Any) -> str:
    """Numbers, and they alone, sort below the empty text: half the price of a call of typeof().

    The plus takes the column's affinity away, which would turn a number in a TEXT column of a view into text.
    """
    return f"(+{_inner(word, compiler, **kw)} < '' COLLATE BINARY)"


@compiles(exactly, "sqlite")
def _exactly(word: exactly, compiler: SQLCompiler, **kw: Any) -> str:
    return f"(+{_inner(word, compiler, **kw)} COLLATE BINARY)"


@compiles(is_blank, "sqlite")
def _is_blank(word: is_blank, compiler: SQLCompiler, **kw: Any) -> str:
    """Most text is told apart by its first character; an empty one, and one that opens with a NUL, has none."""
    c = _inner(word, compiler, **kw)
    return f"(typeof({c}) = 'text' AND {_may_be_white(c)} AND trim({c}, {_WHITE}) = '')"


def _may_be_white(char: str) -> str:
    """White space lies below '!' or from U+0085 on. (Compared as text, it would not in UTF-16.)"""
    return f"coalesce(unicode({char}), 0) NOT BETWEEN 33 AND 132"


@compiles(is_word, "sqlite")
def _is_word(word: is_word, compiler: SQLCompiler, **kw: Any) -> str:
    """Most text has no white space at its ends, and is compared as it stands: trim() costs more than all the rest."""
    c = _inner(word, compiler, **kw)
    words = ", ".join(literal(w) for w in word.told["words"])
    padded = f"({_may_be_white(c)} OR {_may_be_white(f'substr({c}, -1)')})"
    return f"(typeof({c}) = 'text' AND (lower({c}) IN ({words}) OR {padded} AND lower(trim({c}, {_WHITE})) IN ({words})))"


@compiles(regex_match, "sqlite")
def _regex_match(word: regex_match, compiler: SQLCompiler, **kw: Any) -> str:
    """`regexp` is a Python function of the connection: a condition in plain SQL that is enough spares most calls or all.

    A BLOB sorts above everything else, so "below the empty BLOB" says "no BLOB" without a call of typeof().
    """
    c, pattern = _inner(word, compiler, **kw), word.told["pattern"]
    slow = f"regexp({literal(pattern)}, CAST({c} AS BLOB))"
    quick = glob.enough(pattern, c)
    found = slow if quick is None else quick.sql if quick.whole else f"({quick.sql} OR {slow})"
    return f"({c} < x'' AND {found})"


@compiles(is_valid_text, "sqlite")
def _is_valid_text(word: is_valid_text, compiler: SQLCompiler, **kw: Any) -> str:
    """Text in 7-bit characters is valid as it stands; only the rest goes to the connection's `valid_utf8`."""
    c = _inner(word, compiler, **kw)
    seven_bit = "'*[^' || char(1) || '-' || char(127) || ']*'"
    return (
        f"(typeof({c}) <> 'text' OR ({c} NOT GLOB {seven_bit} AND instr({c}, char(0)) = 0)"
        f" OR valid_utf8(CAST({c} AS BLOB)))"
    )


@compiles(is_json, "sqlite")
def _is_json(word: is_json, compiler: SQLCompiler, **kw: Any) -> str:
    """json_valid() reads RFC 8259 without options, up to 1,000 levels deep (2,000 in later versions). It does not see what
    stands behind a NUL, hence the look for one."""
    c = _inner(word, compiler, **kw)
    return f"(typeof({c}) <> 'blob' AND json_valid({c}) AND instr({c}, char(0)) = 0)"


@compiles(_is_orphan, "sqlite")
def _orphan(word: _is_orphan, compiler: SQLCompiler, **kw: Any) -> str:
    """The parent's column decides about affinity and collation, as in SQLite's own foreign keys: the plus takes the
    child's affinity away, and the left side's collation counts.

    Without an index on the parent's side NOT EXISTS would read the parent once a row; NOT IN reads it once.
    """
    child, parent, reference = word.told["child"], word.told["parent"], word.told["reference"]
    outer = [f"{table_name(child)}.{quoted(name)}" for name in reference.columns]
    whole = " AND ".join(f"{c} IS NOT NULL" for c in outer)
    inner = [f'"watchdog parent".{quoted(name)}' for name in reference.parent_columns]
    source = f'{table_name(parent)} AS "watchdog parent"'
    if reference.keyed:
        same = " AND ".join(f"{p} = +{c}" for p, c in zip(inner, outer, strict=True))
        return f"({whole} AND NOT EXISTS (SELECT 1 FROM {source} WHERE {same}))"
    columns = [parent.column(name) for name in reference.parent_columns]
    collations = [column.collation if column else "BINARY" for column in columns]
    sought = [f"+{c} COLLATE {quoted(name)}" for c, name in zip(outer, collations, strict=True)]
    left = sought[0] if len(sought) == 1 else f"({', '.join(sought)})"
    filled = " AND ".join(f"{p} IS NOT NULL" for p in inner)
    return f"({whole} AND {left} NOT IN (SELECT {', '.join(inner)} FROM {source} WHERE {filled}))"


# ---------------------------------------------------------------- times


@compiles(moment, "sqlite")
def _moment(word: moment, compiler: SQLCompiler, **kw: Any) -> str:
    return _sqlite_times.seconds(_inner(word, compiler, **kw), word.told["form"], word.told.get("clock", "any"))


@compiles(is_date, "sqlite")
def _is_date(word: is_date, compiler: SQLCompiler, **kw: Any) -> str:
    return _sqlite_times.readable(_inner(word, compiler, **kw), word.told["form"], word.told.get("time", "maybe"))


@compiles(_after, "sqlite")
def _later(word: _after, compiler: SQLCompiler, **kw: Any) -> str:
    return _sqlite_times.later(_inner(word, compiler, **kw), **word.told)
