"""Searching by meaning beside words: more is found, nothing is lost, scopes hold; without vectors it is by words alone."""

import asyncio
import pathlib
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ricordo.errors import ModelUnreachable
from ricordo.fact import Global, InConversation, InSpace
from ricordo.hit import FactHit, Hit, MessageHit
from ricordo.recall import search
from ricordo.vault import AsyncVault
from tests.embedders import HashEmbedder
from tests.vaults import with_vault

pytestmark = pytest.mark.req("R2", "S3")

DIARY = [
    "We took our old dog to the lake this morning, and he swam after every stick.",
    "The roof leaks again. A man from the village will come on Thursday and mend it.",
    "Ida cooked risotto with saffron, which I liked more than I said.",
    "I could not sleep for worry about the loan from the bank.",
    "Long walk along the river to see the herons.",
    "Repainted the kitchen in a pale yellow.",
]


async def by_words(vault: AsyncVault, text: str, limit: int = 20) -> list[Hit]:
    """Return what is found by words alone."""
    return await vault._database.read(lambda c: search.by_words(c, text, None, None, limit))


def texts(hits: Sequence[Hit]) -> list[str]:
    """Return what was found."""
    return [hit.message.text if isinstance(hit, MessageHit) else hit.fact.text for hit in hits]


async def written(vault: AsyncVault, entries: Sequence[str] = DIARY, embedder: HashEmbedder | None = None) -> int:
    """Write entries into a conversation and embed them, by an embedder of the test's own if there is one."""
    if embedder is not None:
        vault._in_use._embedder = embedder
    talk = (await vault.conversations.create()).id
    for text in entries:
        await vault.write(talk, text)
    await vault.embed()
    return talk


def test_what_means_the_same_is_found_without_its_words(tmp_path: pathlib.Path) -> None:
    """With the embedded model; what nothing here is about finds nothing."""

    async def work(vault: AsyncVault) -> None:
        await written(vault)
        for text, at in (("swimming", 0), ("watching birds", 4), ("colour of the walls", 5)):
            assert await by_words(vault, text) == []
            assert texts(await vault.search(text))[:1] == [DIARY[at]]
        for text in ("zebra", "quantum physics", "tax return", "asdf qwer", "volcano"):
            assert await vault.search(text) == []
        assert texts(await vault.search("dog"))[0] == DIARY[0]
        (hit,) = await vault.search("watching birds")
        assert isinstance(hit, MessageHit) and hit.score > 0
        assert hit.message.text[hit.start : hit.stop] == DIARY[4]

    with_vault(tmp_path, work)


class Broken(HashEmbedder):
    """An embedder that embeds what is written, and fails or is slow for who searches."""

    def __init__(self, failure: str) -> None:
        super().__init__()
        self.failure = failure

    async def embed(self, texts: Sequence[str]) -> np.ndarray:
        if [*texts] == ["river herons"]:
            match self.failure:
                case "unreachable":
                    raise ModelUnreachable("Nothing answers.")
                case "slow":
                    await asyncio.sleep(30)
                case "another model":
                    return np.ones((1, 3), np.float32)
        return await super().embed(texts)


@pytest.mark.req("X3")
@pytest.mark.parametrize("failure", ["off", "not loaded", "unreachable", "slow", "another model", "empty"])
def test_without_meaning_it_is_by_words_alone(tmp_path: pathlib.Path, failure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Just what words find, in the same order with the same scores."""
    monkeypatch.setattr(search, "_PATIENCE", 0.2)

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        await vault.facts.add("Watches herons by the river.", Global())
        await written(vault, embedder=Broken(failure))
        if failure == "off":
            await vault.set(embedder="off")
        if failure == "not loaded":
            vault._database.vectors.forget()
        text = " " if failure == "empty" else "river herons"
        found = await vault.search(text)
        assert found == await by_words(vault, text)
        assert len(found) == (0 if failure == "empty" else 2)

    with_vault(tmp_path, work)


WORDS = "heron river lake dog roof saffron loan kitchen yellow bank sleep walk".split()
SENTENCES = st.lists(st.lists(st.sampled_from(WORDS), min_size=5, max_size=9).map(" ".join), min_size=1, max_size=40)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SENTENCES, st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join), st.integers(1, 100))
def test_what_holds_the_words_is_never_lost(
    tmp_path_factory: pytest.TempPathFactory, said: list[str], text: str, limit: int
) -> None:
    """Copies of one another too; each once, best first, no more than asked for."""

    async def work(vault: AsyncVault) -> None:
        await written(vault, said, HashEmbedder())
        everything = {hit.message.id for hit in await by_words(vault, text, 200) if isinstance(hit, MessageHit)}
        found = await vault.search(text, limit=200)
        keys = [hit.message.id for hit in found if isinstance(hit, MessageHit)]
        assert everything <= set(keys)
        assert len(keys) == len(set(keys))
        scores = [hit.score for hit in found]
        assert scores == sorted(scores, reverse=True) and all(score > 0 for score in scores)
        few = await vault.search(text, limit=limit)
        assert len(few) == min(limit, len(few)) and len(few) >= min(limit, len(everything))

    with_vault(tmp_path_factory.mktemp("vault"), work)


@pytest.mark.req("W6")
def test_a_search_within_a_place_finds_nothing_from_elsewhere(tmp_path: pathlib.Path) -> None:
    """Neither messages nor facts, be they shared or global."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        vault._in_use._embedder = HashEmbedder()
        garden, work_ = [(await vault.spaces.create(name)).id for name in ("Garden", "Work")]
        here = (await vault.conversations.create("here", garden)).id
        there = (await vault.conversations.create("there", work_)).id
        for talk in (here, there):
            await vault.write(talk, f"The herons by the river, as seen from {talk}.")
        own = await vault.facts.add("Counts herons by the river in the garden.", InSpace(garden))
        shared = await vault.facts.add("Counts herons by the river at work.", InSpace(work_))
        await vault.facts.share(shared.id)
        pinned = await vault.facts.add("Counts herons by the river in this talk.", InConversation(here), pinned=True)
        everywhere = await vault.facts.add("Counts herons by the river everywhere.", Global())
        await vault.embed()

        async def found(**where: int) -> tuple[set[int], set[int]]:
            hits = await vault.search("herons by the river", **where)
            talks = {hit.message.conversation for hit in hits if isinstance(hit, MessageHit)}
            return talks, {hit.fact.id for hit in hits if isinstance(hit, FactHit)}

        assert await found(space=garden) == ({here}, {own.id})
        assert await found(conversation=here) == ({here}, {pinned.id})
        assert await found() == ({here, there}, {own.id, shared.id, pinned.id, everywhere.id})

    with_vault(tmp_path, work)
