"""What was once recalled into an earlier message is not sent again after the person took it out of reach, or deleted it."""

import pathlib

import pytest

from ricordo.conversation import Reach
from ricordo.events import TextDelta
from ricordo.fact import InConversation
from ricordo.vault import AsyncVault
from tests import recalls
from tests.fake_server import FakeServer
from tests.recalls import HARP


def sent(server: FakeServer) -> str:
    """Return all that the newest reply was asked for with."""
    return "\n".join(str(message["content"]) for message in server.chats()[-1].messages)


@pytest.mark.req("W6", "V8", "B7")
@pytest.mark.parametrize("how", ["narrowed", "moved", "message", "conversation", "nothing"])
def test_what_is_out_of_reach_or_deleted_is_not_sent_again(tmp_path: pathlib.Path, how: str) -> None:
    """A setting, a Space, a message and a conversation elsewhere; without any of it the earlier message keeps its memory."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(whole_diary=how != "moved", foreground_seconds=20)
        space = (await vault.spaces.create("Music")).id
        await vault.spaces.change(space, reach=Reach.SPACE)
        elsewhere = await recalls.written(vault, HARP, lines=1, space=space)
        talk = (await vault.conversations.create(space=space)).id
        await recalls.turn(vault, talk, "Who bought the old harpsichord from Ysolde?")
        assert "dealer from Ghent" in sent(server)
        match how:
            case "narrowed":
                await vault.spaces.change(space, reach=Reach.CONVERSATION)
                await vault.set(whole_diary=False)
            case "moved":
                await vault.conversations.move(talk, None)
            case "message":
                await vault.conversations.delete_message((await vault.conversations.messages(elsewhere))[0].id)
            case "conversation":
                await vault.conversations.delete(elsewhere)
        await recalls.turn(vault, talk, "Thank you, that is all.")
        assert ("dealer from Ghent" in sent(server)) == (how == "nothing")

    with FakeServer() as server:
        recalls.answering(server)
        recalls.with_server(tmp_path, server, work)


@pytest.mark.req("W6", "V8", "B7")
@pytest.mark.parametrize("how", ["removed", "edited", "not shared", "nothing"])
def test_a_fact_that_went_or_changed_elsewhere_is_not_sent_again_as_it_was(tmp_path: pathlib.Path, how: str) -> None:
    """One that was found by search for an earlier message."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(foreground_seconds=20)
        other = (await vault.conversations.create()).id
        fact = await vault.facts.add("Ysolde keeps her harpsichord in Ghent.", InConversation(other))
        await vault.facts.share(fact.id)
        talk = await recalls.written(vault, "Nothing of note.", lines=1)
        await recalls.turn(vault, talk, "Where does Ysolde keep her harpsichord?")
        assert "harpsichord in Ghent" in sent(server)
        match how:
            case "removed":
                await vault.facts.delete(fact.id)
            case "edited":
                await vault.facts.edit(fact.id, "Ysolde has no harpsichord.")
            case "not shared":
                await vault.facts.share(fact.id, False)
        await recalls.turn(vault, talk, "Thank you, that is all.")
        assert ("harpsichord in Ghent" in sent(server)) == (how == "nothing")

    with FakeServer() as server:
        recalls.answering(server)
        recalls.with_server(tmp_path, server, work)


@pytest.mark.req("V8", "B7")
def test_what_is_deleted_while_a_reply_comes_is_not_sent_again(tmp_path: pathlib.Path) -> None:
    """The prompt that shows it is under way already."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(whole_diary=True, foreground_seconds=20)
        elsewhere = await recalls.written(vault, HARP, lines=1)
        talk = (await vault.conversations.create()).id
        async for event in vault.reply(talk, "Who bought the old harpsichord from Ysolde?"):
            if isinstance(event, TextDelta):
                assert "dealer from Ghent" in sent(server)
                await vault.conversations.delete(elsewhere)
                break
        await recalls.turn(vault, talk, "Thank you, that is all.")
        assert "dealer from Ghent" not in sent(server)

    with FakeServer() as server:
        recalls.answering(server)
        recalls.with_server(tmp_path, server, work)
