"""Judges every number of a text by the facts of what its sentence speaks of.

In: a report, the facts of a findings document. Out: `Judged`: claims that hold, claims that do not, numbers that claim
nothing. Every fact of the subject is accepted; an explicit word ("last time", "of", "limit", "high") narrows that. What is
said of a subject without a number (which way it went, that it is the largest, its severity, that nothing was found) is
judged by statements.py.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from watchdog.model import Aside, Claim, Fact
from watchdog.verify import cues
from watchdog.verify.context import Context, in_order
from watchdog.verify.facts import TIME_UNITS, Facts
from watchdog.verify.fill import show
from watchdog.verify.headers import header_kinds, of_header
from watchdog.verify.judged import Judged, Wrong
from watchdog.verify.names import Names
from watchdog.verify.numbers import Masked, Moment, Number, separators, tokens
from watchdog.verify.rounding import fits
from watchdog.verify.scope import NOTHING, ORDERED, Line, Reader, Scope, Segment, Token, noun_behind
from watchdog.verify.seen import BOUNDS, CHANGE, COUNTED, HISTORY, LIMITS, PART, THINGS, WHOLE, Seen, ranked, truth_in
from watchdog.verify.structure import Piece, pieces
from watchdog.verify.text import language, normal


class Judge:
    def __init__(
        self, facts: Facts, names: Names, lang: str | None, filled: Sequence[tuple[int, tuple[int, int, str]]] = ()
    ) -> None:
        self.facts = facts
        self.names = names
        self.lang = lang
        self.filled = self._spans = list(filled)
        self.out = Judged()
        self.lines: list[Line] = []
        self.at = 0  # position of the line that is judged
        self.told: dict[
            tuple[int, str], list[tuple[int, dict[tuple[str, ...], Fact]]]
        ] = {}  # counts, by block and column
        self.facts_of_scope: dict[tuple[object, ...], list[Fact]] = {}
        self.stated_of: dict[int, list[Fact]] = {}

    def judge(self, report: str) -> Judged:
        from watchdog.verify.statements import Statements

        parts = pieces(report)
        seen = (
            " ".join(dict.fromkeys(p.source.plain for p in parts))
            if len(report) < 200_000
            else normal(report[:200_000]).plain
        )
        lang = self.lang or language(_IDENTIFIER.sub(" ", seen))
        self.out.lang = lang
        convention = separators(seen, lang)
        found: list[list[Token]] = []
        cache: dict[int, list[Token]] = {}
        for piece in parts:
            key = id(piece.source)
            if key not in cache:
                cache[key] = list(tokens(piece.source.plain, lang, convention))
            whole = cache[key]
            one = piece.start == 0 and piece.end == len(piece.source.plain)
            found.append(whole if one else [t for t in whole if piece.start <= t.start < piece.end])
        self.lines = Reader(self.facts, self.names).read(parts, found)
        self.out.lines = self.lines
        said = Statements(self)
        for n, line in enumerate(self.lines):
            self.at = n
            self._unknown(line)
            for segment in line.segments:
                self._segment(line, segment)
            said.line(line)
        said.omissions()
        self.out.bad.sort(key=lambda w: (w.claim.rule == "omitted", w.claim.line, w.claim.start))
        return self.out

    # ------------------------------------------------------------ one segment

    def _segment(self, line: Line, segment: Segment) -> None:
        piece = line.piece
        plain = piece.source.plain
        numbers: list[Seen] = []
        previous_end = segment.start
        for n, token in enumerate(segment.tokens):
            if isinstance(token, Masked):
                self._masked(line, segment, token)
                continue
            if isinstance(token, Moment):
                self._moment(line, segment, token)
                continue
            following = segment.tokens[n + 1].start if n + 1 < len(segment.tokens) else piece.end
            after = plain[token.end : min(following, token.end + 80)]
            before = plain[max(previous_end, token.start - 70) : token.start]
            previous_end = token.end
            seen = Seen(token, before, after)
            seen.noun, seen.word = noun_behind(after[:60])
            if (
                seen.noun == ""
                and not token.unit
                and segment.scope.how in ("none", "earlier", "before", "heading")
                and _OUTCOME_NEXT.match(after)
            ):
                seen.noun = "checks"
            numbers.append(seen)
        if not numbers:
            return
        hidden = [h for h in piece.source.hidden if piece.start <= h < piece.end]
        self._pairs(plain, numbers)
        context = Context(line, segment, self)
        context.pairs = [(s.number, s.partner.number) for s in numbers if s.partner is not None and s.tight is PART]
        for seen in numbers:
            if any(seen.number.start < h < seen.number.end for h in hidden):
                self._bad(line, segment, seen, "hidden", "an invisible character stands inside the number", [])
                seen.rule = "hidden"
            elif seen.number.malformed:
                self._bad(line, segment, seen, "malformed",
                    f"not written as numbers are in this text: {seen.number.malformed}",
                          context.candidates(seen))  # fmt: skip
                seen.rule = "malformed"
        todo = [seen for seen in numbers if not seen.rule]
        for seen in todo:
            self._tighten(context, seen)
        order = self._respectively(context, todo)
        for n, seen in enumerate(todo):
            if context.advice and self._only_advice(context, seen):
                continue
            self._decide(context, seen, order[n] if order else None)
            self._chance(context, seen)
            self._remember(line, seen)
        self._consistent(context, [s for s in todo if s.fact is not None])
        for seen in todo:
            if seen.fact is not None:
                self._ok(line, segment, seen)

    def _decide(self, context: Context, seen: Seen, only: frozenset[int] | None) -> None:
        line, segment = context.line, context.segment
        number = seen.number
        span = self._filled(line.piece, number)
        if _TIMES.fullmatch(number.text.strip()) and not _AS_MUCH.match(seen.after) and not context.history_or_two:
            self._aside(line, number, "how often a value occurs")
            return
        if number.value == 0 and number.form in ("none", "digits", "words", "zh") and self._zero(context, seen):
            return
        for candidates in context.rounds(seen, only):
            best = self._match(seen, candidates)
            if best is not None:
                seen.fact, seen.rule = best
                return
        if span is not None and (
            segment.scope.empty or segment.scope.how not in ("own", "row") or span.subjects[0] == ""
        ):
            seen.fact, seen.rule = span, "filled"
            return
        candidates = context.candidates(seen)
        unknown = segment.scope.unknown
        if unknown and not segment.scope.results:
            self.out.skipped.append(
                Aside(
                    *self._where(line.piece, number)[:1],
                    number.text.strip(),
                    f"said of {unknown!r}, which the findings do not know",
                )
            )
            return
        self._bad(line, segment, seen, *self._why(context, seen), candidates)

    def _remember(self, line: Line, seen: Seen) -> None:
        """Counts that were told are what a later "together" adds up."""
        fact = seen.fact
        if fact is None or fact.kind not in ("count", "ratio"):
            return
        if fact.kind == "ratio":  # "6% ... and 20 rows ...: both together 44 rows"
            subject = next((s for s in self.facts.results if s.id == fact.subjects[0]), None)
            fact = subject.fact("count") if subject is not None else None
            if fact is None:
                return
        piece = line.piece
        place = (piece.block, piece.header) if piece.header else (piece.block, "")
        told = self.told.setdefault(place, [])
        if not told or told[-1][0] != self.at:
            told.append((self.at, {}))
        told[-1][1][fact.subjects] = fact

    def _chance(self, context: Context, seen: Seen) -> None:
        """How many integers of this one's magnitude the facts would accept in its place."""
        number, scope = seen.number, context.segment.scope
        if number.unit or number.form != "digits" or number.step != 1 or scope.empty or number.value <= 0:
            return
        length = len(str(int(number.value)))
        key = (scope.results, scope.tables, seen.noun, seen.tight, length)
        if key not in self.out.chances:
            first, last = 10 ** (length - 1), 10**length
            fit = {
                abs(f.value) for f in context.likely(seen)
                if isinstance(f.value, Fraction) and f.value.denominator == 1 and first <= abs(f.value) < last
                and (seen.tight is None or f.kind in seen.tight) and truth_in(number, f, seen.noun) is not None
            }  # fmt: skip
            self.out.chances[key] = (len(fit), last - first)

    def _why(self, context: Context, seen: Seen) -> tuple[str, str]:
        scope = context.segment.scope
        skipped = [self.facts.results[n] for n in scope.results if self.facts.results[n].status in ("skipped", "error")]
        if skipped and len(skipped) == len(scope.results):
            return "not_evaluated", f"{skipped[0].id} was not evaluated: {skipped[0].reason}"
        if seen.tight is not None and seen.tight <= HISTORY and not context.has(seen.tight):
            return "no_history", "the findings hold no earlier run to compare this with"
        if scope.empty:
            return "unbound", "no fact of the findings has this value"
        return "mismatch", f"no fact of {context.subject} fits"

    def _match(self, seen: Seen, candidates: Iterable[Fact]) -> tuple[Fact, str] | None:
        number = seen.number
        for fact in candidates:
            if seen.tight is not None and fact.kind not in seen.tight:
                continue
            rule = self._fits(seen, fact, number)
            if rule:
                return fact, rule
        return None

    def _fits(self, seen: Seen, fact: Fact, number: Number) -> str:
        """The rule under which the number says this fact; "" when it does not."""
        truth = truth_in(number, fact, seen.noun)
        if truth is None:
            return ""
        if (
            fact.kind in ("delta", "percent_change", "points", "gap", "gap_share", "excess")
            and number.value >= 0
            and truth < 0
        ):
            if number.text.lstrip()[:1] == "+":
                return ""
            truth = -truth
        elif fact.kind in ("delta", "percent_change", "points") and number.value < 0 <= truth:
            return ""
        counted = fact.unit in COUNTED and number.unit == ""
        rule = fits(number, truth, counted=counted)
        if (
            not rule
            and number.qualifier in BOUNDS
            and (fact.kind in LIMITS or (seen.noun in THINGS and fact.unit in THINGS))
        ):
            # "over the 5% limit" names the limit; "over four tables" is across them
            rule = fits(replace(number, qualifier=""), truth, counted=counted)
        return rule

    # ------------------------------------------------------------ cues

    def _pairs(self, plain: str, numbers: list[Seen]) -> None:
        """N of M, from X to Y, X -> Y: what two numbers are to each other."""
        for left, right in itertools.pairwise(numbers):
            between = plain[left.number.end : right.number.start]
            if len(between) > 60:
                continue
            if _OF.fullmatch(between) or (_ZH_OF.fullmatch(between) and left.number.unit == right.number.unit == ""):
                first, second = (left, right) if _OF.fullmatch(between) else (right, left)
                first.partner, second.partner = second, first
                first.rule = second.rule = ""
                first.tight = PART if first.number.unit == "" and first.number.form != "fraction" else None
                second.tight = WHOLE
                if not first.noun:
                    first.noun = (
                        second.noun if second.noun in ("tables", "checks", "findings", "columns", "groups") else ""
                    )
            elif _ARROW.fullmatch(between) or (
                _TO.fullmatch(between) and _FROM.search(left.before) and not _RANGE_WORD.search(left.before)
            ):
                left.tight = frozenset(("previous", "previous_ratio", "observed_min", "allowed_min", "min", "low"))
                right.tight = frozenset(("count", "ratio", "observed_max", "allowed_max", "max", "value", "high"))

    def _tighten(self, context: Context, seen: Seen) -> None:
        if seen.tight is not None:
            return
        before, after = seen.before, seen.after
        header = context.line.piece.header
        if header:
            seen.tight = of_header(header, context.headers)
            return
        signed = seen.number.text.lstrip()[:1] in "+±" and context.has(HISTORY)
        if (
            signed
            or cues.AFTER_DELTA.search(after)
            or cues.BEFORE_DELTA.search(before)
            or (_UP.search(before) and _ON_LAST.match(after))
        ):
            seen.tight = (
                CHANGE | {"excess", "complement", "complement_ratio"} if cues.LIMIT.search(after[:40]) else CHANGE
            )
            if context.several or not context.has(HISTORY):
                seen.tight = seen.tight | {"excess"}
                weak = cues.AFTER_DELTA.search(after) or _WEAK_DELTA.search(before)
                if weak and not _THAN_LAST.search(after):
                    seen.tight = None
        elif (
            seen.number.unit not in ("fold", "points")
            and not _THAN_LAST.search(before[-30:])
            and (cues.BEFORE_PREVIOUS.search(before) or cues.AFTER_PREVIOUS.search(after))
        ):
            seen.tight = frozenset(("previous", "previous_ratio"))
            if (
                context.several
                and re.search(r"(?:compared|against|versus|vs|von|de|contre|gegenüber)\W*(?:\w+\s+)?$", before, re.I)
            ) or (not context.has(HISTORY) and not _LAST_TIME.search(before + " " + after[:30])):
                seen.tight = None
        elif (
            context.several
            and seen.number.unit == ""
            and seen.noun in ("rows", "")
            and seen.partner is None
            and (cues.TOGETHER.search(before[-45:]) or cues.TOGETHER.search(after[:25]))
            and (len(context.segment.scope.parts) > 1 or not _IN_ALL.search(before))
        ):
            if any(f.kind == "sum" for f in context.relations(seen)):
                seen.tight = frozenset(("sum", "gap"))
        elif cues.NOW.search(before):
            seen.tight = frozenset(
                ("count", "ratio", "value", "groups", "rows", "surplus", "table_rows", "observed", "evaluated")
            )
        elif cues.BEFORE_LIMIT.search(before):
            seen.tight = context.limits

    def _consistent(self, context: Context, seen: list[Seen]) -> None:
        """A number without a cue may not be the earlier count where another number already says so by its words."""
        tied = [
            s
            for s in seen
            if s.tight is not None and s.tight <= HISTORY | CHANGE and s.fact is not None and s.fact.kind in HISTORY
        ]
        for one in seen:
            if one.fact is None or one.fact.kind not in ("previous", "previous_ratio") or one.tight is not None:
                continue
            if _LAST_TIME.search(one.before) or _LAST_TIME.search(one.after[:30]):
                continue
            if tied or not _EARLIER.search(context.text):
                candidates = [f for f in context.candidates(one) if f.kind not in HISTORY]
                self._bad(context.line, context.segment, one, "previous",
                          "this is the count of the run before, and the words do not say so", candidates)  # fmt: skip
                one.fact = None

    def _respectively(self, context: Context, todo: list[Seen]) -> list[frozenset[int]] | None:
        parts = context.segment.scope.parts
        numbers = [s for s in todo if s.noun not in ("tables", "checks", "findings", "columns")]
        if len(parts) > 1 and ORDERED.search(context.piece_text) and len(numbers) and len(numbers) % len(parts) == 0:
            ordered = in_order(context)
            if len(ordered) == len(parts):
                by_number = {id(s): ordered[n % len(parts)] for n, s in enumerate(numbers)}
                return [by_number.get(id(s), frozenset()) for s in todo]
        return None

    # ------------------------------------------------------------ zero

    def _zero(self, context: Context, seen: Seen) -> bool:
        """Judges a zero: what was looked at and found clean. False when it is to be judged like any number."""
        scope = context.segment.scope
        number = seen.number
        line, segment = context.line, context.segment
        if seen.tight is not None and seen.tight <= (HISTORY | CHANGE | context.limits | {"not_evaluated"}):
            return False
        if seen.noun in ("tables", "checks", "columns", "runs", "groups", "surplus"):
            return False
        word = seen.word.lower()
        if seen.noun == "findings" and (scope.empty or scope.how not in ("own", "row", "weak", "heading", "parent")):
            return False
        text = context.near(number)
        if number.form == "none" and seen.noun in ("rows", "") and not cues.checks_in(seen.after[:40]):
            self._aside(line, number, "says nothing of a count")
            return True
        if _ENDS_BEHIND.match(seen.after) or _ENDS_BEFORE.search(seen.before):
            return False
        if scope.empty and not cues.checks_in(text):
            if number.form == "none" and seen.noun != "findings":
                self._aside(line, number, "says nothing of a count")
                return True
            return False
        head = header_kinds(line)
        if number.unit not in ("", "percent") or (head and not head & {"count", "ratio"}):
            return False
        results = context.narrowed(number) if not scope.empty else self._by_words(text)
        looked = [self.facts.results[n] for n in sorted(results)]
        failed = [s for s in looked if s.count is not None and s.count > 0 and s.status == "failed"]
        passed = [s for s in looked if s.status == "passed"]
        some = [s for s in looked if s.count is not None and s.count > 0]
        if seen.noun == "findings" and not cues.checks_in(word):
            some = failed = [s for s in looked if s.status == "failed"]
        if cues.ASIDE.search(text) and any(s.number("not_evaluated") is None for s in looked) and passed and not failed:
            some = []
        if some:
            facts = [f for s in some for f in s.facts if f.kind in ("count", "ratio")]
            if number.unit == "percent" and any(self._fits(seen, f, number) for f in facts if f.kind == "ratio"):
                return False
            if any(
                self._fits(seen, f, number)
                for f in context.candidates(seen)
                if f.kind in ("complement", "value", "excess", "delta")
            ):
                return False
            self._bad(line, segment, seen, "not_zero", f"{some[0].id} found {some[0].count}", facts)
        elif passed:
            zero = next((s.fact("count") for s in passed if s.fact("count")), None) or (
                passed[0].facts[0] if passed[0].facts else None
            )
            if zero is None:
                self._aside(line, number, f"{passed[0].id} passed")
            else:
                seen.fact, seen.rule = zero, "passed"
        elif looked:
            state = looked[0]
            self._bad(line, segment, seen, "not_evaluated", f"{state.id} was not evaluated: {state.reason}", [])
        else:
            return False
        return True

    def _by_words(self, text: str) -> frozenset[int]:
        for checks in cues.checks_in(text):
            if checks:
                return frozenset(n for n, s in enumerate(self.facts.results) if s.check in checks)
        return frozenset()

    # ------------------------------------------------------------ what is no number

    def _masked(self, line: Line, segment: Segment, token: Masked) -> None:
        if "sample" in token.reason:
            known = {key for n in segment.scope.results for key in self.facts.results[n].samples}
            cited = re.sub(r"^\D*", "", token.text).strip()
            if known and cited and cited not in known and line.piece.kind != "heading":
                self._claim_bad(line, token, "sample", "sample",
                    f"no row shown of {self.subject_of(segment.scope)} has this key",
                                sorted(known)[:5], segment.scope)  # fmt: skip
                return
        self._aside(line, token, token.reason)

    def _moment(self, line: Line, segment: Segment, token: Moment) -> None:
        value = token.value
        if _known_moment(value, self.facts.dates):
            where = self._where(line.piece, token)
            self.out.ok.append(
                Claim(*where, self.text_of(line), token.text, "", "date", None, (), "date", "a date of the findings")
            )
            return
        if token.kind == "time" or (token.kind == "year" and self.is_advice(line)):
            self._aside(line, token, "a time of day" if token.kind == "time" else "a year in advice")
        elif self.is_advice(line):
            self._aside(line, token, "a date in advice")
        else:
            shown = sorted({d[:10] for d in self.facts.dates})[:6]
            self._claim_bad(line, token, "date", "date", "the findings speak of no such date", shown, segment.scope)

    def _unknown(self, line: Line) -> None:
        advice = self.is_advice(line)
        numbers = any(isinstance(t, Number) for t in line.tokens)
        for mention in line.mentions:
            if mention.kind != "unknown":
                continue
            if (advice and not numbers) or (not mention.strong and not numbers):
                continue
            self._claim_bad(line, mention, "name", "invented",
                "the findings know no such finding, table, column or check", (),
                            NOTHING)  # fmt: skip

    def is_advice(self, line: Line) -> bool:
        if line.advice is None:
            line.advice = self._is_advice(line)
        return line.advice

    def _is_advice(self, line: Line) -> bool:
        piece = line.piece
        if any(cues.ADVICE_HEADING.search(h.text) for h in piece.headings) or (
            piece.kind == "heading" and cues.ADVICE_HEADING.search(piece.text)
        ):
            return True
        return piece.kind != "heading" and bool(cues.ADVICE.search(piece.text))

    def _only_advice(self, context: Context, seen: Seen) -> bool:
        number = seen.number
        before, _after = seen.before, seen.after
        if (
            seen.tight is not None
            and seen.tight is context.limits
            and context.has(context.limits)
            and not _SETTING.search(context.piece_text)
        ):
            return False
        goal = bool(cues.BEFORE_GOAL.search(before)) or number.qualifier in ("under", "over", "at_most", "at_least")
        if number.unit in TIME_UNITS or number.unit in ("months", "years"):
            reason = "a duration or deadline in advice"
            if any(self._fits(seen, f, number) for f in context.candidates(seen) if f.unit in TIME_UNITS):
                return False
        elif _AIM.search(before):
            reason = "a goal in advice"
        elif goal and seen.noun not in ("findings", "checks", "tables") and not _REPORTED.search(context.piece_text):
            if any(self._fits(seen, f, number) for f in context.candidates(seen)):
                return False
            reason = "a goal, limit or step in advice"
        else:
            return False
        self._aside(context.line, number, reason)
        return True

    # ------------------------------------------------------------ telling

    def _filled(self, piece: Piece, number: Number) -> Fact | None:
        if not self.filled:
            return None
        line, column = piece.place(number.start)
        end = piece.place(max(number.end - 1, number.start))[1] + 1
        for at, (first, last, fact) in self._filled_lines():
            if at == line and first < end and column < last:
                return self.facts.by_id(fact)
        return None

    def _filled_lines(self) -> Iterator[tuple[int, tuple[int, int, str]]]:
        return iter(self._spans)

    def _where(self, piece: Piece, token: object) -> tuple[int, int, int]:
        start, end = token.start, token.end  # type: ignore[attr-defined]
        line, column = piece.place(start)
        last_line, last = piece.place(max(end - 1, start))
        return line, column, last + 1 if last_line == line else column + 1

    def text_of(self, line: Line) -> str:
        return re.sub(r"\s+", " ", restored(line.piece)).strip()[:400]

    def subject_of(self, scope: Scope) -> str:
        if len(scope.results) == 1:
            return self.facts.results[next(iter(scope.results))].id
        if scope.tables:
            return ", ".join(scope.tables)
        places = dict.fromkeys(
            f"{s.table}.{'+'.join(s.columns)}" if s.columns else s.id
            for s in (self.facts.results[n] for n in sorted(scope.results))
        )
        return ", ".join(list(places)[:3]) or scope.unknown

    def _ok(self, line: Line, segment: Segment, seen: Seen) -> None:
        assert seen.fact is not None
        subject = seen.fact.subjects[0]
        self.out.ok.append(
            Claim(
                *self._where(line.piece, seen.number),
                self.text_of(line),
                seen.number.text.strip(),
                subject,
                "number",
                seen.fact.id,
                (),
                seen.rule,
                f"{show(seen.fact, 'en')} ({seen.fact.kind})",
            )
        )

    def _bad(self, line: Line, segment: Segment, seen: Seen, rule: str, reason: str, facts: Iterable[Fact]) -> None:
        kept = ranked(seen, [f for f in facts if seen.tight is None or f.kind in seen.tight] or list(facts))
        expected = tuple(dict.fromkeys(f"{show(f, 'en')} ({f.kind})" for f in kept))[:8]
        where = self._where(line.piece, seen.number)
        claim = Claim(
            *where,
            self.text_of(line),
            seen.number.text.strip(),
            self.subject_of(segment.scope),
            "number",
            None,
            expected,
            rule,
            reason,
        )
        self.out.bad.append(Wrong(claim, seen.number, tuple(kept), (where[1], where[2]), line.piece))

    def _claim_bad(
        self, line: Line, token: object, kind: str, rule: str, reason: str, expected: Iterable[str], scope: Scope
    ) -> None:
        start, end = token.start, token.end  # type: ignore[attr-defined]
        cited = str(getattr(token, "text", line.piece.source.plain[start:end])).strip()
        claim = Claim(
            *self._where(line.piece, token),
            self.text_of(line),
            cited,
            self.subject_of(scope),
            kind,
            None,
            tuple(expected),
            rule,
            reason,
        )
        self.out.bad.append(Wrong(claim, piece=line.piece))

    def _aside(self, line: Line, token: object, reason: str) -> None:
        text = str(getattr(token, "text", "")).strip()
        self.out.skipped.append(Aside(self._where(line.piece, token)[0], text, reason))


