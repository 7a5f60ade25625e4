"""What the README promises is compared with the code: commands, options, exit codes, formats, the config."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main

from watchdog.cli.app import app
from watchdog.config import load_config
from watchdog.plugins import check_names, renderer_names

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
RECIPES = (ROOT / "docs/recipes.md").read_text(encoding="utf-8")


def calls() -> Iterator[str]:
    """Every call of the command in both documents, without comments and redirections."""
    for line in (README + RECIPES).splitlines():
        for found in re.finditer(
            r"(?:^|[/`(: ])(?:dq-)?watchdog ((?:scan|schedule|explain|checks|doctor)\b[^`#>|]*)", line
        ):
            yield found[1].replace(")", " ").partition(" 2>")[0].strip()


@pytest.mark.parametrize("call", sorted(set(calls())))
def test_every_command_and_option_exists(call: str) -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    name, *words = shlex.split(call.replace("<name>", "name"))
    known = {option for parameter in commands[name].params for option in parameter.opts}
    assert {word for word in words if word.startswith("-")} - known == set()


def test_the_calls_are_found() -> None:
    assert len(set(calls())) > 10


def test_the_table_of_formats_is_the_list_of_renderers() -> None:
    text = README.partition("## Formats")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", text, re.M)) == set(renderer_names())


def test_the_exit_codes_are_those_that_the_help_names() -> None:
    text = README.partition("## Exit codes")[2].partition("\n## ")[0]
    told = set(re.findall(r"^\| (\d+) \|", text, re.M))
    assert told == set(re.findall(r"\b(\d+) ", str(app.info.epilog)))


def test_the_example_of_a_config_is_valid_and_names_existing_checks(tmp_path: Path) -> None:
    (block,) = re.findall(r"```yaml\n(watchdog: 1\n.*?)```", README, re.S)
    (tmp_path / "config.yaml").write_text(block)
    config = load_config(tmp_path / "config.yaml")
    assert {spec.name for source in config.sources for spec in source.checks} <= set(check_names())
    assert [schedule.source for schedule in config.schedules] == ["shop"]


@pytest.mark.parametrize("document", ["README.md", "docs/recipes.md", "docs/decisions.md", "CHANGELOG.md"])
def test_links_lead_somewhere(document: str) -> None:
    path = ROOT / document
    targets = re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


def test_the_output_that_is_shown_is_what_make_scan_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from watchdog.cli.scan import Flags, run
    from watchdog.demo import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_bytes((ROOT / "config.yaml").read_bytes())
    main(["demo"])
    capfd.readouterr()
    run(Flags(fail_on="never"))
    printed = set(capfd.readouterr().out.splitlines())
    (shown,) = re.findall(r"prints, shortened:\n\n```\n(.*?)```", README, re.S)
    assert [line for line in shown.splitlines() if line not in printed and line != "..."] == []
    assert len(shown.splitlines()) > 15
