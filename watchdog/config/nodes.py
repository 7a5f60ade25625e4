"""YAML 1.2 as small values that know their file and line.

In: a path or text. Out: one `Node`. The parser's events are walked here, so that no object of YAML is ever
constructed and scalars mean what YAML 1.2 says: `NO`, `yes`, `1:30`, dates and numbers with a leading zero stay text.
Refuses: files above 5 MB, what is not UTF-8, tags, merge keys, a key written twice, several documents, deep nesting,
and aliases that unfold into more than a config can need.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from watchdog.errors import ConfigError

Scalar = str | int | float | bool | None

MAX_BYTES = 5_000_000
MAX_DEPTH = 40  # config.yaml needs about 10
MAX_ALIASED = 100_000  # values that aliases may add; "billion laughs" asks for 10**9

# YAML 1.2.2, 10.3.2 (core schema), apart from numbers with a leading zero: `007` is a code, and written so on purpose.
_NULL = re.compile(r"null|Null|NULL|~|")
_BOOLEAN = re.compile(r"(true|True|TRUE)|false|False|FALSE")
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,99})")  # longer than any number of a database: stays text
_OCTAL_OR_HEX = re.compile(r"0o[0-7]{1,30}|0x[0-9a-fA-F]{1,30}")
_EXPONENT = "[eE][-+]?[0-9]+"
_FLOAT = re.compile(rf"[-+]?(\.[0-9]+({_EXPONENT})?|(0|[1-9][0-9]*)(\.[0-9]*({_EXPONENT})?|{_EXPONENT}))")
_INFINITY = re.compile(r"([-+])?\.(inf|Inf|INF)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NAN = re.compile(r"\.(nan|NaN|NAN)")


@dataclass(frozen=True)
class Node:
    """A scalar, a list (tuple of nodes) or a mapping (text to node)."""

    value: Scalar | tuple[Node, ...] | Mapping[str, Node]
    file: str
    line: int  # from 1
    keys: Mapping[str, int] = field(default_factory=dict)  # a mapping's keys and their lines
    size: int = 1  # values in it, with what its aliases stand for

    def plain(self) -> Any:
        """The same as dict, list and scalars."""
        if isinstance(self.value, Mapping):
            return {key: child.plain() for key, child in self.value.items()}
        if isinstance(self.value, tuple):
            return [child.plain() for child in self.value]
        return self.value

    @property
    def mapping(self) -> Mapping[str, Node]:
        """Its pairs; none when it is no mapping."""
        return self.value if isinstance(self.value, Mapping) else {}

    @property
    def items(self) -> tuple[Node, ...]:
        """Its items; none when it is no list."""
        return self.value if isinstance(self.value, tuple) else ()

    def get(self, key: str) -> Node:
        """The value under a key; an empty value in the same line where there is none."""
        return self.mapping.get(key) or Node(None, self.file, self.line)

    def line_of(self, *path: str | int) -> int:
        """The line of what stands at a path, or of the last part of the path that is there."""
        node, line = self, self.line
        for part in path:
            if isinstance(part, str) and part in node.mapping:
                node, line = node.mapping[part], node.keys[part]
            elif isinstance(part, int) and part < len(node.items):
                node = node.items[part]
                line = node.line
            else:
                break
        return line

    def wrong(self, message: str, *path: str | int, hint: str = "") -> ConfigError:
        """The error that points at what stands at a path."""
        return ConfigError(message, file=self.file, line=self.line_of(*path), hint=hint)


def shown(path: Path) -> str:
    """How a path is shown to people and in results: from the current folder where it lies in there."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def load_yaml(path: Path, *, file: str = "") -> Node:
    """The one document of a file. `file` is the name for messages when it is not the shown path."""
    return parse_yaml(read_text(path, file or shown(path)), file or shown(path))


