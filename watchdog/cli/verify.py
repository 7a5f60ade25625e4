"""`watchdog verify`: a report and its findings in, what is wrong in the report out. Asks nobody and writes nothing.

Exit codes: 0 nothing is wrong, 1 mismatches, 2 usage, 3 the report or the findings cannot be read, or are empty. A report
that makes no claim about the findings ends with 0 and says that nothing was checked.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from watchdog.cli.inputs import STDIN, findings_at, shown, text_at
from watchdog.cli.marked import marked, printable
from watchdog.codec import json_text
from watchdog.errors import UsageError, WatchdogError, nearest
from watchdog.model import Claim, Verdict

LANGUAGES = ("en", "zh", "de", "fr")
FORMATS = ("text", "json")
NARROW, WIDE = 60, 160  # columns of a line that is shown, at least and at most
ON_A_PIPE = 110
SAMPLES = 5  # line numbers that are named for each reason why a number claims nothing
_RED, _BLUE, _BOLD, _OFF = "\x1b[31m", "\x1b[34m", "\x1b[1m", "\x1b[0m"


def run(report: Path, findings: Path, format: str = "text", lang: str | None = None) -> int:
    """The exit code, after the verdict was printed."""
    from watchdog.cli.output import say
    from watchdog.verify import verify_report

    for flag, word, known in (("--format", format, FORMATS), ("--lang", lang, LANGUAGES)):
        if word is not None and word not in known:
            raise UsageError(f"{flag} {word}: unknown", hint=nearest(word, known))
    if str(report) == STDIN == str(findings):
        raise UsageError("report and findings cannot both come from stdin", hint="name a file for one of them")
    document, text = findings_at(findings), text_at(report, "report")
    if not text.strip():
        raise WatchdogError(f"the report {shown(report)} is empty", hint="there is nothing to verify")
    try:
        verdict = verify_report(text, document, lang=lang)
    except WatchdogError as problem:
        raise WatchdogError(f"{shown(findings)}: {problem.message}", hint=problem.hint) from problem
    say(
        as_json(verdict)
        if format == "json"
        else as_text(verdict, text, shown(report), width=_width(), colour=_colour())
    )
    return 1 if verdict.bad else 0


# ---------------------------------------------------------------- for programs


def as_json(verdict: Verdict) -> str:
    told = {
        "verified": len(verdict.ok),
        "bad": [_bad(claim) for claim in verdict.bad],
        "skipped": [{"line": aside.line, "text": aside.text, "reason": aside.reason} for aside in verdict.skipped],
        "coincidence_rate": verdict.coincidence_rate,
    }
    return json_text(told)


def _bad(claim: Claim) -> dict[str, Any]:
    return {
        "line": claim.line,
        "text": claim.text,
        "cited": claim.cited,
        "subject": claim.subject,
        "expected": list(claim.expected),
        "rule": claim.rule,
        "reason": claim.reason,
    }


# ---------------------------------------------------------------- for people


def as_text(verdict: Verdict, text: str, name: str, *, width: int = ON_A_PIPE, colour: bool = False) -> str:
    """Each mismatch with its line and carets below the number, then what was not judged, then one line that sums up."""
    paint = _paint if colour else _plain
    lines = text.split("\n")
    blocks = ["\n".join(_block(claim, lines, printable(name), width, paint)) for claim in verdict.bad]
    end = [*_asides(verdict), paint(_summary(verdict), _BOLD)]
    return "\n\n".join([*blocks, "\n".join(end)]) + "\n"


def _block(claim: Claim, lines: Sequence[str], name: str, width: int, paint: Any) -> Iterator[str]:
    gutter = len(str(claim.line))
    bar = paint(f"{' ' * gutter} |", _BLUE)
    if claim.rule == "omitted" or not 0 < claim.line <= len(lines):
        yield paint(f"{name}: {claim.rule}: {printable(claim.subject)}", _BOLD)
    else:
        about = printable(claim.subject) or "the whole run"
        cited = printable(claim.cited)
        yield paint(f"{name}:{claim.line}:{claim.start + 1}: {claim.rule}: {cited}, said of {about}", _BOLD)
        shown_line, carets = marked(lines[claim.line - 1], claim.start, claim.end, width - gutter - 3)
        yield f"{paint(f'{claim.line} |', _BLUE)} {shown_line}"
        yield f"{bar} {paint(carets, _RED)}"
    if claim.expected:
        yield f"{' ' * gutter} = expected {printable(', '.join(claim.expected))}"
    yield f"{' ' * gutter} = {printable(claim.reason)}"


def _asides(verdict: Verdict) -> Iterator[str]:
    """Why numbers were not judged, each reason once, with the first of its lines."""
    places: dict[str, list[int]] = {}
    for aside in verdict.skipped:
        places.setdefault(aside.reason, []).append(aside.line)
    for reason, found in places.items():
        named = list(dict.fromkeys(found))
        more = ", ..." if len(named) > SAMPLES else ""
        line = "line" if len(named) == 1 else "lines"
        yield f"not judged: {len(found):,}, {printable(reason)} ({line} {', '.join(map(str, named[:SAMPLES]))}{more})"


def _summary(verdict: Verdict) -> str:
    ok, bad = len(verdict.ok), len(verdict.bad)
    if not ok and not bad:
        return "Nothing was checked: the report says nothing about these findings that could be right or wrong."
    claims = f"{ok + bad:,} claim{'' if ok + bad == 1 else 's'}"
    chance = f" A made-up number would pass in {verdict.coincidence_rate:.2%} of cases." if ok else ""
    if bad:
        return f"{bad:,} of {claims} {'does' if bad == 1 else 'do'} not match the findings, {ok:,} verified.{chance}"
    return f"{ok:,} of {claims} verified.{chance}"


def _paint(text: str, colour: str) -> str:
    return f"{colour}{text}{_OFF}"


def _plain(text: str, colour: str) -> str:
    return text


def _colour(environ: Mapping[str, str] = os.environ) -> bool:
    return bool(sys.stdout and sys.stdout.isatty()) and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def _width() -> int:
    if not (sys.stdout and sys.stdout.isatty()):
        return ON_A_PIPE
    return min(max(shutil.get_terminal_size().columns, NARROW), WIDE)
