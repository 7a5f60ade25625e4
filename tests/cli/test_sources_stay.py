"""The source is never written to, whatever it is called and whatever is about to be written."""

from __future__ import annotations

import contextlib
import io
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from watchdog import demo
from watchdog.cli.app import main
from watchdog.errors import UsageError
from watchdog.pipeline import Options, publish, run_once, scan
from watchdog.pipeline.keeping import guard_of, places_named
from watchdog.pipeline.rows import RowsFile
from watchdog.report.trace import Trace
from watchdog.writing import Guard, write_text

SIDES = ("", "-wal", "-shm", "-journal")


def make(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db:
        db.executescript("CREATE TABLE t(id INTEGER PRIMARY KEY, x INTEGER NOT NULL); INSERT INTO t VALUES (1, 2), (2, 3)")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    """Of each file, by its name; a folder's is its name alone."""
    found = [p for p in sorted(folder.rglob("*")) if not p.is_symlink()]
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else b"" for p in found}


def call(*arguments: str) -> tuple[int, str]:
    """The exit code and stderr of `watchdog ARGUMENTS...` here."""
    said, before = io.StringIO(), sys.argv
    sys.argv = ["watchdog", *arguments]
    try:
        with contextlib.redirect_stderr(said):
            main()
        return 0, said.getvalue()
    except SystemExit as end:
        return int(end.code or 0), said.getvalue()
    finally:
        sys.argv = before


# ---------------------------------------------------------------- all spellings against all writers

SPELLINGS: dict[str, Callable[[Path], str]] = {
    "relative": lambda path: os.path.relpath(path),
    "absolute": str,
    "dotted": lambda path: f"./{os.path.relpath(path.parent)}/../{path.parent.name}/.//{path.name}",
    "through a linked folder": lambda path: f"linked/{path.name}",
    "through a link": lambda path: _link(path, os.symlink),
    "through a link to a link": lambda path: _link(Path(_link(path, os.symlink)), os.symlink),
    "hard link": lambda path: _link(path, os.link) if path.exists() else str(path),
}
SOURCES: dict[str, Callable[[Path], str]] = {
    "path": lambda path: os.path.relpath(path),
    "absolute path": str,
    "link": lambda path: _link(path, os.symlink),
    "hard link": lambda path: _link(path, os.link),
    "url": lambda path: f"sqlite:///{os.path.relpath(path)}",
    "absolute url": lambda path: f"sqlite:///{path}",
    "escaped url": lambda path: f"sqlite:///{os.path.relpath(path).replace('.', '%2E').replace('a', '%61')}",
    "url with a query": lambda path: f"sqlite:///{path}?mode=ro",
    "url of a driver": lambda path: f"sqlite+pysqlite:///{path}",
    "file URI in a url": lambda path: f"sqlite:///file:{os.path.relpath(path)}?mode=ro&uri=true",
    "file URI": lambda path: f"file:{path}?mode=ro",
    "file URI of three slashes": lambda path: f"file://{path}",
    "config path": lambda path: _config("path", str(path)),
    "config url": lambda path: _config("url", f"sqlite:///{os.path.relpath(path)}"),
    "config url escaped": lambda path: _config("url", f"sqlite:///{str(path).replace('d', '%64')}"),
    "another source of the config": lambda path: (_config("path", str(path)), "other.db")[1],
}
NAME = {"--output": "data.json", "a folder": "data.json", "--rows": "data.csv", "--write-baseline": "data.db",
        "--trace": "data.db"}  # fmt: skip
BELOW = ("", "/x", "/y/x", "/../x")  # what takes its place may be a folder that is made for an output


def _link(path: Path, make_link: Callable[..., None]) -> str:
    for number in range(100):
        name = f"{number}{path.suffix}"
        if not os.path.lexists(name):
            make_link(os.path.abspath(path), name)
            return name
    raise AssertionError


def _config(key: str, value: str) -> str:
    Path("config.yaml").write_text(f"watchdog: 1\nsources:\n  data:\n    {key}: '{value}'\n")
    return "data"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    return tmp_path


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    writer=st.sampled_from(sorted(NAME)), source=st.sampled_from(sorted(SOURCES)), target=st.sampled_from(sorted(SPELLINGS)),
    side=st.sampled_from(SIDES), there=st.booleans(), below=st.sampled_from(BELOW),
)  # fmt: skip
def test_no_spelling_of_a_source_is_written_over_by_any_writer(
    here: Path, writer: str, source: str, target: str, side: str, there: bool, below: str
) -> None:
    with _folder(here) as home:
        path = make(home / "dad" / NAME[writer])
        os.symlink(home / "dad", "linked")
        make(home / "other.db")
        victim = Path(f"{path}{side}")
        if there and side:
            victim.write_bytes(b"")  # SQLite leaves them empty too
        named, spelled = SOURCES[source](path), SPELLINGS[target](victim)
        before = contents(home)
        flags = [writer, spelled]
        if below:
            flags = ["--output" if writer == "a folder" else writer, f"{spelled}{below}{Path(NAME[writer]).suffix}"]
        elif writer == "a folder":
            if side or source not in ("path", "absolute path"):
                return  # the result is not called as the source is
            flags = ["--output", "linked/"] if "link" in target else ["--output", f"{path.parent}/"]
        if writer == "--trace":
            flags.append("--llm")
        code, said = call("scan", named, "--format", "json", *flags)
        assert (code, said.count("watchdog: ") >= 1, "Traceback" in said) == (2, True, False), said
        assert contents(home) == before


