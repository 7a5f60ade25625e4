"""What an answer of the server that is no reply means, in one sentence and a kind. Pure.

In: status, headers and body as they came. Out: a `Failed` that knows how long to stay away. The server's own words are
not repeated, as they may quote the prompt or the key: only its codes are, which are single identifiers.
"""

from __future__ import annotations

import email.utils
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from watchdog.chat.profiles import NO_KEY, Profile
from watchdog.chat.reply import ChatError, Kind
from watchdog.chat.retry import Failed

_CODE = re.compile(r"[A-Za-z][\w.]{0,59}")
_TOO_LONG = re.compile(
    r"context.?(length|window|size)|maximum context|too many (input )?tokens|(prompt|input) is too long|exceed_context",
    re.IGNORECASE,
)
_QUOTA = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance"}


@dataclass(frozen=True)
class Answer:
    """One response, headers by lower-case name."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_html(self) -> bool:
        return "html" in self.headers.get("content-type", "") or self.body.lstrip()[:1] == b"<"

    def json(self) -> Any:
        """None where the body is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


@dataclass(frozen=True)
class Said:
    """What the error object of an answer says."""

    codes: frozenset[str]  # code and type
    param: str
    message: str  # for recognising only, never shown
    status: int | None  # some relays answer 200 and put the status of the model's server here


def failed(kind: Kind, sentence: str, profile: Profile, *, hint: str = "", wait: float | None = None) -> Failed:
    return Failed(ChatError(f"provider {profile.name!r}: {sentence}", kind=kind, hint=hint), wait)


def answer_failed(answer: Answer, profile: Profile, model: str, now: datetime | None = None) -> Failed:
    """For an answer with an error's status, or one with 200 that holds no reply."""
    said = _said(answer.json())
    if said is None and answer.status < 400:
        return _no_reply(answer, profile)
    said = said or Said(frozenset(), "", "", None)
    wait = retry_after(answer.headers, now or datetime.now(UTC))
    kind, sentence, hint = _meaning(answer, said, profile, model)
    return failed(kind, sentence, profile, hint=hint, wait=wait)


def _no_reply(answer: Answer, profile: Profile) -> Failed:
    if answer.is_html:
        hint = "the address is that of a web page: base_url usually ends in /v1"
        return failed("not_json", f"{profile.server} answers with HTML instead of JSON", profile, hint=hint)
    hint = "try again; if it stays so, the server does not speak OpenAI's protocol"
    what = "not the JSON it should be" if answer.json() is None else "JSON without a reply in it"
    return failed("malformed", f"the answer of {profile.server} is {what}", profile, hint=hint)


def _meaning(answer: Answer, said: Said, profile: Profile, model: str) -> tuple[Kind, str, str]:
    server = profile.server
    status = answer.status if answer.status >= 400 else said.status or 500
    detail = ", ".join([str(said.status or answer.status), *sorted(said.codes), *([said.param] if said.param else [])])
    if said.codes & _QUOTA or status == 402:
        return "quota", f"the quota or credit at {server} is used up ({detail})", "top it up, or use another provider"
    if status == 429:
        return "rate_limit", f"{server} takes no more requests for now ({detail})", "try again later"
    if status == 413 or _TOO_LONG.search(" ".join([*said.codes, said.message])):
        hint = "set context_tokens to what the model can read, or take a model with a longer context"
        return "context_too_long", f"the prompt is longer than {model} can read ({detail})", hint
    if any("content_filter" in code or code == "content_policy_violation" for code in said.codes):
        return "content_filter", f"the content filter of {server} refused the prompt ({detail})", ""
    if status in (401, 403):
        return _key_refused(status, profile)
    if status == 404:
        return _not_found(said, profile, model, answer.is_html)
    if status == 408:
        return "timeout", f"{server} took too long and gave up ({detail})", "try again later"
    if status == 409 or status >= 500:
        return "server", f"{server} has a problem of its own ({detail})", "try again later"
    return "bad_request", f"{server} does not accept the request ({detail})", _mend(said)


def _key_refused(status: int, profile: Profile) -> tuple[Kind, str, str]:
    hint = "api_key_env names the variable that holds the key; .env is read too"
    if profile.key == NO_KEY:
        return "no_key", f"{profile.server} wants a key and none is set", hint
    if status == 403:
        return "wrong_key", f"{profile.server} does not allow this key to do that (403)", hint
    return "wrong_key", f"{profile.server} does not accept the key (401)", hint


def _not_found(said: Said, profile: Profile, model: str, is_html: bool) -> tuple[Kind, str, str]:
    if not is_html and ("model" in said.message.lower() or any("model" in code for code in said.codes)):
        return "unknown_model", f"{profile.server} has no model {model!r}", "write its name under `model:`"
    said_so = f"{profile.server} has no chat under this address (404)"
    return "not_json" if is_html else "bad_request", said_so, "base_url usually ends in /v1"


def _mend(said: Said) -> str:
    told = f"{said.param} {said.message}"
    if "temperature" in told:
        return "write `temperature: null`, then none is sent"
    if "max_tokens" in told or "max_completion_tokens" in told:
        return "write `max_tokens: null`, or a smaller number"
    if "response_format" in told or "json_schema" in told:
        return "write `structured: json_object`, or `none`"
    return ""


def _said(body: Any) -> Said | None:
    """From {"error": {...}}, {"error": "..."} or what else servers call an error; None where there is none."""
    if not isinstance(body, dict):
        return None
    error = body.get("error") or (None if "choices" in body else body.get("detail"))
    if not error:
        return None
    if not isinstance(error, dict):
        return Said(frozenset(), "", error if isinstance(error, str) else "", None)
    codes = frozenset(code for key in ("code", "type") if (code := _identifier(error.get(key))))
    status = error.get("code") if isinstance(error.get("code"), int) else error.get("status")
    known = isinstance(status, int) and 400 <= status < 600
    return Said(codes, _identifier(error.get("param")), str(error.get("message", "")), status if known else None)


def _identifier(value: Any) -> str:
    return value if isinstance(value, str) and _CODE.fullmatch(value) else ""


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds to stay away; None where the server names none, or none that makes sense."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", value):
            return float(value) / scale
    try:
        until = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - now).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None
