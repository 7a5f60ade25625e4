"""Tests end by themselves: each has a time limit, and what they stop by Ctrl-C hears it in the background too."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

TEST = """
import os, signal, subprocess, sys

def test_a_child_hears_ctrl_c():
    code = "print('ready', flush=True); import time; time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=20) != 0
"""


def test_a_child_hears_ctrl_c_though_the_tests_run_in_the_background(tmp_path: Path, root: Path) -> None:
    (tmp_path / "test_child.py").write_text(TEST)
    (tmp_path / "conftest.py").write_text((root / "tests" / "conftest.py").read_text())

    def in_the_background() -> None:  # as a shell does without job control
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)], preexec_fn=in_the_background,
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root)}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_every_test_has_a_time_limit(request: pytest.FixtureRequest) -> None:
    assert request.config.pluginmanager.hasplugin("timeout")
    assert float(request.config.getini("timeout")) == 120
