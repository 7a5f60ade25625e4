"""A command line as a model writes it, split into words without a shell.

A list is taken as it is. A string is split as a shell would split it, but what only a shell can do is refused by name: pipes
and the like, redirects, expansions. `simple_commands` cuts any shell text into pieces to find what is dangerous in it; it
serves for naming a refusal, never for allowing anything.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence

from watchdog.sandbox.refused import Refused, told

MOST_WORDS = 256
LONGEST_LINE = 16_000  # characters in all

_OPERATOR = re.compile(r"[;&|()\n]+")
_REDIRECT = re.compile(r"(?:\d|&)?(?:>>?|<<?<?)[&|(]?")
_ATTACHED = re.compile(r"(?:\d|&)?>>?&?[/\w.&-]+")  # >file, 2>&1
_EXPANDS = re.compile(r"\$[\w{(@*#?!$-]|`")
_PATTERN = re.compile(r"[*?\[]|(?<!\S)~")
_SHELL_WORDS = frozenset(
    "! if then elif else fi do done while until for case esac in function select time coproc".split()
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")


def split(line: str | Sequence[str]) -> list[str] | Refused:
    """The words of a command, at least one."""
    words = [line] if isinstance(line, str) else list(line)
    if any("\0" in word for word in words):
        return Refused("command.nul", "a command holds no NUL character")
    try:
        for word in words:
            os.fsencode(word)
    except UnicodeEncodeError:
        return Refused("command.text", "a command holds no half of a surrogate pair")
    if len(words) > MOST_WORDS or sum(map(len, words)) > LONGEST_LINE:
        return Refused("command.too_long", f"at most {MOST_WORDS} words and {LONGEST_LINE:,} characters")
    if isinstance(line, str):
        refused = shell_only(line)
        if refused:
            return refused
        try:
            words = shlex.split(line)
        except ValueError:
            return Refused("command.unreadable", f"{told(line)}: its quotes do not match")
    else:
        for word in words:
            if word and (_REDIRECT.fullmatch(word) or _ATTACHED.fullmatch(word)):
                return _redirect(word)
            if _OPERATOR.fullmatch(word) and word not in ("(", ")"):  # brackets group the tests of `find`
                return _operator(word)
    if not words or not words[0].strip():
        return Refused("command.empty", "no command was given")
    if _ASSIGNMENT.match(words[0]):
        return Refused("command.assignment", f"{told(words[0])}: variables cannot be set, give the command alone")
    return words


def shell_only(line: str) -> Refused | None:
    """What in the text needs a shell, outside of quotes; expansions inside double quotes too."""
    dollar = False
    for quote, text in _quoted(line):
        found = _EXPANDS.search(text) if quote != "'" else None
        if found or (quote and dollar):
            return Refused(
                "command.expansion", f"{told(found[0] if found else '$' + quote)}: no shell would replace it"
            )
        dollar = not quote and text.endswith("$")
        if quote:
            continue
        if found := _REDIRECT.search(text):
            return _redirect(found[0])
        if found := _OPERATOR.search(text):
            return _operator(found[0])
        if found := _PATTERN.search(text):
            message = f"{told(found[0])} outside of quotes: there is no shell that would list files for it"
            return Refused("command.expansion", message)
    return None


def _operator(found: str) -> Refused:
    return Refused("command.shell_operator", f"{told(found)}: there is no shell, give one command alone")


def _redirect(found: str) -> Refused:
    return Refused(
        "command.redirect", f"{told(found)}: there is no shell that would redirect, output comes back anyway"
    )


_PIECE = re.compile(r"""\\(?s:.)|'([^']*)'|"((?:[^"\\]|\\(?s:.))*)"|[^\\'"]+|['"\\]""")


def _quoted(line: str) -> Iterator[tuple[str, str]]:
    """The line in pieces: the quote that surrounds each ("" for none) and what is in it. Escaped characters are left out."""
    for piece in _PIECE.finditer(line):
        text = piece[0]
        if text.startswith("'") and len(text) > 1:
            yield "'", piece[1]
        elif text.startswith('"') and len(text) > 1:
            yield '"', re.sub(r"\\(?s:.)", "", piece[2])
        elif not text.startswith("\\"):
            yield "", text


def simple_commands(text: str) -> Iterator[list[str]]:
    """The commands that a shell text may hold, roughly: cut at operators, quotes removed where they match."""
    for line in re.split(r"[\n`]|\$\(|[<>]\(", text):
        lexer = shlex.shlex(line, posix=True, punctuation_chars=";&|()<>{}")
        lexer.commenters = ""
        words: list[str] = []
        while True:
            try:
                word = lexer.get_token()
            except ValueError:
                word = None
            if word is None or (word and set(word) <= set(";&|(){}")):
                yield from _command(words)
                words = []
                if word is None:
                    break
            else:
                words.append(word)


def _command(words: list[str]) -> Iterator[list[str]]:
    """Without the shell's own words and the variables in front of a command; nothing where nothing is left."""
    for at, word in enumerate(words):
        if word not in _SHELL_WORDS and not _ASSIGNMENT.match(word):
            yield words[at:]
            return
