"""Conversations that somebody else keeps: known again, stored once, forked, learned from; memory within its room."""

import json
import pathlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from ricordo.conversation import Reach, Status, Summary
from ricordo.errors import InvalidInput
from ricordo.fact import Global
from ricordo.learn.extractor import SYSTEM
from ricordo.models.scripted import ScriptedModel
from ricordo.store import summaries
from ricordo.vault import AsyncVault
from tests.clients.sending import said, shown
from tests.vaults import NOON, with_vault

pytestmark = pytest.mark.req("I4", "I1")


class Clock:
    """A clock that a test sets forward."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


async def turn(vault: AsyncVault, texts: Sequence[str], reply: str, **more: Any) -> int:
    """Prepare what was said and record a reply; return the conversation."""
    prepared = await vault.prepare(said(*texts), **more)
    await vault.record(prepared, reply)
    assert prepared.conversation is not None
    return prepared.conversation


async def stored(vault: AsyncVault) -> int:
    return int(str(await vault._database.read(lambda c: c.execute("select count(*) from messages").get)))


def test_an_edited_message_is_a_fork_that_shares_the_start(tmp_path: pathlib.Path) -> None:
    """What stood in its place stays as another version; going back to it shows it again and stores nothing."""

    async def work(vault: AsyncVault) -> None:
        talk = await turn(vault, ["Figs?"], "Yes, figs.")
        await turn(vault, ["Figs?", "Yes, figs.", "And plums?"], "Plums, too.")
        assert await turn(vault, ["Figs?", "Yes, figs.", "And pears?"], "Pears, too.") == talk
        assert await shown(vault, talk) == ["Figs?", "Yes, figs.", "And pears?", "Pears, too."]
        pears = (await vault.conversations.messages(talk))[2]
        versions = await vault.conversations.versions([pears])
        assert len(versions[pears.id]) == 2
        await turn(vault, ["Figs?", "Yes, figs.", "And plums?", "Plums, too.", "Thanks."], "Gladly.")
        assert await shown(vault, talk) == ["Figs?", "Yes, figs.", "And plums?", "Plums, too.", "Thanks.", "Gladly."]
        assert await stored(vault) == 8

    with_vault(tmp_path, work, ScriptedModel())


def test_a_reply_asked_for_again_takes_the_place_of_the_first(tmp_path: pathlib.Path) -> None:
    """In the middle of a talk as at its very beginning; the earlier one is another version."""

    async def work(vault: AsyncVault) -> None:
        talk = await turn(vault, ["Hi"], "Hello.")
        assert await turn(vault, ["Hi"], "Good day.") == talk
        await turn(vault, ["Hi", "Good day.", "How are you?"], "Fine.")
        await turn(vault, ["Hi", "Good day.", "How are you?"], "Well.")
        assert await shown(vault, talk) == ["Hi", "Good day.", "How are you?", "Well."]
        assert await stored(vault) == 6

    with_vault(tmp_path, work, ScriptedModel())


def test_two_talks_that_begin_alike_are_two(tmp_path: pathlib.Path) -> None:
    """A "Hi" belongs to no talk that has gone on since, nor to one of yesterday; their ends are told apart, too."""
    clock = Clock()

    async def work(vault: AsyncVault) -> None:
        first = await turn(vault, ["Hi"], "Hello.")
        await turn(vault, ["Hi", "Hello.", "I have a cat."], "Nice.")
        second = await turn(vault, ["Hi"], "Hello.")
        assert second != first
        assert await turn(vault, ["Hi", "Hello.", "I have a dog."], "Fine.") == second
        assert await shown(vault, first) == ["Hi", "Hello.", "I have a cat.", "Nice."]
        clock.now += timedelta(days=1)
        await turn(vault, ["Good evening"], "Hello.")
        clock.now += timedelta(days=1)
        await turn(vault, ["Good evening"], "Hello.")
        assert len(await vault.conversations.all()) == 4

    with_vault(tmp_path, work, ScriptedModel(), clock)


def test_a_name_of_the_clients_own_decides(tmp_path: pathlib.Path) -> None:
    """Two names are two conversations, however alike; one name is one, also where only the newest message is sent."""

    async def work(vault: AsyncVault) -> None:
        one = await turn(vault, ["Hi"], "Hello.", conversation="a")
        two = await turn(vault, ["Hi"], "Hello.", conversation="b")
        assert one != two
        assert await turn(vault, ["ok"], "Fine.", conversation="a") == one
        assert await turn(vault, ["Plums?"], "Yes.", conversation="a") == one
        assert await turn(vault, ["ok"], "Good.", conversation="a") == one
        assert await shown(vault, one) == ["Hi", "Hello.", "ok", "Fine.", "Plums?", "Yes.", "ok", "Good."]
        assert await turn(vault, ["Hi", "Hello.", "Bees?"], "No.", conversation="b") == two
        assert await shown(vault, two) == ["Hi", "Hello.", "Bees?", "No."]

    with_vault(tmp_path, work, ScriptedModel())


def test_people_who_share_a_client_are_kept_apart(tmp_path: pathlib.Path) -> None:
    """The same words under another `user` are another talk."""

    async def work(vault: AsyncVault) -> None:
        ann = await turn(vault, ["Hi"], "Hello.", user="ann")
        assert await turn(vault, ["Hi"], "Hello.", user="ben") != ann
        assert await turn(vault, ["Hi", "Hello.", "Figs?"], "Yes.", user="ann") == ann

    with_vault(tmp_path, work, ScriptedModel())


def test_a_client_that_drops_the_oldest_is_known_by_the_newest(tmp_path: pathlib.Path) -> None:
    """By the last reply and what it replied to, where these are long enough to tell; then the summary goes along."""

    async def work(vault: AsyncVault) -> None:
        history = ["I planted figs in the garden.", "How many of them did you plant there?"]
        talk = await turn(vault, history[:1], history[1])
        for more in (["Seven, and one died.", "That is a pity."], ["It was the snails, I saw them at night.", "Try copper."]):
            await turn(vault, [*history, more[0]], more[1])
            history += more
        assert await turn(vault, [*history[-4:], "I will."], "Good luck.") == talk
        assert await shown(vault, talk) == [*history, "I will.", "Good luck."]

    with_vault(tmp_path, work, ScriptedModel())


def test_tools_are_no_part_of_what_was_said(tmp_path: pathlib.Path) -> None:
    """A turn that goes through tools is one turn: its message is stored once, the reply when it comes."""
    asked = {"role": "user", "content": "Weather?"}
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "w"}}]}
    result = {"role": "tool", "tool_call_id": "c", "content": "21 C"}

    async def work(vault: AsyncVault) -> None:
        first = await vault.prepare([asked])
        second = await vault.prepare([asked, call, result])
        assert second.asked == first.asked
        assert second.messages[1] == first.messages[1]
        assert second.messages[2:] == (call, result)
        await vault.record(second, "It is 21 degrees.")
        assert await vault.record(first, "") is None
        third = await vault.prepare(
            [asked, call, result, {"role": "assistant", "content": "It is 21 degrees."}, said("Thanks")[0]]
        )
        assert await shown(vault, third.conversation or 0) == ["Weather?", "It is 21 degrees.", "Thanks"]

    with_vault(tmp_path, work, ScriptedModel())


def test_a_reply_that_broke_off_is_gone_on_with(tmp_path: pathlib.Path) -> None:
    """However much of it the client has."""

    async def work(vault: AsyncVault) -> None:
        prepared = await vault.prepare(said("Tell me a story."))
        await vault.record(prepared, "Once upon a time there", status=Status.STOPPED)
        talk = await turn(vault, ["Tell me a story.", "Once upon a", "Go on."], "… was a fig.")
        assert talk == prepared.conversation
        assert await shown(vault, talk) == ["Tell me a story.", "Once upon a time there", "Go on.", "… was a fig."]
        await turn(vault, ["Tell me a story.", "Once upon a", "Go on.", "… was a fig.", "And?"], "It was eaten.")
        assert await stored(vault) == 6

    with_vault(tmp_path, work, ScriptedModel())


@pytest.mark.req("S4", "V8")
def test_what_the_person_deleted_is_not_stored_again(tmp_path: pathlib.Path) -> None:
    """Although its client sends it with everything else, each time."""

    async def work(vault: AsyncVault) -> None:
        talk = await turn(vault, ["Figs?"], "Yes.")
        await turn(vault, ["Figs?", "Yes.", "My secret is plums."], "I see.")
        await vault.conversations.delete_message((await vault.conversations.messages(talk))[2].id)
        await turn(vault, ["Figs?", "Yes.", "My secret is plums.", "I see.", "And pears?"], "Pears.")
        assert await shown(vault, talk) == ["Figs?", "Yes.", "I see.", "And pears?", "Pears."]

    with_vault(tmp_path, work, ScriptedModel())


def test_pictures_are_told_of_and_not_kept(tmp_path: pathlib.Path) -> None:
    """Memory stands in the text beside them; another picture with the same words is another message."""

    def picture(letter: str) -> list[dict[str, Any]]:
        url = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{letter * 40}"}}
        return [{"role": "user", "content": [{"type": "text", "text": "What is it?"}, url]}]

    async def work(vault: AsyncVault) -> None:
        first = await vault.prepare(picture("A"))
        parts = first.messages[1]["content"]
        assert parts[0]["text"].endswith("</memory>\nWhat is it?")
        assert parts[1] == picture("A")[0]["content"][1]
        (kept,) = await vault.conversations.messages(first.conversation or 0)
        assert (kept.text, kept.attachments[0].name) == ("What is it?", "picture")
        assert (await vault.prepare(picture("B"))).conversation != first.conversation
        assert (await vault.prepare(picture("A"))).conversation == first.conversation
        alone = await vault.prepare([{"role": "user", "content": picture("C")[0]["content"][1:]}])
        assert [part["type"] for part in alone.messages[1]["content"]] == ["text", "image_url"]

    with_vault(tmp_path, work, ScriptedModel())


@pytest.mark.req("E14")
def test_what_was_added_is_never_learned_from(tmp_path: pathlib.Path) -> None:
    """The hidden call reads what the person said, without the memory that was sent along; the fact is learned all the same."""
    asked: list[str] = []

    def model(messages: Sequence[Any]) -> str:
        if messages[0].content != SYSTEM:
            return "Yes."
        asked.append("\n".join(each.content for each in messages[1:]))
        return json.dumps({"add": [{"text": "The user likes figs.", "quote": "I like figs"}]})

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        await vault.facts.add("The user keeps a tortoise.", Global())
        prepared = await vault.prepare(said("I like figs and my old tortoise does, too."))
        assert "<memory>" in prepared.messages[-1]["content"]
        assert "keeps a tortoise" in prepared.messages[0]["content"]
        await vault.record(prepared, "Nice.")
        await vault.learn()
        assert asked
        assert not [text for text in asked if "<memory>" in text or "The time now" in text]
        assert {fact.text for fact in await vault.facts.all()} == {"The user likes figs.", "The user keeps a tortoise."}

    with_vault(tmp_path, work, ScriptedModel(model))


@pytest.mark.req("E14")
def test_a_block_that_a_client_sends_back_is_not_what_the_person_said(tmp_path: pathlib.Path) -> None:
    """As of one that keeps what was sent on: it is the same message, stored as it was written."""

    async def work(vault: AsyncVault) -> None:
        first = await vault.prepare(said("I like figs."))
        again = await vault.prepare([{"role": "user", "content": first.messages[-1]["content"]}])
        assert again.asked == first.asked
        assert await shown(vault, first.conversation or 0) == ["I like figs."]

    with_vault(tmp_path, work, ScriptedModel())


def test_only_the_newest_turn_of_a_history_that_is_new_is_learned_from(tmp_path: pathlib.Path) -> None:
    """What came before may be examples that the client made up; it is stored, and found."""

    async def work(vault: AsyncVault) -> None:
        await turn(vault, ["I am a pirate.", "Arr.", "I like figs."], "Fine.")
        waiting = [message for _, message in await vault._database.read(_waiting)]
        found = await vault._database.read(lambda c: c.execute("select text from messages where id = ?", (waiting[0],)).get)
        assert (len(waiting), found) == (1, "I like figs.")

    with_vault(tmp_path, work, ScriptedModel())


@pytest.mark.req("B3", "B6")
def test_memory_makes_room_for_a_client_that_fills_the_window(tmp_path: pathlib.Path) -> None:
    """What it adds stays within the block's limit, and within what the client leaves; where that is nothing, nothing is added."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True, window=4096)
        for number in range(60):
            await vault.facts.add(f"The user wrote note number {number} on the long walk along the river to the mill.", Global())
        history: list[str] = []
        for number in range(30):
            prepared = await vault.prepare(said(*history, f"Entry {number}. " + "We walked on along the river. " * 20))
            sent = sum(layer.tokens for layer in prepared.layers if layer.name not in ("reply room", "free"))
            memory = sum(
                layer.tokens for layer in prepared.layers if layer.name in ("memories", "pinned", "recalled", "references")
            )
            assert memory <= 1024
            assert sent <= 3072 or prepared.beside is None
            await vault.record(prepared, "I see.")
            history += [prepared.transcript.asked.text, "I see."]
        assert prepared.beside is None
        assert prepared.messages == tuple(said(*history[:-1]))

    with_vault(tmp_path, work, ScriptedModel())


