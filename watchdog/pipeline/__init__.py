"""The public Python face: `scan` a source, have a `report` written, `verify` one, `publish` a run, `run_once` a source.

from watchdog.pipeline import scan
run = scan("shop.db")
run.findings, run.to_json(), run.to_pandas(), run.exit_code("high")
report(run), verify(text, run)
"""

from watchdog.pipeline.face import report, run_once, scan, settings_of, verify
from watchdog.pipeline.options import Options
from watchdog.pipeline.publish import publish
from watchdog.pipeline.scanning import Scan
from watchdog.writing import write_text

__all__ = ["Options", "Scan", "publish", "report", "run_once", "scan", "settings_of", "verify", "write_text"]
