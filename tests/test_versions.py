"""Editing a message: the old version stays reachable, with all that followed it."""

import pathlib

import pytest

from ricordo.conversation import Attachment
from ricordo.errors import InvalidInput, NotFound
from ricordo.events import MessageStored, ReplyDone
from ricordo.models.scripted import ScriptedModel
from ricordo.vault import AsyncVault
from tests.vaults import events, with_vault


def model() -> ScriptedModel:
    """A model that says what it was asked last."""
    return ScriptedModel(lambda messages: f"To {messages[-1].content.split('] ')[-1]}")


async def texts(vault: AsyncVault, talk: int) -> list[str]:
    return [message.text for message in await vault.conversations.messages(talk)]


async def ids(vault: AsyncVault, talk: int) -> dict[str, int]:
    return {message.text: message.id for message in await vault.conversations.messages(talk)}


@pytest.mark.req("S3", "S5")
def test_an_edited_message_takes_the_place_of_the_old_one_which_stays_reachable(tmp_path: pathlib.Path) -> None:
    """What followed goes with it and comes back with it; the model sees the shown version alone."""
    asked = model()

    async def work(vault: AsyncVault) -> None:
        talk = (await vault.conversations.create()).id
        for text in ("one", "two", "three"):
            await events(vault.reply(talk, text))
        before = await ids(vault, talk)
        seen = await events(vault.edit(before["two"], "TWO", [Attachment("a.txt", "text/plain", "more")]))
        assert isinstance(seen[0], MessageStored) and isinstance(seen[-1], ReplyDone)
        assert seen[0].message.attachments[0].text == "more"
        assert await texts(vault, talk) == ["one", "To one", "TWO", "To TWO"]
        sent = "\n".join(message.content for message in asked.requests[-1].messages)
        assert "] two" not in sent and "three" not in sent
        shown = await vault.conversations.messages(talk)
        versions = await vault.conversations.versions(shown)
        assert versions == {shown[2].id: (before["two"], shown[2].id)}
        await vault.show(before["three"])
        assert await texts(vault, talk) == ["one", "To one", "two", "To two", "three", "To three"]
        await vault.show(shown[2].id)
        assert await texts(vault, talk) == ["one", "To one", "TWO", "To TWO"]
        assert (await vault.show(shown[2].id)).text == "TWO"

    with_vault(tmp_path, work, asked)


@pytest.mark.req("S3")
def test_the_first_message_and_replies_have_versions_too(tmp_path: pathlib.Path) -> None:
    """A reply that was tried again can be gone back to, as can the very beginning of a conversation."""

    async def work(vault: AsyncVault) -> None:
        talk = (await vault.conversations.create()).id
        await events(vault.reply(talk, "one"))
        await events(vault.retry(talk))
        first, reply = await vault.conversations.messages(talk)
        assert len((await vault.conversations.versions([first, reply]))[reply.id]) == 2
        await events(vault.edit(first.id, "ONE"))
        assert await texts(vault, talk) == ["ONE", "To ONE"]
        shown = await vault.conversations.messages(talk)
        assert (await vault.conversations.versions(shown))[shown[0].id] == (first.id, shown[0].id)
        await vault.show(first.id)
        assert await texts(vault, talk) == ["one", "To one"]

    with_vault(tmp_path, work, model())


@pytest.mark.req("S3", "E2")
def test_only_shown_turns_are_read_and_the_others_wait(tmp_path: pathlib.Path) -> None:
    """Nothing is learned from a wording that was taken back; brought back, it is read like any other."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        talk = (await vault.conversations.create()).id
        await events(vault.reply(talk, "I live in Porto"))
        old = (await vault.conversations.messages(talk))[0].id
        await events(vault.edit(old, "I live in Lyon"))
        assert await vault.changes.waiting() == 1
        await vault.show(old)
        (waiting,) = await vault._database.read(lambda c: list(c.execute("select count(*) from waiting")))
        assert waiting[0] == 2
        assert await vault.changes.waiting() == 1

    with_vault(tmp_path, work, model())


@pytest.mark.req("S4")
def test_deleting_a_version_leaves_the_others_reachable(tmp_path: pathlib.Path) -> None:
    """Also the last one that is shown: then the newest of the others is."""

    async def work(vault: AsyncVault) -> None:
        talk = (await vault.conversations.create()).id
        await events(vault.reply(talk, "one"))
        old = (await vault.conversations.messages(talk))[0].id
        await events(vault.edit(old, "ONE"))
        edited, reply = await vault.conversations.messages(talk)
        await vault.conversations.delete_message(edited.id)
        assert (await vault.conversations.versions([*await vault.conversations.messages(talk)]))[reply.id] == (old, reply.id)
        await vault.conversations.delete_message(reply.id)
        assert await texts(vault, talk) == ["one", "To one"]

    with_vault(tmp_path, work, model())


@pytest.mark.req("S3")
def test_what_cannot_be_edited_is_refused_and_nothing_changes(tmp_path: pathlib.Path) -> None:
    """A reply, an empty text, a message that is not shown, one that is not there."""

    async def work(vault: AsyncVault) -> None:
        talk = (await vault.conversations.create()).id
        await events(vault.reply(talk, "one"))
        asked, reply = await vault.conversations.messages(talk)
        for message, text in ((reply.id, "I never said that"), (asked.id, "  ")):
            with pytest.raises(InvalidInput):
                await events(vault.edit(message, text))
        with pytest.raises(NotFound):
            await events(vault.edit(99, "Hello"))
        await events(vault.edit(asked.id, "ONE"))
        with pytest.raises(InvalidInput):
            await events(vault.edit(asked.id, "Once more"))
        assert await texts(vault, talk) == ["ONE", "To ONE"]

    with_vault(tmp_path, work, model())


@pytest.mark.req("S4")
def test_what_was_learned_from_a_message_is_known_before_it_is_deleted(tmp_path: pathlib.Path) -> None:
    """For the dialog that asks."""

    async def work(vault: AsyncVault) -> None:
        talk = (await vault.conversations.create()).id
        await events(vault.reply(talk, "I keep bees"))
        asked = (await vault.conversations.messages(talk))[0].id
        fact = await vault.facts.pin_message(asked)
        assert await vault.conversations.learned_from(asked) == [fact]
        with pytest.raises(NotFound):
            await vault.conversations.learned_from(99)

    with_vault(tmp_path, work, model())
