"""A model that fails in every way, in turns, learning, summaries, embedding: what was said stays, and later it works."""

import asyncio
import json
import pathlib
import re
from collections.abc import Awaitable, Callable

import pytest

from ricordo.conversation import Role, Status
from ricordo.errors import ModelError
from ricordo.events import ReplyDone, ReplyFailed
from ricordo.learn import extractor, summarizer
from ricordo.store import vectors
from ricordo.vault import AsyncVault
from tests.fake_replies import embedding, overflow
from tests.fake_server import Asked, FakeServer, Reply
from tests.faults import often
from tests.faults.sound import picture, sound
from tests.faults.talk import answer, have
from tests.vaults import CHEAP, PASSPHRASE, events

pytestmark = [pytest.mark.slow, pytest.mark.req("X3", "E16")]

FAULTS: dict[str, Reply] = {
    "down": Reply(drop=True),
    "hangs": Reply("late", delay=60),
    "hangs in its middle": Reply("one two three", hang_after=2),
    "cut off in its middle": Reply("one two three", cut_after=2),
    "no protocol": Reply(raw=b"<html><title>Login</title></html>", content_type="text/html"),
    "broken stream": Reply(lines=(b'data: {"choices":[{"delta":{"content":"one"}}]}\n\n', b"data: {broken\n\n")),
    "bytes": Reply(raw=b"\xff\x00\xfe" * 50),
    "busy": Reply(status=429, raw=b'{"error": "slow down"}', headers={"retry-after": "3600"}),
    "fails": Reply(status=500, raw=b'{"error": "out of memory"}'),
    "no key": Reply(status=401, raw=b'{"error": {"message": "bad key"}}'),
    "window": overflow(9000, 2048),
    "empty": Reply(""),
    "only thought": Reply("", thought="Let me see."),
}
SENTENCE = re.compile(r"[A-Z].{15,}[.!?]", re.DOTALL)
met = {"faults": 0}


@pytest.fixture(scope="module", autouse=True)
def _count() -> object:
    yield
    often.told("faults of models met", met["faults"])


class Broken(FakeServer):
    """A server that fails in one way at one kind of call, until it is mended."""

    def __init__(self, fault: Reply | None, system: str = "") -> None:
        super().__init__(models=("fake", "fake-embed"))
        self.fault, self.system = fault, system
        self.on(self._answer)

    def _answer(self, asked: Asked) -> Reply | str:
        kind = next((each for each in (extractor.SYSTEM, summarizer.SYSTEM) if asked.text.startswith(each[:80])), "")
        if self.fault is not None and kind == self.system:
            met["faults"] += 1
            return self.fault
        if asked.body["max_tokens"] == 1:
            return "no"
        return answer([(str(each["role"]), str(each["content"])) for each in asked.messages])


def with_broken(folder: pathlib.Path, server: FakeServer, work: Callable[[AsyncVault, int], Awaitable[None]]) -> None:
    """Run some work on a vault at that server, which is given up after a third of a second; in the end it must be sound."""

    async def run() -> None:
        async with await AsyncVault.create(folder / "diary.ricordo", PASSPHRASE, cost=CHEAP) as vault:
            await vault.set(server=server.url, model="fake", embedder="server", foreground_seconds=1)
            desk = await vault._in_use.desk()
            desk.settings = desk.settings.model_copy(update={"timeout": 0.3})
            await work(vault, (await vault.conversations.create()).id)
            await sound(vault._database)

    asyncio.run(asyncio.wait_for(run(), 120))


async def texts(vault: AsyncVault, talk: int) -> list[tuple[Role, str]]:
    """Return what is shown."""
    return [(message.role, message.text) for message in await vault.conversations.messages(talk)]


@pytest.mark.parametrize("name", FAULTS)
def test_a_turn_keeps_the_message_and_try_again_works(tmp_path: pathlib.Path, name: str) -> None:
    """What came of the reply is kept as failed, nothing is learned from it, and the next try is a turn like any other."""
    with Broken(FAULTS[name]) as server:

        async def work(vault: AsyncVault, talk: int) -> None:
            failed = (await events(vault.reply(talk, have(1))))[-1]
            assert isinstance(failed, ReplyFailed)
            assert SENTENCE.match(failed.reason), failed.reason
            shown = await vault.conversations.messages(talk)
            assert [(each.role, each.text) for each in shown[:1]] == [(Role.USER, have(1))]
            assert [each.status for each in shown[1:]] == [Status.ERROR] * len(shown[1:])
            assert (await vault.changes.waiting(), await vault.facts.all()) == (0, [])
            assert await vault.learn() == ()
            await sound(vault._database)
            server.fault = None
            assert isinstance((await events(vault.retry(talk)))[-1], ReplyDone)
            assert [role for role, _ in await texts(vault, talk)] == [Role.USER, Role.MODEL]
            assert len(await vault.learn()) == 1

        with_broken(tmp_path, server, work)


def test_a_turn_without_any_server_is_taken_up_when_there_is_one(tmp_path: pathlib.Path) -> None:
    """Down means that nothing listens; then something does."""
    with Broken(None) as server:
        port = server.port

    async def work(vault: AsyncVault, talk: int) -> None:
        assert isinstance((await events(vault.reply(talk, have(1))))[-1], ReplyFailed)
        assert await texts(vault, talk) == [(Role.USER, have(1))]
        with pytest.raises(ModelError, match=SENTENCE):
            await vault.embed()
        again = Broken(None)
        again._server.server_close()
        with FakeServer(models=("fake", "fake-embed"), port=port) as server:
            server.on(again._answer)
            assert isinstance((await events(vault.retry(talk)))[-1], ReplyDone)
            assert len(await vault.learn()) == 1
            await vault.embed()

    with_broken(tmp_path, server, work)


