"""Reported failures of proxies, held against the real one over real HTTP, in front of a server that does as the case says.

`run(case)` says whether one is met, and why not; None where nothing here shows what it expects.
"""

from __future__ import annotations

import asyncio
import json
import logging
import pathlib
import re
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx2

from ricordo.learn.extractor import SYSTEM
from tests.fake_server import Asked, FakeServer, Reply
from tests.server.proxied import Proxied, proxied

AREAS = ("proxy",)
Verdict = tuple[bool | None, str]
_UNSAID = ("note", "hint", "convention")
_IDLE = 2  # seconds without a byte, where a case sets the limit
_HELLO = "Hello."


@dataclass
class Got:
    """What the client got: status, bytes, whether the stream ended as it should, and in how many seconds."""

    status: int = 0
    body: bytes = b""
    broken: bool = False
    seconds: float = 0.0
    raised: bool = False
    facts: list[str] = field(default_factory=list)

    @property
    def lines(self) -> list[str]:
        return self.body.decode("utf-8", "replace").splitlines()

    @property
    def events(self) -> list[dict[str, Any]]:
        data = [line[5:].strip() for line in self.lines if line.startswith("data:")] or [self.body.decode("utf-8", "replace")]
        found = []
        for each in data:
            with suppress(ValueError):
                found.append(json.loads(each))
        return [each for each in found if isinstance(each, dict)]

    @property
    def text(self) -> str:
        choices = [choice for event in self.events for choice in event.get("choices", ()) if not choice.get("index")]
        return "".join((each.get("delta") or each.get("message") or {}).get("content") or "" for each in choices)

    @property
    def error(self) -> bool:
        return any(event.get("error") for event in self.events) or self.status >= 400


def run(case: dict[str, Any]) -> Verdict:
    """Hold one case against the code."""
    with tempfile.TemporaryDirectory() as folder, FakeServer(refuses=()) as upstream:
        return asyncio.run(_judged(pathlib.Path(folder), upstream, case["input"], case["expected"]))


