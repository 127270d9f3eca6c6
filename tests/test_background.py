"""Learning from finished turns: what the model proposes is checked by code, nothing waits in vain, a message comes first."""

import asyncio
import json
import pathlib
import time
from collections.abc import Callable
from typing import Any

import pytest

from ricordo.conversation import Status
from ricordo.errors import InvalidInput, ModelUnreachable
from ricordo.events import Learned, MeterChanged, ReplyDone, TextDelta
from ricordo.fact import Global, InConversation, InSpace, Origin
from ricordo.learn.extractor import SYSTEM
from ricordo.models.openai_api import OpenAIModel
from ricordo.models.scripted import ScriptedModel
from ricordo.prompt import ChatMessage
from ricordo.vault import AsyncVault
from tests.fake_server import Asked, FakeServer, Reply
from tests.vaults import events, with_vault

Told = tuple[ChatMessage, ...]


def hidden(messages: Told) -> bool:
    """Say whether a call is the extractor's."""
    return messages[0].content == SYSTEM


def model(*answers: str | Exception) -> ScriptedModel:
    """A model that replies "Well." and gives these answers to the hidden calls, the last one again and again."""
    left = list(answers)

    def script(messages: Told) -> str | Exception:
        if not hidden(messages):
            return "Well."
        return left.pop(0) if len(left) > 1 else left[0]

    return ScriptedModel(script)


def answer(add: list[str] | None = None, **more: Any) -> str:
    """An answer of the extractor."""
    return json.dumps({"add": [{"text": text} for text in add or []], "rewrite": [], "remove": [], **more})


async def say(vault: AsyncVault, talk: int, text: str) -> None:
    """One turn."""
    done = (await events(vault.reply(talk, text)))[-1]
    assert isinstance(done, ReplyDone), done


async def texts(vault: AsyncVault) -> list[str]:
    """The facts there are, oldest first."""
    return [fact.text for fact in await vault.facts.all()][::-1]


@pytest.mark.req("E1", "W4", "E13")
def test_a_finished_turn_is_learned_from(tmp_path: pathlib.Path) -> None:
    """As a fact of the model, at home where the turn was settled to go, with the message it came from."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        talk = await vault.conversations.create()
        await say(vault, talk.id, "I started rowing in April, and I love it.")
        (change,) = await vault.learn()
        (fact,) = await vault.facts.all()
        asked = (await vault.conversations.messages(talk.id))[0]
        assert (fact.text, fact.origin, fact.home, fact.sources) == (
            "The user started rowing in April.", Origin.MODEL, Global(), (asked.id,),
        )  # fmt: skip
        assert await vault.changes.all() == [change]
        assert (await vault.changes.waiting(), await vault.learn()) == (0, ())

    with_vault(tmp_path, work, model(answer(["The user started rowing in April."])))


@pytest.mark.req("E5", "E14")
def test_the_hidden_call_shows_only_what_was_said(tmp_path: pathlib.Path) -> None:
    """No recalled entry, no fact list as if the person had said it, no attachment; the known facts by short id."""
    script = model(answer())

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True, whole_diary=True, instructions="Mention the moon.")
        await vault.facts.add("Is allergic to walnuts", Global())
        old = await vault.conversations.create()
        await vault.write(old.id, "Bought a blue kettle in Padua that day.")
        talk = await vault.conversations.create()
        await say(vault, talk.id, "What did I write today?")
        await vault.learn()

    with_vault(tmp_path, work, script)
    asked = next(
        request for request in script.requests if hidden(request.messages) and "What did I write" in request.messages[-1].content
    )
    shown = asked.messages[-1].content
    assert "1. Is allergic to walnuts" in shown
    assert shown.index("walnuts") < shown.index("The person wrote:")
    assert "walnuts" not in shown[shown.index("The person wrote:") :]
    assert not any(word in shown for word in ("kettle", "moon", "<memory>", "The time now"))


@pytest.mark.req("E15", "E6", "E8", "E11", "E10")
@pytest.mark.parametrize(
    ("said", "proposed"),
    [
        ("Thanks, that is all.", answer(["The user is a software engineer in London."])),
        ("Write me a poem about the sea.", answer(["The user asked for a poem about the sea."])),
        ("My wifi password is hunter2pony77.", answer(["The user's wifi password is hunter2pony77."])),
        (
            "I like tea and long walks by the river.",
            answer(["The user likes tea and long walks by the river" + "".join(f" and part {n} of it" for n in range(40)) + "."]),
        ),
        ("I have two cats, Momo and Kiki.", answer(remove=[{"id": 1, "quote": "I have two cats"}])),
    ],
)
def test_what_does_not_hold_is_refused(tmp_path: pathlib.Path, said: str, proposed: str) -> None:
    """Invented, a task, a secret, overlong, or against a fact of the person: nothing changes, and the turn is read."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        await vault.facts.add("Has two cats", Global())
        talk = await vault.conversations.create()
        await say(vault, talk.id, said)
        assert await vault.learn() == ()
        assert await texts(vault) == ["Has two cats"]
        assert await vault.changes.waiting() == 0

    with_vault(tmp_path, work, model(proposed))


