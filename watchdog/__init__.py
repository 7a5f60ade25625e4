"""Watchdog: a read-only data-quality scan with exact counts and JSON findings."""
