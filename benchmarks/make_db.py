"""Write a SQLite database of customers and orders whose faults are known, for benchmarks and for tests of exactness.

    python benchmarks/make_db.py orders.db --rows 1000000 [--seed 1]

Out: the database, and `<database>.truth.json`: how often each fault was put where, and how many rows each of the 28 rules
of `orders.yaml` has to count. Faults of one column never share a row. The same rows and seed give the same file.
Standard library only; a million orders take about half a minute. Refuses to overwrite a file.
"""

from __future__ import annotations

import argparse
import datetime
import json
import random
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules import COUNTED

CHUNK = 50_000  # rows made at a time, so that memory does not grow with the table
LEAST_ROWS = 1_000  # below, the smallest shares would not give a whole group of duplicates
CUSTOMERS_SHARE = 0.1  # customers for each order

Row = tuple[Any, ...]
Spoil = Callable[[Any], Any]  # the good value -> the bad one


@dataclass(frozen=True)
class Fault:
    """One kind of dirt in one column. `fails` names the rule of that column that has to count it."""

    kind: str
    share: float  # of the rows
    spoil: Spoil
    fails: str = ""


def always(value: Any) -> Spoil:
    return lambda _good: value


NULL = always(None)
FAULTS: dict[str, tuple[Fault, ...]] = {
    "customers.email": (
        Fault("null", 0.003, NULL),
        Fault("empty", 0.002, always("")),
        Fault("malformed", 0.004, lambda good: good.replace("@", " at ")),
        Fault("shared", 0.002, always("info@example.com")),
    ),
    "customers.country": (
        Fault("sentinel", 0.004, always("N/A")),
        Fault("lower_case", 0.003, lambda good: good.lower()),
        Fault("padded", 0.003, lambda good: good + " "),
    ),
    "customers.birth_year": (Fault("sentinel", 0.005, always(1900)), Fault("text_in_number", 0.002, always("unknown"))),
    "orders.customer_id": (
        Fault("null", 0.001, NULL, "not_null"),
        Fault("orphan", 0.002, lambda good: good + 1_000_000_000, "relationships"),
    ),
    "orders.order_uuid": (
        Fault("cut", 0.002, lambda good: good[:24], "matches"),
        Fault("upper_case", 0.001, lambda good: good[:35] + "F", "matches"),
        Fault("repeated", 0.002, always("00000000-0000-4000-8000-000000000000"), "unique"),
    ),
    "orders.order_date": (
        Fault("no_such_month", 0.002, always("2023-17-05"), "matches"),
        Fault("other_order", 0.003, lambda good: f"{good[5:7]}/{good[8:]}/{good[:4]}", "matches"),
        Fault("null", 0.004, NULL, "not_null"),
        Fault("far_future", 0.001, always("2199-01-01")),
    ),
    "orders.status": (
        Fault("upper_case", 0.003, lambda good: good.upper(), "accepted_values"),
        Fault("padded", 0.002, lambda good: good + " ", "accepted_values"),
        Fault("unknown", 0.004, always("tbd"), "accepted_values"),
        Fault("null", 0.002, NULL, "not_null"),
    ),
    "orders.channel": (Fault("null", 0.01, NULL), Fault("misspelt", 0.002, always("stroe"), "accepted_values")),
    "orders.currency": (
        Fault("sentinel", 0.003, always("N/A"), "accepted_values"),
        Fault("lower_case", 0.005, lambda good: good.lower(), "accepted_values"),
    ),
    "orders.amount": (
        Fault("negative", 0.003, lambda good: -good, "accepted_range"),
        Fault("sentinel", 0.003, always(-999.0), "accepted_range"),
        Fault("outlier", 0.001, lambda good: good + 1e7, "accepted_range"),
        Fault("text_in_number", 0.001, always("n/a"), "accepted_range"),
        Fault("null", 0.002, NULL, "not_null"),
    ),
    "orders.discount": (Fault("percent", 0.005, always(15.0), "accepted_range"), Fault("null", 0.005, NULL)),
    "orders.item_count": (
        Fault("zero", 0.004, always(0), "accepted_range"),
        Fault("sentinel", 0.002, always(9999), "accepted_range"),
        Fault("text_in_number", 0.003, lambda good: f"{good} pcs", "accepted_range"),
    ),
    "orders.contact_email": (
        Fault("no_at", 0.004, lambda good: good.replace("@", "#"), "matches"),
        Fault("empty", 0.003, always(""), "matches"),
        Fault("two_at", 0.001, lambda good: good.replace("@", "@@"), "matches"),
        Fault("null", 0.002, NULL, "not_null"),
    ),
    "orders.phone": (
        Fault("words", 0.004, always("call the office"), "matches"),
        Fault("zeros", 0.005, always("0000000000"), "matches"),
        Fault("null", 0.008, NULL),
    ),
    "orders.ship_zip": (Fault("cut", 0.01, lambda good: good[:3], "matches"),),
    "orders.is_gift": (Fault("not_a_flag", 0.002, always(2), "accepted_values"),),
    "orders.note": (Fault("blank", 0.01, always("   ")),),
}

