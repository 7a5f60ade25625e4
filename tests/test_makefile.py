"""`make` on a machine it has never seen: set up once, one clear line where something is missing, any path will do.

The Makefile runs for real; Python, pip and uv are stand-ins that write down how they were called.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

MAKE = shutil.which("make")
pytestmark = pytest.mark.skipif(MAKE is None, reason="make is not installed")

PYTHON = r"""#!/bin/sh
echo "python $*" >>"$CALLS"
case "$*" in
"-c import sys; "*) exit ${OLD:-0} ;;
"-c import ensurepip") exit ${NO_VENV:-0} ;;
"-V") echo "Python 3.9.2" ;;
"-m venv --clear "*)
    if [ -n "$NO_VENV" ]; then
        echo "The virtual environment was not created successfully because ensurepip is not"
        echo "available.  On Debian/Ubuntu systems, you need to install the python3-venv"
        exit 1
    fi
    if [ -n "$FULL" ]; then echo "Error: [Errno 28] No space left on device"; exit 1; fi
    mkdir -p "$4/bin"
    for tool in python watchdog ruff mypy pytest; do
        printf '#!/bin/sh\necho "%s|$*" >>"$CALLS"\nexit ${CODE:-0}\n' $tool >"$4/bin/$tool"
        chmod +x "$4/bin/$tool"
    done ;;
