"""Baselines as CI uses them: accepted rows stay accepted, new ones fail, mended ones are told."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

RULES = """watchdog: 1
sources:
  shop:
    path: shop.db
    infer: false
    tables:
      orders: {columns: {email: [not_null], total: [{accepted_range: {max: 100, severity: high}}]}}
"""


class Shop:
    """A folder with a database and a config; `scan` gives exit code, stdout and stderr."""

    def __init__(self, folder: Path, call: Callable[..., Any]) -> None:
        self.folder, self.scan = folder, lambda *flags: call("scan", "shop", *flags)
        self.sql(
            "CREATE TABLE orders(id INTEGER PRIMARY KEY, email TEXT, total)",
            *(f"INSERT INTO orders VALUES ({n}, {'NULL' if n <= 3 else repr('a@x.org')}, {n})" for n in range(1, 11)),
        )
        self.rules(RULES)

    def rules(self, text: str) -> None:
        (self.folder / "config.yaml").write_text(text, encoding="utf-8")

    def sql(self, *statements: str) -> None:
        base = sqlite3.connect(self.folder / "shop.db")
        for statement in statements:
            base.execute(statement)
        base.commit()
        base.close()

    def findings(self, *flags: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.scan("--format", "json", *flags).out)["findings"]
        return found

    def known(self, name: str = "known.json") -> dict[str, Any]:
        entries = json.loads((self.folder / name).read_text())["findings"].values()
        return {entry["id"]: entry for entry in entries}


@pytest.fixture
def shop(watchdog: Callable[..., Any], tmp_path: Path) -> Shop:
    return Shop(tmp_path / "cwd", watchdog)


def test_one_row_mended_and_another_broken_is_a_new_row(shop: Shop) -> None:
    assert shop.scan("--write-baseline", "known.json").code == 1
    assert shop.known()["orders.email.not_null"]["keys"] == [1, 2, 3]
    assert shop.scan("--baseline", "known.json").code == 0
    shop.sql("UPDATE orders SET email = 'b@x.org' WHERE id = 1", "UPDATE orders SET email = NULL WHERE id = 9")
    called = shop.scan("--baseline", "known.json")
    assert called.code == 1
    assert "3 of 10 values of orders.email are NULL; 1 of 3 rows is not in the baseline: id=9\n" in called.out
    assert "1 accepted row is mended (orders.email.not_null): write the baseline anew" in called.out
    (finding,) = shop.findings("--baseline", "known.json")
    assert (finding["not_in_baseline"], [s["key"] for s in finding["samples"]]) == (1, [{"id": 9}])
    assert "accepted" not in finding


def test_accepted_findings_are_one_line_of_text_and_stay_in_the_json(shop: Shop) -> None:
    shop.sql("UPDATE orders SET total = 500 WHERE id > 8")
    shop.scan("--write-baseline", "known.json")
    called = shop.scan("--baseline", "known.json")
    assert called.code == 0 and "2 findings accepted by known.json\n" in called.out
    assert "orders.email" not in called.out and "orders.total" not in called.out
    assert [(f["accepted"], f["accepted_by"]) for f in shop.findings("--baseline", "known.json")] == [(True, "known.json")] * 2


def test_what_is_mended_altogether_is_told_and_what_was_not_looked_at_is_not(shop: Shop) -> None:
    shop.scan("--write-baseline", "known.json")
    shop.sql("UPDATE orders SET email = 'b@x.org'")
    assert "3 accepted rows are mended" in shop.scan("--baseline", "known.json").out
    assert "mended" not in shop.scan("--baseline", "known.json", "--select", "orders.total").out


def test_both_flags_keep_what_is_still_true_and_accept_nothing_new(shop: Shop) -> None:
    shop.scan("--write-baseline", "known.json")
    shop.sql("UPDATE orders SET email = 'b@x.org' WHERE id = 1", "UPDATE orders SET email = NULL, total = 500 WHERE id = 9")
    shop.scan("--baseline", "known.json", "--write-baseline", "known.json")
    assert list(shop.known()) == ["orders.email.not_null"]
    assert shop.known()["orders.email.not_null"]["keys"] == [2, 3]
    before = (shop.folder / "known.json").read_bytes()
    shop.scan("--baseline", "known.json", "--write-baseline", "known.json", "--select", "orders.total")
    assert (shop.folder / "known.json").read_bytes() == before, "what was not looked at stays"


def test_text_and_personal_keys_are_hashed_and_salted_by_the_finding(shop: Shop) -> None:
    shop.sql("CREATE TABLE people(phone INTEGER PRIMARY KEY, name, city)", "INSERT INTO people VALUES (4917012, NULL, NULL)")
    shop.sql("CREATE TABLE codes(code TEXT PRIMARY KEY, name) WITHOUT ROWID", "INSERT INTO codes VALUES ('zq-canary', NULL)")
    tables = "people: {columns: {name: [not_null], city: [not_null]}}\n      codes: {columns: {name: [not_null]}}"
    shop.rules(RULES.replace("orders: {columns", f"{tables}\n      orders: {{columns"))
    shop.scan("--write-baseline", "known.json")
    text = (shop.folder / "known.json").read_text()
    assert "4917012" not in text and "canary" not in text
    known = shop.known()
    assert known["people.name.not_null"]["keys"] != known["people.city.not_null"]["keys"]
    assert shop.scan("--baseline", "known.json").code == 0


def test_duplicates_orphans_and_queries_are_known_by_their_rows(shop: Shop) -> None:
    shop.sql("CREATE TABLE lines(id INTEGER PRIMARY KEY, shop INT, ord INT)")
    shop.sql("INSERT INTO lines VALUES (1, 7, 1), (2, 7, 2), (3, 8, 99), (4, 9, 3)")
    shop.rules(
        "watchdog: 1\nsources:\n  shop:\n    path: shop.db\n    infer: false\n    tables:\n      lines:\n        columns:\n"
        "          shop: [unique]\n          ord: [{relationships: {to: orders, field: id}}]\n"
        "    checks:\n      - query: {sql: SELECT shop FROM lines WHERE shop > 8}\n"
    )
    shop.scan("--write-baseline", "known.json")
    rows = {id: entry["keys"] for id, entry in shop.known().items()}
    assert (rows.pop("lines.shop.unique"), rows.pop("lines.ord.relationships")) == ([1, 2], [3])
    assert [len(keys[0]) for keys in rows.values()] == [16], "a row of a query is known by a hash of what it shows"
    assert shop.scan("--baseline", "known.json").code == 0
    shop.sql("UPDATE lines SET shop = 10, ord = 98 WHERE id = 4", "UPDATE lines SET ord = 1 WHERE id = 3")
    shop.sql("UPDATE lines SET shop = 8 WHERE id = 2", "UPDATE lines SET shop = 7 WHERE id = 5")
    open_ = {f["check"]: f["not_in_baseline"] for f in shop.findings("--baseline", "known.json")}
    assert open_ == {"relationships": 1, "query": 1, "unique": 1}


def test_above_the_bound_the_count_decides_and_the_baseline_says_so(shop: Shop) -> None:
    shop.sql("WITH RECURSIVE n(i) AS (SELECT 11 UNION ALL SELECT i + 1 FROM n LIMIT 1200) "
             "INSERT INTO orders SELECT i, NULL, 1 FROM n")  # fmt: skip
    shop.scan("--write-baseline", "known.json")
    entry = shop.known()["orders.email.not_null"]
    assert (entry["count"], entry["keys"]) == (1203, None) and "the count decides" in entry["note"]
    assert shop.scan("--baseline", "known.json").code == 0
    shop.sql("UPDATE orders SET email = NULL WHERE id = 9")
    assert shop.scan("--baseline", "known.json").code == 1


def test_a_baseline_with_keys_is_compared_row_by_row_however_many_there_are_today(shop: Shop) -> None:
    shop.scan("--write-baseline", "known.json")
    shop.sql("WITH RECURSIVE n(i) AS (SELECT 11 UNION ALL SELECT i + 1 FROM n LIMIT 1200) "
             "INSERT INTO orders SELECT i, NULL, 1 FROM n")  # fmt: skip
    (finding,) = shop.findings("--baseline", "known.json")
    assert finding["not_in_baseline"] == 1200
    assert "id=11; id=12; id=13; id=14; id=15 and 1,195 more" in finding["description"]
    (quiet,) = shop.findings("--baseline", "known.json", "--samples", "0")
    assert quiet["samples"] == [] and "id=" not in quiet["description"]
    shop.scan("--baseline", "known.json", "--write-baseline", "again.json")
    assert (shop.folder / "again.json").read_bytes() == (shop.folder / "known.json").read_bytes()


def test_a_baseline_of_version_1_is_read_by_count_with_a_note_and_is_written_anew_by_row(shop: Shop) -> None:
    shop.scan("--write-baseline", "known.json")
    now = json.loads((shop.folder / "known.json").read_text())["findings"]
    old = {fingerprint: {"count": entry["count"], "id": entry["id"]} for fingerprint, entry in now.items()}
    (shop.folder / "old.json").write_text(json.dumps({"format": 1, "findings": old}))
    called = shop.scan("--baseline", "old.json")
    assert called.code == 0 and "old.json is a baseline of version 1: it accepts by count alone" in called.out
    shop.scan("--baseline", "old.json", "--write-baseline", "new.json")
    assert (shop.folder / "new.json").read_bytes() == (shop.folder / "known.json").read_bytes()


def test_a_baseline_is_the_same_bytes_for_the_same_state_with_a_key_a_line(shop: Shop) -> None:
    shop.scan("--write-baseline", "one.json", "--jobs", "1")
    shop.scan("--write-baseline", "two.json", "--jobs", "2")
    text = (shop.folder / "one.json").read_text()
    assert text == (shop.folder / "two.json").read_text()
    assert '"orders.email.not_null", "count": 3, "keys": [\n 1,\n 2,\n 3\n]}\n}}\n' in text


def test_rows_whose_key_is_null_are_told_apart(shop: Shop) -> None:
    shop.sql("CREATE TABLE odd(code TEXT PRIMARY KEY, name)", "INSERT INTO odd VALUES (NULL, NULL), (NULL, 'x')")
    shop.rules(RULES.replace("orders: {columns", "odd: {columns: {name: [not_null]}}\n      orders: {columns"))
    shop.scan("--write-baseline", "known.json")
    shop.sql("UPDATE odd SET name = CASE WHEN name IS NULL THEN 'x' END")
    open_ = [f["id"] for f in shop.findings("--baseline", "known.json") if "accepted" not in f]
    assert open_ == ["odd.name.not_null"]


@pytest.mark.parametrize("text", ["", "{}", "\x00", '{"watchdog_baseline": 9, "findings": {}}', "[" * 100_000])
def test_what_is_no_baseline_is_one_message_and_exit_2(shop: Shop, text: str) -> None:
    (shop.folder / "bad.json").write_text(text)
    called = shop.scan("--baseline", "bad.json")
    assert called.code == 2 and called.says_one_thing and "bad.json" in called.err


def test_a_baseline_that_is_far_too_large_is_refused(shop: Shop) -> None:
    with (shop.folder / "big.json").open("wb") as file:
        file.truncate(64_000_001)  # a hole: takes no room on the disk
    called = shop.scan("--baseline", "big.json")
    assert called.code == 2 and called.says_one_thing and "larger than 64 MB" in called.err
