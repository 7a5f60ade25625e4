"""The child process that shuts itself in and then runs one command: no network, no host files, no way to gain rights.

Run as a program of its own with the standard library only; in: a JSON specification on stdin, out: lines on the descriptor
`report` ("error ...", "started", "exit N", "signal N"). Linux. If any step fails the command is not run.

Three processes: the outer one stays outside and writes the id maps of the second, which builds the namespaces and the file
system; the third is process 1 of the new process namespace. It runs the command, and when it ends the kernel ends
everything that is left. Whatever ends the outer one ends them all.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import socket
import sys
from collections.abc import Mapping
from typing import Any, NoReturn

NOBODY = 65534
SETTINGS = ("etc/ld.so.cache", "etc/alternatives")  # what programs need to start at all
DEVICES = ("null", "zero", "full", "random", "urandom")

# linux/sched.h
CLONE_ALL = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
# linux/mount.h
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV, ATTR_NOEXEC = 1, 2, 4, 8
MNT_DETACH = 2
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
SYS_MOUNT_SETATTR = 442  # the same on all machines, since Linux 5.12
SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41, "loongarch64": 41, "ppc64le": 203, "s390x": 217}
# linux/prctl.h, linux/capability.h
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 24, 38
CAPABILITY_VERSION = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


class Failed(Exception):
    """A step that did not work, in words."""


def check(result: int, step: str) -> None:
    if result < 0:
        raise Failed(f"{step}: {os.strerror(ctypes.get_errno())}")


def prctl(option: int, value: int) -> int:
    zero = ctypes.c_ulong(0)
    return int(_libc.prctl(option, ctypes.c_ulong(value), zero, zero, zero))


def mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    what = [os.fsencode(source), os.fsencode(target), kind.encode() if kind else None]
    check(_libc.mount(*what, ctypes.c_ulong(flags), data.encode() or None), f"mounting {target}")


class _Attributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns")]


def restrict(target: str, attributes: int, *, below: bool = True) -> None:
    wanted = _Attributes(attributes, 0, 0, 0)
    flags = AT_RECURSIVE if below else 0
    where = ctypes.c_char_p(os.fsencode(target))
    size = ctypes.c_size_t(ctypes.sizeof(wanted))
    check(_libc.syscall(SYS_MOUNT_SETATTR, AT_FDCWD, where, flags, ctypes.byref(wanted), size), f"restricting {target}")


def bind(source: str, target: str, attributes: int) -> None:
    mount(source, target, None, MS_BIND | MS_REC)
    restrict(target, attributes)


def touch(path: str, mode: int = 0o444) -> str:
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, mode))
    return path


# ---------------------------------------------------------------- the file system


BASE = "/tmp"  # the new root is put together on top of it, which only this process sees


def build(spec: Mapping[str, Any]) -> None:
    """A new root: programs and libraries, a few devices, the project without its secrets, an empty /tmp. Only /tmp is
    writable."""
    project = os.open(spec["project"], os.O_PATH | os.O_DIRECTORY) if spec["project"] else -1  # it may lie in /tmp
    readable = ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    mount("tmpfs", BASE, "tmpfs", MS_NOSUID | MS_NODEV, "size=4m,mode=755")
    for name in ("etc", "dev", "tmp", "project"):
        os.mkdir(f"{BASE}/{name}", 0o755)
    for name in spec["programs"]:
        if os.path.islink(f"/{name}"):
            os.makedirs(os.path.dirname(f"{BASE}/{name}"), 0o755, exist_ok=True)
            os.symlink(os.readlink(f"/{name}"), f"{BASE}/{name}")
        elif os.path.isdir(f"/{name}"):
            os.makedirs(f"{BASE}/{name}", 0o755)
            bind(f"/{name}", f"{BASE}/{name}", readable)
    for name in SETTINGS:
        if os.path.isdir(f"/{name}"):
            os.mkdir(f"{BASE}/{name}")
        elif os.path.isfile(f"/{name}"):
            touch(f"{BASE}/{name}")
        else:
            continue
        bind(f"/{name}", f"{BASE}/{name}", readable | ATTR_NOEXEC)
    for name in DEVICES:
        bind(f"/dev/{name}", touch(f"{BASE}/dev/{name}"), ATTR_NOSUID | ATTR_NOEXEC)
    if spec["project"]:
        show(spec, f"/proc/self/fd/{project}", f"{BASE}/project", readable | ATTR_NOEXEC)
        os.close(project)
    scratch = f"size={spec['scratch_bytes']},nr_inodes=10000,mode=1777"
    mount("tmpfs", f"{BASE}/tmp", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, scratch)
    restrict(BASE, ATTR_RDONLY, below=False)
    enter()


def show(spec: Mapping[str, Any], source: str, target: str, attributes: int) -> None:
    os.mkdir(nothing := f"{BASE}/.nothing", 0)
    touch(empty := f"{BASE}/.empty", 0)
    bind(source, target, attributes)
    for names, cover in ((spec["folders"], nothing), (spec["files"], empty)):
        for name in names:
            if os.path.lexists(f"{target}/{name}"):
                bind(cover, f"{target}/{name}", attributes)


def enter() -> None:
    call = SYS_PIVOT_ROOT.get(os.uname().machine)
    if call is None:
        raise Failed(f"no way to change the root is known for {os.uname().machine}")
    os.chdir(BASE)
    dot = ctypes.c_char_p(b".")
    check(_libc.syscall(call, dot, dot), "changing the root")  # the old root now lies above the new one
    check(_libc.umount2(dot, MNT_DETACH), "leaving the old root")
    os.chdir("/")


# ---------------------------------------------------------------- rights


def alone() -> None:
    """Proof that no network is left: the new namespace has its own loopback, which is down, and nothing else."""
    others = {name for _, name in socket.if_nameindex()} - {"lo", "sit0", "tunl0", "ip6tnl0", "gre0", "ip_vti0"}
    if others:
        raise Failed(f"the network is still there: {', '.join(sorted(others))}")


def forbid_more_namespaces() -> None:
    try:
        with open("/proc/sys/user/max_user_namespaces", "w") as setting:  # that of this user namespace
            setting.write("0")
    except OSError:
        pass  # /proc/sys may be read-only in a container; one lock less, all others hold


def drop_rights() -> None:
    """Nobody, without capabilities and without a way to gain any."""
    capability = 0
    while prctl(PR_CAPBSET_DROP, capability) == 0:
        capability += 1
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    check(_libc.capset(header, (ctypes.c_uint32 * 6)()), "dropping capabilities")
    check(prctl(PR_SET_NO_NEW_PRIVS, 1), "forbidding new rights")


def set_limits(limits: Mapping[str, int]) -> None:
    for name, value in limits.items():
        resource.setrlimit(getattr(resource, name), (value, value))


# ---------------------------------------------------------------- the three processes


def outer(spec: Mapping[str, Any], report: int) -> int:
    check(prctl(PR_SET_PDEATHSIG, signal.SIGKILL), "tying the processes together")
    built, tell_built = os.pipe()
    mapped, tell_mapped = os.pipe()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        os.close(built)
        os.close(tell_mapped)
        guarded(report, lambda: builder(spec, report, tell_built, mapped, parent))
    os.close(tell_built)
    os.close(mapped)
    if os.read(built, 1):
        write_maps(child)
        os.write(tell_mapped, b"1")
    os.close(tell_mapped)
    os.waitpid(child, 0)
    return 0


def write_maps(child: int) -> None:
    """Who is who inside. A user becomes nobody; root keeps itself for building, and nobody for running."""
    user, group = os.getuid(), os.getgid()
    if user == 0:
        users = groups = f"0 0 1\n{NOBODY} {NOBODY} 1\n"
    else:
        users, groups = f"{NOBODY} {user} 1\n", f"{NOBODY} {group} 1\n"
        with open(f"/proc/{child}/setgroups", "w") as file:
            file.write("deny")
    for name, text in (("uid_map", users), ("gid_map", groups)):
        with open(f"/proc/{child}/{name}", "w") as file:
            file.write(text)


def builder(spec: Mapping[str, Any], report: int, tell_built: int, mapped: int, parent: int) -> None:
    check(_libc.unshare(CLONE_ALL), "making namespaces")
    check(prctl(PR_SET_PDEATHSIG, signal.SIGKILL), "tying the processes together")
    if os.getppid() != parent:
        raise Failed("the process above is gone")
    os.write(tell_built, b"1")
    if not os.read(mapped, 1):
        raise Failed("mapping users failed")
    alone()
    forbid_more_namespaces()
    socket.sethostname("sandbox")
    build(spec)
    child = os.fork()
    if child == 0:
        guarded(report, lambda: first(spec, report))
    os.waitpid(child, 0)


def first(spec: Mapping[str, Any], report: int) -> None:
    """Process 1: run the command, take in whoever is orphaned, end with the command."""
    drop_rights()
    check(prctl(PR_SET_PDEATHSIG, signal.SIGKILL), "tying the processes together")  # a change of user had undone it
    command = os.fork()
    if command == 0:
        guarded(report, lambda: run(spec, report))
    for descriptor in (0, 1, 2):
        os.close(descriptor)
    while True:
        process, status = os.wait()
        if process == command:
            code = os.waitstatus_to_exitcode(status)
            os.write(report, f"exit {code}\n".encode() if code >= 0 else f"signal {-code}\n".encode())
            return


def run(spec: Mapping[str, Any], report: int) -> NoReturn:
    os.setsid()
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    os.chdir("/project" if spec["project"] else "/tmp")
    os.umask(0o077)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)  # Python had put them aside
    set_limits(spec["limits"])
    os.write(report, b"started\n")
    program = spec["argv"][0]
    try:
        os.execvpe(program, spec["argv"], spec["environment"])  # noqa: S606 running it is what this file is for
    except OSError as problem:
        raise Failed(f"starting {program}: {problem.strerror}") from None


def guarded(report: int, work: Any) -> NoReturn:
    """Run in a forked child: whatever happens it ends here, and is told."""
    try:
        work()
        os._exit(0)
    except BaseException as problem:  # noqa: BLE001 it is told, and the command is not run
        why = str(problem) if isinstance(problem, Failed) else f"{type(problem).__name__}: {problem}"
        os.write(report, ("error " + " ".join(why.split())[:500] + "\n").encode("utf-8", "replace"))
        os._exit(125)


def main() -> None:
    report = int(sys.argv[1])
    os.set_inheritable(report, False)
    spec = json.loads(sys.stdin.buffer.read())
    guarded(report, lambda: outer(spec, report))


if __name__ == "__main__":
    main()
