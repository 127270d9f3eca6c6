"""Runs of learning: what was refused can be read with its reason, and goes with the messages and facts that it quotes."""

import json
import pathlib

import apsw
import pytest

from ricordo.conversation import Role
from ricordo.errors import ModelRefused
from ricordo.events import ReplyDone
from ricordo.learn.extractor import SYSTEM
from ricordo.models.scripted import ScriptedModel
from ricordo.run import Refusal, Run
from ricordo.store import runs
from ricordo.vault import AsyncVault
from tests.vaults import events, with_vault


def proposing(*texts: str, **more: object) -> ScriptedModel:
    """A model that proposes to save just this, each time."""
    answer = json.dumps({"add": [{"text": text, "quote": ""} for text in texts], **more})
    return ScriptedModel(lambda told: answer if told[0].content == SYSTEM else "Well.")


async def say(vault: AsyncVault, text: str, talk: int | None = None) -> int:
    """One turn, learned from; returns its conversation."""
    talk = talk or (await vault.conversations.create()).id
    assert isinstance((await events(vault.reply(talk, text)))[-1], ReplyDone)
    await vault.learn()
    return talk


async def words(vault: AsyncVault) -> str:
    """All that the tables of the runs hold, as one text."""

    def job(connection: apsw.Connection) -> str:
        rows = [list(connection.execute(f"select * from {table}")) for table in ("runs", "refusals")]
        return json.dumps(rows, ensure_ascii=False)

    return await vault._database.read(job)


@pytest.mark.req("E12", "E15")
def test_each_refusal_is_kept_with_its_reason(tmp_path: pathlib.Path) -> None:
    """With how the model was asked, how long that took, and the change that was made beside it."""

    async def work(vault: AsyncVault) -> None:
        talk = await say(vault, "I keep bees. Please water the plants.")
        (change,) = await vault.changes.all()
        (run,) = await vault.changes.runs()
        asked = (await vault.conversations.messages(talk))[0]
        assert (run.conversation, run.messages, run.changes) == (talk, (asked.id,), (change.id,))
        assert (run.model, run.way, run.failure, run.at) == (change.model, "call", "", change.at)
        assert 0 < run.seconds < 20
        assert [(each.kind, each.text) for each in run.refused] == [
            ("remove", ""),
            ("save", "The user lives in Lisbon."),
        ]
        assert all(each.reason.endswith(".") for each in run.refused)

    model = proposing("The user keeps bees.", "The user lives in Lisbon.", remove=[{"id": 7, "quote": "no more bees"}])
    with_vault(tmp_path, work, model)


@pytest.mark.req("E16", "E12")
def test_a_reading_that_came_to_nothing_is_a_run_too(tmp_path: pathlib.Path) -> None:
    """With why; so is one in which nothing was proposed."""
    answers = iter([ModelRefused("The server answered 500.", 500), "I cannot say.", "{}"])

    async def work(vault: AsyncVault) -> None:
        await say(vault, "I keep bees.")
        await vault.learn()
        await vault.learn()
        assert [run.failure != "" for run in await vault.changes.runs()] == [False, True, True]
        assert (await vault.changes.runs())[-1].failure == "The server answered 500."
        assert len(await vault.changes.runs(1)) == 1

    with_vault(tmp_path, work, ScriptedModel(lambda told: next(answers) if told[0].content == SYSTEM else "Well."))


@pytest.mark.req("E8", "E12", "V8")
def test_of_a_secret_only_that_there_was_one_is_kept(tmp_path: pathlib.Path) -> None:
    """Neither its text nor the words of the person."""

    async def work(vault: AsyncVault) -> None:
        await say(vault, "My wifi password is k9x2m4qp.")
        ((refused,),) = [run.refused for run in await vault.changes.runs()]
        assert refused == Refusal("save", "", "", "It looks like a secret.")
        assert "k9x2m4qp" not in await words(vault)

    with_vault(tmp_path, work, proposing("The user's wifi password is k9x2m4qp."))


@pytest.mark.req("V8", "S4", "E17")
@pytest.mark.parametrize("what", ["message", "conversation", "fact", "reply"])
def test_what_is_deleted_goes_from_the_runs(tmp_path: pathlib.Path, what: str) -> None:
    """The words of a deleted message, of a conversation, and of a fact: also where a later run named it."""

    async def work(vault: AsyncVault) -> None:
        talk = await say(vault, "I keep bees. It is a fine thing to do in the morning.")
        await say(vault, "I keep bees.", talk)
        assert "It is known already: “The user keeps bees.”" in await words(vault)
        assert "Lisbon" in await words(vault)
        asked = [message for message in await vault.conversations.messages(talk) if message.role is Role.USER]
        (fact,) = await vault.facts.all()
        match what:
            case "message":
                for message in asked:
                    await vault.conversations.delete_message(message.id)
                assert await vault.changes.runs() == []
            case "conversation":
                await vault.conversations.delete(talk)
                assert await vault.changes.runs() == []
            case "fact":
                await vault.facts.delete(fact.id)
                assert len(await vault.changes.runs()) == 2
                assert "bees" not in await words(vault)
                assert (await vault.changes.runs())[-1].changes == ()
            case _:
                await vault.conversations.delete_message(asked[0].id + 1)
                assert len(await vault.changes.runs()) == 2, "a reply is no message that was read for facts"

    with_vault(tmp_path, work, proposing("The user keeps bees.", "The user lives in Lisbon."))


@pytest.mark.req("E17", "V8")
def test_what_the_person_did_away_with_is_not_kept_as_a_refusal(tmp_path: pathlib.Path) -> None:
    """That it was refused again is told, without its words."""

    async def work(vault: AsyncVault) -> None:
        talk = await say(vault, "I keep bees.")
        (fact,) = await vault.facts.all()
        asked = (await vault.conversations.messages(talk))[0]
        await vault.facts.delete(fact.id)
        now = vault.now()
        await vault._database.write(
            lambda c: c.execute("insert into waiting (message, conversation, since) values (?, ?, ?)", (asked.id, talk, now.utc))
        )
        await vault.learn()
        run, _ = await vault.changes.runs()
        assert [(each.text, each.quote) for each in run.refused] == [("", "")]
        assert "bees" not in await words(vault)

    with_vault(tmp_path, work, proposing("The user keeps bees."))


@pytest.mark.req("E12", "V8")
def test_the_last_runs_are_kept_and_none_of_a_message_that_is_gone(tmp_path: pathlib.Path) -> None:
    """Two hundred of them; a message deleted while it was read leaves nothing."""

    async def work(vault: AsyncVault) -> None:
        talk = (await vault.conversations.create()).id
        entry = await vault.write(talk, "I keep bees.")
        refused = (Refusal("save", "The user keeps wasps.", "wasps", "No."),)

        def job(connection: apsw.Connection) -> list[Run]:
            run = Run(0, vault.now(), "scripted", talk, (entry.id,), "call", 0.5, refused=refused)
            for _ in range(runs.KEPT + 5):
                runs.record(connection, run)
            runs.record(connection, Run(0, vault.now(), "scripted", talk, (entry.id, 99), "call", 0.5, refused=refused))
            return runs.listed(connection)

        kept = await vault._database.write(job)
        assert (len(kept), {run.refused for run in kept}, {run.messages for run in kept}) == (runs.KEPT, {refused}, {(entry.id,)})
        assert kept[0].id - kept[-1].id == runs.KEPT - 1
        await vault.conversations.delete(talk)
        assert await words(vault) == "[[], []]"

    with_vault(tmp_path, work)
