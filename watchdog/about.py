"""Who we are: the names and the version that every output repeats."""

DISTRIBUTION = "dq-watchdog"
VERSION = "0.1.0"
FORMAT = 1  # the findings format; it grows by new fields and changes number only when an old one changes meaning
