"""The demo databases hold the faults that are listed, and nothing is written over."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from watchdog import demo
from watchdog.errors import OutputError

BLANK = "trim({0}, char(9, 10, 11, 12, 13, 32, 160, 12288))"
NAME = BLANK.format("name")
TWICE = "{1} IN (SELECT {1} FROM {0} GROUP BY 1 HAVING count(*) > 1)"
# each fault counted once more, by a statement that was written without a look at the maker or the checks
BY_HAND = {
    "shop.customers.email.not_null": "SELECT count(*) FROM customers WHERE email IS NULL",
    "shop.customers.email.unique": "SELECT count(*) FROM customers WHERE " + TWICE.format("customers", "email"),
    "shop.customers.country.missing": "SELECT count(*) FROM customers WHERE trim(country) IN ('', 'N/A')",
    "shop.customers.birth_year.type": "SELECT count(*) FROM customers WHERE typeof(birth_year) <> 'integer'",
    "shop.products.name.encoding": "",  # SQL cannot tell; see below
    "shop.orders.customer_id.relationships": (
        "SELECT count(*) FROM orders LEFT JOIN customers c ON c.id = customer_id WHERE c.id IS NULL"
    ),
    "shop.orders.shop_id+order_no.unique_combination_of_columns": (
        "SELECT sum(n) FROM (SELECT count(*) AS n FROM orders GROUP BY shop_id, order_no HAVING n > 1)"
    ),
    "shop.orders.order_date.valid": "SELECT count(*) FROM orders WHERE date(order_date, '+0 days') IS NOT order_date",
    "shop.orders.order_date.not_future": "SELECT count(*) FROM orders WHERE order_date > '2026-01-01'",
    "shop.orders.status.accepted_values": "SELECT count(*) FROM orders WHERE status NOT IN ('open', 'paid', 'sent')",
    "shop.orders.amount.type": "SELECT count(*) FROM orders WHERE typeof(amount) = 'text'",
    "shop.orders.email.not_null": "SELECT count(*) FROM orders WHERE email IS NULL",
    "shop.orders.email.matches": "SELECT count(*) FROM orders WHERE email NOT LIKE '_%@_%' OR email LIKE '%@%@%'",
    "shop.order_items.product_id.relationships": (
        "SELECT count(*) FROM order_items WHERE product_id NOT IN (SELECT id FROM products)"
    ),
    "contacts.contacts.wechat_id.duplicate_wechat_id": (
        "SELECT count(*) FROM contacts WHERE " + TWICE.format("contacts", "wechat_id")
    ),
    "contacts.contacts.wechat_id_clean.duplicate_wechat_id_clean": (
        "SELECT count(*) FROM contacts WHERE wechat_id_clean <> '' AND " + TWICE.format("contacts", "wechat_id_clean")
    ),
    "contacts.contacts.wechat_id_clean.wechat_id_clean_missing": (
        "SELECT count(*) FROM contacts WHERE wechat_id <> '' AND ifnull(wechat_id_clean, '') = ''"
    ),
    "contacts.contacts.name.name_not_renamed": (
        f"SELECT count(*) FROM contacts WHERE name IS NULL OR {NAME} = '' OR name = wechat_id"
        " OR name GLOB 'wxid_*' OR name LIKE '%@%'"
    ),
    "contacts.contacts.id.chat_no_record": (
        "SELECT count(*) FROM (SELECT contact_id FROM chat_messages JOIN contacts c ON c.id = contact_id"
        " EXCEPT SELECT contact_id FROM contact_records)"
    ),
    "contacts.chat_messages.contact_id.chat_contact_id_null": (
        "SELECT count(*) FROM chat_messages WHERE contact_id IS NULL"
    ),
    "contacts.chat_messages.contact_id.chat_orphan_fk": (
        "SELECT count(*) FROM chat_messages WHERE contact_id NOT IN (SELECT id FROM contacts)"
    ),
    "contacts.chat_messages.content.empty_chat_content": (
        f"SELECT count(*) FROM chat_messages WHERE content IS NULL OR {BLANK.format('content')} = ''"
    ),
    "contacts.contact_records.contact_id.record_orphan_fk": (
        "SELECT count(*) FROM contact_records LEFT JOIN contacts c ON c.id = contact_id WHERE c.id IS NULL"
    ),
    "contacts.contact_records.contact_date.contact_date_future": (
        "SELECT count(*) FROM contact_records WHERE contact_date > '2026-01-01'"
    ),
    "contacts.contact_records.contact_date.contact_date_implausible": (
        "SELECT count(*) FROM contact_records WHERE contact_date < '2000'"
    ),
    "contacts.contact_records.contact_date.contact_date_tz_mismatch_candidate": (
        "SELECT count(*) FROM (SELECT max(r.contact_date BETWEEN date(sent_at, '+8 hours', '-1 day')"
        " AND date(sent_at, '+8 hours', '+1 day')) AS near FROM contact_records r JOIN chat_messages m"
        " ON m.contact_id = r.contact_id GROUP BY r.id) WHERE NOT near"
    ),
    "contacts.contact_records.content.empty_record_content": (
        f"SELECT count(*) FROM contact_records WHERE content IS NULL OR {BLANK.format('content')} = ''"
    ),
}
PLACES = {".".join(place): place for place in demo.FAULTS}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("demo")
    demo.make(made)
    return made


def dump(path: Path) -> list[str]:
    base = sqlite3.connect(path)
    base.text_factory = lambda raw: raw.decode("utf-8", "backslashreplace")
    try:
        return list(base.iterdump())
    finally:
        base.close()


def test_every_listed_fault_has_a_statement_by_hand() -> None:
    assert set(BY_HAND) == set(PLACES)


@pytest.mark.parametrize("fault", [name for name, statement in BY_HAND.items() if statement])
def test_the_files_hold_exactly_the_listed_faults(folder: Path, fault: str) -> None:
    place = PLACES[fault]
    base = sqlite3.connect(folder / f"{place[0]}.db")
    (count,) = base.execute(BY_HAND[fault]).fetchone()
    base.close()
    assert count == demo.FAULTS[place]


def test_one_product_is_called_by_bytes_that_are_no_utf_8(folder: Path) -> None:
    base = sqlite3.connect(folder / "shop.db")
    base.text_factory = bytes
    names = [name for (name,) in base.execute("SELECT name FROM products WHERE typeof(name) = 'text'")]
    base.close()
    broken = [name for name in names if b"\xef\xbf\xbd" in name.decode("utf-8", "replace").encode()]
    assert len(names) == 60
    assert len(broken) == demo.FAULTS["shop", "products", "name", "encoding"]


def test_two_makes_give_the_same_rows_and_leave_nothing_beside(folder: Path, tmp_path: Path) -> None:
    paths = demo.make(tmp_path / "again")
    assert [dump(p) for p in paths] == [dump(folder / p.name) for p in paths]
    assert sorted(os.listdir(tmp_path / "again")) == ["contacts.db", "shop.db"]


def test_an_older_demo_is_made_again_whole(tmp_path: Path) -> None:
    shop, _ = demo.make(tmp_path)
    fresh = dump(shop)
    base = sqlite3.connect(shop)
    base.execute("DELETE FROM orders")
    base.commit()
    base.close()
    demo.make(tmp_path)
    assert dump(shop) == fresh


def test_a_file_of_somebody_else_stays_and_nothing_is_made(tmp_path: Path) -> None:
    theirs = tmp_path / "contacts.db"
    base = sqlite3.connect(theirs)
    base.execute("CREATE TABLE mine(a)")
    base.close()
    before = theirs.read_bytes()
    with pytest.raises(OutputError, match=r"contacts\.db is not a demo database"):
        demo.make(tmp_path)
    assert theirs.read_bytes() == before
    assert os.listdir(tmp_path) == ["contacts.db"]


def test_a_demo_database_that_is_in_use_is_not_replaced(tmp_path: Path) -> None:
    shop, _ = demo.make(tmp_path)
    base = sqlite3.connect(shop)
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("DELETE FROM orders")
    base.commit()
    try:
        with pytest.raises(OutputError, match=r"shop\.db is in use"):
            demo.make(tmp_path)
    finally:
        base.close()


def run(root: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def test_the_command_prints_every_fault_with_its_rows(root: Path, tmp_path: Path) -> None:
    done = run(root, "-m", "watchdog.demo", tmp_path / "new" / "demo")
    assert (done.returncode, done.stderr) == (0, "")
    told = {tuple(line.split()) for line in done.stdout.splitlines()[1:]}
    assert told == {(f"{t}.{column}", check, str(n)) for (_, t, column, check), n in demo.FAULTS.items()}


def test_a_wrong_call_is_one_message_and_exit_2(root: Path) -> None:
    done = run(root, "-m", "watchdog.demo")
    assert done.returncode == 2
    assert done.stderr.startswith("watchdog: name the folder")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["shop", "contacts"])
def test_a_scan_by_the_repositorys_own_config_finds_the_listed_faults(root: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "config.yaml").write_text((root / "config.yaml").read_text())
    demo.make(tmp_path / "demo")
    code = "from watchdog.cli.app import main; main()"
    command = [sys.executable, "-c", code, "scan", name, "--format", "json", "--fail-on", "never"]
    path = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stderr
    findings = json.loads(done.stdout)["findings"]
    found = {(name, f["table"], "+".join(f["columns"]), f["name"]): f["count"] for f in findings}
    expected = {place: count for place, count in demo.FAULTS.items() if place[0] == name}
    assert {place: found.get(place) for place in expected} == expected