@pytest.mark.req("N1", "N4")
def test_the_summary_goes_to_a_client_that_has_dropped_what_it_covers(tmp_path: pathlib.Path) -> None:
    """One that still sends all of it needs none."""
    history = ["I planted seven fig trees behind the house.", "Fig trees like it warm and dry, you know."]

    async def work(vault: AsyncVault) -> None:
        talk = await turn(vault, history[:1], history[1])
        more = ["One of them died in the frost of January.", "That is a pity. Cover the others with straw."]
        await turn(vault, [*history, more[0]], more[1])
        newest = (await vault.conversations.messages(talk))[-1]
        summary = Summary(talk, "Facts: seven fig trees.", newest.id, vault.now())
        await vault._database.write(lambda c: summaries.keep(c, summary, "scripted"))
        part = await vault.prepare(said(*more, "And what then?"))
        assert part.conversation == talk
        assert "Facts: seven fig trees." in part.messages[0]["content"]
        whole = await vault.prepare(said(*history, *more, "And now?"))
        assert whole.conversation == talk
        assert "seven fig trees." not in whole.messages[0]["content"]

    with_vault(tmp_path, work, ScriptedModel())


@pytest.mark.req("B7", "W6")
def test_what_the_person_changes_is_no_longer_sent_as_it_was(tmp_path: pathlib.Path) -> None:
    """A fact that was edited, a reach that was narrowed, an hour that has passed: what was added before goes."""
    clock = Clock()

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        fact = await vault.facts.add("The user sails.", Global())
        history = ["One."]
        prepared = await vault.prepare(said(*history))

        async def again() -> tuple[bool, str]:
            """Say something more; return whether the message before kept its block, and the system message."""
            nonlocal prepared
            await vault.record(prepared, "Yes.")
            history.extend(["Yes.", f"Number {len(history)}."])
            prepared = await vault.prepare(said(*history))
            return "<memory>" in prepared.messages[-3]["content"], prepared.messages[0]["content"]

        assert (await again())[0]
        await vault.facts.edit(fact.id, "The user rows.")
        kept, system = await again()
        assert (kept, "rows" in system, "sails" in system) == (False, True, False)
        assert (await again())[0]
        await vault.set(whole_diary=True)
        assert not (await again())[0]
        clock.now += timedelta(hours=2)
        assert not (await again())[0]
        assert (await again())[0]

    with_vault(tmp_path, work, ScriptedModel(), clock)


