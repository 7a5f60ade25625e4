"""Asks an OpenAI-compatible server through LangChain's ChatOpenAI. The only file that makes requests.

Never streams: a stream that is cut looks complete. One request has a deadline for the whole of it, as ChatOpenAI's own
timeout is one for each read, so that a server that drips would never be late. ChatOpenAI retries nothing; `retry` does.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import random
import re
import threading
import time
import warnings
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from watchdog.chat.failures import Answer, answer_failed, failed
from watchdog.chat.profiles import Profile
from watchdog.chat.reply import ChatError, Kind, Message, Reply
from watchdog.chat.retry import Failed, Retry
from watchdog.chat.talk import as_langchain, model_of, text_of, tool_calls_of
from watchdog.chat.tokens import estimate_messages, estimate_tokens
from watchdog.chat.tracing import tracing

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

T = TypeVar("T")

CONNECT_SECONDS = 10.0  # a server that is there takes a connection sooner
GRACE_SECONDS = 2.0  # for closing connections after a deadline
_LOOPBACK = re.compile(r"https?://(localhost|127\.[\d.]+|\[::1\])(:|/|$)")
_SCHEMA_TOLD = "Reply with one JSON object and nothing else. It has to fit this JSON Schema:\n"


class OpenAIClient:
    """A provider of kind `openai`. The world is passed in, so that tests need no waiting."""

    def __init__(
        self,
        profile: Profile,
        *,
        sleep: Callable[[float], object] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        random: Callable[[], float] = random.random,
    ) -> None:
        self.profile = profile
        self._clock = clock
        self._retry = Retry(profile.max_retries, profile.max_wait, sleep, clock, random)

    @property
    def name(self) -> str:
        return self.profile.name

    def model_of(self, role: str = "specialist") -> str:
        return self.profile.model_of(role)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        role: str = "specialist",
        schema: dict[str, Any] | None = None,
        tools: Sequence[dict[str, Any]] = (),
        seconds: float | None = None,
    ) -> Reply:
        _load()
        model, started = self.model_of(role), self._clock()
        sent = self._with_schema(messages, schema)

        if seconds is not None and seconds <= 0:
            raise ChatError(f"provider {self.name!r}: no time is left for a request", kind="timeout")

        def once(left: float | None) -> Reply:
            deadline = self.profile.timeout if left is None else min(self.profile.timeout, max(left, 0.001))
            return self._judged(self._request(sent, model, schema, tools, deadline), sent, model)

        try:
            tried = self._retry.run(once, seconds=seconds)
        except ChatError as error:
            error.seconds = self._clock() - started
            raise
        return replace(tried.value, attempts=tried.attempts, seconds=self._clock() - started)

    def _with_schema(self, messages: Sequence[Message], schema: dict[str, Any] | None) -> list[Message]:
        """Servers that do not take a JSON Schema are told of it in words."""
        if schema is None or self.profile.structured == "json_schema":
            return list(messages)
        return [*messages, {"role": "system", "content": _SCHEMA_TOLD + json.dumps(schema, ensure_ascii=False)}]

    # ------------------------------------------------------------ one request

    def _request(
        self,
        messages: Sequence[Message],
        model: str,
        schema: dict[str, Any] | None,
        tools: Sequence[dict[str, Any]],
        deadline: float,
    ) -> AIMessage:
        seen: list[Answer] = []

        async def ask() -> AIMessage:
            with tracing(self.profile.tracing):
                async with asyncio.timeout(deadline):
                    return await self._ask(messages, model, schema, tools, deadline, seen)

        try:
            # A context of its own keeps the callbacks of a graph above out of it: they might trace what is asked.
            context = contextvars.copy_context() if self.profile.tracing else contextvars.Context()
            return in_a_thread(ask, deadline + GRACE_SECONDS, context)
        except Exception as problem:
            failure = self._failure(problem, seen, model, deadline)
            if failure is None:
                raise  # a mistake of ours
            raise failure from problem

    async def _ask(
        self,
        messages: Sequence[Message],
        model: str,
        schema: dict[str, Any] | None,
        tools: Sequence[dict[str, Any]],
        deadline: float,
        seen: list[Answer],
    ) -> AIMessage:
        import openai
        from langchain_openai import ChatOpenAI
        from pydantic import SecretStr

        async def remember(response: Any) -> None:
            await response.aread()
            seen.append(Answer(response.status_code, dict(response.headers.items()), response.content))

        async def keep_private(request: Any) -> None:
            if not self._is_openai:  # the library takes them from the environment, whoever it talks to
                for header in ("openai-organization", "openai-project"):
                    request.headers.pop(header, None)

        timeout = openai.Timeout(deadline, connect=min(deadline, CONNECT_SECONDS))
        hooks: dict[str, list[Callable[..., Any]]] = {"request": [keep_private], "response": [remember]}
        # A proxy of the environment cannot reach a server on this machine.
        near = _LOOPBACK.match(self.profile.server) is not None
        async with openai.DefaultAsyncHttpxClient(timeout=timeout, event_hooks=hooks, trust_env=not near) as http:
            chat = ChatOpenAI(
                model=model,
                api_key=SecretStr(self.profile.key),
                base_url=self.profile.base_url,
                temperature=self.profile.temperature,
                timeout=timeout,
                max_retries=0,
                http_async_client=http,
                openai_proxy=None,
                streaming=False,
                disable_streaming=True,
                stream_usage=False,
                use_responses_api=False,
                cache=False,
                extra_body=self._extra(schema),
                **self._limit(),
            )
            asked: dict[str, Any] = {"tools": list(tools)} if tools else {}
            return await chat.ainvoke(as_langchain(messages), **asked)

    def _limit(self) -> dict[str, Any]:
        """ChatOpenAI calls it by OpenAI's new name; other servers know the old one."""
        known = self.profile.max_tokens is not None and self._is_openai
        return {"max_completion_tokens": self.profile.max_tokens} if known else {}

    def _extra(self, schema: dict[str, Any] | None) -> dict[str, Any] | None:
        """What goes into the request as it is. `response_format` too: ChatOpenAI would take another road for it."""
        extra: dict[str, Any] = {}
        if self.profile.max_tokens is not None and not self._is_openai:
            extra["max_tokens"] = self.profile.max_tokens
        if schema is not None and self.profile.structured == "json_schema":
            told = {"name": "reply", "strict": True, "schema": schema}
            extra["response_format"] = {"type": "json_schema", "json_schema": told}
        elif schema is not None and self.profile.structured == "json_object":
            extra["response_format"] = {"type": "json_object"}
        return extra or None

    @property
    def _is_openai(self) -> bool:
        return re.match(r"https?://[^/]*\b(openai|azure)\.com(:\d+)?(/|$)", self.profile.server) is not None

    # ------------------------------------------------------------ what came of it

    def _failure(self, problem: Exception, seen: Sequence[Answer], model: str, deadline: float) -> Failed | None:
        import openai

        causes = {type(cause).__name__ for cause in _causes(problem)}
        if isinstance(problem, TimeoutError | openai.APITimeoutError) and "ConnectTimeout" not in causes:
            return self._late(deadline)
        if seen:
            return answer_failed(seen[-1], self.profile, model)
        if isinstance(problem, openai.APIConnectionError):
            return self._no_connection(causes)
        return None

    def _late(self, deadline: float) -> Failed:
        said = f"{self.profile.server} gave no whole reply within {deadline:.3g} s"
        return failed("timeout", said, self.profile, hint="`timeout` sets the seconds for one request")

    def _no_connection(self, causes: set[str]) -> Failed:
        server = self.profile.server
        if causes & {"SSLError", "SSLCertVerificationError"}:
            said, hint = f"no secure connection to {server}", "is it https, and is its certificate known here?"
        elif causes & {"ConnectError", "ConnectTimeout"}:
            said, hint = f"nobody answers at {server}", "is the server running, and is base_url right?"
        else:
            said, hint = f"the connection to {server} broke off", "try again later"
        return failed("unreachable", said, self.profile, hint=hint)

    def _judged(self, message: AIMessage, sent: Sequence[Message], model: str) -> Reply:
        """The message as a reply, if it is one that may be used."""
        text = text_of(message)
        calls = tool_calls_of(message)
        reply = self._counted(Reply(text, tool_calls=calls), message, sent, model)
        finish = str(message.response_metadata.get("finish_reason") or reply.finish)
        refusal = message.additional_kwargs.get("refusal")
        unusable = self._unusable(finish, reply, refused=bool(refusal), model=model)
        if unusable is None:
            return replace(reply, finish="tool_calls" if calls else "stop")
        kind, sentence, hint = unusable
        problem = failed(kind, sentence, self.profile, hint=hint)
        error = problem.error
        error.tokens_in, error.tokens_out, error.cost = reply.tokens_in, reply.tokens_out, reply.cost
        error.text = str(refusal or text)
        raise problem

    def _unusable(self, finish: str, reply: Reply, *, refused: bool, model: str) -> tuple[Kind, str, str] | None:
        server = self.profile.server
        if finish == "length":
            hint = "raise max_tokens or context_tokens, or take a model with a longer context"
            return "cut_off", f"{model} ran out of tokens before its reply was whole", hint
        if finish == "content_filter":
            return "content_filter", f"the content filter of {server} cut the reply off", ""
        if finish == "insufficient_system_resource":  # DeepSeek, when it is overloaded
            return "server", f"{server} broke off in the middle of a reply", "try again later"
        if refused:
            return "refused", f"{model} refuses to answer", "try another model"
        if not reply.text.strip() and not reply.tool_calls:
            return "empty", f"the reply of {model} is empty", "try another model"
        return None

    def _counted(self, reply: Reply, message: AIMessage, sent: Sequence[Message], model: str) -> Reply:
        usage = message.usage_metadata
        tokens_in, tokens_out = (usage["input_tokens"], usage["output_tokens"]) if usage else (0, 0)
        estimated = not (tokens_in or tokens_out)
        if estimated:
            tokens_in = estimate_messages(sent)
            tokens_out = estimate_tokens(reply.text) + sum(estimate_tokens(call.raw) for call in reply.tool_calls)
        price = self.profile.price
        return replace(
            reply,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            estimated=estimated,
            cost=price.cost(tokens_in, tokens_out) if price else None,
            model=model_of(message) or model,
        )


def _load() -> None:
    """Takes seconds the first time, which no deadline should count."""
    import langchain_openai  # noqa: F401
    import langsmith  # noqa: F401

    # It warns of what the answer says anyway.
    warnings.filterwarnings("ignore", message=".*OpenAI's structured output feature", category=UserWarning)


def in_a_thread(ask: Callable[[], Coroutine[Any, Any, T]], seconds: float, context: contextvars.Context) -> T:
    """Runs a coroutine to its end on a loop of its own, whether or not the caller has one running.

    TimeoutError when it does not end in time; its thread is left behind then, as a name lookup that hangs cannot be
    stopped.
    """
    outcome: list[T] = []
    problems: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(asyncio.run(ask()))
        except BaseException as problem:  # noqa: BLE001  raised again in the caller's thread
            problems.append(problem)

    thread = threading.Thread(target=context.run, args=(work,), name="watchdog-chat", daemon=True)
    thread.start()
    thread.join(seconds)
    if problems:
        raise problems[0]
    if not outcome:
        raise TimeoutError
    return outcome[0]


def _causes(problem: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    current: BaseException | None = problem
    while current is not None and current not in found:
        found.append(current)
        current = current.__cause__ or current.__context__
    return found
