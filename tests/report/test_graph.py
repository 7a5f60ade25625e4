"""The graph as such: who writes what, where it can go, what it keeps, and what a program that builds it gets."""

from __future__ import annotations

import ast
import inspect
import json
import subprocess
import sys
import typing
from pathlib import Path
from typing import Any

import pytest
from reporting import EMAIL, FOLDER, HONEST, ITSELF, LINE, PHONE, STATUS, WRONG, document, kit, line_of, patches

from watchdog.chat import Budget, ChatError, Reply, Scripted, ToolCall
from watchdog.errors import UsageError
from watchdog.report import build_graph, nodes
from watchdog.report import graph as graphs
from watchdog.report.draw import drawn, mermaid
from watchdog.report.state import GIVEN, OWNERS, State, start
from watchdog.sandbox import Tool, ToolResult
from watchdog.verify import verify_fn

NODES = {name: function for name, function in vars(nodes).items() if name in OWNERS}
MENDS = patches((LINE[EMAIL], line_of(EMAIL)), (LINE[STATUS], line_of(STATUS)))


def returned(function: Any) -> list[ast.expr | None]:
    tree = ast.parse(inspect.getsource(function))
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Return)]


@pytest.mark.parametrize("name", sorted(OWNERS))
def test_a_step_returns_a_literal_dict_of_fields_that_it_owns(name: str) -> None:
    values = returned(NODES[name])
    assert values
    for value in values:
        assert isinstance(value, ast.Dict), f"{name} returns something else than a literal dict"
        keys = {key.value for key in value.keys if isinstance(key, ast.Constant)}
        assert len(keys) == len(value.keys), f"{name} takes over a dict as it is"
        assert keys <= OWNERS[name]


def test_every_field_of_the_state_is_given_or_has_an_owner() -> None:
    owned = set().union(*OWNERS.values())
    assert GIVEN & owned == set()
    assert GIVEN | owned == set(State.__annotations__) == set(start({}))
    assert [name for name, fields in OWNERS.items() if "attempts" in fields] == ["fix"]


@pytest.mark.parametrize("planner", [True, False])
def test_the_labels_of_each_router_are_the_edges_of_the_graph(planner: bool) -> None:
    drawn = graphs.compile_graph(kit(use_planner=planner)).get_graph()
    assert set(drawn.nodes) - {"__start__", "__end__"} == set(OWNERS) - (set() if planner else {"planner", "tools"})
    for name, router in graphs.ROUTERS.items():
        if name == "planner" and not planner:
            continue
        labels = set(typing.get_args(typing.get_type_hints(router)["return"]))
        assert labels == {edge.target for edge in drawn.edges if edge.source == name}, name
    plain = {(edge.source, edge.target) for edge in drawn.edges if not edge.conditional}
    assert plain == {("__start__", "planner" if planner else "specialist"), ("approval", "__end__")} | (
        {("tools", "planner")} if planner else set()
    )


def test_a_router_only_reads_fields_of_outcome() -> None:
    begun = start(document())
    assert graphs.after_evaluator(begun) == "fix"
    for stop in ("verified", "retries", "no_progress", "oscillation", "budget", "model"):
        assert graphs.after_evaluator({**begun, "stop": stop}) == "settle"  # type: ignore[typeddict-item]
        assert graphs.after_fix({**begun, "stop": stop}) == "settle"  # type: ignore[typeddict-item]
    assert graphs.after_settle({**begun, "approve": True}) == "approval"


def test_a_step_can_be_called_by_itself_and_leaves_its_state_alone() -> None:
    state = start(document())
    before = json.dumps(state)
    changes = nodes.specialist(state, kit([HONEST]))
    assert changes["artifact"] == HONEST
    assert changes["usage"]["calls"] == 1
    assert json.dumps(state) == before