SCHEMA = """
CREATE TABLE customers(customer_id INTEGER PRIMARY KEY, email TEXT, full_name TEXT NOT NULL, country TEXT, birth_year INTEGER,
  signed_up TEXT, newsletter INTEGER);
CREATE TABLE orders(order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(customer_id), order_uuid TEXT,
  order_date TEXT, created_at TEXT, shipped_at TEXT, status TEXT, channel TEXT, currency TEXT, amount REAL, tax REAL,
  discount REAL, shipping_fee REAL, item_count INTEGER, contact_email TEXT, phone TEXT, ship_country TEXT, ship_zip TEXT,
  note TEXT, is_gift INTEGER);
"""
CUSTOMERS = ("customer_id", "email", "full_name", "country", "birth_year", "signed_up", "newsletter")
ORDERS = (
    "order_id", "customer_id", "order_uuid", "order_date", "created_at", "shipped_at", "status", "channel", "currency",
    "amount", "tax", "discount", "shipping_fee", "item_count", "contact_email", "phone", "ship_country", "ship_zip", "note",
    "is_gift",
)  # fmt: skip

GIVEN = "ada alan barbara claude dorothy edsger frances grace hedy john karen leslie mary niklaus radia tim".split()
FAMILY = "abe brandt costa diaz eriksen fischer gupta haas ito jansen kowalski lopez moreau nagy olsen petrov".split()
COUNTRIES = "US DE FR GB JP BR IN ES IT NL SE PL".split()
FIRST_DAY = datetime.date(2022, 1, 1)
DAYS = tuple((FIRST_DAY + datetime.timedelta(days=n)).isoformat() for n in range(1_200))
TIMES = tuple(
    f"{hour:02d}:{minute:02d}:{(hour * 7 + minute * 13) % 60:02d}" for hour in range(24) for minute in range(60)
)


def emails(dice: random.Random, first: int, count: int) -> list[str]:
    given, family = dice.choices(GIVEN, k=count), dice.choices(FAMILY, k=count)
    return [f"{g}.{f}{first + n}@example{n % 9}.com" for n, (g, f) in enumerate(zip(given, family, strict=True))]


def uuids(dice: random.Random, count: int) -> list[str]:
    """Random UUIDs, version 4 in form, ending in a digit (so that an upper-case end is a fault of its own)."""
    text = dice.randbytes(16 * count).hex()
    marks = [text[at : at + 32] for at in range(0, len(text), 32)]
    return [f"{m[:8]}-{m[8:12]}-4{m[13:16]}-a{m[17:20]}-{m[20:31]}{n % 10}" for n, m in enumerate(marks)]


def customers(dice: random.Random, first: int, count: int, _total: int) -> dict[str, list[Any]]:
    names = zip(dice.choices(GIVEN, k=count), dice.choices(FAMILY, k=count), strict=True)
    return {
        "customer_id": list(range(first, first + count)),
        "email": emails(dice, first, count),
        "full_name": [f"{given.title()} {family.title()}" for given, family in names],
        "country": dice.choices(COUNTRIES, k=count),
        "birth_year": dice.choices(range(1940, 2007), k=count),
        "signed_up": dice.choices(DAYS[:600], k=count),
        "newsletter": dice.choices((0, 1), k=count),
    }