def read_text(path: Path, file: str) -> str:
    """The text of a small UTF-8 file, without its byte order mark."""
    try:
        if not path.is_file():
            raise ConfigError("no such file" if not path.exists() else "not a file", file=file)
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as problem:
        raise ConfigError(f"cannot be read: {problem.strerror}", file=file) from problem
    if len(data) > MAX_BYTES:
        raise ConfigError(
            f"larger than {MAX_BYTES // 1_000_000} MB", file=file, hint="move long lists into the database"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise ConfigError("not UTF-8", file=file, line=line, hint="save the file as UTF-8") from None


def parse_yaml(text: str, file: str) -> Node:
    """The one document of a text. An empty text is an empty value in line 1."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    builder = _Builder(file)
    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            builder.take(event)
    except MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        said = str(problem.problem or problem.context or "cannot be read")
        hint = "YAML indents with spaces, not tabs" if "'\\t'" in said else ""
        raise ConfigError(
            f"not valid YAML: {said}", file=file, line=mark.line + 1 if mark else None, hint=hint
        ) from None
    except YAMLError as problem:  # a ReaderError, which knows a position instead of a line
        line = text.count("\n", 0, getattr(problem, "position", 0)) + 1
        raise ConfigError("not valid YAML: a control character", file=file, line=line) from None
    return builder.root or Node(None, file, 1)


@dataclass
class _Open:
    """A list or mapping whose end has not come yet."""

    line: int
    anchor: str | None
    is_mapping: bool
    items: list[Node] = field(default_factory=list)
    pairs: dict[str, Node] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)
    key: str | None = None  # the key that waits for its value

    @property
    def wants_key(self) -> bool:
        return self.is_mapping and self.key is None

    def children(self) -> Iterator[Node]:
        return iter(self.pairs.values() if self.is_mapping else self.items)


class _Builder:
    """Builds nodes from parser events with a stack of its own, so that depth is a number and not a crash."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: Node | None = None
        self.stack: list[_Open] = []
        self.anchors: dict[str, Node] = {}
        self.aliased = 0

    def take(self, event: Any) -> None:
        kind = type(event).__name__
        line = event.start_mark.line + 1
        if getattr(event, "tag", None):
            raise self.wrong("tags are not used here", line, "put quotes around a value that should be text")
        if kind == "ScalarEvent":
            if _SURROGATE.search(event.value):
                raise self.wrong("half of a character: \\uD800 to \\uDFFF cannot stand alone", line)
            if self.stack and self.stack[-1].wants_key:
                self.take_key(event.value, line)
            else:
                value = event.value if event.style else resolve(event.value)
                self.add(Node(value, self.file, line), event.anchor)
        elif kind == "AliasEvent":
            self.take_alias(event.anchor, line)
        elif kind in ("SequenceStartEvent", "MappingStartEvent"):
            if self.stack and self.stack[-1].wants_key:
                raise self.wrong("a key has to be text", line)
            if len(self.stack) >= MAX_DEPTH:
                raise self.wrong(f"nested deeper than {MAX_DEPTH} levels", line)
            self.stack.append(_Open(line, event.anchor, kind == "MappingStartEvent"))
        elif kind in ("SequenceEndEvent", "MappingEndEvent"):
            self.close(self.stack.pop())
        elif kind == "DocumentStartEvent" and self.root is not None:
            raise self.wrong("a second document starts here, one is expected", line, "remove the line '---'")

    def take_key(self, key: str, line: int) -> None:
        top = self.stack[-1]
        if key == "<<":
            raise self.wrong("merge keys (<<) are not part of YAML 1.2", line, "write the keys out")
        if key in top.keys:
            raise self.wrong(
                f"the key {key!r} is written twice, first in line {top.keys[key]}", line, "remove one of the two"
            )
        top.key, top.keys[key] = key, line

    def take_alias(self, anchor: str, line: int) -> None:
        if self.stack and self.stack[-1].wants_key:
            raise self.wrong("an alias cannot be a key", line)
        if any(level.anchor == anchor for level in self.stack):
            raise self.wrong(f"the alias *{anchor} stands inside its own anchor", line)
        if anchor not in self.anchors:
            raise self.wrong(f"the alias *{anchor} has no anchor &{anchor} above it", line)
        node = self.anchors[anchor]
        self.aliased += node.size
        if self.aliased > MAX_ALIASED:
            raise self.wrong(f"aliases unfold into more than {MAX_ALIASED:,} values", line)
        self.add(node, None)

    def close(self, top: _Open) -> None:
        value = dict(top.pairs) if top.is_mapping else tuple(top.items)
        size = 1 + sum(child.size for child in top.children())
        self.add(Node(value, self.file, top.line, top.keys, size), top.anchor)

    def add(self, node: Node, anchor: str | None) -> None:
        if anchor:
            self.anchors[anchor] = node
        if not self.stack:
            self.root = node
            return
        top = self.stack[-1]
        if top.is_mapping:
            assert top.key is not None
            top.pairs[top.key], top.key = node, None
        else:
            top.items.append(node)

    def wrong(self, message: str, line: int, hint: str = "") -> ConfigError:
        return ConfigError(message, file=self.file, line=line, hint=hint)


def resolve(text: str) -> Scalar:
    """What a scalar without quotes means."""
    if _NULL.fullmatch(text):
        return None
    if found := _BOOLEAN.fullmatch(text):
        return bool(found[1])
    if _INTEGER.fullmatch(text):
        return int(text)
    if _OCTAL_OR_HEX.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text):
        return float(text)
    if found := _INFINITY.fullmatch(text):
        return float(f"{found[1] or ''}inf")
    return float("nan") if _NAN.fullmatch(text) else text
