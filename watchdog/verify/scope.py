"""What a sentence, a cell or a heading speaks of, and which of its numbers belong to which of its subjects.

In: the pieces of a report and the names of a document. Out: for each piece its `Segment`s, each with a `Scope`. A sentence
that names two subjects is cut between them, at the last comma, "and" or "while"; one that names none speaks of what the
sentence before, the list item above, the row or the heading speaks of.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from typing import Literal

from watchdog.verify import cues
from watchdog.verify.facts import Facts
from watchdog.verify.names import Mention, Names
from watchdog.verify.numbers import Masked, Moment, Number
from watchdog.verify.structure import Piece

Token = Number | Moment | Masked
How = Literal["own", "weak", "row", "before", "parent", "heading", "earlier", "none"]


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The results spoken of. `tables` are spoken of as wholes; `parts` are the subjects that were named apart."""

    results: frozenset[int] = frozenset()
    tables: tuple[str, ...] = ()
    how: How = "none"
    parts: tuple[frozenset[int], ...] = ()
    unknown: str = ""  # a name that the document does not know
    checks: frozenset[str] = frozenset()  # a check was named outright

    @property
    def empty(self) -> bool:
        return not self.results and not self.tables and not self.unknown


NOTHING = Scope()


@dataclass(slots=True, eq=False)
class Segment:
    piece: Piece
    start: int
    end: int
    scope: Scope
    tokens: list[Token]
    anchors: list[Mention]


@dataclass(slots=True, eq=False)
class Line:
    """A piece with all that was found in it."""

    piece: Piece
    mentions: list[Mention]
    tokens: list[Token]
    inherited: Scope = NOTHING
    whole: Scope = NOTHING  # of everything named in it
    segments: list[Segment] = field(default_factory=list)
    row_text: str = ""  # cells: the text of the row
    heading_text: str = ""
    advice: bool | None = None  # None: not looked at yet


_CUT = re.compile(
    r"(?P<strong>;|；|\bwhile\b|\bwhereas\b|\bbut\b|\bhowever\b|\bwährend\b|\baber\b|\bsowie\b|\btandis que\b"
    r"|\bmais\b|而|但|另|此外|\band also\b|\. )"
    r"|(?P<and>\band\b|\bund\b|\bet\b|&|和|与|及|以及|、|\+| / |\bplus\b|\bfollowed by\b|\bthen\b|\bas well as\b"
    r"|\bor\b|\boder\b|\bou\b|\bvs\.?(?=\s)|\bversus\b)|(?P<comma>,|，|[)）\]】]|: |：| [–—-] )"
)
_JOIN = re.compile(
    r"^[\s,，、;:\"'“”)\]]*(?:(?:in|on|of|for|the|both|column|columns|table|from|auf|von|bei|in der|dans|de|pour|la"
    r"|colonne|spalte|sur|les|列|字段|表|的)\s*)*"
    r"(?:(?:,|，|、|and|und|et|&|和|与|及|以及|or|oder|ou|/|\+|plus|as well as|sowie|ainsi que|vs\.?|versus"
    r"|compared (?:with|to)|with|than|als|que|到|→|->|to|mit|avec)[\s,]*)?"
    r"(?:(?:in|on|of|for|the|both|column|columns|table|from|auf|von|bei|in der|dans|de|pour|la|colonne|spalte|sur"
    r"|les|that of|those of|表|列|字段|的)\s*)*[\s\"'“”(\[]*$",
    re.IGNORECASE,
)
ORDERED = re.compile(
    r"\brespectively\b|\bin that order\b|分别|依次|\bbeziehungsweise\b|\bjeweils\b|\brespectivement\b", re.IGNORECASE
)


