"""Imports of ChatGPT's exports: trees, versions, what is left out, once, again and grown."""

import pathlib
from typing import Any

import pytest

from ricordo.conversation import Message, Role
from ricordo.vault import AsyncVault
from tests.transfer import files
from tests.transfer.files import chatgpt, said, simple
from tests.vaults import with_vault


async def shown(vault: AsyncVault) -> dict[str, list[Message]]:
    """Return what each conversation shows, by title."""
    return {talk.title: list(await vault.conversations.messages(talk.id)) for talk in await vault.conversations.all()}


def texts(messages: list[Message]) -> list[str]:
    """Return their texts."""
    return [message.text for message in messages]


@pytest.mark.req("I6")
def test_a_conversation_comes_in_as_it_was_shown_with_its_other_versions_beside(tmp_path: pathlib.Path) -> None:
    """The path to the current node is shown; a reply tried again and an edited question can be gone back to."""
    talk = chatgpt(
        "one",
        ("root", None, None),
        ("q", "root", said("user", "Where shall we go?", 1_700_000_000)),
        ("a1", "q", said("assistant", "To the sea.", 1_700_000_005, metadata={"model_slug": "gpt-4o"})),
        ("a2", "q", said("assistant", "To the hills.", 1_700_000_009)),
        ("q2", "a2", said("user", "Which hills?", 1_700_000_020)),
        ("q3", "a1", said("user", "Which sea?", 1_700_000_030)),
        ("b", "q3", said("assistant", "The Adriatic.", 1_700_000_031)),
        current="b",
    )
    source = files.written(tmp_path / "conversations.json", [talk])

    async def work(vault: AsyncVault) -> None:
        await vault.set(time_zone="Europe/Rome")
        done = await vault.imports.bring(source)
        assert (done.format, done.conversations, done.messages, done.unreadable, done.left_out) == ("chatgpt", 1, 6, (), ())
        (messages,) = (await shown(vault)).values()
        assert texts(messages) == ["Where shall we go?", "To the sea.", "Which sea?", "The Adriatic."]
        assert [message.role for message in messages] == [Role.USER, Role.MODEL] * 2
        assert messages[1].model == "gpt-4o"
        assert messages[0].at.local.isoformat() == "2023-11-14T23:13:20+01:00"
        versions = await vault.conversations.versions(messages)
        assert len(versions[messages[1].id]) == 2
        await vault.show(versions[messages[1].id][1])
        assert texts(list(await vault.conversations.messages(messages[0].conversation)))[1:] == ["To the hills.", "Which hills?"]

    with_vault(tmp_path, work)


@pytest.mark.req("I6", "E5")
def test_only_what_was_said_comes_in_and_the_rest_is_counted(tmp_path: pathlib.Path) -> None:
    """Machinery between the messages is passed over without breaking the thread; pictures are named, speech is text."""
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-A"}
    spoken = {"content_type": "audio_transcription", "text": "And what I said aloud."}
    mixed = {"content_type": "multimodal_text", "parts": [picture, "Look at this.", spoken]}
    talk = chatgpt(
        "one",
        ("root", None, None),
        ("s", "root", said("system", "You are helpful.")),
        ("h", "s", said("user", {"content_type": "user_editable_context", "user_profile": "x"})),
        (
            "q",
            "h",
            said("user", mixed, metadata={"attachments": [{"id": "file-A", "name": "figs.jpg", "mimeType": "image/jpeg"}]}),
        ),
        ("t", "q", said("assistant", "search('figs')", recipient="browser")),
        ("r", "t", said("tool", "many figs")),
        ("i", "r", said("assistant", {"content_type": "thoughts", "thoughts": [{"content": "hmm"}]})),
        ("e", "i", said("assistant", "")),
        ("a", "e", said("assistant", "Figs \ue200cite\ue202turn0search0\ue201indeed.", None)),
    )
    source = files.written(tmp_path / "conversations.json", [talk, chatgpt("two", ("root", None, None))])

    async def work(vault: AsyncVault) -> None:
        seen = await vault.imports.preview(source)
        done = await vault.imports.bring(source)
        assert done.left_out == seen.left_out
        assert {each.what: each.count for each in done.left_out} == {
            "system messages": 1,
            "hidden messages": 1,
            "tool calls and their results": 2,
            "thoughts of the model": 1,
            "messages without text": 1,
            "conversations without a message": 1,
        }
        assert done.undated == 1
        (messages,) = (await shown(vault)).values()
        assert texts(messages) == ["Look at this.\n\nAnd what I said aloud.", "Figs indeed."]
        assert messages[1].parent == messages[0].id
        assert messages[1].at >= messages[0].at
        assert [(file.name, file.media_type, file.text) for file in messages[0].attachments] == [("figs.jpg", "image/jpeg", "")]

    with_vault(tmp_path, work)


