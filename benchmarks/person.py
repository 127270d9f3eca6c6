"""A scripted person at the page: what they do all day, over HTTP, and a plain model of what must be there afterwards.

The one rule: the model here is a few dicts and lists. What the server shows is compared with it; it never asks the server.
"""

from __future__ import annotations

import itertools
import json
import random
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2

from benchmarks import texts
from benchmarks.serving import LASTING, PASSPHRASE, learned_from

Timed = list[tuple[float, float]]  # when, in seconds since the beginning, and how many milliseconds it took
_SYLLABLES = "ba da fo gi ka li mo ne pu ra so ta vi wu xe yo za bre dri flo gra kle plo sta tru".split()


class Wrong(RuntimeError):
    """The server answered other than it must."""


@dataclass
class Said:
    """A message that is shown; `mark` is a word that stands in no other."""

    id: int
    role: str
    text: str
    mark: str = ""
    versions: bool = False


@dataclass
class Talk:
    """A conversation, with the branch that is shown."""

    id: int
    title: str
    space: int | None = None
    imported: bool = False
    said: list[Said] = field(default_factory=list)


@dataclass
class Kept:
    """What must be there: conversations, Spaces, the person's own facts, drafts, settings, imports; and what may be learned.

    `due` are the facts that the model must have learned once it is at rest, with the message that says so; `possible` those that
    it may have; `never` those that were taken back. `gone` are words that no search may find.
    """

    talks: dict[int, Talk] = field(default_factory=dict)
    spaces: dict[int, str] = field(default_factory=dict)
    facts: dict[int, tuple[str, bool]] = field(default_factory=dict)
    drafts: dict[int, str] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    imports: dict[int, set[int]] = field(default_factory=dict)
    due: dict[str, int] = field(default_factory=dict)
    possible: set[str] = field(default_factory=set)
    never: set[str] = field(default_factory=set)
    gone: list[str] = field(default_factory=list)

    def own(self) -> list[Talk]:
        """Return the conversations that came with no import, the oldest first."""
        return [talk for talk in self.talks.values() if not talk.imported]

    def forget(self, said: Said) -> None:
        """Take note that a message is deleted: its word must not be found; what was to be learned of it may or may not come."""
        if said.mark:
            self.gone.append(said.mark)
        self.not_due(said)

    def not_due(self, said: Said) -> None:
        """Take note that a message may be read no more, or may have been."""
        for text in [text for text, message in self.due.items() if message == said.id]:
            del self.due[text]

    def take_back(self, text: str) -> None:
        """Take note that a learned fact was taken back: it must not come again."""
        self.never.add(text)
        self.possible.discard(text)
        self.due.pop(text, None)


class Person:
    """Somebody with a browser. `spent` holds how long each kind of thing took."""

    def __init__(self, address: str, seed: int = 1) -> None:
        self.chance = random.Random(seed)
        self.client = httpx2.AsyncClient(base_url=address, timeout=60, trust_env=False)
        self.kept = Kept()
        self.spent: defaultdict[str, Timed] = defaultdict(list)
        self.begun = time.perf_counter()
        self.inside = False
        self._numbers = itertools.count(seed * 1_000_000)
        self._entries: Iterator[str] = texts.messages(1 << 40, 24)

    def mark(self) -> str:
        """Return a word that no other text has."""
        number, letters = next(self._numbers), ""
        while number:
            number, part = divmod(number, len(_SYLLABLES))
            letters += _SYLLABLES[part]
        return letters

    def words(self) -> tuple[str, str]:
        """Return a message to write, and the word in it that marks it."""
        mark = self.mark()
        return f"{next(self._entries)} {mark}.", mark

    @asynccontextmanager
    async def timing(self, what: str) -> AsyncGenerator[None]:
        """Take down how long something takes."""
        started = time.perf_counter()
        yield
        ended = time.perf_counter()
        self.spent[what].append((ended - self.begun, (ended - started) * 1000))

    async def call(self, method: str, path: str, body: Any = None, what: str = "", **more: Any) -> Any:
        """Make a request as the page does; return what it gives. Raises Wrong for any error."""
        async with self.timing(what or f"{method} {path.split('/')[1]}"):
            answer = await self.client.request(method, f"/api{path}", json=body, **more)
        if answer.status_code >= 300:
            raise Wrong(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
        return answer.json() if answer.content and "json" in answer.headers.get("content-type", "") else answer.content

    async def stream(
        self,
        path: str,
        body: Any,
        what: str,
        each: Callable[[str, Any], Awaitable[None]] | None = None,
        *,
        ends: bool = True,
        **more: Any,
    ) -> dict[str, Any]:
        """Send something that is answered by events; return the last of each kind. Raises Wrong when it fails, if it ends."""
        got: dict[str, Any] = {}
        started, first = time.perf_counter(), 0.0
        async with self.client.stream("POST", f"/api{path}", json=body, **more) as answer:
            if answer.status_code != 200:
                raise Wrong(f"POST {path}: {answer.status_code} {(await answer.aread())[:200]!r}")
            name = ""
            async for line in answer.aiter_lines():
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    got[name] = json.loads(line.removeprefix("data: "))
                    if name == "blocks" and not first:
                        first = time.perf_counter()
                        self.spent[f"{what}: first words"].append((first - self.begun, (first - started) * 1000))
                    if each:
                        await each(name, got[name])
        if ends and "done" not in got:
            raise Wrong(f"POST {path}: {str(got.get('failed', got))[:200]}")
        ended = time.perf_counter()
        self.spent[f"{what}: whole"].append((ended - self.begun, (ended - started) * 1000))
        return got

    async def come_in(self, *, new: bool = False) -> None:
        """Make the vault, or unlock it."""
        await self.call("POST", "/vault/create" if new else "/vault/unlock", {"passphrase": PASSPHRASE}, "unlock")
        await self.call("GET", "/start", what="start")
        self.inside = True

    async def lock(self) -> None:
        """Lock the vault."""
        self.inside = False
        await self.call("POST", "/vault/lock", what="lock")

    def learn(self, said: Said) -> None:
        """Take note of what the model must learn of a message once its reply is there."""
        for each in LASTING.finditer(said.text):
            self.kept.due[learned_from(*each.groups())] = said.id
            self.kept.possible.add(learned_from(*each.groups()))
