"""A model's Markdown without what a report may not hold: HTML, links, images, code blocks, a title, invisible characters.

Text goes in, text with as many lines comes out; doing it twice changes nothing more, so the text that is verified is the
text that is published. Nothing is hidden that was visible: HTML, links and the contents of code blocks stay as plain text
and are verified as such. What stays Markdown are headings from level two on, lists, tables, emphasis, quotes and code spans.
"""

from __future__ import annotations

import re

MOST = 100_000  # characters of a report
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufdd0-\ufdef\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f\ud800-\udfff]"
)
_MARKER = r"[ ]*(?:(?:>|[-*+]|\d{1,9}[.)])[ ]*)*"  # quotes and list items that a block may stand in
_FENCE = re.compile(rf"({_MARKER})(?:`{{3,}}[^`]*|~{{3,}}.*)")
_TITLE = re.compile(rf"({_MARKER})#(?=[ \t]|$)")
_UNDERLINE = re.compile(rf"({_MARKER})=+[ ]*")
_RULE = re.compile(r"[ >*+.)\d|:=-]*[-=][ |:=-]*")  # may stand under the head of a table
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt);)(?=#|[A-Za-z])")
_ADDRESS = re.compile(r":(?=//)|(?<=www)\.|@|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)
_TICKS = re.compile("`+")
_SPECIAL = re.compile(r"[\\`]")


def tidy(text: str) -> str:
    """A text longer than `MOST` loses its last lines; the verifier finds what is missing then, as it would anyway."""
    text = _UNSEEN.sub("", _LINE_ENDS.sub("\n", text[: 10 * MOST])).replace("\t", "    ")
    plain = [_block(line) for line in text.split("\n")]
    tables = any(_RULE.fullmatch(line) for line in plain)
    lines: list[str] = []
    room = MOST
    for line in plain:
        told = _inline(line, tables)
        if len(told) > MOST:
            told = _inline(line[: MOST // 6], tables)  # no character becomes more than five
        room -= len(told) + 1
        if room < -1:
            break
        lines.append(told)
    return "\n".join(lines)


def _block(line: str) -> str:
    """The line without the mark of a code block, and with a heading of level two instead of a title."""
    line = _BREAK.sub(" ", line)
    if _FENCE.fullmatch(line):
        return ""
    if _UNDERLINE.fullmatch(line):
        return line.replace("=", "-")
    return _TITLE.sub(r"\1##", line, count=1) if _TITLE.match(line) else line


def _inline(line: str, tables: bool) -> str:
    """Code spans stay when they begin and end in this line and no cell of a table can cut them in two."""
    out: list[str] = []
    at = 0
    while at < len(line):
        character = line[at]
        if character == "\\" and at + 1 < len(line):
            out.append(_escaped(line[at + 1]))
            at += 2
        elif character == "`":
            run = _TICKS.match(line, at)
            assert run is not None
            end = _closing(line, run.end(), len(run[0]))
            inside = line[run.end() : end] if end else ""
            if end and not (tables and "|" in inside):
                out.append(run[0] + inside + run[0])
                at = end + len(run[0])
            else:
                out.append("\\`" * len(run[0]))
                at = run.end()
        else:
            special = _SPECIAL.search(line, at + 1)
            stop = special.start() if special else len(line)
            out.append(_plain(line[at:stop]))
            at = stop
    return "".join(out)


def _closing(line: str, start: int, length: int) -> int:
    """Where the run of exactly so many backticks stands that closes a code span; 0 when there is none."""
    return next((run.start() for run in _TICKS.finditer(line, start) if len(run[0]) == length), 0)


def _escaped(character: str) -> str:
    return "&lt;" if character == "<" else "\\" + character


def _plain(text: str) -> str:
    text = _ENTITY.sub("&amp;", text).replace("<", "&lt;")
    text = re.sub(r"[\[\]]|!(?=\[)", r"\\\g<0>", text)
    return _ADDRESS.sub(r"\\\g<0>", text)
