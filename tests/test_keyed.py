"""Facts by keys that another program chose: what it puts it gets, and the person can see, undo and delete all of it."""

import asyncio
import pathlib

import pytest

from ricordo.errors import InvalidInput, NotFound, SwitchedOff
from ricordo.events import Announcement, Learned
from ricordo.fact import Global, InSpace, Origin
from ricordo.keyed import Kept
from ricordo.vault import AsyncVault
from tests.vaults import CHEAP, PASSPHRASE, with_vault

BEES, GOATS = "The user keeps bees.", "The user keeps nine goats in Val Senales."


async def garden(vault: AsyncVault) -> InSpace:
    """Make a Space for a program's facts."""
    return InSpace((await vault.spaces.create("Garden")).id)


def texts(kept: list[Kept]) -> dict[str, str]:
    """Return what is kept, by key."""
    return {each.key: each.fact.text for each in kept}


@pytest.mark.req("E10", "U2")
def test_what_is_put_under_a_key_is_there_under_it(tmp_path: pathlib.Path) -> None:
    """As a fact of the model's, announced, and in the log under the program's name; put again it is the same fact reworded."""

    async def work(vault: AsyncVault) -> None:
        home = await garden(vault)
        seen: list[Announcement] = []
        vault.keyed._announce = seen.append
        first = await vault.keyed.put("Agent", home, "a-1", BEES)
        again = await vault.keyed.put("Agent", home, "a-1", "The user keeps bees and ducks.")
        same = await vault.keyed.put("Agent", home, "a-1", "The user keeps bees and ducks.")
        assert (first.origin, first.home, again.id, same) == (Origin.MODEL, home, first.id, again)
        found = await vault.keyed.get(home, "a-1")
        assert found == Kept("a-1", again)
        assert texts(await vault.keyed.all(home)) == {"a-1": "The user keeps bees and ducks."}
        assert [(type(change.edit).__name__, change.model) for change in await vault.changes.all()] == [
            ("Updated", "Agent"), ("Saved", "Agent"),
        ]  # fmt: skip
        assert len([each for each in seen if isinstance(each, Learned)]) == 2

    with_vault(tmp_path, work)


def test_a_key_is_one_homes_own(tmp_path: pathlib.Path) -> None:
    """The same key elsewhere is something else."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        home = await garden(vault)
        await vault.keyed.put("Agent", home, "k", BEES)
        assert await vault.keyed.get(Global(), "k") is None
        await vault.keyed.put("Agent", Global(), "k", GOATS)
        assert (texts(await vault.keyed.all(home)), texts(await vault.keyed.all(Global()))) == ({"k": BEES}, {"k": GOATS})
        assert [(each.key, each.fact.text) for each in await vault.keyed.find(home, "who keeps bees or goats", 5)] == [
            ("k", BEES)
        ]

    with_vault(tmp_path, work)


def test_a_fact_that_no_program_wrote_has_its_id_for_a_key(tmp_path: pathlib.Path) -> None:
    """It can be read and forgotten; the person's own words are not changed; a program that says just the same may name it."""

    async def work(vault: AsyncVault) -> None:
        home = await garden(vault)
        own = await vault.facts.add(BEES, home)
        key = str(own.id)
        assert await vault.keyed.get(home, key) == Kept(key, own)
        assert await vault.keyed.get(home, f"0{key}") is None
        with pytest.raises(InvalidInput, match="wrote that memory themselves"):
            await vault.keyed.put("Agent", home, key, GOATS)
        with pytest.raises(InvalidInput, match=f"“{BEES}”, under the key {key}"):
            await vault.keyed.put("Agent", home, "other words", "The user is keeping bees.")
        assert (await vault.keyed.put("Agent", home, "mine", f" {BEES}")).id == own.id
        assert await vault.keyed.get(home, key) is None  # it has another key now
        assert await vault.keyed.get(home, "mine") == Kept("mine", own)
        assert await vault.keyed.delete("Agent", home, "mine")
        assert not await vault.keyed.delete("Agent", home, "mine")
        assert await vault.facts.all() == []

    with_vault(tmp_path, work)


@pytest.mark.req("E7")
def test_what_is_remembered_is_not_put_under_a_second_key(tmp_path: pathlib.Path) -> None:
    """Neither as something new nor by rewording another: the program is told which key says it."""

    async def work(vault: AsyncVault) -> None:
        home = await garden(vault)
        await vault.keyed.put("Agent", home, "a", BEES)
        await vault.keyed.put("Agent", home, "b", GOATS)
        with pytest.raises(InvalidInput, match="under the key a"):
            await vault.keyed.put("Agent", home, "c", BEES)
        with pytest.raises(InvalidInput, match="Forget one of the two"):
            await vault.keyed.put("Agent", home, "b", BEES)
        assert texts(await vault.keyed.all(home)) == {"b": GOATS, "a": BEES}

    with_vault(tmp_path, work)