def test_the_graph_runs_for_a_program_that_gives_only_the_findings() -> None:
    graph = build_graph("data-quality", verify_fn, client=Scripted([WRONG, MENDS]), use_planner=False, review=False)
    end = graph.invoke({"task_input": "Write for the shop's owner.", "task_data": document()})
    assert (end["status"], end["stop"], end["attempts"]) == ("verified", "verified", 1)
    assert end["published"] == end["artifact"] == HONEST
    assert end["fictitious"] == [] and len(end["verified"]) > 5
    assert end["usage"]["calls"] == 2
    json.dumps(end, allow_nan=False)


def test_what_a_person_asks_for_stands_before_the_prompt() -> None:
    client = Scripted([HONEST])
    build_graph(FOLDER, verify_fn, client=client, use_planner=False, review=False).invoke(
        {"task_input": "Write for the shop's owner.", "task_data": document()}
    )
    assert client.asked[0].messages[0] == {"role": "system", "content": "Write for the shop's owner."}


def test_three_retries_are_four_evaluations() -> None:
    """A model that gets a little better each time and is never done."""
    email, phone = line_of(EMAIL), line_of(PHONE)
    first = WRONG.replace("58 of", "59 of").replace("(2.7%)", "(2.9%)")
    fixes = [(LINE[EMAIL], email.replace("2.7%", "2.8%")), (LINE[EMAIL], email), (LINE[PHONE], phone)]
    client = Scripted([first, *(patches(fix) for fix in fixes)])
    graph = build_graph(FOLDER, verify_fn, client=client, use_planner=False, review=False, max_retries=3)
    end = graph.invoke({"task_data": document()})
    assert end["stop"] == "retries"
    assert end["attempts"] == 3 and len(end["trail"]) == 4
    assert end["status"] == "repaired" and "2,694" not in end["published"]


def test_no_retries_are_one_evaluation_and_no_fix() -> None:
    client = Scripted([WRONG])
    end = build_graph(FOLDER, verify_fn, client=client, use_planner=False, max_retries=0, review=False).invoke(
        {"task_data": document()}
    )
    assert (end["stop"], end["attempts"], len(client.asked)) == ("retries", 0, 1)


