"""Values that are not well-formed: e-mail addresses, URLs, UUIDs, IP addresses, dates, JSON.

Measures   rows whose value is not of the `format`. Form alone is judged, not whether the mailbox or host exists. Dates are
           days of the calendar from 0001-01-01 on: 2026-02-30 and 0000-00-00 are none. `iso_date` is YYYY-MM-DD and no
           more, `iso_datetime` has a time of day too (T or a space before it, an offset or Z perhaps behind), `date` is
           any date that `form` can read. NULL is not evaluated; blanks, numbers and BLOBs are not well-formed, except
           that a number is JSON, and a date where its `form` says so.
Fires      above `at_most` (default 0).
Skips      a table without rows, a column of NULLs alone.
Why        what cannot be read here cannot be read downstream either.
Example    valid: {format: iso_date}
        -> 2 of 100 values of staff.hired are not valid as iso_date.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa
from sqlalchemy import ColumnElement

from watchdog.model import Column, Placed, RowCheck
from watchdog.sql import Form, cell, is_date, is_json, not_, regex_match

# Regular expressions cost a call into Python a row, and that is no more than SQLite takes for the same by GLOB (each 30 ns a
# character, on 3.40) where a class of characters has to be looked for all over the text.
_LABEL = r"[^\W_]+(?:-+[^\W_]+)*"  # of a host name: letters and digits of any script, hyphens within
_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4 = rf"(?:{_OCTET}\.){{3}}{_OCTET}"
_H = "[0-9A-Fa-f]{1,4}"
_IPV6 = "|".join([
    f"(?:{_H}:){{7}}(?:{_H}|:)", f"(?:{_H}:){{6}}(?:{_IPV4}|:{_H}|:)",
    *(f"(?:{_H}:){{{n}}}(?:(?::{_H}){{1,{7 - n}}}|(?::{_H}){{0,{5 - n}}}:{_IPV4}|:)" for n in range(5, 0, -1)),
    f":(?:(?::{_H}){{1,7}}|(?::{_H}){{0,5}}:{_IPV4}|:)",
])  # fmt: skip
_ATOM = r"[^\s\x00-\x1f\x7f\"(),.:;<>@\[\]\\]+"
PATTERNS = {
    # without quotes and comments, in any script, with a dot in the domain; lengths are not judged
    "email": rf"^{_ATOM}(?:\.{_ATOM})*@(?:{_LABEL}\.)+"
    r"(?:[^\W\d_]{2,}|[Xx][Nn]--[A-Za-z0-9-]*[A-Za-z0-9])$",
    # http, https or ftp, a host or address, perhaps a port, then anything without white space
    "url": r"^(?:[Hh][Tt][Tt][Pp][Ss]?|[Ff][Tt][Pp])://(?:[^\s/?#@]*@)?"
    rf"(?:{_LABEL}(?:\.{_LABEL})*\.?|\[(?:{_IPV6})\])"
    r"(?::[0-9]{1,5})?(?:[/?#][^\s\x00-\x1f\x7f]*)?$",
    "uuid": "^" + "-".join(f"[0-9A-Fa-f]{{{n}}}" for n in (8, 4, 4, 4, 12)) + "$",
    "ip": f"^(?:{_IPV4}|{_IPV6})$",
    "ipv4": f"^{_IPV4}$",
    "ipv6": f"^(?:{_IPV6})$",
}  # fmt: skip
TIME = {"iso_date": "without", "iso_datetime": "with"}


@dataclass(frozen=True, kw_only=True)
class Valid(RowCheck):
    dimension = "conformity"
    words = "are not valid"

    format: Literal[  # what the values should be
        "email", "url", "uuid", "ip", "ipv4", "ipv6", "iso_date", "iso_datetime", "date", "json",
    ]  # fmt: skip
    form: Form = "auto"  # for the format `date`: how its dates are written; auto = ISO text, or numbers by their size

    def problem(self) -> str:
        if self.form != "auto" and self.format != "date":
            return f"option 'form' belongs to the format date, not to {self.format}"
        return ""

    def bad(self, column: Column) -> ColumnElement[bool]:
        c = cell(column)
        return sa.and_(c.is_not(None), not_(self._good(c)))

    def _good(self, c: ColumnElement[object]) -> ColumnElement[bool]:
        if self.format == "json":
            return is_json(c)
        if self.format == "date":
            return is_date(c, form=self.form)
        if self.format in TIME:
            return is_date(c, form="iso", time=TIME[self.format])
        return regex_match(c, pattern=PATTERNS[self.format])

    def told(self, at: Placed) -> str:
        return f"are not valid as {self.format}"
