"""The maker of the demo databases: `python -m watchdog.demo DIR` writes shop.db and contacts.db.

Small worlds with known faults: `FAULTS` says how many rows have which fault where, and the files hold just these. The
rows are the same in every run and on every machine. Written whole or not at all, over its own older files only; a file
that somebody else made is left alone and said. Standard library only.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from watchdog.errors import OutputError, UsageError, WatchdogError
from watchdog.writing import NO_GUARD

Row = dict[str, Any]
T = TypeVar("T")

# (database, table, column, check) -> rows with the fault. Columns of one key are joined by '+'.
FAULTS: dict[tuple[str, str, str, str], int] = {
    ("shop", "customers", "email", "not_null"): 24,
    ("shop", "customers", "email", "unique"): 4,
    ("shop", "customers", "country", "missing"): 14,  # 9 times 'N/A', 5 blanks
    ("shop", "customers", "birth_year", "type"): 3,
    ("shop", "products", "name", "encoding"): 1,
    ("shop", "orders", "customer_id", "relationships"): 7,
    ("shop", "orders", "shop_id+order_no", "unique_combination_of_columns"): 6,
    ("shop", "orders", "order_date", "valid"): 3,
    ("shop", "orders", "order_date", "not_future"): 2,
    ("shop", "orders", "status", "accepted_values"): 5,
    ("shop", "orders", "amount", "type"): 4,
    ("shop", "orders", "email", "not_null"): 12,
    ("shop", "orders", "email", "matches"): 20,
    ("shop", "order_items", "product_id", "relationships"): 5,
    ("contacts", "contacts", "wechat_id", "duplicate_wechat_id"): 4,
    ("contacts", "contacts", "wechat_id_clean", "duplicate_wechat_id_clean"): 6,  # those 4, and 2 that differ in case
    ("contacts", "contacts", "wechat_id_clean", "wechat_id_clean_missing"): 3,
    ("contacts", "contacts", "name", "name_not_renamed"): 7,
    ("contacts", "contacts", "id", "chat_no_record"): 5,
    ("contacts", "chat_messages", "contact_id", "chat_contact_id_null"): 4,
    ("contacts", "chat_messages", "contact_id", "chat_orphan_fk"): 3,
    ("contacts", "chat_messages", "content", "empty_chat_content"): 4,
    ("contacts", "contact_records", "contact_id", "record_orphan_fk"): 3,  # one of them NULL
    ("contacts", "contact_records", "contact_date", "contact_date_future"): 2,
    ("contacts", "contact_records", "contact_date", "contact_date_implausible"): 2,
    ("contacts", "contact_records", "contact_date", "contact_date_tz_mismatch_candidate"): 3,
    ("contacts", "contact_records", "content", "empty_record_content"): 3,
}

SHOP = """
CREATE TABLE customers(
    id INTEGER PRIMARY KEY, email TEXT, name TEXT NOT NULL, country TEXT, signed_up TEXT, birth_year INTEGER);
CREATE TABLE products(id INTEGER PRIMARY KEY, sku TEXT UNIQUE, name TEXT, price REAL);
CREATE TABLE orders(
    id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), order_no TEXT, shop_id INTEGER,
    order_date TEXT, status TEXT, amount REAL, email TEXT);
CREATE TABLE order_items(
    id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id), product_id INTEGER REFERENCES products(id),
    quantity INTEGER, unit_price REAL);
