"""From a findings document to a report: by a model, every number checked, or in the program's own words.

A `Writer` is opened before anything is scanned, so that a missing key, prompt or package is told at once. What it writes
is a `model.Report`, whatever the model does. langgraph and LangChain are loaded by the first call of `write`, not before.
"""

from __future__ import annotations

import importlib.util
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from watchdog.codec import GOOD_REPORT
from watchdog.config import Config
from watchdog.errors import UsageError, WatchdogError, nearest
from watchdog.model import Report, Task
from watchdog.pipeline.publish import PARTIAL, folder_name
from watchdog.places import find_task
from watchdog.task import load_task
from watchdog.writing import NO_GUARD, Guard, write_text

if TYPE_CHECKING:
    from watchdog.chat import Client
    from watchdog.report import Preview

DEFAULT = "default"  # the provider that is taken where none is named
NEEDED = ("langgraph", "langgraph.checkpoint.sqlite", "langchain_openai", "markdown_it")


@dataclass(frozen=True)
class Writer:
    """A task's prompts, a language and a provider that can be asked."""

    task: Task
    folder: Path  # the task's
    lang: str
    style: Literal["markdown", "slots"]
    provider: str
    client: Client | None  # None: of a dry run, where replies come from a file
    currency: str = ""
    env: Mapping[str, str] = field(default_factory=dict, repr=False)  # its secrets are masked in a trace

    def write(
        self,
        findings: Mapping[str, Any],
        *,
        checkpoint: Path | None = None,
        thread_id: str | None = None,
        resume: bool = False,
        approve: bool = False,
        approved: bool | None = None,
        trace: Path | None = None,
        reuse: Path | None = None,
        guard: Guard = NO_GUARD,
    ) -> Report:
        """The report, verified or in the program's own words. `AwaitsApproval` when a person has to see it first.

        reuse: a folder of verified reports; the one about the same findings by the same prompts and model is taken.
        """
        from watchdog.report import write_report
        from watchdog.report.trace import secret_values

        assert self.client is not None, "a dry run writes nothing"
        key = getattr(getattr(self.client, "profile", None), "key", "")
        return write_report(
            findings, task=self.task, task_folder=self.folder, client=self.client, lang=self.lang, style=self.style,
            checkpoint=checkpoint, thread_id=thread_id, resume=resume, approve=approve, approved=approved, trace=trace,
            reuse=reuse, hide=secret_values(self.env, [key] if key else []), guard=guard,
        )  # fmt: skip

    def preview(self, findings: Mapping[str, Any]) -> tuple[Preview, ...]:
        """The prompts as they would be sent, with their estimated tokens. Asks nobody."""
        from watchdog.report import dry_run

        return dry_run(findings, task_folder=self.folder, lang=self.lang, style=self.style, client=self.client)


def open_writer(
    config: Config | None,
    task: str = "data-quality",
    *,
    provider: str | None = None,
    lang: str = "en",
    ask: bool = True,
    env: Mapping[str, str] | None = None,
) -> Writer:
    """A writer, no request made yet. `ask=False`: for a dry run, which needs no key. `env`: where keys are looked for, as
    a rule the environment and the `.env` of the config.

    UsageError, ConfigError: no such provider, task or language, no key, prompts that make no sense, a missing package.
    """
    from watchdog.chat import open_client, profile_of
    from watchdog.chat.openai import OpenAIClient
    from watchdog.chat.profiles import read
    from watchdog.report.prompts import load

    if env is None:
        env = config.environ if config else os.environ
    name, told = provider_of(config, provider)
    shape = read(told, name)
    folder = find_task(task, config.folder if config else None)
    chosen, prompts = load_task(folder), load(folder, lang)
    if shape.style == "slots" and prompts.slots is None:
        file = "slots.md" if lang == "en" else f"slots.{lang}.md"
        raise UsageError(f"the task {task!r} has no prompt for the style `slots`", hint=f"add prompts/{file}")
    if ask:
        _require_packages()
        client: Client | None = open_client(told, name=name, env=env, folder=config.folder if config else None)
    else:
        client = OpenAIClient(profile_of(told, name=name, env=env)) if shape.kind == "openai" else None
    return Writer(chosen, folder, lang, shape.style, name, client, shape.price.currency if shape.price else "", env)


