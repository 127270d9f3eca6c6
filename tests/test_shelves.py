"""What a person keeps by hand: Spaces, conversations, facts, and what goes when one of them goes."""

import asyncio
import os
import pathlib

import pytest

from ricordo.conversation import Reach
from ricordo.errors import InvalidInput, NotFound, SwitchedOff
from ricordo.fact import Global, InConversation, InSpace, Origin
from ricordo.vault import AsyncVault
from tests.vaults import with_vault


@pytest.mark.req("S1")
def test_a_space_is_made_changed_and_found_by_name(tmp_path: pathlib.Path) -> None:
    """Names are unique whatever their capitals; memory is on at first."""

    async def work(vault: AsyncVault) -> None:
        space = await vault.spaces.create("  Boat  building ", "Use metric.")
        assert (space.name, space.memory, space.reach) == ("Boat building", True, Reach.CONVERSATION)
        assert await vault.spaces.named("boat BUILDING") == space
        with pytest.raises(InvalidInput, match="already"):
            await vault.spaces.create("boat building")
        with pytest.raises(InvalidInput, match="name"):
            await vault.spaces.create("   ")
        changed = await vault.spaces.change(space.id, memory=False, reach=Reach.SPACE)
        assert (changed.memory, changed.reach, changed.instructions) == (False, Reach.SPACE, "Use metric.")

    with_vault(tmp_path, work)


@pytest.mark.req("S1")
@pytest.mark.parametrize("keep", [True, False])
def test_deleting_a_space_deletes_its_memory_and_does_as_told_with_its_conversations(tmp_path: pathlib.Path, keep: bool) -> None:
    """They move out, or go too."""

    async def work(vault: AsyncVault) -> None:
        space = await vault.spaces.create("Boats")
        talk = await vault.conversations.create("Keel", space.id)
        await vault.write(talk.id, "The keel is made of oak from the valley.")
        await vault.facts.add("Likes oak", InSpace(space.id))
        await vault.spaces.delete(space.id, keep_conversations=keep)
        assert await vault.spaces.all() == []
        assert await vault.facts.all() == []
        assert [each.space for each in await vault.conversations.all()] == ([None] if keep else [])
        assert len(await vault.search("keel oak")) == int(keep)

    with_vault(tmp_path, work)


@pytest.mark.req("S2", "W4")
def test_a_moved_conversation_is_found_in_its_new_space(tmp_path: pathlib.Path) -> None:
    """Its excerpts follow it; what was settled for its turns does not."""

    async def work(vault: AsyncVault) -> None:
        here, there = await vault.spaces.create("Here"), await vault.spaces.create("There")
        talk = await vault.conversations.create("", here.id)
        await vault.write(talk.id, "A lantern stood in the window all night.")
        await vault.conversations.move(talk.id, there.id)
        assert await vault.search("lantern", space=here.id) == []
        assert len(await vault.search("lantern", space=there.id)) == 1
        await vault.conversations.move(talk.id, None)
        assert await vault.search("lantern", space=there.id) == []
        assert len(await vault.search("lantern")) == 1

    with_vault(tmp_path, work)


