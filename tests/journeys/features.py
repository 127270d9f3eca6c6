"""A day with all that the app can do, over its API, each thing with a word of its own: for journeys that look where words go."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx2

from ricordo.learn import extractor, summarizer
from tests.fake_server import Asked, Reply

FILE = {"content-type": "application/octet-stream"}


@dataclass
class Day:
    """Who is at the app, with which word, and what was made so far. `word` begins every word of the day."""

    client: httpx2.Client
    word: str
    talk: int = 0
    token: str = ""
    said: list[str] = field(default_factory=list)

    def of(self, feature: str) -> str:
        """Return the word of a feature, which then has to be found in the vault."""
        self.said.append(f"{self.word}{feature}")
        return self.said[-1]

    def post(self, path: str, **body: Any) -> httpx2.Response:
        """Post to the API; raises when it is refused."""
        return self.client.post(f"/api{path}", json=body).raise_for_status()

    def program(self, path: str, body: dict[str, Any]) -> httpx2.Response:
        """Ask as another program does."""
        with httpx2.Client(base_url=self.client.base_url, timeout=30, trust_env=False) as client:
            headers = {"authorization": f"Bearer {self.token}", "accept": "application/json, text/event-stream"}
            return client.post(path, json=body, headers=headers).raise_for_status()


def talkative(word: str) -> Callable[[Asked], Reply | str | None]:
    """What the model says: an echo of the word, facts and minutes with it, and once an error that holds it."""

    def rule(asked: Asked) -> Reply | str | None:
        told = asked.messages[-1]["content"] if asked.messages else ""
        if extractor.SYSTEM in asked.text:
            found = [part for part in str(told).replace(".", " ").split() if part.startswith(f"{word}learn")]
            add = [{"text": f"The user keeps {part} bees.", "quote": f"I keep {part} bees"} for part in found[:1]]
            return json.dumps({"add": add, "rewrite": [], "remove": []})
        if summarizer.SYSTEM in asked.text:
            return json.dumps(
                {"decisions": [f"The user keeps {word}learn bees."], "facts": [], "open_threads": [], "current_state": []}
            )
        if str(told).endswith(f"{word}error please"):
            return Reply(status=500, raw=f'{{"error": {{"message": "no {word}"}}}}'.encode())
        return f"You said {word}. " * 20

    return rule


def begin(day: Day, server: str, embedder: str) -> None:
    """Settings, a conversation, a token."""
    settings = {"server": server, "embedder": embedder, "global_memories": True}
    settings |= {"instructions": day.of("instructions"), "api_key": f"sk-{day.of('apikey')}"}
    day.client.patch("/api/settings", json=settings).raise_for_status()
    day.talk = day.post("/conversations", title=day.of("title")).json()["id"]
    day.token = day.post("/tokens", name=day.of("token")).json()["token"]


def chat(day: Day) -> None:
    """Messages and replies; a draft; a Space; a pin; what is said by a command; an error of the model."""
    assert day.word in day.post(f"/conversations/{day.talk}/reply", text=f"{day.of('chat')} at the harbour " * 50).text
    day.client.put("/api/draft", json={"conversation": day.talk, "text": day.of("draft")}).raise_for_status()
    day.post("/spaces", name=day.of("space"))
    entry = day.post(f"/conversations/{day.talk}/entries", text=f"{day.of('entry')} was a long day by the sea.").json()["id"]
    day.post(f"/messages/{entry}/pin")
    day.post("/commands", text=f"/remember {day.of('command')} is my boat")
    assert "failed" in day.post(f"/conversations/{day.talk}/reply", text=f"{day.of('error')} please").text
    day.client.post(f"/api/conversations/{day.of('x') and 0}/reply", json={"text": 7})
    day.said.remove(f"{day.word}x")


def learn(day: Day) -> None:
    """A fact that the model keeps, a summary."""
    day.post(f"/conversations/{day.talk}/reply", text=f"I keep {day.of('learn')} bees.")
    for _ in range(600):
        if any(f"{day.word}learn" in fact["text"] for fact in day.client.get("/api/facts").json()):
            break
        time.sleep(0.05)
    else:
        raise AssertionError(f"nothing was learned: {day.client.get('/api/runs').text}")
    day.post(f"/conversations/{day.talk}/summary")


def attach(day: Day) -> None:
    """A megabyte of a file, with a draft and with a message."""
    file = {"name": f"{day.of('attachment')}.txt", "text": f"{day.word}attachment given along " * 40_000}
    day.client.put("/api/draft", json={"conversation": day.talk, "attachments": [file]}).raise_for_status()
    day.post(f"/conversations/{day.talk}/reply", text="Look at this.", attachments=[file])


def search(day: Day) -> None:
    """What is searched for, and shown of a prompt, is kept nowhere."""
    for text in (f"{day.word}searched", f"{day.word}chat harbour"):
        day.post("/search", text=text)
        day.post("/prompt", text=text, conversation=day.talk)
    day.client.post("/api/memory/list", json={"text": f"{day.word}listed"})


def bring_in(day: Day) -> None:
    """An import to its end, one that breaks off half-way, and one that cannot be read."""
    notes = "".join(f"# Day {n}\n\n{day.word}import by the harbour, again and again.\n\n" for n in range(300)).encode()
    day.of("import")
    head = json.dumps({"name": f"{day.word}.md", "size": len(notes)}).encode() + b"\n"
    day.client.post("/api/data/import", content=head + notes, headers=FILE).raise_for_status()
    day.client.post("/api/data/import", content=head + notes[:5000], headers=FILE)
    bad = f'[{{"mapping": {day.word}'.encode()
    told = json.dumps({"name": "conversations.json", "size": len(bad)}).encode() + b"\n"
    day.client.post("/api/data/import", content=told + bad, headers=FILE)

    def half():  # type: ignore[no-untyped-def]
        yield head + notes[:4000]
        raise ConnectionAbortedError

    with suppress(ConnectionAbortedError, httpx2.HTTPError):
        day.client.post("/api/data/import", content=half(), headers=FILE)


def take_out(day: Day) -> None:
    """Exports and a backup, to the end and cancelled half-way."""
    for path in ("export.json", "export.zip"):
        day.client.get(f"/api/data/{path}").raise_for_status()
        with day.client.stream("GET", f"/api/data/{path}") as answer:
            next(answer.iter_raw(1000))
    for _ in range(2):
        day.client.post("/api/data/backup").raise_for_status()
        with day.client.stream("GET", "/api/data/backup") as answer:
            next(answer.iter_raw(1000))


def privately(day: Day) -> None:
    """A conversation of which nothing is kept: its word is the only one that must not be in the vault."""
    key = day.post("/private").json()["key"]
    file = {"name": "private.txt", "text": f"{day.word}private " * 1000}
    assert day.word in day.post(f"/private/{key}/reply", text=f"{day.word}private " * 100, attachments=[file]).text
    day.client.delete(f"/api/private/{key}").raise_for_status()


def by_proxy(day: Day) -> None:
    """Another client, whole and streamed; and an error behind it."""
    for stream in (False, True):
        message = {"role": "user", "content": f"{day.of('proxy')} at the harbour"}
        day.program("/v1/chat/completions", {"model": "fake-chat", "messages": [message], "stream": stream})
    with suppress(httpx2.HTTPStatusError):
        day.program(
            "/v1/chat/completions", {"messages": [{"role": "user", "content": f"{day.word}error please"}], "tools": day.word}
        )


def by_mcp(day: Day) -> None:
    """An assistant that remembers, searches, and asks for what there is not."""
    calls = (("remember", {"text": f"The user sails the {day.of('mcp')}."}), ("search", {"text": f"{day.word}sought"}),
             (f"{day.word}tool", {"text": day.word}), ("search", {day.word: day.word}))  # fmt: skip
    for tool, arguments in calls:
        day.program("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})


FEATURES = (chat, learn, attach, search, bring_in, take_out, privately, by_proxy, by_mcp)
