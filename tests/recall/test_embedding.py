"""Embedding in the background: all there is, each text once, whatever comes between."""

import asyncio
import os
import pathlib
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from typing import Any

import apsw
import numpy as np
import pytest

from ricordo.conversation import Moment, Role
from ricordo.errors import ModelGarbled, ModelUnreachable
from ricordo.events import Embedding
from ricordo.fact import Global, Origin
from ricordo.models.gate import Gate
from ricordo.models.scripted import ScriptedModel
from ricordo.recall.embedding import PassedOver, embed_due
from ricordo.store import conversations, excerpts, facts, messages, vectors
from ricordo.store.connection import Database
from ricordo.vault import AsyncVault
from tests.embedders import HashEmbedder
from tests.fake_replies import embedding
from tests.fake_server import FakeServer
from tests.vaults import PASSPHRASE, events, with_database, with_vault

NOW = Moment(1_780_000_000_000_000, 120)
ROOT = pathlib.Path(__file__).parents[2]


async def fill(database: Database, entries: int, kept: Sequence[str] = ()) -> list[int]:
    """Store a conversation with so many entries, and some facts; return the messages' ids."""

    def job(connection: apsw.Connection) -> list[int]:
        talk = conversations.create(connection, "A day", None, NOW)
        new = [messages.NewMessage(Role.USER, f"Entry number {n} of this diary.", NOW) for n in range(entries)]
        for text in kept:
            facts.insert(connection, text, Origin.USER, Global(), NOW)
        return [message.id for message in messages.insert(connection, talk.id, new)]

    return await database.write(job)


async def embed_all(database: Database, embedder: HashEmbedder, **more: Any) -> list[tuple[int, int]]:
    """Embed until nothing is due; return what was told of progress."""
    told: list[tuple[int, int]] = []
    turn, passed_over = more.get("turn", nullcontext), more.get("passed_over", set())
    while await embed_due(database, embedder, turn, lambda *at: told.append(at), passed_over):
        assert len(told) < 1000, "it does not come to an end"
    return told


async def held(database: Database, model: str = "hashed") -> dict[str, np.ndarray]:
    """Return the texts that have a vector, with it."""

    def job(connection: apsw.Connection) -> dict[str, np.ndarray]:
        found = {}
        for kind in vectors.KINDS:
            lacking = {key for key, _ in vectors.missing(connection, kind, model, 10_000)}
            table = {"excerpt": "excerpts", "fact": "facts"}[kind]
            ids = [row[0] for row in connection.execute(f"select id from {table}") if row[0] not in lacking]
            texts = vectors.texts(connection, kind, ids)
            if ids:
                found |= dict(zip([texts[key] for key in ids], vectors.read(connection, kind, model, ids), strict=True))
        return found

    return await database.read(job)


@pytest.mark.req("R2", "I6")
def test_all_there_is_gets_the_vector_of_its_text(tmp_path: pathlib.Path) -> None:
    """Facts first, then excerpts, the newest first, a long message by its pieces; each text once; progress to the end."""

    async def work(database: Database) -> None:
        await fill(database, 300, ["Rows on Sundays", "Keeps bees"])
        long = " ".join(f"In chapter {n} the river rises." for n in range(60))
        await database.write(lambda c: messages.append(c, 1, messages.NewMessage(Role.USER, long, NOW)))
        embedder = HashEmbedder()
        told = await embed_all(database, embedder)
        asked = [text for batch in embedder.asked for text in batch]
        cuts = [long[start:stop] for start, stop in excerpts.pieces(long)]
        assert len(cuts) > 1
        entries = [f"Entry number {n} of this diary." for n in range(300)]
        assert asked == ["Keeps bees", "Rows on Sundays", *cuts[::-1], *entries[::-1]]
        assert max(map(len, embedder.asked)) <= 32
        total = len(asked)
        assert told == [(done, total) for done in (2, *range(34, total, 32), total)]
        for text, vector in (await held(database)).items():
            assert np.allclose(vector, embedding(text), atol=1e-3)
        assert await embed_all(database, embedder) == []
        assert len(embedder.asked) == len(told)

    with_database(tmp_path, work)


@pytest.mark.slow
@pytest.mark.req("V4", "I6")
def test_after_a_kill_it_goes_on_where_it_was(tmp_path: pathlib.Path) -> None:
    """What was said to be done is done; what is left is embedded by the next, and nothing twice."""
    path = with_database(tmp_path, lambda database: _filled(database, 600))
    program = [sys.executable, str(ROOT / "tests/recall/embed_until_killed.py"), path, PASSPHRASE]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}) as child:
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(4)]
        child.send_signal(signal.SIGKILL)
    done = int(lines[-1].split()[0])

    async def again() -> None:
        database = Database.open(path, PASSPHRASE)
        before = len(await held(database))
        assert done <= before < 600
        embedder = HashEmbedder()
        await embed_all(database, embedder)
        assert sum(map(len, embedder.asked)) == 600 - before
        assert len(await held(database)) == 600
        await database.close()

    asyncio.run(again())