@pytest.mark.req("S4")
def test_deleting_a_conversation_takes_its_pinned_facts_and_keeps_the_rest(tmp_path: pathlib.Path) -> None:
    """Global facts learned from it stay, without their link."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        talk = await vault.conversations.create()
        message = await vault.write(talk.id, "I am allergic to walnuts and always was.")
        await vault.facts.pin_message(message.id)
        kept = await vault.facts.add("Is allergic to walnuts", Global(), source=message.id)
        assert kept.sources == (message.id,)
        await vault.conversations.delete(talk.id)
        left = await vault.facts.all()
        assert [(fact.text, fact.sources) for fact in left] == [("Is allergic to walnuts", ())]
        with pytest.raises(NotFound):
            await vault.conversations.messages(talk.id)
        assert [type(hit).__name__ for hit in await vault.search("walnuts")] == ["FactHit"]

    with_vault(tmp_path, work)


@pytest.mark.req("S4")
def test_deleting_a_message_names_what_was_learned_from_it(tmp_path: pathlib.Path) -> None:
    """Its excerpt goes; the facts are for the person to decide about."""

    async def work(vault: AsyncVault) -> None:
        talk = await vault.conversations.create()
        message = await vault.write(talk.id, "My sister Ines moved to Porto last week.")
        fact = await vault.facts.add("Has a sister Ines in Porto", InConversation(talk.id), source=message.id)
        assert await vault.conversations.delete_message(message.id) == [fact.id]
        assert await vault.conversations.messages(talk.id) == []
        assert [type(hit).__name__ for hit in await vault.search("Porto")] == ["FactHit"]

    with_vault(tmp_path, work)


@pytest.mark.req("F3")
def test_a_message_can_be_pinned(tmp_path: pathlib.Path) -> None:
    """It becomes a pinned fact of its conversation that knows where it came from."""

    async def work(vault: AsyncVault) -> None:
        talk = await vault.conversations.create()
        message = await vault.write(talk.id, "Call me Sam.")
        fact = await vault.facts.pin_message(message.id)
        assert (fact.text, fact.pinned, fact.home, fact.sources) == ("Call me Sam.", True, InConversation(talk.id), (message.id,))
        assert not (await vault.facts.pin(fact.id, False)).pinned
        assert (await vault.facts.share(fact.id)).shared

    with_vault(tmp_path, work)


@pytest.mark.req("F1")
def test_facts_are_the_persons_own(tmp_path: pathlib.Path) -> None:
    """Edited and repeated facts keep their place; an empty one is refused; newest stand first."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        first = await vault.facts.add("Plays the cello", Global())
        second = await vault.facts.add("Rows on Sundays", Global())
        assert (await vault.facts.add("  plays THE cello ", Global())).id == first.id
        edited = await vault.facts.edit(first.id, "Plays the viola")
        assert (edited.id, edited.origin, edited.created) == (first.id, Origin.USER, first.created)
        assert [fact.id for fact in await vault.facts.all(Global())] == [second.id, first.id]
        assert [hit.fact.text for hit in await vault.search("cello viola")] == ["Plays the viola"]  # type: ignore[union-attr]
        with pytest.raises(InvalidInput):
            await vault.facts.add("  \n ", Global())
        with pytest.raises(NotFound):
            await vault.facts.add("Somewhere", InSpace(99))

    with_vault(tmp_path, work)


@pytest.mark.req("F5", "W3", "W2")
def test_remember_follows_the_switches(tmp_path: pathlib.Path) -> None:
    """Global memories are off at first: nothing is saved, and the message says where to turn them on."""

    async def work(vault: AsyncVault) -> None:
        with pytest.raises(SwitchedOff, match="Settings"):
            await vault.facts.remember("Likes tea")
        await vault.set(global_memories=True)
        assert (await vault.facts.remember("Likes tea")).home == Global()
        space = await vault.spaces.create("Boats")
        assert (await vault.facts.remember("Likes oak", space.id)).home == InSpace(space.id)
        await vault.spaces.change(space.id, memory=False)
        with pytest.raises(SwitchedOff, match="Boats"):
            await vault.facts.remember("Likes elm", space.id)
        assert sorted(fact.text for fact in await vault.facts.all()) == ["Likes oak", "Likes tea"]

    with_vault(tmp_path, work)


@pytest.mark.req("E17", "V8")
def test_a_deleted_fact_leaves_no_words(tmp_path: pathlib.Path) -> None:
    """Its text is in no table; what stays is a digest, so that it is not learned again."""

    async def work(vault: AsyncVault) -> list[tuple[object, ...]]:
        await vault.set(global_memories=True)
        fact = await vault.facts.add("Xylophone lessons on Mondays", Global())
        await vault.facts.delete(fact.id)
        assert await asyncio.to_thread(os.path.getsize, f"{vault.path}-wal") == 0, "nothing deleted is left in the journal"
        with pytest.raises(NotFound):
            await vault.facts.delete(fact.id)
        rows: list[tuple[object, ...]] = []
        for table in ("facts", "fact_words", "fact_sources", "changes", "tombstones", "vectors"):
            rows += await vault._database.read(lambda c, table=table: list(c.execute(f"select * from {table}")))
        return rows

    rows = with_vault(tmp_path, work)
    assert len(rows) == 1, "the tombstone"
    assert "ylophone" not in repr(rows)
