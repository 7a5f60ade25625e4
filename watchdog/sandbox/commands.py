"""Running one command for a model: off until names are allowed, then without a shell, without a network, within limits.

In: a list of words (or a string, split without a shell). Out: what the command wrote and how it ended, or a refusal. The
command sees its own programs' folders, the project folder read-only and without secrets, and an empty /tmp; its environment
holds no variable of ours. Where the system gives no namespaces for that (see `_jail.py`), everything is refused.
"""

from __future__ import annotations

import functools
import json
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from watchdog.errors import UsageError
from watchdog.sandbox.denied import denied, denied_text
from watchdog.sandbox.paths import Covered, Folder, decoded
from watchdog.sandbox.programs import name_of, never_run
from watchdog.sandbox.refused import Refused, told, visible
from watchdog.sandbox.secrets import masked, private_key
from watchdog.sandbox.words import split

PROGRAMS = "/usr/local/bin:/usr/bin:/bin"  # never the caller's PATH
ENVIRONMENT = {
    "PATH": PROGRAMS, "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC",
    "TERM": "dumb", "PAGER": "cat",
}  # fmt: skip
# What a command sees of the system, beside a few devices. Not all of /usr: projects lie in /usr/src in many containers.
_FOLDERS = (
    "bin", "lib", "lib32", "lib64", "libx32", "usr/bin", "usr/lib", "usr/lib32", "usr/lib64", "usr/libx32", "usr/libexec",
    "usr/share", "usr/local/bin", "usr/local/lib",
)  # fmt: skip
_LONGEST_REPORT = 4_096  # bytes, of the child itself; it writes a few lines
_NAME = re.compile(r"[A-Za-z0-9_\[][A-Za-z0-9_.+\[-]*")


@dataclass(frozen=True)
class CommandLimits:
    seconds: float = 10.0  # of the clock; of the processor, for each process, the next whole number
    output_bytes: int = 64_000  # of stdout and of stderr, each
    memory_bytes: int = 512 * 1024 * 1024  # address space of each process
    processes: int = 16
    file_bytes: int = 16 * 1024 * 1024  # of each file written to /tmp
    scratch_bytes: int = 32 * 1024 * 1024  # of /tmp in all
    open_files: int = 128


@dataclass(frozen=True)
class CommandResult:
    """A command that ran. `reasons` say why it was ended, or that something is left out."""

    argv: tuple[str, ...]
    exit_code: int | None  # None: it was ended by a signal
    stdout: str
    stderr: str
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    rule: str = ""  # the limit that ended it: command.time, command.output
    reasons: tuple[str, ...] = field(default=())

    @property
    def ok(self) -> bool:
        return self.exit_code == 0 and not self.rule


class Commands:
    """The commands that are allowed by name, in one project folder (None: in an empty one)."""

    def __init__(
        self, project: Folder | None = None, *, allow: Iterable[str] = (), limits: CommandLimits | None = None
    ) -> None:
        """UsageError for a name that is none, or that no list can allow."""
        self._project = project
        self._limits = limits or CommandLimits()
        self.allowed = tuple(sorted(set(allow)))
        for name in self.allowed:
            if not _NAME.fullmatch(name) or never_run(name):
                why = "is never run, whatever is allowed" if never_run(name) else "is not the name of a program"
                raise UsageError(f"allowed commands: {told(name)} {why}", hint="names such as ls, wc or head, no paths")

    def judge(self, command: str | Sequence[str]) -> list[str] | Refused:
        """The words of a command that may run, or why not. Looks at nothing but the words."""
        words = split(command)
        if isinstance(words, Refused):
            return _more_telling(command, words)
        if refused := denied(words):
            return refused
        if not self.allowed:
            return Refused("command.off", "commands are off: none is allowed")
        if "/" in words[0] or "\\" in words[0]:
            return Refused("command.path", f"{told(words[0])}: a command is given by its name, not by a path")
        if words[0] not in self.allowed:
            message = f"{told(words[0])} is not allowed; allowed: {', '.join(self.allowed)}"
            return Refused("command.not_allowed", message)
        return words

    def run(self, command: str | Sequence[str]) -> CommandResult | Refused:
        """Never raises."""
        words = self.judge(command)
        if isinstance(words, Refused):
            return words
        program = shutil.which(words[0], path=PROGRAMS)
        if program is None:
            return Refused("command.missing", f"{told(words[0])} is not installed in {PROGRAMS}")
        real = name_of(os.path.realpath(program))
        if real not in ("busybox", "toybox", "coreutils") and (refused := denied([real, *words[1:]])):
            return refused  # a name may be another name for a program that is refused
        covered = self._project.covered() if self._project else Covered((), ())
        if isinstance(covered, Refused):
            return covered
        try:
            return self._shut_in(words, covered)
        except OSError as problem:
            return Refused(
                "command.failed", f"{told(words[0])} could not be started: {problem.strerror or 'it failed'}"
            )

    def _shut_in(self, words: list[str], covered: Covered) -> CommandResult | Refused:
        if sys.platform != "linux":
            return Refused("command.no_isolation", "commands run on Linux only, where they can be shut in")
        if self._project and _shown_anyway(self._project.root):
            why = f"the project lies in {self._project.root}, which every command can read with its secrets"
            return Refused("command.no_isolation", f"{visible(why)}, so none is run")
        return _finished(words, self._supervise(self._specification(words, covered)))

    def _specification(self, words: list[str], covered: Covered) -> bytes:
        limits = self._limits
        told_child = {
            "programs": _FOLDERS,
            "project": str(self._project.root) if self._project else "",
            "folders": covered.folders,
            "files": covered.files,
            "argv": words,
            "environment": ENVIRONMENT,
            "scratch_bytes": limits.scratch_bytes,
            "limits": {
                "RLIMIT_AS": limits.memory_bytes,
                "RLIMIT_NPROC": limits.processes,
                "RLIMIT_FSIZE": limits.file_bytes,
                "RLIMIT_NOFILE": limits.open_files,
                "RLIMIT_CPU": int(limits.seconds) + 1,
                "RLIMIT_CORE": 0,
            },
        }
        return json.dumps(told_child).encode()

    def _supervise(self, specification: bytes) -> _Outcome:
        """Run the child; read what it writes, never more than the limits; end it and all below it."""
        deadline = time.monotonic() + self._limits.seconds
        report, tell = os.pipe()
        with open(report, "rb", buffering=0) as reports:
            try:
                child = subprocess.Popen(
                    [sys.executable, "-I", "-S", str(Path(__file__).with_name("_jail.py")), str(tell)],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=[tell],
                    start_new_session=True, env={}, cwd="/", bufsize=0,
                )  # fmt: skip
            finally:
                os.close(tell)
            with child:
                try:
                    return self._follow(child, specification, reports.fileno(), deadline)
                finally:
                    with suppress(ProcessLookupError):
                        os.killpg(child.pid, signal.SIGKILL)

    def _follow(self, child: subprocess.Popen[bytes], specification: bytes, report: int, deadline: float) -> _Outcome:
        assert child.stdin and child.stdout and child.stderr
        with suppress(BrokenPipeError):
            child.stdin.write(specification)
        child.stdin.close()
        outcome = _Outcome()
        kept = {child.stdout.fileno(): outcome.stdout, child.stderr.fileno(): outcome.stderr, report: outcome.report}
        with selectors.DefaultSelector() as selector:
            for descriptor in kept:
                selector.register(descriptor, selectors.EVENT_READ)
            while selector.get_map():
                left = deadline - time.monotonic()
                if left <= 0:
                    outcome.rule = "command.time"
                    return outcome
                for key, _ in selector.select(left):
                    part = os.read(key.fd, 65_536)
                    into = kept[key.fd]
                    room = (_LONGEST_REPORT if key.fd == report else self._limits.output_bytes) - len(into)
                    into += part[:room]
                    if not part:
                        selector.unregister(key.fd)
                    elif len(part) > room:
                        outcome.rule, outcome.over = "command.output", into
                        return outcome
        return outcome


