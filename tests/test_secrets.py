"""No message, result or file holds a password, wherever somebody wrote one."""

from __future__ import annotations

import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from watchdog import urls
from watchdog.config import load_config
from watchdog.errors import ConfigError, SourceError, UsageError, WatchdogError
from watchdog.pipeline import scan

SECRET = "hunter2"
URLS = [
    "postgresql://ann:hunter2@host/db",
    "postgresql://ann:hunter2@host:5432/db?sslmode=require",
    "postgresql+psycopg://ann:hunter2@host",
    "postgresql://:hunter2@host/db",
    "postgresql://hunter2@host/db",  # a token instead of a name
    "postgresql://ann:p@hunter2@host/db",
    "postgresql://ann:p/hunter2@host/db",
    "postgresql://ann:p:hunter2@host/db",
    "postgresql://ann:p#hunter2@host/db",
    "postgresql://ann:p?hunter2@host/db",
    "postgresql://ann:p[hunter2]*@host/db",
    "postgresql://ann:p hunter2@host/db",
    "postgresql://ann:p'hunter2\"@host/db",
    "postgresql://ann:%40%2Fhunter2%3A@host/db",
    "postgresql://ann%3Ahunter2@host/db",
    "postgresql://ann:hunter2",
    "postgresql://ann:hunter2/db",
    "postgresql://ann:hunter2@",
    "postgresql://ann:x@host:hunter2/db",
    "postgresql:/ann:hunter2@host/db",
    "postgresql:ann:hunter2@host/db",
    "postgresql:///ann:hunter2@host/db",
    "ann:hunter2@host/db",
    "//ann:hunter2@host/db",
    "mongodb://ann:x@one,bob:hunter2@two/db",
    "postgresql://host/db?user=ann&password=hunter2",
    "postgresql://host/db?sslkey=/keys/hunter2&sslmode=verify-full",
    "postgresql://host/db?token=hunter2#top",
    "postgresql://host/db?hunter2",
    "mssql://host/db?odbc_connect=UID%3Dann%3BPWD%3Dhunter2",
    "jdbc:sqlserver://host;user=ann;password=hunter2",
    "sqlite:///no.db?key=hunter2",
    "no.db?password=hunter2",
]  # fmt: skip


@pytest.mark.parametrize("url", URLS)
def test_a_url_is_shown_without_what_may_be_a_secret_and_stays_so(url: str) -> None:
    told = urls.shown(url)
    assert SECRET not in told and "***" in told
    assert urls.shown(told) == told == urls.in_words(told)
    assert SECRET not in urls.in_words(f"config.yaml:3: cannot read {told}: no such file")
    assert SECRET not in urls.in_words(f"cannot read {url}: x") or not urls.is_url(url)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://ann:hunter2@host:5432/db?sslmode=require&password=x", "postgresql://ann:***@host:5432/db?sslmode=require&password=***"),
        ("postgresql://ann%40corp:hunter2@host/db", "postgresql://ann%40corp:***@host/db"),
        ("postgresql://host:5432/db", "postgresql://host:5432/db"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
        ("sqlite:///data/me@work/a.db?mode=ro", "sqlite:///data/me@work/a.db?mode=ro"),
        ("data/2024:01/me@work.db", "data/2024:01/me@work.db"),
        ("C:\\data\\shop.db", "C:\\data\\shop.db"),
        ("shop[1].db", "shop[1].db"),
    ],
)  # fmt: skip
def test_what_is_no_secret_is_shown(url: str, told: str) -> None:
    assert urls.shown(url) == told


def test_a_sentence_keeps_its_words_around_a_url() -> None:
    said = "a:1: cannot read postgresql://ann:hunter2@host/db: it is gone; see https://host/x, or ann:hunter2@host."
    assert urls.in_words("no such table: t (config.yaml:3)") == "no such table: t (config.yaml:3)"
    assert SECRET not in urls.in_words(said)
    assert urls.in_words("ask postgresql://ann:hunter2@host/db: no") == "ask postgresql://ann:***@host/db: no"
    assert str(UsageError("x postgresql://ann:hunter2@h", hint="y postgresql://ann:hunter2@h")).count("***") == 2