async def _filled(database: Database, entries: int) -> str:
    await fill(database, entries)
    return database.path


@pytest.mark.req("I7", "R2")
def test_another_embedder_takes_over_once_it_is_complete(tmp_path: pathlib.Path) -> None:
    """Till then the old vectors are all there and serve; then they go. Both have lengths of their own."""

    async def work(database: Database) -> None:
        await fill(database, 400, ["Keeps bees"])
        await embed_all(database, HashEmbedder("old", 32))

        async def both_there(_: Sequence[str]) -> None:
            assert len(await held(database, "old")) == 401
            assert await database.read(lambda c: vectors.serving(c, "new")) == "old"

        await embed_all(database, HashEmbedder("new", 64, both_there))
        assert await database.read(lambda c: vectors.serving(c, "new")) == "new"
        assert len(await held(database, "new")) == 401
        assert await database.read(lambda c: vectors.count(c, "excerpt", "old")) == (0, 400)

    with_database(tmp_path, work)


@pytest.mark.req("V8", "R2")
def test_what_is_deleted_or_reworded_meanwhile_gets_no_vector_of_the_past(tmp_path: pathlib.Path) -> None:
    """A message deleted while it is embedded leaves nothing; a fact reworded then is embedded by its new words."""

    async def work(database: Database) -> None:
        ids = await fill(database, 5, ["Keeps bees"])
        changed = False

        async def change(texts: Sequence[str]) -> None:
            nonlocal changed
            if texts == ["Keeps bees"] and not changed:
                changed = True
                await database.write(lambda c: facts.rewrite(c, 1, "Keeps goats", NOW))
            elif len(texts) == 5:
                await database.write(lambda c: messages.delete(c, [ids[3]]))

        embedder = HashEmbedder(during=change)
        await embed_all(database, embedder)
        assert [len(batch) for batch in embedder.asked] == [1, 1, 5]
        there = await held(database)
        assert set(there) == {"Keeps goats", *(f"Entry number {n} of this diary." for n in (0, 1, 2, 4))}
        assert np.allclose(there["Keeps goats"], embedding("Keeps goats"), atol=1e-3)
        rows = await database.read(lambda c: c.execute("select count(*) from vectors").get)
        assert rows == 5

    with_database(tmp_path, work)


@pytest.mark.req("R8", "E2")
def test_a_message_of_the_person_goes_first(tmp_path: pathlib.Path) -> None:
    """It ends the batch in hand, which is embedded again later; while it has the gate nothing is embedded."""

    async def work(database: Database) -> None:
        await fill(database, 100)
        gate, inside, hung = Gate(), asyncio.Event(), asyncio.Event()

        async def hang(_: Sequence[str]) -> None:
            if not hung.is_set():
                hung.set()
                await asyncio.Event().wait()
            assert not inside.is_set(), "it embeds while the person waits"

        embedder = HashEmbedder(during=hang)
        embedding_all = asyncio.create_task(embed_all(database, embedder, turn=gate.background))
        await hung.wait()
        async with asyncio.timeout(1), gate.foreground():
            inside.set()
            await asyncio.sleep(0.1)
            inside.clear()
        told = await embedding_all
        assert told[-1] == (100, 100)
        assert embedder.asked[0] == embedder.asked[1]

    with_database(tmp_path, work)


@pytest.mark.req("X3", "R2")
def test_a_text_that_cannot_be_embedded_holds_up_no_other(tmp_path: pathlib.Path) -> None:
    """It is passed over; but where the embedder takes nothing at all, nothing is passed over and the reason is raised."""

    async def work(database: Database) -> None:
        await fill(database, 40, ["Keeps bees"])
        broken = False

        async def choke(texts: Sequence[str]) -> None:
            if broken or any("number 7 " in text for text in texts):
                raise ModelGarbled("The server sent a vector that points nowhere.")

        passed_over: PassedOver = set()
        told = await embed_all(database, HashEmbedder(during=choke), passed_over=passed_over)
        assert passed_over == {("hashed", "excerpt", 8)}
        assert told[-1] == (40, 41)
        broken = True
        with pytest.raises(ModelGarbled):
            await embed_all(database, HashEmbedder("other", during=choke))

        async def down(_: Sequence[str]) -> None:
            raise ModelUnreachable("Nothing answers there.")

        with pytest.raises(ModelUnreachable):
            await embed_all(database, HashEmbedder("other", during=down))

    with_database(tmp_path, work)