class Reader:
    """Reads the pieces in order and remembers what was spoken of."""

    def __init__(self, facts: Facts, names: Names) -> None:
        self.facts = facts
        self.names = names
        self.block_scope: dict[int, Scope] = {}
        self.heading_scope: dict[int, Scope] = {}
        self.last_block = -1
        self.earlier = NOTHING  # the last subject under this heading

    def read(self, pieces: list[Piece], tokens: list[list[Token]]) -> list[Line]:
        lines: list[Line] = []
        n = 0
        while n < len(pieces):
            piece = pieces[n]
            if piece.kind == "cell":
                end = n
                while end < len(pieces) and pieces[end].kind == "cell" and pieces[end].row == piece.row:
                    end += 1
                lines += self._row(pieces[n:end], tokens[n:end])
                n = end
            else:
                lines.append(self._sentence(piece, tokens[n]))
                n += 1
        return lines

    # ------------------------------------------------------------ sentences and headings

    def _sentence(self, piece: Piece, tokens: list[Token]) -> Line:
        mentions = self.names.mentions(piece)
        inherited = self._inherited(piece)
        line = Line(piece, mentions, tokens, inherited, heading_text=" ".join(h.text for h in piece.headings))
        line.whole = self.resolve(mentions, inherited)
        line.segments = self._segments(line)
        scope = line.whole
        if piece.kind == "heading":
            self.heading_scope[id(piece)] = scope
            self.earlier = NOTHING
        if not scope.empty and scope.how == "own":
            last = next((s.scope for s in reversed(line.segments) if s.scope.how == "own"), scope)
            if piece.kind != "heading":
                self.earlier = last
                if piece.block in self.block_scope and not piece.parents:
                    self.block_scope[piece.block] = last
                else:
                    self.block_scope.setdefault(piece.block, scope)
                    self._latest = (piece.block, last)
        return line

    _latest: tuple[int, Scope] = (-1, NOTHING)

    def _inherited(self, piece: Piece) -> Scope:
        """Nearest first: the sentence before, the list item above, the headings, what was spoken of before."""
        block, scope = self._latest
        if piece.kind != "heading" and block == piece.block and not scope.empty:
            return _as(scope, "before")
        same = self.block_scope.get(piece.block)
        if piece.kind != "heading" and same is not None:
            return _as(same, "before")
        for above in reversed(piece.parents):
            found = self.block_scope.get(above)
            if found is not None and above != piece.block:
                return _as(found, "parent")
        for heading in reversed(piece.headings):
            found = self.heading_scope.get(id(heading))
            if found is not None and not found.empty and found.how == "own":
                return _as(found, "heading")
        if piece.kind != "heading" and not self.earlier.empty:
            return _as(self.earlier, "earlier")
        return NOTHING

    def _row(self, cells: list[Piece], tokens: list[list[Token]]) -> list[Line]:
        inherited = self._inherited(cells[0])
        each = [self.names.mentions(cell) for cell in cells]
        scope = self.resolve([m for found in each for m in found], inherited)
        if scope.how == "own":
            scope = _as(scope, "row")
        text = " | ".join(cell.text for cell in cells)
        made = []
        for cell, mentions, found in zip(cells, each, tokens, strict=True):
            line = Line(cell, mentions, found, inherited, scope, row_text=text,
                        heading_text=" ".join(h.text for h in cell.headings))  # fmt: skip
            own = self.resolve(mentions, scope) if any(m.strong for m in mentions) else NOTHING
            use = scope
            if own.results and len(scope.parts) > 1:
                use = _as(own, "row")
            line.segments = [Segment(cell, cell.start, cell.end, use, found, mentions)]
            made.append(line)
        return made

    # ------------------------------------------------------------ from names to results

    def resolve(self, mentions: list[Mention], inherited: Scope) -> Scope:
        if not mentions:
            return inherited
        facts = self.facts
        strong = [m for m in mentions if m.strong]
        unknown = next((m.text for m in strong if m.kind == "unknown"), "")
        tables = list(dict.fromkeys(m.table for m in mentions if m.kind == "table" and m.table))
        parts: list[frozenset[int]] = []
        checks: set[str] = set()
        base: set[int] = set()
        for m in mentions:
            if m.kind in ("result", "place"):
                base |= m.results
                parts.append(m.results)
            elif m.kind == "check" and m.strong:
                checks |= {facts.results[n].check for n in m.results}
        near = set(tables) or {facts.results[n].table for n in base} or self._near_tables(inherited)
        strong_columns = [m for m in mentions if m.kind == "column" and m.strong]
        weak_columns = [m for m in mentions if m.kind == "column" and not m.strong]
        for m in strong_columns or ([] if base else weak_columns):
            within = frozenset(n for n in m.results if facts.results[n].table in near) if near else m.results
            if not within and m.strong:
                within = m.results
            if within and not (base and within & base):
                base |= within
                parts.append(within)
        if base and tables and not any(m.kind in ("result", "place") for m in mentions) and not strong_columns:
            base, parts = set(), []  # a plain word that is a column's name narrows its own clause, not the sentence
        if base:
            spoken = {facts.results[n].table for n in base}
            rest = [t for t in tables if t not in spoken and not self._told_by(base, t)]
            parts = _distinct(parts)
            if rest and any(m.strong and m.table in rest for m in mentions if m.kind == "table"):
                parts += [self._of_table(t) for t in rest]
                base |= {n for t in rest for n in self._of_table(t)}
            else:
                rest = []
            scope = Scope(frozenset(base), tuple(rest), "own" if strong or not weak_columns else "weak", tuple(parts), unknown,
                          frozenset(checks))  # fmt: skip
        elif tables:
            whole = {n for t in tables for n in self._of_table(t)}
            firm = any(m.strong for m in mentions if m.kind == "table")
            scope = Scope(frozenset(whole), tuple(tables), "own" if firm else "weak",
                          tuple(self._of_table(t) for t in tables), unknown, frozenset(checks))  # fmt: skip
        elif checks:
            those = {n for m in mentions if m.kind == "check" and m.strong for n in m.results}
            within = frozenset(those & inherited.results)
            scope = Scope(
                within or frozenset(those), (), inherited.how if within else "own", (), unknown, frozenset(checks)
            )
            if within:
                scope = Scope(within, (), inherited.how, inherited.parts, unknown, frozenset(checks))
        elif unknown:
            return Scope(how="own", unknown=unknown)
        else:
            return inherited
        if checks and scope.results:
            narrowed = frozenset(n for n in scope.results if facts.results[n].check in checks)
            if narrowed:
                kept = tuple(p & narrowed for p in scope.parts if p & narrowed)
                scope = Scope(narrowed, scope.tables, scope.how, kept, unknown, scope.checks)
        if scope.how == "weak" and inherited.results & scope.results:
            return Scope(scope.results, scope.tables, "weak", scope.parts, unknown, scope.checks)
        return scope

    def _near_tables(self, scope: Scope) -> set[str]:
        return set(scope.tables) or {self.facts.results[n].table for n in scope.results}

    def _of_table(self, table: str) -> frozenset[int]:
        known = self.names.known.get(table)
        return (
            known[1]
            if known and known[0] == "table"
            else frozenset(n for n, s in enumerate(self.facts.results) if s.table == table)
        )

    def _told_by(self, results: set[int], table: str) -> bool:
        """True when what these results say names the table: the parent of a relationship."""
        return any(re.search(rf"\b{re.escape(table)}\b", self.facts.results[n].words) for n in results)

    # ------------------------------------------------------------ cutting sentences

    def _segments(self, line: Line) -> list[Segment]:
        piece = line.piece
        anchors = self._anchors(line)
        groups: list[list[tuple[Mention, frozenset[int]]]] = []
        for mention, results in anchors:
            if groups and self._same(groups[-1][-1][1], results, groups[-1][-1][0], mention):
                groups[-1].append((mention, results))
            else:
                groups.append([(mention, results)])
        made: list[Segment] = []
        at = piece.start
        led = self._led(line, *groups[0][0]) if groups else None
        if led is not None:
            at, scope = led
            made = [Segment(piece, piece.start, at, scope, [t for t in line.tokens if t.start < at], [])]
        if len(groups) <= 1:
            rest = [t for t in line.tokens if t.start >= at] if made else line.tokens
            return [*made, Segment(piece, at, piece.end, line.whole, rest, line.mentions)]
        plain = piece.source.plain
        cuts = []
        for left, right in itertools.pairwise(groups):
            cuts.append(_cut(plain, left[-1][0].end, right[0][0].start, line.tokens))
        edges = [at, *cuts, piece.end]
        spans = [[edges[i], edges[i + 1], [groups[i]]] for i in range(len(groups))]
        merged: list[list[object]] = []
        for n, span in enumerate(spans):
            if merged:
                before = merged[-1]
                left_end = groups[n - 1][-1][0].end
                right_start = groups[n][0][0].start
                between = plain[left_end:right_start]
                bare_left = not _counting(line.tokens, before[0], before[1])
                bare_right = not _counting(line.tokens, span[0], span[1])
                if (bare_left or bare_right) and _JOIN.match(between):
                    before[1] = span[1]
                    before[2] = [*before[2], *span[2]]  # type: ignore[misc]
                    continue
            merged.append(span)
        for start, end, inside in merged:
            mentions = [m for m in line.mentions if start <= m.start < end]  # type: ignore[operator]
            scope = self.resolve(mentions, line.inherited)
            tokens = [t for t in line.tokens if start <= t.start < end]  # type: ignore[operator]
            made.append(Segment(piece, start, end, scope, tokens, [g[0][0] for g in inside]))  # type: ignore[arg-type, attr-defined]
        return made

    def _led(self, line: Line, anchor: Mention, results: frozenset[int]) -> tuple[int, Scope] | None:
        """The words before the first name, where they speak of another finding: "E-mail NULLs rose by 48, and in `x.y` ..."."""
        piece, plain = line.piece, line.piece.source.plain
        cuts = [m.start() for m in _CUT.finditer(plain, piece.start, anchor.start) if m["strong"] or m["and"]]
        if not cuts:
            return None
        cut = cuts[-1]
        checks = frozenset().union(*cues.checks_in(plain[piece.start : cut]))
        columns = [m.results for m in line.mentions if m.kind == "column" and not m.strong and m.start < cut]
        if not checks or not columns or not _counting(line.tokens, piece.start, cut):
            return None
        if any(self.facts.results[n].check in checks for n in results):
            return None
        named = frozenset().union(*columns)
        found = frozenset(
            n for n in named if self.facts.results[n].check in checks and self.facts.results[n].status == "failed"
        )
        return (cut, Scope(found, (), "weak")) if len(found) == 1 else None

    def _anchors(self, line: Line) -> list[tuple[Mention, frozenset[int]]]:
        near = set(line.whole.tables) or self._near_tables(line.inherited)
        named = {m.table for m in line.mentions if m.kind == "table"}
        anchors: list[tuple[Mention, frozenset[int]]] = []
        for m in line.mentions:
            if m.kind in ("result", "place") and m.results:
                anchors.append((m, m.results))
            elif m.kind == "column" and m.strong:
                tables = named or near
                within = frozenset(n for n in m.results if self.facts.results[n].table in tables)
                anchors.append((m, within or m.results))
            elif m.kind == "unknown" and m.strong:
                anchors.append((m, frozenset()))
        spoken = {self.facts.results[n].table for _, results in anchors for n in results}
        base = {n for _, results in anchors for n in results}
        for m in line.mentions:
            if (
                m.kind == "table"
                and (m.strong or not anchors)
                and m.table not in spoken
                and not self._told_by(base, m.table)
            ):
                anchors.append((m, self._of_table(m.table)))
        anchors.sort(key=lambda a: a[0].start)
        return anchors

    @staticmethod
    def _same(a: frozenset[int], b: frozenset[int], first: Mention, second: Mention) -> bool:
        if first.kind == "unknown" or second.kind == "unknown":
            return first.text == second.text
        if first.kind == "result" and second.kind == "result":
            return a == b
        return bool(a & b)