PLACES: list[list[str]] = [
    ["scan", "{}"], ["scan", "{}", "shop.db"], ["scan", "{}", "--format", "json"], ["scan", "{}", "--as", "shop"],
    ["scan", "shop.db", "--as", "{}"], ["scan", "--config", "{}"], ["scan", "shop.db", "--task", "{}"],
    ["scan", "shop.db", "--format", "{}"], ["scan", "shop.db", "--rows", "{}"], ["scan", "shop.db", "--baseline", "{}"],
    ["scan", "shop.db", "--fail-on", "{}"], ["scan", "shop.db", "--now", "{}"], ["scan", "shop.db", "--timeout", "{}"],
    ["scan", "shop.db", "--jobs", "{}"], ["scan", "shop.db", "--sample-values", "{}"], ["scan", "shop.db", "--rows-level", "{}"],
    ["scan", "shop.db", "--select", "{}"], ["scan", "shop.db", "--llm", "--provider", "{}"], ["scan", "--resume", "{}", "--llm"],
    ["scan", "shop.db", "--output", "shop.db/{}"], ["scan", "shop.db", "--{}"], ["report", "{}"],
    ["report", "{}", "--task", "{}"],
    ["verify", "{}", "--findings", "{}"], ["explain", "{}"], ["schedule", "--config", "{}"], ["schedule", "{}"], ["{}"],
]  # fmt: skip


@pytest.mark.parametrize("place", PLACES, ids=" ".join)
def test_no_answer_of_the_command_line_holds_the_password_of_a_url(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path, database: Callable, place: list[str]
) -> None:
    from watchdog.cli.app import main

    shop = database("CREATE TABLE t(x)", "INSERT INTO t VALUES (1)", name="shop.db")
    monkeypatch.chdir(shop.parent)
    Path("config.yaml").write_text("watchdog: 1\nsources: {shop: {path: shop.db}}\n")
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    for url in URLS:
        monkeypatch.setattr(sys, "argv", ["watchdog", *(word.replace("{}", url) for word in place)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfd.readouterr()
        assert SECRET not in out + err, (url, out, err)
        assert "Traceback" not in err and ended.value.code in (0, 2, 3)


def test_a_url_is_no_glob(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from watchdog.cli.app import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["watchdog", "scan", "postgresql://ann:hun[t]er2@host/db?sslmode=require"])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capfd.readouterr().err
    assert ended.value.code == 2
    assert "postgresql://ann:***@host/db?sslmode=require: not a kind of source" in said
    assert "no file matches" not in said


def everything(folder: Path) -> str:
    """Names and contents of all files below, databases and configs aside."""
    files = [p for p in folder.rglob("*") if p.is_file() and p.suffix not in (".db", ".yaml")]
    return "\n".join(f"{p.relative_to(folder)}\n{p.read_text()}" for p in files)


@pytest.mark.parametrize("url", URLS)
def test_a_url_in_the_config_shows_no_password_in_any_output(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], database: Callable, url: str
) -> None:
    from watchdog.cli.app import main

    shop = database("CREATE TABLE t(x)", "INSERT INTO t VALUES (1)", name="shop.db")
    monkeypatch.chdir(shop.parent)
    monkeypatch.setenv("PW", url)
    monkeypatch.setenv("HUSH", SECRET)
    text = url.replace("'", "''")
    for key, value in (("url", text), ("path", text), ("url", "${PW}"), ("path", "${PW}"), ("url", "x://a:${HUSH}@h/d")):
        Path("config.yaml").write_text(f"watchdog: 1\nsources: {{a: {{{key}: '{value}'}}, shop: {{path: shop.db}}}}\n")
        for flags in (["a"], ["a", "--format", "junit"], ["a", "--output", "x/"], ["--quiet"], ["shop.db", "--rows", "r.csv"]):
            monkeypatch.setattr(sys, "argv", ["watchdog", "scan", *flags])
            with pytest.raises(SystemExit):
                main()
            out, err = capfd.readouterr()
            assert SECRET not in out + err, (value, out, err)
            assert "Traceback" not in err
            assert value != "${PW}" or flags[0] != "a" or "${PW}" in err
    assert SECRET not in everything(Path.cwd())


def test_a_file_that_a_variable_names_is_told_by_the_variable_in_every_output(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], database: Callable
) -> None:
    from watchdog.cli.app import main

    shop = database("CREATE TABLE t(x TEXT NOT NULL)", "INSERT INTO t VALUES ('a')", name=f"{SECRET}.db")
    monkeypatch.chdir(shop.parent)
    monkeypatch.setenv("PW", SECRET)
    formats = "[text, junit, github]"
    for place, told in (
        ("path: '${PW}.db'", "${PW}.db"), ("url: 'sqlite:///${PW}.db'", "${PW}.db"), ("path: '${PW:-x}.db'", "${PW}.db"),
    ):  # fmt: skip
        Path("config.yaml").write_text(
            f"watchdog: 1\nsources:\n  shop:\n    {place}\n    formats: {formats}\n"
            "    tables: {t: {columns: {x: [{matches: {regex: '^(b+)+$'}}]}}}\n"
        )
        for form in ("text", "json", "markdown", "junit", "github"):
            monkeypatch.setattr(sys, "argv", ["watchdog", "scan", "--format", form])
            with pytest.raises(SystemExit) as ended:
                main()
            out, err = capfd.readouterr()
            assert ended.value.code == 1 and SECRET not in out + err, (place, form, out, err)
            assert form in ("markdown", "junit") or told in out
        if place.startswith("url"):
            continue
        monkeypatch.setattr(sys, "argv", ["watchdog", "scan", "--output", f"{SECRET}.db"])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capfd.readouterr().err.replace(f"--output {SECRET}.db", "")  # the flag itself was typed
        assert ended.value.code == 2 and SECRET not in said
    assert SECRET not in everything(Path.cwd())


