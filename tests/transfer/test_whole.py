"""An export of Ricordo that comes into a vault which holds something: under new ids, without what is there, and out again."""

import pathlib
import tempfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from ricordo.conversation import Attachment, Message, Reach, Role
from ricordo.errors import ImportFailed
from ricordo.fact import Global, InConversation, InSpace
from ricordo.hit import FactHit, MessageHit
from ricordo.vault import AsyncVault
from tests import filled
from tests.transfer.test_archive import export as export
from tests.transfer.test_archive import exported, give, spoiled, upload
from tests.vaults import events, with_vault


async def shown(vault: AsyncVault) -> dict[str, list[Message]]:
    """Return what each conversation shows, by title."""
    return {talk.title: list(await vault.conversations.messages(talk.id)) for talk in await vault.conversations.all()}


@pytest.mark.req("I6", "V5")
def test_it_comes_in_beside_what_is_there(tmp_path: pathlib.Path, export: bytes) -> None:
    """Spaces by name, conversations with their versions, facts where they belong, what was given up; settings stay."""

    async def work(vault: AsyncVault) -> None:
        garden = await vault.spaces.create("garden / Balcony")
        mine = await vault.conversations.create("Mine", garden.id)
        await vault.write(mine.id, "Something of my own, here before")
        await vault.facts.add(f"has {filled.MARK} POTS", InSpace(garden.id))
        seen = await vault.imports.preview(upload(export))
        done = await give(vault, export)
        assert (seen.conversations, seen.messages, seen.facts) == (done.conversations, done.messages, done.facts) == (2, 4, 2)
        assert {each.what: each.count for each in done.left_out} == {"drafts": 1}
        assert [space.name for space in await vault.spaces.all()] == ["garden / Balcony"]
        found = await shown(vault)
        assert len(found["Mine"]) == 1
        asked, reply = found[f"Seeds: {filled.MARK}?"]
        assert (asked.role, [file.name for file in asked.attachments]) == (Role.USER, ["list.txt"])
        assert reply.parent == asked.id
        assert len((await vault.conversations.versions([asked, reply]))[reply.id]) == 2
        talk = await vault.conversations.get(asked.conversation)
        assert talk.space == garden.id
        pinned = [fact for fact in await vault.facts.all() if isinstance(fact.home, InConversation)]
        assert [fact.sources for fact in pinned] == [(found[f"{filled.MARK} ünïcode 日記"][0].id,)]
        assert any(isinstance(hit, MessageHit) for hit in await vault.search("big pot", space=garden.id))
        assert any(isinstance(hit, FactHit) for hit in await vault.search(f"likes {filled.MARK}"))
        assert vault.settings.appearance == "system"
        again = await give(vault, export)
        assert (again.conversations, again.messages, again.facts, again.already_there) == (0, 0, 0, 4)
        assert again.import_ is None

    with_vault(tmp_path, work)


@pytest.mark.req("I6", "V5")
def test_an_export_of_the_same_vault_brings_back_only_what_was_deleted_since(tmp_path: pathlib.Path) -> None:
    """A conversation, or the end of one; what was written since stays what is shown."""

    async def work(vault: AsyncVault) -> None:
        first = await vault.conversations.create("First")
        await vault.write(first.id, "The first entry of the first one")
        last = await vault.write(first.id, "The last entry of the first one")
        second = await vault.conversations.create("Second")
        await vault.write(second.id, "All of the second one")
        data = await exported(vault)
        await vault.conversations.delete_message(last.id)
        await vault.conversations.delete(second.id)
        done = await give(vault, data)
        assert (done.conversations, done.messages, done.already_there) == (1, 2, 1)
        found = await shown(vault)
        assert [message.text for message in found["First"]] == [
            "The first entry of the first one",
            "The last entry of the first one",
        ]
        assert [message.text for message in found["Second"]] == ["All of the second one"]

    with_vault(tmp_path, work)