def _counting(tokens: list[Token], start: object, end: object) -> bool:
    return any(isinstance(t, Number) and start <= t.start < end for t in tokens)  # type: ignore[operator]


def _cut(plain: str, start: int, end: int, tokens: list[Token]) -> int:
    """Where the text between two subjects is cut: behind the last separator of the strongest kind there is."""
    numbers = [t for t in tokens if isinstance(t, Number) and start <= t.start < end]
    best: dict[str, int] = {}
    for match in _CUT.finditer(plain, start, end):
        if any(t.start <= match.start() < t.end for t in numbers):
            continue
        kind = match.lastgroup or ""
        best[kind] = match.end() if kind == "comma" else match.start()
    for kind in ("strong", "and", "comma"):
        if kind in best:
            return best[kind]
    return start if not numbers else end if numbers[-1].start - start < end - numbers[-1].end else start


def _distinct(parts: list[frozenset[int]]) -> list[frozenset[int]]:
    """Parts that mean the same subject count once; a narrower one stands for a wider."""
    kept: list[frozenset[int]] = []
    for part in parts:
        for n, other in enumerate(kept):
            if part & other:
                kept[n] = part if len(part) < len(other) else other
                break
        else:
            kept.append(part)
    return kept


def _as(scope: Scope, how: How) -> Scope:
    return (
        Scope(scope.results, scope.tables, how, scope.parts, scope.unknown, scope.checks)
        if not scope.empty
        else NOTHING
    )


def level_of(match: re.Match[str] | None) -> str:
    """The severity that one of the SAID_SEVERITY patterns found, "" for none."""
    if match is None:
        return ""
    for name, found in match.groupdict().items():
        if found:
            return {"h": "high", "m": "medium", "l": "low", "i": "info"}[name[0]]
    return ""


def noun_behind(text: str) -> tuple[str, str]:
    """The kind of thing that is counted by a number in front of `text`, and the noun; ("", "") when no known one follows."""
    rest = text[cues.SKIP_WORDS.match(text).end() :]  # type: ignore[union-attr]
    for kind, pattern in cues.NOUNS:
        match = pattern.match(rest)
        if match:
            return kind, match[0]
    return "", ""
