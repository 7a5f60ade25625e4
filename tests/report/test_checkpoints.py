"""A report that was killed goes on where it was, and one that waits for a person does too."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from reporting import HALF, HONEST, LINE, STATUS, body, document, line_of, patches, written

from watchdog.chat import Scripted, Spent
from watchdog.errors import OutputError, UsageError, WatchdogError
from watchdog.report import AwaitsApproval
from watchdog.report.checkpoints import KEPT, CheckpointError, checkpoints

MENDS = patches((LINE[STATUS], line_of(STATUS)))
CHILD = """
import sys, time
from pathlib import Path
from reporting import FOLDER, HALF, LINE, STATUS, document, line_of, patches, task
from watchdog.chat import Scripted, Spent
from watchdog.report import write_report
from watchdog.verify import verify_fn

calls, base, stop_at, resume = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4] == "resume"

def note(what):
    with calls.open("a") as stream:
        stream.write(what + "\\n")
    if what == stop_at:
        time.sleep(600)

MENDS_STATUS = patches((LINE[STATUS], line_of(STATUS)))

def answer(messages):
    fixing = "FEEDBACK" in messages[-1]["content"]
    note("fix" if fixing else "specialist")
    return MENDS_STATUS if fixing else HALF

rounds = []
def verify(state):
    rounds.append(1)
    note("verify")
    return verify_fn(state)

report = write_report(document(), task=task(), task_folder=FOLDER, client=Scripted(answer), verify=verify,
                      checkpoint=base, thread_id="one", resume=resume)
