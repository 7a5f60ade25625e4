"""read_file reads text inside one folder; every way out of it, and every secret in it, is refused by name."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from canary import CANARY
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from watchdog.errors import UsageError
from watchdog.sandbox import FileText, Folder, Refused

ATTACKS = {
    "../outside/secret.txt": "path.outside",
    "notes/../../outside/secret.txt": "path.outside",
    "..": "path.outside",
    "./.././outside/secret.txt": "path.outside",
    "/etc/passwd": "path.outside",
    "//etc/passwd": "path.outside",
    "/proc/self/environ": "path.outside",
    "/dev/zero": "path.outside",
    "{root}/../outside/secret.txt": "path.outside",
    "{root}-other/a.txt": "path.outside",
    "~/.ssh/id_rsa": "path.home",
    "~root/x": "path.home",
    "readme.md\0.txt": "path.nul",
    "": "path.empty",
    "   ": "path.empty",
    "a\ud800": "path.text",
    "x/" * 3_000: "path.too_long",
    "a" * 300: "path.unreadable",
    "out/secret.txt": "path.outside",
    "out.txt": "path.outside",
    "absolute.txt": "path.outside",
    "passwd.txt": "path.outside",
    "process": "path.outside",
    "root/etc/passwd": "path.outside",
    "cwd/readme.md": "path.outside",
    "up/outside/secret.txt": "path.outside",
    "double/readme.md": "path.outside",
    "far": "path.outside",
    "loop": "path.loop",
    "grow": "path.loop",
    "gone": "path.missing",
    "nowhere.txt": "path.missing",
    "readme.md/..": "path.missing",
    "readme.md/../readme.md": "path.missing",
    "nowhere/../readme.md": "path.missing",
    "..%2f..%2fetc%2fpasswd": "path.missing",
    "..\\outside\\secret.txt": "path.missing",
    "file:///etc/passwd": "path.missing",
    "notes": "path.folder",
    ".": "path.folder",
    "{root}": "path.folder",
    "pipe": "path.special",
    "socket": "path.special",
    ".env": "path.secret",
    "./notes/.././.env": "path.secret",
    "{root}/.env": "path.secret",
    ".ENV": "path.secret",
    ".env.local": "path.secret",
    ".env. ": "path.secret",
    "\uff0eenv": "path.secret",
    ".e\u200cnv": "path.secret",
    "server.pem": "path.secret",
    "id_rsa": "path.secret",
    "id_ed25519.bak": "path.secret",
    "a.KEY": "path.secret",
    ".netrc": "path.secret",
    "secrets.yaml": "path.secret",
    ".git/config": "path.secret",
    ".git": "path.secret",
    ".ssh/known_hosts": "path.secret",
    ".aws/config": "path.secret",
    "reports/.watchdog/checkpoints.db": "path.secret",
    "innocent.txt": "path.secret",
    "innocent/config": "path.secret",
    ".git/no-such-file": "path.secret",  # whether it exists is not told either
    "key.txt": "path.secret",
    "mine.hid": "path.secret",
    "picture.png": "path.binary",
    "shop.db": "path.binary",
}


@pytest.mark.parametrize(("path", "rule"), ATTACKS.items(), ids=lambda text: ascii(text)[:60])
def test_a_path_that_leads_astray_is_refused_by_name(project: Path, path: str, rule: str) -> None:
    (project / "mine.hid").write_text(CANARY)
    found = Folder(project, hidden=["*.hid"]).read(path.replace("{root}", str(project)))
    assert isinstance(found, Refused), found
    assert found.rule == rule
    assert CANARY not in found.message
    found.message.encode()  # can be printed


@pytest.mark.parametrize(
    ("path", "text", "resolved"),
    [
        ("readme.md", "hello\n", "readme.md"),
        ("./notes//today.txt", "a note\n", "notes/today.txt"),
        ("notes/../readme.md", "hello\n", "readme.md"),
        ("{root}/readme.md", "hello\n", "readme.md"),
        ("good.txt", "a note\n", "notes/today.txt"),
        ("good/today.txt", "a note\n", "notes/today.txt"),
        ("good/../readme.md", "hello\n", "readme.md"),
        ("climb", "hello\n", "readme.md"),
        ("inside.txt", "hello\n", "readme.md"),
        (".env.example", "KEY=\n", ".env.example"),
    ],
)
def test_a_file_inside_is_read_also_through_links_that_stay_inside(
    project: Path, path: str, text: str, resolved: str
) -> None:
    found = Folder(project).read(path.replace("{root}", str(project)))
    assert isinstance(found, FileText), found
    assert (found.text, found.path, found.left_out_bytes) == (text, resolved, 0)


def test_a_folder_given_by_a_link_or_a_relative_path_takes_absolute_paths_in_both_spellings(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.parent / "alias").symlink_to(project)
    monkeypatch.chdir(project.parent)
    for root in (Path("alias"), Path("alias/../project")):
        folder = Folder(root)
        for path in (project / "readme.md", project.parent / root.parts[0] / "readme.md", Path("readme.md")):
            if path.is_absolute() and path.parent != project and ".." in root.parts:
                continue
            assert isinstance(folder.read(str(path)), FileText), (root, path)


def test_devices_are_never_read(project: Path) -> None:
    folder = Folder(Path("/dev"))
    for name in ("zero", "null", "urandom", "tty"):
        found = folder.read(name)
        assert isinstance(found, Refused)
        assert found.rule in ("path.special", "path.missing")


def test_what_a_long_file_has_more_is_counted(project: Path) -> None:
    (project / "long.txt").write_text("ä" * 1_000)
    found = Folder(project, limit_bytes=101).read("long.txt")
    assert isinstance(found, FileText)
    assert (found.text, found.size_bytes, found.left_out_bytes) == ("ä" * 50, 2_000, 1_899)


def test_a_file_without_end_is_read_to_the_limit(project: Path) -> None:
    with open(project / "sparse.txt", "wb") as file:
        file.write(b"text")
        file.truncate(1 << 40)
    found = Folder(project, limit_bytes=4).read("sparse.txt")
    assert isinstance(found, FileText)
    assert (found.text, found.left_out_bytes) == ("text", (1 << 40) - 4)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfwith a mark", "with a mark"),
        ("sixteen".encode("utf-16"), "sixteen"),
        (b"caf\xe9", "caf\ufffd"),
        (b"a\r\nb\rc", "a\nb\\x0dc"),
        ("\x1b[2Jhidden \u202e backwards".encode(), "\\x1b[2Jhidden \\u202e backwards"),
        (b"", ""),
        (b"url: postgresql://ann:hunter2@db/x", "url: postgresql://ann:***@db/x"),
        (b"key sk-abcdefghijklmnopqrstuvwx end", "key *** end"),
    ],
)
def test_text_is_decoded_and_made_harmless(project: Path, data: bytes, text: str) -> None:
    (project / "text").write_bytes(data)
    found = Folder(project).read("text")
    assert isinstance(found, FileText)
    assert found.text == text


def test_a_root_that_is_no_project_is_an_error_of_the_caller(tmp_path: Path) -> None:
    (tmp_path / "disk").symlink_to("/")
    for root in (Path("/"), tmp_path / "disk", tmp_path / "nowhere"):
        with pytest.raises(UsageError):
            Folder(root)


def test_a_project_folder_that_is_replaced_is_noticed(project: Path) -> None:
    folder = Folder(project)
    project.rename(project.parent / "moved")
    project.symlink_to(project.parent / "outside")
    found = folder.read("secret.txt")
    assert isinstance(found, Refused)
    project.unlink()
    project.mkdir()
    (project / "a.txt").write_text(CANARY)
    found = folder.read("a.txt")
    assert isinstance(found, Refused) and found.rule == "path.changed"


def test_swapping_files_and_folders_for_links_while_they_are_read_shows_nothing(project: Path) -> None:
    """Somebody with rights in the project races against the reader; what is read is one of ours or nothing."""
    (project / "swap").mkdir()
    (project / "swap" / "plain.txt").write_text("ours")
    (project / "file.txt").write_text("ours")
    outside = project.parent / "outside"
    done = threading.Event()

    def race() -> None:
        while not done.is_set():
            (project / "link").symlink_to(outside / "deep" / "plain.txt")
            os.replace(project / "link", project / "file.txt")
            os.rename(project / "swap", project / "kept")
            (project / "swap").symlink_to(outside / "deep")
            (project / "ours").write_text("ours")
            os.replace(project / "ours", project / "file.txt")
            (project / "swap").unlink()
            os.rename(project / "kept", project / "swap")

    racer = threading.Thread(target=race)
    racer.start()
    try:
        folder = Folder(project)
        found = [folder.read(path) for _ in range(2_000) for path in ("file.txt", "swap/plain.txt", "swap/../file.txt")]
    finally:
        done.set()
        racer.join()
    texts = {one.text for one in found if isinstance(one, FileText)}
    assert texts == {"ours"}
    rules = {one.rule for one in found if isinstance(one, Refused)}
    assert rules <= {"path.outside", "path.changed", "path.missing"}
    assert "path.outside" in rules  # the race took place


PIECES = st.lists(
    st.sampled_from(
        [
            "..", ".", "/", "//", "~", "\0", "\\", "out", "up", "notes", "good", "double", "root", "cwd", ".git",
            ".env",
            "secret.txt", "outside", "readme.md", "today.txt", "etc", "passwd", "proc", "self", "environ", " ",
            "\u2025", "%2e%2e",
        ]
    ) | st.text(max_size=5),
    max_size=8,
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None)
@given(pieces=PIECES, glue=st.sampled_from(["/", ""]), rooted=st.booleans())
def test_no_path_raises_or_shows_what_is_outside(project: Path, pieces: list[str], glue: str, rooted: bool) -> None:
    found = Folder(project).read((str(project) + "/" if rooted else "") + glue.join(pieces))
    if isinstance(found, FileText):
        assert found.text in ("hello\n", "a note\n", "KEY=\n", "an odd name\n")
        assert (project / found.path).resolve().is_relative_to(project)
    else:
        assert found.rule.startswith("path.") and found.message


def test_no_descriptor_is_left_open(project: Path) -> None:
    folder = Folder(project)
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    for path in ("readme.md", "out.txt", "nowhere", "notes", "pipe", "good/today.txt", "inside.txt", ".env", "loop"):
        folder.read(path)
    assert (len(os.listdir("/proc/self/fd")) if before else 0) == before
