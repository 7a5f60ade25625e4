"""`watchdog scan` as people and schedulers use it: outputs, exit codes, baselines, selections."""

from __future__ import annotations

import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import jsonschema

from watchdog.codec import findings_schema

RULES = """
tables:
  orders:
    columns:
      email: [not_null]
      total: [{accepted_range: {min: 0, severity: low}}]
"""


def checked(text: str) -> dict:  # type: ignore[type-arg]
    found = json.loads(text)
    for one in found if isinstance(found, list) else [found]:
        jsonschema.validate(one, findings_schema())
    return found  # type: ignore[no-any-return]


def test_a_file_without_any_configuration_gives_true_findings(watchdog: Callable, shop: Path) -> None:
    called = watchdog("scan", shop, "--format", "json")
    found = checked(called.out)
    orphan = next(f for f in found["findings"] if f["check"] == "relationships")
    assert (orphan["count"], orphan["rows"], orphan["severity"]) == (1, 3, "high")
    assert orphan["samples"][0]["key"] == {"id": 3}
    assert called.code == 1
    assert list(Path.cwd().iterdir()) == []  # nothing was written


def test_a_declared_rule_decides_the_exit_code(watchdog: Callable, config: Callable) -> None:
    config(RULES)
    assert watchdog("scan", "shop").code == 1
    assert watchdog("scan", "shop", "--fail-on", "never").code == 0
    config(RULES.replace("not_null", "{not_null: {severity: medium}}"))
    assert watchdog("scan").code == 0
    assert watchdog("scan", "--fail-on", "medium").code == 1


def test_a_configured_source_leaves_its_results_under_reports(watchdog: Callable, config: Callable) -> None:
    config(RULES)
    watchdog("scan", "shop", "--format", "json")
    folder = Path("reports/shop")
    latest = json.loads((folder / "latest.json").read_text())
    assert (folder / f"{latest['run']['id']}.json").read_bytes() == (folder / "latest.json").read_bytes()
    assert "orders.email" in (folder / "latest.md").read_text()
    assert checked((folder / "latest.json").read_text())["summary"]["checks_failed"] == 1


def test_each_format_goes_to_a_file_or_a_folder(watchdog: Callable, config: Callable, tmp_path: Path) -> None:
    config(RULES)
    for name in ("text", "json", "markdown", "junit", "github"):
        called = watchdog("scan", "shop", "--format", name, "--output", tmp_path / "out" / f"one.{name}")
        assert (called.out, called.code) == ("", 1)
        assert "orders" in (tmp_path / "out" / f"one.{name}").read_text()
    watchdog("scan", "shop", "--format", "json", "--output", f"{tmp_path}/folder/")
    assert [p.name for p in (tmp_path / "folder").iterdir()] == ["shop.json"]


def test_a_baseline_keeps_known_findings_from_failing_and_only_while_they_do_not_grow(
    watchdog: Callable, config: Callable, shop: Path
) -> None:
    from tests.cli.conftest import table

    config(RULES)
    assert watchdog("scan", "shop", "--write-baseline", "known.json").code == 1
    known = watchdog("scan", "shop", "--baseline", "known.json", "--format", "json")
    assert known.code == 0
    assert checked(known.out)["findings"][0]["accepted"]
    table(shop, "INSERT INTO orders VALUES (4, 1, NULL, 1.0)")
    assert watchdog("scan", "shop", "--baseline", "known.json").code == 1


def test_select_and_exclude_take_tables_places_ids_and_tags(watchdog: Callable, config: Callable) -> None:
    config(RULES.replace("{min: 0, severity: low}", "{min: 0, tags: [money]}"))

    def ids(*flags: str) -> list[str]:
        return [r["id"] for r in json.loads(watchdog("scan", "shop", "--format", "json", *flags).out)["results"]]

    both = ["orders.email.not_null", "orders.total.accepted_range"]
    assert ids() == both == ids("--select", "orders") == ids("--select", "ord*")
    assert ids("--select", "orders.email") == ids("--select", "*.not_null") == both[:1]
    assert ids("--select", "tag:money") == ids("--exclude", "orders.email*") == both[1:]
    assert ids("--exclude", "tag:money") == both[:1]


def test_samples_obey_their_number_and_mode(watchdog: Callable, config: Callable) -> None:
    config("tables: {orders: {columns: {total: [{accepted_range: {min: 100}}]}}}")

    def samples(*flags: str) -> list:  # type: ignore[type-arg]
        return json.loads(watchdog("scan", "shop", "--format", "json", *flags).out)["findings"][0]["samples"]  # type: ignore[no-any-return]

    assert samples("--samples", "0") == []
    assert [s["key"] for s in samples("--samples", "2")] == [{"id": 1}, {"id": 2}]
    assert [s["value"] for s in samples("--sample-values", "full")] == [5.0, 7.5, 1.0]
    assert "7.5" not in json.dumps(samples())


