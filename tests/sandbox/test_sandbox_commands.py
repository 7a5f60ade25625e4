"""Commands that really run: what they see, what they cannot do, and how they end.

The fence (`judge`) refuses shells; to test the wall behind it, `walled` runs one in the jail without asking the fence.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from canary import CANARY
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from watchdog.sandbox import CommandLimits, CommandResult, Commands, Folder, Refused, isolation_reason
from watchdog.sandbox.paths import Covered

LIMITS = CommandLimits(seconds=20)  # far more than anything here takes, unless a test says otherwise
SHORT = replace(LIMITS, seconds=1.0)


def ran(project: Path, *command: str, limits: CommandLimits = LIMITS) -> CommandResult:
    found = Commands(Folder(project), allow=[command[0]], limits=limits).run(command)
    assert isinstance(found, CommandResult), found
    return found


def walled(project: Path, script: str, limits: CommandLimits = LIMITS) -> CommandResult:
    folder = Folder(project)
    covered = folder.covered()
    assert isinstance(covered, Covered)
    found = Commands(folder, limits=limits)._shut_in(["bash", "-c", script], covered)
    assert isinstance(found, CommandResult), found
    return found


@pytest.fixture
def bash(isolated: None) -> None:
    if not shutil.which("bash", path="/usr/bin:/bin"):
        pytest.skip("no bash, which the tests of the wall are written for")


@pytest.mark.usefixtures("isolated")
def test_an_allowed_command_runs_in_the_project_folder(project: Path) -> None:
    found = ran(project, "cat", "notes/today.txt")
    assert (found.exit_code, found.stdout, found.stderr, found.ok) == (0, "a note\n", "", True)
    assert ran(project, "pwd").stdout == "/project\n"


@pytest.mark.usefixtures("isolated")
def test_a_failure_is_a_result_with_its_text(project: Path) -> None:
    found = ran(project, "cat", "nowhere.txt")
    assert found.exit_code == 1 and not found.ok
    assert "nowhere.txt" in found.stderr


def test_a_program_that_is_not_installed_is_named(project: Path) -> None:
    found = Commands(Folder(project), allow=["no-such-program-here"]).run("no-such-program-here")
    assert isinstance(found, Refused) and found.rule == "command.missing"


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd", "/etc/shadow", "/proc/self/environ", "/proc/1/environ", "/root/.ssh/id_rsa", "/sys/kernel/notes",
        "/dev/tty", "/home", "/var/log", "/run", "../outside/secret.txt", "out.txt", "absolute.txt", "passwd.txt",
        "root/etc/passwd",
        ".env", ".env.local", "server.pem", "id_rsa", ".git/config", ".ssh/known_hosts", ".aws/config", "innocent.txt",
        "innocent/config", "reports/.watchdog/checkpoints.db", "shop.db", "secrets.yaml", "a.KEY", "pipe", "socket",
        "key.txt",
        "{outside}",
    ],
)  # fmt: skip
def test_a_command_sees_nothing_outside_and_no_secret(project: Path, path: str) -> None:
    path = path.replace("{outside}", str(project.parent / "outside" / "secret.txt"))
    found = ran(project, "cat", "--", path)
    assert CANARY not in found.stdout + found.stderr
    assert found.stdout == ""


@pytest.mark.usefixtures("isolated")
def test_searching_the_whole_disk_finds_no_secret(project: Path) -> None:
    found = ran(project, "grep", "-rI", CANARY, "/project", "/tmp", "/dev/null", "/etc")
    assert (
        f"/project/key.txt:{CANARY}" in found.stdout
    )  # by its text, not by its name: shown without the line that tells
    assert found.stdout.count(CANARY) == 1


@pytest.mark.usefixtures("isolated")
def test_a_private_key_is_not_shown(project: Path) -> None:
    found = ran(project, "cat", "key.txt")
    assert found.stdout == ""
    assert found.reasons == ("stdout holds a private key, which is not shown",)


@pytest.mark.usefixtures("isolated")
def test_a_command_gets_an_environment_of_its_own(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "LD_PRELOAD_X", "PYTHONPATH", "BASH_ENV", "HTTP_PROXY"):
        monkeypatch.setenv(name, CANARY)
    found = ran(project, "printenv")
    assert CANARY not in found.stdout
    names = {line.partition("=")[0] for line in found.stdout.splitlines()}
    assert names == {"HOME", "LANG", "LC_ALL", "PAGER", "PATH", "TERM", "TMPDIR", "TZ"}


@pytest.mark.usefixtures("isolated")
def test_a_program_is_never_taken_from_the_callers_path(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "true").write_text(f"#!/bin/sh\necho {CANARY}\n")
    (tmp_path / "true").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert ran(project, "true").stdout == ""


@pytest.mark.usefixtures("bash")
def test_nothing_can_be_written_but_an_empty_tmp(project: Path) -> None:
    before = sorted(p.name for p in project.iterdir())
    tried = "/project/x /project/notes/today.txt /x /usr/x /usr/bin/x /etc/x /dev/x /project/.env"
    try_all = f"for f in {tried}; do (echo {CANARY} > $f) && echo wrote $f; done"
    found = walled(project, f"ls -A /tmp; {try_all}; echo a > /tmp/a; cat /tmp/a")
    assert found.stdout == "a\n"
    assert sorted(p.name for p in project.iterdir()) == before
    assert (project / "notes" / "today.txt").read_text() == "a note\n"
    assert not Path("/tmp/a").exists() or Path("/tmp/a").read_text() != "a\n"
    assert walled(project, "ls -A /tmp").stdout == ""  # the next one finds nothing of it


@contextmanager
def listener() -> Iterator[tuple[int, list[int]]]:
    """A port of 127.0.0.1 and the connections that came."""
    counted: list[int] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        done = threading.Event()

        def count() -> None:
            while not done.is_set():
                try:
                    server.accept()[0].close()
                    counted.append(1)
                except TimeoutError:
                    pass

        thread = threading.Thread(target=count)
        thread.start()
        try:
            yield server.getsockname()[1], counted
        finally:
            time.sleep(0.2)
            done.set()
            thread.join()


@pytest.mark.usefixtures("bash")
def test_no_connection_leaves_the_jail(project: Path) -> None:
    knock = "exec 3<>/dev/tcp/127.0.0.1/{port} && echo connected"
    with listener() as (port, counted):
        found = walled(project, knock.format(port=port) + "; echo x > /dev/udp/127.0.0.1/53 && echo sent")
    assert "connected" not in found.stdout and found.exit_code != 0
    assert counted == []
    with listener() as (port, counted):  # the same without the jail does connect, so that the count means something
        subprocess.run(["bash", "-c", knock.format(port=port)], check=True, capture_output=True)
    assert counted == [1]


@pytest.mark.usefixtures("isolated")
@pytest.mark.skipif(not shutil.which("curl", path="/usr/bin:/bin"), reason="no curl")
def test_an_allowed_curl_reaches_nobody(project: Path) -> None:
    with listener() as (port, counted):
        assert ran(project, "curl", "-s", f"http://127.0.0.1:{port}/").exit_code == 7
    assert counted == []


@pytest.mark.usefixtures("bash")
def test_pipes_and_sockets_of_the_project_lead_nowhere(project: Path) -> None:
    found = walled(project, "test -p pipe && echo pipe; test -S socket && echo socket; echo x > pipe")
    assert found.stdout == ""


@pytest.mark.usefixtures("bash")
def test_no_right_can_be_gained(project: Path) -> None:
    script = """id -u
    unshare -Ur true && echo namespace; mount -t proc proc /tmp && echo mounted; chroot / true && echo root
    ls /dev | grep -v -e full -e null -e random -e zero
    mknod /tmp/sda b 8 0 && echo device; find / -xdev -perm -4000 -exec {} --version \\; > /tmp/out 2>&1
    su -c true && echo su; test -e /proc/self && echo proc; hostname x && echo named; nice -n -5 true 2>&1 | grep -v . ; id -u"""
    assert walled(project, script).stdout == "65534\n65534\n"


@pytest.mark.usefixtures("bash")
def test_only_processes_of_its_own_can_be_killed(project: Path) -> None:
    bystander = subprocess.Popen(["sleep", "60"])
    try:
        found = walled(project, f"kill -9 {bystander.pid} {os.getpid()} 1; kill -9 -1; echo alive")
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()
    assert "alive" in found.stdout or found.reasons  # it may have hit itself


def processes_with(text: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().decode(errors="replace")
        except OSError:
            continue
        if text in line and "bash_jobs" not in line:
            found.append(line)
    return found


def gone(text: str) -> bool:
    """Whether no process has the text in its command line, within some seconds."""
    for _ in range(100):
        if not processes_with(text):
            return True
        time.sleep(0.1)
    return False


@pytest.mark.usefixtures("bash")
def test_what_takes_too_long_is_ended_with_all_its_children(project: Path) -> None:
    mark = "31536001"
    script = f"echo begun; setsid sleep {mark} & (trap '' TERM INT HUP; sleep {mark}) & nohup sleep {mark} & wait"
    found = walled(project, script, SHORT)
    assert (found.rule, found.exit_code, found.ok) == ("command.time", None, False)
    assert found.stdout == "begun\n" and found.stdout_truncated
    assert found.reasons == ("ended, because its time was up",)
    assert gone(mark)


@pytest.mark.usefixtures("bash")
def test_what_is_left_behind_ends_with_the_command(project: Path) -> None:
    mark = "31536002"
    found = walled(project, f"setsid nohup sleep {mark} > /dev/null 2>&1 & disown; echo done")
    assert (found.stdout, found.rule) == ("done\n", "")
    assert gone(mark)


@pytest.mark.usefixtures("bash")
def test_a_command_ends_when_we_are_killed(project: Path) -> None:
    mark = "31536003"
    code = (
        "import sys; from pathlib import Path; from watchdog.sandbox import Commands, Folder\n"
        f"Commands(Folder(Path(sys.argv[1])), allow=['sleep']).run(['sleep', '{mark}'])"
    )
    ours = subprocess.Popen([sys.executable, "-c", code, str(project)], cwd=Path(__file__).parents[2])
    try:
        for _ in range(200):
            if any(line.startswith("sleep") for line in processes_with(mark)):
                break
            time.sleep(0.1)
        else:
            pytest.fail("it never started")
    finally:
        ours.kill()
        ours.wait()
    assert gone(mark)


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize("limit", [0, 1, 1_000, 100_000])
def test_output_without_end_is_cut(project: Path, limit: int) -> None:
    found = ran(project, "yes", limits=replace(LIMITS, output_bytes=limit))
    assert found.rule == "command.output" and found.stdout_truncated and not found.stderr_truncated
    assert len(found.stdout) == limit
    assert found.reasons == ("ended, because it wrote more than may be read",)


@pytest.mark.usefixtures("isolated")
def test_output_of_just_the_limit_is_whole(project: Path) -> None:
    found = ran(project, "cat", "readme.md", limits=replace(LIMITS, output_bytes=6))
    assert (found.stdout, found.stdout_truncated, found.rule) == ("hello\n", False, "")


@pytest.mark.usefixtures("isolated")
def test_binary_output_is_named_not_shown(project: Path) -> None:
    found = ran(project, "head", "-c", "1000", "/dev/urandom")
    assert found.stdout == "" and found.reasons == ("stdout is binary (1,000 bytes), which is not shown",)


@pytest.mark.usefixtures("bash")
def test_memory_is_limited(project: Path) -> None:
    found = walled(project, "head -c 300M /dev/zero | tail", replace(LIMITS, memory_bytes=64 * 1024 * 1024))
    assert "memory exhausted" in found.stderr
    assert found.exit_code != 0


@pytest.mark.usefixtures("bash")
def test_a_fork_bomb_stays_small(project: Path) -> None:
    found = walled(project, "for i in {1..100}; do sleep 5 & done 2>&1; jobs -p | wc -l", replace(SHORT, processes=10))
    assert re.search("fork: .*unavailable", found.stdout + found.stderr)
    found = walled(project, ":(){ :|:& };:; sleep 9", SHORT)
    assert found.rule == "command.time" or "fork" in found.stderr


@pytest.mark.usefixtures("bash")
def test_files_and_the_scratch_folder_are_limited(project: Path) -> None:
    small = replace(LIMITS, file_bytes=1_000_000, scratch_bytes=4_000_000)
    found = walled(project, "head -c 5M /dev/zero > /tmp/x; echo $?; stat -c %s /tmp/x", small)
    assert found.stdout.splitlines() == ["153", "1000000"]  # 128 + SIGXFSZ
    script = "for i in 1 2 3 4 5 6; do head -c 900K /dev/zero > /tmp/$i; done; du -sk /tmp"
    assert int(walled(project, script, small).stdout.split()[0]) <= 4_000


@pytest.mark.usefixtures("bash")
def test_processor_time_is_limited_in_each_process(project: Path) -> None:
    assert walled(project, "ulimit -Ht; ulimit -Hc; ulimit -Hn; ulimit -Hu").stdout.split() == ["21", "0", "128", "16"]


@pytest.mark.usefixtures("bash")
def test_nothing_is_read_from_our_own_input(project: Path) -> None:
    found = walled(project, "cat; for n in 3 4 5 6 7 8 9; do (: <&$n) 2>/dev/null && echo open $n; done")
    assert found.stdout == ""


@pytest.mark.usefixtures("isolated")
def test_without_a_project_there_is_an_empty_folder() -> None:
    commands = Commands(allow=["ls", "pwd"], limits=LIMITS)
    found = [commands.run(line) for line in ("pwd", "ls -A", "ls -A /project")]
    assert [one.stdout for one in found if isinstance(one, CommandResult)] == ["/tmp\n", "", ""]


def test_where_no_namespaces_are_to_be_had_everything_is_refused(project: Path) -> None:
    """A user namespace in which no other can be made, as in many containers."""
    code = (
        "import sys; from pathlib import Path; from watchdog.sandbox import Commands, Folder, Refused\n"
        "found = Commands(Folder(Path(sys.argv[1])), allow=['true']).run('true')\n"
        "print(found.rule if isinstance(found, Refused) else found)"
    )
    limited = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" -c "$1" "$2"'
    command = ["unshare", "-Ur", "sh", "-c", limited, sys.executable, code, str(project)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)
    except FileNotFoundError:
        pytest.skip("no unshare")
    if not done.stdout:
        pytest.skip(f"cannot make such a namespace: {done.stderr.strip()[-200:]}")
    assert done.stdout == "command.no_isolation\n"


@pytest.mark.parametrize("folder", ["/usr", "/usr/share", "/usr/lib", "/bin"])
def test_a_project_among_the_programs_is_refused(folder: str) -> None:
    found = Commands(Folder(Path(folder)), allow=["true"])._shut_in(["true"], Covered((), ()))
    assert isinstance(found, Refused) and found.rule == "command.no_isolation"


@pytest.mark.usefixtures("isolated")
def test_of_the_system_only_programs_are_shown(project: Path) -> None:
    assert ran(project, "ls", "/usr/local").stdout.split() == ["bin", "lib"]
    assert set(ran(project, "ls", "-A", "/").stdout.split()) <= {
        ".empty", ".nothing", "bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "project", "tmp", "usr"
    }  # fmt: skip


def test_a_project_that_cannot_be_looked_through_is_refused(project: Path) -> None:
    for number in range(2_001):
        (project / f"{number}.pem").touch()
    found = Commands(Folder(project), allow=["true"]).run("true")
    assert isinstance(found, Refused) and found.rule == "command.project_too_large"


@pytest.mark.skipif(bool(isolation_reason()), reason=isolation_reason() or "-")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(
    st.lists(
        st.sampled_from("../ / out root .git .env * -r -f /proc/self/ environ notes readme.md".split())
        | st.text(max_size=8),
        max_size=6,
    )
)
def test_no_arguments_raise_or_reach_outside(project: Path, words: list[str]) -> None:
    found = Commands(Folder(project), allow=["head"], limits=LIMITS).run(["head", "-n5", *words])
    if isinstance(found, CommandResult):
        assert CANARY not in found.stdout
    else:
        assert found.rule.startswith("command.")
