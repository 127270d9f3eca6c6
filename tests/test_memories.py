"""Looking through everything that is remembered, and clearing a list of it."""

import pathlib

import pytest

from ricordo.conversation import Summary
from ricordo.errors import InvalidInput, NotFound
from ricordo.fact import Global, InConversation, InSpace, Origin
from ricordo.memory import FACTS, Kind, Sieve
from ricordo.store import facts, summaries
from ricordo.vault import AsyncVault
from tests.vaults import with_vault

KAYAK = "The blue kayak lies in the shed behind the house."


async def filled(vault: AsyncVault) -> tuple[int, int]:
    """Put something of each kind in: returns the Space and its conversation."""
    await vault.set(global_memories=True)
    space = await vault.spaces.create("Garden")
    talk = await vault.conversations.create("Seeds", space.id)
    message = await vault.write(talk.id, KAYAK)
    await vault.write(talk.id, "Too short.")
    await vault.facts.add("Grows Tomatoes", InSpace(space.id))
    await vault.facts.add("Émile is my brother", Global())
    await vault.facts.pin_message(message.id)
    now = vault.now()

    def learned(connection):  # type: ignore[no-untyped-def]
        facts.insert(connection, "Likes the kayak", Origin.MODEL, InConversation(talk.id), now, sources=[message.id])
        facts.insert(connection, "Is called Ida", Origin.MODEL, Global(), now, sources=[message.id])
        summaries.keep(connection, Summary(talk.id, "Facts\n- The kayak is blue.", message.id, now), "scripted")

    await vault._database.write(learned)
    return space.id, talk.id


@pytest.mark.req("F4")
def test_everything_is_listed_by_kind_and_filtered_by_home_and_text(tmp_path: pathlib.Path) -> None:
    """Each row is of one kind; a Space's may take in its conversations; words are found whatever their accents."""

    async def work(vault: AsyncVault) -> None:
        space, talk = await filled(vault)
        every = {Kind.PINNED: 1, Kind.FACT: 3, Kind.NOTE: 1, Kind.SUMMARY: 1, Kind.EXCERPT: 1}
        assert await vault.memories.count() == every
        assert sum((await vault.memories.count(FACTS, Sieve(InSpace(space)))).values()) == 1
        within = await vault.memories.count(tuple(Kind), Sieve(InSpace(space), within=True))
        assert within == {**every, Kind.FACT: 1}
        assert await vault.memories.count(tuple(Kind), Sieve(InConversation(talk))) == {**every, Kind.FACT: 0}
        assert await vault.memories.count(tuple(Kind), Sieve(Global())) == {
            **dict.fromkeys(Kind, 0), Kind.FACT: 2
        }  # fmt: skip
        found = await vault.memories.count(tuple(Kind), Sieve(text="KAYAK blue"))
        assert found == {Kind.PINNED: 1, Kind.FACT: 0, Kind.NOTE: 0, Kind.SUMMARY: 1, Kind.EXCERPT: 1}
        assert [row.fact.text for row in await vault.memories.facts(sieve=Sieve(text="emil broth"))] == ["Émile is my brother"]
        assert [row.text for row in await vault.memories.excerpts(Sieve(text='shed "beh'))] == [KAYAK]
        assert await vault.memories.summaries(Sieve(text="green")) == []

    with_vault(tmp_path, work)


@pytest.mark.req("F1", "B2")
def test_a_listed_fact_says_whether_it_is_sent_and_where_it_was_learned(tmp_path: pathlib.Path) -> None:
    """The link goes with the conversation; past the limit of a list the oldest are not sent."""

    async def work(vault: AsyncVault) -> None:
        _, talk = await filled(vault)
        rows = {row.fact.text: row for row in await vault.memories.facts()}
        assert (rows["Is called Ida"].source, rows["Is called Ida"].sent) == (talk, True)
        assert (rows["Likes the kayak"].source, rows["Likes the kayak"].sent) == (talk, False)
        assert rows[KAYAK].sent
        assert rows["Émile is my brother"].source is None
        await vault.conversations.delete(talk)
        rows = {row.fact.text: row for row in await vault.memories.facts()}
        assert set(rows) == {"Grows Tomatoes", "Émile is my brother", "Is called Ida"}
        assert rows["Is called Ida"].source is None
        for number in range(60):
            await vault.facts.add(f"Fact {number}", Global())
        listed = await vault.memories.facts(sieve=Sieve(Global()))
        assert [row.sent for row in listed] == [True] * 60 + [False] * 2
        second = await vault.memories.facts(sieve=Sieve(Global()), offset=30, limit=10)
        assert [row.fact for row in second] == [row.fact for row in listed[30:40]]

    with_vault(tmp_path, work)


@pytest.mark.req("F2", "E17", "V8", "U2")
def test_clearing_deletes_just_what_is_shown_and_leaves_tombstones(tmp_path: pathlib.Path) -> None:
    """With words, only those that hold them; nothing at all when the list has changed meanwhile."""

    async def work(vault: AsyncVault) -> None:
        await filled(vault)
        with pytest.raises(InvalidInput, match="3 are in it now"):
            await vault.facts.clear(kinds=[Kind.FACT], expected=2)
        assert await vault.facts.clear(Sieve(text="tomato"), expected=1) == 1
        assert len(await vault.facts.all()) == 4
        assert await vault.facts.clear(Sieve(Global())) == 2
        assert await vault.facts.clear() == 2
        assert await vault.facts.all() == []
        assert await vault.changes.all() == []
        tombs = await vault._database.read(lambda c: c.execute("select count(*) from tombstones").get)
        assert tombs == 5
        assert await vault.facts.count() == {}
        assert await vault.memories.count((Kind.EXCERPT,)) == {Kind.EXCERPT: 1}

    with_vault(tmp_path, work)


@pytest.mark.req("F4", "N1")
def test_a_summary_in_the_persons_words_stays_what_it_covers(tmp_path: pathlib.Path) -> None:
    """It is edited where there is one, and never empty."""

    async def work(vault: AsyncVault) -> None:
        _, talk = await filled(vault)
        before = await vault.conversations.summary(talk)
        assert before
        edited = await vault.conversations.edit_summary(talk, " Facts\n- The kayak is red. ")
        assert (edited.text, edited.upto) == ("Facts\n- The kayak is red.", before.upto)
        with pytest.raises(InvalidInput):
            await vault.conversations.edit_summary(talk, " ")
        await vault.conversations.delete_summary(talk)
        with pytest.raises(NotFound):
            await vault.conversations.edit_summary(talk, "Facts")

    with_vault(tmp_path, work)


@pytest.mark.req("F4", "N3")
def test_a_long_message_is_one_of_the_excerpts_that_are_counted(tmp_path: pathlib.Path) -> None:
    """It is indexed in pieces; with words sought and without it counts as one, like the list that is shown."""

    async def work(vault: AsyncVault) -> None:
        talk = (await vault.conversations.create()).id
        await vault.write(talk, "The blue kayak lay by the river all day long. " * 80)
        await vault.write(talk, "A short entry about the lantern in the shed.")
        pieces = await vault._database.read(lambda c: c.execute("select count(*) from excerpts").get)
        assert int(str(pieces)) > 2
        for text, count in (("", 2), ("kayak", 1)):
            sieve = Sieve(text=text)
            assert await vault.memories.count((Kind.EXCERPT,), sieve) == {Kind.EXCERPT: count}
            assert len(await vault.memories.excerpts(sieve)) == count

    with_vault(tmp_path, work)