@contextlib.contextmanager
def _folder(base: Path) -> Iterator[Path]:
    """A fresh folder for each example, and back again."""
    number = sum(1 for _ in base.iterdir())
    home = base / f"example-{number}"
    home.mkdir()
    os.chdir(home)
    yield home
    os.chdir(base)


WRITERS: dict[str, Callable[[Path, Guard], object]] = {
    "a text": lambda target, guard: write_text(target, "x", guard),
    "rows": lambda target, guard: RowsFile(target, guard).__enter__(),
    "a trace": lambda target, guard: Trace(target, guard=guard),
    "reports/": lambda target, guard: publish(replace(scan("other.db"), source="data"), target.parents[1], guard=guard),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_each_writer_asks_for_itself(here: Path, writer: str) -> None:
    make(here / "other.db")
    path, target = here / "data.csv", here / "reports" / "data" / ("latest.md" if writer == "reports/" else "a.csv")
    path.write_text("no database: the guard alone knows of it")
    target.parent.mkdir(parents=True)
    os.link(path, target)
    with pytest.raises(UsageError, match=target.name):
        WRITERS[writer](target, Guard().keeping([path]))
    assert path.read_text() == target.read_text() == "no database: the guard alone knows of it"


def test_no_folder_is_made_in_the_place_of_what_is_kept(here: Path) -> None:
    path, stranger = make(here / "data.db"), make(here / "stranger.db")
    assert call("scan", "data.db", "--format", "json", "--output", "found.json")[0] == 0
    before = contents(here)
    for side in SIDES[1:]:
        for name in (f"data.db{side}", f"stranger.db{side}"):
            for flags in (
                ["--output", f"{name}/"], ["--output", f"{name}/x/y.txt"], ["--rows", f"{name}/x.csv"],
                ["--write-baseline", f"{name}/known.json"], ["--output", f"{name}/../x.txt"],
                ["--llm", "--trace", f"{name}/t"], ["--llm", "--output", f"{name}/x.txt"],
            ):  # fmt: skip
                code, said = call("scan", "data.db", *flags)
                assert (code, "place of" in said) == (2, True), (flags, said)
            assert call("report", "found.json", "--output", f"{name}/")[0] == 2
            with pytest.raises(UsageError):
                demo.make(here / name)
    for taken in ("data.db", "stranger.db", "found.json"):
        assert call("report", "found.json", "--output", f"{taken}/x.md")[0] == 2
    assert contents(here) == before
    with closing(sqlite3.connect(path)) as db, closing(sqlite3.connect(stranger)) as other, db, other:
        db.execute("DELETE FROM t"), other.execute("DELETE FROM t")  # their owners can write


def test_a_folder_in_reports_does_not_take_the_place_of_a_side_file(here: Path) -> None:
    make(here / "reports" / "data")
    Path("config.yaml").write_text("watchdog: 1\nsources:\n  data-journal:\n    path: reports/data\n")
    before = contents(here)
    assert call("scan")[0] == 2
    with pytest.raises(UsageError):
        run_once("config.yaml", "data-journal")
    assert contents(here) == before


def test_a_python_caller_is_refused_too(here: Path) -> None:
    path = make(here / "data.csv")
    before = contents(here)
    with pytest.raises(UsageError):
        scan(path, options=Options(rows=path))
    with pytest.raises(UsageError):
        scan(f"sqlite:///{path}", options=Options(rows=Path("data.csv")))
    assert contents(here) == before


def test_a_source_that_lies_in_reports_stays(here: Path) -> None:
    make(here / "reports" / "data" / "latest.json")
    _config("path", "reports/data/latest.json")
    before = contents(here)
    assert call("scan")[0] == 2
    with pytest.raises(UsageError):
        run_once("config.yaml", "data")
    make(here / "reports" / "data" / "report.md")
    _config("url", "sqlite:///reports/data/report.md")
    assert call("scan", "--llm")[0] == 2
    with pytest.raises(UsageError):
        run_once("config.yaml", "data", llm="always")
    assert set(contents(here)) - set(before) == {"reports/data/report.md"}


def test_no_output_of_several_sources_is_written_over_any_of_them(here: Path) -> None:
    one, two = make(here / "a" / "data.db"), make(here / "b" / "data-2.json")
    third = make(here / "c" / "data.db")
    before = contents(here)
    assert call("scan", str(one), str(two), "--output", "b/data-2.json")[0] == 2
    code, said = call("scan", str(one), str(third), str(two), "--format", "json", "--output", "b/")
    assert code == 2 and "data-2.json" in said  # the second of two that are called data
    assert contents(here) == before


def test_what_else_a_run_reads_stays_as_well(here: Path) -> None:
    make(here / "data.db")
    Path(".env").write_text("A=b\n")
    Path("rule.sql").write_text("SELECT * FROM t WHERE x > 5")
    Path("config.yaml").write_text(
        "watchdog: 1\nsources: {data: {path: data.db, checks: [{query: {file: rule.sql}}], task: own}}\n"
    )
    Path("tasks/own").mkdir(parents=True)
    Path("tasks/own/task.yaml").write_text("name: own\ndescription: ours\n")
    assert call("scan", "--write-baseline", "known.json", "--output", "first.txt")[0] == 0
    before = contents(here)
    for name in (".env", "config.yaml", "rule.sql", "known.json", "tasks/own/task.yaml"):
        code, said = call("scan", "--baseline", "known.json", "--output", name)
        assert code == 2 and name in said
    assert contents(here) == before
    assert call("scan", "--baseline", "known.json", "--write-baseline", "known.json", "--output", "second.txt")[0] == 0


def test_a_report_that_nobody_named_a_place_for_is_not_written_over_a_source(here: Path) -> None:
    make(here / "report.md"), make(here / "d" / "report.md")
    before = contents(here)
    assert call("scan", "report.md", "--llm")[0] == 2
    assert call("scan", "d/report.md", "--llm", "--output", "d/found.txt")[0] == 2
    assert call("scan", "d/report.md", "--llm", "--output", "d/")[0] == 2
    assert contents(here) == before


def test_two_outputs_of_one_run_are_two_files(here: Path) -> None:
    make(here / "data.db")
    for flags in (
        ["--output", "a.csv", "--rows", "./a.csv"], ["--rows", "a.csv", "--write-baseline", "a.csv"],
        ["--output", "./", "--format", "json", "--write-baseline", "data.json"],
    ):  # fmt: skip
        code, said = call("scan", "data.db", *flags)
        assert code == 2 and "goes there" in said
    assert [p.name for p in here.iterdir()] == ["data.db"]
    assert call("scan", "data.db", "--output", "/dev/null", "--write-baseline", "/dev/null")[0] == 0


def test_a_database_nobody_named_is_not_replaced_either(here: Path) -> None:
    make(here / "data.db")
    precious = make(here / "precious.db").read_bytes()
    for flag in ("--output", "--write-baseline"):
        assert call("scan", "data.db", flag, "precious.db")[0] == 2
    assert Path("precious.db").read_bytes() == precious


def test_a_report_is_not_written_over_the_findings_or_their_source(here: Path) -> None:
    make(here / "data.db")
    assert call("scan", "data.db", "--format", "json", "--output", "found.json")[0] == 0
    before = contents(here)
    for target in ("found.json", "./found.json", "data.db", f"{here}/data.db-wal"):
        assert call("report", "found.json", "--output", target)[0] == 2
    assert contents(here) == before


def test_stdout_that_goes_into_the_source_is_refused(here: Path, root: Path) -> None:
    import subprocess

    path = make(here / "data.db")
    before = path.read_bytes()
    with path.open("ab") as out:
        command = [sys.executable, "-m", "watchdog.cli.app", "scan", str(path)]
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, cwd=root, check=False)
    assert done.returncode == 2 and b"stdout" in done.stderr
    assert path.read_bytes() == before


