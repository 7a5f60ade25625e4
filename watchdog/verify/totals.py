"""Counts of the whole run: findings by severity, tables, checks, and what a sentence or a list goes on to name."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from watchdog.model import Fact
from watchdog.verify import cues
from watchdog.verify.facts import LEVELS
from watchdog.verify.headers import header_kinds
from watchdog.verify.seen import WHOLE, Seen

if TYPE_CHECKING:
    from watchdog.verify.context import Context

_LEVELS_ANY = "|".join(f"(?P<{name}>{pattern})" for name, pattern in cues.SEVERITIES)
_LEVELS_AFTER = _LEVELS_ANY.replace("|中|", "|中(?=[等级危严重度优风])|")  # 15 个问题中: among them
_LEVEL_AFTER = re.compile(
    rf"^\s*(?:(?:of (?:the|our|its|those|all)|(?:der|aller) |des |findings?|issues?"
    rf"|problems?|befunde?|constats?|problèmes?|of them|of these|davon|d'entre eux|sont"
    rf"|sind|are|is|were|was|个|项|条|处|为|属|属于|的|个问题|个是|项为|rated|classified|marked|as|de|d'|mit"
    rf"|gravité|schweregrad|severity)\s*)*[*_\"'“(（]*(?:{_LEVELS_AFTER})(?=\b|[^\x00-\x7f]|$)(?!\s*(?:share|rate"
    rf"|ratio|number|count|percentage|anteil|zahl))",
    re.IGNORECASE,
)
_LEVEL_BEFORE = re.compile(
    rf"(?:{_LEVELS_ANY})[\s*_\"'”)）-]*(?:severity|priority|findings?|issues?|problems?|级别?|危|严重性?|严重程度"
    rf"|优先级|的?问题|的?发现|befunde?|schweregrad|priorität|gravité|constats?|problèmes?)?[\s*_]*(?:[:：=(（|]|有"
    rf"|共|为|是|:\s*\*\*)?[\s*_]*$",
    re.IGNORECASE,
)
_REMAINING = re.compile(
    r"\b(?:remaining|other|rest|further|more|else|übrige\w*|weitere\w*|restliche\w*|autres?|restants?)\b|其余|其他"
    r"|其它|剩余|另外|另有|余下",
    re.IGNORECASE,
)
_THESE = re.compile(
    r"\b(?:these|those|both|the other|the remaining|the last|the first|the same|the|all"
    r"|diese[nrs]?|beide[nr]?|den|die|alle[nr]?|ces|les|tous les|toutes les)\W*$"
    r"|(?:这|该|上述|以上|前述|其余|其他|另外)\W*$",
    re.IGNORECASE,
)
_OUTCOMES = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("passed", r"(?<!not )\bpass\w*|(?<![未不没])(?<!没有)通过|(?<!nicht )\bbestanden|\bréussi\w*|\bpassé\w*"),
        (
            "failed",
            r"\bfail\w*|\bnot pass\w*|失败|未通过|不通过|没有?通过|\bfehlgeschlagen|\bnicht bestanden|\béchoué\w*|\bgescheitert",
        ),
        ("skipped", r"\bskip\w*|跳过|\bübersprungen|\bignoré\w*|\bsauté\w*"),
        ("errored", r"\berror\w*|出错|报错|\bfehlerhaft|\berreur"),
    )
)


def totals(context: Context, seen: Seen) -> list[Fact]:
    """Facts of the whole run, by the noun that is counted; things that are listed right here count too."""
    noun = seen.noun
    found: list[Fact] = []
    if noun == "findings":
        level = level_beside(context, seen) or level_in(seen.after[:24])
        if level:
            return finding_counts(context, seen, frozenset((level,)))
        found = [f for f in context.facts.run if f.unit == "findings"] + finding_counts(context, seen, None)
        found += level_sums(context, seen)
        found += listed(context, seen, "findings")
    elif noun in ("tables", "checks", "columns"):
        found = [f for f in context.facts.run if f.unit == noun]
        if noun == "checks" and seen.tight is not WHOLE:
            found = checks_by_cue(found, _last_clause(seen.before), _first_clause(seen.after)[:40])
        if noun == "checks":
            found += check_counts(context)
        found += listed(context, seen, noun)
    elif noun == "runs":
        found = []
    elif noun in ("rows", ""):
        found = [f for f in context.facts.run if f.unit in ("rows", "share", "bytes")]
        if seen.number.unit in ("percent", "permille"):
            found += _rates(context, seen)
        if noun == "" and context.segment.scope.how not in ("own", "row"):
            found += keyed(context, seen)
    return found


def _rates(context: Context, seen: Seen) -> list[Fact]:
    """Shares of the checks by outcome, of the findings by severity."""
    run = {f.kind: f.value for f in context.facts.run if isinstance(f.value, Fraction)}
    near = context.near(seen.number)
    made = []
    for kind, pattern in _OUTCOMES:
        if pattern.search(near):
            for whole in ("checks_run", "checks_evaluated"):
                if f"checks_{kind}" in run and run.get(whole):
                    made.append(made_fact(f"share of checks {kind}", run[f"checks_{kind}"] / run[whole], "share"))
    level = level_beside(context, seen) or level_in(seen.after[:24])
    if level and run.get("findings"):
        made.append(
            made_fact(
                f"share of {level} findings", run.get(f"findings_{level}", Fraction(0)) / run["findings"], "share"
            )
        )
    return made


def severity(context: Context, seen: Seen) -> list[Fact]:
    """The count of findings of the severity that stands beside the number."""
    level = level_beside(context, seen)
    if not level:
        return []
    return finding_counts(context, seen, frozenset((level,)))


def level_beside(context: Context, seen: Seen) -> str:
    after = _LEVEL_AFTER.match(seen.after)
    if after:
        return level_of(after)
    header = context.line.piece.header
    if header:
        match = cues.SEVERITY.fullmatch(header.strip(" *"))
        if match:
            return level_of(match)
        first = context.line.row_text.split(" | ")[0].strip(" *")
        match = cues.LEVEL_HEADING.match(first)
        if (
            match
            and not context.segment.scope.results
            and (header_kinds(context.line) is None or seen.noun == "findings")
        ):
            return next(
                ({"h": "high", "m": "medium", "l": "low", "i": "info"}[k] for k, v in match.groupdict().items() if v),
                "",
            )
        return ""
    before = _LEVEL_BEFORE.search(seen.before)
    return level_of(before) if before else ""


def finding_counts(context: Context, seen: Seen, levels: frozenset[str] | None) -> list[Fact]:
    """Numbers of findings: of a severity, of a table, of a kind of check, as the words say."""
    scope = context.segment.scope
    failed = [(n, s) for n, s in enumerate(context.facts.results) if s.status == "failed"]
    if levels:
        failed = [(n, s) for n, s in failed if s.severity in levels]
    found = [("findings_" + "_".join(sorted(levels)) if levels else "findings", len(failed))]
    if scope.tables or scope.how in ("own", "row", "heading", "parent", "weak"):
        tables = set(scope.tables) or {context.facts.results[n].table for n in scope.results}
        for table in sorted(tables):
            found.append((f"findings in {table}", sum(s.table == table for _, s in failed)))
        if len(tables) > 1:
            found.append(("findings in these tables", sum(s.table in tables for _, s in failed)))
        if scope.results:
            found.append(("findings here", sum(n in scope.results for n, _ in failed)))
    words = context.near(seen.number)
    for checks in cues.checks_in(words):
        if checks:
            found.append(("findings of this kind", sum(s.check in checks for _, s in failed)))
    for check in sorted(scope.checks):
        found.append((f"{check} findings", sum(s.check == check for _, s in failed)))
    return [made_fact(kind, value, "findings") for kind, value in found]


def check_counts(context: Context) -> list[Fact]:
    scope = context.segment.scope
    tables = set(scope.tables) or (
        {context.facts.results[n].table for n in scope.results}
        if scope.how in ("own", "row", "heading", "parent")
        else set()
    )
    made = []
    for table in sorted(tables):
        those = [s for s in context.facts.results if s.table == table]
        made.append(made_fact("checks", len(those), "checks"))
        for status in ("passed", "failed", "skipped", "error"):
            made.append(made_fact(f"checks {status}", sum(s.status == status for s in those), "checks"))
    return made


def level_sums(context: Context, seen: Seen) -> list[Fact]:
    counts = {level: sum(s.severity == level for s in context.facts.results) for level in LEVELS}
    text = context.near(seen.number)
    named = [level for level in LEVELS if re.search(dict(cues.SEVERITIES)[level], text, re.I)]
    made = []
    if len(named) > 1:
        made.append(made_fact("findings of these severities", sum(counts[level] for level in named), "findings"))
    if _REMAINING.search(seen.before + seen.after[:30]):
        total = sum(counts.values())
        made += [
            made_fact("remaining findings", total - part, "findings")
            for part in (
                counts["high"],
                counts["high"] + counts["medium"],
                total - counts["info"],
                total - counts["low"] - counts["info"],
            )
        ]
        named_here = len(
            {
                n
                for line in context.judge.lines
                for n in line.whole.results
                if line.piece.block < context.line.piece.block and context.facts.results[n].status == "failed"
            }
        )
        made.append(made_fact("remaining findings", total - named_here, "findings"))
    return made


def listed(context: Context, seen: Seen, noun: str) -> list[Fact]:
    """What the sentence, or the list under it, goes on to name."""
    made = []
    whole = context.line.whole
    if whole.parts and whole.how == "own":
        made.append(made_fact("listed here", len(whole.parts), noun))
        tables = {context.facts.results[n].table for n in whole.results}
        if noun == "tables":
            made.append(made_fact("tables named here", len(tables), noun))
    if context.line.piece.items:
        made.append(made_fact("entries of the list", context.line.piece.items, noun))
    if _THESE.search(seen.before):
        made += _named_before(context, noun)
    if noun == "tables" and whole.tables:
        made.append(made_fact("tables named here", len(whole.tables), noun))
    if noun == "columns" and whole.results:
        for table in sorted({context.facts.results[n].table for n in whole.results}):
            columns = {c for s in context.facts.findings if s.table == table for c in s.columns}
            made.append(made_fact(f"columns of {table} with findings", len(columns), noun))
        made += [made_fact("columns of the check", len(context.facts.results[n].columns), noun) for n in whole.results]
    return made


def _named_before(context: Context, noun: str) -> list[Fact]:
    """These two tables, both findings: what the headings and the lines before have named."""
    judge, piece = context.judge, context.line.piece
    nearest, all_named = [], set()
    for line in reversed(judge.lines[max(0, judge.at - 24) : judge.at]):
        heads = line.piece.kind == "heading"
        if heads and line.piece not in piece.headings:
            break
        results = {n for n in line.whole.results if noun != "findings" or context.facts.results[n].status == "failed"}
        if not results or line.whole.how not in ("own", "row"):
            continue
        all_named |= results
        nearest += [results, set(all_named)]
    made = []
    for results in nearest:
        named = [context.facts.results[n] for n in results]
        many = len(results)
        if noun == "tables":
            many = len({s.table for s in named})
        elif noun == "columns":
            many = len({(s.table, s.columns) for s in named})
        made.append(made_fact("named before", many, noun))
    return made


def keyed(context: Context, seen: Seen) -> list[Fact]:
    """`Findings: 15`, `| Tables scanned | 4 |`: the noun stands in front, or in the first cell of the row."""
    label = seen.before
    if context.line.row_text:
        label = f"{context.line.row_text.split(' | ')[0]} {context.line.piece.header}:"
    elif not re.search(r"[:：=|]\W*$|\b(?:is|are|of|to|ist|sind|est|sont)\W*$|[为是共有达]\W*$", label):
        return []
    found: list[Fact] = []
    for kind, pattern in cues.NOUNS[:4]:
        if re.search(pattern.pattern, label, re.IGNORECASE):
            facts = [f for f in context.facts.run if f.unit == kind]
            found += checks_by_cue(facts, label, "") if kind == "checks" else facts
    for kind, pattern in _OUTCOMES:
        if pattern.search(label):
            found += [f for f in context.facts.run if f.kind == f"checks_{kind}"]
    return found


def checks_by_cue(found: list[Fact], before: str, after: str) -> list[Fact]:
    """`34 checks passed`: the outcome nearest behind the number decides, else the nearest before it."""
    behind = [(m.start(), kind) for kind, pattern in _OUTCOMES if (m := pattern.search(after))]
    ahead = [(-m.end(), kind) for kind, pattern in _OUTCOMES for m in pattern.finditer(before)]
    for _, kind in [*sorted(behind)[:1], *sorted(ahead)[:1]]:
        if kept := [f for f in found if f.kind.startswith(f"checks_{kind}")]:
            return kept
    return found


def _first_clause(text: str) -> str:
    return re.split(r"[,，;；、。(（]|\.\s", text, maxsplit=1)[0]


def _last_clause(text: str) -> str:
    return re.split(r"[,，;；、。)）]|\.\s", text)[-1]


def level_of(match: re.Match[str]) -> str:
    return next((level for level in LEVELS if match.groupdict().get(level)), "")


def level_in(text: str) -> str:
    match = re.match(rf"\s*(?:{_LEVELS_ANY})\b|\s*(?:个|项|条)?\s*(?:高|中|低)(?:严重|危|级|优先)", text, re.IGNORECASE)
    if match is None:
        return ""
    return level_of(match) or {"高": "high", "中": "medium", "低": "low"}.get(
        next((c for c in match[0] if c in "高中低"), ""), ""
    )


def made_fact(kind: str, value: Fraction | int, unit: str) -> Fact:
    return Fact(kind, ("",), kind, Fraction(value), unit, kind)
