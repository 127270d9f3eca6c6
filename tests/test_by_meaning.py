"""How far finding by meaning is, and why words alone are searched."""

import pathlib

import pytest

from ricordo.vault import AsyncVault
from tests.fake_server import FakeServer
from tests.vaults import with_vault


@pytest.mark.req("R2", "X3")
def test_it_is_counted_once_an_embedder_answers(tmp_path: pathlib.Path) -> None:
    """Nothing has a vector at first; all has when it is embedded."""
    with FakeServer() as server:

        async def work(vault: AsyncVault) -> None:
            await vault.set(server=server.url, embedder="server")
            talk = (await vault.conversations.create()).id
            for text in ("I saw a heron by the river today.", "I keep bees behind the old mill."):
                await vault.write(talk, text)
            before = await vault.by_meaning()
            assert (before.off, before.done, before.total) == ("", 0, 2)
            await vault.embed()
            after = await vault.by_meaning()
            assert (after.off, after.done, after.total) == ("", 2, 2)

        with_vault(tmp_path, work)


@pytest.mark.req("R2", "X3")
def test_what_is_off_or_fails_is_a_sentence(tmp_path: pathlib.Path) -> None:
    """Switched off, or a server that does not answer."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(embedder="off")
        assert (
            await vault.by_meaning()
        ).off == "Finding by meaning is off: embedder is 'off' in Settings. Words alone are searched."
        await vault.set(server="http://127.0.0.1:9/v1", embedder="server")
        off = (await vault.by_meaning()).off
        assert off.startswith("The embedding model fails, so words alone are searched. ")
        assert "127.0.0.1:9" in off

    with_vault(tmp_path, work)
