"""A scan in a process of its own, which can be ended whatever it is doing.

Nothing else ends Python's `re` within one cell, or SQLite within one function: they heed no time limit and no Ctrl-C. The
child is a copy of this process where it is our own and has one thread (`copy`, a few milliseconds), else a new Python that
finds our package by its path and nothing by the current folder. It ends

- at the time limit and a little grace, by us; on Ctrl-C and SIGTERM, by us;
- when this process is gone, however that went: a pipe from us, the lifeline, closes, and on Linux the kernel ends the child
  for that (SIGIO), whatever it is doing. Private copies that it leaves then are removed by the next run;
- by the kernel (SIGPROF), once its own thread that puts that off is not let in for `cell_seconds` of computing, as one
  regular expression holds the interpreter. Which one that was stands in memory we share (`sources.patterns`), and the scan
  is made again without it.

Between the two go pickles. Both ends are this program: nothing else is unpickled.
"""

from __future__ import annotations

import contextlib
import gc
import mmap
import os
import pickle
import selectors
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any

from watchdog.config import SourceConfig
from watchdog.errors import SourceError, WatchdogError
from watchdog.pipeline.options import Options
from watchdog.pipeline.scanning import Scan, scan_source
from watchdog.scan.measure import quiet
from watchdog.sources import patterns

GRACE_SECONDS = 2.0  # beyond the time limit, for a child that ends by itself and still has to say what it found
START_SECONDS = 5.0  # more, for a new Python on a busy machine
END_SECONDS = 1.0  # for a child that was asked to end and takes its private copies away
LONGEST_WAIT = 86_400.0  # seconds at a time: the system's own waits overflow after 24 days
CELL_SHARE = 4  # with a time limit, a pattern may spend this part of what is left on one cell: it may happen twice for a check
LEAST_CELL_SECONDS = 0.25  # less might be a busy machine
MOST_RUNS = 40  # each learns of one regular expression that never ends
PROGRESS_SECONDS = 0.1  # between two words about progress
_HEAD = 8  # bytes that say how long a pickle is

# The arguments: our package, the shared memory, then where else modules lie. `-I` leaves the current folder out.
_START = """
import sys
from importlib.util import module_from_spec, spec_from_file_location
package, memory, *more = sys.argv[1:]
sys.path += [place for place in more if place not in sys.path]
spec = spec_from_file_location("watchdog", package + "/__init__.py", submodule_search_locations=[package])
sys.modules["watchdog"] = module_from_spec(spec)
spec.loader.exec_module(sys.modules["watchdog"])
from watchdog.pipeline.child import main
main(int(memory))
"""


@dataclass(frozen=True)
class _Request:
    settings: SourceConfig
    options: Options
    digest: str
    known: patterns.Known
    tell_progress: bool


class _Bug(Exception):
    """What went wrong in the child and is meant for nobody: its traceback."""


def can_copy() -> bool:
    """Whether a copy of this process would be whole: it has one thread. Elsewhere than on Linux, libraries forbid it."""
    try:
        alone = len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False
    return alone and hasattr(os, "fork") and sys.platform == "linux" and threading.active_count() == 1


def scan_in_child(settings: SourceConfig, options: Options, digest: str, *, copy: bool = False) -> Scan:
    """As `scan_source`; the run carries no measurements."""
    end = None if options.timeout is None else time.monotonic() + options.timeout
    known = patterns.Known()
    for _ in range(MOST_RUNS):
        left = None if end is None else max(0.001, end - time.monotonic())
        seconds = options.cell_seconds if left is None else min(options.cell_seconds, max(LEAST_CELL_SECONDS, left / CELL_SHARE))
        known = replace(known, why=_why(seconds, options))
        asked = replace(options, progress=quiet, timeout=left, cell_seconds=seconds)
        request = _Request(settings, asked, digest, known, options.progress is not quiet)
        copied = copy and can_copy()
        with _memory(copied) as (memory, handle):
            with (_copied if copied else _started)(request, memory, handle) as child:
                found = _followed(child, settings, end, options.progress)
            if isinstance(found, Scan):
                return found
            learnt = known.and_what(memory)
        if learnt is None:
            break
        known = learnt
    raise SourceError(
        f"source {settings.name!r}: {known.why}",
        hint="a repeat inside a repeat, such as (a+)+, may take for ever: write the pattern without it",
    )


def _why(seconds: float, options: Options) -> str:
    """Why a pattern is given up that spent `seconds` on one cell."""
    if seconds < options.cell_seconds:
        return "the time limit was reached inside one regular expression"
    return f"a regular expression spent more than {seconds:g} s on one cell"


