"""The ids of the 28 rules of `orders.yaml`, as every script here reports their counts."""

RULES = {
    "order_id": ("not_null", "unique"),
    "customer_id": ("not_null", "relationships"),
    "order_uuid": ("not_null", "unique", "matches"),
    "order_date": ("not_null", "matches"),
    "created_at": ("not_null",),
    "status": ("not_null", "accepted_values"),
    "channel": ("accepted_values",),
    "currency": ("not_null", "accepted_values"),
    "amount": ("not_null", "accepted_range"),
    "tax": ("accepted_range",),
    "discount": ("accepted_range",),
    "shipping_fee": ("accepted_range",),
    "item_count": ("not_null", "accepted_range"),
    "contact_email": ("not_null", "matches"),
    "phone": ("matches",),
    "ship_country": ("accepted_values",),
    "ship_zip": ("matches",),
    "is_gift": ("accepted_values",),
}
COUNTED = tuple(f"orders.{column}.{check}" for column, checks in RULES.items() for check in checks)
