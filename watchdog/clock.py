"""The time of the run in SQL of the user: `:now`, and what SQLite itself takes for "now". Text in, text out.

`at_one_time` gives the SQL as it is run:
- CURRENT_TIMESTAMP, CURRENT_DATE, CURRENT_TIME, and date functions without a time or with 'now' (also where only the row
  says 'now') take the time of the run, to the millisecond as SQLite's own.
- `:now` beside a comparison compares as time: the other side, whatever form it has, becomes seconds since 1970. What becomes
  of that which cannot be read as a time, `as_time` decides. So does `datetime(:now, ...)` beside a column.
- `:now` elsewhere is the text 'YYYY-MM-DD HH:MM:SS', in UTC.
A view that reads the clock is run as `views_at_one_time` writes it. (SQLite refuses the clock in generated columns, indexes and
CHECKs by itself.)
`misused` says where `:now` would be mere text, or is misspelt, and what to write instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

AsTime = Callable[[str, str], str]  # SQL of a cell, and as the user wrote it -> SQL of its seconds since 1970

_LEX = re.compile(
    r"""(?P<space>\s+|--[^\n]*|/\*.*?(?:\*/|\Z))|(?P<text>'(?:[^']|'')*')|(?P<name>"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])
    |(?P<number>\d[\w.]*|\.\d\w*)|(?P<now>:now\b)|(?P<word>[^\W\d][\w$]*|[:@$?]\w*)
    |(?P<sign>->>|->|<<|>>|\|\||<=|>=|<>|!=|==|.)""",
    re.S | re.X,
)
_TIME_AT = {"date": 0, "time": 0, "datetime": 0, "julianday": 0, "unixepoch": 0, "strftime": 1}  # which argument it is
_OWN_NOW = {"current_timestamp": "%Y-%m-%d %H:%M:%S", "current_date": "%Y-%m-%d", "current_time": "%H:%M:%S"}
_COMPARE = frozenset("< <= > >= = == <> !=".split())
_BINDS = frozenset("+ - * / % || -> ->> & | << >> ~".split()) | {  # what would make more of `:now` than an operand
    "like", "glob", "regexp", "match", "is", "isnull", "notnull", "collate", "in", "escape",
}  # fmt: skip
_OPENS = frozenset(
    ", ; and or not where on having when then else case select by distinct all using values set as".split()
)
_ENDS = frozenset(
    ", ; and or then else when end from where order group limit having union except intersect window as join left right inner"
    " cross natural on offset asc desc returning".split()
)


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str

    @property
    def word(self) -> str:
        return self.text.lower() if self.kind in ("word", "sign") else ""


@dataclass(frozen=True)
class _Group:
    """What stands between two brackets."""

    inside: tuple[_Token | _Group, ...]
    closed: bool

    word = kind = ""


_Node = _Token | _Group


@dataclass(frozen=True)
class _Clock:
    now: datetime
    as_time: AsTime

    @property
    def text(self) -> str:
        return f"'{now_text(self.now)}'"

    @property
    def exact(self) -> str:
        """As SQLite's own now, to the millisecond; it cuts, and does not round."""
        return f"'{self.now.astimezone(UTC).isoformat(' ', 'milliseconds').removesuffix('+00:00')}'"

    @property
    def seconds(self) -> str:
        return repr(round(self.now.timestamp(), 3))


def now_text(now: datetime) -> str:
    return now.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def at_one_time(sql: str, now: datetime, as_time: AsTime) -> str:
    return _level(_tree(sql), _Clock(now, as_time)) if _CONCERNED.search(sql) else sql


def misused(sql: str) -> str:
    """Why `:now` cannot be compared as time where it stands, or what stands in its place, with what to write; "" when all is
    well."""
    tree = _tree(sql) if _PARAMETER.search(sql) else ()
    return next(_unknown(tree), "") or ("" if _stands_well(tree, False) else MISUSED)