@pytest.mark.parametrize("name", FAULTS)
def test_learning_that_fails_leaves_the_turn_waiting_and_then_reads_it_once(tmp_path: pathlib.Path, name: str) -> None:
    """After three tries it is unread, with a sentence; tried again, it is learned, once."""
    with Broken(FAULTS[name], extractor.SYSTEM) as server:

        async def work(vault: AsyncVault, talk: int) -> None:
            assert isinstance((await events(vault.reply(talk, have(1))))[-1], ReplyDone)
            before = await vault._database.read(picture)
            for _ in range(3):
                try:
                    assert await vault.learn() == ()
                except ModelError as error:
                    assert SENTENCE.match(str(error))
            now = await vault._database.read(picture)
            assert {table for table in now if now[table] != before[table]} <= {"waiting", "runs", "run_messages", "profiles"}
            unread = await vault.changes.unread()
            assert len(unread) + await vault.changes.waiting() == 1
            assert all(SENTENCE.match(each.reason) for each in unread)
            server.fault = None
            await vault.try_unread()
            assert len(await vault.learn()) == 1
            assert (await vault.changes.waiting(), await vault.learn(), len(await vault.facts.all())) == (0, (), 1)

        with_broken(tmp_path, server, work)


@pytest.mark.parametrize("name", FAULTS)
def test_a_summary_that_fails_leaves_the_old_one(tmp_path: pathlib.Path, name: str) -> None:
    """It is said in a sentence, and a later one is written."""
    with Broken(None, summarizer.SYSTEM) as server:

        async def work(vault: AsyncVault, talk: int) -> None:
            for number in range(3):
                await vault.write(talk, have(number))
            old = await vault.summarise(talk)
            assert old is not None
            await vault.write(talk, have(7))
            server.fault = FAULTS[name]
            with pytest.raises(ModelError, match=SENTENCE):
                await vault.summarise(talk)
            assert await vault.conversations.summary(talk) == old
            server.fault = None
            new = await vault.summarise(talk)
            assert new is not None
            assert new.upto > old.upto

        with_broken(tmp_path, server, work)


def _vectors(change: Callable[[list[list[float]]], object]) -> Callable[[Asked], Reply | None]:
    """Return a server that embeds, and then spoils what it sends."""

    def rule(asked: Asked) -> Reply | None:
        rows = change([embedding(text) for text in asked.body["input"]])
        if not isinstance(rows, list):
            return Reply(raw=json.dumps({"data": rows}).encode())
        return Reply(raw=json.dumps({"data": [{"embedding": row, "index": at} for at, row in enumerate(rows)]}).encode())

    return rule


EMBEDDING: dict[str, Callable[[Asked], Reply | None]] = {
    "fails": lambda _: Reply(status=500, raw=b'{"error": "no memory"}'),
    "busy": lambda _: Reply(status=429, headers={"retry-after": "3600"}),
    "no protocol": lambda _: Reply(raw=b"<html>"),
    "bytes": lambda _: Reply(raw=b"\xff\x00" * 9),
    "other length": _vectors(lambda rows: [row[:32] for row in rows]),
    "lengths that differ": _vectors(lambda rows: [row[: 64 - at] for at, row in enumerate(rows)]),
    "too few": _vectors(lambda rows: rows[:-1]),
    "too many": _vectors(lambda rows: [*rows, rows[0]]),
    "no numbers": _vectors(lambda rows: [[float("nan")] * 64 for _ in rows]),
    "words": _vectors(lambda rows: [["a"] * 64 for _ in rows]),
    "nothing": _vectors(lambda rows: [[] for _ in rows]),
    "null": _vectors(lambda rows: None),
    "text": _vectors(lambda rows: "soon"),
    "zeros": _vectors(lambda rows: [[0.0] * 64 for _ in rows]),
    "huge": _vectors(lambda rows: [[1e300] * 64 for _ in rows]),
    "whole numbers beyond any float": _vectors(lambda rows: [[10**400] * 64 for _ in rows]),
}


@pytest.mark.parametrize("name", EMBEDDING)
def test_embedding_that_fails_leaves_the_old_vectors_and_is_taken_up_again(tmp_path: pathlib.Path, name: str) -> None:
    """A sentence, no vector that is none, words alone find it meanwhile; then all have theirs."""
    with Broken(None) as server:

        async def work(vault: AsyncVault, talk: int) -> None:
            await vault.write(talk, have(1))
            await vault.embed()
            server.embedding_rule = EMBEDDING[name]
            for number in range(2, 5):
                await vault.write(talk, have(number))
            met["faults"] += 1
            try:
                await vault.embed()
            except ModelError as error:
                assert SENTENCE.match(str(error))
            await sound(vault._database, vectors_too=name not in ("zeros",))
            assert isinstance((await events(vault.reply(talk, "Which barrels do I have in the cellar?")))[-1], ReplyDone)
            assert await vault.search("barrel 3")
            server.embedding_rule = lambda _: None
            await vault.embed()
            embedder = vault._in_use.embedder()
            assert embedder is not None
            done, total = await vault._database.read(lambda c: vectors.counts(c, embedder.name))
            assert done == total > 0

        with_broken(tmp_path, server, work)
