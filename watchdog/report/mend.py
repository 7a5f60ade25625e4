"""Line patches: what a model may change in a text that is partly verified already.

In: the text, the reply of the fix step, the lines that the feedback named, the verified claims. Out: the new text, and why
changes were refused. A line that nobody complained about and that holds a verified number stays. A reply that is a whole
text again is read as the patches that it comes to; it replaces everything only where nothing is verified yet.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from watchdog.report.reading import json_in, looks_like_report

NUMBERS = frozenset({"number", "date"})  # kinds of claims; words of direction or severity may be said in another way


@dataclass(frozen=True)
class Patch:
    """Lines `first` to `last` (from 1) become `lines`. `last` below `first`: `lines` go in front of `first`."""

    first: int
    last: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Mended:
    text: str
    taken: int
    refused: tuple[str, ...]


def read_patches(reply: str, text: str) -> tuple[Patch, ...]:
    """The patches of a reply, none when it holds nothing of use. `text` has as many lines as the one to be patched."""
    count = text.count("\n") + 1
    told = json_in(reply)
    items = told if isinstance(told, list) else _list_in(told)
    patches = [patch for item in items for patch in _patch(item, count)]
    if patches or told is not None:
        return tuple(patches)
    return tuple(_rewritten(text.split("\n"), reply)) if looks_like_report(reply) else ()


def mend(
    text: str,
    patches: Iterable[Patch],
    *,
    shown: str,
    named: AbstractSet[int],
    verified: Sequence[Mapping[str, Any]],
    lenient: bool = False,
) -> Mended:
    """`shown`: the text as the model saw it, line by line the same one with its numbers filled in. `named`: the lines
    that may change. `lenient`: others may too, as long as they keep their verified numbers.
    """
    lines, seen = text.split("\n"), shown.split("\n")
    held: dict[int, Counter[str]] = {}
    for claim in verified:
        if claim.get("kind", "number") not in NUMBERS:
            continue
        held.setdefault(int(claim.get("line") or 0), Counter())[str(claim.get("cited", ""))] += 1
    good: list[Patch] = []
    refused: list[str] = []
    for patch in patches:
        why = _objection(patch, seen, named, held, lenient)
        if not why and any(patch.first <= other.last and other.first <= patch.last for other in good):
            why = "it was changed already"
        if why:
            refused.append(f"line {patch.first}: {why}")
        else:
            good.append(patch)
    for patch in sorted(good, key=lambda p: (p.first, p.last), reverse=True):
        lines[patch.first - 1 : patch.last] = patch.lines
    return Mended("\n".join(lines), len(good), tuple(refused))


def _objection(
    patch: Patch, lines: Sequence[str], named: AbstractSet[int], held: Mapping[int, Counter[str]], lenient: bool
) -> str:
    touched = range(patch.first, patch.last + 1)
    if not 1 <= patch.first <= len(lines) + 1 or patch.last > len(lines):
        return "there is no such line"
    old = lines[patch.first - 1 : patch.last]
    if all(line in patch.lines for line in old):
        return ""  # only adds
    others = [n for n in touched if n not in named and held.get(n)]
    if not others:
        return ""
    numbers: Counter[str] = sum((held[n] for n in others), Counter())
    if lenient and all("\n".join(patch.lines).count(cited) >= many for cited, many in numbers.items()):
        return ""
    return "it was not complained about and holds verified numbers"


def _patch(item: Any, count: int) -> Iterable[Patch]:
    """`{"line": 4, "text": "..."}`, also with the number as text, and with the number repeated in the text."""
    if not isinstance(item, dict):
        return
    line, text = item.get("line"), item.get("text")
    if isinstance(line, str) and line.strip().isdecimal() and len(line) < 9:
        line = int(line)
    if not isinstance(line, int) or isinstance(line, bool) or not isinstance(text, str) or not 1 <= line <= count:
        return
    told = [re.sub(rf"^{line}: ?", "", text, count=1)] if "\n" not in text else text.split("\n")
    yield Patch(line, line, tuple(told) if text else ())


def _list_in(told: Any) -> list[Any]:
    """The patches in an object such as `{"patches": [...]}`; a single patch is one too."""
    if not isinstance(told, dict):
        return []
    return next((value for value in told.values() if isinstance(value, list)), [told])


def _rewritten(lines: Sequence[str], reply: str) -> Iterable[Patch]:
    new = reply.split("\n")
    for kind, a, b, c, d in difflib.SequenceMatcher(None, lines, new, autojunk=False).get_opcodes():
        if kind == "replace" and b - a == d - c:
            yield from (Patch(a + n + 1, a + n + 1, (new[c + n],)) for n in range(b - a))
        elif kind != "equal":
            yield Patch(a + 1, b, tuple(new[c:d]))
