"""Judges what a text says without a number: which way a count went, which is the largest, a severity, that all is well,
and that every high finding is spoken of.

In: the lines of a report with their scopes, and what was verified in them. Out: claims added to the judge's. A statement is
judged only where its words leave no doubt and its subject is known; else it is left alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from watchdog.model import Claim
from watchdog.verify import cues
from watchdog.verify.facts import LEVELS, Subject
from watchdog.verify.names import Mention
from watchdog.verify.numbers import Number
from watchdog.verify.scope import Line, Scope, Segment, level_of

if TYPE_CHECKING:
    from watchdog.verify.judge import Judge

_COMPARED = re.compile(
    r"\b(?:compared (?:with|to)|in comparison (?:with|to)|relative to|against|unlike|verglichen mit|im vergleich zu"
    r"|gegenüber|comparé\w* (?:à|avec)|par rapport à)\b|与|和|相比|较之",
    re.I,
)
_THAN = re.compile(
    r"\bthan\b|\bals\b|\bque\b|\b(?:exceeds?|outnumbers?|surpass\w*|beats?|tops|trails?|übertrifft|dépasse\w*)\b", re.I
)
_ZH_THAN = re.compile(r"比|较|高于|多于|低于|少于|超过|大于|小于|不及")
_OTHER = re.compile(
    r"\b(?:other|others|further|new|more|additional|else|remaining|rest|übrige\w*|weitere\w*|andere\w*|sonst"
    r"|autres?|restante?s?)\b|其他|其它|其余|新的|另外|剩余|更多",
    re.I,
)
_UNSURE = re.compile(
    r"\b(?:if|unless|until|once|when|whether|could|would|might|may|should|must|can|to (?:reduce|increase|improve"
    r"|avoid|keep)|wenn|falls|sobald|bis|ob|könnte\w*|sollte\w*|si|lorsque|quand|jusqu'à|pourrait|devrait)\b|如果"
    r"|若|直到|一旦|可能|应|建议|是否|以便|避免",
    re.I,
)
_NOT = re.compile(
    r"\b(?:not|never|no longer|isn't|aren't|wasn't|hasn't|didn't|nicht|kein\w*|ne|pas|n')\b|不|未|没|并非", re.I
)
_SEVERITY_NOUN = re.compile(
    r"^\W*(?:severity|priority|level|risk|urgency|importance|schweregrad|priorität|gravité|priorité|table|tabelle"
    r"|values?|value|date|date|age|amount)\b|^(?:严重|优先|风险|危|的?表|值|日期)",
    re.I,
)
_TABLE_NOUN = re.compile(
    r"^\W*(?:of the |the )?(?:scanned |checked )?(?:tables?|tabellen?)\b|^(?:的)?(?:数据)?表", re.I
)


class Statements:
    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.facts = judge.facts
        self.named: dict[int, bool] = {n: False for n, s in enumerate(self.facts.results) if s.severity == "high"}
        self.level_of_block: dict[int, str] = {}

    def line(self, line: Line) -> None:
        piece = line.piece
        advice = self.judge.is_advice(line)
        self._name(line, advice)
        self._severity(line)
        if advice or piece.kind == "heading":
            if piece.kind == "heading":
                self._clean(line)
            return
        if not _UNSURE.search(piece.text):
            for segment in line.segments:
                self._direction(line, segment)
            self._order(line)
            self._most(line)
        self._clean(line)

    # ------------------------------------------------------------ direction

    def _direction(self, line: Line, segment: Segment) -> None:
        results = self._one(segment.scope, line)
        deltas = [(s, s.number("delta")) for s in results if s.number("delta") is not None]
        if not deltas or segment.scope.how in ("none", "earlier"):
            return
        text = line.piece.source.plain[segment.start : segment.end]
        for said, pattern in ((1, cues.ROSE), (-1, cues.FELL), (0, cues.SAME)):
            match = pattern.search(text)
            if match is None:
                continue
            if said == 1 and re.match(r"more", match[0], re.I) and not re.search(r"last|prev|before", match[0], re.I):
                continue
            if _NOT.search(text[max(0, match.start() - 6) : match.start()]):
                continue
            worse = re.search(r"wors|恶化|verschlecht|aggrav|détérior", match[0], re.I) is not None
            better = re.search(r"improv|better|好转|改善|verbesser|amélior", match[0], re.I) is not None
            signs = {(d > 0) - (d < 0) for _, d in deltas if d is not None}
            want = 1 if worse else -1 if better else said
            if want not in signs:
                subject, delta = deltas[0]
                told = {1: "rose", -1: "fell", 0: "did not change"}[(delta > 0) - (delta < 0)]  # type: ignore[operator]
                previous, count = subject.number("previous"), subject.count
                why, right = f"it {told}: {previous} before, {count} now", f"{told} from {previous} to {count}"
                start, end = segment.start + match.start(), segment.start + match.end()
                self._bad(line, start, end, "direction", "direction", why, (right,), subject.id)
                return
            self._good(
                line,
                segment.start + match.start(),
                segment.start + match.end(),
                "direction",
                "direction",
                deltas[0][0].id,
            )

    def _one(self, scope: Scope, line: Line) -> list[Subject]:
        results = [self.facts.results[n] for n in sorted(scope.results) if self.facts.results[n].status == "failed"]
        if len(results) > 1:
            for checks in cues.checks_in(line.piece.text):
                kept = [s for s in results if s.check in checks]
                if kept:
                    results = kept
                    break
        return results

    # ------------------------------------------------------------ A more than B

    def _order(self, line: Line) -> None:
        anchors = [(m, p) for m, p in self._parts(line)]
        if len(anchors) != 2:
            return
        plain = line.piece.source.plain
        (first, a), (second, b) = anchors
        one, two = self._single(a, line), self._single(b, line)
        if one is None or two is None or one.count is None or two.count is None:
            return
        start, end = line.piece.start, line.piece.end
        ahead, between, behind = plain[start : first.start], plain[first.end : second.start], plain[second.end : end]
        more, less = cues.MORE, cues.LESS
        said = 0
        at = (first.end, second.start)
        if _COMPARED.search(ahead) and not _ZH_THAN.search(between) and len(ahead) < 60:
            one, two = two, one
            said = 1 if more.search(behind[:60]) else -1 if less.search(behind[:60]) else 0
            at = (second.end, end)
        elif _THAN.search(between):
            up, down = more.search(between), less.search(between)
            if up or down:
                said = 1 if up and (not down or up.start() < down.start()) else -1
                if up and down and re.search(r"fewer|less|lower|weniger|moins|smaller", down[0], re.I):
                    said = -1
        elif _ZH_THAN.search(between):
            direct = re.search(r"高于|多于|超过|大于|低于|少于|小于|不及", between)
            if direct:
                said = 1 if direct[0] in ("高于", "多于", "超过", "大于") else -1
            elif re.search(r"比|较", between):
                up, down = re.search(r"[多高大]|严重", behind[:30]), re.search(r"[少低小]|轻", behind[:30])
                said = 1 if up and (not down or up.start() < down.start()) else -1 if down else 0
                at = (second.end, min(second.end + 30, end))
        if not said:
            return
        ahead_count, behind_count = one.count or 0, two.count or 0
        by_count = (ahead_count > behind_count) - (ahead_count < behind_count)
        first_share, second_share = one.number("ratio"), two.number("ratio")
        by_share = by_count
        if first_share is not None and second_share is not None:
            by_share = (first_share > second_share) - (first_share < second_share)
        share = re.search(
            r"\b(?:share|rate|ratio|percent\w*|proportion|anteil|quote|taux|part)\b|占比|比例|比率",
            line.piece.text,
            re.I,
        )
        if said not in ({by_share, by_count} if share else {by_count}):
            told = "more" if by_count > 0 else "fewer" if by_count < 0 else "as many"
            self._bad(line, *at, "order", "order", f"{one.id} has {told} ({one.count}) than {two.id} ({two.count})",
                      (f"{one.count} against {two.count}",), one.id)  # fmt: skip
        else:
            self._good(line, *at, "order", "order", one.id)

    def _parts(self, line: Line) -> list[tuple[Mention, frozenset[int]]]:
        """The subjects that a sentence names, by the order in which they first stand there."""
        found: list[tuple[Mention, frozenset[int]]] = []
        for mention in line.mentions:
            part = next((p for p in line.whole.parts if p & mention.results), None)
            if part is not None and mention.kind != "check" and all(part != p for _, p in found):
                found.append((mention, part))
        return found

    def _single(self, part: frozenset[int], line: Line) -> Subject | None:
        found = self._one(Scope(part), line)
        return found[0] if len(found) == 1 else None

    # ------------------------------------------------------------ the largest

    def _most(self, line: Line) -> None:
        plain = line.piece.source.plain
        for segment in line.segments:
            for match in cues.MOST.finditer(plain, segment.start, segment.end):
                behind = plain[match.end() : segment.end]
                if match["second"] or (_SEVERITY_NOUN.match(behind) and not _TABLE_NOUN.match(behind)):
                    continue
                if _NOT.search(plain[max(segment.start, match.start() - 5) : match.start()]):
                    continue
                least = any(match[g] for g in ("least", "least2", "least3", "least4"))
                if self._most_of(line, segment, match, behind, least):
                    return

    def _most_of(self, line: Line, segment: Segment, match: re.Match[str], behind: str, least: bool) -> bool:
        scope = segment.scope
        if scope.how not in ("own", "row", "before", "parent", "heading") or len(scope.parts) > 1:
            return False
        sign = -1 if least else 1
        if scope.tables and not scope.unknown:
            if (
                _TABLE_NOUN.match(behind)
                and len(scope.tables) == 1
                and self.facts.rows
                and scope.tables[0] in self.facts.rows
            ):
                if self._top_table(scope.tables[0], sign):
                    return True
                return self._wrong_most(
                    line, match, scope.tables[0], max(self.facts.rows, key=lambda t: sign * self.facts.rows[t])
                )
            return False
        results = self._one(scope, line)
        if len(results) != 1 or results[0].count is None:
            return False
        one = results[0]
        failed = [s for s in self.facts.findings if s.count is not None]
        groups = [failed]
        text = line.piece.text + " " + line.heading_text
        for level in LEVELS:
            if re.search(dict(cues.SEVERITIES)[level], text, re.I):
                groups.append([s for s in failed if s.severity == level])
        if (
            any(m.kind == "table" for m in line.mentions)
            or re.search(r"\b(?:in|of) (?:the|this|that|its) table\b|该表|此表|本表", text)
            or line.heading_text
        ):
            groups.append([s for s in failed if s.table == one.table])
        for checks in cues.checks_in(line.piece.text):
            groups.append([s for s in failed if s.check in checks])
        for group in groups:
            if one not in group:
                continue
            for kind in ("count", "ratio", "value"):
                mine = one.number(kind)
                others = [s.number(kind) for s in group]
                if mine is not None and all(o is None or sign * o <= sign * mine for o in others):
                    self._good(line, match.start(), match.end(), "order", "superlative", one.id)
                    return True
        best = max(failed, key=lambda s: sign * (s.count or 0))
        return self._wrong_most(line, match, one.id, f"{best.id} ({best.count})")

    def _top_table(self, table: str, sign: int) -> bool:
        rows = self.facts.rows
        found = {s.table: 0 for s in self.facts.findings}
        bad = dict(found)
        for s in self.facts.findings:
            found[s.table] += 1
            bad[s.table] += int(s.count or 0)
        return any(
            all(sign * v <= sign * group.get(table, 0) for v in group.values()) for group in (rows, found, bad) if group
        )

    def _wrong_most(self, line: Line, match: re.Match[str], subject: str, right: str) -> bool:
        self._bad(line, match.start(), match.end(), "order", "superlative", f"it is {right}", (right,), subject)
        return True

    # ------------------------------------------------------------ severity

    def _severity(self, line: Line) -> None:
        piece = line.piece
        plain = piece.source.plain
        if piece.kind == "heading":
            return
        if piece.kind == "cell":
            if re.search(
                r"severity|priority|level|严重|级别|等级|schweregrad|priorität|gravité|sévérité|criticité|niveau",
                piece.header,
                re.I,
            ):
                text = piece.text.strip(" *_`")
                match = cues.LEVEL_HEADING.match(text)
                if match:
                    level = next(
                        (
                            {"h": "high", "m": "medium", "l": "low", "i": "info"}[k]
                            for k, v in match.groupdict().items()
                            if v
                        ),
                        "",
                    )
                    self._level(line, piece.start, piece.end, level, line.whole)
            return
        for segment in line.segments:
            said = []
            for pattern in (cues.SAID_SEVERITY, cues.SAID_SEVERITY_2, cues.SAID_SEVERITY_3):
                for match in pattern.finditer(plain, segment.start, segment.end):
                    counted = any(isinstance(t, Number) and 0 <= match.start() - t.end <= 4 for t in segment.tokens)
                    if not counted:
                        said.append(match)
            if (
                said
                and segment.scope.how in ("own", "before", "parent", "heading")
                and len({level_of(m) for m in said}) == 1
            ):
                if segment.scope.how != "own" and not re.search(
                    r"\bit\b|\bthis\b|该|此|\bes\b|\bdies\w*|\bil\b|\belle\b|\bcette?\b|severity|严重", piece.text, re.I
                ):
                    continue
                if segment.scope.tables:
                    continue
                self._level(line, said[0].start(), said[0].end(), level_of(said[0]), segment.scope)
                return
        heading = self._heading_level(line)
        if (
            heading
            and line.whole.how == "own"
            and len(line.whole.parts) == 1
            and not line.whole.tables
            and piece.block not in self.level_of_block
        ):
            self.level_of_block[piece.block] = heading
            mention = next((m for m in line.mentions if m.results & line.whole.results), None)
            if mention is not None and mention.start - piece.start < 40:
                self._level(line, mention.start, mention.end, heading, line.whole, under=True)

    def _heading_level(self, line: Line) -> str:
        for heading in reversed(line.piece.headings):
            match = cues.LEVEL_HEADING.match(heading.text.strip(" *_"))
            if match:
                return next(
                    (
                        {"h": "high", "m": "medium", "l": "low", "i": "info"}[k]
                        for k, v in match.groupdict().items()
                        if v
                    ),
                    "",
                )
        return ""

    def _level(self, line: Line, start: int, end: int, level: str, scope: Scope, *, under: bool = False) -> None:
        results = self._one(scope, line)
        levels = {s.severity for s in results}
        if not levels or not level:
            return
        if level in levels:
            self._good(line, start, end, "severity", "severity", results[0].id)
            return
        right = sorted(levels)
        reason = f"{results[0].id} is of severity {right[0]}"
        self._bad(line, start, end, "severity", "severity", reason, tuple(right), results[0].id)

    # ------------------------------------------------------------ nothing found

    def _clean(self, line: Line) -> None:
        plain, piece = line.piece.source.plain, line.piece
        if piece.kind == "cell" or _UNSURE.search(piece.text):
            return
        for segment in line.segments:
            text = plain[segment.start : segment.end]
            passed = cues.ALL_PASSED.search(text)
            match = passed or cues.NOTHING.search(text)
            if match is None:
                continue
            around = text[max(0, match.start() - 24) : match.end() + 12]
            at = (segment.start + match.start(), segment.start + match.end())
            if (
                any(
                    isinstance(t, Number) and t.start < at[1] and at[0] < t.end and t.form == "none"
                    for t in segment.tokens
                )
                and not passed
            ) and segment.scope.how in ("own", "row", "heading", "parent", "weak"):
                continue  # judged as a zero
            if re.search(r"\b(?:not|isn't|aren't|nicht|pas)\b", text[max(0, match.start() - 8) : match.start()], re.I):
                continue
            self._judge_clean(line, segment, at, around, bool(passed))
            return

    def _judge_clean(self, line: Line, segment: Segment, at: tuple[int, int], around: str, passed: bool) -> None:
        scope = segment.scope
        own = scope.how in ("own", "row", "weak", "heading", "parent", "before") and (scope.results or scope.tables)
        other = _OTHER.search(around)
        if other and not passed:
            return
        if own:
            results = self._scoped(scope, line)
            failed = [s for s in results if s.status == "failed"]
            if other:
                failed = []
            unlooked = [s for s in results if s.status in ("skipped", "error")]
            level = self._level_around(around)
            if level:
                failed = [s for s in failed if s.severity == level]
            if failed:
                self._bad(
                    line,
                    *at,
                    "clean",
                    "not_clean",
                    f"{failed[0].id} is a finding",
                    tuple(s.id for s in failed[:4]),
                    failed[0].id,
                )
            elif (results and len(unlooked) == len(results)) or (passed and unlooked):
                self._bad(
                    line,
                    *at,
                    "clean",
                    "not_evaluated",
                    f"{unlooked[0].id} was not evaluated: {unlooked[0].reason}",
                    (),
                    unlooked[0].id,
                )
            elif results:
                self._good(line, *at, "clean", "passed", results[0].id)
            return
        if scope.how in ("earlier",):
            return
        run = {f.kind: f.value for f in self.facts.run}
        level = self._level_around(around)
        findings = [s for s in self.facts.findings if not level or s.severity == level]
        if passed:
            gone = [k for k in ("checks_failed", "checks_skipped", "checks_errored") if run.get(k)]
            if other:
                gone = [k for k in gone if k != "checks_failed"]
            if gone:
                self._bad(
                    line,
                    *at,
                    "clean",
                    "not_clean",
                    f"{gone[0].replace('_', ' ')}: {run[gone[0]]}",
                    (f"{run[gone[0]]} ({gone[0]})",),
                    "",
                )
        elif findings:
            checks = cues.checks_in(line.piece.text)
            if checks and not any(s.check in c for s in findings for c in checks):
                return
            self._bad(
                line,
                *at,
                "clean",
                "not_clean",
                f"there are {len(findings)} findings",
                (f"{len(findings)} (findings)",),
                "",
            )

    def _level_around(self, text: str) -> str:
        for level, pattern in cues.SEVERITIES:
            if re.search(
                rf"(?:\b|(?<=[^\x00-\x7f])|^)(?:{pattern})(?:[- ]?(?:severity|priority|级|危"
                rf"|严重))?\s*(?:-?severity)?\s*(?:findings?|issues?|problems?|问题|befunde?|constats?)",
                text,
                re.I,
            ):
                return level
        return ""

    def _scoped(self, scope: Scope, line: Line) -> list[Subject]:
        results = [self.facts.results[n] for n in sorted(scope.results)]
        for checks in cues.checks_in(line.piece.text):
            kept = [s for s in results if s.check in checks]
            if kept:
                return kept
        return results

    # ------------------------------------------------------------ what is left out

    def _name(self, line: Line, advice: bool) -> None:
        results = line.whole.results
        if line.piece.kind == "cell":
            results = line.segments[0].scope.results if line.segments else results
        if line.whole.how in ("own", "row", "weak"):
            for n in results:
                if n in self.named:
                    self.named[n] = True

    def omissions(self) -> None:
        """Every high finding has to be named, with at least one verified number of its own where it has any."""
        held: dict[str, set[str]] = {}
        for claim in self.judge.out.ok:
            if claim.subject and claim.kind == "number":
                held.setdefault(claim.subject, set()).add(claim.fact or "")
        wrong = {w.claim.subject for w in self.judge.out.bad if w.claim.kind == "number"}
        lines = 1
        for line in self.judge.lines:
            lines = max(lines, line.piece.place(max(line.piece.end - 1, line.piece.start))[0])
        for n, named in self.named.items():
            subject = self.facts.results[n]
            numbers = [f for f in subject.facts if f.kind in ("count", "ratio", "value", "rows", "groups", "surplus")]
            if named and (
                subject.id in held or not numbers or subject.id in wrong or self._place_wrong(subject, wrong)
            ):
                continue
            if named and self._shared(subject, held):
                continue
            reason = (
                "a finding of severity high is not mentioned" if not named else "it is named without a verified number"
            )
            from watchdog.verify.fill import show

            expected = tuple(f"{show(f, 'en')} ({f.kind})" for f in numbers[:3])
            claim = Claim(lines, 0, 0, "", "", subject.id, "omission", None, expected, "omitted", reason)
            from watchdog.verify.judged import Wrong

            self.judge.out.bad.append(Wrong(claim))

    def _place_wrong(self, subject: Subject, wrong: set[str]) -> bool:
        place = f"{subject.table}.{'+'.join(subject.columns)}"
        return any(place and place in w for w in wrong)

    def _shared(self, subject: Subject, held: dict[str, set[str]]) -> bool:
        """Two findings at one place with equal counts: a number said of one holds for the other."""
        for other in self.facts.findings:
            if (
                other.id in held
                and other.table == subject.table
                and other.columns == subject.columns
                and other.count == subject.count
            ):
                return True
        return False

    def _bad(
        self,
        line: Line,
        start: int,
        end: int,
        kind: str,
        rule: str,
        reason: str,
        expected: tuple[str, ...],
        subject: str,
    ) -> None:
        from watchdog.verify.judged import Wrong

        plain = line.piece.source.plain
        claim = Claim(
            *self._where(line, start, end),
            self.judge.text_of(line),
            plain[start:end].strip(),
            subject,
            kind,
            None,
            expected,
            rule,
            reason,
        )
        self.judge.out.bad.append(Wrong(claim, piece=line.piece))

    def _good(self, line: Line, start: int, end: int, kind: str, rule: str, subject: str) -> None:
        said = line.piece.source.plain[start:end].strip()
        self.judge.out.ok.append(
            Claim(
                *self._where(line, start, end),
                self.judge.text_of(line),
                said,
                subject,
                kind,
                None,
                (),
                rule,
                "so it is",
            )
        )

    def _where(self, line: Line, start: int, end: int) -> tuple[int, int, int]:
        first, column = line.piece.place(start)
        last_line, last = line.piece.place(max(end - 1, start))
        return first, column, last + 1 if first == last_line else column + 1
