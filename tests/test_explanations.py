"""How a reply came about, told afterwards: what was sent, what was found and dropped, and nothing of what was deleted since."""

import dataclasses
import json
import os
import pathlib

import pytest

from ricordo.errors import NotFound
from ricordo.events import MeterChanged, ReplyDone
from ricordo.explanation import Explanation
from ricordo.prompt import Budget, Shown, Trace
from ricordo.store import traces
from ricordo.vault import AsyncVault
from tests.explained import FACT, HARP, QUESTION, SEARCH, TUNER, clock, model, replied, talked
from tests.plaintext import hunt
from tests.vaults import with_vault

FILLER = " ".join(f"The rain of day {number} fell on the old roof until the evening." for number in range(60))


def written(explanation: Explanation) -> str:
    """Return all words of an explanation."""
    return json.dumps(dataclasses.asdict(explanation), ensure_ascii=False)


@pytest.mark.req("B8", "R4")
def test_what_was_sent_and_dropped_is_told_with_who_decided(tmp_path: pathlib.Path) -> None:
    """Searches, scores, features, verdicts, layers, tokens and times, each thing with its text as it is now."""

    async def work(vault: AsyncVault) -> None:
        reply = await talked(vault)
        told = await vault.conversations.explain(reply.id)
        assert (told.message, told.asked, told.conversation) == (reply.id, reply.parent, reply.conversation)
        assert told.searches == (QUESTION, SEARCH)
        kept, dropped = told.candidates
        assert (kept.found.text, kept.fate, kept.by, kept.search) == (HARP, "sent", "model", SEARCH)
        assert (dropped.found.text, dropped.fate, dropped.by) == (TUNER, "dropped", "model")
        assert kept.score > dropped.score
        points = [points for _, points in kept.speaks]
        assert points == sorted(points, reverse=True)
        assert 1 <= len(points) <= 3
        assert points[-1] > 0
        assert [each.text for each in told.recalled] == [HARP]
        assert [each.text for each in told.facts] == [FACT]
        assert {"instructions", "memories", "recalled", "message"} <= {name for name, tokens in told.layers if tokens > 0}
        assert [each.name for each in told.steps] == ["plan", "gather", "check"]
        assert [each.asked for each in told.steps] == [True, False, True]
        assert all(each.reason for each in told.steps)
        assert [name for name, _ in told.timings] == ["waited", "recalled", "prepared", "first piece", "replied"]
        assert told.usage.prompt is not None
        assert told.usage.cached is not None
        assert told.evaluated == told.usage.prompt - told.usage.cached
        second = await replied(vault, reply.conversation, "And what did the dealer say?")
        window = (await vault.conversations.explain(second.id)).window
        assert [each.text for each in window] == [QUESTION, reply.text]

    with_vault(tmp_path, work, model(), clock())


@pytest.mark.req("B8", "B4")
def test_what_was_shortened_says_how(tmp_path: pathlib.Path) -> None:
    """A long memory stands with the beginning of its best piece, how it was shortened and to how many tokens."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(whole_diary=True, embedder="off", window=2048)
        elsewhere = (await vault.conversations.create()).id
        await vault.write(elsewhere, f"{FILLER}\n\n{HARP} {FILLER}")
        reply = await replied(vault, (await vault.conversations.create()).id, QUESTION)
        told = await vault.conversations.explain(reply.id)
        (found,) = told.candidates
        assert found.fate == "sent"
        assert found.shortened in ("piece", "model", "cut")
        assert found.share
        assert found.found.text.startswith("… ")
        assert len(found.found.text) < 170
        assert told.recalled == (found.found,)

    with_vault(tmp_path, work, model(), clock())


@pytest.mark.req("B8", "R4")
def test_each_fate_and_each_way_of_deciding_is_told(tmp_path: pathlib.Path) -> None:
    """Kept with no room for it, kept by its score, left out by a rule; with the model's probability where it told one."""

    async def work(vault: AsyncVault) -> None:
        talk = (await vault.conversations.create()).id
        for text in (HARP, TUNER, QUESTION):
            await vault.write(talk, text)
        reply = await replied(vault, talk, "Well?")
        found = [
            {"message": key, "score": 1.0, "fit": 0.5, "search": "harp", "speaks": {"words": 2.0, "asks": -0.9}}
            for key in (1, 2, 3)
        ]
        verdicts = [
            {"kept": True, "by": "model", "probability": 0.61},
            {"kept": True, "by": "score"},
            {"kept": False, "by": "rule"},
        ]
        steps = (
            {"step": "plan", "seconds": 0.1, "searches": ["harp"], "reason": "No model was asked.", "asked": False},
            {"step": "gather", "seconds": 0.1, "by_meaning": True, "candidates": found},
            {"step": "check", "seconds": 0.1, "reason": "So it is.", "asked": 1, "verdicts": verdicts},
            {"step": "shorten", "seconds": 0.1, "message": 2, "by": "model", "reason": "", "share": 90},
        )
        trace = Trace((("message", 9),), Budget(2048, 512), Shown(recalled=(2,)), steps=steps)
        await vault._database.write(lambda c: traces.put(c, reply.id, trace))
        told = await vault.conversations.explain(reply.id)
        assert [(each.fate, each.by, each.probability) for each in told.candidates] == [
            ("no room", "model", 0.61),
            ("sent", "score", None),
            ("dropped", "rule", None),
        ]
        assert [each.shortened for each in told.candidates] == ["whole", "model", "whole"]
        assert told.candidates[1].share == 90
        assert told.candidates[0].speaks == (("words", 2.0),)
        assert told.by_meaning
        assert told.evaluated is None

    with_vault(tmp_path, work, model(), clock())


