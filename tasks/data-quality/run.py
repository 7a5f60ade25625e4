"""Scan one SQLite database with the task `data-quality` and print its findings as JSON.

    python tasks/data-quality/run.py --db PATH [--now ISO] [--llm] [--lang en|zh]

With --llm a model words the findings, a program checks every number, and the path of report.md is printed instead.
Exit codes: 0 clean, 1 findings of severity high, 2 usage (no key for --llm too), 3 could not evaluate, 4 a report that is
not what a model wrote, whole and verified (the facts-only one is there). A thin door to `watchdog scan --task`.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve()
TASK = HERE.parent.name
ROOT = HERE.parents[2]


def main() -> int:
    """Runs in the project's own environment when this Python lacks the packages and `make scan` has made one."""
    try:
        import sqlalchemy  # noqa: F401 - stands for all of our packages

        sys.path.insert(0, str(ROOT))
        import watchdog  # noqa: F401 - this one, and from its folder all that belongs to it

        sys.path.remove(str(ROOT))  # nothing else that lies there is to be imported
        from watchdog.cli.task import run
    except ImportError as problem:
        own = ROOT / ".venv" / "bin" / "python"
        if own.exists() and Path(sys.prefix).resolve() != (ROOT / ".venv").resolve():
            import subprocess

            return subprocess.run([own, "-P", str(HERE), *sys.argv[1:]], check=False).returncode
        print(f"watchdog: {problem}\n  run `make scan` once, or: pip install dq-watchdog", file=sys.stderr)
        return 2
    return run(TASK, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
