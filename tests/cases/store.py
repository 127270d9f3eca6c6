"""Reported failures about the database, held against a real vault: its connections, its locks, its indexes.

`run(case)` says whether one is met, and why not; None where it asks for what this vault has nothing like.
"""

from __future__ import annotations

import asyncio
import json
import pathlib
import re
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import apsw

from ricordo.change import Removed
from ricordo.errors import NotFound
from ricordo.events import MessageStored, TextDelta
from ricordo.fact import Fact, Global
from ricordo.hit import FactHit, MessageHit
from ricordo.learn.extractor import SYSTEM
from ricordo.models.scripted import ScriptedModel
from ricordo.store import changes, excerpts, words
from ricordo.vault import AsyncVault
from tests.vaults import with_vault

AREAS = ("store",)
Verdict = tuple[bool | None, str]
_HELD = 1.5  # seconds that stand for a longer lock: what waits longer is held against the patience of the connections
_INDEXES: tuple[words.Table, ...] = ("excerpt_words", "fact_words")


def run(case: dict[str, Any]) -> Verdict:
    """Hold one case against the code."""
    given, expected = case["input"], case["expected"]
    if "pragmas_after_open" in given:
        show: Callable[[AsyncVault], Awaitable[dict[str, Any]]] = lambda vault: _opened(vault, given["pragmas_after_open"])  # noqa: E731
    elif "threads" in given:
        show = lambda vault: _at_once(vault, given)  # noqa: E731
    elif "lock_held_s" in given:
        show = lambda vault: _locked_out(vault, given)  # noqa: E731
    elif "steps" in given:
        show = lambda vault: _Steps(vault).all(given["steps"])  # noqa: E731
    else:
        return None, "nothing here takes such a case"
    turn = given.get("turn", {})
    said = turn.get("user", "")
    proposed = json.dumps({"add": [{"text": re.sub(r"^I (\w+)", r"The user \1s", said), "quote": said}]})
    model = ScriptedModel(lambda messages: proposed if messages[0].content == SYSTEM else turn.get("assistant", "."))
    with tempfile.TemporaryDirectory() as name:
        shown = with_vault(pathlib.Path(name), show, model)
    for key, wanted in expected.items():
        value = shown.get(key.removesuffix("_min").removesuffix("_max"))
        if key in ("note", "hint"):
            continue
        if value is None:
            return None, shown.get("unknown") or f"nothing here shows {key}"
        met = value >= wanted if key.endswith("_min") else value <= wanted if key.endswith("_max") else value == wanted
        if not met:
            return False, f"{key} should be {wanted!r}; there is {shown!r}"
    return True, ""


async def _opened(vault: AsyncVault, names: list[str]) -> dict[str, Any]:
    """Show what each connection of the vault is set to: the weakest value, and whether all have the same."""
    database = vault._database
    settings = [{name: connection.pragma(name) for name in names} for connection in (database._writer, *database._readers)]
    shown = {name: min(each[name] for each in settings) for name in names}
    on_all = all(each == settings[0] for each in settings) and all(shown.values())
    return {**shown, "on_every_connection": on_all}


async def _at_once(vault: AsyncVault, given: dict[str, Any]) -> dict[str, Any]:
    """Write and read from many sides while somebody else keeps the file locked."""
    threads = given["threads"]
    talks = [(await vault.conversations.create()).id for _ in range(threads["writers"])]
    errors: list[Exception] = []
    running = threading.Event()

    async def write(talk: int) -> None:
        for number in range(threads["writes_each"]):
            try:
                await vault.write(talk, f"Entry {number} is about herons and the weather.")
            except Exception as error:  # noqa: BLE001 - counted
                errors.append(error)

    async def read() -> None:
        while not running.is_set():
            try:
                await vault.search("herons")
                await vault.conversations.all()
            except Exception as error:  # noqa: BLE001 - counted
                errors.append(error)

    with _lock(vault, 1.0 if "plus" in given else 0.0):
        readers = [asyncio.create_task(read()) for _ in range(threads["readers"])]
        await asyncio.gather(*map(write, talks))
        running.set()
        await asyncio.gather(*readers)
    rows = sum([len(await vault.conversations.messages(talk)) for talk in talks])
    return {"errors": len(errors), "rows": rows}


async def _locked_out(vault: AsyncVault, given: dict[str, Any]) -> dict[str, Any]:
    """Lock the file as soon as the person's message is in it: the reply is read at once, what is learned comes later."""
    shown: dict[str, Any] = {}
    patience = await vault._database.write(lambda c: c.pragma("busy_timeout"))
    if patience < given["lock_held_s"] * 1000:
        return {"chat_reply_delay_s": patience / 1000, "fact_stored_after_lock_is_free": False}
    talk = (await vault.conversations.create()).id
    vault.work_in_background()
    started = time.monotonic()
    with ExitStack() as held:
        async for event in vault.reply(talk, given["turn"]["user"]):
            if isinstance(event, MessageStored):
                held.enter_context(_lock(vault, _HELD))
            if isinstance(event, TextDelta) and "status_shows" not in shown:
                shown["chat_reply_delay_s"] = time.monotonic() - started
                writing = asyncio.create_task(vault._database.write(lambda c: None))
                await asyncio.sleep(_HELD / 5)
                shown["status_shows"] = "memory writes are waiting" if vault.held_up else "nothing"
                await writing
    async with asyncio.timeout(20):
        while await vault.changes.waiting():  # noqa: ASYNC110  nothing announces a turn without facts
            await asyncio.sleep(0.01)
    shown["fact_stored_after_lock_is_free"] = bool(await vault.facts.all())
    return shown


