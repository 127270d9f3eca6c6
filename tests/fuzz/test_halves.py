"""Halves of characters, which no database takes: put together, kept as a sign, or refused in a sentence."""

import json
import pathlib
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ricordo.conversation import Attachment
from ricordo.errors import InvalidInput, NotFound
from ricordo.events import ReplyDone
from ricordo.fact import Global
from ricordo.letters import kept, whole
from ricordo.models.answers import ThoughtSplitter
from ricordo.models.base import Text
from ricordo.models.openai_api import OpenAIModel
from ricordo.models.scripted import ScriptedModel
from ricordo.vault import AsyncVault
from tests.fake_server import FakeServer, Reply
from tests.server.proxied import Proxied, through
from tests.vaults import events, with_vault

HALF = "a\ud800 long day by the harbour"
AS_JSON = {"content-type": "application/json"}
SHOWN = "a\ufffd long day by the harbour"


@pytest.mark.req("X3", "S5")
def test_halves_are_put_together_and_one_alone_becomes_a_sign() -> None:
    """Whatever is whole already stays just as it is."""
    assert whole("\ud83d\ude00 \ud83d") == "\U0001f600 \ufffd"
    assert kept(HALF) == SHOWN


@pytest.mark.req("X3")
@given(some.text(), some.lists(some.integers(0, 40)))
def test_an_emoji_that_is_cut_in_two_is_one(text: str, cuts: list[int]) -> None:
    """Wherever a server cuts its reply, also in the middle of a character."""
    halves = "".join(chr(int.from_bytes(pair, "little")) for pair in _pairs(text))
    places = sorted(min(cut, len(halves)) for cut in cuts)
    splitter = ThoughtSplitter()
    pieces = [halves[start:stop] for start, stop in zip([0, *places], [*places, len(halves)], strict=True)]
    found = [part for piece in pieces for part in splitter.feed(piece)] + splitter.finish()
    assert "".join(part.text for part in found if isinstance(part, Text)) == text


def _pairs(text: str) -> list[bytes]:
    raw = text.encode("utf-16-le")
    return [raw[at : at + 2] for at in range(0, len(raw), 2)]


@pytest.mark.req("X3", "S3")
def test_a_reply_with_halves_is_kept(tmp_path: pathlib.Path) -> None:
    """Cut in two by its server, or left alone; in its reasoning too."""

    async def work(vault: AsyncVault) -> None:
        talk = await vault.conversations.create()
        done = (await events(vault.reply(talk.id, "How was it?")))[-1]
        assert isinstance(done, ReplyDone), done
        assert done.message.text == "Good \U0001f600 and \ufffd."

    with FakeServer() as server:
        server.script(Reply(chunks=("Good \ud83d", "\ude00 and ", "\ud83d", "."), thought="\ud83d"))
        with_vault(tmp_path, work, OpenAIModel(server.url, "fake-chat"))


@pytest.mark.req("X3", "I4")
def test_the_proxy_keeps_a_reply_with_halves(tmp_path: pathlib.Path) -> None:
    """And knows a conversation again by a name that holds one."""

    async def work(here: Proxied) -> None:
        sent = {
            "messages": [{"role": "user", "content": "How was it?"}],
            "stream": True,
            "metadata": {"conversation_id": "a\ud800"},
        }
        answer = await here.program.post("/chat/completions", content=json.dumps(sent), headers=AS_JSON)
        assert answer.status_code == 200
        assert (await here.shown())[-1] == ("model", "complete", "Good \U0001f600.")
        sent["messages"] = [{"role": "system", "content": "Be kind \ud800."}, *sent["messages"]]
        answer = await here.program.post("/chat/completions", content=json.dumps(sent), headers=AS_JSON)
        assert answer.status_code == 200, answer.text

    through(tmp_path, work, Reply(chunks=("Good \ud83d", "\ude00.")))


@pytest.mark.req("X3", "I1")
def test_what_a_program_hands_over_is_kept_or_refused_in_a_sentence(tmp_path: pathlib.Path) -> None:
    """What is said is kept; a title, a fact, a name are refused, and nothing of them is stored."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)
        talk = (await vault.conversations.create("Diary")).id
        fact = (await vault.facts.add("Rows", Global())).id
        assert (await vault.write(talk, HALF)).text == SHOWN
        assert isinstance((await events(vault.reply(talk, HALF)))[-1], ReplyDone)
        assert await vault.search(HALF)
        refused: list[Callable[[], Awaitable[object]]] = [
            lambda: vault.write(talk, "x", [Attachment(HALF, "text/plain", HALF)]),
            lambda: vault.conversations.create(HALF),
            lambda: vault.conversations.rename(talk, HALF),
            lambda: vault.spaces.create(HALF),
            lambda: vault.spaces.named(HALF),
            lambda: vault.facts.add(HALF, Global()),
            lambda: vault.facts.edit(fact, HALF),
            lambda: vault.drafts.keep(talk, HALF),
            lambda: vault.tokens.create(HALF),
            lambda: vault.remember_for(HALF, HALF, Global()),
            lambda: vault.prepare([{"role": "user", "content": "x"}], conversation=HALF),
        ]
        for work in refused:
            with pytest.raises((InvalidInput, NotFound), match=r"\.$"):
                await work()
        assert [(each.id, each.text) for each in await vault.facts.all()] == [(fact, "Rows")]
        assert [each.title for each in await vault.conversations.all()] == ["Diary"]

    with_vault(tmp_path, work, ScriptedModel(lambda _: "Well."))
