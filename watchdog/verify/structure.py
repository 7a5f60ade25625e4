"""The sentences, cells and headings of a Markdown text, each with its place and with what stands above it.

In: the text of a report. Out: `Piece`s in reading order. What is a name and no number (code spans, links, addresses, html
tags, comments) is replaced by U+FFFC, one for each character; markers of emphasis are taken out, so that `2,6**94**` is
one number. `Piece.place(i)` leads from a character back to its line and column in the source. Work grows linearly with
the text, whatever it holds.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING, Literal

from watchdog.verify.text import normal

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

NAME = "\ufffc"  # stands for one character of a name
NESTED = 20  # levels of lists and quotes that are followed

_SPECIAL = re.compile(r"[`<>\[\]&\\*_~:@]|www\.")
_INLINE = re.compile(
    r"(?P<ticks>`+)"
    r"|(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<comment><!--.{0,5000}?(?:-->|\Z))"
    r"|(?P<tag></?[A-Za-z][^<>\n]{0,500}>)"
    r"|(?P<address>(?:\b[a-z][a-z0-9+.-]{1,10}://|\bwww\.)[^\s<>\"'`，。；）\])]{1,2000})"
    r"|(?P<mail>[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64})"
    r"|(?P<target>\]\([^()\n]{0,2000}\))"
    r"|(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|(?P<marks>\*+|~~|(?<![^\W_])_+(?=\S)|(?<=\S)_+(?![^\W_]))",
    re.DOTALL,
)
# a code span that holds a number and not a name: `2649`, `5.8 %`, `2,649 rows`, `count = 2649`
_ONLY_NUMBER = re.compile(r"\s*(?:[A-Za-z_]+\s*[=:]\s*)?[-+~≈]?\s*[$€]?\s*\d[\d.,\s'_]*(?:[%‰]|\s*[^\W\d_]{1,20})?\s*")
_SQL = re.compile(
    r"\b(select|where|from|limit|update|delete|insert|null|like|between|order by|group by|count\()\b", re.I
)
_END = re.compile(r"(?:[.!?…]+[\"'”’)\]]*(?=\s)|[。！？]+[\"'”’」』）)]*|[；;](?=\s|[^\x00-\x7f]))")
_SHORT = re.compile(
    r"(?:\b(?:e\.g|i\.e|approx|ca|vs|no|nr|z\.\s?b|d\.\s?h|u\.\s?a|bzw|mio|mrd|env|p\.\s?ex|inkl|vgl|ggf|evtl|cf|tsd|resp|incl)"
    r"|\b[A-Za-z])\.$",
    re.IGNORECASE,
)
_MONTH = re.compile(r"\s+(?:jan|feb|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:§\s*)?\d+(?:\.\d+)*(?:[.)、．:]\s*|\s+(?=[^\W\d]))")


@dataclass(slots=True, eq=False)
class Name:
    """A name as it was written, and where its U+FFFC stand."""

    start: int
    end: int
    text: str
    code: bool  # a code span; else an address


@dataclass(slots=True, eq=False)
class Source:
    """The run of text that pieces are cut from, with the way back to the source."""

    plain: str
    names: list[Name]
    hidden: tuple[int, ...]
    _where: list[int] | tuple[int, ...] | None  # index in the content; None = the same
    _starts: list[int]  # index in the content at which each of its lines begins
    _places: list[tuple[int, int]]  # (line, column) of those beginnings

    def place(self, index: int) -> tuple[int, int]:
        at = index if self._where is None else self._where[min(index, len(self._where) - 1)]
        n = bisect_right(self._starts, at) - 1
        line, column = self._places[n]
        return line, column + at - self._starts[n]


@dataclass(slots=True, eq=False)
class Piece:
    """A sentence, a table cell or a heading: `source.plain[start:end]`."""

    kind: Literal["heading", "sentence", "cell"]
    source: Source
    start: int
    end: int
    block: int
    headings: tuple[Piece, ...] = ()
    parents: tuple[int, ...] = ()  # the blocks of the list items above it
    row: int = -1  # cells: which row of the report, which column
    column: int = -1
    header: str = ""  # the head of its column
    level: int = 0  # headings
    items: int = 0  # entries of the list that follows its block
    last: bool = False  # the last of its block
    item: int = -1  # number of the list item it stands in
    names: list[Name] = field(default_factory=list)

    @property
    def text(self) -> str:
        return self.source.plain[self.start : self.end]

    def place(self, index: int) -> tuple[int, int]:
        return self.source.place(index)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"maxNesting": NESTED}).enable("table").disable("inline")


def pieces(report: str) -> list[Piece]:
    """All pieces of a report, in reading order. Fenced code that is prose counts as lines of text."""
    return _Reader(report).pieces


class _Reader:
    def __init__(self, report: str) -> None:
        self.lines = report.split("\n")
        self.pieces: list[Piece] = []
        self.fences: list[tuple[int, int]] = []
        self.headings: list[Piece] = []
        self.items: list[int] = []  # the first block of each list item we are in
        self.item = -1
        self.lists: list[list[int]] = []  # [block before it, number of items]
        self.block = 0
        self.before = -1
        self.row = -1
        self.head: list[str] = []
        self.cells = 0
        self.in_head = self.in_cell = False
        self.cursor = 0
        self.heading = 0
        self._read(_parser().parse(report))

    def _read(self, tokens: list[Token]) -> None:
        counts: dict[int, int] = {}
        for token in tokens:
            kind = token.type
            if kind == "inline":
                self._inline(token)
            elif kind == "heading_open":
                self.heading = int(token.tag[1])
            elif kind == "heading_close":
                self.heading = 0
            elif kind in ("bullet_list_open", "ordered_list_open"):
                self.lists.append([self.block, 0])
            elif kind in ("bullet_list_close", "ordered_list_close"):
                before, number = self.lists.pop()
                counts.setdefault(before, number)
            elif kind == "list_item_open":
                if self.lists:
                    self.lists[-1][1] += 1
                self.items.append(self.block + 1)
                self.item += 1
            elif kind == "list_item_close":
                self.items.pop()
            elif kind == "thead_open":
                self.in_head, self.head = True, []
            elif kind == "thead_close":
                self.in_head = False
            elif kind in ("th_open", "td_open"):
                self.in_cell = True
            elif kind in ("th_close", "td_close"):
                self.in_cell = False
            elif kind == "tr_open":
                self.row += 1
                self.cells, self.cursor = 0, 0
                self.block += 1
            elif kind in ("fence", "code_block"):
                self._fence(token)
            elif kind == "html_block":
                self._lines(token, tagged=True)
        for piece in self.pieces:
            piece.items = counts.get(piece.block, 0) if piece.last else 0

    def _inline(self, token: Token) -> None:
        first = token.map[0] if token.map else 0
        content = token.content
        if self.in_cell:
            self._cell(content, first)
            return
        self.block += 1
        source = self._source(content, first)
        start = 0
        if self.heading:
            numbered = _NUMBERED.match(source.plain)
            start = numbered.end() if numbered else 0
            while self.headings and self.headings[-1].level >= self.heading:
                self.headings.pop()
        self._cut(source, start, "heading" if self.heading else "sentence")

    def _fence(self, token: Token) -> None:
        first, last = token.map or (0, 0)
        if token.info.strip() or _SQL.search(token.content):
            self.fences.append((first + 1, last))
        else:
            self._lines(token, tagged=False)

    def _lines(self, token: Token, *, tagged: bool) -> None:
        first = (token.map[0] if token.map else 0) + (1 if token.type == "fence" else 0)
        self.block += 1
        for n, line in enumerate(token.content.split("\n")):
            if line.strip():
                self._cut(self._source(line, first + n), 0, "sentence")

    def _cell(self, content: str, line: int) -> None:
        column, self.cells = self.cells, self.cells + 1
        source = self._source(content, line, self.cursor)
        self.cursor = source._places[0][1] + len(content)
        if self.in_head:
            self.head.append(source.plain.strip())
            return
        header = self.head[column] if column < len(self.head) else ""
        self._cut(source, 0, "cell", column=column, header=header)

    def _cut(self, source: Source, start: int, kind: Literal["heading", "sentence", "cell"], *, column: int = -1,
             header: str = "") -> None:  # fmt: skip
        plain = source.plain
        ends = [] if kind == "cell" else _ends(plain, start)
        made: list[Piece] = []
        for end in [*ends, len(plain)]:
            if plain[start:end].strip():
                piece = Piece(
                    kind, source, start, end, self.block, tuple(self.headings), tuple(self.items[-NESTED:]),
                    self.row if kind == "cell" else -1, column, header, self.heading,
                    item=self.item if self.items else -1,
                )  # fmt: skip
                made.append(piece)
            start = end
        if not made:
            return
        made[-1].last = True
        if source.names:
            for piece in made:
                piece.names = [n for n in source.names if piece.start <= n.start < piece.end]
        self.pieces += made
        if kind == "heading":
            self.headings.append(made[0])

    def _source(self, content: str, first: int, cursor: int = 0) -> Source:
        starts, places, at = [], [], 0
        for n, line in enumerate(content.split("\n")):
            number = first + n
            whole = self.lines[number] if number < len(self.lines) else ""
            column = whole.find(line, cursor if n == 0 else 0) if line else 0
            if column < 0:
                column = max(whole.find(line[:8].strip(), cursor if n == 0 else 0), 0)
            starts.append(at)
            places.append((number + 1, column))
            at += len(line) + 1
        if content.isascii() and not _SPECIAL.search(content):
            return Source(content, [], (), None, starts, places)
        clean, kept, names = _inline(content)
        text = normal(clean)
        where: list[int] | tuple[int, ...] | None = text.where
        if kept is not None:
            where = [kept[min(i, len(kept) - 1)] for i in text.where]
        if names and text.plain != clean:  # a name's place moves with the characters before it
            index = {old: new for new, old in reversed(list(enumerate(text.where)))}
            for name in names:
                name.start, name.end = index.get(name.start, name.start), index.get(name.end, name.end)
        return Source(text.plain, names, text.hidden, where, starts, places)


def _ends(plain: str, start: int) -> list[int]:
    found = []
    for match in _END.finditer(plain, start):
        end = match.end()
        if match[0][0] == ".":
            before = plain[max(start, match.start() - 8) : match.start() + 1]
            if _SHORT.search(before):
                continue
            following = plain[end : end + 12].lstrip()
            if following[:1].islower() or (before[-2:-1].isdigit() and _MONTH.match(plain, end)):
                continue
        found.append(end)
    return found


def _inline(content: str) -> tuple[str, list[int] | None, list[Name]]:
    """The content without its inline marks, for each character its place in the content (None = the same), its names."""
    out: list[str] = []
    kept: list[int] = []
    names: list[Name] = []
    at = length = 0
    runs: dict[int, list[int]] | None = None

    def keep(text: str, origin: int) -> None:
        nonlocal length
        out.append(text)
        kept.extend(range(origin, origin + len(text)))
        length += len(text)

    def replace(text: str, origin: int, width: int) -> None:
        nonlocal length
        out.append(text)
        kept.extend(min(origin + i, origin + width - 1) for i in range(len(text)))
        length += len(text)

    while True:
        match = _INLINE.search(content, at)
        if match is None:
            keep(content[at:], at)
            break
        keep(content[at : match.start()], at)
        at = match.end()
        kind = match.lastgroup
        whole = match[0]
        if kind == "ticks":
            if runs is None:
                runs = {}
                for run in re.finditer("`+", content):
                    runs.setdefault(len(run[0]), []).append(run.start())
            closing = runs[len(whole)]
            n = bisect_right(closing, match.start())
            if n >= len(closing):
                keep(whole, match.start())
                continue
            inner = content[at : closing[n]]
            if _ONLY_NUMBER.fullmatch(inner) and not _SQL.search(inner):
                replace(" ", match.start(), len(whole))
                keep(inner, at)
                replace(" ", closing[n], len(whole))
            else:
                names.append(Name(length, length + len(inner), inner.replace("\n", " ").strip(), True))
                keep(NAME * len(inner), at)
            at = closing[n] + len(whole)
        elif kind == "escape":
            keep(whole[1], match.start() + 1)
        elif kind == "entity":
            replace(unescape(whole), match.start(), len(whole))
        elif kind == "marks":
            continue
        elif kind in ("address", "mail"):
            names.append(Name(length, length + len(whole), whole, False))
            keep(NAME * len(whole), match.start())
        elif kind == "target":
            keep(" ", match.start())
        else:  # a tag or a comment is not shown
            replace(" ", match.start(), len(whole))
    kept.append(len(content))
    return "".join(out), kept, names
