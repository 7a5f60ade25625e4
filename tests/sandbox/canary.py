"""What stands in everything that must never be shown."""

CANARY = "canary-7f3a"
