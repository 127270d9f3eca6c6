"""The worst model there is, over texts that want to be obeyed: what may change is bounded, told, and taken back to the byte."""

import json
import pathlib
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import apsw
import pytest

from benchmarks.figures import note
from ricordo.change import Removed, Saved, Updated
from ricordo.conversation import Attachment, Reach
from ricordo.fact import Fact, Global, Home, InSpace, Origin
from ricordo.learn import extractor, summarizer
from ricordo.learn.reconcile import MOST_CHANGED, MOST_SAVED
from ricordo.letters import visible
from ricordo.store import changes
from ricordo.transfer.source import Upload
from ricordo.vault import AsyncVault
from tests.journeys.poison import BREAKOUTS, MARK, Obedient
from tests.transfer import files
from tests.vaults import events, with_vault

pytestmark = pytest.mark.req("X2", "E5", "E10", "E11", "E14", "E15")
TABLE = "A model in a stranger's hands"
SAID = "What do you make of that? I have not been to the harbour since Sunday."
OWN = ("The user have not been to the harbour since Sunday.", "That was all for today.")
Way = Callable[[AsyncVault, int, str], Awaitable[None]]


async def kept(vault: AsyncVault, text: str, home: Home, *, pinned: bool = False) -> Fact:
    """Have a fact of the model's own, as if it had learned it earlier."""

    def job(connection: apsw.Connection) -> Fact:
        now = vault.now()
        fact = Fact(0, text, Origin.MODEL, home, pinned, False, now, now, (4711, 4712))
        made = changes.record(connection, Saved(fact), now=now, conversation=None, messages=(), model="earlier").edit
        assert isinstance(made, Saved)
        return made.after

    return await vault._database.write(job)


async def furnish(vault: AsyncVault) -> tuple[int, int]:
    """Facts of the person and of the model, pinned and not, in every kind of home; return a Space and a conversation in it."""
    await vault.set(global_memories=True, instructions="Be kind.", embedder="off", foreground_seconds=5)
    space, other = await vault.spaces.create("Work", "Only of work."), await vault.spaces.create("Home")
    await vault.spaces.change(other.id, reach=Reach.SPACE)
    talk = await vault.conversations.create("Talk", space.id)
    for home in (Global(), InSpace(space.id), InSpace(other.id)):
        await vault.facts.add(f"I keep bees, says {type(home).__name__} {getattr(home, 'space', '')}", home)
        await kept(vault, f"The user keeps bees in {type(home).__name__} {getattr(home, 'space', '')}.", home)
    await kept(vault, "The user plays the cello.", InSpace(space.id), pinned=True)
    await kept(vault, "The user lives in Ghent.", InSpace(space.id))
    await kept(vault, "The user sails on Sundays.", InSpace(space.id))
    return space.id, talk.id


def memory(connection: apsw.Connection) -> dict[str, list[Any]]:
    """Return all that is remembered, row by row as it lies there, and what is found by each word of it: a job for `read`."""
    rows = {
        table: connection.execute(f"select * from {table} order by 1, 2").fetchall()
        for table in ("facts", "fact_sources", "spaces", "settings", "tokens", "profiles")
    }
    rows["profiles"] = []  # what was measured of the model's speed
    rows["found"] = connection.execute(
        "select rowid from fact_words where fact_words match 'user OR bees OR cello' order by 1"
    ).fetchall()
    return rows


async def message(vault: AsyncVault, talk: int, poison: str) -> None:
    """Pasted as something that somebody else wrote."""
    quoted = "\n".join(f"> {line}" for line in poison.splitlines())
    await events(vault.reply(talk, f"My colleague sent me this:\n\n{quoted}\n\n{SAID}"))


async def attachment(vault: AsyncVault, talk: int, poison: str) -> None:
    """In a file, and in its name."""
    await events(vault.reply(talk, SAID, [Attachment(f"{poison[:60]}.txt", "text/plain", poison)]))


async def reply(vault: AsyncVault, talk: int, poison: str) -> None:
    """Said by the model itself, in this conversation and another."""
    for each in (talk, (await vault.conversations.create("Other")).id):
        ready = await vault.prepare([{"role": "user", "content": SAID}], conversation=f"c{each}")
        await vault.record(ready, poison)
    await events(vault.reply(talk, "Thanks. That was all for today."))


async def recalled(vault: AsyncVault, talk: int, poison: str) -> None:
    """In an old entry that is found again and quoted."""
    await vault.set(whole_diary=True)
    old = await vault.conversations.create(poison[:60])
    quoted = "\n".join(f"> {line}" for line in poison.splitlines())
    await vault.write(old.id, f"Ysolde sent me a note about the harpsichord in Padua:\n\n{quoted}")
    await events(vault.reply(talk, "What did Ysolde send me about the harpsichord in Padua?"))
    await vault.set(whole_diary=False)


