"""Bundled things are found wherever Watchdog is installed, and only they."""

from pathlib import Path

import pytest

from watchdog import places
from watchdog.errors import UsageError


def task(folder: Path, name: str) -> Path:
    (folder / name).mkdir(parents=True)
    (folder / name / "task.yaml").write_text("description: x\n")
    return folder / name


def test_in_a_wheel_they_lie_in_the_package(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "watchdog"
    (package / "_bundled" / "tasks").mkdir(parents=True)
    (tmp_path / "site-packages" / "tasks").mkdir()
    assert places.bundled("tasks", package) == package / "_bundled" / "tasks"


def test_in_a_checkout_they_lie_beside_the_package(tmp_path: Path) -> None:
    (tmp_path / "watchdog").mkdir()
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "tasks").mkdir()
    assert places.bundled("tasks", tmp_path / "watchdog") == tmp_path / "tasks"


def test_the_tasks_folder_of_somebody_else_in_site_packages_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "watchdog").mkdir()
    (tmp_path / "tasks").mkdir()
    with pytest.raises(UsageError, match="lacks 'tasks'"):
        places.bundled("tasks", tmp_path / "watchdog")


def test_the_users_task_wins(tmp_path: Path) -> None:
    mine = task(tmp_path / "tasks", "data-quality")
    assert places.find_task("data-quality", tmp_path) == mine
    assert places.tasks_folders(tmp_path)[0] == tmp_path / "tasks"


def test_a_folder_without_task_yaml_is_still_the_users_task(tmp_path: Path) -> None:
    (tmp_path / "tasks" / "broken").mkdir(parents=True)
    assert places.find_task("broken", tmp_path) == tmp_path / "tasks" / "broken"


def test_without_a_config_only_the_bundled_tasks_are_known(tmp_path: Path) -> None:
    assert len(places.tasks_folders(None)) == 1
    assert places.tasks_folders(tmp_path) == places.tasks_folders(None)


def test_the_checkouts_own_folder_is_listed_once() -> None:
    shipped = places.bundled("tasks")
    assert places.tasks_folders(shipped.parent) == [shipped]


def test_an_unknown_task_lists_the_known_ones(tmp_path: Path) -> None:
    task(tmp_path / "tasks", "alpha")
    task(tmp_path / "tasks", "beta")
    with pytest.raises(UsageError) as caught:
        places.find_task("alfa", tmp_path)
    assert "did you mean 'alpha'?" in caught.value.hint and "beta" in caught.value.hint


@pytest.mark.parametrize("name", ["../x", "a/b", "..", ".", "", "/etc", "a\\b", "a\0b", "a" * 65, ".hidden"])
def test_a_name_that_is_a_path_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be the name of a task"):
        places.find_task(name, tmp_path)


def test_the_config_template_is_found() -> None:
    assert places.config_template().name == "config.yaml"
