"""What reaches stdout is whole or the exit code says so, and a broken stderr changes nothing, for every command."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from watchdog.cli.inputs import MOST

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="no /dev/full on this system")
Shell = Callable[..., tuple[int, str]]


@pytest.fixture(params=["", "1"], ids=["buffered", "unbuffered"])
def shell(request: pytest.FixtureRequest, root: Path, tmp_path: Path) -> Shell:
    """Runs `watchdog REST` in a shell: its exit code, and what it left on stderr."""

    def call(rest: str, *, most_bytes: int | None = None) -> tuple[int, str]:
        def limit() -> None:
            if most_bytes is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

        environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONUNBUFFERED": request.param}
        done = subprocess.run(
            ["sh", "-c", f'exec "{sys.executable}" -m watchdog.cli.app {rest}'], cwd=tmp_path, env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False, timeout=60, preexec_fn=limit,
        )  # fmt: skip
        return done.returncode, done.stderr

    return call


@pytest.fixture
def found(watchdog: Callable, shop: Path, tmp_path: Path) -> Path:
    path = tmp_path / "found.json"
    watchdog("scan", shop, "--format", "json", "--output", path)
    return path


@needs_full
def test_every_command_says_in_one_line_that_the_disk_of_stdout_is_full(shell: Shell, shop: Path, found: Path) -> None:
    (found.parent / "report.md").write_text("3 orders.\n")
    (found.parent / "s.yaml").write_text(
        f"watchdog: 1\nsources: {{shop: {{path: {shop}}}}}\nschedules: [{{source: shop, every: 1h}}]\n"
    )
    for command in (
        "--help", "scan --help", f'scan "{shop}"', f'scan "{shop}" --format json', "checks", "explain not_null", "doctor",
        "report found.json", "verify report.md --findings found.json", "schedule --list --config s.yaml",
    ):  # fmt: skip
        code, said = shell(f"{command} > /dev/full")
        assert code == 3, (command, said)
        assert said.count("\n") == 1 and "cannot write to stdout" in said, (command, said)
    for closed in ("--help", "checks", f'scan "{shop}"', "schedule --list --config s.yaml"):
        code, said = shell(f"{closed} >&-")
        assert (code, "Traceback" in said) == (3, False) and "closed" in said, (closed, said)


def test_a_disk_that_fills_part_way_is_no_success(shell: Shell, shop: Path, tmp_path: Path) -> None:
    code, said = shell(f'scan "{shop}" --format json > cut.json', most_bytes=4096)
    assert code == 3 and "cannot write to stdout" in said and "Traceback" not in said
    assert (tmp_path / "cut.json").stat().st_size == 4096
    code, said = shell("--help > cut.txt", most_bytes=512)
    assert code == 3 and "cannot write to stdout" in said
    code, said = shell(f'scan "{shop}" --format json --output whole.json', most_bytes=4096)
    assert code == 3 and "cannot write whole.json" in said
    assert not [p for p in tmp_path.iterdir() if "whole" in p.name]


@needs_full
def test_an_error_keeps_its_exit_code_where_stderr_is_broken(shell: Shell, shop: Path, tmp_path: Path) -> None:
    for broken in ("2>&-", "2>/dev/full"):
        assert shell(f"scan nosuch {broken} > out.txt") == (3, "")
        assert (tmp_path / "out.txt").read_text() == ""  # what belongs on stderr never moves to stdout
        assert shell(f'scan "{shop}" --format jsn {broken}')[0] == 2
        assert shell(f"scan --nonsense {broken}")[0] == 2
        assert shell(f'scan "{shop}" {broken}')[0] == 1
    assert shell("scan nosuch >/dev/full 2>&1") == (3, "")
    assert shell("scan nosuch >&- 2>&- <&-") == (3, "")


def test_a_closed_descriptor_is_not_taken_by_a_file(shell: Shell, shop: Path, tmp_path: Path) -> None:
    before = shop.read_bytes()
    assert shell(f'scan "{shop}" --format json --output out.json >&- 2>&- <&-')[0] == 1
    assert json.loads((tmp_path / "out.json").read_text())["findings"]
    assert shop.read_bytes() == before


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors have no such names on this system")
def test_a_name_for_a_closed_stream_is_no_output(shell: Shell, shop: Path, found: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/dev/stdout")
    for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1", "link"):
        code, said = shell(f'scan "{shop}" --output {name} >&-')
        assert code == 3 and "closed" in said and said.count("watchdog: ") == 1, (name, said)
    for rest in (
        f'scan "{shop}" --write-baseline /dev/stdout >&-', f'scan "{shop}" --output /dev/stdin <&-',
        "report found.json --output /dev/stdout >&-",
    ):  # fmt: skip
        code, said = shell(rest)
        assert code == 3 and "closed" in said, (rest, said)
    for name in ("/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"):
        assert shell(f'scan "{shop}" --output {name} 2>&-') == (3, "")
    assert shell(f'scan "{shop}" --output /dev/null >&- 2>&- <&-')[0] == 1
    assert shell(f'scan "{shop}" --format json --output /dev/stdout 2>&- > out.json')[0] == 1
    assert json.loads((tmp_path / "out.json").read_text())["findings"]


@pytest.mark.parametrize("blocking", [True, False])
def test_a_pipe_that_takes_little_at_a_time_gets_everything(root: Path, blocking: bool) -> None:
    size = 1_000_000  # more than any pipe holds
    code = (
        "import sys; from watchdog.cli.streams import safe_streams\n"
        f"with safe_streams(): sys.stdout.write('x' * {size}); sys.stdout.flush()"
    )
    reader, writer = os.pipe()
    os.set_blocking(writer, blocking)
    with subprocess.Popen([sys.executable, "-c", code], cwd=root, stdout=writer) as running:
        os.close(writer)
        with open(reader, "rb") as end:
            assert len(end.read()) == size  # ends when the process does
    assert running.returncode == 0


@needs_full
def test_a_broken_stdout_costs_reports_nothing(shell: Shell, shop: Path, tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(f"watchdog: 1\nsources: {{shop: {{path: {shop}}}}}\n")
    assert shell("scan --quiet > /dev/full")[0] == 3
    assert (tmp_path / "reports" / "shop" / "latest.json").exists()


@needs_full
def test_a_task_says_it_as_well(shell: Shell, root: Path, shop: Path) -> None:
    run = root / "tasks" / "data-quality" / "run.py"
    for rest, code in ((f'--db "{shop}" > /dev/full', 3), ("--help > /dev/full", 3), ("--db nosuch 2>/dev/full", 3)):
        done = subprocess.run(["sh", "-c", f'"{sys.executable}" "{run}" {rest}'], capture_output=True, text=True, check=False)
        assert (done.returncode, "Traceback" in done.stderr) == (code, False), (rest, done.stderr)


# ---------------------------------------------------------------- what is read

DEVICES = [Path(name) for name in ("/dev/zero", "/dev/null", "/dev") if Path(name).exists()]


@pytest.mark.parametrize("device", [*DEVICES, "fifo", "huge"], ids=str)
def test_what_never_ends_or_is_huge_is_refused_at_once(
    watchdog: Callable, shop: Path, found: Path, tmp_path: Path, device: str | Path
) -> None:
    path = tmp_path / str(device) if device in ("fifo", "huge") else Path(device)
    if device == "fifo":
        os.mkfifo(path)
    elif device == "huge":
        with path.open("wb") as file:
            file.truncate(max(MOST.values()) + 1_000_000)  # sparse
    text = tmp_path / "r.md"
    text.write_text("3 orders\n")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    config = tmp_path / "q.yaml"
    config.write_text(f"watchdog: 1\nsources: {{shop: {{path: {shop}, checks: [{{query: {{file: '{path}'}}}}]}}}}\n")
    for code, arguments in (
        (2, ("scan", shop, "--baseline", path)), (2, ("scan", shop, "--config", path)), (2, ("scan", "--config", config)),
        (3, ("verify", path, "--findings", found)), (3, ("report", path)),
        (3, ("verify", text, "--findings", path)),
    ):  # fmt: skip
        called = watchdog(*arguments)
        assert called.code == code and called.says_one_thing, (arguments, called.err)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 100_000  # kilobytes


def test_stdin_has_a_bound(root: Path, found: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from io import BytesIO

    from watchdog.reading import read_stream

    assert read_stream(BytesIO(b"abc"), 3) == b"abc"
    with pytest.raises(OSError, match="larger than"):
        read_stream(BytesIO(b"abcd"), 3)