def names(sql: str) -> frozenset[str]:
    """What may be the name of a column in a piece of SQL, in lower case."""
    found = (m for m in _LEX.finditer(sql) if m.lastgroup in ("word", "name"))
    return frozenset((m[0][1:-1] if m.lastgroup == "name" else m[0]).lower() for m in found)


def views_at_one_time(scripts: Sequence[str], now: datetime) -> tuple[str, ...]:
    """Statements for temporary views in the place of those of a schema, where one of them reads the clock; else ().

    All of them are needed then: a view of the file looks for others in the file alone.
    """
    heads = [(script, re.match(r"CREATE VIEW\s", script)) for script in scripts]
    if not any(_CONCERNED_VIEW.search(script) and _reads(_tree(script)) for script in scripts):
        return ()
    return tuple(f"CREATE TEMP VIEW {at_one_time(script[head.end() :], now, _unread)}" for script, head in heads if head)


def _unread(cell: str, _source: str) -> str:
    return cell


def _reads(nodes: Sequence[_Node]) -> bool:
    real = _real(nodes)
    for k, i in enumerate(real):
        node = nodes[i]
        if isinstance(node, _Group):
            name = _function(nodes, real, k)
            if _reads(node.inside) or (name in _TIME_AT and len(_arguments(node)) <= _TIME_AT[name]):
                return True
        elif node.word in _OWN_NOW or (node.kind == "text" and node.text[1:-1].lower() in ("now", "subsec", "subsecond")):
            return True
    return False


_PARAMETER = re.compile("[:@$?]")
_CONCERNED_VIEW = re.compile(r"current_|'now'|'subsec|\(\s*\)|strftime", re.I)
_CONCERNED = re.compile(r":now|current_|\b(?:date|time|datetime|julianday|unixepoch|strftime|timediff)\b", re.I)


# ---------------------------------------------------------------- reading


def _tree(sql: str) -> tuple[_Node, ...]:
    stack: list[list[_Node]] = [[]]
    for found in _LEX.finditer(sql):
        token = _Token(found.lastgroup or "sign", found[0])
        if token.text == "(" and token.kind == "sign":
            stack.append([])
        elif token.text == ")" and token.kind == "sign" and len(stack) > 1:
            inside = stack.pop()
            stack[-1].append(_Group(tuple(inside), True))
        else:
            stack[-1].append(token)
    while len(stack) > 1:
        inside = stack.pop()
        stack[-1].append(_Group(tuple(inside), False))
    return tuple(stack[0])


def _real(nodes: Sequence[_Node]) -> list[int]:
    return [i for i, node in enumerate(nodes) if node.kind != "space"]


def _function(nodes: Sequence[_Node], real: Sequence[int], k: int) -> str:
    """The name of the function whose arguments stand at `k`, "" where they are no arguments."""
    before = nodes[real[k - 1]] if k else None
    if not isinstance(nodes[real[k]], _Group) or not isinstance(before, _Token) or before.kind not in ("word", "name"):
        return ""
    name = before.text[1:-1] if before.kind == "name" else before.text
    return "" if before.word in _OPENS | _ENDS | {"in", "between", "exists"} else name.lower()


def _arguments(group: _Group) -> list[tuple[_Node, ...]]:
    split: list[list[_Node]] = [[]]
    for node in group.inside:
        if node.word == ",":
            split.append([])
        else:
            split[-1].append(node)
    return [tuple(a) for a in split] if any(_real(a) for a in split) else []


def _is_now(node: _Node) -> bool:
    if isinstance(node, _Group):
        real = _real(node.inside)
        return len(real) == 1 and _is_now(node.inside[real[0]])
    return node.kind == "now"