def _followed(
    child: _Child, settings: SourceConfig, end: float | None, progress: Callable[[str, int, int], None]
) -> Scan | None:
    """What the child found; None when one regular expression held it up. WatchdogError: its own, or why it ended."""
    limit = None if end is None else end + GRACE_SECONDS + child.start_seconds
    for told in child.words(limit):
        if isinstance(told, tuple):
            progress(*told)
        elif isinstance(told, WatchdogError):
            raise told
        elif isinstance(told, str):
            raise _Bug(f"in the scanning process:\n{told}")
        else:
            assert isinstance(told, Scan)
            return told
    if child.late:
        raise SourceError(
            f"source {settings.name!r}: the time limit was reached inside one regular expression or SQL function",
            hint="a repeat inside a repeat, such as (a+)+, and functions over very long texts may take for ever",
        )
    code = child.wait()
    if code == -signal.SIGPROF:
        return None
    why = f"was killed by signal {-code}" if code < 0 else f"ended with {code}"
    raise SourceError(
        f"source {settings.name!r}: the scanning process {why}",
        hint="was there enough memory? scan again, with --jobs 1" if code == -signal.SIGKILL else "scan again",
    )


@contextmanager
def _memory(copied: bool) -> Iterator[tuple[mmap.mmap, int]]:
    """Memory that a child shares, and the descriptor by which a new Python finds it."""
    if copied:
        with mmap.mmap(-1, patterns.SIZE) as memory:
            yield memory, -1
        return
    import tempfile

    with tempfile.TemporaryFile() as file:
        file.truncate(patterns.SIZE)
        with mmap.mmap(file.fileno(), patterns.SIZE) as memory:
            yield memory, file.fileno()


# ---------------------------------------------------------------- this side


class _Child:
    """A child under way. `words` are what it says until it ends or `limit` is reached, which makes it `late`."""

    def __init__(self, pid: int, answers: int, lifeline: int, start_seconds: float = 0.0) -> None:
        self.pid, self.start_seconds, self.late, self.told = pid, start_seconds, False, False
        self._answers, self._lifeline = answers, lifeline
        self._code: int | None = None

    def words(self, limit: float | None) -> Iterator[Any]:
        got = bytearray()
        with selectors.DefaultSelector() as ready:
            ready.register(self._answers, selectors.EVENT_READ)
            while True:
                left = LONGEST_WAIT if limit is None else min(LONGEST_WAIT, max(0.0, limit - time.monotonic()))
                if not ready.select(left):
                    if limit is not None and time.monotonic() >= limit:
                        self.late = True
                        return
                    continue
                data = os.read(self._answers, 1 << 20)
                if not data:
                    return
                got += data
                while len(got) >= _HEAD and len(got) >= (size := _HEAD + int.from_bytes(got[:_HEAD], "big")):
                    told = bytes(got[_HEAD:size])
                    del got[:size]
                    word = pickle.loads(told)  # noqa: S301 - from our own child
                    self.told = not isinstance(word, tuple)
                    yield word

    def wait(self, seconds: float | None = None) -> int:
        """How it ended, as `subprocess` says it; 0 while it has not within `seconds`."""
        limit = None if seconds is None else time.monotonic() + seconds
        while self._code is None:
            pid, status = os.waitpid(self.pid, 0 if limit is None else os.WNOHANG)
            if pid:
                self._code = os.waitstatus_to_exitcode(status)
            elif limit is not None:
                if time.monotonic() >= limit:
                    return 0
                time.sleep(0.002)
        return self._code

    def end(self) -> None:
        """Asks it to end, then makes it; nothing of it is left. One that has said all is only made to."""
        if not self.told and self._code is None:
            self._send(signal.SIGTERM)
            self.wait(END_SECONDS)
        if self._code is None:
            self._send(signal.SIGKILL)
            self.wait()
        os.close(self._answers)
        os.close(self._lifeline)

    def _send(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)


@contextmanager
def _copied(request: _Request, memory: mmap.mmap, _handle: int) -> Iterator[_Child]:
    """A copy of this process, by fork. SIGTERM to us ends both."""
    answers, answer = os.pipe()
    lifeline, held = os.pipe()
    gc.freeze()  # what is there already is not looked through again: the copy shares its memory with us
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            os.close(answers)
            os.close(held)
            _work(request, memory, lifeline, answer)
            code = 0
        finally:
            os._exit(code)
    gc.unfreeze()
    os.close(answer)
    os.close(lifeline)
    child = _Child(pid, answers, held)
    with _ended(child), _terminable():
        yield child


