"""The command `watchdog`: options and their words. The work of each command sits in its own file, imported when it runs."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from watchdog import urls


class _Group(TyperGroup):
    """The commands; what is said of a wrong command line repeats no password of it."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        return _without_secrets(super().make_context, *args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        return _without_secrets(super().invoke, ctx)


def _without_secrets(call: Any, *args: Any, **kwargs: Any) -> Any:
    try:
        return call(*args, **kwargs)
    except Exception as problem:
        said = getattr(problem, "message", None)  # of a UsageError; which click it belongs to depends on typer's version
        if isinstance(said, str):
            vars(problem)["message"] = urls.in_words(said)
        raise


app = typer.Typer(
    cls=_Group, name="watchdog",
    no_args_is_help=True, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False,
    help="A read-only data-quality scan: exact counts, JSON findings, an exit code to act on.",
    epilog="exit codes of scan: 0 clean, 1 findings, 2 usage or config, 3 could not evaluate, 4 report not verified, 130 Ctrl-C",
)  # fmt: skip

Llm = Annotated[bool, typer.Option("--llm", help="Have a model write a report; every number in it is verified.")]
Lang = Annotated[str | None, typer.Option(metavar="LANG", help="Of the report: en, zh (default en).")]
Provider = Annotated[str | None, typer.Option(metavar="NAME", help="Of `providers:` in config.yaml, or a known one.")]
Approve = Annotated[bool, typer.Option("--approve", help="Show the report and ask before it is written.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the prompts with their tokens; ask nobody.")]
Trace = Annotated[Path | None, typer.Option(metavar="FILE", help="Write each step of the report there as JSON lines.")]
Resume = Annotated[str | None, typer.Option(metavar="ID", help="Go on with a report that was cut off.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notes on stderr.")]


@app.callback()
def _root() -> None:
    pass


@app.command()
def scan(
    source: Annotated[
        list[str] | None,
        typer.Argument(help="A SQLite file, a glob, or a name in config.yaml. None: all of config.yaml."),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="The config file; default config.yaml here, when it is one of ours.")
    ] = None,
    as_: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="Apply the rules of this source of config.yaml to a path."),
    ] = None,
    task: Annotated[str | None, typer.Option(help="The task that says what is checked (default data-quality).")] = None,
    format: Annotated[str, typer.Option(help="text, json, markdown, junit, github")] = "text",
    output: Annotated[
        str | None, typer.Option(metavar="PATH", help="Write there instead of stdout; a folder when it ends in /.")
    ] = None,
    fail_on: Annotated[
        str | None, typer.Option(help="Exit 1 from this severity on: high, medium, low, info, never.")
    ] = None,
    baseline: Annotated[Path | None, typer.Option(help="Rows of findings listed there do not count for --fail-on.")] = None,
    write_baseline: Annotated[
        Path | None, typer.Option(help="Write today's findings as a baseline; with --baseline, what still holds of it.")
    ] = None,
    select: Annotated[
        list[str] | None, typer.Option(help="Only these: glob of a table, place or check id, or tag:x.")
    ] = None,
    exclude: Annotated[list[str] | None, typer.Option(help="Not these; same forms.")] = None,
    samples: Annotated[int | None, typer.Option(min=0, max=10_000, help="Failing rows shown for each finding.")] = None,
    sample_values: Annotated[str | None, typer.Option(help="full, masked or none (default masked).")] = None,
    rows: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Write all failing rows there: .csv or .jsonl.")
    ] = None,
    rows_level: Annotated[str, typer.Option(help="The lowest severity whose rows are written.")] = "low",
    jobs: Annotated[
        int | None, typer.Option(min=1, max=64, help="Connections at a time; results do not depend on it.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds for each source; what is left is 'could not look'.")
    ] = None,
    now: Annotated[
        str | None, typer.Option(metavar="ISO", help="The time that ages and futures are judged by.")
    ] = None,
    no_infer: Annotated[bool, typer.Option("--no-infer", help="Only declared checks.")] = False,
    llm: Llm = False,
    lang: Lang = None,
    provider: Provider = None,
    approve: Approve = False,
    dry_run: DryRun = False,
    trace: Trace = None,
    resume: Resume = None,
    quiet: Quiet = False,
) -> None:
    """Scan sources and print what was found. The source is never written to."""
    from watchdog.cli.report import Wish
    from watchdog.cli.scan import Flags, run

    flags = Flags(
        tuple(source or ()), config, as_, task, format, output, fail_on, baseline, write_baseline, tuple(select or ()),
        tuple(exclude or ()), samples, sample_values, rows, rows_level, jobs, timeout, now, not no_infer, quiet,
        wish=Wish(llm, lang, provider, approve, dry_run, trace, resume),
    )  # fmt: skip
    raise typer.Exit(run(flags))