"""
CONTACTS = """
CREATE TABLE contacts(id INTEGER PRIMARY KEY, name TEXT, wechat_id TEXT, wechat_id_clean TEXT);
CREATE TABLE contact_records(id INTEGER PRIMARY KEY, contact_id INTEGER, contact_date TEXT, content TEXT);
CREATE TABLE chat_messages(id INTEGER PRIMARY KEY, contact_id INTEGER, content TEXT, sent_at TEXT);
"""

FIRST = "Anna Ben Carla Dan Elena Felix Greta Hugo Ines Jonas Klara Leo Mara Nils Olga Paul Rosa Sam Tess Vera".split()
LAST = "Adler Baker Costa Dietz Evans Fuchs Garcia Haas Ivanov Jensen Keller Lang Meyer Novak Olsen Peters Roth".split()
COUNTRIES = "DE DE DE DE AT AT CH FR FR NL PL NO".split()
GOODS = "Lamp Chair Table Shelf Mirror Carpet Vase Clock Basket Pillow".split()
LOOKS = "oak pine steel glass wool linen".split()
SURNAMES = "王 李 张 刘 陈 杨 黄 赵 吴 周".split()
GIVEN = "芳 伟 敏 静 磊 洋 艳 勇 娜 杰 丽 强".split()
TOPICS = "the order|a sample|the price list|delivery in May|the trade fair|a return|the invoice|a new colour".split("|")

APPLICATION_ID = 0x57444F47  # "WDOG", in the header of every file made here


class Dice:
    """Chance that is the same everywhere: of Python's generator only `random()` is promised never to change."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random  # noqa: S311 - nothing here is a secret

    def below(self, end: int) -> int:
        return int(self._random() * end)

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]


