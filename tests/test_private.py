"""Private conversations: a model replies, and nothing of it is anywhere when it is over."""

import asyncio
import os
import pathlib
from contextlib import aclosing

import pytest

from ricordo import Vault
from ricordo.conversation import Attachment, Role, Status
from ricordo.errors import ContextOverflow, InvalidInput, ModelUnreachable, NotFound
from ricordo.events import MessageStored, MeterChanged, ReplyDone, ReplyFailed, TextDelta
from ricordo.fact import Global
from ricordo.models.scripted import ScriptedModel
from ricordo.vault import AsyncVault
from tests.plaintext import Watch
from tests.vaults import CHEAP, PASSPHRASE, events, with_vault

MARKER = "Quixalorn"


@pytest.mark.req("S2", "V1")
def test_nothing_of_it_is_stored(tmp_path: pathlib.Path) -> None:
    """No table holds a word of it, nothing waits to be learned, no list names it, and no file ever holds it."""

    async def work(vault: AsyncVault) -> None:
        before = await vault._database.read(everything)
        private = vault.private()
        with Watch(tmp_path, os.getpid(), MARKER):
            done = (
                await events(private.reply(f"I am called {MARKER}.", [Attachment("a.txt", "text/plain", f"{MARKER} {MARKER}")]))
            )[-1]
            assert isinstance(done, ReplyDone)
            assert (await events(private.reply("And again?")))[-1].message.text == f"Yes, {MARKER}."
        assert await vault._database.read(everything) == before
        assert await vault.conversations.all() == []
        assert await vault.changes.waiting() == 0
        assert await vault.search(MARKER) == []

    with_vault(tmp_path, work, ScriptedModel(f"Hello {MARKER}!", f"Yes, {MARKER}."))


def everything(connection) -> dict[str, list[tuple]]:  # type: ignore[no-untyped-def,type-arg]
    """Return all rows of all tables."""
    tables = [row[0] for row in connection.execute("select name from sqlite_schema where type = 'table'")]
    return {table: connection.execute(f'select * from "{table}"').fetchall() for table in tables}


@pytest.mark.req("S2", "W4")
def test_it_reads_no_memory(tmp_path: pathlib.Path) -> None:
    """Not the facts that every other conversation is sent, nor what was written before; only what the person wants everywhere."""
    model = ScriptedModel("One.", "Two.")

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True, whole_diary=True, instructions="Be brief.")
        await vault.facts.add("Keeps bees in the garden", Global())
        talk = await vault.conversations.create()
        await vault.write(talk.id, "The bees swarmed this morning, over the fence")
        private = vault.private()
        seen = await events(private.reply("What do you know of my bees? [2026-05-20 12:00]"))
        assert [type(event) for event in seen][:2] == [MessageStored, MeterChanged]
        sent = "\n".join(message.content for message in model.requests[0].messages)
        assert "Be brief." in sent
        assert "garden" not in sent and "swarmed" not in sent
        await events(private.reply("So?"))
        sent = "\n".join(message.content for message in model.requests[1].messages)
        assert "What do you know of my bees?" in sent and "One." in sent
        assert [(each.role, each.text) for each in private.messages][-2:] == [(Role.USER, "So?"), (Role.MODEL, "Two.")]

    with_vault(tmp_path, work, model)


@pytest.mark.req("S2", "S3")
def test_stopping_trying_again_and_failing_are_as_elsewhere(tmp_path: pathlib.Path) -> None:
    """What came stays with how it ended; another reply takes its place; a model that is not there is a sentence."""
    model = ScriptedModel("word " * 500, "Whole.", ModelUnreachable("Nothing answers there. Start it."), "", delay=0.001)

    async def work(vault: AsyncVault) -> None:
        private = vault.private()
        assert not private.stop()
        async with aclosing(private.reply("Go on")) as stream:
            async for event in stream:
                if isinstance(event, TextDelta):
                    assert private.stop()
                if isinstance(event, ReplyDone):
                    assert event.message.status is Status.STOPPED
        assert private.messages[-1].text.startswith("word")
        assert (await events(private.retry()))[-1].message.text == "Whole."
        assert [each.text for each in private.messages] == ["Go on", "Whole."]
        failed = (await events(private.reply("More")))[-1]
        assert isinstance(failed, ReplyFailed) and failed.reason == "Nothing answers there. Start it." and failed.kept is None
        assert "empty reply" in (await events(private.retry()))[-1].reason
        with pytest.raises(InvalidInput):
            await events(private.reply("  "))

    with_vault(tmp_path, work, model)


@pytest.mark.req("S2")
def test_leaving_a_reply_keeps_what_came_and_a_smaller_window_is_tried_once_more(tmp_path: pathlib.Path) -> None:
    """As in any conversation."""
    model = ScriptedModel(ContextOverflow("Too long.", 9000, 4096), "word " * 500, delay=0.001)

    async def work(vault: AsyncVault) -> None:
        private = vault.private()
        with pytest.raises(NotFound):
            await events(private.retry())
        async with aclosing(private.reply("Go on")) as stream:
            async for event in stream:
                if isinstance(event, TextDelta):
                    break
        assert len(model.requests) == 2
        assert [each.status for each in private.messages] == [Status.COMPLETE, Status.STOPPED]

    with_vault(tmp_path, work, model)


@pytest.mark.req("S2", "V3")
def test_it_is_over_when_it_is_ended_or_the_vault_is_locked(tmp_path: pathlib.Path) -> None:
    """Its texts are let go, also in the middle of a reply; its key finds it no more."""
    kept = []

    async def work(vault: AsyncVault) -> None:
        ended, private = vault.private(), vault.private()
        assert vault.private_named(ended.key) is ended
        await events(ended.reply("One"))
        await ended.end()
        assert ended.messages == ()
        with pytest.raises(NotFound):
            vault.private_named(ended.key)
        with pytest.raises(NotFound):
            await events(ended.reply("Two"))
        kept.append(private)
        talking = asyncio.ensure_future(events(private.reply("Go on")))
        while not private.messages:  # noqa: ASYNC110  it announces nothing but to its reader
            await asyncio.sleep(0)
        await vault.close()
        assert isinstance((await talking)[-1], ReplyFailed)

    with_vault(tmp_path, work, ScriptedModel("word", "word " * 5000, delay=0.001))
    assert kept[0].messages == ()


@pytest.mark.req("S2")
def test_memory_is_bounded(tmp_path: pathlib.Path) -> None:
    """Of many private conversations the oldest end, and of a very long one the oldest messages go."""

    async def work(vault: AsyncVault) -> None:
        first = vault.private()
        await events(first.reply("Hello"))
        others = [vault.private() for _ in range(16)]
        await asyncio.sleep(0)
        with pytest.raises(NotFound):
            vault.private_named(first.key)
        last = others[-1]
        for _ in range(3):
            await events(last.reply("a " * 900_000))
        assert sum(len(each.text) for each in last.messages) <= 4_000_000
        assert last.messages[-1].role is Role.MODEL

    with_vault(tmp_path, work, ScriptedModel(lambda messages: "Yes."))


@pytest.mark.req("S2", "I1")
def test_the_library_has_it_too(tmp_path: pathlib.Path) -> None:
    """As plain calls."""
    with Vault.create(tmp_path / "diary.ricordo", PASSPHRASE, cost=CHEAP, model=ScriptedModel("Hello.")) as vault:
        private = vault.private()
        assert list(private.reply("Good evening"))[-1].message.text == "Hello."
        assert len(private.messages) == 2
        private.end()
        assert vault.conversations.all() == []