CONFIG = """
watchdog: 1
defaults: {fail_on: high, samples: 5, sample_values: masked, pii: mask, time_zone: UTC, infer: true, owner: ann}
sources:
  shop:
    path: shop.db
    task: data-quality
    include: ["*"]
    tags: [a]
    off: [missing]
    formats: [text]
    tables:
      t:
        severity: low
        where: x > 0
        checks: [{row_count: {min: 1, at_most: 1, name: n}}, {query: {sql: select 1}}]
        columns:
          x: [not_null, {matches: {regex: a}}, {accepted_range: {min: 1}}, {relationships: {to: t, field: x}}]
providers:
  default:
    kind: openai
    api_key_env: KEY
    base_url: http://127.0.0.1:9/v1
    model: m
    temperature: 0.3
    max_tokens: 5
    timeout: 9
    price: {input: 1, output: 1}
    models: {fix: m}
schedules:
  - {source: shop, cron: "0 6 * * *", time_zone: UTC, jitter: 5m, llm: never}
"""


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [p for key, child in value.items() for p in _places(child, (*path, key))]
    if isinstance(value, list):
        return [p for at, child in enumerate(value) for p in _places(child, (*path, at))]
    return [path]


def _yaml(text: str) -> Any:
    from watchdog.config import parse_yaml

    return parse_yaml(text, "config.yaml").plain()


@pytest.mark.parametrize("path", _places(_yaml(CONFIG)), ids=lambda path: ".".join(map(str, path)))
def test_no_key_of_the_config_tells_what_a_variable_holds(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], database: Callable, path: tuple[Any, ...]
) -> None:
    import json

    from watchdog.cli.app import main

    shop = database("CREATE TABLE t(x)", "INSERT INTO t VALUES (1)", name="shop.db")
    monkeypatch.chdir(shop.parent)
    Path(".env").write_text(f"PW={SECRET}\n")
    monkeypatch.setenv("PW", SECRET)
    for written in ("${PW}", f"postgresql://ann:{SECRET}@host/db"):
        whole = _yaml(CONFIG)
        inner = whole
        for part in path[:-1]:
            inner = inner[part]
        inner[path[-1]] = written
        Path("config.yaml").write_text(json.dumps(whole))  # JSON is YAML
        for command in (["scan"], ["scan", "--format", "junit"], ["schedule", "--list"], ["doctor"]):
            monkeypatch.setattr(sys, "argv", ["watchdog", *command])
            with pytest.raises(SystemExit):
                main()
            out, err = capfd.readouterr()
            kept = path[-1] in ("owner", "model", "fix", "name", "min", "to", "regex", "sql", "where") or "tags" in path
            assert SECRET not in out + err or (kept and written != "${PW}"), (written, out, err)


