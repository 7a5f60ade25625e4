"""What a provider of config.yaml comes to: address, model and key, with the environment and known servers filled in.

In: the mapping under `providers.<name>` and the environment. Out: a frozen `Profile`. Refuses, as UsageError that names
the variable to set: no key where the server needs one, no model, an address that is none. Makes no request.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import SplitResult, urlsplit

from watchdog.errors import UsageError

if TYPE_CHECKING:
    from watchdog.config.shape import ProviderShape

Structured = Literal["json_schema", "json_object", "none"]
Style = Literal["markdown", "slots"]

NO_KEY = "no-key"  # what servers without keys are sent: the OpenAI library insists on one


@dataclass(frozen=True)
class Preset:
    """A known server. `prefix` opens the names of its three variables."""

    prefix: str
    base_url: str = ""
    model: str = ""
    structured: Structured = "json_schema"


_OPENAI = Preset("OPENAI", "https://api.openai.com/v1", "gpt-4o-mini")
PRESETS: Mapping[str, Preset] = {
    "default": _OPENAI,
    "openai": _OPENAI,
    "deepseek": Preset("DEEPSEEK", "https://api.deepseek.com", "deepseek-chat", structured="json_object"),
    "ollama": Preset("OLLAMA", "http://127.0.0.1:11434/v1"),
    "llama.cpp": Preset("LLAMA_CPP", "http://127.0.0.1:8080/v1", "default"),  # serves the one model it was started with
}


@dataclass(frozen=True)
class Price:
    """For a million tokens."""

    input: float
    output: float
    currency: str = "USD"

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self.input + tokens_out * self.output) / 1_000_000


@dataclass(frozen=True, kw_only=True)
class Profile:
    name: str
    base_url: str = field(repr=False)  # may hold a password: `server` is for people
    server: str
    key: str = field(default="", repr=False)  # "": none was found, and `key_missing` says why
    key_missing: str = ""  # the variable to set, for a server that needs a key
    model: str
    models: Mapping[str, str] = field(default_factory=dict)  # by role
    temperature: float | None = 0.3
    max_tokens: int | None = None
    context_tokens: int | None = None
    timeout: float = 120
    max_retries: int = 3
    max_wait: float = 60
    structured: Structured = "json_schema"
    style: Style = "markdown"
    price: Price | None = None
    tracing: bool = False

    def model_of(self, role: str = "specialist") -> str:
        """The model that plays a part. Fixing is the specialist's work unless `models` says otherwise."""
        if role not in self.models and role == "fix":
            role = "specialist"
        return self.models.get(role, self.model)


def profile(provider: Mapping[str, Any], *, name: str, env: Mapping[str, str]) -> Profile:
    """The profile of a provider. A missing key is noted in it and no error yet: a dry run needs none."""
    told = read(provider, name)
    preset = PRESETS.get(name, Preset(re.sub(r"\W", "_", name).upper()))
    names = {end: f"{preset.prefix}_{end}" for end in ("API_KEY", "BASE_URL", "MODEL")}
    base_url_env = told.base_url_env or names["BASE_URL"]
    model_env = told.model_env or names["MODEL"]

    base_url = _value(env, base_url_env) or told.base_url or preset.base_url
    server, parts = _address(base_url, name, base_url_env)
    model = _value(env, model_env) or told.model or preset.model
    models = {role: model for role, model in told.models.model_dump().items() if model is not None}
    if not model and "specialist" not in models:
        raise UsageError(f"provider {name!r}: no model is named", hint=f"set {model_env} or write `model:`")

    # The key of one server is not shown to another: a written address takes the key that is written beside it.
    elsewhere = told.base_url is not None and not _value(env, base_url_env) and not _same_host(parts, preset.base_url)
    key_env = told.api_key_env or ("" if elsewhere and name in PRESETS else names["API_KEY"])
    key = _key(_value(env, key_env), key_env, name) if key_env else ""
    missing = "" if key or _is_near(parts) else key_env or "api_key_env"
    price = Price(**told.price.model_dump()) if told.price else None
    return Profile(
        name=name,
        base_url=base_url,
        server=server,
        key=key or ("" if missing else NO_KEY),
        key_missing=missing,
        model=model or models["specialist"],
        models=models,
        temperature=told.temperature,
        max_tokens=told.max_tokens,
        context_tokens=told.context_tokens,
        timeout=told.timeout,
        max_retries=told.max_retries,
        max_wait=told.max_wait,
        structured=told.structured or preset.structured,
        style=told.style,
        price=price,
        tracing=told.tracing,
    )


def read(provider: Mapping[str, Any], name: str) -> ProviderShape:
    """The provider in its shape. One of config.yaml is right already; one of a program is judged here."""
    from pydantic import ValidationError

    from watchdog.config.shape import ProviderShape

    try:
        return ProviderShape.model_validate(dict(provider))
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        said = "unknown key" if first["type"] == "extra_forbidden" else first["msg"]
        raise UsageError(f"provider {name!r}: {place}: {said}", hint="docs/config.md lists the keys") from None


def require_key(told: Profile) -> None:
    if told.key_missing == "api_key_env":
        hint = "write `api_key_env: NAME`, the variable that holds the key; keys never stand in config.yaml"
        raise UsageError(
            f"provider {told.name!r}: no variable is named that holds the key for {told.server}", hint=hint
        )
    if told.key_missing:
        hint = f"export {told.key_missing}=..., or write it into .env; a server on this machine needs none"
        raise UsageError(f"provider {told.name!r}: no key for {told.server}: {told.key_missing} is not set", hint=hint)


def _value(env: Mapping[str, str], name: str) -> str:
    """An empty variable is an unset one."""
    return env.get(name, "").strip()


def _key(value: str, variable: str, name: str) -> str:
    if not re.fullmatch(r"[!-~]*", value):
        hint = "a space, a line break or a letter beyond ASCII came along when it was copied"
        raise UsageError(f"provider {name!r}: {variable} holds characters that no key has", hint=hint)
    return value


def _address(base_url: str, name: str, variable: str) -> tuple[str, SplitResult]:
    """The address as people may see it, without password and query, and its parts."""
    hint = f"set {variable} or write `base_url:`, such as https://api.openai.com/v1 or http://127.0.0.1:8080/v1"
    if not base_url:
        raise UsageError(f"provider {name!r}: no address of a server is known", hint=hint)
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if parts.scheme not in ("http", "https") or not host or re.search(r"\s", base_url):
        raise UsageError(f"provider {name!r}: its base_url is no http address", hint=hint)
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + (f":{port}" if port else "") + parts.path.rstrip("/"), parts


def _same_host(parts: SplitResult, base_url: str) -> bool:
    return bool(base_url) and parts.hostname == urlsplit(base_url).hostname


def _is_near(parts: SplitResult) -> bool:
    """Whether the server is on this machine or in its own network, where keys are seldom asked for."""
    host = parts.hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".localhost", ".internal", ".lan"))
