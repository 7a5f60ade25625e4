"""reports/: what stands as the latest, what is kept for how long, and what a killed run leaves behind."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from watchdog.pipeline import Options, run_once
from watchdog.writing import Guard, sweep, whole, write_text

RULES = "tables: {orders: {columns: {email: [not_null]}}}"
PART = re.compile(r"\..+\.part")


def runs(folder: Path) -> list[str]:
    return sorted(p.name.removesuffix(".json") for p in folder.glob("2*Z-*.json"))


def parts(folder: Path) -> list[str]:
    return [p.name for p in folder.iterdir() if PART.fullmatch(p.name)]


# ---------------------------------------------------------------- partial runs


@pytest.mark.parametrize(
    "flags", [["--select", "orders.total"], ["--exclude", "orders"], ["--no-infer"], ["--task", "crm-qa"]], ids=lambda f: f[0]
)
def test_a_partial_run_never_stands_as_the_latest_whole_one(watchdog: Callable, config: Callable, flags: list[str]) -> None:
    path = config(RULES)
    path.write_text(path.read_text().replace("infer: false", "infer: true"))
    watchdog("scan")
    folder = Path("reports/shop")
    latest = {name: (folder / name).read_bytes() for name in ("latest.json", "latest.md")}
    called = watchdog("scan", *flags)
    assert len(runs(folder)) == 2, called.err
    assert {name: (folder / name).read_bytes() for name in latest} == latest
    own = next(run for run in runs(folder) if run.encode() not in latest["latest.json"])
    assert f"partial run ({flags[0]})" in called.err and own in called.err
    assert "partial" not in watchdog("scan", *flags, "--quiet").err
    watchdog("scan", "--now", "2030-01-01", "--samples", "1")  # the same checks, shown otherwise: a whole run
    assert (folder / "latest.json").read_bytes() != latest["latest.json"]


def test_flags_that_leave_nothing_out_make_no_partial_run(watchdog: Callable, config: Callable) -> None:
    config(RULES)  # `infer: false`
    called = watchdog("scan", "--no-infer", "--task", "data-quality")
    assert "partial" not in called.err and Path("reports/shop/latest.json").exists()


def test_a_first_run_that_is_partial_leaves_no_latest(watchdog: Callable, config: Callable) -> None:
    path = config(RULES)
    run_once(path, "shop", Options(select=("orders.email",)))
    assert len(runs(Path("reports/shop"))) == 1 and not list(Path("reports/shop").glob("latest.*"))


# ---------------------------------------------------------------- how long results are kept


def test_the_newest_runs_of_each_source_are_kept_and_nothing_else_is_touched(
    watchdog: Callable, config: Callable, shop: Path
) -> None:
    path = config(RULES, head="defaults: {keep: 3, formats: [junit]}\n")
    path.write_text(path.read_text() + f"  other: {{path: {shop}, keep: 1}}\n")
    folder = Path("reports/shop")
    folder.mkdir(parents=True)
    old = [f"202501{day:02}T060000Z-00ff" for day in range(1, 6)]
    for run in old:
        for ending in (".json", ".md", ".junit.xml", ".report.md"):
            (folder / f"{run}{ending}").write_text("old")
    strangers = [f"{old[0]}.notes.md", f"x{old[0]}.json", "2025.json", "mine.md", "latest.txt", f"{old[0]}"]
    for name in strangers:
        (folder / name).write_text("mine")
    (folder / f"{old[1]}.txt").symlink_to(shop)
    watchdog("scan")
    kept = runs(folder)
    assert kept[:2] == old[-2:] and len(kept) == 3
    assert all((folder / name).exists() for name in strangers) and (folder / f"{old[1]}.txt").is_symlink()
    assert not [p for p in folder.iterdir() if p.name.startswith(old[0]) and p.name not in strangers]
    assert (folder / "latest.junit.xml").exists() and shop.exists()
    watchdog("scan")
    assert len(runs(folder)) == 3 and len(runs(Path("reports/other"))) == 1
    assert json.loads((folder / "latest.json").read_text())["run"]["id"] in runs(folder)


def test_partial_runs_make_room_for_each_other_and_for_no_whole_run(watchdog: Callable, config: Callable) -> None:
    config(RULES, head="defaults: {keep: 2, formats: [junit]}\n")
    folder = Path("reports/shop")
    for _ in range(2):
        watchdog("scan")
    whole_runs = {p.name: p.read_bytes() for p in folder.iterdir()}
    assert len(runs(folder)) == 2
    for _ in range(4):
        watchdog("scan", "--select", "orders.total")
    assert {name: (folder / name).read_bytes() for name in whole_runs} == whole_runs
    assert len([run for run in runs(folder) if run.endswith(".partial")]) == 2
    partial = {p.name for p in folder.iterdir()} - set(whole_runs)
    assert len(partial) == 6 and all(".partial." in name for name in partial)
    for _ in range(3):
        watchdog("scan")
    assert partial <= {p.name for p in folder.iterdir()} and len(runs(folder)) == 4


def test_the_run_that_latest_is_a_copy_of_stays_whatever_came_later(watchdog: Callable, config: Callable) -> None:
    config(RULES, head="defaults: {keep: 5}\n")
    folder = Path("reports/shop")
    folder.mkdir(parents=True)
    later = f"{datetime.now(UTC).year + 1}0101T000000Z-0000"  # the clock was wrong once
    (folder / f"{later}.json").write_text("{}")
    watchdog("scan")
    config(RULES, head="defaults: {keep: 1}\n")
    watchdog("scan", "--select", "orders.total")
    run_once("config.yaml", "shop", Options(select=("orders.total",)))
    assert json.loads((folder / "latest.json").read_text())["run"]["id"] in runs(folder)


def test_a_clock_that_went_back_costs_no_result(watchdog: Callable, config: Callable) -> None:
    config(RULES, head="defaults: {keep: 1}\n")
    folder = Path("reports/shop")
    folder.mkdir(parents=True)
    later = f"{datetime.now(UTC).year + 1}0101T000000Z-0000"
    (folder / f"{later}.json").write_text("{}")
    watchdog("scan")
    assert len(runs(folder)) == 1 and runs(folder) != [later]


def test_keep_is_a_number_of_at_least_one(watchdog: Callable, config: Callable) -> None:
    for word in ("0", "all", "-1", "1.5"):
        config(RULES, head=f"defaults: {{keep: {word}}}\n")
        assert watchdog("scan").code == 2


# ---------------------------------------------------------------- what a killed run leaves

HANGS = """
import sys, time
from pathlib import Path
from watchdog.writing import whole
with whole(Path(sys.argv[1])) as file:
    file.write("half")
    print("open", flush=True)
    time.sleep(60)
