"""What was imported: listed, gone on with after it was cut off, read by the model when the person wants it, taken back."""

import asyncio
import json
import pathlib
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import apsw
import pytest

from ricordo.errors import NotFound, StorageFull, SwitchedOff
from ricordo.fact import Global, InConversation, InSpace
from ricordo.learn.extractor import SYSTEM
from ricordo.models.scripted import ScriptedModel
from ricordo.store import schema, talks
from ricordo.store.connection import Database
from ricordo.transfer import importing
from ricordo.vault import AsyncVault
from tests.fake_server import FakeServer
from tests.plaintext import hunt
from tests.transfer import files
from tests.transfer.files import chatgpt, said, simple
from tests.transfer.shelf import LOW, PASSPHRASE
from tests.vaults import with_vault

FIGS = "I planted figs by the wall in April."


def learner(messages: Any) -> str:
    """A model that takes each "I …" for a fact, and replies "Well." to the person."""
    if messages[0].content != SYSTEM:
        return "Well."
    last = messages[-1].content
    found = [line.split("I ", 1)[1].split("\n")[0] for line in last.splitlines() if "I " in line]
    return json.dumps({"add": [{"text": f"The user {each}", "quote": f"I {each}"} for each in found]})


def counts(vault: AsyncVault, *tables: str) -> Any:
    """Count rows of tables."""
    columns = ", ".join(f"(select count(*) from {table})" for table in tables)
    return vault._database.read(lambda c: c.execute(f"select {columns}").fetchone())


@pytest.mark.req("I6")
def test_an_import_is_listed_and_taken_back_with_all_that_came_of_it(tmp_path: pathlib.Path) -> None:
    """Messages, versions, excerpts, what was learned from them; what is the person's stays, and an older fact is as it was."""
    talk = chatgpt(
        "one",
        ("q", None, said("user", FIGS)),
        ("a", "q", said("assistant", "Figs like walls, and sun all day.")),
        ("b", "q", said("assistant", "Figs like warm walls best.")),
    )
    source = files.written(tmp_path / "conversations.json", [talk, simple("two", "I sing in a choir on Mondays.", "Lovely.")])

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        mine = await vault.facts.add("Keeps bees", Global())
        done = await vault.imports.bring(source)
        assert done.import_ is not None
        (one,) = await vault.imports.all()
        assert (one.format, one.name, one.finished, one.conversations, one.messages) == (
            "chatgpt",
            "conversations.json",
            True,
            2,
            5,
        )
        assert (one.turns, one.turns_read, one.learning) == (2, 0, False)
        await vault.imports.learn(one.id)
        await vault.learn()
        assert {fact.text for fact in await vault.facts.all()} > {"Keeps bees"}
        two = next(talk for talk in await vault.conversations.all() if talk.title == "Talk two")
        await vault.write(two.id, "Written here, and it stays here.")
        going = await vault.imports.undoing(one.id)
        assert (going.messages, going.conversations, going.facts) == (5, 1, len(await vault.facts.all()) - 1)
        assert await vault.imports.undo(one.id) == going
        assert await vault.imports.all() == []
        assert [fact.id for fact in await vault.facts.all()] == [mine.id]
        assert [message.text for message in await vault.conversations.messages(two.id)] == ["Written here, and it stays here."]
        assert await vault.search("figs") == []
        assert await counts(vault, "messages", "conversations", "excerpts", "changes", "fact_sources") == (1, 1, 1, 0, 0)
        with pytest.raises(NotFound):
            await vault.imports.undo(one.id)
        again = await vault.imports.bring(source)
        assert again.messages == 5

    with_vault(tmp_path, work, ScriptedModel(learner))


@pytest.mark.req("I6", "R2", "V8")
def test_imported_messages_are_embedded_and_their_vectors_go_with_them(tmp_path: pathlib.Path) -> None:
    """In the vault and in memory."""
    source = files.written(
        tmp_path / "conversations.json",
        [simple("one", "I saw a heron by the river today.", "Herons are shy birds, and patient ones.")],
    )
    with FakeServer() as server:

        async def work(vault: AsyncVault) -> None:
            await vault.set(server=server.url, embedder="server")
            done = await vault.imports.bring(source)
            assert done.import_ is not None
            assert (await vault.by_meaning()).total == 2
            await vault.embed()
            assert (await vault.by_meaning()).done == 2
            assert await counts(vault, "vectors", "vectors_due") == (2, 0)
            await vault.imports.undo(done.import_)
            assert await counts(vault, "vectors", "vectors_due", "excerpts") == (0, 0, 0)
            after = await vault.by_meaning()
            assert (after.done, after.total) == (0, 0)

        with_vault(tmp_path, work)


