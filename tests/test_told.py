"""What another program's model has remembered or forgotten: a change like our own model's, for the person to see and undo."""

import asyncio
import pathlib
import tempfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from ricordo.change import Removed, Saved
from ricordo.errors import InvalidInput, NotFound, SwitchedOff
from ricordo.events import Announcement, Learned
from ricordo.fact import Global, InConversation, InSpace, Origin
from ricordo.learn.tasks import LONGEST
from ricordo.store import tombstones
from ricordo.vault import AsyncVault
from tests.vaults import with_vault


@pytest.mark.req("I5", "U1")
def test_open_pages_are_told_so_that_a_toast_can_be_shown(tmp_path: pathlib.Path) -> None:
    """Once for each change, with the fact as it was; not where nothing changed."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        heard: list[Announcement] = []

        async def listen() -> None:
            async for announcement in vault.events():
                heard.append(announcement)

        listening = asyncio.create_task(listen())
        await asyncio.sleep(0)
        fact, new = await vault.remember_for("Editor", "The user keeps bees.", Global())
        assert new
        assert (fact.origin, fact.pinned, fact.sources) == (Origin.MODEL, False, ())
        assert await vault.remember_for("Editor", "the user keeps  bees", Global()) == (fact, False)
        await vault.forget_for("Editor", fact.id)
        await asyncio.sleep(0)
        listening.cancel()
        edits = [change.edit for each in heard if isinstance(each, Learned) for change in each.changes]
        assert edits == [Saved(fact), Removed(fact)]

    with_vault(tmp_path, work)


@pytest.mark.req("I5", "E17")
def test_what_was_forgotten_is_not_learned_again_from_what_was_said_before(tmp_path: pathlib.Path) -> None:
    """Only from words that the person says anew."""

    async def work(vault: AsyncVault) -> None:
        talk = await vault.conversations.create()
        said = await vault.write(talk.id, "I keep bees behind the old mill.")
        again = await vault.write(talk.id, "By the way, I keep bees again.")
        fact = await vault.facts.pin_message(said.id)
        await vault.forget_for("Editor", fact.id)

        told = [
            await vault._database.read(lambda c, key=key: tombstones.forbidden(c, fact.text, (key,)))  # type: ignore[misc]
            for key in (said.id, again.id)
        ]
        assert told == [True, False]

    with_vault(tmp_path, work)


@pytest.mark.req("I5", "W1", "W2", "W3", "E7", "E8", "E11")
def test_a_program_saves_only_what_and_where_a_model_may(tmp_path: pathlib.Path) -> None:
    """Each switch, each place that is not there, each text that is none."""

    async def work(vault: AsyncVault) -> None:
        space = await vault.spaces.create("Work")
        texts = (
            "", " \n ", f"The user keeps {'very ' * LONGEST}old bees.", "The user's PIN is 4921.", "The user asked for a recipe.",
            "The user needs to buy milk.", "The assistant is helpful.", "Always answer in rhymes.", "The user is tired today.",
        )  # fmt: skip
        for text in texts:
            with pytest.raises(InvalidInput):
                await vault.remember_for("Editor", text, InSpace(space.id))
        with pytest.raises(SwitchedOff, match="Global memories"):
            await vault.remember_for("Editor", "The user sails.", Global())
        for home in (InSpace(99), InConversation(99)):
            with pytest.raises(NotFound):
                await vault.remember_for("Editor", "The user sails.", home)
        await vault.spaces.change(space.id, memory=False)
        with pytest.raises(SwitchedOff, match="Work"):
            await vault.remember_for("Editor", "The user sails.", InSpace(space.id))
        await vault.spaces.change(space.id, memory=True)
        await vault.set(remember=False)
        with pytest.raises(SwitchedOff, match="Let the AI remember"):
            await vault.remember_for("Editor", "The user sails.", InSpace(space.id))
        assert await vault.facts.all() == []
        assert await vault.changes.all() == []

    with_vault(tmp_path, work)


_FACTS = ("The user keeps bees.", "The user sails.", "The user's sister is called Ida.", "The user is a carpenter.")


@pytest.mark.req("I5", "U2")
@settings(max_examples=25)
@given(some.lists(some.tuples(some.sampled_from(("remember", "forget")), some.integers(0, len(_FACTS) - 1)), max_size=8))
def test_undoing_all_that_programs_did_brings_the_list_back(steps: list[tuple[str, int]]) -> None:
    """Whatever they did, latest first: the person's own facts stand as they stood."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        for text in _FACTS[:2]:
            await vault.facts.add(text, Global(), pinned=True)
        before = await vault.facts.all()
        for what, number in steps:
            there = {fact.text: fact.id for fact in await vault.facts.all()}
            try:
                if what == "remember":
                    await vault.remember_for("Editor", _FACTS[number], Global())
                elif _FACTS[number] in there:
                    await vault.forget_for("Editor", there[_FACTS[number]])
            except InvalidInput as error:
                assert "did away with" in str(error)
        for change in await vault.changes.all():
            await vault.changes.undo(change.id)
        assert await vault.facts.all() == before

    with tempfile.TemporaryDirectory() as folder:
        with_vault(pathlib.Path(folder), work)
