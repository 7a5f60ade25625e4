"""Values that are not well-formed: e-mail addresses, URLs, UUIDs, IP addresses, dates, JSON.

Measures   rows whose value is not of the `format`. Form alone is judged, not whether the mailbox or host exists. Dates have
           to be days of the calendar: 2026-02-30 and 0000-00-00 are not. NULL is not evaluated; blanks are not valid.
Fires      above `at_most` (default 0).
Skips      a table without rows.
Why        what cannot be read here cannot be read downstream either.
Example    staff.hired: 2 of 100 values are no valid iso_date.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa
from sqlalchemy import ColumnElement

from watchdog.model import Column, Placed, RowCheck
from watchdog.sql import among, calendar_day, cell, is_json, not_, regex_match, storage_class

_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_V4 = rf"(?:{_OCTET}\.){{3}}{_OCTET}"
_H = "[0-9A-Fa-f]{1,4}"
_V6 = (
    rf"(?:(?:{_H}:){{7}}{_H}|(?:{_H}:){{1,7}}:|(?:{_H}:){{1,6}}:{_H}|(?:{_H}:){{1,5}}(?::{_H}){{1,2}}|(?:{_H}:){{1,4}}(?::{_H}){{1,3}}"
    rf"|(?:{_H}:){{1,3}}(?::{_H}){{1,4}}|(?:{_H}:){{1,2}}(?::{_H}){{1,5}}|{_H}:(?::{_H}){{1,6}}|:(?::{_H}){{1,7}}|::"
    rf"|(?:{_H}:){{6}}{_V4}|::(?:[Ff]{{4}}:)?{_V4})"
)
_HEX = "[0-9A-Fa-f]"
_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?"
PATTERNS = {
    "email": r"^[^@\s,;:<>()\[\]\\\"]+@[^@\s,;:<>()\[\]\\\"._-][^@\s,;:<>()\[\]\\\"]*\.[^@\s,;:<>()\[\]\\\"._-]+$",
    "url": r"^[A-Za-z][A-Za-z0-9+.-]*://[^\s/?#]+([/?#][^\s]*)?$",
    "uuid": rf"^{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}$",
    "ipv4": rf"^{_V4}$",
    "ipv6": rf"^{_V6}$",
    "ip": rf"^(?:{_V4}|{_V6})$",
    "iso_date": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
    "iso_datetime": rf"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T ]{_TIME}(Z|z|[+-][0-9]{{2}}(:?[0-9]{{2}})?)?$",
}
Format = Literal["email", "url", "uuid", "ip", "ipv4", "ipv6", "iso_date", "iso_datetime", "date", "json"]
Form = Literal["auto", "iso", "dmy", "mdy", "month_day_year", "epoch_s", "epoch_ms", "epoch_us", "julian"]


@dataclass(frozen=True, kw_only=True)
class Valid(RowCheck):
    dimension = "conformity"
    words = "are not valid"

    format: Format
    form: Form = "auto"  # for the format `date`: how its dates are written; auto = ISO text, or numbers by their size

    def problem(self) -> str:
        if self.form != "auto" and self.format != "date":
            return f"option 'form' belongs to the format date, not to {self.format}"
        return ""

    def bad(self, column: Column) -> ColumnElement[bool]:
        c = cell(column)
        if self.format == "json":
            good: ColumnElement[bool] = is_json(c)
        elif self.format == "date":
            good = calendar_day(c, form=self.form).is_not(None)
        elif self.format in ("iso_date", "iso_datetime"):
            text = among(storage_class(c), ["text"])
            shaped = regex_match(c, pattern=PATTERNS[self.format])
            good = sa.and_(text, shaped, calendar_day(c, form="iso").is_not(None))
        else:
            good = regex_match(c, pattern=PATTERNS[self.format])
        return sa.and_(c.is_not(None), not_(good))

    def noun(self, at: Placed) -> str:
        return f"values of {at.place}, judged as {self.format},"