def test_facts_prompts_and_a_dry_run_need_no_langgraph(root: Path) -> None:
    code = (
        "import sys; from watchdog.report import dry_run, write_report; from watchdog.report.plain import plain; "
        "print([name for name in ('langgraph', 'langchain_core', 'openai') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ---------------------------------------------------------------- review


def reviewed(*replies: Any, **more: Any) -> tuple[dict[str, Any], Scripted]:
    client = Scripted(replies)
    return build_graph(FOLDER, verify_fn, client=client, use_planner=False, **more).invoke(
        {"task_data": document()}
    ), client


def test_a_review_asks_for_a_fix_in_the_first_round_only() -> None:
    wish = '{"issues": ["the import is only a guess: say probably"]}'
    better = line_of(EMAIL).replace("Possibly", "Probably")
    end, client = reviewed(HONEST, wish, patches((LINE[EMAIL], better)))
    assert [asked.role for asked in client.asked] == ["specialist", "evaluator", "fix"]
    assert end["status"] == "verified" and better in end["published"]
    assert end["eval_issues"] == ["the import is only a guess: say probably"]
    assert "say probably" in client.asked[2].messages[-1]["content"]


@pytest.mark.parametrize("review", ["Looks good to me.", '{"issues": []}', '{"issues": "many"}', "[1, 2]"])
def test_a_review_that_says_nothing_or_cannot_be_read_is_none(review: str) -> None:
    end, client = reviewed(HONEST, review)
    assert end["status"] == "verified" and len(client.asked) == 2


def test_a_review_that_fails_costs_a_call_and_nothing_else() -> None:
    end, _ = reviewed(HONEST, ChatError("too slow", kind="timeout", calls=1))
    assert end["status"] == "verified" and end["usage"]["calls"] == 2


def test_a_review_does_not_overrule_the_verifier() -> None:
    wrong = line_of(EMAIL).replace("123", "124")
    end, _ = reviewed(HONEST, '{"issues": ["the count of emails should be 124"]}', patches((LINE[EMAIL], wrong)))
    assert end["status"] == "verified" and "124" not in end["published"]


def test_a_text_that_was_right_before_a_review_is_published_when_the_fix_spoils_it() -> None:
    spoilt = patches((2, "There are 99 findings, and 17 tables."))
    end, _ = reviewed(HONEST, '{"issues": ["say more"]}', spoilt, "no", "no")
    assert end["stop"] == "no_progress" and end["fictitious"]
    assert (end["status"], end["published"]) == ("verified", HONEST)


# ---------------------------------------------------------------- planner and tools


def calls(name: str, arguments: dict[str, Any] | None, id: str = "c1") -> Reply:
    raw = "{" if arguments is None else json.dumps(arguments)
    return Reply("", finish="tool_calls", tool_calls=(ToolCall(id, name, arguments, raw),))


LOOK = Tool("look", "Look.", {"type": "object", "properties": {}}, lambda _: ToolResult("seen"))


def planned(*replies: Any, tools: Any = (LOOK,)) -> tuple[dict[str, Any], Scripted]:
    client = Scripted(replies)
    graph = build_graph(FOLDER, verify_fn, client=client, tools=tools, review=False)
    return graph.invoke({"task_data": document()}), client


def test_a_plan_reaches_the_specialist() -> None:
    end, client = planned("First the orders.", HONEST)
    assert [asked.role for asked in client.asked] == ["planner", "specialist"]
    assert "First the orders." in client.asked[1].messages[-1]["content"]
    assert end["plan"] == "First the orders." and end["status"] == "verified"


def test_the_planner_hears_what_its_tools_say() -> None:
    end, client = planned(calls("look", {}), "First the orders.", HONEST)
    heard = client.asked[1].messages
    assert heard[-2]["tool_calls"][0]["function"]["name"] == "look"
    assert heard[-1]["tool_call_id"] == "c1" and "seen" in heard[-1]["content"]
    assert end["status"] == "verified"


def test_an_unknown_tool_or_wrong_arguments_are_told_and_end_nothing() -> None:
    end, client = planned(calls("rm", {}), calls("look", None), "Plan.", HONEST)
    assert "no tool" in client.asked[1].messages[-1]["content"]
    assert "look:" in client.asked[2].messages[-1]["content"]
    assert end["status"] == "verified"


def test_after_six_turns_the_plan_has_to_stand() -> None:
    end, client = planned(*[calls("look", {})] * 6, "Plan.", HONEST, tools=[LOOK])
    assert [bool(asked.tools) for asked in client.asked[:7]] == [True] * 6 + [False]
    assert end["plan"] == "Plan."


def test_without_tools_given_files_can_be_read_and_commands_refuse(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("orders come from the till")
    _, client = planned(
        calls("read_file", {"path": "notes.txt"}), calls("run_command", {"argv": ["ls"]}), "Plan.", HONEST, tools=None
    )
    assert "orders come from the till" in client.asked[1].messages[-1]["content"]
    assert "refused" in client.asked[2].messages[-1]["content"]


def test_no_planner_is_drawn_or_asked_where_a_task_has_no_prompt_for_it(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    (folder / "prompts").mkdir(parents=True)
    (folder / "task.yaml").write_text("name: small\n")
    for role in ("specialist", "fix"):
        (folder / "prompts" / f"{role}.md").write_text((FOLDER / "prompts" / f"{role}.md").read_text())
    client = Scripted([HONEST])
    graph = build_graph(folder, verify_fn, client=client)
    assert graph.invoke({"task_data": document()})["status"] == "verified"
    assert "planner" not in graph.get_graph().nodes and [asked.role for asked in client.asked] == ["specialist"]


# ---------------------------------------------------------------- what else a program may do


def test_without_a_verifier_nothing_is_called_verified() -> None:
    end = build_graph(FOLDER, None, client=Scripted([WRONG]), use_planner=False, review=False).invoke(
        {"task_data": document()}
    )
    assert (end["status"], end["stop"], end["verified"]) == ("unverified", "unchecked", [])


def test_data_that_are_no_findings_are_written_about_with_a_verifier_of_ones_own() -> None:
    def has_seven(state: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        claim = {
            "line": 1,
            "text": "",
            "cited": "7",
            "subject": "",
            "kind": "number",
            "expected": [],
            "rule": "",
            "reason": "",
        }
        return ([], [claim]) if "7" in state["artifact"] else ([claim], [])

    def end(text: str) -> dict[str, Any]:
        graph = build_graph(FOLDER, has_seven, client=Scripted([text] * 3), use_planner=False, review=False)
        return graph.invoke({"task_data": {"answer": 7}})

    assert end("## A\n\nIt is 7.")["published"] == "## A\n\nIt is 7."
    assert (end("## A\n\nIt is 8.")["status"], end("## A\n\nIt is 8.")["published"]) == ("facts_only", "")


def test_a_missing_key_is_told_before_anything_is_asked(monkeypatch: Any) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        build_graph("data-quality", verify_fn)


def test_an_unknown_task_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="data-quality"):
        build_graph("data-qualty", verify_fn, client=Scripted([]))


def test_studio_opens_the_graph_without_a_key(root: Path, monkeypatch: Any) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    told = json.loads((root / "langgraph.json").read_text())
    ((name, place),) = told["graphs"].items()
    file, _, function = place.partition(":")
    assert name == "report" and (root / file).is_file()
    import importlib

    graph = getattr(importlib.import_module("watchdog.report.studio"), function)()
    assert {"planner", "tools", "specialist", "evaluator", "fix"} <= set(graph.get_graph().nodes)
    assert "task_data" in graph.get_input_jsonschema()["properties"]
    graph.get_context_jsonschema()


def test_the_picture_in_the_docs_is_the_graph_of_today(root: Path) -> None:
    text = (root / "docs" / "report.md").read_text()
    assert mermaid() in text
    assert drawn(text) == text
    with pytest.raises(UsageError):
        drawn("no marks")


def test_the_docs_name_every_step_and_every_reason_to_stop(root: Path) -> None:
    from watchdog.report.state import Status, Stop

    text = (root / "docs" / "report.md").read_text()
    words = {*OWNERS, *typing.get_args(Stop), *typing.get_args(Status)} - {"", "unchecked"}
    assert {word for word in words if f"`{word}`" not in text} == set()


def test_the_graph_stays_usable_with_a_config_of_ones_own() -> None:
    graph = build_graph(
        FOLDER, verify_fn, client=Scripted([HONEST]), use_planner=False, review=False, budget=Budget(calls=1)
    )
    assert graph.with_config(tags=["nightly"]).invoke({"task_data": document()})["status"] == "verified"


def test_steps_can_be_streamed() -> None:
    graph = build_graph(FOLDER, verify_fn, client=Scripted([HONEST]), use_planner=False, review=False)
    steps = [name for part in graph.stream({"task_data": document()}, stream_mode="updates") for name in part]
    assert steps == ["specialist", "evaluator", "settle"]


async def _streamed(graph: Any) -> list[str]:
    return [name async for part in graph.astream({"task_data": document()}, stream_mode="updates") for name in part]


def test_a_loop_of_ones_own_may_run_it_too() -> None:
    import asyncio

    graph = build_graph(FOLDER, verify_fn, client=Scripted([HONEST, HONEST]), use_planner=False, review=False)
    assert asyncio.run(_streamed(graph)) == ["specialist", "evaluator", "settle"]
    assert asyncio.run(graph.ainvoke({"task_data": document()}))["status"] == "verified"


def test_a_model_that_talks_about_itself_leaves_the_facts() -> None:
    graph = build_graph(FOLDER, verify_fn, client=Scripted([ITSELF] * 4), use_planner=False, review=False)
    end = graph.invoke({"task_data": document()})
    assert end["status"] == "facts_only" and "language model" not in end["published"]
