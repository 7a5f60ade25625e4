"""Reads what models reply: takes the report out of the talk around it, and JSON out of whatever it stands in.

Nothing here raises: a reply that cannot be read is one that says nothing.
"""

from __future__ import annotations

import json
import re
from typing import Any

from watchdog.report._tidy import tidy
from watchdog.verify import strip_marks

ISSUES = 12  # remarks of a review that are listened to
LONGEST = 400  # characters of one

_TAG = re.compile(r"\[\[[^\[\]\n]{1,40}\]\]")
_FENCED = re.compile(r"\A\s*(`{3,}|~{3,})[\w-]*\n(?P<inside>.*)\n\1\s*\Z", re.DOTALL)
_HEADING = re.compile(r"^ {0,3}#{1,6} ", re.MULTILINE)
_CLAIMS = re.compile(r"\d|\[\[|(?<!`)`(?!`)|^\s*[-*|]", re.MULTILINE)
_FAREWELL = re.compile(
    r"let me know|feel free|hope (this|that) helps|would you like|happy to|如需|如有(其他|任何)|希望.{0,8}有(所)?帮助",
    re.IGNORECASE,
)
_ITSELF = re.compile(
    r"\b(as|i am|i'm|i’m) (an? )?(ai|large language model|language model|assistant)\b"
    r"|\bi('m| am|’m)? (sorry|unable|cannot|can't)\b"
    r"|作为(一个|一名)?.{0,4}(AI|人工智能|语言模型|助手)|我是(一个|一名)?.{0,4}(AI|人工智能|语言模型|助手)",
    re.IGNORECASE,
)


def cleaned(reply: str) -> str:
    """A reply as a report: no fence around it, no greeting, no farewell, no marks of verification, tidy Markdown.

    Placeholders pass through. Doing it twice changes nothing more.
    """
    fenced = _FENCED.match(reply)
    text = strip_marks(fenced["inside"] if fenced else reply)
    return lines_cleaned(_without_talk(text)).strip("\n")


def lines_cleaned(text: str) -> str:
    """`tidy`, which escapes brackets, with the placeholders kept out of its hands."""
    tags: list[str] = []

    def away(found: re.Match[str]) -> str:
        tags.append(found[0])
        return f"\ue000{len(tags) - 1}\ue001"

    kept = tidy(_TAG.sub(away, re.sub("[\ue000\ue001]", "", text)))
    return re.sub("\ue000(\\d+)\ue001", lambda found: tags[int(found[1])], kept)


def looks_like_report(text: str) -> bool:
    return _HEADING.search(text) is not None


def speaks_of_itself(line: str) -> bool:
    """Whether a line is about its writer, not about the data."""
    return _ITSELF.search(re.sub(r"`[^`]*`", "", line)) is not None


def issues_in(reply: str) -> list[str]:
    """The remarks of a review: `{"issues": [...]}` or a list of texts; none when it cannot be read."""
    told = json_in(reply)
    items = told.get("issues") if isinstance(told, dict) else told
    if not isinstance(items, list):
        return []
    return [" ".join(item.split())[:LONGEST] for item in items if isinstance(item, str) and item.strip()][:ISSUES]


def json_in(reply: str) -> Any:
    """The first JSON list or object in a reply, wherever it stands; None without one."""
    decoder = json.JSONDecoder()
    tried = 0
    for found in re.finditer(r"[\[{](?!\[)", reply):
        tried += 1
        if tried > 50:  # each try may read to the end: prose with many brackets holds no JSON
            return None
        try:
            value, _ = decoder.raw_decode(reply, found.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) or (isinstance(value, list) and all(isinstance(item, dict | str) for item in value)):
            return value
    return None


def _without_talk(text: str) -> str:
    """Without a short greeting in front of the first heading and a farewell behind the last line that says something."""
    first = _HEADING.search(text)
    if first and not _CLAIMS.search(text[: first.start()]) and text[: first.start()].strip().count("\n") < 3:
        text = text[first.start() :]
    body, gap, last = text.rstrip().rpartition("\n\n")
    if gap and _FAREWELL.search(last) and not _CLAIMS.search(last) and not _HEADING.search(last):
        return body
    return text