esac
"""
UV = r"""#!/bin/sh
echo "uv $*" >>"$CALLS"
[ -z "$BROKEN" ] || exit 2
if [ "$1" = venv ]; then for last; do :; done; python3 -m venv --clear "$last"; fi
"""


class Checkout:
    """A fresh checkout, on a machine with the stand-ins and an empty home."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder = folder / "my checkout"
        self.programs = folder / "bin"
        self.calls_file = folder / "calls"
        (self.folder / ".ci").mkdir(parents=True)
        self.programs.mkdir()
        for name in ("Makefile", ".ci/venv", "pyproject.toml", "constraints.txt"):
            shutil.copy(root / name, self.folder / name)
        self.program("python3", PYTHON)

    def program(self, name: str, text: str) -> None:
        (self.programs / name).write_text(text)
        (self.programs / name).chmod(0o755)

    def make(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        assert MAKE is not None
        machine = {"PATH": f"{self.programs}:/usr/bin:/bin", "HOME": "", "CALLS": str(self.calls_file), **environment}
        self.calls_file.write_text("")
        return subprocess.run(
            [MAKE, *arguments], cwd=self.folder, env=machine, capture_output=True, text=True, check=False
        )

    @property
    def calls(self) -> list[str]:
        return self.calls_file.read_text().splitlines()


@pytest.fixture
def checkout(tmp_path: Path, root: Path) -> Checkout:
    if Path("/usr/bin/uv").exists() or Path("/bin/uv").exists():
        pytest.skip("uv lies beside the system's own programs and cannot be hidden")
    return Checkout(tmp_path, root)


def said(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [line for line in done.stderr.splitlines() if line.startswith("watchdog: ")]


def test_the_first_run_sets_up_and_the_second_does_not(checkout: Checkout) -> None:
    first = checkout.make("test")
    assert first.returncode == 0, first.stderr
    assert [call for call in checkout.calls if "pip install" in call and "--constraint constraints.txt" in call]
    assert checkout.calls[-3:] == ["ruff|check", "mypy|", "pytest|"]
    second = checkout.make("test")
    assert (second.returncode, second.stderr) == (0, "")
    assert checkout.calls == ["ruff|check", "mypy|", "pytest|"]


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_changed_requirements_set_up_again(checkout: Checkout, name: str) -> None:
    checkout.make("test")
    ready = checkout.folder / ".venv/.ready"
    later = ready.stat().st_mtime + 10
    os.utime(checkout.folder / name, (later, later))
    checkout.make("test")
    assert any("pip install" in call for call in checkout.calls)


def test_a_checkout_that_was_moved_is_set_up_again(checkout: Checkout) -> None:
    checkout.make("test")
    checkout.folder = checkout.folder.rename(checkout.folder.with_name("elsewhere"))
    assert checkout.make("test").returncode == 0
    assert any("pip install" in call for call in checkout.calls)


def test_a_set_up_that_was_cut_off_does_not_count(checkout: Checkout) -> None:
    checkout.make("test", CODE="1")  # pip fails
    assert not (checkout.folder / ".venv/.ready").exists()
    assert checkout.make("test").returncode == 0
    assert any("pip install" in call for call in checkout.calls)


def test_uv_is_taken_when_it_is_there(checkout: Checkout) -> None:
    checkout.program("uv", UV)
    assert checkout.make("test").returncode == 0
    assert [call.split()[:3] for call in checkout.calls if call.startswith("uv")] == [
        ["uv", "venv", "--quiet"],
        ["uv", "pip", "install"],
    ]
    assert not [call for call in checkout.calls if "-m pip" in call]


def test_pip_is_tried_where_uv_cannot(checkout: Checkout) -> None:
    checkout.program("uv", UV)
    done = checkout.make("test", BROKEN="yes")
    assert done.returncode == 0
    assert "trying pip" in done.stderr
    assert any("-m pip install" in call for call in checkout.calls)


def test_a_missing_python3_venv_is_one_clear_line(checkout: Checkout) -> None:
    done = checkout.make("scan", NO_VENV="1")
    assert done.returncode != 0
    assert said(done)[1:] == [
        "watchdog: python3 cannot make environments; on Debian and Ubuntu: apt-get install python3-venv (as root)"
    ]
    assert done.stdout == ""


def test_another_failure_of_venv_is_not_blamed_on_debian(checkout: Checkout) -> None:
    done = checkout.make("scan", FULL="1")
    assert said(done)[1:] == ["watchdog: python3 -m venv failed: Error: [Errno 28] No space left on device"]


def test_a_python_that_is_too_old_is_one_clear_line(checkout: Checkout) -> None:
    done = checkout.make("scan", OLD="1")
    assert said(done) == ["watchdog: Python 3.9.2 is too old, 3.11 or later is needed: make PYTHON=/path/to/python3.12"]
    assert not (checkout.folder / ".venv").exists()


def test_another_python_can_be_named(checkout: Checkout) -> None:
    assert checkout.make("scan", "PYTHON=no-such-python").returncode != 0
    checkout.program("other python", PYTHON)
    done = checkout.make("test", f"PYTHON={checkout.programs}/other python")
    assert done.returncode == 0, done.stderr


def test_scan_makes_the_demo_databases_once_and_scans_by_the_config(checkout: Checkout) -> None:
    scan = "watchdog|scan --config config.yaml --fail-on never"
    assert checkout.make("scan").returncode == 0
    assert checkout.calls[-2:] == ["python|-P -m watchdog.demo demo", scan]
    (checkout.folder / "demo").mkdir()
    for name in ("shop.db", "contacts.db"):
        (checkout.folder / "demo" / name).touch()
    assert checkout.make("scan").returncode == 0
    assert checkout.calls == [scan]


@pytest.mark.parametrize(
    "path", ["my shop.db", "it's.db", 'a"b.db', "$(touch x).db", "`touch x`.db", "-x.db", "a;b|c.db"]
)
def test_the_path_of_a_database_is_taken_as_it_is(checkout: Checkout, path: str) -> None:
    done = checkout.make("scan", "DB=" + path.replace("$", "$$"))
    assert done.returncode == 0, done.stderr
    assert checkout.calls[-1] == f"watchdog|scan --fail-on high -- {path}"
    assert not (checkout.folder / "x").exists()


def test_findings_in_a_database_of_the_user_fail_and_the_level_can_be_set(checkout: Checkout) -> None:
    checkout.make("test")
    done = checkout.make("scan", "DB=a.db", "FAIL_ON=low", CODE="1")
    assert done.returncode != 0
    assert checkout.calls == ["watchdog|scan --fail-on low -- a.db"]


def test_a_failing_step_ends_the_test_run(checkout: Checkout) -> None:
    checkout.make("scan")
    done = checkout.make("test", CODE="1")
    assert done.returncode != 0
    assert checkout.calls == ["ruff|check"]


def test_help_names_every_command_and_is_what_plain_make_says(checkout: Checkout) -> None:
    done = checkout.make()
    assert done.stdout == checkout.make("help").stdout
    for command in ("make scan", "make scan DB=path", "make test", "make clean"):
        assert any(line.startswith(command) for line in done.stdout.splitlines())


def test_clean_leaves_a_checkout_as_it_came(checkout: Checkout) -> None:
    fresh = set(checkout.folder.rglob("*"))
    checkout.make("test")
    assert checkout.make("clean").returncode == 0
    assert set(checkout.folder.rglob("*")) == fresh