def _shown_anyway(root: Path) -> bool:
    """Whether the project is, or lies in, or holds one of the folders that are shown of the system."""
    shown = [Path(os.path.realpath(f"/{name}")) for name in _FOLDERS]
    return any(root.is_relative_to(folder) or folder.is_relative_to(root) for folder in shown)


@dataclass
class _Outcome:
    stdout: bytearray = field(default_factory=bytearray)
    stderr: bytearray = field(default_factory=bytearray)
    report: bytearray = field(default_factory=bytearray)
    rule: str = ""
    over: bytearray | None = None


def _finished(words: list[str], outcome: _Outcome) -> CommandResult | Refused:
    lines = outcome.report.decode("utf-8", "replace").splitlines()
    error = next((line.removeprefix("error ") for line in lines if line.startswith("error ")), "")
    if "started" not in lines:
        if outcome.rule == "command.time":
            return Refused("command.time", "the time was up before the command could be started")
        said = error or outcome.stderr.decode("utf-8", "replace").strip()[-300:] or "the child said nothing"
        return Refused(
            "command.no_isolation", f"this system cannot shut a command in ({visible(said)}), so none is run"
        )
    if error:
        return Refused("command.failed", visible(error))
    reasons = []
    code = signalled = None
    for line in lines:
        word, _, number = line.partition(" ")
        if word == "exit":
            code = int(number)
        elif word == "signal":
            signalled = int(number)
    if outcome.rule:
        code = None
        what = {"command.time": "its time was up", "command.output": "it wrote more than may be read"}
        reasons.append(f"ended, because {what[outcome.rule]}")
    elif signalled:
        reasons.append(f"ended by {_signal_name(signalled)}")
    elif code is None:
        reasons.append("it ended without a word")
    timed_out = outcome.rule == "command.time"
    stdout_cut, stderr_cut = (timed_out or outcome.over is data for data in (outcome.stdout, outcome.stderr))
    return CommandResult(
        tuple(words),
        code,
        _shown(outcome.stdout, "stdout", stdout_cut, reasons),
        _shown(outcome.stderr, "stderr", stderr_cut, reasons),
        stdout_truncated=stdout_cut,
        stderr_truncated=stderr_cut,
        rule=outcome.rule,
        reasons=tuple(reasons),
    )


def _more_telling(command: str | Sequence[str], refused: Refused) -> Refused:
    """The rule that names what is dangerous in a text that only a shell could read, where there is one."""
    if refused.rule in _ABOUT_SHELLS:
        text = command if isinstance(command, str) else " ".join(command)
        return denied_text(text) or refused
    return refused


_ABOUT_SHELLS = frozenset(
    f"command.{word}" for word in ("shell_operator", "redirect", "expansion", "assignment", "unreadable")
)


def _shown(data: bytearray, name: str, cut: bool, reasons: list[str]) -> str:
    text = decoded(bytes(data), whole=not cut)
    if text is None:
        reasons.append(f"{name} is binary ({len(data):,} bytes), which is not shown")
        return ""
    if private_key(text):
        reasons.append(f"{name} holds a private key, which is not shown")
        return ""
    return visible(masked(text))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


@functools.cache
def isolation_reason() -> str:
    """Why commands cannot be shut in on this system; "" where they can. Tries it once."""
    tried = Commands(allow=["true"]).run(["true"])
    return tried.message if isinstance(tried, Refused) else ""