@pytest.mark.req("I6", "V7")
def test_imports_of_an_older_vault_are_listed(tmp_path: pathlib.Path) -> None:
    """Its tables are brought to this version, after a backup; what it imported is there, and can be undone."""

    def old(connection: apsw.Connection, before: Callable[[], None]) -> None:
        schema.MIGRATIONS[0](connection)
        connection.pragma("user_version", 1)
        connection.execute("insert into imports (format, name, at, at_offset) values ('diary', 'd.jsonl', 7, 0)")

    made, _ = Database.create(
        tmp_path / "v.ricordo", PASSPHRASE, cost=LOW, migrate=lambda c, b: None if has_tables(c) else old(c, b)
    )
    asyncio.run(made.close())

    async def look() -> None:
        async with await AsyncVault.open(tmp_path / "v.ricordo", PASSPHRASE) as vault:
            (one,) = await vault.imports.all()
            assert (one.name, one.finished, one.turns_read) == ("d.jsonl", True, 0)
            await vault.imports.undo(one.id)

    asyncio.run(look())


@pytest.mark.req("I6", "S4")
@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_deleted_message_comes_back_in_its_place_where_the_talk_went_on(tmp_path: pathlib.Path, gone: int) -> None:
    """Ahead of what is shown it is shown; at the end it is a version beside what was written here since."""
    texts = ["What of the figs by the wall?", "Figs like walls, and sun all day.", "Then they stay where they are."]
    source = files.written(tmp_path / "conversations.json", [simple("one", *texts)])

    async def work(vault: AsyncVault) -> None:
        await vault.imports.bring(source)
        (talk,) = await vault.conversations.all()
        await vault.write(talk.id, "They bore fruit in August.")
        there = await vault.conversations.messages(talk.id)
        await vault.conversations.delete_message(there[gone].id)
        assert (await vault.imports.bring(source)).messages == 1
        shown = await vault.conversations.messages(talk.id)
        kept = texts if gone < 2 else texts[:2]
        assert [message.text for message in shown] == [*kept, "They bore fruit in August."]
        assert [message.parent for message in shown] == [None, *(message.id for message in shown[:-1])]

    with_vault(tmp_path, work)


def has_tables(connection: apsw.Connection) -> bool:
    """Say whether tables were made already."""
    return connection.execute("select 1 from sqlite_schema limit 1").fetchone() is not None


@pytest.mark.req("I6", "V8")
def test_what_was_taken_back_is_in_no_file(tmp_path: pathlib.Path) -> None:
    """Of the vault; the words are gone from the index as well."""
    source = files.written(tmp_path / "conversations.json", [simple(f"{n}", "zanzibar " * 30, "zanzibar too") for n in range(60)])

    async def work(vault: AsyncVault) -> None:
        done = await vault.imports.bring(source)
        assert done.import_ is not None and len(await vault.search("zanzibar")) > 0
        await vault.imports.undo(done.import_)
        held = await vault._database.read(lambda c: [bytes(row[0]) for row in c.execute("select block from excerpt_words_data")])
        assert held and not any(b"zanzibar" in block for block in held)

    with_vault(tmp_path, work)
    source.unlink()
    _, found = hunt(tmp_path, 0, b"zanzibar")
    assert not found


