"""SQLite's accent for formats: for each, a condition over the cell `c` (SQL text) that is *enough*.

Where it holds the value has the format; where it does not, the format's regular expression is asked, which costs a call
into Python a row. Measured on SQLite 3.40 over 28 characters (ns): that call 1,300, LIKE '%x%' 40, a shape that opens
with its first character 30 for each character, a search for a character outside a class 700 and more by its ranges.
"""

from __future__ import annotations

from collections.abc import Callable

_WHOLE = "instr({c}, char(0)) = 0"  # GLOB and LIKE do not look behind a NUL


def _email(c: str) -> str:
    """Up to 64 characters of the everyday kind, with a last label of 2 to 4 letters."""
    ends = " OR ".join(f"{c} GLOB '*.{'[A-Za-z]' * n}'" for n in (3, 2, 4))
    return _all(
        f"length({c}) <= 64", f"{c} GLOB '[A-Za-z0-9]*[A-Za-z0-9]@[A-Za-z0-9]*[A-Za-z0-9].*'", f"({ends})",
        f"{c} NOT LIKE '%@%@%'", f"{c} NOT LIKE '%..%'", f"{c} NOT LIKE '%-.%'", f"{c} NOT LIKE '%.-%'",
        f"{c} NOT LIKE '%.@%'", f"instr(substr({c}, instr({c}, '@')), '_') = 0",
        f"lower({c}) NOT GLOB '*[^a-z0-9@._-]*'", _WHOLE.format(c=c),
    )  # fmt: skip


def _url(c: str) -> str:
    """http and https, a plain host name, and printable characters of ASCII alone."""
    rest = f"substr({c}, instr({c}, '//') + 2)"
    host = f"substr({rest}, 1, instr({rest} || '/', '/') - 1)"
    return _all(
        f"({c} GLOB 'https://[A-Za-z0-9]*' OR {c} GLOB 'http://[A-Za-z0-9]*')", f"{c} NOT GLOB '*[^!-~]*'",
        f"{host} NOT GLOB '*[^A-Za-z0-9.-]*'", f"{host} GLOB '*[A-Za-z0-9]'",
        *(f"{host} NOT LIKE '%{bad}%'" for bad in ("..", ".-", "-.")), _WHOLE.format(c=c),
    )  # fmt: skip


def _uuid(c: str) -> str:
    shape = "-".join("[0-9a-f]" * n for n in (8, 4, 4, 4, 12))
    return _all(f"lower({c}) GLOB '{shape}'", _WHOLE.format(c=c))


def _ipv4(c: str) -> str:
    """Four numbers that printf() writes as they stand, the largest no more than 255."""
    rests = [c]
    for _ in range(3):
        rests.append(f"substr({rests[-1]}, instr({rests[-1]}, '.') + 1)")
    numbers = ", ".join(f"CAST({rest} AS INTEGER)" for rest in rests)
    return _all(
        f"length({c}) <= 15", f"{c} GLOB '[0-9]*[0-9]'", f"instr({c}, '-') = 0",
        f"printf('%d.%d.%d.%d', {numbers}) = {c} COLLATE BINARY", f"max({numbers}) <= 255",
    )  # fmt: skip


def _ipv6(c: str) -> str:
    """Eight groups, or fewer around one `::`; without an IPv4 address at the end."""
    colons = f"(length({c}) - length(replace({c}, ':', '')))"
    hex5 = "[0-9a-f]" * 5
    return _all(
        f"{c} LIKE '%:%:%'", f"lower({c}) NOT GLOB '*[^0-9a-f:]*'", f"lower({c}) NOT GLOB '*{hex5}*'",
        f"{c} NOT LIKE '%:::%'", f"{c} NOT LIKE '%::%::%'", f"{c} NOT GLOB ':[^:]*'", f"{c} NOT GLOB '*[^:]:'",
        f"CASE WHEN {c} LIKE '%::%' THEN {colons} <= 7 ELSE {colons} = 7 END", _WHOLE.format(c=c),
    )  # fmt: skip


def _ip(c: str) -> str:
    return f"({_ipv4(c)} OR {_ipv6(c)})"


def _all(*conditions: str) -> str:
    return f"({' AND '.join(conditions)})"


ENOUGH: dict[str, Callable[[str], str]] = {
    "email": _email, "url": _url, "uuid": _uuid, "ip": _ip, "ipv4": _ipv4, "ipv6": _ipv6,
}  # fmt: skip