@pytest.mark.req("B7")
def test_what_the_model_learned_from_a_talk_waits_for_its_next_epoch(tmp_path: pathlib.Path) -> None:
    """Its source is still in the window; the prompt's beginning stays as it is."""
    learned = json.dumps({"add": [{"text": "The user likes figs.", "quote": "I like figs"}]})

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        first = await vault.prepare(said("I like figs."))
        await vault.record(first, "Nice.")
        await vault.learn()
        assert [fact.text for fact in await vault.facts.all()] == ["The user likes figs."]
        second = await vault.prepare(said("I like figs.", "Nice.", "And plums?"))
        assert second.messages[:2] == first.messages
        other = await vault.prepare(said("What do I like?"))
        assert "The user likes figs." in other.messages[0]["content"]

    with_vault(tmp_path, work, ScriptedModel(lambda told: learned if told[0].content == SYSTEM else "Nice."))


@pytest.mark.req("W6")
def test_what_is_in_reach_comes_along_and_nothing_else(tmp_path: pathlib.Path) -> None:
    """By default a conversation uses its own memories; with the whole diary, what was written elsewhere is found."""
    question = "Where did I hide the key of the boathouse?"

    async def work(vault: AsyncVault) -> None:
        await vault.set(foreground_seconds=0)
        diary = (await vault.conversations.create()).id
        await vault.write(diary, "I hid the key of the boathouse under the third flower pot.")
        await vault.set(whole_diary=True)
        wide = await vault.prepare(said(question))
        assert "third flower pot" in wide.messages[-1]["content"]
        message = await vault.record(wide, "It is well hidden.")
        assert message is not None
        assert "flower pot" in str(await vault.conversations.explain(message.id))
        await vault.set(whole_diary=False)
        alone = await vault.prepare(said(f"Good morning. {question}"))
        assert "flower pot" not in alone.messages[-1]["content"]

    with_vault(tmp_path, work, ScriptedModel())


