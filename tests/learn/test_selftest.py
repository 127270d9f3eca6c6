"""The self-test of a model: run once for each, over real HTTP against a real vault; it chooses how the model is asked."""

import asyncio
import json
import pathlib
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from ricordo.conversation import Moment
from ricordo.events import ReplyDone
from ricordo.learn import selftest
from ricordo.learn.extractor import SYSTEM
from ricordo.learn.selftest import Skill
from ricordo.learn.ways import Way
from ricordo.models.embedded import EmbeddedModel
from ricordo.models.files import model_file
from ricordo.models.openai_api import OpenAIModel
from ricordo.store import kept
from ricordo.vault import AsyncVault
from tests.fake_server import Asked, FakeServer, Reply
from tests.learn.chances import rule
from tests.vaults import events, with_vault

LASTING = {"carpenter": 0.9, "allergic": 0.9, "village": 0.9, "cello": 0.9, "violin": 0.9}
RESTATED = {
    "carpenter": "The user is a carpenter with a workshop of their own.",
    "allergic": "The user's sister is allergic to nuts.",
    "village": "The user lives in a village now.",
    "cello": "The user plays the cello.",
}
OUTDATED = {"village": "city", "horse": "horse"}


def by_call(asked: Asked) -> bool:
    """Say whether it is the one call."""
    return bool(asked.messages[0]["content"] == SYSTEM)


def clever(asked: Asked) -> str:
    """Answer the one call as a good model does."""
    said = asked.messages[-1]["content"].rpartition("The person wrote: ")[2].partition("\nThe companion")[0]
    add = [{"text": text, "quote": said} for words, text in RESTATED.items() if words in said and words != "village"]
    rewrite = [{"id": 1, "text": RESTATED["village"], "quote": said}] if "village" in said else []
    remove = [{"id": 1, "quote": said}] if "horse" in said else []
    return json.dumps({"add": add, "rewrite": rewrite, "remove": remove})


def model_that(call: Callable[[Asked], str], *, chances: bool = True) -> Callable[[Asked], Reply | str]:
    """A model that replies, answers the one call so, and yes or no well; `chances`: with probabilities."""

    def answer(asked: Asked) -> Reply | str:
        if by_call(asked):
            return call(asked)
        if not asked.messages[0]["content"].startswith(("Does the", "Rewrite the", "A list holds")):
            return "Well."
        reply = rule(asked, LASTING, RESTATED, OUTDATED)
        return reply if chances else replace(reply, alternatives={})

    return answer


def server_of(call: Callable[[Asked], str], *, chances: bool) -> FakeServer:
    """A server with such a model."""
    server = FakeServer(refuses=() if chances else ("logprobs",))
    server.on(model_that(call, chances=chances))
    return server


def tried(server: FakeServer, *, whole: bool = False) -> Skill:
    """Start a server and try its model out."""
    with server:
        return tried_at(server, whole=whole)


def tried_at(server: FakeServer, *, whole: bool = False) -> Skill:
    """Try the model of a server out."""

    async def run() -> Skill:
        model = OpenAIModel(server.url, "fake")
        try:
            return await selftest.test(model, 5.0, whole=whole)
        finally:
            await model.aclose()

    return asyncio.run(run())


@pytest.mark.req("E18")
def test_a_model_that_fills_in_json_badly_is_asked_sentence_by_sentence() -> None:
    """Its one call finds nothing; its yes and no are good."""
    skill = tried(server_of(lambda _: '{"add": [{"text": "The user is a pilot."}]}', chances=True))
    assert skill == Skill(Way.SENTENCES, 5, 5)
    assert skill.remembers is True


@pytest.mark.req("E18")
def test_a_model_that_is_good_at_one_call_is_asked_once() -> None:
    """It costs less; sentences are not even tried then."""
    server = server_of(clever, chances=True)
    assert tried(server) == Skill(Way.CALL, 5, 5)
    assert sum(not by_call(asked) for asked in server.chats()) == 1


@pytest.mark.req("E18")
def test_without_probabilities_there_is_nothing_to_choose() -> None:
    """One question shows it; the whole test, as `doctor` runs it, tells how good the one call is."""
    server = server_of(lambda _: "I am sorry.", chances=False)
    skill = tried(server)
    assert (skill, skill.remembers) == (Skill(Way.CALL), None)
    assert not any(map(by_call, server.chats()))
    bad = tried(server_of(lambda _: "I am sorry.", chances=False), whole=True)
    assert (bad, bad.remembers) == (Skill(Way.CALL, 0, 5, summarises=False), False)
    assert tried(server_of(clever, chances=False), whole=True).remembers is True


MINUTES = {
    "decisions": ["The user will paint the fence blue."],
    "facts": ["Otto lends the user a ladder."],
    "open_threads": ["The user still has to buy a brush."],
    "current_state": ["The user waits for a dry day."],
}


@pytest.mark.req("E18", "N1")
@pytest.mark.parametrize(
    ("minutes", "well"),
    [
        (MINUTES, True),
        ({"decisions": ["The user will fly to the moon with a large green elephant."]}, False),
        ("I cannot.", False),
    ],
    ids=["holds", "invents", "refuses"],
)
def test_the_whole_test_tells_whether_it_summarises(minutes: object, well: bool) -> None:
    """By a summary that is kept and holds most of what was said."""

    def answer(asked: Asked) -> str:
        return json.dumps(minutes) if "You keep the minutes" in asked.text else clever(asked)

    with FakeServer(refuses=("logprobs",)) as server:
        server.on(answer)
        skill = tried_at(server, whole=True)
    assert (skill.summarises, skill.remembers) == (well, True)