print(report.status, report.calls, report.rounds)
"""


def child(tmp_path: Path, stop_at: str, how: str = "start") -> subprocess.Popen[str]:
    here = Path(__file__)
    env = {**os.environ, "PYTHONPATH": f"{here.parents[2]}{os.pathsep}{here.parent}"}
    command = [sys.executable, "-c", CHILD, str(tmp_path / "calls"), str(tmp_path / "reports.db"), stop_at, how]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def calls(tmp_path: Path) -> list[str]:
    path = tmp_path / "calls"
    return path.read_text().split() if path.exists() else []


def killed_at(tmp_path: Path, stop_at: str) -> None:
    process = child(tmp_path, stop_at)
    try:
        while stop_at not in calls(tmp_path):
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.05)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    assert process.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("stop_at", "after"),
    [
        ("verify", ["verify", "fix", "verify"]),  # between two calls: no call is made again
        ("fix", ["fix", "verify"]),  # during a call: that one only
    ],
)
def test_after_a_kill_no_finished_call_is_made_again(tmp_path: Path, stop_at: str, after: list[str]) -> None:
    killed_at(tmp_path, stop_at)
    before = calls(tmp_path)
    assert before == ["specialist", "verify", "fix"][: len(before)]
    process = child(tmp_path, "", "resume")
    said, errors = process.communicate(timeout=120)
    assert said.split() == ["verified", "2", "2"], errors
    assert calls(tmp_path)[len(before) :] == after


def test_a_finished_report_is_told_again_without_a_call(tmp_path: Path) -> None:
    base = tmp_path / "reports.db"
    first = written(Scripted([HALF, MENDS]), checkpoint=base, thread_id="one")
    again = written(client := Scripted([]), checkpoint=base, thread_id="one", resume=True)
    assert (again.text, again.status, client.asked) == (first.text, "verified", [])


def test_one_thread_is_one_report(tmp_path: Path) -> None:
    base = tmp_path / "reports.db"
    written(Scripted([HONEST]), checkpoint=base, thread_id="one")
    with pytest.raises(UsageError, match="already"):
        written(Scripted([HONEST]), checkpoint=base, thread_id="one")
    assert written(Scripted([HONEST]), checkpoint=base, thread_id="two").status == "verified"
    assert written(Scripted([HONEST]), checkpoint=base).status == "verified"  # an id of its own


def test_what_cannot_be_resumed_is_said(tmp_path: Path) -> None:
    base = tmp_path / "reports.db"
    with pytest.raises(UsageError, match="no report 'one'"):
        written(Scripted([]), checkpoint=base, thread_id="one", resume=True)
    with pytest.raises(UsageError, match="needs a checkpoint"):
        written(Scripted([]), thread_id="one", resume=True)
    written(Scripted([HONEST]), checkpoint=base, thread_id="one")
    other = document()
    other["findings"].pop()
    with pytest.raises(UsageError, match="other findings"):
        written(Scripted([]), other, checkpoint=base, thread_id="one", resume=True)


def test_the_file_is_its_owner_s_alone(tmp_path: Path) -> None:
    base = tmp_path / "deep" / "reports.db"
    written(Scripted([HONEST]), checkpoint=base, thread_id="one")
    assert {path.stat().st_mode & 0o777 for path in base.parent.iterdir()} == {0o600}
    base.chmod(0o644)
    written(Scripted([HONEST]), checkpoint=base, thread_id="two")
    assert base.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", [b"this is no database", b"SQLite format 3\x00" + b"\xff" * 4096])
def test_a_damaged_file_is_one_clear_message(tmp_path: Path, content: bytes) -> None:
    base = tmp_path / "reports.db"
    base.write_bytes(content)
    with pytest.raises(CheckpointError, match="damaged or no checkpoint"):
        written(Scripted([HONEST]), checkpoint=base, thread_id="one")
    assert base.read_bytes() == content


def test_a_torn_value_is_one_clear_message_too(tmp_path: Path) -> None:
    base = tmp_path / "reports.db"
    written(Scripted([HONEST]), checkpoint=base, thread_id="one")
    with sqlite3.connect(base) as connection:
        connection.execute("UPDATE checkpoints SET checkpoint = substr(checkpoint, 1, 40)")
    connection.close()
    with pytest.raises(CheckpointError, match="damaged or no checkpoint"):
        written(Scripted([]), checkpoint=base, thread_id="one", resume=True)


def test_a_place_that_cannot_be_written_is_one_clear_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write the checkpoint"):
        written(Scripted([HONEST]), checkpoint=tmp_path / "file" / "reports.db")


def test_a_class_that_the_file_names_is_not_revived(tmp_path: Path) -> None:
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    by_others = JsonPlusSerializer().dumps_typed(Spent(calls=3))
    with checkpoints(tmp_path / "reports.db") as saver:
        assert not isinstance(saver.serde.loads_typed(by_others), Spent)


def test_the_last_reports_are_kept_and_older_ones_go(tmp_path: Path) -> None:
    base = tmp_path / "reports.db"
    for n in range(KEPT + 2):
        written(Scripted([]), checkpoint=base, thread_id=f"t{n}")
    with sqlite3.connect(base) as connection:
        threads = {thread for (thread,) in connection.execute("SELECT thread_id FROM checkpoints")}
    connection.close()
    assert threads == {f"t{n}" for n in range(2, KEPT + 2)}


def test_a_file_that_another_program_holds_is_one_clear_message(tmp_path: Path, monkeypatch: Any) -> None:
    base = tmp_path / "reports.db"
    written(Scripted([HONEST]), checkpoint=base, thread_id="one")
    monkeypatch.setattr("watchdog.report.checkpoints.WAIT_SECONDS", 0.1)
    other = sqlite3.connect(base, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(CheckpointError, match="locked"):
        written(Scripted([HONEST]), checkpoint=base, thread_id="two")
    other.close()


# ---------------------------------------------------------------- approval


def waiting(tmp_path: Path, *replies: Any) -> AwaitsApproval:
    with pytest.raises(AwaitsApproval) as caught:
        written(Scripted(replies), checkpoint=tmp_path / "reports.db", thread_id="one", approve=True)
    return caught.value


def resumed(tmp_path: Path, **more: Any) -> Any:
    client = Scripted([])
    report = written(client, checkpoint=tmp_path / "reports.db", thread_id="one", resume=True, approve=True, **more)
    assert client.asked == []
    return report


def test_a_report_waits_for_a_person_and_goes_on_by_its_id(tmp_path: Path) -> None:
    wait = waiting(tmp_path, HALF, MENDS)
    assert (wait.thread_id, wait.status, wait.text) == ("one", "verified", HONEST)
    assert "--resume one" in str(wait) and wait.exit_code == 4
    report = resumed(tmp_path, approved=True)
    assert report.status == "verified" and report.calls == 2
    assert "Possibly an import" in body(report)


def test_asked_again_without_an_answer_it_goes_on_waiting(tmp_path: Path) -> None:
    waiting(tmp_path, HONEST)
    for _ in range(2):
        with pytest.raises(AwaitsApproval) as caught:
            resumed(tmp_path)
        assert caught.value.text == HONEST
    assert resumed(tmp_path, approved=True).status == "verified"


def test_a_text_that_is_turned_down_is_not_published(tmp_path: Path) -> None:
    waiting(tmp_path, HONEST)
    report = resumed(tmp_path, approved=False)
    assert (report.status, report.reason) == ("facts_only", "the text was not approved")
    assert "Possibly an import" not in report.text and STATUS in body(report)
    assert resumed(tmp_path).text == report.text  # decided is decided


def test_facts_alone_need_no_approval(tmp_path: Path) -> None:
    report = written(Scripted([]), checkpoint=tmp_path / "reports.db", thread_id="one", approve=True)
    assert report.status == "facts_only"


def test_an_approval_needs_a_file_to_wait_in() -> None:
    with pytest.raises(UsageError, match="checkpoint"):
        written(Scripted([HONEST]), approve=True)


def test_the_state_in_the_file_is_plain_json(tmp_path: Path) -> None:
    from reporting import kit

    from watchdog.report.graph import compile_graph

    base = tmp_path / "reports.db"
    written(Scripted([HALF, MENDS]), checkpoint=base, thread_id="one")
    with checkpoints(base) as saver:
        app = compile_graph(kit(), checkpointer=saver)
        history = list(app.get_state_history({"configurable": {"thread_id": "one"}}))
    assert len(history) > 5
    for moment in history:
        assert json.loads(json.dumps(moment.values, allow_nan=False)) == moment.values


def test_problems_of_the_file_are_no_bugs_of_ours() -> None:
    assert issubclass(CheckpointError, WatchdogError) and CheckpointError("x").exit_code == 3