def test_rows_streams_every_failing_row_as_csv_and_jsonl(watchdog: Callable, config: Callable) -> None:
    config("tables: {orders: {columns: {total: [{accepted_range: {min: 6}}]}}}")
    watchdog("scan", "shop", "--samples", "0", "--rows", "bad.csv", "--sample-values", "full")
    with open("bad.csv", newline="") as file:
        assert list(csv.reader(file)) == [
            ["finding", "table", "rowid", "key", "column", "value"],
            ["orders.total.accepted_range", "orders", "1", "1", "total", "5.0"],
            ["orders.total.accepted_range", "orders", "3", "3", "total", "1.0"],
        ]
    watchdog("scan", "shop", "--rows", "bad.jsonl")
    assert [json.loads(line)["key"] for line in Path("bad.jsonl").read_text().splitlines()] == [1, 3]


def test_as_applies_the_rules_of_a_source_to_another_file(watchdog: Callable, config: Callable, shop: Path) -> None:
    config(RULES)
    copy = shop.parent / "copy.db"
    copy.write_bytes(shop.read_bytes())
    found = checked(watchdog("scan", copy, "--as", "shop", "--format", "json").out)
    assert [f["id"] for f in found["findings"]] == ["orders.email.not_null"]
    assert not Path("reports").exists()


def test_now_moves_the_judgement_and_not_the_counts(watchdog: Callable, config: Callable) -> None:
    config("tables: {orders: {checks: [{expression_is_true: {expression: \":now < '2026-01-01'\"}}]}}")
    assert watchdog("scan", "shop", "--now", "2025-12-31").code == 0
    assert watchdog("scan", "shop", "--now", "2026-01-01T00:00:00Z").code == 1


def test_several_sources_give_one_array_and_the_worst_code(
    watchdog: Callable, config: Callable, tmp_path: Path
) -> None:
    path = config(RULES)
    path.write_text(path.read_text() + f"  gone:\n    path: {tmp_path}/gone.db\n")
    called = watchdog("scan", "--format", "json")
    assert called.code == 3
    assert "gone.db" in called.err
    assert checked(called.out)["source"]["name"] == "shop" if isinstance(json.loads(called.out), dict) else True


def test_two_scans_are_byte_identical_apart_from_the_run(watchdog: Callable, shop: Path) -> None:
    one, two = (json.loads(watchdog("scan", shop, "--format", "json", "--jobs", jobs).out) for jobs in ("1", "3"))
    one.pop("run"), two.pop("run")
    assert json.dumps(one) == json.dumps(two)


def test_help_checks_and_explain_work_from_the_start(watchdog: Callable) -> None:
    assert "scan" in watchdog("--help").out
    listed = watchdog("checks").out
    assert "not_null" in listed and "unique" in listed
    assert "Fires" in watchdog("explain", "not_null").out
    assert watchdog("explain", "not_nul").code == 2
    assert watchdog("doctor").code == 0


def test_ctrl_c_ends_a_scan_at_once_with_130(shop: Path, root: Path) -> None:
    base = sqlite3.connect(shop)
    base.execute(
        "CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS x FROM n"
    )
    base.close()
    command = [sys.executable, "-m", "watchdog.cli.app", "scan", str(shop), "--select", "v", "--quiet"]
    scanning = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with scanning:
        time.sleep(3)  # it is in the endless view by then
        os.kill(scanning.pid, signal.SIGINT)
        out, err = scanning.communicate(timeout=60)
    assert (scanning.returncode, out, err) == (130, "", "")


def test_a_pattern_that_never_ends_heeds_the_time_limit_and_ctrl_c(shop: Path, root: Path, tmp_path: Path) -> None:
    base = sqlite3.connect(shop)
    base.execute("UPDATE orders SET email = ? WHERE id = 1", ("a" * 40 + "!",))
    base.commit()
    base.close()
    config = tmp_path / "wild.yaml"
    rule = '{matches: {regex: "^(a+)+$"}}'
    config.write_text(
        f"watchdog: 1\nsources: {{shop: {{path: {shop}, tables: {{orders: {{columns: {{email: [{rule}]}}}}}}}}}}\n"
    )
    command = [sys.executable, "-m", "watchdog.cli.app", "scan", "shop", "--config", str(config), "--quiet"]
    limited = subprocess.run([*command, "--timeout", "1"], cwd=root, capture_output=True, text=True, check=False)
    assert limited.returncode == 3
    assert "time limit" in limited.stderr + limited.stdout and "Traceback" not in limited.stderr
    endless = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with endless:
        time.sleep(3)
        os.kill(endless.pid, signal.SIGINT)
        endless.communicate(timeout=60)
    assert endless.returncode == 130
