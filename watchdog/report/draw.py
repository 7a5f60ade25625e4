"""The picture of the graph in docs/report.md, made from the graph itself: `python -m watchdog.report.draw [FILE]`.

Without a file it is printed. In a file the Mermaid block between the two marks is replaced; a test says when it is old.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from watchdog.errors import UsageError

FIRST, LAST = "<!-- graph: python -m watchdog.report.draw docs/report.md -->", "<!-- end of graph -->"


def mermaid() -> str:
    from watchdog.report.studio import report

    return report().get_graph().draw_mermaid(with_styles=False).strip()


def drawn(text: str) -> str:
    """The text with the picture as it is today. UsageError where the marks are missing."""
    block = f"{FIRST}\n\n```mermaid\n{mermaid()}\n```\n\n{LAST}"
    new, found = re.subn(f"{re.escape(FIRST)}.*?{re.escape(LAST)}", lambda _: block, text, count=1, flags=re.DOTALL)
    if not found:
        raise UsageError("there is no place for the graph", hint=f"it stands between {FIRST} and {LAST}")
    return new


def main(arguments: list[str]) -> None:
    if not arguments:
        print(mermaid())
        return
    file = Path(arguments[0])
    file.write_text(drawn(file.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
