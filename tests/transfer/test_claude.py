"""Imports of Claude's exports."""

import pathlib

import pytest

from ricordo.conversation import Role
from ricordo.vault import AsyncVault
from tests.transfer import files
from tests.vaults import with_vault


@pytest.mark.req("I6", "S6")
def test_blocks_files_and_times_are_read(tmp_path: pathlib.Path) -> None:
    """Text blocks are the message; thoughts and tools are counted; the text of attached files comes along, pictures by name."""
    talk = files.claude("one", ("human", "Read this."), ("assistant", "x"))
    asked, reply = talk["chat_messages"]
    asked["attachments"] = [{"file_name": "list.txt", "file_type": "text/plain", "extracted_content": "figs, plums"}]
    asked["files"] = [{"file_name": "garden.png"}]
    asked["files_v2"] = [{"file_name": "garden.png"}]
    reply["content"] = [
        {"type": "thinking", "thinking": "hmm"},
        {"type": "text", "text": "Part one."},
        {"type": "tool_use", "name": "web", "input": {"q": "x"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "secret result"}]},
        {"type": "text", "text": "Part two."},
    ]
    source = files.packed(tmp_path / "data.zip", conversations_json=[talk], users_json=[{"uuid": "me"}], projects_json=[])

    async def work(vault: AsyncVault) -> None:
        done = await vault.imports.bring(source)
        assert (done.format, done.messages) == ("claude", 2)
        left = {each.what: each.count for each in done.left_out}
        assert left == {"thoughts of the model": 1, "tool calls and their results": 2, "other files": 2}
        assert done.conversation is not None
        first, second = await vault.conversations.messages(done.conversation)
        assert [(each.name, each.text) for each in first.attachments] == [("list.txt", "figs, plums"), ("garden.png", "")]
        assert (second.role, second.text) == (Role.MODEL, "Part one.\n\nPart two.")
        assert first.at.local.isoformat() == "2026-02-01T10:00:00+00:00"
        assert (await vault.conversations.get(done.conversation)).title == "Talk one"

    with_vault(tmp_path, work)


@pytest.mark.req("I6")
def test_messages_that_follow_the_same_one_are_versions(tmp_path: pathlib.Path) -> None:
    """As parents tell it; the last one written is shown. A parent that is not there is what stood before."""
    talk = files.claude("one", ("human", "A?"), ("assistant", "No."), ("assistant", "Yes."), ("human", "Why?"))
    parents = ["00000000-0000-4000-8000-000000000000", "one-0", "one-0", "gone"]
    for message, parent in zip(talk["chat_messages"], parents, strict=True):
        message["parent_message_uuid"] = parent
    source = files.written(tmp_path / "conversations.json", [talk])

    async def work(vault: AsyncVault) -> None:
        done = await vault.imports.bring(source)
        assert done.conversation is not None
        messages = list(await vault.conversations.messages(done.conversation))
        assert [message.text for message in messages] == ["A?", "Yes.", "Why?"]
        assert len((await vault.conversations.versions(messages))[messages[1].id]) == 2

    with_vault(tmp_path, work)


@pytest.mark.req("I6")
def test_a_conversation_saved_alone_is_read_as_well(tmp_path: pathlib.Path) -> None:
    """One object in place of a list, or a list under another name."""
    one = files.written(tmp_path / "one.json", files.claude("one", ("human", "Hello"), ("assistant", "Hi")))
    many = files.written(tmp_path / "many.json", {"conversations": [files.claude("two", ("human", "Again"))]})
    alone = files.written(tmp_path / "alone.json", files.simple("three", "Alone"))

    async def work(vault: AsyncVault) -> None:
        assert (await vault.imports.bring(one)).messages == 2
        assert (await vault.imports.bring(many)).messages == 1
        assert (await vault.imports.bring(alone)).format == "chatgpt"

    with_vault(tmp_path, work)
