"""A stub of an OpenAI-compatible server on 127.0.0.1, for tests that want a real client over real HTTP.

    with Stub([status(429, {"Retry-After": "1"}), "the second request gets this text"]) as stub:
        client = open_client({"base_url": stub.base_url, "model": "stub"}, env={})
        ...
    assert [request.json["model"] for request in stub.requests] == ["stub", "stub"]

The script is a list of behaviours, one a request (a text stands for `reply(text)`), or a function from the request's
JSON to a behaviour, for a server that answers by what it is asked. A list that is used up answers 400, which no client
tries again, and leaving the block then raises. Every request is kept in `stub.requests`, in order, whatever its path, so
that the stub also counts requests where there should be none. Leaving the block ends what hangs and joins all threads.

Behaviours: reply, tool_call and tool_calls, no_usage, cut_off, content_filter, refusal, empty, null_content;
status, quota, server_error, bad_gateway, context_too_long, wrong_key, unknown_model;
hang, drip, cut, html, not_json, no_choices, null_choices, error_with_200.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal

DRIP_SECONDS = 0.02  # between two bytes
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


@dataclass(frozen=True)
class Behaviour:
    """What the server sends, and how: whole, never (hang), a byte at a time (drip), or half of it (cut)."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    how: Literal["whole", "hang", "drip", "cut"] = "whole"


@dataclass(frozen=True)
class Request:
    path: str
    headers: Mapping[str, str]  # by lower-case name
    json: Any  # None where the body is no JSON


Answering = Callable[[Any], "Behaviour | str"]


# ---------------------------------------------------------------- replies


def _json(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Behaviour:
    return Behaviour(json.dumps(value, ensure_ascii=False).encode(), status, headers or {})


def completion(message: Mapping[str, Any], finish: str | None = "stop", usage: Any = USAGE) -> Behaviour:
    """A chat completion with one choice. `usage=None` leaves it out."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    body = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "stub-1", "choices": [choice]}
    return _json(body if usage is None else {**body, "usage": usage})


def reply(text: str, usage: Any = USAGE) -> Behaviour:
    return completion({"content": text}, usage=usage)


def no_usage(text: str) -> Behaviour:
    return reply(text, usage=None)


def tool_calls(*calls: tuple[str, str], content: str | None = None) -> Behaviour:
    """Pairs of a tool's name and its arguments as raw text, which need not be JSON."""
    listed = [
        {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": raw}}
        for n, (name, raw) in enumerate(calls, start=1)
    ]
    return completion({"content": content, "tool_calls": listed}, finish="tool_calls")


def tool_call(name: str, **arguments: Any) -> Behaviour:
    return tool_calls((name, json.dumps(arguments)))


def cut_off(text: str = "It ends in the mid") -> Behaviour:
    return completion({"content": text}, finish="length")


def content_filter(text: str = "") -> Behaviour:
    return completion({"content": text}, finish="content_filter")


def refusal(text: str = "I cannot help with that.") -> Behaviour:
    return completion({"content": None, "refusal": text})


def empty() -> Behaviour:
    return reply("")


def null_content() -> Behaviour:
    return completion({"content": None})


# ---------------------------------------------------------------- errors


def status(code: int, headers: Mapping[str, str] | None = None, error: Mapping[str, Any] | None = None) -> Behaviour:
    """An error as OpenAI sends it."""
    return _json({"error": {"message": f"stub: {code}", "type": "stub_error", **(error or {})}}, code, headers)


def quota() -> Behaviour:
    return status(429, error={"code": "insufficient_quota", "type": "insufficient_quota"})


def server_error() -> Behaviour:
    return status(500)


def bad_gateway() -> Behaviour:
    return Behaviour(b"<html><h1>502 Bad Gateway</h1></html>", 502, content_type="text/html")


def context_too_long() -> Behaviour:
    said = "This model's maximum context length is 8192 tokens."
    return status(400, error={"code": "context_length_exceeded", "message": said})


def wrong_key() -> Behaviour:
    return status(401, error={"code": "invalid_api_key", "message": "Incorrect API key provided"})


def unknown_model() -> Behaviour:
    return status(404, error={"code": "model_not_found", "message": "The model does not exist"})


# ---------------------------------------------------------------- broken answers


def hang() -> Behaviour:
    """Takes the request and never answers."""
    return Behaviour(how="hang")


def drip(text: str = "slowly") -> Behaviour:
    """A good reply, a byte each 20 ms: no single read takes long, the whole does."""
    return Behaviour(reply(text).body, how="drip")


def cut(text: str = "this will not arrive whole") -> Behaviour:
    """The connection ends in the middle of the body."""
    return Behaviour(reply(text).body, how="cut")


def html() -> Behaviour:
    """A web page with status 200, as a base_url without /v1 gives."""
    return Behaviour(b"<!doctype html><title>Welcome</title>", content_type="text/html")


def not_json() -> Behaviour:
    return Behaviour(b'{"choices": [{"message": ')


def no_choices() -> Behaviour:
    return _json({"id": "1", "object": "chat.completion", "model": "stub-1", "choices": []})


def null_choices() -> Behaviour:
    return _json({"id": "1", "object": "chat.completion", "model": "stub-1", "choices": None})


def error_with_200(code: Any = None, message: str = "stub: upstream failed") -> Behaviour:
    return _json({"error": {"message": message, "code": code}})


# ---------------------------------------------------------------- the server


class Stub:
    """See the top of this file. `base_url` ends in /v1; `port` is a free one of 127.0.0.1."""

    def __init__(self, script: Iterable[Behaviour | str] | Answering) -> None:
        self.requests: list[Request] = []
        self._answering = script if callable(script) else None
        self._script: list[Behaviour | str] = [] if callable(script) else list(script)
        self._problems: list[BaseException] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()

    def __enter__(self) -> Stub:
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="stub-model")
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, at: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()  # joins the threads of the requests
        self._thread.join()
        if self._problems and kind is None:
            raise self._problems[0]

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def prompts(self) -> list[str]:
        """Of each request, the contents of its messages in one text."""
        asked = (request.json.get("messages", []) for request in self.requests)
        return ["\n".join(str(message.get("content") or "") for message in messages) for messages in asked]

    def _next(self, request: Request) -> Behaviour:
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
        try:
            if self._answering is not None:
                chosen = self._answering(request.json)
            elif number < len(self._script):
                chosen = self._script[number]
            else:
                raise AssertionError(f"the stub's script of {len(self._script)} replies is used up")
        except Exception as problem:  # noqa: BLE001  told at the end of the block
            self._problems.append(problem)
            return status(400)
        return reply(chosen) if isinstance(chosen, str) else chosen


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True

    def __init__(self, stub: Stub) -> None:
        self.stub = stub
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is part of the play."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            asked = json.loads(raw)
        except ValueError:
            asked = None
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._send(self.server.stub._next(Request(self.path, headers, asked)))

    do_GET = do_PATCH = do_PUT = do_POST

    def _send(self, behaviour: Behaviour) -> None:
        closing = self.server.stub._closing
        if behaviour.how == "hang":
            closing.wait()
            return
        self.send_response(behaviour.status)
        for name, value in {"Content-Type": behaviour.content_type, **behaviour.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(behaviour.body)))
        self.end_headers()
        if behaviour.how == "whole":
            self.wfile.write(behaviour.body)
        elif behaviour.how == "cut":
            self.wfile.write(behaviour.body[: len(behaviour.body) // 2])
        else:
            for byte in behaviour.body:
                if closing.wait(DRIP_SECONDS):
                    return
                self.wfile.write(bytes([byte]))