def test_a_conversation_may_begin_in_a_space(tmp_path: pathlib.Path) -> None:
    """With that Space's instructions; it stays known wherever it is moved."""

    async def work(vault: AsyncVault) -> None:
        space = await vault.spaces.create("Work", "Be brief.")
        await vault.spaces.change(space.id, reach=Reach.SPACE)
        prepared = await vault.prepare(said("Hello there"), space=space.id)
        assert "Be brief." in prepared.messages[0]["content"]
        await vault.record(prepared, "Hello.")
        assert (await vault.conversations.all())[0].space == space.id
        await vault.conversations.move(prepared.conversation or 0, None)
        assert await turn(vault, ["Hello there", "Hello.", "And?"], "Yes.") == prepared.conversation

    with_vault(tmp_path, work, ScriptedModel())


def test_without_a_message_of_the_person_there_is_nothing_to_do(tmp_path: pathlib.Path) -> None:
    """That is an error for a library's caller; a proxy passes it on."""

    async def work(vault: AsyncVault) -> None:
        with pytest.raises(InvalidInput, match="no message"):
            await vault.prepare([{"role": "system", "content": "Be kind."}])
        assert await vault.conversations.all() == []

    with_vault(tmp_path, work, ScriptedModel())


@pytest.mark.req("V6", "S4")
def test_nothing_is_left_of_what_was_deleted(tmp_path: pathlib.Path) -> None:
    """Digests and names of clients go with a conversation, and with everything."""

    async def work(vault: AsyncVault) -> None:
        talk = await turn(vault, ["Figs?"], "Yes.", conversation="a")
        await turn(vault, ["Plums?"], "Yes.", conversation="b")
        await vault.conversations.delete(talk)
        assert await vault._database.read(_digests) == (2, 1)
        await vault.remove_data()
        assert await vault._database.read(_digests) == (0, 0)

    with_vault(tmp_path, work, ScriptedModel())


def _digests(connection: Any) -> tuple[int, int]:
    return tuple(connection.execute(f"select count(*) from {table}").get for table in ("chains", "client_keys"))  # type: ignore[return-value]


def _waiting(connection: Any) -> list[tuple[int, int]]:
    return list(connection.execute("select conversation, message from waiting"))