@pytest.mark.req("E8", "E11", "E6")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The user's PIN is 4711.", "looks like a secret"),
        ("The user keeps bees. " * 30, "letters"),
        ("The user asked for a recipe.", "lasting fact"),
        ("  \n", "lasting fact"),
    ],
)
def test_what_is_no_lasting_fact_is_refused(tmp_path: pathlib.Path, text: str, said: str) -> None:
    """As for our own model, with a sentence; new or in place of another."""

    async def work(vault: AsyncVault) -> None:
        home = await garden(vault)
        await vault.keyed.put("Agent", home, "a", BEES)
        for key in ("a", "new"):
            with pytest.raises(InvalidInput, match=said):
                await vault.keyed.put("Agent", home, key, text)
        assert texts(await vault.keyed.all(home)) == {"a": BEES}

    with_vault(tmp_path, work)


@pytest.mark.req("W1", "W2", "W3")
def test_switches_hold(tmp_path: pathlib.Path) -> None:
    """Off: nothing is put; the global list is not even read; what a Space holds already is."""

    async def work(vault: AsyncVault) -> None:
        home = await garden(vault)
        await vault.keyed.put("Agent", home, "a", BEES)
        with pytest.raises(SwitchedOff, match="Global memories are off"):
            await vault.keyed.put("Agent", Global(), "a", BEES)
        await vault.set(global_memories=True)
        await vault.keyed.put("Agent", Global(), "g", GOATS)
        await vault.set(global_memories=False)
        assert await vault.keyed.get(Global(), "g") is None
        assert (await vault.keyed.all(Global()), await vault.keyed.find(Global(), "goats", 5)) == ([], [])
        assert not await vault.keyed.delete("Agent", Global(), "g")
        await vault.spaces.change(home.space, memory=False)
        with pytest.raises(SwitchedOff, match="Garden"):
            await vault.keyed.put("Agent", home, "b", GOATS)
        await vault.spaces.change(home.space, memory=True)
        await vault.set(remember=False)
        with pytest.raises(SwitchedOff, match="remember facts about me"):
            await vault.keyed.put("Agent", home, "b", GOATS)
        assert texts(await vault.keyed.all(home)) == {"a": BEES}
        with pytest.raises(NotFound):
            await vault.set(remember=True)
            await vault.keyed.put("Agent", InSpace(99), "b", GOATS)

    with_vault(tmp_path, work)


@pytest.mark.req("U1", "E17")
def test_undo_brings_a_fact_back_under_its_key(tmp_path: pathlib.Path) -> None:
    """A rewording and a removal; what was saved and undone is not put again in the same words, its key may be used anew."""

    async def work(vault: AsyncVault) -> None:
        home = await garden(vault)
        await vault.keyed.put("Agent", home, "a", BEES)
        await vault.keyed.put("Agent", home, "a", GOATS)
        await vault.changes.undo((await vault.changes.all())[0].id)
        assert texts(await vault.keyed.all(home)) == {"a": BEES}
        await vault.keyed.delete("Agent", home, "a")
        await vault.changes.undo((await vault.changes.all())[0].id)
        assert texts(await vault.keyed.all(home)) == {"a": BEES}
        new = await vault.keyed.put("Agent", home, "b", "The user has a boat.")
        await vault.changes.undo((await vault.changes.all())[0].id)
        with pytest.raises(InvalidInput, match="did away with"):
            await vault.keyed.put("Agent", home, "b", "The user has a boat.")
        assert (await vault.keyed.put("Agent", home, "b", "The user has a bicycle.")).id != new.id

    with_vault(tmp_path, work)


@pytest.mark.req("V8")
@pytest.mark.parametrize("way", ["by the person", "with its Space", "a forgotten one with its Space", "with everything"])
def test_a_key_is_gone_with_its_fact(tmp_path: pathlib.Path, way: str) -> None:
    """It may be made of words: none of it is left in the tables."""

    async def work(vault: AsyncVault) -> None:
        home = await garden(vault)
        await vault.set(global_memories=True)
        await vault.keyed.put("Agent", Global(), "staying", GOATS)
        fact = await vault.keyed.put("Agent", home, "keeps-bees", BEES)
        match way:
            case "by the person":
                await vault.facts.delete(fact.id)
            case "with everything":
                await vault.remove_data()
            case _:
                if "forgotten" in way:
                    await vault.keyed.delete("Agent", home, "keeps-bees")
                await vault.spaces.delete(home.space, keep_conversations=False)
        left = await vault._database.read(lambda c: c.execute("select key from fact_keys").fetchall())
        assert left == ([] if way == "with everything" else [("staying",)])

    with_vault(tmp_path, work)


@pytest.mark.parametrize("key", ["", "  ", "k" * 501])
def test_odd_keys_are_refused(tmp_path: pathlib.Path, key: str) -> None:
    """Empty ones, and those that are no keys any more."""

    async def work(vault: AsyncVault) -> None:
        with pytest.raises(InvalidInput, match="A key has"):
            await vault.keyed.put("Agent", await garden(vault), key, BEES)

    with_vault(tmp_path, work)


def test_keys_outlive_a_restart(tmp_path: pathlib.Path) -> None:
    """They lie in the vault, and so in its backups."""

    async def work() -> None:
        path = tmp_path / "diary.ricordo"
        async with await AsyncVault.create(path, PASSPHRASE, cost=CHEAP) as vault:
            home = await garden(vault)
            await vault.keyed.put("Agent", home, "a", BEES)
        async with await AsyncVault.open(path, PASSPHRASE) as vault:
            found = await vault.keyed.get(home, "a")
            assert found is not None and found.fact.text == BEES

    asyncio.run(work())
