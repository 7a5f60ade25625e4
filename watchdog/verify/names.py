"""Which results, tables and checks a piece of text speaks of.

In: the facts and a `Piece`. Out: its `Mention`s in order. A name in a code span or with a dot or underscore is a strong
mention; a plain word that happens to be the name of a table or column is a weak one. A column that several tables have
stands for all of them until a table is named. A code span that looks like a table, column, check or finding that the
document does not know is `unknown`: a number said of it has no fact.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from watchdog.verify.facts import Facts, Subject
from watchdog.verify.structure import Piece

Kind = Literal["result", "place", "column", "table", "check", "unknown"]
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*(?:[.+][A-Za-z_][A-Za-z0-9_$]*)*")
DOTTED = re.compile(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$+]*){1,3}")
PLAIN = re.compile(r"[^\W\d][\w$]*")
CALL = re.compile(r"([\w.$]+)\s*\(\s*([\w$]+(?:\s*[,+]\s*[\w$]+)*)\s*\)")
FILE = re.compile(
    r"\.(?:py|sql|db|sqlite3?|csv|tsv|md|ya?ml|json|jsonl|txt|log|xlsx?|parquet|com|org|net|io|html|toml|sh)$", re.I
)
# words beside a code span that say what it is
KIND_WORD = re.compile(
    r"(?P<table>tables?\b|表|Tabellen?\b)|(?P<column>columns?\b|fields?\b|列|字段|Spalten?\b|Felde?\b|colonnes?\b"
    r"|champs?\b)"
    r"|(?P<check>checks?\b|findings?\b|tests?\b|rules?\b|检查|规则|问题项|Prüfung(?:en)?\b|Befunde?\b|Regeln?\b"
    r"|contrôles?\b|règles?\b)",
    re.IGNORECASE,
)
# a table that is named without a code span: "the payments table", "table payments", "Tabelle payments"
BARE_TABLE = re.compile(
    r"\b([a-z][a-z0-9]*(?:_[a-z0-9]+)*) table\b|\b(?:[Tt]able|[Tt]abelle) ([a-z][a-z0-9]*(?:_[a-z0-9]+)*)\b"
    r"|(?<![A-Za-z0-9_.])([a-z][a-z0-9_]+)\s?表(?![示面明达现单])"
)
NOT_NAMES = frozenset(
    "a an the this that these those each every any all both one same other another whole entire single main parent child "
    "lookup reference referenced referencing target source first second third last affected clean following summary per "
    "which no its their our your my of in on from to by and or is was has with for as at only large larger largest small "
    "smaller smallest big biggest busiest top worst bad good new old empty full next previous master detail base core "
    "given data database fact dimension staging temporary temp scanned checked remaining audited healthy more most less "
    "und oder der die das den dem des ein eine einer mit von aus ist hat sind wurde alle im in zu auf für bei nach "
    "et ou le la les un une des du de est a sont au aux par pour sur dans ne pas qui que".split()
)


@dataclass(frozen=True, slots=True, eq=False)
class Mention:
    start: int
    end: int
    text: str
    kind: Kind
    results: frozenset[int]  # positions in Facts.results
    table: str  # of a table or a place, "" otherwise
    strong: bool


class Names:
    """The names of one document, ready to be looked up."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.known: dict[str, tuple[Kind, frozenset[int], str]] = {}
        places: dict[str, set[int]] = {}
        columns: dict[str, set[int]] = {}
        tables: dict[str, set[int]] = {}
        checks: dict[str, set[int]] = {}
        results: dict[str, set[int]] = {}
        self.table_of: dict[str, str] = {}
        for n, s in enumerate(facts.results):
            results.setdefault(s.id, set()).add(n)
            if s.name != s.check:
                results.setdefault(s.name, set()).add(n)
            checks.setdefault(s.check, set()).add(n)
            if s.table:
                tables.setdefault(s.table, set()).add(n)
            for column in s.columns:
                columns.setdefault(column, set()).add(n)
                places.setdefault(f"{s.table}.{column}", set()).add(n)
                self.table_of[f"{s.table}.{column}"] = s.table
            if len(s.columns) > 1:
                for joint in ("+", ",", ", ", " + "):
                    places.setdefault(f"{s.table}.{joint.join(s.columns)}", set()).add(n)
                    columns.setdefault(joint.join(s.columns), set()).add(n)
                self.table_of[f"{s.table}.{'+'.join(s.columns)}"] = s.table
        for table in facts.rows:
            tables.setdefault(table, set())
        for kind, found in (
            ("check", checks),
            ("column", columns),
            ("table", tables),
            ("place", places),
            ("result", results),
        ):
            for name, numbers in found.items():
                if name:
                    table = name if kind == "table" else self.table_of.get(name, "") if kind == "place" else ""
                    self.known[name] = (kind, frozenset(numbers), table)  # type: ignore[assignment]
        short: dict[str, list[str]] = {}  # a schema may be left out: orders for sales.orders
        for name, (kind, _, _) in self.known.items():
            if kind in ("table", "place") and "." in name:
                short.setdefault(name.partition(".")[2], []).append(name)
        for name, longer in short.items():
            if (
                len(longer) == 1 and name not in self.known and "." in longer[0] and self.known[longer[0]][0] == "table"
            ) or (len(longer) == 1 and name not in self.known and "." in name):
                self.known[name] = self.known[longer[0]]
        self.folded: dict[str, str] = {}
        for name in self.known:
            folded = name.casefold()
            self.folded[folded] = "" if folded in self.folded else name
        odd = sorted((n for n in self.known if not WORD.fullmatch(n) and len(n) < 200), key=len, reverse=True)[:2000]
        self.odd = re.compile("|".join(map(re.escape, odd))) if odd else None
        self._cache: dict[tuple[str, bool], tuple[Kind, frozenset[int], str, bool] | None] = {}

    @cached_property
    def words(self) -> str:
        """All that the program itself wrote about the results: what that names is known, though no subject."""
        doc = self.facts.document
        kept = [json.dumps(doc.get(part), ensure_ascii=False) for part in ("source", "summary", "run")]
        for part in ("findings", "results"):
            for told in doc.get(part) or ():
                if isinstance(told, dict):
                    kept += [
                        v
                        for k in ("description", "reason", "note", "evidence", "sql")
                        if isinstance(v := told.get(k), str)
                    ]
                    kept += [
                        json.dumps(told[k], ensure_ascii=False) for k in ("expected", "observed", "tags") if told.get(k)
                    ]
        return " ".join(kept)

    def _told(self, text: str) -> bool:
        return re.search(rf"(?<![\w.]){re.escape(text)}(?!\w)", self.words) is not None

    def mentions(self, piece: Piece) -> list[Mention]:
        """In order, never overlapping; `strong` ones first where two would overlap."""
        found: list[Mention] = []
        plain, start, end = piece.source.plain, piece.start, piece.end
        for name in piece.names:
            told = self._look(name.text, code=name.code) if name.text else None
            if told is not None:
                found.append(Mention(name.start, name.end, name.text, *told))
            elif name.code:
                unknown = self._unknown(
                    name.text, plain[max(start, name.start - 24) : name.start], plain[name.end : name.end + 24]
                )
                if unknown:
                    found.append(Mention(name.start, name.end, name.text, "unknown", frozenset(), "", True))
        taken = [(m.start, m.end) for m in found]
        if self.odd is not None:
            for match in self.odd.finditer(plain, start, end):
                told = self._look(match[0], code=False)
                if told is not None and not _overlaps(taken, *match.span()):
                    kind, results, table, _ = told
                    found.append(Mention(*match.span(), match[0], kind, results, table, True))
                    taken.append(match.span())
        for match in WORD.finditer(plain, start, end):
            told = self._look(match[0], code=False)
            if told is not None and not _overlaps(taken, *match.span()):
                found.append(Mention(match.start(), match.end(), match[0], *told))
            elif (
                told is None
                and "." in match[0]
                and self._unknown(match[0], "", "")
                and match[0].partition(".")[0] in self.known
            ):
                found.append(Mention(*match.span(), match[0], "unknown", frozenset(), "", True))
        for match in BARE_TABLE.finditer(plain, start, end):
            group = next(i for i in (1, 2, 3) if match[i])
            word = match[group]
            if (
                word not in NOT_NAMES
                and word.casefold() not in self.folded
                and not _overlaps(taken, *match.span(group))
                and ("_" in word or not self._told(word))
            ):
                found.append(Mention(*match.span(group), word, "unknown", frozenset(), "", "_" in word))
        found.sort(key=lambda m: m.start)
        return found

    def _look(self, text: str, *, code: bool) -> tuple[Kind, frozenset[int], str, bool] | None:
        key = (text, code)
        if key not in self._cache:
            self._cache[key] = self._resolve(text, code)
        return self._cache[key]

    def _resolve(self, text: str, code: bool) -> tuple[Kind, frozenset[int], str, bool] | None:
        name = text if text in self.known else self.folded.get(text.casefold(), "")
        if name:
            kind, results, table = self.known[name]
            return kind, results, table, code or kind in ("result", "place") or "_" in name
        if not code:
            return None
        text = text.strip().strip("\"'")
        if text in self.known:
            return *self.known[text], True
        call = CALL.fullmatch(text)
        if call and call[1] in self.known:
            columns = re.split(r"\s*[,+]\s*", call[2])
            kind, results, table = self.known[call[1]]
            if kind == "table":
                within = frozenset(n for n in results if set(columns) <= set(self.facts.results[n].columns))
                return ("place", within, table, True) if within else None
        parts = re.split(r"\s*(?:→|->|=>|:|\s)\s*", text)
        if len(parts) > 1 and all(p in self.known for p in parts):
            kind, results, table = self.known[parts[0]]
            for part in parts[1:]:
                more = results & self.known[part][1]
                results = more or results
            return kind, results, table, True
        return None

    def _unknown(self, text: str, before: str, after: str) -> bool:
        """True when it looks like a finding, table, column or check, and the document has none of that name."""
        if FILE.search(text) or len(text) > 200:
            return False
        if DOTTED.fullmatch(text):
            return not self._told(text)
        if not PLAIN.fullmatch(text) or text.isupper():
            return False
        beside = KIND_WORD.match(after.lstrip(" \u00a0的“”\"'*")) or _last(KIND_WORD, before)
        if beside:
            return not self._told(text)
        return "_" in text and not self._told(text)


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The pattern where it ends the text, with perhaps a space, a colon or an opening mark behind it."""
    text = text.rstrip(" :：“\"'(（*")
    for match in pattern.finditer(text):
        if match.end() == len(text):
            return match
    return None


def _overlaps(taken: list[tuple[int, int]], start: int, end: int) -> bool:
    return any(start < e and s < end for s, e in taken)


def subjects(facts: Facts, numbers: frozenset[int]) -> list[Subject]:
    return [facts.results[n] for n in sorted(numbers)]