def shop() -> dict[str, list[Row]]:
    """The rows of shop.db by table."""
    dice = Dice(1)
    people = [f"{FIRST[i % 20]} {LAST[i // 20 % 17]}" for i in range(400)]
    addresses = [f"{name.lower().replace(' ', '.')}{i + 1}@example.com" for i, name in enumerate(people)]
    customers: list[Row] = [
        {
            "id": i + 1, "email": addresses[i], "name": people[i], "country": dice.pick(COUNTRIES),
            "signed_up": _day("2021-01-01", dice.below(1000)), "birth_year": 1945 + dice.below(60),
        }
        for i in range(400)
    ]  # fmt: skip
    products: list[Row] = [
        {
            "id": i + 1, "sku": f"SKU-{1001 + i}", "name": f"{GOODS[i % 10]}, {LOOKS[i // 10]}",
            "price": (500 + dice.below(30000)) / 100,
        }
        for i in range(60)
    ]  # fmt: skip
    prices = [p["price"] for p in products]
    orders: list[Row] = []
    items: list[Row] = []
    for i in range(1500):
        who, total = dice.below(400), 0.0
        for _ in range(1 + i % 3):
            product, quantity = dice.below(60), 1 + dice.below(4)
            total += quantity * prices[product]
            items.append(
                {
                    "id": len(items) + 1, "order_id": i + 1, "product_id": product + 1, "quantity": quantity,
                    "unit_price": prices[product],
                }
            )  # fmt: skip
        orders.append(
            {
                "id": i + 1, "customer_id": who + 1, "order_no": f"A-{10001 + i // 3}", "shop_id": 1 + i % 3,
                "order_date": _day("2024-01-01", i // 3), "status": dice.pick(("open", "paid", "sent", "sent")),
                "amount": round(total, 2), "email": addresses[who],
            }
        )  # fmt: skip
    _plant(customers, "email", range(10, 400, 16), [None] * 24)
    _plant(customers, "email", (302, 303), (addresses[14], addresses[44]))
    _plant(customers, "country", range(7, 400, 28), ["N/A"] * 9 + ["", " ", "", "  ", ""])
    _plant(customers, "birth_year", (33, 190, 371), ("1987?", "ca. 1990", "born 1979"))
    _plant(products, "name", (17,), (b"Caf\xe9 table, glass",))  # Latin-1 in a UTF-8 file
    _plant(orders, "customer_id", range(60, 1500, 200), range(9001, 9008))
    _plant(orders, "order_no", (304, 604, 904), ("A-10101", "A-10201", "A-10301"))  # those of 301, 601 and 901
    _plant(orders, "order_date", (210, 811, 1205), ("2025-02-30", "2024-13-05", "2025-04-31"))
    _plant(orders, "order_date", (640, 1333), ["2099-12-31"] * 2)
    _plant(orders, "status", (90, 480, 777, 1010, 1444), ("Paid", "shiped", "cancelled?", "PAID", "opn"))
    _plant(orders, "amount", (150, 666, 999, 1400), ("12,50 EUR", "8,00 EUR", "49,90 EUR", "1.299,00 EUR"))
    _plant(orders, "email", range(25, 1500, 120), [None] * 12)
    broken = ("anna.adler.example.com", "ben@@example.com", "carla.costa@", "@example.com", "david at example.com")
    _plant(orders, "email", range(40, 1500, 72), broken * 4)
    _plant(items, "product_id", range(300, 3000, 600), range(901, 906))
    return {"customers": customers, "products": products, "orders": orders, "order_items": items}


def contacts() -> dict[str, list[Row]]:
    """The rows of contacts.db by table. The last 20 of 120 contacts never chatted; records follow a chat in a day."""
    dice = Dice(2)
    people: list[Row] = []
    for i in range(120):
        handle = f"{'wxid_' if i % 4 == 0 else 'Friend_'}{1000 + i * 7:x}{FIRST[i % 20]}"
        name = SURNAMES[i % 10] + GIVEN[i // 10]
        people.append({"id": i + 1, "name": name, "wechat_id": handle, "wechat_id_clean": handle.lower()})
    chats: list[Row] = []
    records: list[Row] = []
    for i in range(800):
        who, sent = 1 + i % 100, datetime(2024, 3, 1, 1) + timedelta(hours=i * 9, minutes=dice.below(60))
        chats.append({"id": i + 1, "contact_id": who, "content": f"About {dice.pick(TOPICS)}.", "sent_at": str(sent)})
        if i % 3 == 0 and who not in (11, 31, 51, 71, 91):  # nobody kept a record of these five
            day = (sent + timedelta(hours=8)).date() + timedelta(days=dice.below(2))  # by the calendar of Shanghai
            records.append(_record(records, who, day, f"Talked about {dice.pick(TOPICS)}."))
    for i in range(24):
        records.append(_record(records, 101 + i % 20, date(2024, 5, 1) + timedelta(days=i), "Met at the trade fair."))
    first_quiet = len(records) - 23  # the id of the first record with somebody who never chatted
    _plant(people, "wechat_id", (62, 83), (people[21]["wechat_id"], people[42]["wechat_id"]))
    _plant(people, "wechat_id_clean", (62, 83), (people[21]["wechat_id_clean"], people[42]["wechat_id_clean"]))
    _plant(people, "wechat_id", (94,), (people[52]["wechat_id"].upper(),))
    _plant(people, "wechat_id_clean", (94,), (people[52]["wechat_id_clean"],))
    _plant(people, "wechat_id_clean", (24, 56, 104), (None, "", ""))
    _plant(people, "name", (6, 39), (people[5]["wechat_id"], people[38]["wechat_id"]))
    _plant(people, "name", (17, 48, 65, 79, 110), ("wxid_9k2m77", "wxid_x81q", "mei@example.com", None, "\u3000"))
    # chats that no record was made of: their records would be left far from any chat
    _plant(chats, "contact_id", (56, 255, 455, 656), [None] * 4)
    _plant(chats, "contact_id", (167, 366, 566), (9001, 9002, 9003))
    _plant(chats, "content", (77, 277, 477, 677), (None, "", "   ", "\u3000"))
    _plant(records, "contact_id", range(first_quiet, first_quiet + 3), (None, 8001, 8002))
    _plant(records, "contact_date", (first_quiet + 5, first_quiet + 6), ("2099-01-15", "2099-12-31"))
    _plant(records, "contact_date", (first_quiet + 8, first_quiet + 9), ("1900-01-01", "1970-01-01"))
    _plant(records, "contact_date", (20, 120, 200), ("2023-11-20", "2023-12-24", "2024-01-07"))  # before the first chat
    _plant(records, "content", (40, 90, 140), (None, "", "\u3000"))
    return {"contacts": people, "contact_records": records, "chat_messages": chats}


def _day(first: str, days: int) -> str:
    return str(date.fromisoformat(first) + timedelta(days=days))


def _record(records: Sequence[Row], who: int, day: date, content: str) -> Row:
    return {"id": len(records) + 1, "contact_id": who, "contact_date": str(day), "content": content}


def _plant(rows: list[Row], column: str, ids: Iterable[int], values: Iterable[Any]) -> None:
    """Puts the values into the rows with these ids, as far as there are both. Ids count from 1 without gaps."""
    for number, value in zip(ids, values, strict=False):
        rows[number - 1][column] = value


MAKERS: dict[str, tuple[str, Callable[[], dict[str, list[Row]]]]] = {
    "shop": (SHOP, shop),
    "contacts": (CONTACTS, contacts),
}


def make(folder: Path) -> list[Path]:
    """Writes both databases into the folder, which is made when missing. OutputError when that cannot be done,
    UsageError where it would stand in the place of a database's file."""
    paths = [folder / f"{name}.db" for name in MAKERS]
    for path in paths:
        NO_GUARD.refuse(path, ours=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in paths:
            _refuse_foreign(path)
        with tempfile.TemporaryDirectory(prefix=".demo-", dir=folder) as workshop:
            for path, (schema, rows) in zip(paths, MAKERS.values(), strict=True):
                _write(Path(workshop) / path.name, schema, rows())
            for path in paths:
                os.replace(Path(workshop) / path.name, path)
    except (OSError, sqlite3.OperationalError) as problem:
        raise OutputError(f"cannot write the demo databases to {folder}: {problem}") from problem
    return paths


def _refuse_foreign(path: Path) -> None:
    hint = "name another folder, or move the file away"
    if path.exists() or path.is_symlink():
        with path.open("rb") as stream:
            header = stream.read(72)
        # a database says at offset 68 which application it belongs to (sqlite.org/fileformat.html, 1.3.17)
        if header[:15] != b"SQLite format 3" or int.from_bytes(header[68:72], "big") != APPLICATION_ID:
            raise OutputError(f"{path} is not a demo database: it stays as it is", hint=hint)
    for side in ("-wal", "-journal"):  # left beside a new file, it would be read as a part of it
        if Path(f"{path}{side}").exists():
            raise OutputError(f"{path} is in use: there is {path.name}{side} beside it", hint=hint)


def _write(path: Path, schema: str, tables: dict[str, list[Row]]) -> None:
    base = sqlite3.connect(path)
    try:
        base.execute("PRAGMA foreign_keys = OFF")  # some of the faults are orphans
        base.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        base.executescript(schema)
        for table, rows in tables.items():
            # bytes enter as text of that name, which is how text in a wrong encoding gets into a file
            holes = ", ".join(f"iif(typeof(:{c}) = 'blob', CAST(:{c} AS TEXT), :{c})" for c in rows[0])
            base.executemany(f"INSERT INTO {table} VALUES ({holes})", rows)
        base.commit()
    finally:
        base.close()


def listing() -> str:
    """The planted faults, one a line."""
    lines = [f"  {f'{t}.{column}':36} {check:36} {count:3}" for (_, t, column, check), count in FAULTS.items()]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    try:
        if len(arguments) != 1 or arguments[0].startswith("-"):
            raise UsageError("name the folder for the demo databases", hint="python -m watchdog.demo DIR")
        paths = make(Path(arguments[0]))
    except WatchdogError as problem:
        print(f"watchdog: {problem}", file=sys.stderr)
        return problem.exit_code
    print(f"made {' and '.join(map(str, paths))}; the faults in them, with their rows:\n{listing()}", end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