"""


def writer(root: Path, target: Path) -> subprocess.Popen[str]:
    running = subprocess.Popen([sys.executable, "-c", HANGS, str(target)], cwd=root, stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None and running.stdout.readline() == "open\n"
    return running


def test_what_a_killed_writer_left_is_removed_by_the_next_one_of_the_same_output(root: Path, tmp_path: Path) -> None:
    target, other = tmp_path / "out.json", tmp_path / "out.json.json"
    with writer(root, target) as dead, writer(root, other) as dead_too, writer(root, target) as alive:
        for one in (dead, dead_too):
            one.kill()
            one.wait()
        assert len(parts(tmp_path)) == 3 and not target.exists()
        write_text(target, "whole")
        assert len(parts(tmp_path)) == 2  # one in use, one of another output
        write_text(other, "whole")
        assert len(parts(tmp_path)) == 1
        alive.kill()
        alive.wait()
    write_text(target, "again")
    assert parts(tmp_path) == [] and target.read_text() == "again"


def test_a_killed_scan_leaves_nothing_once_it_was_run_again(watchdog: Callable, root: Path, tmp_path: Path, shop: Path) -> None:
    from tests.cli.conftest import table

    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000)"
    table(shop, "CREATE TABLE big(x INTEGER, y INTEGER)", f"INSERT INTO big(x) {numbers} SELECT i FROM n")
    config = tmp_path / "many.yaml"
    config.write_text(
        f"watchdog: 1\nsources: {{s: {{path: {shop}, infer: false, tables: {{big: {{columns: {{y: [not_null]}}}}}}}}}}\n"
    )
    command = [sys.executable, "-m", "watchdog.cli.app", "scan", str(shop), "--as", "s", "--config", str(config), "--rows"]
    target = Path.cwd() / "bad.csv"
    with subprocess.Popen([*command, str(target)], cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as scanning:
        until = time.monotonic() + 30
        while not parts(Path.cwd()) and scanning.poll() is None and time.monotonic() < until:
            time.sleep(0.005)
        os.kill(scanning.pid, signal.SIGKILL)
        scanning.wait()
    assert len(parts(Path.cwd())) == 1 and not target.exists()
    assert watchdog("scan", shop, "--as", "s", "--config", config, "--rows", "bad.csv").code == 1
    assert [p.name for p in Path.cwd().iterdir()] == ["bad.csv"]


def test_a_file_that_only_looks_like_a_part_stays(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    ours = f".out.json.123-{'0' * 16}.part"
    mine = [f"out.json.123-{'0' * 16}.part", f".out.json.123-{'0' * 15}.part", ".out.json.part", f"{ours}.bak"]
    for name in mine:
        (tmp_path / name).write_text("mine")
    (tmp_path / "precious").write_text("mine")
    os.symlink("precious", tmp_path / ours)
    os.link(tmp_path / "precious", tmp_path / ours.replace("123", "124"))
    kept = tmp_path / ours.replace("123", "125")
    kept.write_text("a source with an odd name")
    write_text(target, "x", Guard().keeping([kept]))
    left = {p.name for p in tmp_path.iterdir()}
    assert left == {*mine, "precious", ours, ours.replace("123", "124"), kept.name, "out.json"}
    sweep(tmp_path)
    assert not kept.exists()


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_and_ctrl_c_leave_what_was_there(tmp_path: Path, error: type[BaseException]) -> None:
    target = tmp_path / "out.json"
    write_text(target, "old")

    def fails() -> None:
        with whole(target) as file:
            file.write("new")
            raise error

    with pytest.raises(error):
        fails()
    assert target.read_text() == "old" and [p.name for p in tmp_path.iterdir()] == ["out.json"]


def test_a_name_as_long_as_names_get_can_be_written(tmp_path: Path) -> None:
    target = tmp_path / ("x" * 250 + ".json")
    write_text(target, "x")
    assert target.read_text() == "x"


def test_a_name_for_stdout_is_written_to_and_never_replaced(root: Path, tmp_path: Path) -> None:
    code = "from pathlib import Path; from watchdog.writing import write_text; write_text(Path('/dev/stdout'), 'text')"
    with (tmp_path / "out.txt").open("w") as out:
        subprocess.run([sys.executable, "-c", code], cwd=root, stdout=out, check=True)
    assert (tmp_path / "out.txt").read_text() == "text"
    assert Path("/dev/stdout").is_symlink()
    said = subprocess.run([sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE, check=True).stdout
    assert said == b"text"
