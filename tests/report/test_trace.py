"""The trace: each step, each field, no secret, nobody else's eyes; and no request to anybody."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from reporting import FOLDER, HALF, HONEST, LINE, STATUS, document, failing, line_of, patches, written

from watchdog.chat import Scripted
from watchdog.errors import OutputError
from watchdog.report import build_graph
from watchdog.report.state import OWNERS, State
from watchdog.report.trace import Trace
from watchdog.verify import verify_fn

MENDS = patches((LINE[STATUS], line_of(STATUS)))


def steps(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_line_for_each_step_with_its_calls_and_the_fields_it_set(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "trace.jsonl"
    client = Scripted([HALF, MENDS])
    written(client, trace=path)
    told = steps(path)
    assert [line["node"] for line in told] == ["start", "specialist", "evaluator", "fix", "evaluator", "settle"]
    assert [line["round"] for line in told] == [0, 1, 1, 2, 2, 2]
    call = told[1]["calls"][0]
    assert call["role"] == "specialist" and call["reply"] == HALF
    assert call["messages"] == list(client.asked[0].messages)
    assert call["tokens_in"] > 0 and call["tokens_out"] > 0
    assert told[2]["changes"]["fictitious"][0]["cited"] == "2,694"
    assert path.stat().st_mode & 0o777 == 0o600


def test_every_field_of_the_state_can_be_read_at_every_step(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    written(Scripted([HALF, MENDS]), trace=path)
    first, *others = steps(path)
    assert set(first["changes"]) == set(State.__annotations__)
    assert first["changes"]["task_data"] == document()
    for line in others:
        assert set(line["changes"]) <= OWNERS[line["node"]]


def test_a_failure_and_a_refused_patch_are_told(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    written(Scripted([HALF, patches((3, "There are 4 findings."))]), trace=path)
    assert "patch refused: line 3" in steps(path)[3]["notes"][0]
    written(Scripted([failing("rate_limit")]), trace=path)
    assert steps(path)[-2]["calls"][0]["error"] == "rate_limit"


def test_secrets_of_the_environment_and_what_looks_like_one_are_masked(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("SHOP_API_KEY", 'p"4ss\\word-ünï')
    monkeypatch.setenv("OPENAI_API_KEY", "abcdef123456")
    shown = 'abcdef123456 p"4ss\\word-ünï sk-abcdefghijklmnopqrstuv postgresql://ann:hunter22@db/x topsecret'
    shown += " Bearer abcdefghijklmnop"
    path = tmp_path / "trace.jsonl"
    written(Scripted([f"## Summary\n\n{shown}", "no"]), trace=path, hide=["topsecret"])
    text = path.read_text()
    for secret in ("abcdef123456", "4ss", "ünï", "sk-abc", "hunter22", "abcdefghijklmnop", "topsecret"):
        assert secret not in text
    assert "***" in text and "ann:***@db" in text


def test_short_values_are_no_secrets(tmp_path: Path) -> None:
    trace = Trace(tmp_path / "t", env={"KEY": "12", "OTHER": "123456789", "MY_TOKEN": "longer-one"})
    trace.step("start", 0, {"plan": "12 123456789 longer-one"}, 0)
    assert steps(tmp_path / "t")[0]["changes"]["plan"] == "12 123456789 ***"


def test_a_trace_that_was_open_to_others_is_closed_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_text('{"node": "old"}\n')
    path.chmod(0o644)
    written(Scripted([HONEST]), trace=path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert [line["node"] for line in steps(path)][:2] == ["old", "start"]


def test_a_trace_that_cannot_be_written_is_one_clear_message(tmp_path: Path) -> None:
    client = Scripted([HONEST])
    with pytest.raises(OutputError, match="cannot write the trace"):
        written(client, trace=tmp_path)
    assert client.asked == []


# ---------------------------------------------------------------- nobody else is told


@pytest.fixture
def listener(monkeypatch: Any) -> Iterator[list[str]]:
    """Stands where LangSmith would be, and notes who calls."""
    heard: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(self.path)
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(202)
            self.end_headers()
            self.wfile.write(b"{}")

        do_GET = do_PATCH = do_POST

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}"
    for name, value in {
        "LANGSMITH_TRACING": "true", "LANGCHAIN_TRACING_V2": "true", "LANGSMITH_ENDPOINT": address,
        "LANGCHAIN_ENDPOINT": address, "LANGSMITH_API_KEY": "lsv2_not_a_key", "LANGCHAIN_API_KEY": "lsv2_not_a_key",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    import langsmith.run_trees
    import langsmith.utils

    monkeypatch.setattr(langsmith.run_trees, "_CLIENT", None)  # one a process, with the address of its first use
    langsmith.utils.get_env_var.cache_clear()
    yield heard
    server.shutdown()
    thread.join()
    server.server_close()
    monkeypatch.undo()
    langsmith.utils.get_env_var.cache_clear()


def flushed() -> None:
    from langchain_core.tracers.langchain import wait_for_all_tracers

    wait_for_all_tracers()


def test_nothing_is_sent_to_langsmith_whatever_the_environment_says(listener: list[str]) -> None:
    assert written(Scripted([HONEST])).status == "verified"
    graph = build_graph(FOLDER, verify_fn, client=Scripted([HONEST] * 4), use_planner=False, review=False)
    assert graph.invoke({"task_data": document()})["status"] == "verified"
    assert list(graph.stream({"task_data": document()}))
    assert list(graph.with_config(tags=["x"]).stream({"task_data": document()}))
    import asyncio

    assert asyncio.run(graph.ainvoke({"task_data": document()}))["status"] == "verified"
    flushed()
    assert listener == []


def test_the_listener_would_have_heard_a_plain_graph(listener: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The same graph with `tracing: true` of its provider: else the test above would prove nothing."""
    graph = build_graph(FOLDER, verify_fn, client=Scripted([HONEST]), use_planner=False, review=False)
    monkeypatch.setattr(type(graph), "traced", True)
    graph.invoke({"task_data": document()})
    flushed()
    import time

    for _ in range(100):
        if listener:
            break
        time.sleep(0.1)
    assert listener