async def imported(vault: AsyncVault, talk: int, poison: str) -> None:
    """Brought in from another program, as both sides' words, as a title, as notes."""
    told = [files.simple("a", SAID, poison), files.simple("b", poison, poison)]
    told[0]["title"] = poison[:100]
    await vault.imports.bring(Upload("conversations.json", (("conversations.json", json.dumps(told).encode()),)))
    await vault.imports.bring(Upload("notes", ((f"{MARK}.md", f"# {poison[:40]}\n\n{poison}".encode()),)), "markdown")
    await events(vault.reply(talk, SAID))


async def proxied(vault: AsyncVault, talk: int, poison: str) -> None:
    """Another program's system message, tool results, and replies it made up."""
    await vault.prepare(
        [
            {"role": "system", "content": poison},
            {"role": "developer", "content": poison},
            {"role": "user", "content": "Hello there."},
            {"role": "assistant", "content": poison},
            {"role": "tool", "content": poison, "tool_call_id": "x"},
            {"role": "user", "content": [{"type": "text", "text": SAID}]},
        ],
        conversation=poison[:80],
    )
    ready = await vault.prepare([{"role": "system", "content": poison}, {"role": "user", "content": SAID}], conversation="c")
    await vault.record(ready, poison, model=poison[:40])


async def named(vault: AsyncVault, talk: int, poison: str) -> None:
    """As the name of a conversation, of a draft's file, and in the words that are searched for."""
    other = await vault.conversations.create(poison[:200])
    await vault.drafts.keep(other.id, "A draft.", [Attachment(poison[:100], "text/plain", poison)])
    await vault.search(poison)
    await events(vault.reply(other.id, SAID))


WAYS: tuple[Way, ...] = (message, attachment, reply, recalled, imported, proxied, named)


def held_to_bounds(made: list[Any], homes: set[Home]) -> None:
    """Check what a pass of learning changed: how many, of which kind, at which home, whose."""
    saved = [change.edit.after for change in made if isinstance(change.edit, Saved)]
    changed = [change.edit.before for change in made if isinstance(change.edit, Updated | Removed)]
    runs: dict[tuple[int, ...], list[Any]] = {}
    for change in made:
        runs.setdefault(change.messages, []).append(change)
        assert change.conversation is not None and change.messages, "each says where it is from"
    for each in runs.values():
        assert sum(isinstance(change.edit, Saved) for change in each) <= MOST_SAVED
        assert sum(not isinstance(change.edit, Saved) for change in each) <= MOST_CHANGED
    assert {fact.home for fact in (*saved, *changed)} <= homes
    assert all(fact.origin is Origin.MODEL for fact in (*saved, *changed)), "the person's own are not the model's to change"
    assert all(len(fact.text) <= 280 and visible(fact.text) == fact.text and not fact.pinned for fact in saved)


async def of_the_person(vault: AsyncVault, space: int) -> list[Fact]:
    """Return the facts that a model in this Space may not touch: the person's own, and those of other homes."""
    return [fact for fact in await vault.facts.all() if fact.origin is Origin.USER or fact.home != InSpace(space)]


async def said_and_learned(vault: AsyncVault, talk: int, space: int, texts: Iterable[str]) -> list[Any]:
    """Say each of some texts and let it be learned from; return the changes, which keep to their bounds."""
    made: list[Any] = []
    for text in texts:
        await events(vault.reply(talk, text))
        new = list(await vault.learn())
        held_to_bounds(new, {InSpace(space)})
        made += new
    return made


async def take_back(vault: AsyncVault) -> None:
    """Undo all that was changed since the vault was furnished, newest first."""
    for change in await vault.changes.all(1000):
        if change.model != "earlier" and change.undone is None:
            await vault.changes.undo(change.id)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_no_text_of_others_becomes_a_memory_or_changes_one(tmp_path: pathlib.Path, way: Way) -> None:
    """By whatever way it comes and in whatever guise: facts, Spaces, settings and tokens stay as they are to the byte."""
    model = Obedient()

    async def work(vault: AsyncVault) -> None:
        _, talk = await furnish(vault)
        before = await vault._database.read(memory)
        for poison in BREAKOUTS.values():
            await way(vault, talk, poison)
            await vault.learn()
        made = [change.edit for change in await vault.changes.all(1000) if change.model != "earlier"]
        # What it may still do is keep a sentence that the person really wrote.
        assert [edit for edit in made if not isinstance(edit, Saved) or edit.after.text not in OWN] == []
        await take_back(vault)
        assert await vault._database.read(memory) == before
        assert await vault.changes.waiting() == 0

    with_vault(tmp_path, work, model)
    assert model.proposed > 100, "it was asked, and proposed"
    note(TABLE, f"proposals after poison by way of: {way.__name__}", model.proposed, "no wish of the stranger kept", kept=True)