@pytest.mark.parametrize("url", URLS)
def test_a_python_caller_sees_no_password_in_the_error_and_its_causes(tmp_path: Path, url: str) -> None:
    with pytest.raises(WatchdogError) as caught:
        scan(url)
    told = "".join(traceback.format_exception_only(caught.value))
    assert SECRET not in told and SECRET not in repr(caught.value)


def test_the_causes_of_an_error_name_the_variable_as_well(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("watchdog: 1\nsources: {a: {path: '${PW}'}, b: {url: 'sqlite:///${PW}'}}\n")
    (tmp_path / SECRET).mkdir()
    for value in (SECRET, f"{SECRET}/no.db", SECRET * 100):
        config = load_config(path, environ={"PW": str(tmp_path / value)})
        for name in ("a", "b"):
            with pytest.raises(SourceError) as caught:
                scan(name, config=config)
            error: BaseException | None = caught.value
            assert "${PW}" in str(error)
            while error is not None:
                assert SECRET not in str(error) and SECRET not in repr(error.args[2:])
                error = error.__cause__
        assert SECRET not in repr(config)


def test_a_variable_that_names_no_place_is_named(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("watchdog: 1\nsources: {a: {path: '${PW}'}}\n")
    with pytest.raises(ConfigError) as caught:
        load_config(path, environ={"PW": f"{SECRET}\0"})
    assert SECRET not in str(caught.value)


OUTPUTS = [
    ["scan", "shop.db", "--output"], ["scan", "shop.db", "--rows"], ["scan", "shop.db", "--write-baseline"],
    ["scan", "shop.db", "--llm", "--trace"], ["scan", "shop.db", "--llm", "--output"], ["scan", "shop.db", "shop.db", "--output"],
    ["report", "found.json", "--output"], ["report", "found.json", "--llm", "--trace"],
]  # fmt: skip


@pytest.mark.parametrize("place", OUTPUTS, ids=" ".join)
def test_an_output_is_no_url_and_no_folder_is_called_by_its_password(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], database: Callable, place: list[str]
) -> None:
    from watchdog.cli.app import main

    shop = database("CREATE TABLE t(x)", "INSERT INTO t VALUES (1)", name="shop.db")
    monkeypatch.chdir(shop.parent)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    Path("found.json").write_text('{"format": 1, "findings": []}')
    before = sorted(shop.parent.rglob("*"))
    for url in (f"{one}{end}" for one in URLS if urls.is_url(one) for end in ("", "/", "/x.csv")):
        monkeypatch.setattr(sys, "argv", ["watchdog", *place, url])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfd.readouterr()
        assert (ended.value.code, out, "not a URL" in err, SECRET in err) == (2, "", True, False), (url, err)
    assert sorted(shop.parent.rglob("*")) == before


def test_a_file_may_be_called_like_a_url_where_that_is_meant(database: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    from watchdog.writing import write_text

    monkeypatch.chdir(database("CREATE TABLE t(x)", name="shop.db").parent)
    write_text(Path.cwd() / "ab:" / "x", "told")
    assert Path("ab:/x").read_text() == "told"


def test_a_task_script_repeats_no_password(root: Path, tmp_path: Path) -> None:
    for words in (["--db", URLS[0]], ["--db", "x", URLS[0]], [f"--{URLS[0]}"]):
        done = subprocess.run(
            [sys.executable, root / "tasks/data-quality/run.py", *words], capture_output=True, text=True, cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(root)}, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode in (2, 3) and SECRET not in done.stdout + done.stderr
