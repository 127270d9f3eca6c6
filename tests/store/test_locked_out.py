"""A vault whose file another program keeps locked: nothing typed is lost, what waits can be seen, and it goes on by itself."""

import asyncio
import pathlib
from collections.abc import Iterator
from contextlib import contextmanager

import apsw
import pytest

from ricordo import background
from ricordo.errors import StorageFull, VaultInUse
from ricordo.models.scripted import ScriptedModel
from ricordo.store.connection import Database
from ricordo.store.faults import told_plainly
from ricordo.vault import AsyncVault
from tests.store.box import new_vault, said, say
from tests.vaults import events, with_vault


@contextmanager
def locked(database: Database) -> Iterator[None]:
    """Keep the file locked from a connection of one's own."""
    other = database._file.connect(cache_kib=100)
    other.execute("begin immediate")
    try:
        yield
    finally:
        other.execute("rollback")
        other.close()


@pytest.mark.req("X3", "V4")
def test_a_write_waits_until_the_file_is_free_and_says_so(tmp_path: pathlib.Path) -> None:
    """Reading goes on meanwhile; half a minute is no reason to give up."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")

    async def story() -> None:
        await say(vault, "Before.")
        assert vault.held_up == 0
        with locked(vault):
            writing = asyncio.create_task(say(vault, "Meanwhile."))
            while not vault.held_up:  # noqa: ASYNC110  a thread waits there
                await asyncio.sleep(0.001)
            assert await vault.read(said) == ["Before."]
            assert not writing.done()
        await writing
        assert (await vault.read(said), vault.held_up) == (["Before.", "Meanwhile."], 0)
        assert await vault.write(lambda c: c.pragma("busy_timeout")) >= 30_000
        await vault.close()

    asyncio.run(story())


@pytest.mark.req("X3")
def test_a_lock_that_stays_is_a_sentence(tmp_path: pathlib.Path) -> None:
    """Not an error of the database."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")
    other = vault._file.connect(cache_kib=100)
    other.set_busy_timeout(0)
    with locked(vault), pytest.raises(VaultInUse, match="Another program keeps"), told_plainly(vault.path):
        other.execute("begin immediate")
    other.close()
    asyncio.run(vault.close())


@pytest.mark.req("X3", "E16")
def test_learning_goes_on_after_the_vault_could_not_take_it(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk leaves the turn waiting, and it is read by itself when there is room again."""
    monkeypatch.setattr(background, "_AGAIN", 0.01)
    tries = []
    real = background.applying.apply

    def apply(connection: apsw.Connection, *rest: object) -> object:
        tries.append(1)
        if len(tries) == 1:
            raise StorageFull("The disk has no room.")
        return real(connection, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(background.applying, "apply", apply)

    async def story(vault: AsyncVault) -> None:
        talk = await vault.conversations.create()
        await events(vault.reply(talk.id, "I like figs."))
        vault.work_in_background()
        async with asyncio.timeout(20):
            while await vault.changes.waiting():  # noqa: ASYNC110  nothing announces a turn without facts
                await asyncio.sleep(0.01)
        assert len(tries) == 2

    with_vault(tmp_path, story, ScriptedModel(lambda _: '{"add": [], "rewrite": [], "remove": []}'))
