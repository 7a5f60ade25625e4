"""`watchdog report`, and what `--llm` adds to a scan: who writes, where it goes, what stderr says of it.

The report is the only thing here that asks a model. It never costs the findings: they are printed whatever becomes of it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from watchdog.cli.inputs import config_at, findings_at, note, refuse_nameless
from watchdog.cli.output import say
from watchdog.cli.streams import refuse_closed
from watchdog.config import Config, SourceConfig, environment
from watchdog.errors import OutputError, UsageError, WatchdogError
from watchdog.model import Report
from watchdog.pipeline import reporting, unfinished, write_text
from watchdog.pipeline.face import task_of
from watchdog.pipeline.keeping import guard_of, places_named
from watchdog.pipeline.publish import folder_name
from watchdog.pipeline.reporting import Writer
from watchdog.pipeline.unfinished import Unfinished
from watchdog.reading import read_bytes
from watchdog.writing import Guard

FILE = "report.md"
_OURS = "\nwatchdog: "  # a line in the header of every report
_HEADER = 20_000  # characters in which it stands


@dataclass(frozen=True)
class Wish:
    """The flags about a report, as typed."""

    llm: bool = False
    lang: str | None = None
    provider: str | None = None
    approve: bool = False
    dry_run: bool = False
    trace: Path | None = None
    resume: str | None = None

    def refuse_nonsense(self, *, lang_alone: bool = False) -> None:
        """UsageError for flags that do nothing without another one. `lang_alone`: a report without a model has one too."""
        given = {
            "--lang": self.lang and not lang_alone, "--provider": self.provider, "--approve": self.approve,
            "--dry-run": self.dry_run, "--trace": self.trace, "--resume": self.resume,
        }  # fmt: skip
        for flag in (flag for flag, value in given.items() if value and not self.llm):
            raise UsageError(f"{flag} is about a report by a model", hint="add --llm")
        for flag in ("--approve", "--resume", "--trace"):
            if self.dry_run and given[flag]:
                raise UsageError(f"{flag} and --dry-run exclude each other", hint="a dry run asks nobody")


NO_WISH = Wish()

# ---------------------------------------------------------------- watchdog report


@dataclass(frozen=True)
class Flags:
    findings: Path
    config: Path | None = None
    task: str | None = None
    output: str | None = None
    quiet: bool = False
    wish: Wish = NO_WISH


def run(flags: Flags) -> int:
    """0 or 4 after the report was printed or written; WatchdogError when there is none."""
    wish = flags.wish
    wish.refuse_nonsense(lang_alone=True)
    config = config_at(flags.config, flags.quiet)
    thread, document = resumed(wish, config), findings_at(flags.findings)
    if thread is not None:
        _refuse_others(thread, document, flags.findings)
        document = thread.findings
    guard = _guard(flags, config, document)
    target = _target(flags, guard)
    if not wish.llm:
        report = reporting.facts_only(document, wish.lang or "en")
        _hand_over(report, target, guard, flags.output is None)
        return 0
    writer = open_writer(wish, flags.task or task_of(document, config), config, thread)
    if wish.dry_run:
        say(previewed(writer, document))
        return 0
    report, thread = written(writer, document, wish, config, thread, guard, quiet=flags.quiet)
    _hand_over(report, target, guard, flags.output is None)
    if thread:
        thread.forget()
    tell(report, writer, target or Path(FILE), quiet=flags.quiet)
    return 4 if reporting.fell_short(report) else 0


def _target(flags: Flags, guard: Guard) -> Path | None:
    """The file: the one that is named, report.md in a folder that is named; by a model, report.md here; else none."""
    wish = flags.wish
    if flags.output == "":
        raise UsageError("--output: names no file", hint="a file, or a folder that ends in /")
    if wish.trace:
        refuse_nameless("--trace", wish.trace)
        refuse_closed(wish.trace, "--trace")
        guard.refuse(wish.trace, "--trace")
    if flags.output is None:
        guard.refuse_stream(1, "stdout")
        if not wish.llm or wish.dry_run:
            return None
        target = Path(FILE)
        refuse_a_strangers(target)
    else:
        target = Path(flags.output)
        if flags.output.endswith("/") or target.is_dir():
            target /= FILE
    refuse_closed(target, "--output")
    guard.refuse(target, "--output" if flags.output else "the report")
    return target


def _guard(flags: Flags, config: Config | None, document: Mapping[str, Any]) -> Guard:
    """Of what is read, and of the database that the findings are about."""
    source = document.get("source")
    place = source.get("location") if isinstance(source, Mapping) else None
    known = [config.folder] if config else []
    about = places_named(place, known) if isinstance(place, str) and place else ()
    return guard_of((), config, [flags.findings]).keeping(about)


def _hand_over(report: Report, target: Path | None, guard: Guard, to_stdout: bool) -> None:
    if target is not None:
        write_text(target, report.text, guard)
    if to_stdout:
        say(report.text)


def _refuse_others(thread: Unfinished, document: Mapping[str, Any], path: Path) -> None:
    if document.get("run") != thread.findings.get("run"):
        raise UsageError(f"the report {thread.id} is not about {path}", hint="name the findings it was begun with")


# ---------------------------------------------------------------- what --llm adds to a scan


def open_writer(wish: Wish, task: str, config: Config | None, thread: Unfinished | None) -> Writer:
    """Opened before anything is scanned. A report that goes on keeps the language and the provider it began with."""
    begun: Mapping[str, Any] = thread.begun if thread else {}
    return reporting.open_writer(
        config, task, provider=wish.provider or begun.get("provider"), lang=wish.lang or begun.get("lang") or "en",
        ask=not wish.dry_run, env=config.environ if config else environment(Path()),
    )  # fmt: skip


def places(
    sources: Sequence[tuple[SourceConfig, bool]], names: Sequence[str], output: str | None, config: Config | None
) -> list[Path]:
    """Where the report about each source goes: beside `--output`, else into reports/<source>/, else here.

    `sources`: with whether they are configured; `names`: their names as files. Several reports in one folder carry them.
    """
    several = len(sources) > 1
    found = []
    for (settings, configured), name in zip(sources, names, strict=True):
        file = f"{name}.{FILE}" if several else FILE
        if output is not None:
            folder = Path(output)
            found.append((folder if several or output.endswith("/") or folder.is_dir() else folder.parent) / file)
        elif configured and config is not None:
            found.append(config.folder / "reports" / folder_name(settings.name) / FILE)
        else:
            found.append(Path(file))
            refuse_a_strangers(found[-1])
    return found


def refuse_a_strangers(path: Path) -> None:
    """UsageError when a report.md that nobody named is there already and was not written by us."""
    if path.exists() and not path.is_file():
        raise UsageError(f"{path} is there and is no file", hint="name another place with --output")
    try:
        start = read_bytes(path, _HEADER, cut=True).decode(errors="replace")
    except OSError:
        return
    if start and not (start.startswith("# ") and _OURS in start):
        raise UsageError(f"{path} is there and is no report of ours", hint="name another place with --output")


def written(
    writer: Writer,
    document: Mapping[str, Any],
    wish: Wish,
    config: Config | None,
    thread: Unfinished | None,
    guard: Guard,
    *,
    quiet: bool,
) -> tuple[Report, Unfinished | None]:
    """The report, and what is to be forgotten once it is in its file. AwaitsApproval where there is nobody to ask."""
    from watchdog.report import AwaitsApproval

    goes_on = thread is not None and thread.has_begun
    if thread is None:
        thread = _begin(writer, document, wish, config, quiet=quiet)
    if thread and not quiet:
        word = "goes on" if goes_on else "begins"
        print(f"watchdog: report {thread.id} {word}; if it is cut off, --resume {thread.id} goes on", file=sys.stderr)
    approved: bool | None = None
    while True:
        try:
            report = writer.write(
                document, checkpoint=thread.checkpoint if thread else None, thread_id=thread.id if thread else None,
                resume=goes_on, approve=wish.approve, approved=approved, trace=wish.trace, guard=guard,
            )  # fmt: skip
            return report, thread
        except AwaitsApproval as waiting:
            if approved is not None or not _somebody_is_there():
                raise
            approved, goes_on = _ask(waiting.text), True


def _begin(
    writer: Writer, document: Mapping[str, Any], wish: Wish, config: Config | None, *, quiet: bool
) -> Unfinished | None:
    """None where no state can be kept: then the report cannot go on after a crash, and that is all."""
    begun = {
        "findings": dict(document), "task": writer.task.name, "lang": writer.lang, "provider": writer.provider,
    }  # fmt: skip
    try:
        return unfinished.begin(_state(config), reporting.new_thread(document), begun)
    except OutputError as problem:
        if wish.approve:
            raise
        note(quiet, f"{problem.message}; --resume will not be possible")
        return None


def _state(config: Config | None) -> Path:
    return unfinished.state_folder(config.folder if config else None)


def resumed(wish: Wish, config: Config | None) -> Unfinished | None:
    return unfinished.find(_state(config), wish.resume) if wish.resume else None


def _somebody_is_there() -> bool:
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty())


def _ask(text: str) -> bool:
    print(f"\n{text}\n", file=sys.stderr)
    print("Publish this report? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


# ---------------------------------------------------------------- what is said


def tell(report: Report, writer: Writer, path: Path, *, quiet: bool) -> None:
    """One line on stderr: where it is, what it is worth, what it took. Quiet, only when it fell short."""
    if quiet and not reporting.fell_short(report):
        return
    number = len(report.claims)
    cost = "cost unknown" if report.cost is None else f"cost {report.cost:.4f} {writer.currency}".rstrip()
    reused = not report.calls and not report.rounds and not reporting.fell_short(report)
    effort = "used again, nobody asked" if reused else (
        f"{_many(report.rounds, 'round')}, {_many(report.calls, 'call')}, {report.tokens_in:,} tokens in and "
        f"{report.tokens_out:,} out, {cost}"
    )  # fmt: skip
    why = f" ({report.reason})" if report.reason else ""
    status = report.status.replace("_", " ")
    print(f"watchdog: {path}: {status}{why}: {number:,} of {number:,} numbers verified; {effort}", file=sys.stderr)


def previewed(writer: Writer, document: Mapping[str, Any], name: str = "") -> str:
    """The prompts of a dry run, and what they would cost at most."""
    from watchdog.chat import Budget

    shown = writer.preview(document)
    title = name or writer.task.name
    parts = [f"==== {title}, {p.role}: about {p.tokens:,} tokens\n\n{p.text.rstrip()}\n" for p in shown]
    budget = Budget.of(writer.task.limits)
    limits = [
        f"{most:,g} {unit}".rstrip()
        for most, unit in ((budget.calls, "calls"), (budget.tokens, "tokens"), (budget.seconds, "s"),
                           (budget.money, writer.currency))
        if most is not None
    ]  # fmt: skip
    profile = getattr(writer.client, "profile", None)
    whom = f"provider {writer.provider!r}" + (f" ({profile.model} at {profile.server})" if profile else "")
    parts.append(f"Nothing was sent to {whom}. A report takes at most {', '.join(limits)}.\n")
    return "\n".join(parts)


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def what_became(problem: WatchdogError) -> dict[str, Any]:
    """For the findings document, where there is no report."""
    return {"status": "waiting" if problem.exit_code == 4 else "none", "reason": problem.message}