@app.command()
def report(
    findings: Annotated[Path, typer.Argument(metavar="FINDINGS.json", help="A saved scan; - is stdin.")],
    llm: Llm = False,
    config: Annotated[
        Path | None, typer.Option(help="Where providers and tasks stand; default config.yaml here.")
    ] = None,
    task: Annotated[
        str | None, typer.Option(help="The task whose prompts are used (default that of the source).")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="Write there instead of stdout; report.md in it when it ends in /."),
    ] = None,
    lang: Lang = None,
    provider: Provider = None,
    approve: Approve = False,
    dry_run: DryRun = False,
    trace: Trace = None,
    resume: Resume = None,
    quiet: Quiet = False,
) -> None:
    """Put a saved scan into words and print them; with --llm they are a model's, and also kept in report.md.

    Exit codes: 0 the report is there, 2 usage, 3 the findings cannot be read, 4 not what a model wrote, whole and verified.
    """
    from watchdog.cli.report import Flags, Wish, run

    wish = Wish(llm, lang, provider, approve, dry_run, trace, resume)
    raise typer.Exit(run(Flags(findings, config, task, output, quiet, wish)))


@app.command()
def verify(
    report: Annotated[Path, typer.Argument(metavar="REPORT.md", help="The report, by whoever wrote it; - is stdin.")],
    findings: Annotated[
        Path, typer.Option(metavar="FINDINGS.json", help="What it is about: `watchdog scan --format json`.")
    ],
    format: Annotated[str, typer.Option(help="text, json")] = "text",
    lang: Annotated[str | None, typer.Option(help="en, zh, de, fr; default: as the report looks.")] = None,
) -> None:
    """Check every number of a report against the findings. No network, no model.

    Exit codes: 0 nothing is wrong, 1 mismatches, 2 usage, 3 the report or the findings cannot be read, or are empty.
    """
    from watchdog.cli.verify import run

    raise typer.Exit(run(report, findings, format, lang))


@app.command()
def checks() -> None:
    """List the checks with one line each."""
    from watchdog.cli.output import say
    from watchdog.cli.show import list_checks

    say(list_checks())


@app.command()
def explain(check: Annotated[str, typer.Argument(help="The name of a check.")]) -> None:
    """Say what a check measures, when it fires and which options it takes."""
    from watchdog.cli.output import say
    from watchdog.cli.show import explain_check

    say(explain_check(check))


@app.command()
def doctor() -> None:
    """Look at this installation: versions, what is missing, what stands in the way, which models could be asked."""
    from watchdog.cli.doctor import look
    from watchdog.cli.output import say

    text, code = look()
    say(text)
    raise typer.Exit(code)


@app.command()
def schedule(
    config: Annotated[Path, typer.Option(help="The config file with `schedules:`.")] = Path("config.yaml"),
    list_: Annotated[bool, typer.Option("--list", help="Show the next runs and end.")] = False,
) -> None:
    """Run the schedules of config.yaml until SIGTERM or Ctrl-C."""
    from watchdog.cli.schedule import run

    raise typer.Exit(run(config, list_))


def main() -> None:
    """The entry point: turns what people can mend into one clear message and the right exit code."""
    gc.set_threshold(100_000)  # start-up makes many objects that all stay: looking for garbage among them costs 5%
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # looking for them reads every installed package's metadata
    from watchdog.cli.streams import ClosedPipe, safe_streams
    from watchdog.errors import WatchdogError

    with safe_streams():
        try:
            try:
                app()
            finally:
                sys.stdout.flush()
        except WatchdogError as problem:
            print(f"watchdog: {problem}", file=sys.stderr)
            sys.exit(problem.exit_code)
        except KeyboardInterrupt:
            print("watchdog: stopped", file=sys.stderr)
            sys.exit(130)
        except ClosedPipe:
            sys.exit(141)


if __name__ == "__main__":
    main()