@pytest.mark.req("I6")
def test_the_same_file_again_brings_nothing_and_a_newer_one_only_what_is_new(tmp_path: pathlib.Path) -> None:
    """The talk goes on where it was; a new one stands beside it."""
    first = files.written(tmp_path / "a.json", [simple("one", "Hello there", "Good evening")])
    newer = files.packed(
        tmp_path / "b.zip",
        conversations_json=[simple("one", "Hello there", "Good evening", "And now?", "Now we sleep."), simple("two", "Another")],
        user_json={"id": "me"},
        chat_html=b"<html>",
    )

    async def work(vault: AsyncVault) -> None:
        assert (await vault.imports.bring(first)).messages == 2
        again = await vault.imports.bring(first)
        assert (again.messages, again.already_there, again.import_) == (0, 2, None)
        seen = await vault.imports.preview(newer)
        assert (seen.conversations, seen.messages, seen.already_there) == (1, 3, 2)
        assert {each.what: each.count for each in seen.left_out} == {"other files": 2}
        done = await vault.imports.bring(newer)
        assert (done.conversations, done.messages, done.already_there) == (1, 3, 2)
        found = await shown(vault)
        assert texts(found["Talk one"]) == ["Hello there", "Good evening", "And now?", "Now we sleep."]
        assert texts(found["Talk two"]) == ["Another"]
        assert len(await vault.imports.all()) == 2

    with_vault(tmp_path, work)


@pytest.mark.req("I6", "S5")
def test_what_was_written_here_since_stays_what_is_shown(tmp_path: pathlib.Path) -> None:
    """The other program's continuation is another version, in the place where the two part."""
    first = files.written(tmp_path / "a.json", [simple("one", "Hello there", "Good evening")])
    newer = files.written(tmp_path / "b.json", [simple("one", "Hello there", "Good evening", "Over there", "Indeed")])

    async def work(vault: AsyncVault) -> None:
        done = await vault.imports.bring(first)
        assert done.conversation is not None
        await vault.write(done.conversation, "Over here")
        assert (await vault.imports.bring(newer)).messages == 2
        messages = list(await vault.conversations.messages(done.conversation))
        assert texts(messages) == ["Hello there", "Good evening", "Over here"]
        assert len((await vault.conversations.versions(messages))[messages[2].id]) == 2

    with_vault(tmp_path, work)


@pytest.mark.req("I6")
def test_a_message_that_was_deleted_here_comes_again_in_its_place(tmp_path: pathlib.Path) -> None:
    """And what followed it follows it again: one thread, none of it twice."""
    source = files.written(tmp_path / "a.json", [simple("one", "First", "Second", "Third")])

    async def work(vault: AsyncVault) -> None:
        await vault.imports.bring(source)
        before = (await shown(vault))["Talk one"]
        await vault.conversations.delete_message(before[1].id)
        assert (await vault.imports.bring(source)).messages == 1
        messages = (await shown(vault))["Talk one"]
        assert texts(messages) == ["First", "Second", "Third"]
        assert messages[2].parent == messages[1].id

    with_vault(tmp_path, work)


ODD: list[Any] = [
    {"mapping": {}},
    {"mapping": {"a": None, "b": 3, "c": {"parent": "c", "message": {}}}},
    {"mapping": {"a": {"parent": "b", "message": said("user", "in a circle")}, "b": {"parent": "a", "message": None}}},
    {"mapping": {"a": {"message": said("user", ["x"])}}, "current_node": 7},
    {
        "mapping": {"a": {"message": {"author": "me", "content": "text", "metadata": [], "create_time": "soon"}}},
        "title": {"x": 1},
    },
]


@pytest.mark.req("I6")
def test_odd_trees_bring_what_can_be_read(tmp_path: pathlib.Path) -> None:
    """Circles are cut, what is no text is empty; the good conversation beside them comes in whole."""
    source = files.written(tmp_path / "conversations.json", [*ODD, "nonsense", None, simple("good", "Hello", "Hi")])

    async def work(vault: AsyncVault) -> None:
        done = await vault.imports.bring(source)
        found = [texts(list(await vault.conversations.messages(talk.id))) for talk in await vault.conversations.all()]
        assert ["Hello", "Hi"] in found and ["in a circle"] in found
        assert all(found)
        assert len(done.unreadable) == 2 and all("it is no conversation" in odd for odd in done.unreadable)

    with_vault(tmp_path, work)