@pytest.mark.req("B8")
def test_what_has_no_trace_says_why(tmp_path: pathlib.Path) -> None:
    """The person's own message, a reply from before, a message that is not there: each a sentence."""

    async def work(vault: AsyncVault) -> None:
        reply = await talked(vault)
        assert reply.parent is not None
        with pytest.raises(NotFound, match=r"is your own\. Ask about the reply"):
            await vault.conversations.explain(reply.parent)
        with pytest.raises(NotFound, match="There is no message 99"):
            await vault.conversations.explain(99)
        await vault._database.write(lambda c: c.execute("delete from traces"))
        with pytest.raises(NotFound, match="was not kept"):
            await vault.conversations.explain(reply.id)

    with_vault(tmp_path, work, model(), clock())


@pytest.mark.req("B8", "V8")
def test_a_deleted_message_leaves_no_word_in_the_traces(tmp_path: pathlib.Path) -> None:
    """Neither its own nor a search that may quote it, in whatever conversation it was shown; that it was there stays."""

    async def work(vault: AsyncVault) -> None:
        reply = await talked(vault)
        await vault.conversations.delete_message(1)
        told = await vault.conversations.explain(reply.id)
        assert told.searches is None
        assert (told.recalled[0].id, told.recalled[0].state, told.recalled[0].text) == (1, "deleted", "")
        assert told.candidates[0].found == told.recalled[0]
        assert told.candidates[1].found.text == TUNER
        assert told.candidates[0].fate == "sent"
        assert "Ysolde" not in written(told)
        assert SEARCH not in written(told)
        (trace,) = await vault._database.read(lambda c: c.execute("select value from traces").fetchall())
        assert "harpsichord" not in trace[0]
        assert "Ysolde" not in trace[0]

    with_vault(tmp_path, work, model(), clock())


@pytest.mark.req("B8", "V8")
def test_facts_are_shown_as_they_are_now(tmp_path: pathlib.Path) -> None:
    """One that was reworded since says so, one that was deleted is a number, and no search that may tell of it stays."""

    async def work(vault: AsyncVault) -> None:
        reply = await talked(vault)
        (fact,) = await vault.facts.all()
        await vault.facts.pin(fact.id)
        assert (await vault.conversations.explain(reply.id)).facts[0].state == "there"
        await vault.facts.edit(fact.id, "The user owns a spinet")
        changed = (await vault.conversations.explain(reply.id)).facts[0]
        assert (changed.state, changed.text) == ("changed", "The user owns a spinet")
        await vault.facts.delete(fact.id)
        told = await vault.conversations.explain(reply.id)
        assert (told.facts[0].id, told.facts[0].state, told.facts[0].text) == (fact.id, "deleted", "")
        assert told.searches is None
        assert "spinet" not in written(told)
        assert SEARCH not in written(told)

    with_vault(tmp_path, work, model(), clock())


@pytest.mark.req("B8", "V8")
def test_what_is_deleted_while_a_reply_is_made_leaves_no_word_either(tmp_path: pathlib.Path) -> None:
    """The trace that is kept then names it, and says nothing of what was searched for."""

    async def work(vault: AsyncVault) -> None:
        await talked(vault)
        async for event in vault.reply(2, "And who sold the harpsichord?"):
            if isinstance(event, MeterChanged):
                await vault.conversations.delete_message(1)
        assert isinstance(event, ReplyDone)
        told = await vault.conversations.explain(event.message.id)
        assert told.recalled[0].state == "deleted"
        assert told.searches is None
        assert SEARCH not in written(told)

    with_vault(tmp_path, work, model(), clock())


@pytest.mark.req("B8", "V1")
def test_traces_lie_encrypted(tmp_path: pathlib.Path) -> None:
    """No file that the open vault leaves or touches holds a search."""

    async def work(vault: AsyncVault) -> None:
        reply = await talked(vault)
        assert (await vault.conversations.explain(reply.id)).searches
        read, guilty = hunt(tmp_path, os.getpid(), SEARCH.encode())
        assert "diary.ricordo" in read
        assert not guilty

    with_vault(tmp_path, work, model(), clock())
