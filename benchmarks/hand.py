"""The 28 checks of `orders.yaml` as somebody who knows SQLite well would write them for this one table.

    python benchmarks/hand.py orders.db

One fused SELECT for everything that a row says about itself, GROUP BY for what has to be unique, NOT EXISTS for the
foreign key, patterns as GLOB. Prints JSON: the failing rows of each check by its id. Standard library only.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from baseline import opened
from rules import COUNTED

HEX = "[0-9a-f]"
UUID = "-".join(HEX * n for n in (8, 4, 4, 4, 12))
DIGIT = "[0-9]"
MONTHS = (f"0{DIGIT.replace('0', '1')}", "1[0-2]")
DATES = [f"{DIGIT * 4}-{month}-[0-3]{DIGIT}" for month in MONTHS]

ROW_CHECKS = {
    "order_id.not_null": "count(*) - count(order_id)",
    "customer_id.not_null": "count(*) - count(customer_id)",
    "order_uuid.not_null": "count(*) - count(order_uuid)",
    "order_uuid.matches": f"count(*) FILTER (WHERE order_uuid NOT GLOB '{UUID}')",
    "order_date.not_null": "count(*) - count(order_date)",
    "order_date.matches": f"count(*) FILTER (WHERE NOT (order_date GLOB '{DATES[0]}' OR order_date GLOB '{DATES[1]}'))",
    "created_at.not_null": "count(*) - count(created_at)",
    "status.not_null": "count(*) - count(status)",
    "status.accepted_values": "count(*) FILTER (WHERE status NOT IN ('pending', 'paid', 'shipped', 'delivered', 'cancelled'))",
    "channel.accepted_values": "count(*) FILTER (WHERE channel NOT IN ('web', 'app', 'store', 'phone'))",
    "currency.not_null": "count(*) - count(currency)",
    "currency.accepted_values": "count(*) FILTER (WHERE currency NOT IN ('USD', 'EUR', 'GBP', 'JPY'))",
    "amount.not_null": "count(*) - count(amount)",
    "amount.accepted_range": "count(*) FILTER (WHERE amount < 0 OR amount > 10000)",
    "tax.accepted_range": "count(*) FILTER (WHERE tax < 0 OR tax > 1000)",
    "discount.accepted_range": "count(*) FILTER (WHERE discount < 0 OR discount > 1)",
    "shipping_fee.accepted_range": "count(*) FILTER (WHERE shipping_fee < 0 OR shipping_fee > 50)",
    "item_count.not_null": "count(*) - count(item_count)",
    "item_count.accepted_range": "count(*) FILTER (WHERE item_count < 1 OR item_count > 100)",
    "contact_email.not_null": "count(*) - count(contact_email)",
    "contact_email.matches": "count(*) FILTER (WHERE NOT (contact_email GLOB '?*@?*.?*' AND contact_email NOT GLOB '*@*@*'"
    " AND instr(contact_email, ' ') = 0))",
    "phone.matches": f"count(*) FILTER (WHERE phone NOT GLOB '+{DIGIT * 10}')",
    "ship_country.accepted_values": "count(*) FILTER (WHERE ship_country NOT IN"
    " ('US', 'DE', 'FR', 'GB', 'JP', 'BR', 'IN', 'ES', 'IT', 'NL', 'SE', 'PL'))",
    "ship_zip.matches": f"count(*) FILTER (WHERE ship_zip NOT GLOB '{DIGIT * 5}')",
    "is_gift.accepted_values": "count(*) FILTER (WHERE is_gift NOT IN (0, 1))",
}
IN_GROUPS = (
    "SELECT coalesce(sum(n), 0) FROM (SELECT count(*) AS n FROM orders NOT INDEXED WHERE {0} IS NOT NULL"
    " GROUP BY {0} HAVING count(*) > 1)"
)
OWN_STATEMENTS = {
    "order_id.unique": IN_GROUPS.format("order_id"),
    "order_uuid.unique": IN_GROUPS.format("order_uuid"),
    "customer_id.relationships": "SELECT count(*) FROM orders WHERE customer_id IS NOT NULL AND NOT EXISTS"
    " (SELECT 1 FROM customers WHERE customers.customer_id = orders.customer_id)",
}


def counts(path: Path) -> dict[str, int]:
    database = opened(path)
    row = database.execute(f"SELECT {', '.join(ROW_CHECKS.values())} FROM orders NOT INDEXED").fetchone()
    found = dict(zip(ROW_CHECKS, row, strict=True))
    found |= {name: database.execute(statement).fetchone()[0] for name, statement in OWN_STATEMENTS.items()}
    return {place: found[place.removeprefix("orders.")] for place in COUNTED}


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python benchmarks/hand.py orders.db", file=sys.stderr)
        return 2
    print(json.dumps({"counts": counts(Path(sys.argv[1]))}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