@contextmanager
def _lock(vault: AsyncVault, seconds: float) -> Iterator[None]:
    """Keep the vault's file locked for so long, as another program would."""
    other = vault._database._file.connect(cache_kib=100)
    other.execute("begin immediate")
    over = threading.Timer(seconds, lambda: other.execute("rollback"))
    over.start()
    try:
        yield
    finally:
        over.join()
        other.close()


class _Steps:
    """A vault that is taken through steps told in words."""

    def __init__(self, vault: AsyncVault) -> None:
        self._vault = vault
        self._fact: Fact | None = None
        self._added = 0
        self._shown: dict[str, Any] = {"raises": False}

    async def all(self, steps: list[str]) -> dict[str, Any]:
        """Take all steps and show what came of them."""
        await self._vault.set(global_memories=True)
        for step in (part for told in steps for part in re.split(r", (?:then )?|; ", told)):
            known = next((take for pattern, take in _STEPS if re.search(pattern, step)), None)
            if known is None:
                return {"unknown": f"nothing here can {step}"}
            await known(self)
        self._shown.setdefault("integrity_check", await self._vault._database.write(_intact))
        return self._shown

    async def add(self) -> None:
        """Add a fact; the same step again adds it again."""
        self._fact = await self._vault.facts.add("The user keeps herons.", Global())

    async def set_aside(self) -> None:
        """What is nearest to a soft delete: the model removes it, and it can still be put back."""
        fact = self._known()
        now = self._vault.now()
        await self._vault._database.write(
            lambda c: changes.record(c, Removed(fact), now=now, conversation=None, messages=(), model="scripted")
        )

    async def delete(self) -> None:
        """Delete it for good; what was set aside is put back first, since it is in the log alone."""
        fact = self._known()
        if fact not in await self._vault.facts.all():
            (change, *_) = await self._vault.changes.all()
            await self._vault.changes.undo(change.id)
        await self._vault.facts.delete(fact.id)
        try:
            await self._vault.facts.delete(fact.id)
        except NotFound:
            return
        raise AssertionError("deleted twice")

    async def edit(self) -> None:
        """Give it other words."""
        self._fact = await self._vault.facts.edit(self._known().id, "The user keeps bees.")

    async def checkpoint(self) -> None:
        """Bring the journal into the file."""
        await self._vault._database.checkpoint()

    async def check(self) -> None:
        """Run the integrity check of the full-text indexes against what they index."""
        self._shown["integrity_check"] = await self._vault._database.write(_intact)

    async def insert_bare(self) -> None:
        """Put rows into the tables that the indexes do not know."""
        talk = (await self._vault.conversations.create()).id
        for number in range(3):
            await self._vault.facts.add(f"Fact number{number} is about herons.", Global())
            await self._vault.write(talk, f"Entry number{number} is about herons and other birds.")
            self._added += 2

        def job(connection: apsw.Connection) -> None:
            for index in _INDEXES:
                connection.execute(f"insert into {index} ({index}) values ('delete-all')")

        await self._vault._database.write(job)
        assert not await self._vault.search("herons")

    async def rebuild(self) -> None:
        """Make both indexes anew."""

        def job(connection: apsw.Connection) -> None:
            words.rebuild(connection, "fact_words")
            words.rebuild(connection, "excerpt_words")
            excerpts.rebuild(connection)

        await self._vault._database.write(job)

    async def search(self) -> None:
        """Look for each row by its own word, and for all by the word they share."""
        found = await self._vault.search("herons", limit=100)
        kinds = {type(hit) for number in range(3) for hit in await self._vault.search(f"number{number}")}
        self._shown["finds_all"] = len(found) == self._added and kinds == {FactHit, MessageHit}

    def _known(self) -> Fact:
        assert self._fact is not None, "nothing was added yet"
        return self._fact


_STEPS: tuple[tuple[str, Callable[[_Steps], Awaitable[None]]], ...] = (
    (r"^insert .*without index", _Steps.insert_bare),
    (r"rebuil[dt]|reindex", _Steps.rebuild),
    (r"integrity", _Steps.check),
    (r"^search|^find|^query", _Steps.search),
    (r"soft|set aside|archive", _Steps.set_aside),
    (r"^(?:add|insert|save|store)\b", _Steps.add),
    (r"^(?:edit|update|rewrite|change)\b", _Steps.edit),
    (r"delete|remove|purge", _Steps.delete),
    (r"close|checkpoint|reopen", _Steps.checkpoint),
)


def _intact(connection: apsw.Connection) -> str:
    """Check the file and both indexes against the tables they are made of; raises where one is malformed."""
    for index in _INDEXES:
        connection.execute(f"insert into {index} ({index}, rank) values ('integrity-check', 1)")
    return "passes" if connection.pragma("integrity_check") == "ok" else "fails"