@pytest.mark.req("V1", "V8")
def test_vectors_are_as_private_as_the_texts(tmp_path: pathlib.Path) -> None:
    """A vector tells much of its text: none stands readable in any file, and none is left of a deleted message."""

    async def work(database: Database) -> bytes:
        ids = await fill(database, 20)
        await embed_all(database, HashEmbedder())
        await database.checkpoint()
        await database.erase(lambda c: messages.delete(c, [ids[0]]))
        gone = (await database.read(lambda c: c.execute("select count(*) from vectors").get)) == 19
        assert gone
        return np.array(embedding("Entry number 1 of this diary."), np.float32).astype("<f2").tobytes()

    needle = with_database(tmp_path, work)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any(needle in path.read_bytes() for path in files)


def excerpt_count(connection: apsw.Connection, model: str) -> tuple[int, int]:
    return vectors.count(connection, "excerpt", model)


Heard = asyncio.Queue[Embedding]


async def until_embedded(heard: Heard) -> None:
    """Wait until all is said to be embedded."""
    async with asyncio.timeout(20):
        while (told := await heard.get()).done < told.total:
            pass


@asynccontextmanager
async def listening(vault: AsyncVault) -> AsyncIterator[Heard]:
    """Collect what the vault announces of embedding."""
    heard: Heard = asyncio.Queue()

    async def listen() -> None:
        async for event in vault.events():
            if isinstance(event, Embedding):
                heard.put_nowait(event)

    task = asyncio.create_task(listen())
    await asyncio.sleep(0)
    yield heard
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.mark.req("I7", "R2", "V3")
def test_a_vault_embeds_by_itself_and_follows_the_settings(tmp_path: pathlib.Path) -> None:
    """By the embedded model unless the settings say otherwise; without any chat model; a server chosen later takes over.

    When the vault is locked, the embedder is let go.
    """

    async def work(vault: AsyncVault) -> None:
        talk = await vault.conversations.create()
        await vault.write(talk.id, "The boat was launched on a cold morning.")
        async with listening(vault) as heard:
            vault.work_in_background()
            await until_embedded(heard)
            assert vault._in_use._embedder is not None
            name = vault._in_use._embedder.name
            assert await vault._database.read(lambda c: excerpt_count(c, name)) == (1, 1)
            await vault.write(talk.id, "The second launch was on a warm evening.")
            await until_embedded(heard)
            await vault.set(embedder="server", server=server.url, model="fake-chat")
            await until_embedded(heard)
            host = server.url.removeprefix("http://")
            assert await vault._database.read(lambda c: excerpt_count(c, f"{host}/fake-chat")) == (2, 2)
            await vault.set(embedder="off")
            await vault.write(talk.id, "A third entry that is found by words alone.")
            assert vault._in_use.embedder() is None
            await vault.set(embedder="embedded")
            await until_embedded(heard)
            assert await vault._database.read(lambda c: excerpt_count(c, name)) == (3, 3)
        await vault.close()
        assert vault._in_use._embedder is None

    def nobody(_: object) -> Exception:
        return ModelUnreachable("Nothing answers there.")

    with FakeServer() as server:
        with_vault(tmp_path, work, ScriptedModel(nobody))


@pytest.mark.req("R8")
def test_replies_come_while_a_long_diary_is_embedded(tmp_path: pathlib.Path) -> None:
    """The reply is there long before all is embedded, and embedding goes on afterwards by itself."""

    async def work(vault: AsyncVault) -> None:
        talk = await vault.conversations.create()
        await fill(vault._database, 300)
        async with listening(vault) as heard:
            vault.work_in_background()
            await heard.get()
            await events(vault.reply(talk.id, "Are you there, and do you have time for me?"))
            told = [heard.get_nowait() for _ in range(heard.qsize())]
            assert all(event.done < event.total for event in told)
            await until_embedded(heard)

    with_vault(tmp_path, work, ScriptedModel(lambda _: '{"add": []}'))


@pytest.mark.req("I7", "R2")
def test_an_embedder_chosen_in_the_middle_takes_over(tmp_path: pathlib.Path) -> None:
    """Whatever the old one was doing: nothing dies of it, and all ends with vectors of the last one chosen."""

    async def work(vault: AsyncVault) -> None:
        await fill(vault._database, 200)
        host = server.url.removeprefix("http://")
        async with listening(vault) as heard:
            vault.work_in_background()
            for chosen in ("embedded", "server", "embedded", "server"):
                await vault.set(embedder=chosen, server=server.url, model="fake-chat")
                await heard.get()
            await until_embedded(heard)
        assert await vault._database.read(lambda c: excerpt_count(c, f"{host}/fake-chat")) == (200, 200)

    with FakeServer() as server:
        with_vault(tmp_path, work, ScriptedModel(lambda _: '{"add": []}'))
