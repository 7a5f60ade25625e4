"""The report that needs no model: every finding in a sentence of the program, and perhaps a model's guess behind it.

In: the findings document, its facts, a language, and guesses by finding id. Out: Markdown whose every number is a fact.
Names are strangers: they stand in code spans that hold whatever they are made of. A reason that a database or a driver
gave is only repeated when it holds no number, since nothing vouches for that one; the report's last part tells it all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from watchdog.model import Fact, agreeing
from watchdog.render._escape import markdown, short, visible
from watchdog.report import _told
from watchdog.report._words import LEVELS, fault, label, words
from watchdog.verify import Facts, show

MOST = 200  # findings of a severity below high that are told one by one
LONGEST = 300  # characters of a reason
_LIMITS = (
    ("lower", ("allowed_min", "min")),
    ("upper", ("allowed_max", "max", "max_age_hours")),
    ("equals", ("equals",)),
)
_TAME = re.compile(r"[-+\w.,:%‰ \u2212\u202f\xa0]*")
_NUMBER = re.compile(r"\d|[零〇一二两三四五六七八九十百千万亿]")


def skeleton(document: Mapping[str, Any], facts: Facts, lang: str, guesses: Mapping[str, str] | None = None) -> str:
    """`guesses` are sentences that were looked at already; here they are put behind their finding."""
    say = words(lang)
    found = _told.findings_of(document)
    parts = [f"## {say['summary']}", _summary(document, facts, lang, found)]
    for level in ("other", *LEVELS):
        of_level = [f for f in found if _told.level_of(f) == level]
        if of_level:
            shown = of_level if level in ("high", "other") else of_level[:MOST]
            lines = [f"- {_sentence(f, facts, lang, (guesses or {}).get(_told.text(f.get('id')), ''))}" for f in shown]
            if len(shown) < len(of_level):
                lines.append(f"- {say['more']}")
            parts += [f"## {say[level]}", "\n".join(lines)]
    unevaluated = list(_told.not_evaluated(document))
    if unevaluated:
        lines = [f"- {_unevaluated(lang, *one)}" for one in unevaluated[:MOST]]
        if len(unevaluated) > MOST:
            lines.append(f"- {say['more_unevaluated']}")
        parts += [f"## {say['unevaluated']}", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def span(name: str) -> str:
    """A name as a code span, whatever it is made of. Only outside of tables, where a pipe would end it."""
    seen = visible(name)
    if not seen.strip():
        seen = f'"{seen}"'
    longest = max((len(run) for run in re.findall("`+", seen)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if seen[0] == "`" or seen[-1] == "`" or (seen[0] == " " and seen[-1] == " ") else ""
    return f"{ticks}{pad}{seen}{pad}{ticks}"


def number(fact: Fact, lang: str) -> str:
    """A fact as the verifier's own words have it. Its unit may be a stranger's."""
    shown = show(fact, lang)
    return shown if _TAME.fullmatch(shown) else markdown(shown)


def _summary(document: Mapping[str, Any], facts: Facts, lang: str, found: Sequence[Mapping[str, Any]]) -> str:
    say = words(lang)
    sentences = []
    total = _number(facts, "", "findings")
    if found and total is not None:
        counts = [(level, _number(facts, f"severity:{level}", f"findings_{level}")) for level in LEVELS]
        told = [say["level"].format(number(n, lang), label=label(level, lang)) for level, n in counts if n and n.value]
        noun = say["one"] if total.value == 1 else say["many"]
        sentences.append(say["findings"].format(number(total, lang), findings=noun, levels=say["comma"].join(told)))
    else:
        sentences.append(say["none"] if _told.complete(document) else say["none_seen"])
    run, tables = _number(facts, "", "checks_run"), _number(facts, "", "tables")
    outcomes = [
        say[kind].format(number(n, lang), checks=_checks(n))
        for kind in ("passed", "failed", "skipped", "errored")
        if (n := _number(facts, "", f"checks_{kind}")) and n.value
    ]
    if run is not None and outcomes:
        noun = "table" if tables is not None and tables.value == 1 else "tables"
        form = say["checks_only"] if tables is None else say["checks"]
        told_tables = "" if tables is None else number(tables, lang)
        joined = say["comma"].join(outcomes)
        sentences.append(
            form.format(number(run, lang), checks=_checks(run), tables=told_tables, noun=noun, outcomes=joined)
        )
    elif run is not None and not run.value:
        sentences = [say["no_checks"]]
    if not _told.complete(document):
        sentences.append(say["incomplete"])
    return say["space"].join(sentences)


def _sentence(finding: Mapping[str, Any], facts: Facts, lang: str, guess: str) -> str:
    """What a finding counts, of how many; what else is known of it."""
    say = words(lang)
    id = _told.text(finding.get("id"))
    known = {f.kind: f for f in reversed(facts.of(id))}
    check = _told.text(finding.get("check"))
    count, ratio = known.get("count"), known.get("ratio")
    rows = known.get("evaluated") or known.get("rows")
    if count is not None and rows is not None and rows.value:
        wrong = fault(check, lang)
        wrong = agreeing(wrong, 1 if count.value == 1 else 2) if lang == "en" else wrong
        share = say["share"].format(number(ratio, lang)) if ratio is not None else ""
        told = say["of"].format(number(count, lang), rows=number(rows, lang), share=share, fault=wrong)
    elif count is not None:
        told = say["cases"].format(number(count, lang))
    elif rows is not None and check == "row_count":
        told = say["rows"].format(number(rows, lang), noun="row" if rows.value == 1 else "rows")
    else:
        told = say["nothing"]
    more = [_more(say, lang, kind, known) for kind in ("groups", "surplus", "not_evaluated", "value", "previous")]
    more += [_limit(say, lang, name, kinds, known) for name, kinds in _LIMITS]
    limit = known.get("threshold")
    if limit is not None and limit.value:
        more.append(say["upper"].format(number(limit, lang)))
    if finding.get("accepted"):
        more.append(say["accepted"])
    if guess:
        more.append(say["guess"].format(guess))
    return say["space"].join(filter(None, (f"{span(id)}{say['colon']}{told}{say['stop']}", *more)))


def _more(say: Mapping[str, str], lang: str, kind: str, known: Mapping[str, Fact]) -> str:
    fact = known.get(kind)
    if fact is None or isinstance(fact.value, str):
        return ""
    noun = "group" if fact.value == 1 else "groups"
    return say[kind].format(number(fact, lang), noun=noun)


def _limit(say: Mapping[str, str], lang: str, name: str, kinds: Sequence[str], known: Mapping[str, Fact]) -> str:
    fact = next((known[kind] for kind in kinds if kind in known), None)
    return say[name].format(number(fact, lang)) if fact is not None and not isinstance(fact.value, str) else ""


def _unevaluated(lang: str, id: str, status: str, reason: str) -> str:
    say = words(lang)
    said = say["was_errored" if status == "error" else "was_skipped"].format(id=span(id))
    why = markdown(short(visible(reason), LONGEST)).rstrip(".。")
    if not why or _NUMBER.search(why):
        return f"{said}{say['stop']}"
    return say["because"].format(said=said, why=why) + say["stop"]


def _checks(number: Fact) -> str:
    return "check" if number.value == 1 else "checks"


def _number(facts: Facts, subject: str, kind: str) -> Fact | None:
    return next((f for f in facts.of(subject) if f.kind == kind and not isinstance(f.value, str)), None)
