"""`.env`: KEY=VALUE lines that the environment beats."""

import os
from pathlib import Path

import pytest

from watchdog.config import env_file, environment, load_config
from watchdog.errors import ConfigError


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test sets is gone after it."""
    for name in ("WD_A", "WD_B", "WD_C"):
        monkeypatch.setenv(name, "x")
        monkeypatch.delenv(name)


def read(folder: Path, text: str) -> dict[str, str]:
    (folder / ".env").write_text(text, encoding="utf-8")
    return env_file(folder / ".env")


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("WD_A=1", "1"),
        ("  export WD_A = 1  ", "1"),
        ("WD_A=", ""),
        ("WD_A='a # b'", "a # b"),
        ('WD_A="a\\"b\\n" # x', 'a"b\n'),
    ]
    + [("WD_A=a # b", "a"), ("WD_A=a#b", "a#b"), ("WD_A=# b", ""), ("WD_A=${HOME}", "${HOME}"), ("WD_A=a=b", "a=b")]
    + [("WD_A='a\\n'", "a\\n"), ("# x\n\nWD_A=ü", "ü"), ("\ufeffWD_A=1\r", "1"), ("WD_A=it's", "it's")],
)
def test_a_line_is_read_as_shells_do(tmp_path: Path, line: str, value: str) -> None:
    assert read(tmp_path, line) == {"WD_A": value}


def test_the_environment_beats_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WD_A", "shell")
    read(tmp_path, "WD_A=file\nWD_B=file\n")
    told = environment(tmp_path)
    assert (told["WD_A"], told["WD_B"]) == ("shell", "file")


def test_the_first_of_two_lines_with_one_key_counts(tmp_path: Path) -> None:
    assert read(tmp_path, "WD_A=1\nWD_A=2\n") == {"WD_A": "1"}


def test_the_file_fills_variables_and_never_enters_the_environment(tmp_path: Path) -> None:
    before = dict(os.environ)
    read(tmp_path, "WD_A=shop.db\nLD_PRELOAD=/x\nPYTHONPATH=/x\nOPENAI_API_KEY=k-123456\n")
    (tmp_path / "config.yaml").write_text('watchdog: 1\nsources: {shop: {path: "${WD_A}"}}\n')
    config = load_config(tmp_path / "config.yaml")
    assert config.source("shop").path == tmp_path / "shop.db"
    assert config.environ["OPENAI_API_KEY"] == "k-123456" and "k-123456" not in repr(config)
    assert dict(os.environ) == before


@pytest.mark.parametrize("line", ["hunter2", "1A=hunter2", 'WD_B="hunter2', "WD_B='hunter2' x", "=hunter2"])
def test_a_broken_line_is_named_by_number_and_not_shown(tmp_path: Path, line: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, f"WD_A=1\n{line}\n")
    assert ".env:2: " in str(caught.value) and "hunter2" not in str(caught.value)


def test_no_file_is_nothing_to_do(tmp_path: Path) -> None:
    assert env_file(tmp_path / ".env") == {}