@contextmanager
def _started(request: _Request, _memory: mmap.mmap, handle: int) -> Iterator[_Child]:
    """A new Python. Its stdin brings the request and is the lifeline."""
    import subprocess

    package = Path(__file__).parents[1]
    here = os.path.realpath(os.curdir)
    more = [p for p in sys.path if os.path.isabs(p) and os.path.realpath(p) not in (here, str(package.parent))]
    flags = ["-I", *(["-B"] if sys.dont_write_bytecode else []), *(["-X", "utf8"] if sys.flags.utf8_mode else [])]
    answers, answer = os.pipe()
    lifeline, held = os.pipe()
    command = [sys.executable, *flags, "-c", _START, str(package), str(handle), *more]
    environment = {**os.environ, "PYDANTIC_DISABLE_PLUGINS": "1"}
    process = subprocess.Popen(command, stdin=lifeline, stdout=answer, env=environment, pass_fds=[handle])
    os.close(answer)
    os.close(lifeline)
    child = _Child(process.pid, answers, held, START_SECONDS)
    try:
        with _ended(child):
            data = pickle.dumps(request)
            with contextlib.suppress(BrokenPipeError):  # it ended at once: how, is said by `wait`
                while data:
                    data = data[os.write(held, data) :]
            yield child
    finally:
        process.returncode = child.wait()  # it is gone: Popen need not look for it


@contextmanager
def _ended(child: _Child) -> Iterator[None]:
    try:
        yield
    finally:
        child.end()


@contextmanager
def _terminable() -> Iterator[None]:
    """SIGTERM and SIGHUP, where nobody else has a use for them, end what runs within in order, with 143 or 129."""
    main = threading.current_thread() is threading.main_thread()
    ours = [n for n in (signal.SIGTERM, signal.SIGHUP) if main and signal.getsignal(n) is signal.SIG_DFL]

    def leave(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)
        raise SystemExit(128 + number)

    for number in ours:
        signal.signal(number, leave)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


# ---------------------------------------------------------------- the child's side


def main(handle: int) -> None:
    """Of a new Python: reads a request from stdin, writes what it has to say where stdout was."""
    answer = os.dup(1)
    os.dup2(2, 1)
    request = pickle.load(os.fdopen(os.dup(0), "rb", buffering=0))  # noqa: S301 - from our own parent
    with mmap.mmap(handle, patterns.SIZE) as memory:
        _work(request, memory, 0, answer)
        os._exit(0)  # a thread of the scan that hangs would keep it


def _work(request: _Request, memory: mmap.mmap, lifeline: int, answer: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to both; the parent decides
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM, signal.SIGPROF})
    _bound(lifeline)
    threading.Thread(target=_stay, args=(lifeline, request.options.cell_seconds), daemon=True).start()
    patterns.watched(memory, request.known)
    options = request.options
    if request.tell_progress:
        options = replace(options, progress=_Teller(answer))
    told: Scan | WatchdogError | str
    try:
        told = replace(scan_source(request.settings, options, config_digest=request.digest), measurements=())
    except WatchdogError as problem:
        problem.__cause__ = None
        told = problem
    except Exception:  # noqa: BLE001 - the parent raises it again
        import traceback

        told = traceback.format_exc()
    _tell(answer, told)


def _bound(lifeline: int) -> None:
    """From now on the kernel ends this process when the other end of the pipe closes; elsewhere than on Linux, `_stay` alone
    does."""
    if sys.platform != "linux":
        return
    import fcntl

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGIO})
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    with selectors.DefaultSelector() as ready:
        ready.register(lifeline, selectors.EVENT_READ)
        if ready.select(0):  # it was gone before
            os._exit(143)


def _stay(lifeline: int, seconds: float) -> None:
    """Puts off the end by the kernel as long as the interpreter is free, and ends everything when the parent is gone."""
    with selectors.DefaultSelector() as ready:
        ready.register(lifeline, selectors.EVENT_READ)
        while True:
            signal.setitimer(signal.ITIMER_PROF, seconds)
            if ready.select(min(0.5, seconds / 4)):
                break
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_SECONDS)
    os._exit(143)


def _stop(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


class _Teller:
    """Tells the parent how far the scan is, now and then. Called by any thread."""

    def __init__(self, answer: int) -> None:
        self._answer, self._next, self._lock = answer, 0.0, threading.Lock()

    def __call__(self, what: str, done: int, total: int) -> None:
        with self._lock:
            if time.monotonic() >= self._next:
                self._next = time.monotonic() + PROGRESS_SECONDS
                _tell(self._answer, (what, done, total))


def _tell(answer: int, told: Any) -> None:
    data = pickle.dumps(told)
    data = len(data).to_bytes(_HEAD, "big") + data
    while data:
        data = data[os.write(answer, data) :]
