"""Deleting, by every way there is: no page holds a word of it, not a free one, not of the index; nor does a journal (V8)."""

import json
import pathlib
import random
from collections.abc import Awaitable, Callable

import pytest

from benchmarks.figures import note
from ricordo.conversation import Attachment
from ricordo.fact import Global
from ricordo.learn import extractor, summarizer
from ricordo.models.scripted import ScriptedModel
from ricordo.prompt import ChatMessage
from ricordo.store.file import leftover_journal
from ricordo.transfer.source import Upload
from ricordo.vault import AsyncVault
from tests.vaults import events, with_vault

Case = Callable[[AsyncVault, str], Awaitable[Callable[[], Awaitable[object]]]]

BESIDE = [f"An ordinary line {number} about the harbour and the long way home." for number in range(40)]


def coined(seed: str) -> str:
    """Return a word that stands nowhere else and that no stemmer shortens."""
    return "".join(random.Random(seed).choices("bcdfgkmpqvxz", k=14))


def obliging(word: str) -> ScriptedModel:
    """A model that speaks of the word, learns it, and keeps minutes of it, wherever it was said."""

    def script(told: tuple[ChatMessage, ...]) -> str:
        if not any(word in each.content for each in told):
            return "{}"
        if told[0].content == extractor.SYSTEM:
            fact = {"text": f"The user keeps {word} bees.", "quote": f"I keep {word} bees"}
            other = {"text": f"The user lives in {word} Lisbon.", "quote": "Lisbon"}
            return json.dumps({"add": [fact, other], "rewrite": [], "remove": []})
        if told[0].content == summarizer.SYSTEM:
            return json.dumps({"decisions": [], "facts": [f"The user keeps {word} bees."], "open_threads": [],
                               "current_state": [f"The user will move the {word} bees."]})  # fmt: skip
        return f"So you keep {word} bees."

    return ScriptedModel(script)


async def said(vault: AsyncVault, text: str, *files: Attachment, space: int | None = None) -> int:
    """Say something in a conversation of its own, and learn from it; return the conversation."""
    talk = await vault.conversations.create("", space)
    await events(vault.reply(talk.id, text, list(files)))
    await vault.learn()
    return talk.id


async def message(vault: AsyncVault, word: str) -> Callable[[], Awaitable[object]]:
    talk = await vault.conversations.create("A title")
    kept = await vault.write(talk.id, f"My {word} confession. " * 900)
    return lambda: vault.conversations.delete_message(kept.id)


async def conversation(vault: AsyncVault, word: str) -> Callable[[], Awaitable[object]]:
    """With notes, what was refused, minutes, and a draft."""
    await vault.set(global_memories=False)
    talk = await said(vault, f"I keep {word} bees. I would move the {word} bees.")
    await vault.summarise(talk)
    assert any(word in each.text for each in await vault.facts.all())
    await vault.drafts.keep(talk, f"And {word}", [Attachment(f"{word}.txt", "text/plain", f"{word} timetable")])
    return lambda: vault.conversations.delete(talk)


async def attachment(vault: AsyncVault, word: str) -> Callable[[], Awaitable[object]]:
    talk = await vault.conversations.create("A title")
    await events(vault.reply(talk.id, "Look at this.", [Attachment(f"{word}.txt", "text/plain", f"{word} told. " * 3000)]))
    asked, reply = await vault.conversations.messages(talk.id)

    async def delete() -> None:
        await vault.conversations.delete_message(reply.id)
        await vault.conversations.delete_message(asked.id)

    return delete


async def fact(vault: AsyncVault, word: str) -> Callable[[], Awaitable[object]]:
    kept = await vault.facts.add(f"Confessed {word}", Global(), pinned=True)
    await vault.facts.share(kept.id)
    return lambda: vault.facts.delete(kept.id)


async def reworded_fact(vault: AsyncVault, word: str) -> Callable[[], Awaitable[object]]:
    kept = await vault.facts.add(f"Confessed {word}", Global())

    async def delete() -> None:
        await vault.facts.edit(kept.id, "Confessed nothing")
        await vault.facts.delete((await vault.facts.add("Something else", Global())).id)  # what next empties the journal

    return delete


async def all_facts(vault: AsyncVault, word: str) -> Callable[[], Awaitable[object]]:
    for number in range(100):
        await vault.facts.add(f"Confessed {word} number {number}", Global())
    return vault.facts.clear


