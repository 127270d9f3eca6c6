"""An OpenAI-compatible server for tests, over real HTTP in a thread of its own. It says what it is told, and fails as it is told.

with FakeServer() as server:
    server.script("one", Reply("two words", cut_after=1), Reply(status=503, headers={"retry-after": "1"}))
    server.on(lambda asked: '{"add": []}' if "lasting facts" in asked.text else None)
    OpenAIModel(server.url) …; server.requests[-1].body; server.wait_for_disconnect()
"""

from __future__ import annotations

import json
import math
import select
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.fake_replies import Reply, embedding, error, events, frame, overflow, tokens

__all__ = ["Asked", "FakeServer", "Reply"]


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    raw: bytes = b""

    @property
    def messages(self) -> list[dict[str, Any]]:
        given = self.body.get("messages")
        return [message for message in given if isinstance(message, dict)] if isinstance(given, list) else []

    @property
    def text(self) -> str:
        """All messages, one after another."""
        return "\n".join(str(message.get("content", "")) for message in self.messages)


Rule = Callable[[Asked], Reply | str | None]


class FakeServer:
    """Scripted replies first, then the rules in order, then "ok then".

    `window` makes it refuse longer prompts as llama.cpp does. `offers` are the paths beyond /v1 that it knows
    ("/props", "/tokenize", "/api/show", …; what stands there is answered). `refuses` are the fields of a request that it
    answers with 400 ("stream_options", "json_schema", "json_object", "logprobs", …).
    """

    def __init__(
        self,
        *,
        models: tuple[str, ...] = ("fake-chat",),
        window: int | None = None,
        offers: dict[str, dict[str, Any] | Reply] | None = None,
        refuses: tuple[str, ...] = (),
        model_fields: dict[str, Any] | None = None,
        key: str = "",
        port: int = 0,
    ) -> None:
        self.models = models
        self.window = window
        self.offers = {"/tokenize": {}} if offers is None else offers
        self.refuses = refuses
        self.model_fields = model_fields or {}
        self.key = key
        self.embeddings: list[Reply] = []  # what /v1/embeddings says next, each once; then it embeds
        self.embedding_rule: Callable[[Asked], Reply | None] = lambda _: None  # what it says instead of embedding
        self.requests: list[Asked] = []
        self.closing = threading.Event()
        self._queue: list[Reply] = []
        self._rules: list[Rule] = []
        self._previous: list[str] = []
        self._lock = threading.Lock()
        self._disconnected = threading.Semaphore(0)
        self._asked = threading.Semaphore(0)
        fake = self

        class Handler(_Handler):
            server_of_it = fake

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    def script(self, *replies: Reply | str) -> None:
        """Say these next, each once."""
        self._queue += [Reply(reply) if isinstance(reply, str) else reply for reply in replies]

    def on(self, rule: Rule) -> None:
        """Answer by this rule what the script does not: the first rule that gives something wins."""
        self._rules.append(rule)

    def chats(self) -> list[Asked]:
        """The chat requests so far."""
        return [asked for asked in self.requests if asked.path.endswith("/chat/completions")]

    def wait_for_chat(self, seconds: float = 5.0) -> bool:
        """Wait until one more chat was asked for; False if none is."""
        return self._asked.acquire(timeout=seconds)

    def wait_for_disconnect(self, seconds: float = 5.0) -> bool:
        """Wait until a client has gone away in the middle of an answer; False if none does."""
        return self._disconnected.acquire(timeout=seconds)

    def came(self, asked: Asked) -> None:
        """Take note of a request."""
        self.requests.append(asked)
        if asked.path.endswith("/chat/completions"):
            self._asked.release()

    def gone(self) -> None:
        """Take note that a client went away."""
        self._disconnected.release()

    def reply_to(self, asked: Asked) -> tuple[Reply, dict[str, Any]]:
        """Choose what to say, and count: the cached tokens are those shared with the start of the previous prompt."""
        with self._lock:
            prompt = tokens(asked.text)
            if self.window is not None and len(prompt) > self.window:
                return overflow(len(prompt), self.window), {}
            for name in self.refuses:
                if name in asked.body or name == (asked.body.get("response_format") or {}).get("type"):
                    return error(400, f"Unsupported parameter: {name} is not supported by this model."), {}
            if self._queue:
                reply = self._queue.pop(0)
            else:
                said = next((given for rule in self._rules if (given := rule(asked)) is not None), "ok then")
                reply = Reply(said) if isinstance(said, str) else said
            cached = 0
            for one, other in zip(prompt, self._previous, strict=False):
                if one != other:
                    break
                cached += 1
            self._previous = prompt
            written = len(tokens("".join(reply.pieces)))
            return reply, {
                "prompt_tokens": len(prompt),
                "completion_tokens": written,
                "total_tokens": len(prompt) + written,
                "prompt_tokens_details": {"cached_tokens": cached},
            }


