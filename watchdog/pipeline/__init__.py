"""The public Python face: `scan` a source, `publish` a run, `run_once` a source of config.yaml.

from watchdog.pipeline import scan
run = scan("shop.db")
run.findings, run.to_json(), run.to_pandas(), run.exit_code("high")
"""

from watchdog.pipeline.face import run_once, scan, settings_of
from watchdog.pipeline.options import Options
from watchdog.pipeline.publish import publish, write_text
from watchdog.pipeline.scanning import Scan

__all__ = ["Options", "Scan", "publish", "run_once", "scan", "settings_of", "write_text"]