async def _judged(folder: pathlib.Path, upstream: FakeServer, given: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    raised: list[logging.LogRecord] = []
    log = logging.getLogger("ricordo.server")
    async with proxied(folder, upstream) as here:
        log.addFilter(watching := lambda record: not raised.append(record))
        try:
            got = await _asked(here, given)
        finally:
            log.removeFilter(watching)
        got.raised = bool(raised)
        for key, wanted in expected.items():
            if key in _UNSAID:
                continue
            if key not in _CHECKS:
                return None, f"nothing here shows {key}"
            there = await _CHECKS[key](here, got, given, wanted)
            if there != wanted and there is not Ellipsis:
                return False, f"{key} should be {wanted!r}; there is {there!r}"
    return True, ""


async def _asked(here: Proxied, given: dict[str, Any]) -> Got:
    """Send what the case sends, in order, and return what came last."""
    if "requests" in given:
        return await _again(here, given["requests"])
    if "hidden_call_replies" in given:
        return await _learned(here, given)
    _say(here, given)
    messages = given.get("request_messages") or [{"role": "user", "content": given.get("user", "Hello there, who is it?")}]
    if given.get("memory_db"):
        await here.program.get("/models")  # the token is known, the model's server, too
        _break(here)
    if "silent" in str(given.get("then")) or "no byte" in str(given.get("then")):
        desk = await here.vault._in_use.desk()
        desk.settings = desk.settings.model_copy(update={"timeout": _IDLE})
    body = {"model": "fake-chat", "messages": messages, "stream": "upstream_sse" in given, **given.get("request_fields", {})}
    return await _sent(here, body, given.get("request_headers", {}))


async def _sent(here: Proxied, body: dict[str, Any], headers: dict[str, str]) -> Got:
    got, started = Got(), time.perf_counter()
    try:
        async with here.program.stream("POST", "/chat/completions", json=body, headers=headers) as answer:
            got.status = answer.status_code
            async for piece in answer.aiter_bytes():
                got.body += piece
    except httpx2.TransportError:
        got.broken = True
    got.seconds = time.perf_counter() - started
    return got


def _say(here: Proxied, given: dict[str, Any]) -> None:
    """Have the model's server answer as the case says."""
    if (allowed := given.get("upstream_roles_allowed")) is not None:
        here.upstream.on(lambda asked: _refused_roles(asked, allowed))
    if "upstream_sse" not in given:
        status = given.get("upstream_status", 200)
        text = given.get("upstream_text", "ok then")
        here.upstream.script(
            Reply(text) if status == 200 else Reply(status=status, raw=str(given.get("upstream_body", "")).encode())
        )
        if allowed is not None:
            here.upstream._queue.clear()
        return
    sse = str(given["upstream_sse"]).encode()
    lines = tuple(piece for piece in re.split(rb"(?<=\n\n)|(?<=\r\n\r\n)", sse) if piece)
    then = str(given.get("then", ""))
    if "no byte" in then or "silent" in then:
        here.upstream.script(Reply(lines=(*lines, b"\n"), hang_after=len(lines)))
    elif then:
        here.upstream.script(Reply(lines=(*lines, b"\n"), cut_after=len(lines)))
    else:
        here.upstream.script(Reply(lines=lines))


def _refused_roles(asked: Asked, allowed: list[str]) -> Reply | str:
    odd = [each["role"] for each in asked.messages if each["role"] not in allowed]
    return Reply(status=400, raw=b'{"error":{"message":"Unexpected role"}}') if odd else "Paris"


def _break(here: Proxied) -> None:
    """Have every call of the vault's database fail from now on."""

    async def fails(*_: Any, **__: Any) -> Any:
        raise OSError("the database is gone")

    here.vault._database.read = here.vault._database.write = fails  # type: ignore[method-assign, assignment]


async def _learned(here: Proxied, given: dict[str, Any]) -> Got:
    """Let a turn be learned from, the hidden calls answered as the case says."""
    hidden = [
        Reply(status=each["status"], raw=each["body"].encode()) if each["status"] != 200 else _quoted(each["content"], given)
        for each in given["hidden_call_replies"]
    ]
    said = given["turn"]
    here.upstream.on(lambda asked: (hidden.pop(0) if hidden else None) if asked.messages[0]["content"] == SYSTEM else None)
    here.upstream.on(lambda asked: said["assistant"])
    got = await _sent(here, {"model": "fake-chat", "messages": [{"role": "user", "content": said["user"]}]}, {})
    await here.vault.learn()
    return await _with_facts(here, got)


def _quoted(content: str, given: dict[str, Any]) -> str:
    """Return an answer in the shape that is asked for here: each fact with the person's words that it was learned from."""
    value = json.loads(content)
    facts = [{"text": fact, "quote": given["turn"]["user"]} for fact in value["add"]]
    return json.dumps({**value, "add": facts})


async def _again(here: Proxied, requests: list[str]) -> Got:
    """Send one history several times, the replies as the case says, and learn from each."""
    said, got = "", Got()
    for request in requests:
        asked, reply = request.rsplit("->", 1)
        said = match[1] if (match := re.search(r"user: '(.*?)'", asked)) else said
        here.upstream.script(reply.strip().strip("'"))
        got = await _sent(here, {"model": "fake-chat", "messages": [{"role": "user", "content": said}]}, {})
        fact = f"The user likes {said.rstrip('.').split()[-1]}."
        here.upstream.script(json.dumps({"add": [{"text": fact, "quote": said}]}))
        await here.vault.learn()
        here.upstream._queue.clear()
    return await _with_facts(here, got)


async def _with_facts(here: Proxied, got: Got) -> Got:
    got.facts = [fact.text for fact in await here.vault.facts.all()]
    return got


async def _recorded(here: Proxied, *_: Any) -> Any:
    """Return the reply that was stored, None without one."""
    replies = [text for role, _, text in await here.shown() if role == "model"]
    return replies[-1] if replies else None


async def _user_text(here: Proxied, *_: Any) -> Any:
    return [text for role, _, text in await here.shown() if role == "user"][-1]


async def _waits(here: Proxied, *_: Any) -> Any:
    return bool(await here.vault.changes.waiting())


async def _next_works(here: Proxied, *_: Any) -> Any:
    here.upstream.script(_HELLO)
    return (await here.say("And now?")).status_code == 200


async def _system_has(here: Proxied, got: Got, given: Any, wanted: list[str]) -> Any:
    system = json.dumps(here.last().messages[0]["content"], ensure_ascii=False)
    return all(text in system if text != "{memory block}" else "Ricordo" in system for text in wanted) and wanted


async def _unchanged(here: Proxied, got: Got, given: Any, wanted: str) -> Any:
    role = wanted.split()[0]
    sent = [each for each in here.last().messages if each["role"] == role]
    return wanted if sent and sent == [each for each in given["request_messages"] if each["role"] == role] else sent


async def _in_db(here: Proxied, got: Got, given: Any, wanted: Any) -> Any:
    urls = re.findall(r"base64,([\w+/=]+)", json.dumps(given["request_messages"]))
    rows = await here.vault._database.read(
        lambda c: [c.execute(f"select * from {table}").fetchall() for table in ("messages", "attachments", "excerpts", "traces")]
    )
    return any(url in str(rows) for url in urls)


async def _shown_count(here: Proxied, *_: Any) -> Any:
    return len(await here.shown())


def _of(value: Callable[[Proxied, Got], Any]) -> Any:
    async def check(here: Proxied, got: Got, *_: Any) -> Any:
        return value(here, got)

    return check


async def _within(here: Proxied, got: Got, given: Any, wanted: float) -> Any:
    return wanted if got.seconds <= wanted else got.seconds


async def _sees(here: Proxied, got: Got, given: Any, wanted: str) -> Any:
    return wanted if got.error or got.broken else got.body


_CHECKS: dict[str, Any] = {
    "turn_recorded": _recorded,
    "stored_assistant_text": _recorded,
    "turn_user_text": _user_text,
    "extraction_runs": _waits,
    "next_request_works": _next_works,
    "raises": _of(lambda here, got: got.raised or got.status >= 500),
    "client_gets_text": _of(lambda here, got: got.text),
    "client_gets_done": _of(lambda here, got: any(line.replace(" ", "") == "data:[DONE]" for line in got.lines)),
    "client_gets_error": _of(lambda here, got: got.error),
    "client_gets_usage_total": _of(
        lambda here, got: next((event["usage"]["total_tokens"] for event in got.events if event.get("usage")), None)
    ),
    "client_status": _of(lambda here, got: got.status),
    "client_sees": _sees,
    "client_stream_ended_within_s": _within,
    "client_data_lines_start_with_colon": _of(
        lambda here, got: any(line.startswith("data:") and line[5:].lstrip().startswith(":") for line in got.lines)
    ),
    "forwarded_roles": _of(lambda here, got: [each["role"] for each in here.last().messages]),
    "forwarded_system_has": _system_has,
    "forwarded_unchanged": _unchanged,
    "forwarded_user_parts": _of(lambda here, got: [part["type"] for part in here.last().messages[-1]["content"]]),
    "base64_in_db": _in_db,
    "facts_after": _of(lambda here, got: got.facts),
    "reply_to_user_unchanged": _of(lambda here, got: got.status == 200 and got.text != ""),
    "messages_stored": _shown_count,
}