def restored(piece: Piece) -> str:
    """The text of a piece with the names where they stood."""
    text, at = [], piece.start
    plain = piece.source.plain
    for name in piece.names:
        text += [plain[at : name.start], f"`{name.text}`" if name.code else name.text]
        at = name.end
    return "".join([*text, plain[at : piece.end]])


_OF = re.compile(
    r"\s*(?:rows?|values?|records?|of them|entries|cells|tables?|checks?|findings?|zeilen|werten?|lignes"
    r"|valeurs)?\s*(?:(?:out\s+)?of|von|sur|aus|parmi|/)\s*"
    r"(?:(?:the|all|its|their|a total of|our|insgesamt|den|der|les|ses|les quelque)\s+)*",
    re.IGNORECASE,
)
_ZH_OF = re.compile(
    r"\s*(?:行|条|个|张|项|条记录|行数据|个值|行记录|个检查|项检查|张表|个表|个问题|项问题|条数据|个发现"
    r"|条数据记录)?(?:数据|记录|值)?(?:之)?(?:中|里|当中|里面)\s*[,，]?\s*(?:有|共有|就有|仅有|仅|只有|发现|的|存在"
    r"|共|通过|失败|未通过|了|是|为)*\s*"
)
_ARROW = re.compile(r"\s*(?:rows?|%)?\s*(?:→|->|=>|⇒|⟶|-->)\s*")
_TO = re.compile(
    r"\s*(?:rows?|values?|行|条|个|nulls?|zeilen|lignes)?\s*(?:to|auf|à|至|到|增至|降至|升至|增加到|减少到|下降到"
    r"|上升到|变为|变成|增长到|升到|降到|涨到|扩大到|bis auf)\s*(?:了)?",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"(?:\bfrom|\bvon|\bde|从|由|自)(?:\s*(?:about|roughly|some|rund|etwa|约|大约|environ|上次的?|之前的?|原来的?"
    r"|此前的?))?\W*$",
    re.IGNORECASE,
)
_RANGE_WORD = re.compile(
    r"\b(?:rang\w*|values?|between|runs?|span\w*|reach\w*|allowed|reichen|liegen|vont|s'étendent|compris\w*)\b|范围"
    r"|介于|取值",
    re.IGNORECASE,
)
_LAST_TIME = re.compile(
    r"\b(?:last|previous\w*|earlier|before|prior|ago|yesterday|formerly|zuletzt|vorher|zuvor|letzte[nrsm]?"
    r"|vorige[nrsm]?|früher|davor|bisher|précéd\w*|dernière|avant|auparavant)\b|上次|上回|此前|之前|先前|上一|前次"
    r"|原来|原先|昨",
    re.IGNORECASE,
)
_THAN_LAST = re.compile(
    r"\b(?:than|as)\s+(?:last|before|in|at|the|during|previously|zuletzt|beim|im|vorher|zuvor)|上次|que\s+(?:la"
    r"|lors|précéd)|als\s+(?:zuletzt|beim|im|vorher|zuvor)",
    re.IGNORECASE,
)
_EARLIER = re.compile(cues.PAST.pattern, re.IGNORECASE)
_ENDS_BEHIND = re.compile(
    r"^\s*(?:to|and|through|bis|und|à|et|至|到|和|与|-|–|—|~|\.\.+|…)\s*[-−+]?(?:\d|$)", re.IGNORECASE
)
_ENDS_BEFORE = re.compile(
    r"(?:\b(?:between|from|least|min(?:imum)?|below|under|above|over|than|zwischen|von|mindestens|unter|über|entre"
    r"|de|sous|au moins)|[≥≤<>]=?|至少|不低于|小于|低于|大于|高于|介于|从|自)\W*$",
    re.IGNORECASE,
)
_WEAK_DELTA = re.compile(r"\b(?:plus|minus|um)\s*$|[多少增减升降]\s*$", re.IGNORECASE)
_OUTCOME_NEXT = re.compile(
    r"^\s*(?:个|项|条)?\s*(?:of them |checks? )?(?:(?:were|was|have|had|has|are|is|wurden?|sind|ont|a"
    r"|été)\s+)*(?:pass\w*|fail\w*|skip\w*|error\w*|通过|失败|未通过|跳过|出错|报错|bestanden|fehlgeschlagen"
    r"|übersprungen|réussi\w*|échoué\w*|ignoré\w*)",
    re.IGNORECASE,
)
_IN_ALL = re.compile(r"(?:\bin total|\boverall|\btotal|\binsgesamt|\bau total|共有?|一共)\W*(?:of\W*)?$", re.IGNORECASE)
_UP = re.compile(r"\b(?:up|down)\s*$", re.IGNORECASE)
_ON_LAST = re.compile(
    r"\s*(?:rows?|values?|nulls?|%)?\s*(?:on|from|since|over|versus|vs\.?|compared (?:to|with)|against)\s+(?:the\s+)?"
    r"(?:previous|last|prior|earlier|yesterday)",
    re.IGNORECASE,
)
_AIM = re.compile(
    r"(?:\b(?:aim(?:ing)?(?: for| at)?|target(?: of| is)?|goal(?: of| is)?|objective(?: of| is)?"
    r"|ziel(?: von| sind)?|objectif(?: de| est)?)"
    r"|目标(?:为|是|设为)?|力争|争取(?:做到)?|控制在|降到|降至)\W{0,3}$",
    re.IGNORECASE,
)
_TIMES = re.compile(r"twice|thrice|zweimal|dreimal|deux fois|trois fois|两次|三次", re.IGNORECASE)
_AS_MUCH = re.compile(r"\s*(?:as|the|that|what|more|so|wie|mehr|plus|la|le)\b", re.IGNORECASE)
_SETTING = re.compile(
    r"\b(?:set|setting|raise|lower|reduce|change|tighten|define|introduce|add|agree|consider|setzen|senken|fixer"
    r"|définir)\b|设[为定置]|调[整至为]|改为|降低|提高",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"[A-Za-z0-9]+[._+][A-Za-z0-9._+]+")
_REPORTED = re.compile(
    r"\b(?:found|has|have|contains?|shows?|there (?:are|were)|hat|haben|enthält|contient|compte)\b|发现|存在|共有",
    re.IGNORECASE,
)


def _known_moment(value: str, dates: frozenset[str]) -> bool:
    if value in dates:
        return True
    if value.startswith("--"):
        return any(d[4:10] == value[1:] for d in dates)
    if "T" in value:
        return any(d.startswith(value.rstrip("Z")[:16]) for d in dates)
    if re.fullmatch(r"\d\d:\d\d(:\d\d)?Z?", value):
        return any(d[11:].startswith(value.rstrip("Z")[:5]) for d in dates if "T" in d)
    return any(d.startswith(value) for d in dates)
