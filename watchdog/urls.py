"""URLs as people may see them: `postgresql://ann:***@host/db?sslmode=require&password=***`. Standard library only, no I/O.

In: what somebody wrote where a source or a file was expected, well formed or not. Out: the same without what may be a
secret. Where one cannot tell (a password may hold `@`, `/`, `:`, `?` and `#`), more is hidden rather than less. What is
hidden stays so when it is looked at again.
"""

from __future__ import annotations

import re

HIDDEN = "***"

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+:)(/*)")  # of two letters and more: C:\ is a drive
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_NO_SCHEME = re.compile(r"(/{2}|)[^/@]*:[^@]*@")
_USER = re.compile(r"(?:[\w.+~-]|%40)+")  # an address of the cloud has an @ in its user's name
_HOST = re.compile(r"(?:\[[^\]]*\]|[^:]*)(?::(\d{0,5}))?")
_ASKED = re.compile(r"[?;]")
# parameters whose value is told; any other may be a password, a key, a token or the path of one
_HARMLESS = frozenset(
    """
    application_name cache charset connect_timeout database driver encoding host immutable mode nolock port schema ssl
    ssl_mode sslmode timeout uri vfs
    """.split()
)
_TELLING = r"[\w.-]*(?:passw|passphrase|pwd|secret|token|api_?key)[\w.-]*"
_PAIR = re.compile(rf"(?i)({_TELLING}\s*=\s*)('[^']*'|[^\s&;]+)")
_ASKED_PAIR = re.compile(rf"(?i)((?<=[?&;]){_TELLING}=)(?!\*\*\*)[^\s&;'\"]+")
# in a sentence, a URL ends where the words go on, but not before its last @: a password may hold a space
_IN_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,30}:/+(?:[^\n]{0,2000}@)?[^\s'\"]*")
_LOGIN_IN_WORDS = re.compile(r"(?<![\w.+~-])([\w.+~-]{1,100}):(?!/|[^\s@]{0,500}\*\*\*@)[^\s'\"@]{1,500}@")


def is_url(text: str) -> bool:
    """Whether somebody meant a URL, well formed or not."""
    return bool(_URL.match(text))


def shown(text: str) -> str:
    """What was written for a source, as it may be seen. A path stays as it is."""
    found = _SCHEME.match(text)
    if found:
        return found[0] + _hidden(text[found.end() :], has_host=len(found[2]) < 3)
    if lost := _NO_SCHEME.match(text):
        return lost[1] + _hidden(text[lost.end(1) :], has_host=True)
    return _PAIR.sub(rf"\1{HIDDEN}", text)


def in_words(text: str) -> str:
    """A sentence whose URLs may be seen."""
    if ":/" in text:
        text = _IN_WORDS.sub(lambda url: _at_the_end(url[0]), text)
    if "@" in text:
        text = _LOGIN_IN_WORDS.sub(rf"\1:{HIDDEN}@", text)
    return _ASKED_PAIR.sub(rf"\1{HIDDEN}", text) if "=" in text else text


def _at_the_end(url: str) -> str:
    """The colon or full stop behind a URL belongs to the sentence."""
    plain = url.rstrip(":,;.)")
    return shown(plain) + url[len(plain) :]


def _hidden(rest: str, *, has_host: bool) -> str:
    """What stands behind `scheme://`, or instead of it. The last @ ends the password, whatever stands before."""
    before, at, place = rest.rpartition("@")
    user, colon, _ = before.partition(":")
    if at and (colon or has_host):
        known = colon and _USER.fullmatch(user)
        return f"{user if known else ''}{':' if colon else ''}{HIDDEN}@{_hidden(place, has_host=has_host)}"
    host = re.split(r"[/?#;]", rest, maxsplit=1)[0]
    told = _HOST.fullmatch(host)
    if has_host and (told is None or int(told[1] or 0) > 65_535):
        name = host.partition(":")[0]
        return f"{name if _USER.fullmatch(name) else ''}:{HIDDEN}"  # a password, and no host behind it
    return _asked(rest)


def _asked(place: str) -> str:
    """Host, path and parameters, the latter without the values that may be secret."""
    found = _ASKED.search(place)
    if found is None:
        return place
    parts = re.split("([?&;])", place[found.start() :])
    return place[: found.start()] + "".join(part if part in "?&;" else _parameter(part) for part in parts)


def _parameter(part: str) -> str:
    name, sign, value = part.partition("=")
    if not sign:
        return part if not part or part.lower() in _HARMLESS else HIDDEN
    plain = name.lower() in _HARMLESS and re.fullmatch(r"[\w.,-]*", value)
    return part if plain else f"{name}={HIDDEN}"
