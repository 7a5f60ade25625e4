"""The findings document: a Run as JSON and back, what an output may show of a cell, baselines and exit codes.

Whatever shows a cell value takes it from `shown_samples` or `shown_value`: there is no second place that masks.
"""

from watchdog.codec.baseline import MOST_BYTES, MOST_KEYS, Baseline, accept_known, baseline_dump, baseline_load, tally
from watchdog.codec.document import dumps, findings_schema, json_text, shown_samples, summary, to_dict
from watchdog.codec.exits import GOOD_REPORT, exit_code
from watchdog.codec.reader import from_dict, loads
from watchdog.codec.values import HIDDEN, Shown, clean, looks_personal, safe, shown_value

__all__ = [
    "GOOD_REPORT",
    "HIDDEN",
    "MOST_BYTES",
    "MOST_KEYS",
    "Baseline",
    "Shown",
    "accept_known",
    "baseline_dump",
    "baseline_load",
    "clean",
    "dumps",
    "exit_code",
    "findings_schema",
    "from_dict",
    "json_text",
    "loads",
    "looks_personal",
    "safe",
    "shown_samples",
    "shown_value",
    "summary",
    "tally",
    "to_dict",
]
