"""A scan in a child process, for a caller that has the database open itself."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from dataclasses import replace

from watchdog.config import SourceConfig
from watchdog.errors import SourceError, WatchdogError
from watchdog.pipeline.options import Options
from watchdog.pipeline.scanning import Scan, scan_source
from watchdog.scan.measure import quiet

GRACE_SECONDS = 5.0  # beyond the time limit, for a child that ends by itself and still has to say what it found


def scan_in_child(settings: SourceConfig, options: Options, digest: str) -> Scan:
    """As `scan_source`; the run carries no measurements. Both ends are this program: nothing else is unpickled."""
    asked = pickle.dumps((settings, replace(options, progress=quiet), digest))
    code = "from watchdog.pipeline.child import main; main()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    limit = None if options.timeout is None else options.timeout + GRACE_SECONDS
    command = [sys.executable, "-c", code]
    try:
        done = subprocess.run(command, input=asked, capture_output=True, env=environment, check=False, timeout=limit)
    except subprocess.TimeoutExpired as problem:
        raise SourceError(
            f"source {settings.name!r}: the time limit was reached inside a regular expression",
            hint="a repeat inside a repeat, such as (a+)+, may take for ever: write the pattern without it",
        ) from problem
    if done.returncode != 0:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise SourceError(
            f"source {settings.name!r}: the scanning process ended with {done.returncode}: {''.join(last)}"
        )
    found = pickle.loads(done.stdout)  # noqa: S301 - from our own child
    if isinstance(found, WatchdogError):
        raise found
    assert isinstance(found, Scan)
    return found


def main() -> None:
    """Reads a request from stdin, writes a Scan or a WatchdogError to stdout."""
    settings, options, digest = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own parent
    out, sys.stdout = sys.stdout, sys.stderr
    try:
        told: Scan | WatchdogError = replace(scan_source(settings, options, config_digest=digest), measurements=())
    except WatchdogError as problem:
        problem.__cause__ = None
        told = problem
    out.buffer.write(pickle.dumps(told))
    out.buffer.flush()
