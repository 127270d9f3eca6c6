"""A law of conversations that somebody else keeps: whatever the client does, what is shown here is what it shows there."""

import pathlib
import random
import tempfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from ricordo.models.scripted import ScriptedModel
from ricordo.vault import AsyncVault
from tests.clients.sending import said, shown
from tests.vaults import with_vault

pytestmark = pytest.mark.req("I4", "I1", "S3")

# Few words, so that the same ones are said in many places: where they stand is all that tells them apart.
WORDS = ("ok", "go on", "figs", "no")
DONE = some.lists(some.sampled_from(["say", "again", "edit", "back"]), min_size=4, max_size=14)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(done=DONE, seed=some.integers(0, 1 << 30))
def test_what_is_shown_is_what_the_client_has(done: list[str], seed: int) -> None:
    """Saying more, asking for another reply, editing an earlier message, going back to an earlier version: in any order."""
    chance = random.Random(seed)

    async def work(vault: AsyncVault) -> None:
        history = [f"The beginning {seed}", "Yes."]
        talk = await _asked(vault, history[:1], history[1])
        versions = [history]
        for what in done:
            if what == "back":
                history = list(chance.choice(versions))
            asked = history[:-1] if what == "again" and len(history) > 2 else [*history, chance.choice(WORDS)]
            if what == "edit" and len(history) > 2:
                at = 2 * chance.randrange(1, len(history) // 2)
                asked = [*history[:at], chance.choice(WORDS)]
            history = [*asked, chance.choice(WORDS)]
            assert await _asked(vault, asked, history[-1]) == talk
            assert await shown(vault, talk) == history
            versions.append(history)
        assert len(await vault.conversations.all()) == 1

    with tempfile.TemporaryDirectory() as folder:
        with_vault(pathlib.Path(folder), work, ScriptedModel())


async def _asked(vault: AsyncVault, texts: list[str], reply: str) -> int:
    prepared = await vault.prepare(said(*texts))
    await vault.record(prepared, reply)
    return prepared.conversation or 0
