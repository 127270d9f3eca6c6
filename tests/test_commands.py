"""Commands in the composer (F5)."""

import pathlib

import pytest

from ricordo import commands
from ricordo.errors import InvalidInput, NotFound, SwitchedOff
from ricordo.vault import AsyncVault
from tests.vaults import with_vault


@pytest.mark.req("F5")
def test_remember_list_and_forget(tmp_path: pathlib.Path) -> None:
    """In the Space when one is active; several matches list themselves and none is removed."""

    async def work(vault: AsyncVault) -> None:
        space = await vault.spaces.create("Boats")
        for fact in ("Likes oak masts", "Likes oak hulls"):
            assert (await commands.run(vault, f"/remember {fact}", space.id)).text == f"Remembered: {fact}"
        listed = await commands.run(vault, "/list memories", space.id)
        assert "#2 Likes oak hulls" in listed.text
        several = await commands.run(vault, "/forget oak", space.id)
        assert "which" in several.text
        assert len(await vault.facts.all()) == 2
        await commands.run(vault, "/forget MASTS", space.id)
        await commands.run(vault, "/forget #2", space.id)
        assert await vault.facts.all() == []
        assert "nothing was removed" in (await commands.run(vault, "/forget oak", space.id)).text
        assert "Nothing" in (await commands.run(vault, "/list memories", space.id)).text

    with_vault(tmp_path, work)


@pytest.mark.req("F5")
def test_space_picks_the_active_one(tmp_path: pathlib.Path) -> None:
    """By name, whatever its capitals; alone it leaves it."""

    async def work(vault: AsyncVault) -> None:
        space = await vault.spaces.create("Boats")
        assert (await commands.run(vault, "/space boats", None)).space == space.id
        assert (await commands.run(vault, "/space", space.id)).space is None
        with pytest.raises(NotFound, match="Trains"):
            await commands.run(vault, "/space Trains", None)

    with_vault(tmp_path, work)


@pytest.mark.req("F5")
@pytest.mark.parametrize("line", ["/nonsense", "/list cats", "/forget", "/remember"])
def test_what_is_no_command_is_an_error(tmp_path: pathlib.Path, line: str) -> None:
    """Never a message to the model."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        with pytest.raises(InvalidInput):
            await commands.run(vault, line, None)

    assert commands.is_command(line)
    with_vault(tmp_path, work)


@pytest.mark.req("F5")
def test_remember_says_where_to_turn_it_on(tmp_path: pathlib.Path) -> None:
    """With global memories off and no Space."""

    async def work(vault: AsyncVault) -> None:
        with pytest.raises(SwitchedOff, match="Settings"):
            await commands.run(vault, "/remember Likes tea", None)

    with_vault(tmp_path, work)


@pytest.mark.parametrize("text", ["hello", "/usr/bin is full", "1/2", "/ 3", " /remember not", "", "/", "//", "/1"])
def test_a_message_is_no_command(text: str) -> None:
    """Paths, fractions, and what begins with a space are messages."""
    assert not commands.is_command(text)
