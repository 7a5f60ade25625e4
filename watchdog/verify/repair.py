"""Mends a text without a model: a wrong number becomes the one right fact, in the way the wrong one was written.

In: a report and the findings. Out: the mended text, how many places were changed, and the verdict on it. `repair` changes
a number only where one fact remains; words of direction and severity are swapped; what was invented is deleted; a high
finding that was left out gets a line. `cut` deletes whatever still fails. A change stays only where it leaves fewer claims
that do not hold.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from watchdog.model import Claim, Fact, Verdict
from watchdog.verify import cues
from watchdog.verify.coincidence import rate
from watchdog.verify.face import Known, examine, known
from watchdog.verify.facts import Subject
from watchdog.verify.fill import show
from watchdog.verify.judged import Judged, Wrong
from watchdog.verify.numbers import Number, Separators, separators
from watchdog.verify.seen import likeness, truth_in

PASSES = 6
CLEAR = 0.35  # a slip of the pen: digits swapped, one changed, a magnitude
OMITTED = {
    "en": "- {place}: {count} of {rows} rows ({check}, severity: {severity}).",
    "zh": "- {place}：{rows} 行中有 {count} 行（{check}，严重程度：{severity}）。",
    "de": "- {place}: {count} von {rows} Zeilen ({check}, Schweregrad: {severity}).",
    "fr": "- {place} : {count} sur {rows} lignes ({check}, gravité : {severity}).",
}
SWAPS = tuple(
    tuple(pair.split("|"))
    for pair in (
        "rose|fell", "risen|fallen", "up from|down from", "up by|down by", "went up|went down", "gone up|gone down", "increased|decreased",
        "has grown|has shrunk", "grew|shrank", "climbed|dropped", "jumped|dropped", "rising|falling", "growing|shrinking",
        "worsened|improved", "an increase of|a decrease of", "a rise of|a drop of", "is up|is down", "are up|are down",
        "more than last|fewer than last", "more than before|fewer than before", "higher than|lower than", "more|fewer", "larger|smaller",
        "上升|下降", "增加|减少", "增长|下降", "增多|减少", "上涨|下跌", "恶化|好转", "多了|少了", "升至|降至", "增至|减至", "高于|低于", "多于|少于", "超过|低于", "多|少",
        "gestiegen|gesunken", "stieg|sank", "stiegen|sanken", "zugenommen|abgenommen", "verschlechtert|verbessert", "mehr|weniger", "höher|niedriger",
        "anstieg um|rückgang um", "augmenté|diminué", "en hausse|en baisse", "progressé|reculé", "aggravé|amélioré", "plus|moins",
    )
)  # fmt: skip
LEVEL_WORDS = {
    "en": {"high": "high", "medium": "medium", "low": "low", "info": "info"},
    "zh": {"high": "高", "medium": "中", "low": "低", "info": "提示"},
    "de": {"high": "hoch", "medium": "mittel", "low": "niedrig", "info": "info"},
    "fr": {"high": "élevée", "medium": "moyenne", "low": "faible", "info": "info"},
}


@dataclass(frozen=True)
class Repaired:
    text: str
    changed: int
    verdict: Verdict


@dataclass(frozen=True)
class _Edit:
    line: int  # from 1
    start: int
    end: int
    text: str


def repair(text: str, findings: Mapping[str, Any], *, lang: str | None = None) -> Repaired:
    """The text with its wrong numbers set right where there is no doubt what is right. Never raises."""
    return _mend(text, known(findings), lang, cutting=False)


def cut(text: str, findings: Mapping[str, Any], *, lang: str | None = None) -> Repaired:
    """As `repair`, then without the sentences, rows and bullets that still do not hold."""
    return _mend(text, known(findings), lang, cutting=True)


def _mend(text: str, facts: Known, lang: str | None, *, cutting: bool) -> Repaired:
    judged = examine(text, facts, lang=lang)
    changed = 0
    for _ in range(PASSES):
        if not judged.bad:
            break
        edits = [edit for wrong in judged.bad for edit in _edits(wrong, judged, facts, text)]
        text, judged, done = _apply(text, edits, judged, facts, lang)
        if not done:
            break
        changed += done
    for _ in range(PASSES):
        if not cutting or not judged.bad:
            break
        edits = [edit for wrong in judged.bad for edit in _edits(wrong, judged, facts, text, cutting=True)]
        text, judged, done = _apply(text, edits, judged, facts, lang)
        if not done:
            break
        changed += done
    verdict = Verdict(tuple(w.claim for w in judged.bad), tuple(judged.ok), tuple(judged.skipped), rate(judged))
    return Repaired(text, changed, verdict)


def _apply(text: str, edits: list[_Edit], judged: Judged, facts: Known, lang: str | None) -> tuple[str, Judged, int]:
    """All edits at once when that helps; else one by one, each kept only when it helps."""
    edits = _apart(edits)
    if not edits:
        return text, judged, 0
    whole = _edited(text, edits)
    after = examine(whole, facts, lang=lang)
    if len(after.bad) <= max(0, len(judged.bad) - len(edits)):
        return whole, after, len(edits)
    done = 0
    for edit in edits[:40]:  # from the end on, so that the places of the others stay right
        one = _edited(text, [edit])
        after = examine(one, facts, lang=lang)
        if len(after.bad) < len(judged.bad):
            text, judged, done = one, after, done + 1
    return text, judged, done


def _apart(edits: list[_Edit]) -> list[_Edit]:
    """From the end of the text on, none overlapping another."""
    kept: list[_Edit] = []
    for edit in sorted(set(edits), key=lambda e: (-e.line, -e.start, e.end)):
        if kept and kept[-1].line == edit.line and edit.end > kept[-1].start:
            continue
        kept.append(edit)
    return kept


def _edited(text: str, edits: list[_Edit]) -> str:
    lines = text.split("\n")
    for edit in edits:
        if edit.line > len(lines):
            lines.append("")
        n = edit.line - 1
        was = lines[n]
        lines[n] = was[: edit.start] + edit.text + was[edit.end :]
        if was.strip() and not re.search(r"[^\W_]", lines[n]) and not edit.text:
            lines[n] = "\x00"
    return "\n".join(line for line in lines if line != "\x00")


def _edits(wrong: Wrong, judged: Judged, facts: Known, text: str, *, cutting: bool = False) -> list[_Edit]:
    claim = wrong.claim
    if claim.rule == "omitted":
        return _omitted(claim, judged, facts, text)
    if cutting or claim.rule in ("invented", "sample"):
        return _without(wrong, text)
    if claim.kind in ("direction", "order"):
        return _swapped(claim, text)
    if claim.kind == "severity":
        return _releveled(claim, judged, text)
    if claim.kind == "date" and len(set(claim.expected)) == 1:
        return _redated(claim, text)
    if wrong.number is not None and wrong.facts:
        fact = _one(wrong, judged)
        if fact is not None:
            new = respelled(wrong.number, fact, judged.lang, text)
            if new:
                return [_Edit(claim.line, claim.start, claim.end, new)]
    return []


def _one(wrong: Wrong, judged: Judged) -> Fact | None:
    """The one fact that was meant: what the sentence does not say already, and what the wrong number looks like."""
    assert wrong.number is not None
    number, piece = wrong.number, wrong.piece
    used = {c.fact for c in judged.ok if c.line == wrong.claim.line and c.text == wrong.claim.text}
    facts = [f for f in wrong.facts if truth_in(number, f, "", loose=True) is not None]
    facts = [f for f in facts if f.value != 0] or facts
    fresh = [f for f in facts if f.id not in used] or facts
    values = {f.value for f in fresh}
    if len(values) == 1:
        return fresh[0]
    scored = sorted(((likeness(number, f), n, f) for n, f in enumerate(fresh)), key=lambda s: s[:2])
    best = scored[0]
    other = next((s for s in scored[1:] if s[2].value != best[2].value), None)
    if best[0] <= CLEAR and (other is None or other[0] > best[0] + 0.05):
        return best[2]
    if number.unit == "percent" or number.form in ("fraction", "one_in", "tenths"):
        main = [f for f in fresh if f.kind in ("ratio", "percent_change")]
    else:
        main = [f for f in fresh if f.kind in ("count", "value", "sum") or f.unit in ("findings", "tables", "checks")]
    if len({f.value for f in main}) == 1 and piece is not None:
        return main[0]
    return best[2] if other is None or other[0] > best[0] + 0.5 else None


# ---------------------------------------------------------------- writing a number as another was written

_CORE = re.compile(r"\d(?:[\d.,'\u00a0\u202f\u2009 ]*\d)?")


def respelled(number: Number, fact: Fact, lang: str, text: str) -> str:
    """The fact, written as the number was: its separators, decimals, suffix, words. "" where that cannot be done."""
    truth = truth_in(number, fact, "", loose=True)
    if truth is None:
        return ""
    if "+" not in number.text and "-" not in number.text[:1]:
        truth = abs(truth)
    written = number.text
    core = _CORE.search(written)
    if number.form in ("words", "zh", "none") or core is None:
        if number.form in ("fraction", "one_in", "tenths", "word_fold"):
            return _plain_percent(truth) if number.unit == "percent" else ""
        if truth.denominator != 1:
            return ""
        if number.form == "none":
            return re.sub(r"^\w+", lambda m: f"{int(truth):,}", written.strip(), count=1)
        shown = Fact(fact.id, fact.subjects, "count", truth, "rows", fact.origin)
        try:
            return show(shown, lang, "zh" if number.form == "zh" else "words")
        except (ValueError, KeyError):
            return f"{int(truth):,}"
    if number.form in ("fraction", "one_in", "tenths"):
        return _plain_percent(truth)
    convention = separators(text[:100_000], lang)
    digits, places = _value(core[0], convention)
    scale = number.value / digits if digits else Fraction(1)
    scale = abs(scale) if scale else Fraction(1)
    inside = truth / scale if "-" in written[: core.start()] and truth < 0 else abs(truth) / scale if scale else truth
    if inside.denominator != 1 and places == 0 and number.unit == "" and scale == 1:
        places = 2
    for shown_places in (places, places + 1, places + 2):
        new = _format(inside, shown_places, core[0], convention)
        back, _ = _value(new, convention)
        if scale == 1 or abs(back - inside) * 2 <= Fraction(1, 10**shown_places):
            return written[: core.start()] + new + written[core.end() :]
    return ""


def _plain_percent(truth: Fraction) -> str:
    shown = f"{float(truth):.1f}"
    return f"{shown.removesuffix('.0')}%"


def _value(core: str, convention: Separators) -> tuple[Fraction, int]:
    whole, mark, rest = core.rpartition(convention.decimal)
    if mark and rest.isdigit() and not (len(rest) == 3 and convention.decimal in whole):
        kept = re.sub(r"\D", "", whole) or "0"
        return Fraction(f"{kept}.{rest}"), len(rest)
    return Fraction(re.sub(r"\D", "", core) or "0"), 0


def _format(value: Fraction, places: int, like: str, convention: Separators) -> str:
    scaled = round(value * 10**places)
    whole, rest = divmod(scaled, 10**places)
    group = next((c for c in like if not c.isdigit() and c != convention.decimal), "")
    if not group and (len(re.sub(r"\D.*", "", like)) < 4):
        group = next(
            (g for g in (",", ".", "\u202f", "\u00a0", "'", " ") if g in convention.group and g != convention.decimal),
            ",",
        )
    shown = f"{whole:,}".replace(",", group)
    return f"{shown}{convention.decimal}{rest:0{places}d}" if places else shown


# ---------------------------------------------------------------- words, lines, sentences


def _line(text: str, number: int) -> str:
    lines = text.split("\n")
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _swapped(claim: Claim, text: str) -> list[_Edit]:
    said = _line(text, claim.line)[claim.start : claim.end]
    low = said.lower()
    for pair in SWAPS:
        for a, b in (pair, pair[::-1]):
            at = re.search(rf"(?<![^\W\d_]){re.escape(a)}(?![^\W\d_])" if a.isascii() else re.escape(a), low)
            if at is not None:
                new = b.capitalize() if said[at.start()].isupper() else b
                return [_Edit(claim.line, claim.start + at.start(), claim.start + at.end(), new)]
    return []


def _releveled(claim: Claim, judged: Judged, text: str) -> list[_Edit]:
    if len(claim.expected) != 1:
        return []
    said = _line(text, claim.line)[claim.start : claim.end]
    match = cues.SEVERITY.search(said)
    if match is None:
        return []
    words = LEVEL_WORDS["en" if match[0].isascii() and judged.lang == "zh" else judged.lang]
    new = words[claim.expected[0]]
    new = (
        new.upper() if match[0].isupper() and len(match[0]) > 1 else new.capitalize() if match[0][0].isupper() else new
    )
    return [_Edit(claim.line, claim.start + match.start(), claim.start + match.end(), new)]


def _redated(claim: Claim, text: str) -> list[_Edit]:
    said = _line(text, claim.line)[claim.start : claim.end]
    return (
        [_Edit(claim.line, claim.start, claim.end, claim.expected[0])] if re.fullmatch(r"\d{4}-\d\d-\d\d", said) else []
    )


def _without(wrong: Wrong, text: str) -> list[_Edit]:
    """The sentence, row or heading is taken out."""
    piece, claim = wrong.piece, wrong.claim
    if piece is None:
        return []
    lines = text.split("\n")
    first, start = piece.place(piece.start)
    last, end = piece.place(max(piece.end - 1, piece.start))
    if piece.kind in ("cell", "heading") or first > len(lines):
        whole = lines[claim.line - 1] if claim.line <= len(lines) else ""
        return [_Edit(claim.line, 0, len(whole), "")]
    edits = []
    for number in range(first, last + 1):
        whole = lines[number - 1] if number <= len(lines) else ""
        left = start if number == first else 0
        right = end + 1 if number == last else len(whole)
        while left > 0 and whole[left - 1] in "*_`":
            left -= 1
        while right < len(whole) and whole[right] in "*_`":
            right += 1
        if re.fullmatch(r"\s*(?:[-*+>]|\d+[.)])?\s*[*_`]*", whole[:left]) and not whole[right:].strip():
            left = 0
        edits.append(_Edit(number, left, right, ""))
    return edits


def _omitted(claim: Claim, judged: Judged, facts: Known, text: str) -> list[_Edit]:
    subject = next((s for s in facts.facts.results if s.id == claim.subject), None)
    if subject is None:
        return []
    line = bullet(subject, judged.lang)
    lines = text.split("\n")
    last = len(lines)
    while last > 0 and not lines[last - 1].strip():
        last -= 1
    whole = lines[last - 1] if last else ""
    gap = "\n" if re.match(r"\s*[-*+] ", whole) else "\n\n"
    return [_Edit(max(last, 1), len(whole), len(whole), f"{gap}{line}" if whole else line)]


def bullet(subject: Subject, lang: str) -> str:
    """One line about a finding, as the program says it."""
    place = f"{subject.table}.{'+'.join(subject.columns)}" if subject.columns else subject.table or subject.id
    if re.search(r"[`\n]", place):
        place = subject.id.replace("`", "'").replace("\n", " ")
    count, rows = subject.fact("count"), subject.fact("evaluated") or subject.fact("rows")
    level = LEVEL_WORDS.get(lang, LEVEL_WORDS["en"]).get(subject.severity, subject.severity)
    check = f"`{subject.name}`"
    if count is not None and rows is not None:
        return OMITTED.get(lang, OMITTED["en"]).format(
            place=f"`{place}`", count=show(count, lang), rows=show(rows, lang), check=check, severity=level
        )
    value = subject.fact("value") or count or rows
    told = f": {show(value, lang)}" if value is not None else ""
    return f"- `{place}`{told} ({check}, {level})."
