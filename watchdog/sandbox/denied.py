"""Commands that are refused whatever the allow-list says: the fence in front of the wall, which is the jail.

`denied` looks at the words of a command, through wrappers (`env nice timeout sudo xargs sh -c ...`), at every position where
another command could begin; `denied_text` looks at shell text. It would rather refuse too much: a refusal names its rule,
so that a model can ask in another way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from watchdog.sandbox.programs import LANGUAGES, SHELLS, name_of, rule_of
from watchdog.sandbox.refused import Refused, told
from watchdog.sandbox.words import LONGEST_LINE, simple_commands

_DEVICE = re.compile(
    r"/dev/(?:[shv]d[a-z]|xvd|nvme|mmcblk|disk|mapper|md\d|dm-|loop|sr\d|nbd|zd\d|r?disk\d|mem\b|kmem|port\b|sda|mtd|tcp/|udp/)"
)

_SHELL = re.compile(rf"\b(?:{'|'.join((SHELLS + ' ' + LANGUAGES).split())}|eval|source)[\d.]*\b")
_DECODER = re.compile(r"\b(?:base64|base32|xxd|uudecode|openssl|gunzip|zcat|rev|tr|printf|echo)\b")
_DOWNLOAD = re.compile(r"\b(?:curl|wget|fetch|aria2c|lynx|lwp-request)\b")
_PIPE, _JOIN = re.compile(r"\|"), re.compile(r"\||&&|;|-o|\n")
_SUBSTITUTED = re.compile(r"<\(|\$\(|`")
# What follows what, each after the one before.
_SEQUENCES: tuple[tuple[str, tuple[re.Pattern[str], ...], str], ...] = (
    ("download_to_shell", (_DOWNLOAD, _JOIN, _SHELL), "a download that is run by a shell"),
    ("download_to_shell", (_SHELL, _SUBSTITUTED, _DOWNLOAD), "a download that is run by a shell"),
    ("decode_to_shell", (_DECODER, _PIPE, _SHELL), "hidden text that is run by a shell"),
)
_FUNCTION = re.compile(r"([^\s(){}|&;]{1,40})\s{0,4}\(\s{0,4}\)\s{0,4}\{")
_DEEPEST = 4  # text in text in text


def denied(words: Sequence[str], depth: int = 0) -> Refused | None:
    """The rule that the words are against, if any; the most telling one where there are several."""
    name, rest = name_of(words[0]), list(words[1:])
    own = _own(name, rest)
    if own is None or _vague(own):
        start = _start_of_inner(name, rest)
        inner = None if start is None else _inside(rest[start:], depth)
        if inner and (own is None or not _vague(inner) or own.rule.endswith(".wrapper")):
            return inner
    return _device(words, name) or own if own is None or _vague(own) else own


def denied_text(text: str, depth: int = 0) -> Refused | None:
    """The same for a text that a shell would read."""
    if depth > _DEEPEST:
        return None
    text = text[:LONGEST_LINE]
    plain = re.sub(r"[\\'\"]", "", text)
    if _bomb(plain):
        return _refuse("fork_bomb", "a fork bomb")
    for rule, sequence, what in _SEQUENCES:
        if _follow(plain, sequence):
            return _refuse(rule, what)
    found = [refused for words in simple_commands(text) if words and (refused := denied(words, depth))]
    return next((refused for refused in found if not _vague(refused)), found[0] if found else None)


def _bomb(text: str) -> bool:
    for function in _FUNCTION.finditer(text):
        name, body = re.escape(function[1]), text[function.end() : function.end() + 200]
        if re.search(rf"{name}\s{{0,4}}\|\s{{0,4}}{name}", body):
            return True
    return False


def _follow(text: str, sequence: Sequence[re.Pattern[str]]) -> bool:
    at = 0
    for pattern in sequence:
        found = pattern.search(text, at)
        if not found:
            return False
        at = found.end()
    return True


# ---------------------------------------------------------------- which rule

_VAGUE = frozenset("wrapper interpreter privilege eval find_exec runs_program".split())  # what is inside says more
_HOW = {"sed_unboxed": "without --sandbox"}
_EXECUTING_OPTIONS = {"find": ("-exec", "-execdir", "-ok", "-okdir"), "fd": ("-x", "-X", "--exec", "--exec-batch")}


def _refuse(rule: str, what: str) -> Refused:
    return Refused(f"command.denied.{rule}", f"{what} is never run, whatever is allowed")


def _vague(refused: Refused) -> bool:
    return refused.rule.rpartition(".")[2] in _VAGUE


def _start_of_inner(name: str, rest: Sequence[str]) -> int | None:
    """From where on the arguments may hold another command; None where they cannot."""
    if rule_of(name) in _VAGUE:
        return 0
    options = _EXECUTING_OPTIONS.get(name, ())
    return next((at + 1 for at, word in enumerate(rest) if word in options), None)


def _inside(rest: Sequence[str], depth: int) -> Refused | None:
    """What a wrapper would run may begin at any of its words, or be text in one of them. No recursion over words: what a
    wrapper inside a wrapper runs begins at one of these words too."""
    vague = None
    for start, word in enumerate(rest):
        if word == "KILL":
            continue  # the name of a signal, as in `timeout -s KILL 5 rm -r x`
        text = word
        if word.startswith("-"):  # -S'rm -rf /', --split-string='rm -rf /'
            text = word.partition("=")[2] if word.startswith("--") else word[2:]
        found = [denied_text(text, depth + 1)] if re.search(r"[\s;&|<>`$]", text) else []
        if not word.startswith("-"):
            found.append(_own(name_of(word), rest[start + 1 :]))
        for refused in found:
            if refused and not _vague(refused):
                return refused
            vague = vague or refused
    return vague


def _own(name: str, rest: Sequence[str]) -> Refused | None:
    if rule := rule_of(name):
        return _refuse(rule, told(name))
    judge = _BY_NAME.get(name)
    rule = judge(rest) if judge else ""
    how = _HOW.get(rule, "with these arguments")
    return _refuse(rule, f"{told(name)} {how}") if rule else None


def _device(words: Sequence[str], name: str) -> Refused | None:
    for word in words:
        plain = re.sub(r"[\\'\"]", "", word)
        before = None
        while before != plain:  # //dev, /dev/./sda, /dev/x/../sda
            before, plain = plain, re.sub(r"/(?:\.?/)+|/[^/\s]{1,255}/\.\./", "/", plain, count=1)
        if _DEVICE.search(plain):
            return _refuse("device", f"{told(name)} on {told(word)}")
    return None


def _options(rest: Sequence[str]) -> tuple[set[str], list[str]]:
    """The letters of short options, and the long ones; options after the names of files count too."""
    plain = [re.sub(r"[\\'\"]", "", word) for word in rest]
    if "--" in plain:
        plain = plain[: plain.index("--")]
    letters = {letter for word in plain if re.match(r"-[^-]", word) for letter in word[1:]}
    return letters, [word.partition("=")[0] for word in plain if word.startswith("--") and word != "--"]


def _long(given: Sequence[str], *options: str) -> bool:
    """Whether one of the long options is given, perhaps cut short as GNU programs allow."""
    return any(option.startswith(word) for word in given for option in options)


def _rm(rest: Sequence[str]) -> str:
    letters, long = _options(rest)
    recursive = letters & {"r", "R"} or _long(long, "--recursive", "--no-preserve-root")
    return "rm_recursive" if recursive else ""


def _recursive(rule: str) -> Callable[[Sequence[str]], str]:
    def judge(rest: Sequence[str]) -> str:
        letters, long = _options(rest)
        return rule if "R" in letters or _long(long, "--recursive", "--no-preserve-root") else ""

    return judge


def _find(rest: Sequence[str]) -> str:
    for word in rest:
        if word in ("-delete",):
            return "find_delete"
        if word in ("-exec", "-execdir", "-ok", "-okdir"):
            return "find_exec"
        if word in ("-fprint", "-fprint0", "-fprintf", "-fls"):
            return "find_write"
    return ""


def _git(rest: Sequence[str]) -> str:
    plain = [re.sub(r"[\\'\"]", "", word) for word in rest]
    if "push" in plain or "send-pack" in plain:
        return "git_push"
    if set(plain) & {
        "clone",
        "fetch",
        "pull",
        "ls-remote",
        "remote",
        "submodule",
        "fetch-pack",
        "archive",
        "bundle",
        "daemon",
    }:
        return "git_remote"
    code = re.compile(
        r"-c|--config(-env)?|--exec(-path)?(=.*)?|--upload-pack|-O.*|--open-files-in-pager|-x|--extcmd|--ext-diff"
    )
    if any(code.match(word) if word == "-c" else code.fullmatch(word.partition("=")[0]) for word in plain) or (
        set(plain)
        & {"config", "bisect", "filter-branch", "difftool", "mergetool", "rebase", "hook", "credential", "alias"}
    ):
        return "git_code"
    if set(plain) & {"reset", "clean", "checkout", "restore", "rm", "gc", "prune", "reflog", "update-ref", "stash"}:
        return "git_destroy"
    return ""


def _tar(rest: Sequence[str]) -> str:
    _, long = _options(rest)
    program = _long(
        long, "--to-command", "--checkpoint-action", "--use-compress-program", "--rsh-command", "--info-script"
    )
    short = any(re.match(r"-[A-Za-z]*[IF]", word) for word in rest)
    return "runs_program" if program or short else ""


def _option_that_runs(*long_options: str, short: str = "") -> Callable[[Sequence[str]], str]:
    def judge(rest: Sequence[str]) -> str:
        letters, long = _options(rest)
        return "runs_program" if _long(long, *long_options) or letters & set(short) else ""

    return judge


def _sed(rest: Sequence[str]) -> str:
    return "" if "--sandbox" in rest else "sed_unboxed"  # `e` runs programs and `w` writes files


def _first_word(rule: str, *words: str) -> Callable[[Sequence[str]], str]:
    return lambda rest: rule if set(words) & set(rest) else ""


_BY_NAME: dict[str, Callable[[Sequence[str]], str]] = {
    "rm": _rm,
    "grm": _rm,
    "chmod": _recursive("chmod_recursive"),
    "chown": _recursive("chown_recursive"),
    "chgrp": _recursive("chown_recursive"),
    "find": _find,
    "fd": _option_that_runs("--exec", "--exec-batch", short="xX"),
    "rg": _option_that_runs("--pre", "--hostname-bin"),
    "git": _git,
    "tar": _tar,
    "bsdtar": _tar,
    "sed": _sed,
    "gsed": _sed,
    "sort": _option_that_runs("--compress-program", "--output", short="o"),
    "split": _option_that_runs("--filter"),
    "zip": _option_that_runs("--unzip-command", short="T"),
    "curl": _option_that_runs("--config", "--output", "--upload-file", short="KoOT"),
    "wget": _option_that_runs("--use-askpass", "--output-document", "--post-file", "--execute", short="Oe"),
    "pip": _first_word("install", "install", "download", "wheel"),
    "npm": _first_word("install", "install", "i", "ci", "exec", "run", "x"),
    "apt": _first_word("install", "install", "remove", "purge", "update", "upgrade"),
    "apt-get": _first_word("install", "install", "remove", "purge", "update", "upgrade"),
}
