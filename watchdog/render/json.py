"""The findings document itself: everything that was found, for programs. The Report is not used."""

from watchdog import codec
from watchdog.model import Report, Run

SUFFIX = ".json"


def render(run: Run, report: Report | None = None) -> str:
    return codec.dumps(run)