@pytest.mark.req("E9", "U1", "U2")
def test_a_change_can_be_taken_back(tmp_path: pathlib.Path) -> None:
    """A rewritten fact gets its old words back; the same turn does not rewrite it again."""

    async def work(vault: AsyncVault) -> None:
        space = await vault.spaces.create("Me")
        talk = await vault.conversations.create("", space.id)
        await say(vault, talk.id, "I live in Ghent with my brother.")
        await vault.learn()
        await say(vault, talk.id, "We moved: I live in Porto now.")
        (change,) = await vault.learn()
        assert await texts(vault) == ["The user lives in Porto."]
        undone = await vault.changes.undo(change.id)
        assert undone.undone is not None
        assert await texts(vault) == ["The user lives in Ghent."]
        assert (await vault.facts.all())[0].home == InSpace(space.id)
        with pytest.raises(InvalidInput):
            await vault.changes.undo(change.id)

    first = answer(["The user lives in Ghent."])
    second = answer(rewrite=[{"id": 1, "text": "The user lives in Porto.", "quote": "I live in Porto now"}])
    with_vault(tmp_path, work, model(first, second))


@pytest.mark.req("W1", "W2", "W4", "E4")
def test_switches_decide_and_are_asked_again(tmp_path: pathlib.Path) -> None:
    """Settled when the turn is sent; switching the destination off while it waits saves nothing; moving changes nothing."""

    async def work(vault: AsyncVault) -> None:
        space = await vault.spaces.create("Me")
        inside = await vault.conversations.create("", space.id)
        outside = await vault.conversations.create()
        await say(vault, inside.id, "I play the cello in a quartet.")
        await vault.conversations.move(inside.id, None)
        await say(vault, outside.id, "I play the cello in a quartet.")
        homes = [change.edit.after.home for change in await vault.learn()]  # type: ignore[union-attr]
        assert homes == [InSpace(space.id), InConversation(outside.id)]
        await say(vault, outside.id, "I play the cello every day.")
        await vault.set(remember=False)
        assert await vault.learn() == ()
        assert await vault.changes.waiting() == 0, "dropped, not kept for later"
        await say(vault, outside.id, "I play the cello at night.")
        await vault.set(remember=True)
        assert await vault.changes.waiting() == 0, "settled as nowhere when it was sent"

    with_vault(tmp_path, work, model(answer(["The user plays the cello in a quartet."])))


