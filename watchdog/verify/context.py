"""One sentence, cell or heading while its numbers are judged: which facts its words admit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from watchdog.model import Fact
from watchdog.verify import cues, totals
from watchdog.verify.facts import LEVELS, Subject
from watchdog.verify.names import Names
from watchdog.verify.numbers import Number, tokens
from watchdog.verify.scope import Line, Segment
from watchdog.verify.seen import BASE, HISTORY, Seen, truth_in
from watchdog.verify.text import normal
from watchdog.verify.totals import made_fact

if TYPE_CHECKING:
    from watchdog.verify.judge import Judge

_FINDINGS_NAMED = re.compile(
    r"\b(?:findings?|issues?|problems?|befunde?n?|probleme?n?|constats?|problèmes?)\b|问题|发现|告警", re.IGNORECASE
)
_FINDING_WORD = re.compile(r"finding|发现|befund|constat|alert|告警", re.IGNORECASE)


class Context:
    """One segment, and the facts that its words admit."""

    def __init__(self, line: Line, segment: Segment, judge: Judge) -> None:
        self.line, self.segment, self.judge = line, segment, judge
        self.facts = judge.facts
        piece = line.piece
        self.piece_text = piece.text
        # a cue may stand in the sentence, the head of the column or the heading
        self.text = f"{piece.text} {piece.header} {line.heading_text}"
        self.advice = judge.is_advice(line)
        self.several = len(segment.scope.parts) > 1 or len(line.whole.parts) > 1
        self.headers = line.row_text
        self.pairs: list[tuple[Number, Number]] = []  # N of M
        self._cues: dict[str, bool] = {}
        self._lists: dict[tuple[object, ...], list[Fact]] = {}
        self._narrow: dict[tuple[str, int], frozenset[int]] = {}
        self.limits = frozenset(
            ("threshold", "allowed_min", "allowed_max", "expected", "min", "max", "equals", "stated")
        ) | frozenset(
            f.kind
            for n in segment.scope.results
            for f in self.facts.results[n].facts
            if f.kind.startswith(("max_", "min_", "allowed"))
        )

    @property
    def subject(self) -> str:
        return self.judge.subject_of(self.segment.scope)

    def cue(self, name: str) -> bool:
        if name not in self._cues:
            self._cues[name] = bool(getattr(cues, name).search(self.text))
        return self._cues[name]

    def has(self, kinds: frozenset[str]) -> bool:
        return any(f.kind in kinds for n in self.segment.scope.results for f in self.facts.results[n].facts)

    @property
    def history_or_two(self) -> bool:
        """Something is compared here: with an earlier run, or with another subject."""
        return self.several or (self.has(HISTORY) and self.cue("PAST"))

    def near(self, number: Number) -> str:
        """The clause around a number; a number in brackets belongs to the clause that they stand in."""
        start, end = self._clause(number)
        text = self.line.piece.source.plain[start:end]
        return text if len(text) > 12 else self.line.piece.source.plain[self.segment.start : self.segment.end]

    def _clause(self, number: Number) -> tuple[int, int]:
        plain = self.line.piece.source.plain
        start, end = self.segment.start, self.segment.end
        left = max((plain.rfind(mark, start, number.start) for mark in ",，;；、(（。"), default=-1)
        if left >= 0 and plain[left] in "(（":
            left = max((plain.rfind(mark, start, left) for mark in ",，;；、。"), default=-1)
        right, opened = (
            number.end,
            plain[max(left, start) : number.start].count("(") + plain[max(left, start) : number.start].count("（"),
        )
        while right < end and plain[right] not in ",，;；、":
            if plain[right] in ")）":
                opened -= 1
                if opened < 0:
                    break
            right += 1
        return max(left + 1, start), right

    def narrowed(self, number: Number) -> frozenset[int]:
        """The results of the scope that the words of a check leave; all of them when they leave none.

        The clause around the number decides, else the nearest words before it, else those behind it.
        """
        results = self.segment.scope.results
        if len(results) < 2 or self.segment.scope.checks:
            return results
        key = ("narrowed", number.start)
        if key not in self._narrow:
            self._narrow[key] = self._narrowed(number, results)
        return self._narrow[key]

    def _narrowed(self, number: Number, results: frozenset[int]) -> frozenset[int]:
        plain = self.line.piece.source.plain
        start, end = self._clause(number)
        following = next(
            (t.start for t in self.segment.tokens if isinstance(t, Number) and t.start >= end), self.segment.end
        )
        clauses = [(start, end)]
        at = self.segment.start
        for match in re.finditer(r"[,，;；、。]|$", plain[at:start]):
            clauses.insert(1, (at, self.segment.start + match.start()))
            at = self.segment.start + match.end()
        clauses.append((end, following))
        for first, last in clauses:
            kept = self._by_clause(plain[first:last], first, last, results)
            if kept != results:
                return kept
        return self._by_clause(self.line.row_text, 0, 0, results)

    def _by_clause(self, text: str, start: int, end: int, results: frozenset[int]) -> frozenset[int]:
        """Those results whose column or check the words name; all when they name none."""
        named = [m.results for m in self.line.mentions if m.kind == "column" and start <= m.start < end]
        kept = results & frozenset().union(*named) or results
        checks = frozenset().union(*cues.checks_in(text)) if text else frozenset()
        return frozenset(n for n in kept if self.facts.results[n].check in checks) or kept

    def rounds(self, seen: Seen, only: frozenset[int] | None = None) -> Iterator[list[Fact]]:
        """Lists of facts that the number may say, the likeliest list first."""
        yield from self._rounds(seen, only)
        yield self._of_pair(seen)
        yield self._told_before(seen)
        yield self._by_check(seen)
        if (
            seen.noun == ""
            and not seen.number.unit
            and self.segment.scope.tables
            and _FINDINGS_NAMED.search(self.piece_text)
        ):
            yield totals.finding_counts(self, seen, None)

    def _of_pair(self, seen: Seen) -> list[Fact]:
        """34 of 49 checks passed (69%)."""
        number = seen.number
        if number.unit not in ("percent", "permille") and number.form not in ("fraction", "one_in", "tenths"):
            return []
        made = []
        for part, whole in self.pairs:
            gap = max(number.start - max(part.end, whole.end), min(part.start, whole.start) - number.end)
            if gap < 60 and whole.value and part.value <= whole.value:
                made.append(made_fact("share", part.value / whole.value, "share"))
        return made

    def _told_before(self, seen: Seen) -> list[Fact]:
        """Sums of the counts that the sentences before, the list above or the column gave, where a word says "together"."""
        piece, at = self.line.piece, self.judge.at
        if seen.number.unit or seen.noun not in ("rows", ""):
            return []
        if piece.header:
            label = self.line.row_text.split(" | ")[0]
            if not cues.TOGETHER.search(label):
                return []
            told = self.judge.told.get((piece.block, piece.header), [])
        elif cues.TOGETHER.search(self.piece_text):
            told = self.judge.told.get((piece.block, ""), []) or self._of_list(at)
        else:
            return []
        groups = [told, told[-2:], told[-1:], [t for t in told if t[0] < at], [t for t in told if t[0] < at][-1:]]
        made = []
        for group in groups:
            facts = {subjects: fact for _, counts in group for subjects, fact in counts.items()}
            values = [f.value for f in facts.values() if isinstance(f.value, Fraction)]
            if len(values) > 1:
                made.append(made_fact("sum", sum(values, Fraction(0)), "rows"))
        return made

    def _by_check(self, seen: Seen) -> list[Fact]:
        """A sentence that names no subject but a check that only one or two findings have."""
        scope = self.segment.scope
        if scope.how in ("own", "row", "weak") or seen.noun not in ("rows", ""):
            return []
        checks = frozenset().union(*cues.checks_in(self.near(seen.number)))
        if not checks or any(self.facts.results[n].check in checks for n in scope.results):
            return []
        found = frozenset(n for n, s in enumerate(self.facts.results) if s.check in checks and s.status == "failed")
        return self._admitted(self._of(found), seen) if 0 < len(found) < 3 else []

    def _of_list(self, at: int) -> list[tuple[int, dict[tuple[str, ...], Fact]]]:
        """What the items of the list right above this line gave."""
        told: list[tuple[int, dict[tuple[str, ...], Fact]]] = []
        for line in self.judge.lines[max(0, at - 30) : at]:
            if line.piece.kind == "heading":
                told = []
            elif line.piece.kind != "cell":
                told += self.judge.told.get((line.piece.block, ""), [])
        return [t for n, t in enumerate(told) if t not in told[:n]]

    def _rounds(self, seen: Seen, only: frozenset[int] | None) -> Iterator[list[Fact]]:
        scope = self.segment.scope
        if only:
            yield self._admitted(self._of(only), seen)
            return
        if seen.noun in ("tables", "checks", "findings", "columns", "runs"):
            yield totals.totals(self, seen)
            if (
                seen.noun == "findings"
                and not _FINDING_WORD.search(seen.word)
                and scope.how in ("own", "row", "before", "parent", "heading")
            ):
                yield self._admitted(self._of(self.narrowed(seen.number)), seen)
            if seen.noun == "columns" or (seen.noun == "checks" and not scope.empty):
                yield self._admitted(self._of(scope.results), seen, stated=True)
            return
        severity = totals.severity(self, seen)
        if severity and not seen.number.unit:
            yield severity
            if self.segment.scope.how in ("none", "earlier", "heading", "before"):
                return
        if not scope.empty:
            narrow = self.narrowed(seen.number)
            yield self._admitted(self._of(narrow), seen)
            if narrow != scope.results and not self.segment.scope.checks and scope.how != "own":
                yield self._admitted(self._of(scope.results), seen)
            yield self.relations(seen)
            yield self._stated(narrow)
            if seen.partner is not None:
                yield totals.totals(self, seen)
            if scope.how in ("weak", "earlier", "before", "heading", "parent") or (scope.tables and scope.how != "row"):
                inherited = self.line.inherited
                if scope.how == "weak" and not inherited.empty:
                    yield self._admitted(self._of(inherited.results), seen)
                yield totals.totals(self, seen)
                if scope.how in ("earlier", "weak") and seen.tight is None:
                    yield self._unbound(seen)
        else:
            yield totals.totals(self, seen)
            yield self.relations(seen)
            yield self._unbound(seen)

    def likely(self, seen: Seen) -> list[Fact]:
        """The facts of the subject itself."""
        if seen.noun in ("tables", "checks", "findings", "columns"):
            return totals.totals(self, seen)
        return self._admitted(self._of(self.narrowed(seen.number)), seen)

    def candidates(self, seen: Seen) -> list[Fact]:
        """All that could have been meant, for the list of what was expected."""
        scope = self.segment.scope
        if seen.noun in ("tables", "checks", "findings", "columns") or scope.empty:
            found = [f for f in totals.totals(self, seen) if f.value != 0] or totals.totals(self, seen)
            if scope.empty and seen.noun not in ("tables", "checks", "findings", "columns"):
                severity = totals.severity(self, seen)
                found = severity or found
        else:
            found = self._admitted(self._of(self.narrowed(seen.number)), seen)
            found = [*found, *self.relations(seen)]
            severity = totals.severity(self, seen)
            if severity and not seen.number.unit and scope.how not in ("own", "row"):
                found = severity
        return [f for f in found if truth_in(seen.number, f, seen.noun, loose=True) is not None]

    def _of(self, results: frozenset[int]) -> list[Fact]:
        key: tuple[object, ...] = (results, self.segment.scope.tables)
        cache = self.judge.facts_of_scope
        if key not in cache:
            found: list[Fact] = []
            tables = dict.fromkeys(
                [*self.segment.scope.tables, *(self.facts.results[n].table for n in sorted(results))]
            )
            failed = [n for n in sorted(results) if self.facts.results[n].status == "failed"]
            passed = [n for n in sorted(results) if self.facts.results[n].status != "failed"]
            for n in failed:
                found += self.facts.results[n].facts
            for n in passed:
                found += [f for f in self.facts.results[n].facts if f.value != 0 or not failed]
            for table in tables:
                found += self.facts.of(table)
            cache[key] = found
        return cache[key]

    def _admitted(self, facts: list[Fact], seen: Seen, *, stated: bool = False) -> list[Fact]:
        """Those facts that may be meant without, or because of, the words around."""
        kept = []
        for fact in facts:
            kind = fact.kind
            if kind in BASE:
                if (kind == "count" and fact.value == 0 and seen.number.value == 0) or not (
                    kind == "count" and fact.value == 0
                ):
                    kept.append(fact)
            elif kind in HISTORY:
                if self.cue("PAST") or seen.number.text.lstrip()[:1] in "+±":
                    kept.append(fact)
            elif kind in ("threshold", "excess"):
                if self.cue("LIMIT") or (seen.tight is not None and kind in seen.tight):
                    kept.append(fact)
            elif kind in ("complement", "complement_ratio"):
                if self.cue("REST") or (fact.value != 0 and not self.cue("FAULT")):
                    kept.append(fact)
            elif kind in ("not_evaluated", "not_evaluated_ratio"):
                if self.cue("ASIDE"):
                    kept.append(fact)
            elif fact.value != 0 or self.cue("RANGE") or (seen.tight is not None and kind in seen.tight):
                kept.append(fact)
        return kept

    def _stated(self, results: frozenset[int]) -> list[Fact]:
        """Numbers in what the program itself says about a result."""
        found: list[Fact] = []
        for n in sorted(results):
            if n not in self.judge.stated_of:
                self.judge.stated_of[n] = list(stated(self.facts.results[n], self.judge.names))
            found += self.judge.stated_of[n]
        return found

    def _unbound(self, seen: Seen) -> list[Fact]:
        key: tuple[object, ...] = ("unbound", self.cue("PAST"), self.cue("LIMIT"))
        if key not in self._lists:
            kept = []
            for subject in self.facts.results:
                if subject.status == "failed":
                    kept += [f for f in subject.facts if f.kind in BASE or (f.kind in HISTORY and self.cue("PAST"))
                             or (f.kind == "threshold" and self.cue("LIMIT") and f.value != 0)]  # fmt: skip
            for table in self.facts.rows:
                kept += self.facts.of(table)
            self._lists[key] = kept
        return self._lists[key]

    def relations(self, seen: Seen) -> list[Fact]:
        """Sums, gaps, ratios of the subjects that the sentence names; sums over a group that it names."""
        key: tuple[object, ...] = ("relations", seen.noun)
        if key in self._lists:
            return self._lists[key]
        whole, made = self.line.whole, []
        parts = whole.parts if len(whole.parts) > 1 else self.segment.scope.parts
        counts = [self._one(part) for part in parts]
        known = [c for c in counts if c is not None]
        text = f"{self.piece_text} {self.line.piece.header}"
        together = cues.TOGETHER.search(text)
        if len(known) == len(parts) > 1:
            values = [c.count for c in known if c.count is not None]
            if together and len(values) == len(known):
                made.append(made_fact("sum", sum(values), "rows"))
            if len(known) == 2 and len(values) == 2:
                a, b = values
                if cues.GAP.search(text):
                    made.append(made_fact("gap", abs(a - b), "rows"))
                    ratios = [c.number("ratio") for c in known]
                    if ratios[0] is not None and ratios[1] is not None:
                        made.append(made_fact("gap_share", abs(ratios[0] - ratios[1]), "points"))
                    if a and b:
                        made += [
                            made_fact("gap_percent", abs(a - b) / b, "change"),
                            made_fact("gap_percent", abs(a - b) / a, "change"),
                        ]
                if a and b:
                    made += [made_fact("times", a / b, "fold"), made_fact("times", b / a, "fold")]
                    ratios = [c.number("ratio") for c in known]
                    if ratios[0] and ratios[1]:
                        made += [
                            made_fact("times", ratios[0] / ratios[1], "fold"),
                            made_fact("times", ratios[1] / ratios[0], "fold"),
                        ]
                    made.append(made_fact("share_of_other", min(a, b) / max(a, b), "share"))
        if together or self.segment.scope.tables or self.segment.scope.empty:
            made += self._group_sums()
        self._lists[key] = made
        return made

    def _one(self, part: frozenset[int]) -> Subject | None:
        """The one failed result that a part of a sentence speaks of."""
        failed = [n for n in part if self.facts.results[n].status == "failed"]
        if len(failed) > 1:
            text = self.piece_text
            for checks in cues.checks_in(text):
                if checks:
                    kept = [n for n in failed if self.facts.results[n].check in checks]
                    if len(kept) == 1:
                        return self.facts.results[kept[0]]
            return None
        if failed:
            return self.facts.results[failed[0]]
        return self.facts.results[min(part)] if len(part) == 1 else None

    def _group_sums(self) -> list[Fact]:
        made: list[Fact] = []
        failed = [s for s in self.facts.findings if s.count is not None]
        scope = self.segment.scope
        groups: list[list[Subject]] = []
        tables = set(scope.tables) or {self.facts.results[n].table for n in scope.results}
        if tables:
            groups.append([s for s in failed if s.table in tables])
            if scope.results:
                groups.append([s for s in failed if any(self.facts.results[n] is s for n in scope.results)])
        else:
            groups.append(failed)
        levels = {level for level in LEVELS if re.search(dict(cues.SEVERITIES)[level], self.piece_text, re.I)}
        if levels:
            groups += [[s for s in group if s.severity in levels] for group in list(groups)] + [
                [s for s in failed if s.severity in levels]
            ]
        for checks in cues.checks_in(self.piece_text):
            if checks:
                groups += [[s for s in group if s.check in checks] for group in list(groups)]
        for group in groups:
            if len(group) > 1:
                total = sum(s.count for s in group if s.count is not None)
                if total:
                    made.append(made_fact("sum", total, "rows"))
        return made


def in_order(context: Context) -> list[frozenset[int]]:
    order = []
    for mention in context.segment.anchors:
        part = next((p for p in context.segment.scope.parts if p & mention.results), None)
        if part is not None and part not in order:
            order.append(part)
    return order


def stated(subject: Subject, names: Names) -> Iterator[Fact]:
    """Numbers in the words of the program about a result, its names left out: "not among the 3 accepted ones"."""
    words = re.sub(r"[^\W\d][\w$]*(?:[.+][\w$]+)+", " ", subject.words)
    for name in (subject.table, *subject.columns):
        if name:
            words = words.replace(name, " ")
    from watchdog.verify.numbers import separators as infer

    found = tokens(normal(words).plain, "en", infer("", "en"))
    for token in found:
        if isinstance(token, Number) and token.value != 0:
            unit = {"percent": "share"}.get(token.unit, token.unit)
            value = token.value / 100 if token.unit == "percent" else token.value
            yield Fact(f"{subject.id}: words", (subject.id,), "stated", value, unit, "description")