class _Operands:
    """The comparisons of one level of brackets that have the time of the run on a side."""

    def __init__(self, nodes: Sequence[_Node]) -> None:
        self.nodes, self.real = nodes, _real(nodes)

    def word(self, k: int) -> str:
        return self.nodes[self.real[k]].word if 0 <= k < len(self.real) else ","

    def first(self, last: int) -> int | None:
        """Where the operand begins that ends at `last`; None when it is no name, literal, call or bracket."""
        if last < 0 or not self._primary(last):
            return None
        at = last
        if isinstance(self.nodes[self.real[at]], _Group) and _function(self.nodes, self.real, at):
            at -= 1
        while at >= 2 and self.word(at - 1) == ".":
            at -= 2
        return at if self.word(at - 1) in _OPENS | {"between"} else None

    def last(self, first: int) -> int | None:
        """Where the operand ends that begins at `first`."""
        if first >= len(self.real) or not self._primary(first):
            return None
        at = first
        while self.word(at + 1) == "." and at + 2 < len(self.real):
            at += 2
        if at + 1 < len(self.real) and _function(self.nodes, self.real, at + 1):
            at += 1
        return at if self.word(at + 1) in _ENDS | {"between", "not"} else None

    def _primary(self, k: int) -> bool:
        node = self.nodes[self.real[k]]
        return isinstance(node, _Group) or node.kind in ("name", "text", "number") or (
            node.kind == "word" and node.word not in _OPENS | _ENDS | _BINDS
        )  # fmt: skip

    def now(self, first: int, last: int) -> str:
        """What an operand is: "now", "shifted" (datetime(:now, ...)), or "" for anything else."""
        if first == last:
            return "now" if _is_now(self.nodes[self.real[first]]) else ""
        group = self.nodes[self.real[last]]
        if last - first == 1 and isinstance(group, _Group) and _function(self.nodes, self.real, last) == "datetime":
            arguments = _arguments(group)
            if arguments and len(real := _real(arguments[0])) == 1 and _is_now(arguments[0][real[0]]):
                return "shifted"
        return ""

    def span_ending(self, k: int) -> tuple[int, int] | None:
        if 0 <= k < len(self.real) and _is_now(self.nodes[self.real[k]]):
            return (k, k) if self.word(k - 1) in _OPENS | {"between"} else None
        first = self.first(k)
        return None if first is None else (first, k)

    def span_beginning(self, k: int) -> tuple[int, int] | None:
        if k < len(self.real) and _is_now(self.nodes[self.real[k]]):
            return (k, k) if self.word(k + 1) in _ENDS | {"between", "not"} else None
        last = self.last(k)
        return None if last is None else (k, last)

    def comparisons(self) -> Iterator[list[tuple[int, int]]]:
        """The operands of each `a < b` and `a BETWEEN b AND c` that is to be compared as time."""
        for k in range(len(self.real)):
            operands: list[tuple[int, int] | None] = []
            if self.word(k) in _COMPARE:
                operands = [self.span_ending(k - 1), self.span_beginning(k + 1)]
            elif self.word(k) == "between":
                low = self.span_beginning(k + 1)
                both = low is not None and self.word(low[1] + 1) == "and"
                before = k - 2 if self.word(k - 1) == "not" else k - 1
                operands = [self.span_ending(before), low, self.span_beginning(low[1] + 2) if low and both else None]
            whole = [o for o in operands if o is not None]
            if not operands or len(whole) < len(operands):
                continue
            kinds = [self.now(*o) for o in whole]
            others = [o for kind, o in zip(kinds, whole, strict=True) if not kind]
            # a name alone is a column; of anything else, text may have been made on purpose
            if "now" in kinds or ("shifted" in kinds and all(map(self._column, others))):
                yield whole

    def _column(self, span: tuple[int, int]) -> bool:
        return all(self.nodes[self.real[k]].kind in ("word", "name") or self.word(k) == "." for k in range(span[0], span[1] + 1))


# ---------------------------------------------------------------- writing


