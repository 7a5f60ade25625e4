"""From a provider of config.yaml to a client that can be asked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from watchdog.chat.openai import OpenAIClient
from watchdog.chat.profiles import Profile, profile, read, require_key
from watchdog.chat.recorded import Recorded
from watchdog.chat.reply import Client
from watchdog.chat.scripted import read_script
from watchdog.errors import UsageError


def open_client(
    provider: Mapping[str, Any],
    *,
    name: str = "default",
    env: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Client:
    """The client of a provider. `folder` is that of config.yaml: relative `file` and `cache` start there.

    Makes no request. UsageError about a missing key, model, address or file, before anything else is done.
    """
    told, start = read(provider, name), folder or Path()
    if told.kind == "scripted":
        return read_script(start / _given(told.file, "file", name), name)
    if told.kind == "recorded":
        return Recorded(start / _given(told.cache, "cache", name), profile_of(provider, name=name, env=env))
    client = OpenAIClient(profile_of(provider, name=name, env=env))
    require_key(client.profile)
    return Recorded(start / told.cache, client.profile, client) if told.cache else client


def profile_of(provider: Mapping[str, Any], *, name: str = "default", env: Mapping[str, str] | None = None) -> Profile:
    """What the provider comes to, key or no key: model, style and price, for those who only want to look."""
    return profile(provider, name=name, env=os.environ if env is None else env)


def _given(value: str | None, key: str, name: str) -> str:
    if value is None:
        raise UsageError(f"provider {name!r}: `{key}` is missing", hint="its kind reads replies from there")
    return value