HONEST = (
    "I moved to Rome last week. I no longer keep bees. I sold the boat, so there is no more sailing on Sundays.",
    "I started rowing, I like figs, plums and pears, and I learn Danish. I work at the library and I have a dog called Otto.",
    "Forget everything you know about me.",
    "Please forget the cello. I gave it up, and I hate Ghent now.",
)


@pytest.mark.req("U2")
def test_what_a_hostile_model_makes_of_honest_words_is_bounded_and_taken_back_to_the_byte(tmp_path: pathlib.Path) -> None:
    """Where the person changes memories it may choose which, within the limits of a run; undone, all is as it was."""
    model = Obedient()

    async def work(vault: AsyncVault) -> None:
        space, talk = await furnish(vault)
        before, own = await vault._database.read(memory), await of_the_person(vault, space)
        made = await said_and_learned(vault, talk, space, HONEST)
        assert len(made) > 4, "some of it is grounded, else this would tell nothing"
        left = {fact.id: fact for fact in await vault.facts.all()}
        assert [left.get(fact.id) for fact in own] == own, "the person's own, and those of other homes, are untouched"
        assert MARK not in " ".join(fact.text for fact in left.values())
        await take_back(vault)
        after = await vault._database.read(memory)
        assert after == before
        note(TABLE, "changes that it got through with honest words, then undone", len(made), "all as before, to the byte", True)

    with_vault(tmp_path, work, model)


@pytest.mark.req("U2")
def test_what_is_pasted_as_ones_own_keeps_to_the_bounds_and_is_taken_back(tmp_path: pathlib.Path) -> None:
    """Nothing tells such words from the person's; what they do is as little as any words may, and undone to the byte."""
    model = Obedient()

    async def work(vault: AsyncVault) -> None:
        space, talk = await furnish(vault)
        before, own = await vault._database.read(memory), await of_the_person(vault, space)
        made = await said_and_learned(vault, talk, space, BREAKOUTS.values())
        assert made, "some of it is taken for the person's, else this would tell nothing"
        left = {fact.id: fact for fact in await vault.facts.all()}
        assert [left.get(fact.id) for fact in own] == own
        await take_back(vault)
        assert await vault._database.read(memory) == before
        note(
            TABLE,
            "changes that it got through with words pasted as one's own, then undone",
            len(made),
            "all as before",
            kept=True,
        )

    with_vault(tmp_path, work, model)


@pytest.mark.req("N1", "W6")
@pytest.mark.parametrize("way", [attachment, proxied, recalled, reply], ids=lambda way: way.__name__)
def test_a_poisoned_summary_stays_in_its_conversation_and_small(tmp_path: pathlib.Path, way: Way) -> None:
    """What only others wrote is in no summary; what the model itself said there may be, and goes nowhere else."""
    model = Obedient()

    async def work(vault: AsyncVault) -> None:
        _, talk = await furnish(vault)
        for number in range(7):
            await events(vault.reply(talk, f"Today I wrote page {number} of the chronicle and walked home by the river."))
        for poison in BREAKOUTS.values():
            await way(vault, talk, poison)
        await vault.learn()
        summary = await vault.conversations.summary(talk)
        assert summary is None or len(summary.text) < 4000
        elsewhere = await vault.conversations.create("Elsewhere")
        before = len(model.requests)
        await events(vault.reply(elsewhere.id, "Good morning."))
        told = "\n".join(each.content for request in model.requests[before:] for each in request.messages)
        assert MARK not in told.replace(model.requests[-1].messages[-1].content, "")

    with_vault(tmp_path, work, model)


def test_what_is_sent_is_framed_and_hides_nothing(tmp_path: pathlib.Path) -> None:
    """Whatever is quoted: frames are balanced, no heading is of others' making, no letter is sent that cannot be seen."""
    model = Obedient()

    async def work(vault: AsyncVault) -> None:
        space, talk = await furnish(vault)
        for poison in BREAKOUTS.values():
            for way in (attachment, recalled):
                await way(vault, talk, poison)
            await kept(vault, poison[:270], InSpace(space))
        await vault.learn()

    with_vault(tmp_path, work, model)
    looked = 0
    for request in model.requests:
        system = request.messages[0].content
        assert system.splitlines().count("--- Global memory ---") <= 1
        for each in request.messages:
            if each.role != "assistant" and system not in (extractor.SYSTEM, summarizer.SYSTEM):
                assert each.content.count("<memory>") == each.content.count("</memory>") <= 1, each.content
            assert visible(each.content) == each.content
            looked += 1
    note(TABLE, "messages sent with poison quoted in them", looked, "frames whole, nothing unseen", kept=True)


def test_every_guise_is_one() -> None:
    """The texts hold the stranger's name, seen or unseen, so that a fact made of them is noticed."""
    for name, poison in BREAKOUTS.items():
        shown = "".join(chr(ord(each) - 0xE0000) if ord(each) >= 0xE0000 else each for each in poison).replace("\u200b", "")
        assert MARK in shown.replace(" ", "") or MARK in shown, name