def _object(body: bytes) -> dict[str, Any]:
    """Return a body as JSON; empty for what is no object."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each answer waits 40 ms for an acknowledgement
    server_of_it: FakeServer

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def handle(self) -> None:
        """Serve a connection until it ends, also where the client breaks it off between two requests."""
        with suppress(ConnectionResetError):
            super().handle()

    def do_GET(self) -> None:
        self._take(self._read())

    def do_POST(self) -> None:
        self._take(self._read())

    def _read(self) -> Asked:
        length = int(self.headers.get("content-length", 0))
        body = self.rfile.read(length)
        if len(body) < length:  # cancelled while it was sent: no request at all
            raise ConnectionResetError
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, self.path, headers, _object(body), body)
        self.server_of_it.came(asked)
        return asked

    def _take(self, asked: Asked) -> None:
        fake = self.server_of_it
        try:
            if fake.key and asked.headers.get("authorization") != f"Bearer {fake.key}":
                self._whole(error(401, "Invalid API key"))
            elif asked.path == "/tokenize" and asked.path in fake.offers:
                self._json({"tokens": list(range(len(tokens(asked.body.get("content", "")))))})
            elif asked.path in fake.offers:
                self._offer(fake.offers[asked.path])
            elif asked.path == "/v1/chat/completions":
                self._chat(asked)
            elif asked.path == "/v1/models":
                models = [{"id": name, "object": "model", **fake.model_fields} for name in fake.models]
                self._json({"object": "list", "data": models})
            elif asked.path == "/v1/embeddings":
                self._embeddings(asked)
            else:
                self._whole(error(404, "not found"))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
            fake.gone()
        except (AttributeError, KeyError, TypeError, ValueError):  # a field that is something else than it should be
            self._whole(error(400, "Invalid request."))

    def _chat(self, asked: Asked) -> None:
        reply, usage = self.server_of_it.reply_to(asked)
        self._wait(reply.delay)
        if reply.drop:
            self.close_connection = True
        elif reply.raw is not None or reply.status != 200:
            self._whole(reply)
        elif asked.body.get("stream"):
            wanted = reply.usage and bool((asked.body.get("stream_options") or {}).get("include_usage"))
            self._stream(reply, usage if wanted else None)
        else:
            message = {"role": "assistant", "content": "".join(reply.pieces)}
            if reply.thought:
                message["reasoning_content"] = reply.thought
            choice = {"index": 0, "message": message, "finish_reason": reply.finish}
            self._json(
                {
                    "object": "chat.completion",
                    "choices": [choice],
                    "usage": usage,
                    **frame(asked.body.get("model") or "fake-chat"),
                }
            )

    def _stream(self, reply: Reply, usage: dict[str, Any] | None) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for number, event in enumerate(reply.lines or events(reply, usage)):
            if number == reply.cut_after:
                self.close_connection = True
                return
            if number == reply.hang_after:
                self._wait(3600)
            self._wait(reply.pause if number else 0)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
        self.wfile.write(b"0\r\n\r\n")

    def _embeddings(self, asked: Asked) -> None:
        if self.server_of_it.embeddings:
            reply = self.server_of_it.embeddings.pop(0)
            self._wait(reply.delay)
            self.close_connection = reply.drop
            if not reply.drop:
                self._whole(reply)
            return
        if (refused := self.server_of_it.embedding_rule(asked)) is not None:
            self._whole(refused)
            return
        texts = asked.body["input"] if isinstance(asked.body["input"], list) else [asked.body["input"]]
        rows = [{"object": "embedding", "index": i, "embedding": embedding(text)} for i, text in enumerate(texts)]
        count = sum(len(tokens(text)) for text in texts)
        usage = {"prompt_tokens": count, "total_tokens": count}
        self._json({"object": "list", "model": "fake-embed", "data": rows, "usage": usage})

    def _wait(self, seconds: float) -> None:
        """Wait, but notice at once when the client goes away, and when the test is over."""
        step = 0.02
        for _ in range(math.ceil(seconds / step)):
            if self.server_of_it.closing.is_set():
                raise BrokenPipeError
            if select.select([self.connection], [], [], step)[0] and not self.connection.recv(1, 2):  # 2: MSG_PEEK
                raise BrokenPipeError

    def _offer(self, offer: dict[str, Any] | Reply) -> None:
        self._whole(offer) if isinstance(offer, Reply) else self._json(offer)

    def _json(self, value: dict[str, Any]) -> None:
        self._whole(Reply(raw=json.dumps(value).encode()))

    def _whole(self, reply: Reply) -> None:
        body = reply.raw if reply.raw is not None else b""
        self.send_response(reply.status)
        headers = {"content-type": reply.content_type, "content-length": str(len(body)), **reply.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = self.close_connection or int(headers["content-length"]) > len(body)
