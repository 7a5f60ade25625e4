"""From a provider of config.yaml and the environment to an address, a model and a key."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from watchdog.chat import Profile, open_client, profile_of
from watchdog.config import load_config
from watchdog.errors import UsageError


def resolved(name: str = "default", provider: dict[str, Any] | None = None, **env: str) -> Profile:
    return profile_of(provider or {}, name=name, env=env)


def refusal(name: str = "default", provider: dict[str, Any] | None = None, **env: str) -> str:
    with pytest.raises(UsageError) as caught:
        open_client(provider or {}, name=name, env=env)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "key_env", "base_url", "model", "structured"),
    [
        ("default", "OPENAI_API_KEY", "https://api.openai.com/v1", "gpt-4o-mini", "json_schema"),
        ("openai", "OPENAI_API_KEY", "https://api.openai.com/v1", "gpt-4o-mini", "json_schema"),
        ("deepseek", "DEEPSEEK_API_KEY", "https://api.deepseek.com", "deepseek-chat", "json_object"),
    ],
)
def test_known_providers_need_only_their_key(
    name: str, key_env: str, base_url: str, model: str, structured: str
) -> None:
    told = resolved(name, **{key_env: "k"})
    assert (told.base_url, told.model, told.key, told.structured) == (base_url, model, "k", structured)
    assert f"{key_env} is not set" in refusal(name)


def test_servers_on_this_machine_need_no_key() -> None:
    assert resolved("llama.cpp").base_url == "http://127.0.0.1:8080/v1"
    assert resolved("ollama", OLLAMA_MODEL="qwen").model == "qwen"
    assert "set OLLAMA_MODEL or write `model:`" in refusal("ollama")
    for told in (resolved("llama.cpp"), resolved("ollama", OLLAMA_MODEL="qwen")):
        assert told.key and told.key_missing == ""


@pytest.mark.parametrize(
    ("host", "near"),
    [
        ("localhost", True), ("127.0.0.1:99", True), ("[::1]:80", True), ("10.1.2.3", True), ("192.168.0.9:1234", True),
        ("gpu-box", True), ("gpu.lan", True), ("host.docker.internal:11434", True),
        ("api.openai.com", False), ("8.8.8.8", False), ("localhost.evil.example", False),
    ],
)  # fmt: skip
def test_a_key_is_asked_for_beyond_the_own_network(host: str, near: bool) -> None:
    told = resolved("mine", {"base_url": f"http://{host}/v1", "model": "m"})
    assert (told.key_missing == "") is near


def test_any_other_name_has_three_variables_of_its_own() -> None:
    env = {"AGNES_API_KEY": "k", "AGNES_BASE_URL": "https://agnes.example/v1", "AGNES_MODEL": "a-1"}
    told = resolved("agnes", **env)
    assert (told.key, told.base_url, told.model) == ("k", "https://agnes.example/v1", "a-1")
    assert "set AGNES_BASE_URL" in refusal("agnes")
    assert "MY_SERVER_API_KEY is not set" in refusal("my-server", {"base_url": "https://x.example/v1", "model": "m"})


def test_the_environment_beats_what_is_written() -> None:
    written = {"base_url": "https://written.example/v1", "model": "written", "model_env": "M", "base_url_env": "B"}
    assert resolved("x", written).model == "written"
    told = resolved("x", written, M="from-env", B="https://env.example/v1")
    assert (told.model, told.base_url) == ("from-env", "https://env.example/v1")
    assert resolved("x", written, M="  ").model == "written"  # an empty variable is an unset one


def test_the_model_of_a_role_beats_the_environment() -> None:
    told = resolved(provider={"models": {"evaluator": "strict"}}, OPENAI_MODEL="m", OPENAI_API_KEY="k")
    assert [told.model_of(role) for role in ("specialist", "evaluator", "fix", "planner")] == ["m", "strict", "m", "m"]


def test_the_key_of_one_server_is_not_sent_to_another() -> None:
    """A written address without a written key, under a name whose key belongs to a known server."""
    elsewhere = {"base_url": "https://relay.example/v1", "model": "m"}
    assert resolved(provider=elsewhere, OPENAI_API_KEY="k").key == ""
    assert "api_key_env: NAME" in refusal(provider=elsewhere, OPENAI_API_KEY="k")
    assert resolved(provider={**elsewhere, "api_key_env": "RELAY"}, RELAY="r", OPENAI_API_KEY="k").key == "r"
    assert resolved(provider={"base_url": "https://api.openai.com/v2"}, OPENAI_API_KEY="k").key == "k"
    assert resolved(OPENAI_BASE_URL="https://relay.example/v1", OPENAI_API_KEY="k").key == "k"  # set side by side


@pytest.mark.parametrize(
    "url", ["api.openai.com", "ftp://x.example", "http://", "http://x:99999", "http://[::1", "h t"]
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    assert "its base_url is no http address" in refusal("x", {"base_url": url, "model": "m"})


@pytest.mark.parametrize("key", ["sk-1 23", "sk-1\n23", "sk-“123”", "sk-\x00"])
def test_a_key_that_was_copied_badly_is_refused_and_not_shown(key: str) -> None:
    said = refusal(OPENAI_API_KEY=key)
    assert "OPENAI_API_KEY holds characters that no key has" in said and "sk-" not in said


def test_spaces_around_a_key_are_no_part_of_it() -> None:
    assert resolved(OPENAI_API_KEY=" sk-1\n").key == "sk-1"


def test_secrets_stay_out_of_what_is_printed() -> None:
    told = resolved(OPENAI_API_KEY="sk-hidden", OPENAI_BASE_URL="https://ann:hunter2@relay.example/v1?token=t0ken")
    assert told.server == "https://relay.example/v1"
    for secret in ("sk-hidden", "hunter2", "t0ken"):
        assert secret in told.key + told.base_url and secret not in repr(told)


def test_a_wrong_key_in_a_provider_of_a_program_is_named() -> None:
    assert "provider 'default': modle: unknown key" in refusal(provider={"modle": "x"}, OPENAI_API_KEY="k")


def test_the_config_of_this_project_opens(root: Path) -> None:
    provider = load_config(root / "config.yaml").providers["default"]
    assert open_client(provider, env={"OPENAI_API_KEY": "k"}).name == "default"
    assert "OPENAI_API_KEY is not set" in refusal(provider=dict(provider))


def test_the_example_of_a_env_file_names_the_variables_that_are_read(root: Path) -> None:
    text = (root / ".env.example").read_text()
    for prefix, ends in (("OPENAI", 3), ("DEEPSEEK", 3), ("AGNES", 3), ("OLLAMA", 2), ("LLAMA_CPP", 1)):
        named = [end for end in ("API_KEY", "BASE_URL", "MODEL") if f"# {prefix}_{end}=" in text]
        assert len(named) == ends, prefix


def test_opening_a_client_loads_no_model_library() -> None:
    code = "import sys, watchdog.chat as c; c.open_client({}, env={'OPENAI_API_KEY': 'k'}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "pydantic" in loaded
    assert (
        loaded & {"openai", "langchain_openai", "langchain_core", "langsmith", "langgraph", "httpx", "httpx2"} == set()
    )