def test_a_file_with_a_strange_name_may_have_neighbours(here: Path) -> None:
    make(here / "a b.db")
    assert call("scan", "a b.db", "--output", "a%20b.db")[0] == 0
    assert call("scan", "a b.db", "--output", "b.db")[0] == 0


def test_each_place_that_a_url_may_mean_is_known() -> None:
    def places(text: str) -> set[str]:
        return {str(path) for path in places_named(text)}

    assert {"a.db", "/a.db"} <= places("sqlite:///a.db")
    assert "/tmp/a b.db" in places("sqlite:////tmp/a%20b.db?timeout=5")
    assert "/tmp/a.db" in places("SQLITE+pysqlite:////tmp/a.db")
    assert "/tmp/a b.db" in places("sqlite:///file:/tmp/a%20b.db?mode=ro&uri=true")
    assert "/tmp/a.db" in places("file://localhost/tmp/a.db")
    assert places("a%20b.db") == {"a%20b.db"}
    assert all("\0" not in place for place in places("file:a.db%00b"))


def test_the_guard_of_a_config_holds_for_a_source_that_is_gone(here: Path) -> None:
    from watchdog.config.values import SourceConfig

    gone = SourceConfig(name="gone", line=None, url="sqlite:///gone.db")
    for source in (gone, replace(gone, url=None, path=here / "gone.db")):
        with pytest.raises(UsageError):
            guard_of([source]).refuse("gone.db-journal")
        guard_of([source]).refuse("other.db")