@pytest.mark.req("W4", "E4")
def test_a_version_that_is_not_shown_is_dropped_too_when_its_destination_is_off(tmp_path: pathlib.Path) -> None:
    """Switched on again and shown again, it is not learned from: it waited when that was switched off."""

    async def work(vault: AsyncVault) -> None:
        talk = await vault.conversations.create()
        await say(vault, talk.id, "I play the cello in a quartet.")
        first = (await vault.conversations.messages(talk.id))[0]
        await events(vault.edit(first.id, "What a day."))
        await vault.set(remember=False)
        assert await vault.learn() == ()
        await vault.set(remember=True)
        await vault.show(first.id)
        assert (await vault.learn(), await vault.facts.all()) == ((), [])

    with_vault(tmp_path, work, model(answer(["The user plays the cello in a quartet."])))


@pytest.mark.req("E2")
def test_three_turns_are_read_at_a_time_longest_waiting_first(tmp_path: pathlib.Path) -> None:
    """In order, none lost, each once."""
    script = model(answer())

    async def work(vault: AsyncVault) -> None:
        first, second = await vault.conversations.create(), await vault.conversations.create()
        for number in range(5):
            await say(vault, first.id, f"Entry number {number} of the first")
            if number == 1:
                await say(vault, second.id, "An entry of the second")
        await vault.learn()
        assert await vault.changes.waiting() == 0

    with_vault(tmp_path, work, script)
    read = [request.messages[-1].content.count("The person wrote:") for request in script.requests if hidden(request.messages)]
    assert read == [3, 2, 1]


@pytest.mark.req("E3", "S7")
def test_what_is_learned_from(tmp_path: pathlib.Path) -> None:
    """A stopped reply is skipped; an entry without a reply is read like any other."""

    async def work(vault: AsyncVault) -> None:
        talk = await vault.conversations.create()
        async for event in vault.reply(talk.id, "I collect stamps from Peru."):
            if isinstance(event, TextDelta):
                vault.stop(talk.id)
        assert (await vault.conversations.messages(talk.id))[-1].status is Status.STOPPED
        assert await vault.changes.waiting() == 0
        await vault.write(talk.id, "I collect stamps from Peru, since school.")
        assert await vault.changes.waiting() == 1

    with_vault(tmp_path, work, ScriptedModel("word " * 300, delay=0.001))


@pytest.mark.req("E12", "E16")
def test_an_answer_that_cannot_be_read_is_tried_again_then_shown(tmp_path: pathlib.Path) -> None:
    """Three tries, then unread with the reason; *Try again* lets it wait anew. A model that is not there is no try."""
    script = model(
        ModelUnreachable("Nothing answers there."), *["I am sorry, I cannot."] * 3, answer(["The user plays the cello."])
    )

    async def work(vault: AsyncVault) -> None:
        talk = await vault.conversations.create()
        await say(vault, talk.id, "I play the cello.")
        with pytest.raises(ModelUnreachable):
            await vault.learn()
        assert await vault.changes.unread() == []
        for tries in range(3):
            assert await vault.changes.unread() == [], f"after {tries} tries"
            assert await vault.learn() == ()
        (unread,) = await vault.changes.unread()
        assert (unread.conversation, len(unread.reason) > 10) == (talk.id, True)
        assert await texts(vault) == []
        await vault.try_unread()
        assert len(await vault.learn()) == 1
        assert await vault.changes.unread() == []

    with_vault(tmp_path, work, script)


@pytest.mark.req("E4", "V3")
def test_waiting_turns_survive_the_lock(tmp_path: pathlib.Path) -> None:
    """Ids are kept, not a second copy of the text; they are read after the next unlocking."""

    async def first(vault: AsyncVault) -> tuple[str, int]:
        talk = await vault.conversations.create()
        await say(vault, talk.id, "I play the cello.")
        rows = await vault._database.read(lambda c: list(c.execute("select * from waiting")))
        assert not any("cello" in str(part) for row in rows for part in row)
        return vault.path, await vault.changes.waiting()

    path, waiting = with_vault(tmp_path, first, model(answer()))
    assert waiting == 1

    async def again() -> None:
        script = model(answer(["The user plays the cello."]))
        async with await AsyncVault.open(path, "correct horse battery", model=script) as vault:
            assert len(await vault.learn()) == 1

    asyncio.run(again())


