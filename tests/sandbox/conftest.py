"""A project folder with everything in it that must not be read, and a folder beside it that must not be reached."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from canary import CANARY

from watchdog.sandbox import isolation_reason


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    tmp_path.chmod(0o755)  # run by root, commands run as nobody
    outside, root = tmp_path / "outside", tmp_path / "project"
    (root / "notes").mkdir(parents=True)
    (outside / "deep").mkdir(parents=True)
    (outside / "secret.txt").write_text(CANARY)
    (outside / "deep" / "plain.txt").write_text(CANARY)
    (tmp_path / "project-other").mkdir()
    (tmp_path / "project-other" / "a.txt").write_text(CANARY)
    (root / "readme.md").write_text("hello\n")
    (root / "notes" / "today.txt").write_text("a note\n")
    (root / "notes" / "-rf").write_text("an odd name\n")
    (root / ".env.example").write_text("KEY=\n")
    for name in (".env", ".env.local", "server.pem", "id_rsa", "id_ed25519.bak", ".netrc", "secrets.yaml", "a.KEY"):
        (root / name).write_text(CANARY)
    for name in (".git/config", ".ssh/known_hosts", ".aws/config", "reports/.watchdog/checkpoints.db"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(CANARY)
    (root / "shop.db").write_bytes(b"SQLite format 3\0" + CANARY.encode())
    (root / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0" + CANARY.encode())
    (root / "key.txt").write_text(f"-----BEGIN OPENSSH PRIVATE KEY-----\n{CANARY}\n")
    links = {
        "out": "../outside", "out.txt": "../outside/secret.txt", "absolute.txt": str(outside / "secret.txt"),
        "passwd.txt": "/etc/passwd", "process": "/proc/self/environ", "root": "/proc/self/root",
        "cwd": "/proc/self/cwd",
        "innocent.txt": ".env", "innocent": ".git", "loop": "loop", "up": "..", "double": "up/project",
        "far": "notes/../../outside/secret.txt", "good.txt": "notes/today.txt", "good": "notes",
        "climb": "notes/../readme.md",
        "inside.txt": str(root / "readme.md"), "gone": "nowhere",
    }  # fmt: skip
    for name, target in links.items():
        (root / name).symlink_to(target)
    (root / "grow").symlink_to("grow/grow/grow")
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        here = os.getcwd()
        os.chdir(root)  # the name of a socket has at most 108 characters
        try:
            listening.bind("socket")
        finally:
            os.chdir(here)
        yield root


@pytest.fixture
def isolated() -> None:
    """Skips, with the reason, where the system cannot shut a command in."""
    if reason := isolation_reason():
        pytest.skip(reason)