def _level(nodes: Sequence[_Node], clock: _Clock) -> str:
    real = _real(nodes)
    out = [_written(node, clock) for node in nodes]
    for k, i in enumerate(real):
        node = nodes[i]
        before, after = (nodes[real[k - 1]].word if k else ""), (nodes[real[k + 1]] if k + 1 < len(real) else None)
        if node.word in _OWN_NOW and before not in (".", "as") and not isinstance(after, _Group) and (
            after is None or after.word != "."
        ):
            out[i] = f"'{clock.now.astimezone(UTC).strftime(_OWN_NOW[node.word])}'"
        elif isinstance(node, _Group) and (name := _function(nodes, real, k)) and node.closed:
            if name in _TIME_AT:
                out[i] = f"({_call(node, _TIME_AT[name], clock)})"
            elif name == "timediff":
                out[i] = f"({', '.join(_time(a, clock) for a in _arguments(node))})"
    operands = _Operands(nodes)
    for spans in operands.comparisons():
        for first, last in spans:
            kind = operands.now(first, last)
            inner = range(real[first], real[last] + 1)
            text = "".join(out[i] for i in inner)
            for i in inner:
                out[i] = ""
            source = _source(nodes[i] for i in inner)
            out[real[first]] = clock.seconds if kind == "now" else clock.as_time(text, source)
    return "".join(out)


def _source(nodes: Iterable[_Node]) -> str:
    return "".join(f"({_source(node.inside)})" if isinstance(node, _Group) else node.text for node in nodes)


def _written(node: _Node, clock: _Clock) -> str:
    if isinstance(node, _Group):
        return f"({_level(node.inside, clock)}{')' if node.closed else ''}"
    return clock.text if node.kind == "now" else node.text


def _call(group: _Group, at: int, clock: _Clock) -> str:
    arguments = _arguments(group)
    if len(arguments) <= at:  # no time is given: SQLite takes now
        return ", ".join([*(_level(a, clock) for a in arguments), clock.exact])
    return ",".join(_time(a, clock) if n == at else _level(a, clock) for n, a in enumerate(arguments))


def _time(argument: Sequence[_Node], clock: _Clock) -> str:
    """An argument that SQLite reads as a time: 'now' in it is the time of the run."""
    real = _real(argument)
    text = _level(argument, clock)
    if len(real) == 1:
        node = argument[real[0]]
        if isinstance(node, _Token) and node.kind == "text":
            word = node.text[1:-1].lower()
            if word == "now":
                return "".join(clock.exact if i == real[0] else n.text for i, n in enumerate(argument) if isinstance(n, _Token))
            return f"{clock.exact}, {node.text}" if word in ("subsec", "subsecond") else text
        if _is_now(node) or node.kind == "number" or node.word in _OWN_NOW:
            return text
    return f"CASE WHEN ({text}\n) = 'now' COLLATE NOCASE THEN {clock.exact} ELSE {text}\n END"


# ---------------------------------------------------------------- refusing


MISUSED = (
    "`:now` has to stand beside a column, or in a date function: write created_at <= :now, or"
    " julianday(created_at) >= julianday(:now, '-3 days')"
)


def _stands_well(nodes: Sequence[_Node], as_time: bool) -> bool:
    """Whether each `:now` is a side of a comparison, or is read as a time: anywhere else it is text, which might be compared
    as such further on. `as_time`: whether SQLite reads these nodes as a time."""
    operands = _Operands(nodes)
    fine = {k for spans in operands.comparisons() for first, last in spans for k in range(first, last + 1)}
    for k, i in enumerate(operands.real):
        node = nodes[i]
        if _is_now(node) and (k in fine or as_time):
            continue
        if node.kind == "now":
            return False
        name = _function(nodes, operands.real, k)
        if isinstance(node, _Group) and not _stands_well(node.inside, as_time or name in _TIME_AT or name == "timediff"):
            return False
    return True


def _unknown(nodes: Sequence[_Node]) -> Iterator[str]:
    """What is said of each parameter that is not `:now`."""
    for node in nodes:
        if isinstance(node, _Group):
            yield from _unknown(node.inside)
        elif node.kind == "word" and _PARAMETER.match(node.text):
            yield f"{node.text!r} has no value: the one parameter is `:now`, the time of the run, written so"