async def space(vault: AsyncVault, word: str) -> Callable[[], Awaitable[object]]:
    made = await vault.spaces.create(f"{word} garden", f"Only {word} plants.")
    await said(vault, f"I keep {word} bees.", space=made.id)
    assert any(word in each.text for each in await vault.facts.all())
    return lambda: vault.spaces.delete(made.id, keep_conversations=False)


async def summary(vault: AsyncVault, word: str) -> Callable[[], Awaitable[object]]:
    talk = await vault.conversations.create("A title")
    kept = await vault.write(talk.id, f"I keep {word} bees. I would move the {word} bees.")
    await vault.summarise(talk.id)
    await vault.conversations.edit_summary(talk.id, f"Facts\n- All of it is {word}. " * 40)

    async def delete() -> None:
        await vault.conversations.delete_summary(talk.id)
        await vault.conversations.delete_message(kept.id)

    return delete


async def import_(vault: AsyncVault, word: str) -> Callable[[], Awaitable[object]]:
    notes = "".join(f"# {word} {number}\n\nOf {word} and the harbour, again and again.\n\n" for number in range(50))
    done = await vault.imports.bring(Upload(f"{word}.md", ((f"{word}.md", notes.encode()),)), "markdown")
    key = done.import_
    assert key is not None
    return lambda: vault.imports.undo(key)


async def draft(vault: AsyncVault, word: str) -> Callable[[], Awaitable[object]]:
    await vault.drafts.keep(
        None, f"Half a {word} thought", [Attachment(f"{word}.txt", "text/plain", f"{word} timetable " * 3000)]
    )
    return lambda: vault.drafts.keep(None, "", [])


async def recalled_elsewhere(vault: AsyncVault, word: str) -> Callable[[], Awaitable[object]]:
    """What was found, quoted and searched for in another conversation."""
    await vault.set(whole_diary=True)
    talk = await vault.conversations.create("A title")
    kept = await vault.write(talk.id, f"Aunt Ysolde lent me the {word} harpsichord in Padua.")
    other = await vault.conversations.create("Another")
    await events(vault.reply(other.id, "Who lent me the harpsichord in Padua?"))
    reply = (await vault.conversations.messages(other.id))[-1]

    async def delete() -> None:
        await vault.conversations.delete_message(kept.id)
        await vault.conversations.delete_message(reply.id)  # the scripted one says the word, too

    return delete


async def prepared(vault: AsyncVault, word: str) -> Callable[[], Awaitable[object]]:
    """A conversation of another client, with the block that was sent along."""
    await vault.set(global_memories=False)
    ready = await vault.prepare([{"role": "user", "content": f"I keep {word} bees."}], conversation=f"{word} name")
    await vault.record(ready, f"So you keep {word} bees.")
    await vault.learn()
    talk = (await vault.conversations.all())[0].id
    return lambda: vault.conversations.delete(talk)


CASES: tuple[Case, ...] = (
    message, conversation, attachment, fact, reworded_fact, all_facts, space, summary, import_, draft, recalled_elsewhere,
    prepared,
)  # fmt: skip


def pages(vault: AsyncVault) -> bytes:
    """Return every page of the main file, decrypted, free ones too: as they lie there, with no journal laid over them."""
    connection = vault._database._file.connect_frozen()
    try:
        return connection.serialize("main")
    finally:
        connection.close()


@pytest.mark.req("V8", "S4")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_what_was_deleted_is_in_no_page_and_no_journal(tmp_path: pathlib.Path, case: Case) -> None:
    """Looked for decrypted, in all pages, before and after the file is made small; it was there before, so it can be found."""
    word = coined(case.__name__)
    kept = word[2:].encode()  # the index keeps of a word only what the one before it does not begin with

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True, embedder="off")
        talk = await vault.conversations.create("Beside it")
        for line in BESIDE[:20]:
            await vault.write(talk.id, line)
        delete = await case(vault, word)
        for line in BESIDE[20:]:
            await vault.write(talk.id, line)
        await vault._database.checkpoint()
        before = pages(vault)
        assert kept in before, "it can be found where it is"
        await delete()
        assert kept not in pages(vault)
        assert leftover_journal(vault.path) is None
        await vault._database.compact()
        assert kept not in pages(vault)
        assert leftover_journal(vault.path) is None
        await vault.data.backup(tmp_path / "later.ricordo")
        assert await vault._database.read(lambda c: c.pragma("integrity_check")) == "ok"
        note(
            "Nothing in plain text", f"decrypted bytes searched after deleting: {case.__name__}", 2 * len(before), "no word", True
        )

    with_vault(tmp_path, work, obliging(word))