@pytest.mark.req("E2", "R8")
def test_a_message_cancels_learning_at_once(tmp_path: pathlib.Path) -> None:
    """Over real HTTP: the hidden call is dropped within 50 ms, the reply is not held up, the turn waits and is read later."""

    async def work(vault: AsyncVault) -> None:
        talk = await vault.conversations.create()
        await say(vault, talk.id, "I play the cello.")
        vault.work_in_background()
        await asyncio.to_thread(wait_until, lambda: any("lasting facts" in chat.text for chat in server.chats()))
        start = time.perf_counter()
        stream = vault.reply(talk.id, "Are you there?")
        async for event in stream:
            if isinstance(event, MeterChanged):
                held_up = time.perf_counter() - start
        assert held_up < 0.5, f"the message waited {held_up:.3f} s for the hidden call"
        await asyncio.to_thread(server.wait_for_disconnect)
        assert await vault.changes.waiting() >= 1
        await asyncio.to_thread(wait_until, lambda: sum("lasting facts" in chat.text for chat in server.chats()) > 1)

    with FakeServer() as server:
        slow = iter([Reply("{}", hang_after=0)])

        def reply(asked: Asked) -> Reply | str:
            if "lasting facts" in asked.text:
                return next(slow, None) or Reply(answer())
            return "Yes."

        server.on(reply)
        with_vault(tmp_path, work, OpenAIModel(server.url, "fake"))


def wait_until(what: Callable[[], bool]) -> None:
    """Wait for something that happens on another thread; fail after a while."""
    end = time.monotonic() + 20
    while not what():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


@pytest.mark.req("U1")
def test_open_pages_are_told_what_was_learned(tmp_path: pathlib.Path) -> None:
    """Saved first, then updated and removed; each with its id, for *Undo*."""

    async def work(vault: AsyncVault) -> None:
        heard: list[Learned] = []

        async def listen() -> None:
            async for event in vault.events():
                if isinstance(event, Learned):
                    heard.append(event)

        listening = asyncio.create_task(listen())
        await asyncio.sleep(0)
        talk = await vault.conversations.create()
        await say(vault, talk.id, "I live in Ghent. I keep bees.")
        await vault.learn()
        await say(vault, talk.id, "I moved: I live in Porto now. I no longer keep bees. I play chess.")
        await vault.learn()
        kinds = [type(change.edit).__name__ for event in heard for change in event.changes]
        assert kinds == ["Saved", "Saved", "Saved", "Updated", "Removed"]
        listening.cancel()

    second = answer(
        ["The user plays chess."],
        rewrite=[{"id": 2, "text": "The user lives in Porto.", "quote": "I live in Porto now"}],
        remove=[{"id": 1, "quote": "I no longer keep bees"}],
    )
    with_vault(tmp_path, work, model(answer(["The user lives in Ghent.", "The user keeps bees."]), second))


@pytest.mark.req("B7", "E9")
def test_what_was_learned_here_waits_for_the_next_epoch(tmp_path: pathlib.Path) -> None:
    """Its source is still in the window: the prompt keeps its beginning. What the person edits begins a new epoch at once."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        talk = await vault.conversations.create()
        await say(vault, talk.id, "I play the cello.")
        first = (await vault.prompt("Go on", talk.id)).messages[0]
        (change,) = await vault.learn()
        assert (await vault.prompt("Go on", talk.id)).messages[0] == first
        other = await vault.conversations.create()
        assert "plays the cello" in (await vault.prompt("Go on", other.id)).messages[0].content
        await vault.changes.undo(change.id)
        assert (await vault.prompt("Go on", talk.id)).messages[0] == first
        await vault.facts.add("Rows on Sundays", Global())
        assert "Rows on Sundays" in (await vault.prompt("Go on", talk.id)).messages[0].content

    with_vault(tmp_path, work, model(answer(["The user plays the cello."])))