@pytest.mark.req("I6")
def test_taking_it_back_leaves_what_was_there(tmp_path: pathlib.Path, export: bytes) -> None:
    """To the byte, but for the numbers that were given."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        await vault.conversations.create("Empty, and mine")
        await vault.facts.add("Mine is mine", Global())
        before = await exported(vault)
        done = await give(vault, export)
        assert done.import_ is not None
        going = await vault.imports.undoing(done.import_)
        assert (going.messages, going.conversations, going.facts) == (4, 2, 3)
        assert await vault.imports.undo(done.import_) == going
        after = await exported(vault)
        assert without_numbers(after) == without_numbers(before)
        assert await vault.search(filled.MARK) == []

    with_vault(tmp_path, work)


def without_numbers(data: bytes) -> list[str]:
    """Return an export without the ids that were given and the list of imports."""
    odd = ('"last_ids"', '"imports"', "]")
    return [line for line in data.decode().splitlines() if not line.startswith(odd) and '"read_upto"' not in line]


@pytest.mark.req("I6", "V5")
@pytest.mark.parametrize(
    "how", ["cut off", "a field is missing", "a list where text was", "belongs to nothing", "an odd role", "half a character"]
)
def test_one_that_is_not_right_changes_nothing(tmp_path: pathlib.Path, export: bytes, how: str) -> None:
    """Also where something is there already."""

    async def work(vault: AsyncVault) -> None:
        await vault.conversations.create("Mine")
        before = await exported(vault)
        with pytest.raises(ImportFailed):
            await give(vault, spoiled(export, how))
        assert await exported(vault) == before

    with_vault(tmp_path, work)


WORDS = some.text(min_size=1, max_size=40).filter(lambda text: text.strip() and text.encode("utf-8", "ignore").decode() == text)
STEP = some.one_of(
    some.tuples(some.just("write"), WORDS),
    some.tuples(some.just("reply"), WORDS),
    some.tuples(some.just("retry"), some.just("")),
    some.tuples(some.just("talk"), WORDS),
    some.tuples(some.just("space"), WORDS),
    some.tuples(some.just("fact"), WORDS),
    some.tuples(some.just("forget"), some.just("")),
    some.tuples(some.just("delete"), some.just("")),
    some.tuples(some.just("draft"), WORDS),
)


async def live(vault: AsyncVault, steps: list[tuple[str, str]]) -> None:
    """Use a vault in whatever way."""
    await vault.set(global_memories=True)
    talk = (await vault.conversations.create("")).id
    space: int | None = None
    for number, (step, text) in enumerate(steps):
        messages = list(await vault.conversations.messages(talk))
        match step:
            case "write":
                await vault.write(talk, text)
            case "reply":
                await events(vault.reply(talk, text, [Attachment("a.txt", "text/plain", text)]))
            case "retry" if messages:
                await events(vault.retry(talk))
            case "talk":
                talk = (await vault.conversations.create(text, space)).id
            case "space":
                space = (await vault.spaces.create(f"{text} {number}")).id
                await vault.spaces.change(space, reach=Reach.SPACE)
            case "fact":
                await vault.facts.share((await vault.facts.add(text, Global() if space is None else InSpace(space))).id)
            case "forget":
                for fact in (await vault.facts.all())[:1]:
                    await vault.facts.delete(fact.id)
            case "delete" if messages:
                await vault.conversations.delete_message(messages[len(messages) // 2].id)
            case "draft":
                await vault.drafts.keep(talk, text)


@pytest.mark.req("V5", "I6")
@given(some.lists(STEP, max_size=12))
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_any_vault_goes_out_in_and_out_to_the_same_bytes(steps: list[tuple[str, str]]) -> None:
    """Into an empty vault; and into itself it brings nothing."""

    async def out(vault: AsyncVault) -> bytes:
        await live(vault, steps)
        data = await exported(vault)
        if b'"messages": [\n{' in data:
            again = await give(vault, data)
            assert (again.conversations, again.messages, again.facts) == (0, 0, 0)
            assert await exported(vault) == data
        return data

    async def back(vault: AsyncVault) -> bytes:
        await give(vault, first)
        return await exported(vault)

    with tempfile.TemporaryDirectory() as name:
        for place in ("one", "two"):
            pathlib.Path(name, place).mkdir()
        first = with_vault(pathlib.Path(name, "one"), out, filled.model())
        assert with_vault(pathlib.Path(name, "two"), back) == first


@pytest.mark.slow
@pytest.mark.req("V5", "I6")
def test_nine_years_go_out_in_and_out_to_the_same_bytes(tmp_path: pathlib.Path, data: pathlib.Path) -> None:
    """A real diary with chat beside it; all of it is found where it came in, and taken back nothing is left of it."""

    async def out(vault: AsyncVault) -> bytes:
        await filled.fill(vault)
        await vault.imports.bring(data / "pepys" / "pepys_diary.jsonl.xz")
        return await exported(vault)

    async def back(vault: AsyncVault) -> bytes:
        done = await give(vault, first)
        assert done.messages == 3415 + 4
        assert await vault.search("Seething Lane")
        (one,) = await vault.imports.all()
        again = await exported(vault)
        assert (await vault.imports.undo(one.id)).messages == 3415
        assert await vault.search("Seething Lane") == []
        return again

    async def beside(vault: AsyncVault) -> None:
        await vault.conversations.create("Mine")
        done = await give(vault, first)
        assert (done.messages, done.conversations) == (3415 + 4, 3)
        assert (await give(vault, first)).messages == 0

    for place in ("one", "two", "three"):
        (tmp_path / place).mkdir()
    first = with_vault(tmp_path / "one", out, filled.model())
    assert with_vault(tmp_path / "two", back) == first
    with_vault(tmp_path / "three", beside)
