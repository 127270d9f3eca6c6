"""The sync face: the same vault for callers without an event loop."""

import pathlib

import pytest

from ricordo import Vault
from ricordo.errors import VaultLocked, WrongPassphrase
from ricordo.events import MessageStored, ReplyDone, TextDelta
from ricordo.models.scripted import ScriptedModel
from scripts.write_sync import SOURCE, written
from tests.vaults import CHEAP, PASSPHRASE


@pytest.mark.req("I1")
def test_a_vault_is_made_written_in_and_opened_again(tmp_path: pathlib.Path) -> None:
    """In plain code, with a stream that is an ordinary generator."""
    path = tmp_path / "diary.ricordo"
    with Vault.create(path, PASSPHRASE, cost=CHEAP, model=ScriptedModel("Good morning!")) as vault:
        recovery_key = vault.recovery_key
        talk = vault.conversations.create("First")
        seen = list(vault.reply(talk.id, "Good morning"))
        assert isinstance(seen[0], MessageStored)
        assert isinstance(seen[-1], ReplyDone)
        assert vault.set(whole_diary=True).whole_diary
    with pytest.raises(WrongPassphrase):
        Vault.open(path, "something else")
    assert recovery_key is not None
    with Vault.open(path, recovery_key) as vault:
        assert vault.recovery_key is None
        assert vault.settings.whole_diary
        assert [m.text for m in vault.conversations.messages(talk.id)] == ["Good morning", "Good morning!"]
        vault.close()
    with pytest.raises(VaultLocked):
        vault.spaces.all()


@pytest.mark.req("I1")
def test_leaving_a_reply_early_stops_it(tmp_path: pathlib.Path) -> None:
    """Breaking out of the loop keeps what came, as closing the stream does."""
    model = ScriptedModel("word " * 500, delay=0.001)
    with Vault.create(tmp_path / "diary.ricordo", PASSPHRASE, cost=CHEAP, model=model) as vault:
        talk = vault.conversations.create()
        stream = vault.reply(talk.id, "Go on")
        for event in stream:
            if isinstance(event, TextDelta):
                break
        stream.close()
        assert vault.conversations.messages(talk.id)[-1].status == "stopped"


def test_the_sync_face_is_up_to_date() -> None:
    """It is written from the async core; run scripts/write_sync.py after changing that."""
    assert {file: (SOURCE / file).read_text() for file in written()} == written()


def test_stopping_from_another_thread_reaches_the_reply(tmp_path: pathlib.Path) -> None:
    """`stop` runs where the event loop runs, so that the reply notices at once."""
    model = ScriptedModel("word " * 5000, delay=0.001)
    with Vault.create(tmp_path / "diary.ricordo", PASSPHRASE, cost=CHEAP, model=model) as vault:
        talk = vault.conversations.create()
        assert not vault.stop(talk.id)
        last = None
        for number, event in enumerate(vault.reply(talk.id, "Go on")):
            if number == 5:
                assert vault.stop(talk.id)
            last = event
        assert isinstance(last, ReplyDone)
        assert last.message.status == "stopped"


@pytest.mark.req("I1")
def test_a_model_of_ones_own_gets_memory_and_is_learned_from(tmp_path: pathlib.Path) -> None:
    """Prepared messages go to it, its reply is recorded; the next turn is known to go on."""
    with Vault.create(tmp_path / "diary.ricordo", PASSPHRASE, cost=CHEAP, model=ScriptedModel()) as vault:
        messages = [{"role": "user", "content": "I like figs."}]
        prepared = vault.prepare(messages)
        assert [message["role"] for message in prepared.messages] == ["system", "user"]
        reply = vault.record(prepared, "So do I.", model="mine")
        assert reply is not None and (reply.text, reply.model) == ("So do I.", "mine")
        again = vault.prepare(
            [*messages, {"role": "assistant", "content": "So do I."}, {"role": "user", "content": "And plums?"}]
        )
        assert again.conversation == prepared.conversation
        assert vault.changes.waiting() == 1
