"""The same 28 checks by Great Expectations 1.x through its SQLite data source.

    python benchmarks/peer_gx.py orders.db

Needs an environment with `great-expectations` and `sqlalchemy`. Prints JSON: the failing rows of each check by its id.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings
from pathlib import Path
from typing import Any

os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")  # it would call home
warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

SETS = {
    "status": ["pending", "paid", "shipped", "delivered", "cancelled"],
    "channel": ["web", "app", "store", "phone"],
    "currency": ["USD", "EUR", "GBP", "JPY"],
    "ship_country": ["US", "DE", "FR", "GB", "JP", "BR", "IN", "ES", "IT", "NL", "SE", "PL"],
    "is_gift": [0, 1],
}
RANGES = {"amount": (0, 10_000), "tax": (0, 1_000), "discount": (0, 1), "shipping_fee": (0, 50), "item_count": (1, 100)}
PATTERNS = {
    "order_uuid": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    "order_date": "^[0-9]{4}-(0[1-9]|1[0-2])-[0-3][0-9]$",
    "contact_email": r"^[^@ ]+@[^@ ]+\.[^@ ]+$",
    "phone": r"^\+[0-9]{10}$",
    "ship_zip": "^[0-9]{5}$",
}
ORPHANS = (
    "SELECT o.customer_id FROM {batch} o LEFT JOIN customers c ON o.customer_id = c.customer_id"
    " WHERE o.customer_id IS NOT NULL AND c.customer_id IS NULL"
)


def expectations() -> dict[str, Any]:
    import great_expectations.expectations as gxe
    from rules import COUNTED

    made: dict[str, Any] = {}
    for place in COUNTED:
        _, column, check = place.split(".")
        match check:
            case "not_null":
                made[place] = gxe.ExpectColumnValuesToNotBeNull(column=column)
            case "unique":
                made[place] = gxe.ExpectColumnValuesToBeUnique(column=column)
            case "accepted_values":
                made[place] = gxe.ExpectColumnValuesToBeInSet(column=column, value_set=SETS[column])
            case "accepted_range":
                low, high = RANGES[column]
                made[place] = gxe.ExpectColumnValuesToBeBetween(column=column, min_value=low, max_value=high)
            case "matches":
                made[place] = gxe.ExpectColumnValuesToMatchRegex(column=column, regex=PATTERNS[column])
            case "relationships":
                made[place] = gxe.UnexpectedRowsExpectation(unexpected_rows_query=ORPHANS)
        made[place].meta = {"place": place}
    return made


def counts(path: Path) -> dict[str, Any]:
    import great_expectations as gx

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    source = context.data_sources.add_sqlite("orders", connection_string=f"sqlite:///{path.absolute()}")
    batch = source.add_table_asset("orders", table_name="orders").add_batch_definition_whole_table("all")
    suite = context.suites.add(gx.ExpectationSuite(name="orders", expectations=list(expectations().values())))
    definition = context.validation_definitions.add(gx.ValidationDefinition(name="orders", data=batch, suite=suite))
    found: dict[str, Any] = {}
    for result in definition.run(result_format="BASIC").results:
        config = result.expectation_config
        count = result.result.get("unexpected_count", result.result.get("observed_value"))
        found[config.meta["place"]] = None if count is None else int(count)
    return found


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python benchmarks/peer_gx.py orders.db", file=sys.stderr)
        return 2
    print(json.dumps({"counts": counts(Path(sys.argv[1]))}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