def provider_of(config: Config | None, name: str | None = None) -> tuple[str, Mapping[str, Any]]:
    """A provider by its name; without one `default`, else the only one there is. Known servers need no entry."""
    from watchdog.chat.profiles import PRESETS

    told = config.providers if config else {}
    if name is None:
        name = DEFAULT if DEFAULT in told or len(told) != 1 else next(iter(told))
        if name not in told and told:
            raise UsageError(f"no provider is called {DEFAULT!r}", hint=f"--provider NAME: {', '.join(sorted(told))}")
    if name not in told and name not in PRESETS:
        hint = nearest(name, [*told, *PRESETS])
        raise UsageError(
            f"there is no provider {name!r}", hint=f"{hint}; others stand under `providers:` in config.yaml"
        )
    return name, told.get(name, {})


def facts_only(findings: Mapping[str, Any], lang: str = "en", *, reason: str = "") -> Report:
    """The report that needs no model. `reason`: why none wrote it, where one should have."""
    from watchdog.report.document import Meta, document
    from watchdog.report.plain import plain
    from watchdog.verify import facts_of, verify_report

    text = plain(findings, facts_of(findings), lang)
    verdict = replace(verify_report(text, findings, lang=lang), bad=())  # its numbers are facts, whatever their wording
    whole = document(findings, text, verdict, Meta(status="facts_only", reason=reason), lang)
    return Report("Data quality", whole, "facts_only", verdict.ok, verdict.skipped, reason=reason)


def unattended(findings: Mapping[str, Any], task: str, config: Config, *, reuse: bool, lang: str = "en") -> Report:
    """For schedules, where nobody mends anything: what stands in the way of a model becomes the reason of a report
    without one."""
    kept = config.folder / "reports" / ".watchdog" / "kept" if reuse else None
    try:
        return open_writer(config, task, lang=lang).write(findings, reuse=kept)
    except WatchdogError as problem:
        return facts_only(findings, lang, reason=problem.message)


def in_short(report: Report, *, currency: str = "", file: Path | None = None) -> dict[str, Any]:
    """What the findings document says of a report."""
    told: dict[str, Any] = {"status": report.status}
    told |= {"reason": report.reason} if report.reason else {}
    told |= {"file": str(file)} if file else {}
    told |= {"verified": len(report.claims), "rounds": report.rounds, "calls": report.calls}
    told |= {"tokens_in": report.tokens_in, "tokens_out": report.tokens_out, "cost": report.cost}
    told |= {"currency": currency} if currency and report.cost is not None else {}
    return told | {"seconds": round(report.seconds, 3), "model": report.model, "prompts": report.prompts}


def publish_report(
    report: Report, run_id: str, source: str, reports: Path, *, latest: bool = True, guard: Guard = NO_GUARD
) -> tuple[Path, ...]:
    """Writes `<reports>/<source>/<run id>.report.md` and `report.md`, the last one there was. Returns the paths.

    latest: False for a report about a part only, which never stands as the last whole one and is called so.
    """
    folder = reports / folder_name(source)
    paths = (report_of_run(run_id, source, reports, partial=not latest), *([folder / "report.md"] if latest else []))
    for path in paths:
        write_text(path, report.text, guard)
    return paths


def report_of_run(run_id: str, source: str, reports: Path, *, partial: bool) -> Path:
    return reports / folder_name(source) / f"{folder_name(run_id)}{PARTIAL if partial else ''}.report.md"


def fell_short(report: Report) -> bool:
    """Whether it is anything but what a model wrote, whole and verified: exit 4."""
    return report.status not in GOOD_REPORT


def new_thread(findings: Mapping[str, Any]) -> str:
    """The id of a new report, which is a file's name as well: the run's, and four digits more."""
    run = findings.get("run")
    name = run.get("id") if isinstance(run, Mapping) else None
    return f"{folder_name(name) if isinstance(name, str) and name else 'report'}-{secrets.token_hex(2)}"


def _require_packages() -> None:
    missing = [name for name in NEEDED if not _there(name)]
    if missing:
        raise UsageError(
            f"--llm needs packages that are not installed: {', '.join(missing)}", hint="pip install dq-watchdog"
        )


def _there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False