@pytest.mark.req("E18")
@pytest.mark.parametrize(
    "skill", [Skill(Way.CALL), Skill(Way.SENTENCES, 4, 5), Skill(Way.CALL, 0, 5, True, Moment(1_700_000_000_000_000, 60))]
)
def test_what_a_test_showed_is_kept_whole(skill: Skill) -> None:
    """As plain data; that of another version, or damaged, counts as none."""
    value = json.loads(json.dumps(selftest.written(skill)))
    assert selftest.read({"factor": 1.0, "learning": value}) == skill
    assert selftest.read({"learning": {**value, "version": 0}}) is None
    assert selftest.read({"learning": {**value, "way": "guess"}}) is None
    assert selftest.read({"learning": "call"}) is None
    assert selftest.read({}) is None


@pytest.mark.req("E18", "I7")
@pytest.mark.real_model
def test_the_model_of_a_fresh_machine_remembers_sentence_by_sentence() -> None:
    """It finds next to nothing in one call; over half of the cases must go right the other way."""

    async def run() -> Skill:
        model = EmbeddedModel(model_file())
        try:
            return await selftest.test(model, 300.0)
        finally:
            await model.aclose()

    skill = asyncio.run(run())
    assert (skill.way, skill.remembers) == (Way.SENTENCES, True), skill


async def say(vault: AsyncVault, talk: int, text: str) -> None:
    """One turn."""
    assert isinstance((await events(vault.reply(talk, text)))[-1], ReplyDone)


@pytest.mark.req("E18", "E1", "E15")
def test_a_vault_learns_by_the_way_that_was_chosen_and_tests_once(tmp_path: pathlib.Path) -> None:
    """The fact is the same kind of fact; replies in between, which keep what they learn of the model too, lose nothing."""
    counts: list[int] = []
    with server_of(lambda _: "I am sorry.", chances=True) as server:

        async def work(vault: AsyncVault) -> None:
            talk = await vault.conversations.create()
            await say(vault, talk.id, "I play the cello. How do I warm up?")
            (change,) = await vault.learn()
            (fact,) = await vault.facts.all()
            asked = (await vault.conversations.messages(talk.id))[0]
            assert (fact.text, fact.sources, change.messages) == ("The user plays the cello.", (asked.id,), (asked.id,))
            counts.append(sum(map(by_call, server.chats())))
            await say(vault, talk.id, "I like the cello of my neighbour too.")
            await vault.learn()
            counts.append(sum(map(by_call, server.chats())))
            profile = await vault._database.read(lambda c: kept.profile(c, f"127.0.0.1:{server.port}/fake"))
            assert selftest.read(profile) == Skill(Way.SENTENCES, 5, 5, at=vault.now())
            assert "factor" in profile

        with_vault(tmp_path, work, OpenAIModel(server.url, "fake"))
    assert counts == [5, 5], "five cases, once"


@pytest.mark.req("E18", "E2")
def test_a_message_cancels_the_self_test_and_it_goes_on(tmp_path: pathlib.Path) -> None:
    """The reply is not held up, the turn waits, and both are done afterwards; what was tried is not tried again."""
    hanging = iter([None, None, Reply("{}", hang_after=0)])
    with FakeServer() as server:
        server.on(lambda asked: next(hanging, None) if by_call(asked) else None)
        server.on(model_that(clever))

        async def work(vault: AsyncVault) -> None:
            talk = await vault.conversations.create()
            await say(vault, talk.id, "I play the cello.")
            vault.work_in_background()
            await until(lambda: sum(map(by_call, server.chats())) == 3)
            start = time.perf_counter()
            await say(vault, talk.id, "Are you there?")
            assert time.perf_counter() - start < 2.0
            await until(lambda: sum(map(by_call, server.chats())) >= 7)
            for _ in range(400):
                if not await vault.changes.waiting():
                    break
                await asyncio.sleep(0.01)
            assert [fact.text for fact in await vault.facts.all()] == ["The user plays the cello."]
            assert sum(map(by_call, server.chats())) <= 8, "two cases, the cancelled one, it and two more, the two turns"

        with_vault(tmp_path, work, OpenAIModel(server.url, "fake"))


async def until(what: Callable[[], bool]) -> None:
    """Wait for something that happens on the server; fail after a while."""
    for _ in range(1000):
        if what():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen")


@pytest.mark.req("E18")
def test_a_model_is_tried_out_on_demand(tmp_path: pathlib.Path) -> None:
    """What it showed is kept with the time, and chooses how the model is asked from then on."""

    async def work(vault: AsyncVault) -> None:
        name, before = await vault.skill()
        assert (before, name.endswith("/fake")) == (None, True)
        skill = await vault.try_out()
        assert skill == Skill(Way.SENTENCES, 5, 5, summarises=False, at=vault.now())
        assert await vault.skill() == (name, skill)

    with server_of(lambda _: "I am sorry.", chances=True) as server:
        with_vault(tmp_path, work, OpenAIModel(server.url, "fake"))