def orders(dice: random.Random, first: int, count: int, total: int) -> dict[str, list[Any]]:
    """Orders in the order of their days. `total` is how many there will be."""
    day = [(first - 1 + n) * (len(DAYS) - 10) // total for n in range(count)]
    time = dice.choices(TIMES, k=count)
    lag = dice.choices((1, 2, 3, 5, None), weights=(30, 30, 15, 5, 20), k=count)
    amount = [round(chance * chance * 900 + 1, 2) for chance in (dice.random() for _ in range(count))]
    noted = dice.choices((True, False), weights=(1, 9), k=count)
    return {
        "order_id": list(range(first, first + count)),
        "customer_id": dice.choices(range(1, how_many_customers(total) + 1), k=count),
        "order_uuid": uuids(dice, count),
        "order_date": [DAYS[d] for d in day],
        "created_at": [f"{DAYS[d]} {t}" for d, t in zip(day, time, strict=True)],
        "shipped_at": [None if late is None else f"{DAYS[d + late]} {t}" for d, late, t in zip(day, lag, time, strict=True)],
        "status": dice.choices(("pending", "paid", "shipped", "delivered", "cancelled"), weights=(2, 4, 5, 8, 1), k=count),
        "channel": dice.choices(("web", "app", "store", "phone"), weights=(5, 3, 1, 1), k=count),
        "currency": dice.choices(("USD", "EUR", "GBP", "JPY"), weights=(10, 6, 3, 1), k=count),
        "amount": amount,
        "tax": [round(a * 0.19, 2) for a in amount],
        "discount": [cents / 100 for cents in dice.choices(range(51), k=count)],
        "shipping_fee": [cents / 100 if cents > 99 else None for cents in dice.choices(range(1_000), k=count)],
        "item_count": dice.choices(range(1, 13), k=count),
        "contact_email": emails(dice, first % 100_003, count),
        "phone": [f"+{number}" for number in dice.choices(range(2_000_000_000, 10_000_000_000), k=count)],
        "ship_country": dice.choices(COUNTRIES, k=count),
        "ship_zip": [f"{number:05d}" for number in dice.choices(range(1_000, 100_000), k=count)],
        "note": [f"leave it with number {n % 97}" if wanted else None for n, wanted in enumerate(noted)],
        "is_gift": dice.choices((0, 1), weights=(9, 1), k=count),
    }  # fmt: skip


def how_many_customers(orders_rows: int) -> int:
    return max(LEAST_ROWS, int(orders_rows * CUSTOMERS_SHARE))


def soiled(
    dice: random.Random, table: str, made: dict[str, list[Any]], told: Counter[tuple[str, str]]
) -> Iterator[Row]:
    """The rows with their faults; `told` learns how many of each."""
    count = len(next(iter(made.values())))
    for column, values in made.items():
        faults = FAULTS.get(f"{table}.{column}", ())
        wanted = [max(2, round(count * fault.share)) for fault in faults]
        places = iter(dice.sample(range(count), k=sum(wanted)))
        for fault, times in zip(faults, wanted, strict=True):
            told[f"{table}.{column}", fault.kind] += times
            for _ in range(times):
                at = next(places)
                values[at] = fault.spoil(values[at])
    return zip(*made.values(), strict=True)


def fill(database: sqlite3.Connection, table: str, rows: int, seed: int, told: Counter[tuple[str, str]]) -> None:
    make, columns = (customers, CUSTOMERS) if table == "customers" else (orders, ORDERS)
    statement = f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})"
    first = 1
    while first <= rows:
        left = rows - first + 1
        count = left if left < CHUNK + LEAST_ROWS else CHUNK  # no tiny last chunk
        dice = random.Random(f"{seed} {table} {first}")
        database.executemany(statement, soiled(dice, table, make(dice, first, count, rows), told))
        first += count


def truth(rows: int, seed: int, told: Counter[tuple[str, str]]) -> dict[str, Any]:
    counts = dict.fromkeys(COUNTED, 0)
    for place, faults in FAULTS.items():
        for fault in faults:
            if fault.fails:
                counts[f"{place}.{fault.fails}"] += told[place, fault.kind]
    faults_told = [{"place": place, "fault": kind, "count": count} for (place, kind), count in told.items()]
    return {"rows": rows, "seed": seed, "faults": faults_told, "counts": counts}


def truth_file(database: Path) -> Path:
    return database.with_name(database.name + ".truth.json")


def write(target: Path, rows: int, seed: int = 1) -> dict[str, Any]:
    """Make the database at `target`; the truth about it, which is also written beside it."""
    told: Counter[tuple[str, str]] = Counter()
    database = sqlite3.connect(target)
    try:
        database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + SCHEMA)
        fill(database, "customers", how_many_customers(rows), seed, told)
        fill(database, "orders", rows, seed, told)
        database.execute("CREATE INDEX orders_customer ON orders(customer_id)")
        database.commit()
        database.execute("PRAGMA journal_mode = DELETE")
    finally:
        database.close()
    known = truth(rows, seed, told)
    truth_file(target).write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    return known


def main() -> int:
    parser = argparse.ArgumentParser(description="Write a SQLite database of orders whose faults are known.")
    parser.add_argument("out", type=Path, metavar="OUT.db")
    parser.add_argument(
        "--rows", type=int, default=1_000_000, help="orders (default 1,000,000); a tenth as many customers"
    )
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    if told.rows < LEAST_ROWS:
        parser.error(f"--rows {told.rows}: at least {LEAST_ROWS:,}")
    if told.out.exists():
        parser.error(f"{told.out} exists; name another file or remove it")
    known = write(told.out, told.rows, told.seed)
    faults = sum(f["count"] for f in known["faults"])
    size = told.out.stat().st_size / 1e6
    print(f"{told.out}: {told.rows:,} orders, {size:,.0f} MB; {faults:,} faults, told in {truth_file(told.out)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