@pytest.mark.req("I6", "W4", "E2", "W1")
def test_imported_turns_are_read_when_nothing_else_waits_and_can_be_paused(tmp_path: pathlib.Path) -> None:
    """Not by themselves; then each turn goes where it would go if it were sent now, and what is written meanwhile goes first."""
    source = files.written(
        tmp_path / "conversations.json", [simple(f"{n}", f"I have pot number {n} of figs.", "Well.") for n in range(8)]
    )
    read: list[str] = []

    def model(messages: Any) -> str:
        if messages[0].content == SYSTEM:
            read.append(messages[-1].content)
        return learner(messages)

    async def work(vault: AsyncVault) -> None:
        done = await vault.imports.bring(source)
        assert done.import_ is not None
        assert (await vault.learn(), read) == ((), [])
        garden = await vault.spaces.create("Garden")
        closed = await vault.spaces.create("Closed")
        await vault.spaces.change(closed.id, memory=False)
        by_title = {talk.title: talk for talk in await vault.conversations.all()}
        await vault.conversations.move(by_title["Talk 1"].id, garden.id)
        await vault.conversations.move(by_title["Talk 2"].id, closed.id)
        await vault.set(remember=False)
        with pytest.raises(SwitchedOff):
            await vault.imports.learn(done.import_)
        await vault.set(remember=True)
        assert (await vault.imports.learn(done.import_)).learning
        assert not (await vault.imports.learn(done.import_, on=False)).learning
        assert await vault.learn() == () and read == []
        await vault.imports.learn(done.import_)
        own = await vault.conversations.create("Mine")
        await vault.write(own.id, "I row on the lake.")
        await vault.learn()
        assert "I row" in read[0]
        assert len(read) == 8  # seven of the import, of which one goes nowhere, and the person's own
        homes = {fact.text: fact.home for fact in await vault.facts.all()}
        assert homes["The user have pot number 1 of figs."] == InSpace(garden.id)
        assert homes["The user have pot number 3 of figs."] == InConversation(by_title["Talk 3"].id)
        assert "The user have pot number 2 of figs." not in homes
        after = await vault.imports.get(done.import_)
        assert (after.turns, after.turns_read, after.learning) == (8, 8, False)

    with_vault(tmp_path, work, ScriptedModel(model))


@pytest.mark.req("I6", "X3")
def test_an_import_on_a_full_disk_is_one_import_when_it_went_on(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was stored stays, listed as cut off; the next run brings the rest into the same import."""
    source = files.written(tmp_path / "conversations.json", [simple(f"{n}", "Hello there", "Good evening") for n in range(900)])
    put, calls = talks.put, []

    def full(*args: Any) -> talks.Put:
        calls.append(args)
        if len(calls) == 700:
            raise StorageFull("The disk is full.")
        return put(*args)

    async def work(vault: AsyncVault) -> None:
        monkeypatch.setattr(talks, "put", full)
        with pytest.raises(StorageFull):
            await vault.imports.bring(source)
        (one,) = await vault.imports.all()
        assert (one.finished, one.messages) == (False, importing.BATCH)
        done = await vault.imports.bring(source)
        assert (done.import_, done.messages, done.already_there) == (one.id, 1800 - importing.BATCH, importing.BATCH)
        (one,) = await vault.imports.all()
        assert (one.finished, one.messages) == (True, 1800)

    with_vault(tmp_path, work)


CHILD = """
import asyncio, pathlib, sys
from ricordo.vault import AsyncVault
async def bring():
    async with await AsyncVault.open(sys.argv[1], sys.argv[2]) as vault:
        await vault.imports.bring(pathlib.Path(sys.argv[3]), progress=lambda done, total: print(done, flush=True))
asyncio.run(bring())
"""


@pytest.mark.slow
@pytest.mark.req("I6", "V4")
def test_an_import_that_is_killed_goes_on_and_ends_without_doubles(tmp_path: pathlib.Path) -> None:
    """Five children die at moments of chance; then one run brings the rest, with every version in its place."""
    chance = random.Random(7)
    talks_ = [simple(f"{n}", *(f"{chance.random()} and so on, {n}" for _ in range(6))) for n in range(3000)]
    source = files.written(tmp_path / "conversations.json", talks_)
    made, _ = Database.create(tmp_path / "v.ricordo", PASSPHRASE, cost=LOW)
    asyncio.run(made.close())
    counted = [0]

    async def count() -> int:
        async with await AsyncVault.open(tmp_path / "v.ricordo", PASSPHRASE) as vault:
            return int((await counts(vault, "messages"))[0])

    for _ in range(5):
        command = [sys.executable, "-c", CHILD, str(tmp_path / "v.ricordo"), PASSPHRASE, str(source)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            for line in child.stdout:
                if int(line) > counted[-1]:
                    break
            time.sleep(chance.uniform(0, 0.05))  # not waiting for anything: this is the random moment
            child.kill()
        counted.append(asyncio.run(count()))
    assert counted == sorted(counted) and 0 < counted[1] < counted[-1] < 18000

    async def rest() -> None:
        async with await AsyncVault.open(tmp_path / "v.ricordo", PASSPHRASE) as vault:
            done = await vault.imports.bring(source)
            assert done.messages + done.already_there == 18000
            (one,) = await vault.imports.all()
            assert (one.messages, one.conversations, one.finished) == (18000, 3000, True)
            for talk in (await vault.conversations.all())[:20]:
                messages = await vault.conversations.messages(talk.id)
                assert [message.parent for message in messages] == [None, *(message.id for message in messages[:-1])]

    asyncio.run(rest())
