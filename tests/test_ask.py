"""Asking and getting the whole reply: the shortest way to use the library."""

import pathlib
import subprocess
import sys

import pytest

import ricordo
from ricordo import Vault, local_models
from ricordo.errors import InvalidInput, ModelError, ModelUnreachable, NotFound
from ricordo.models.scripted import ScriptedModel
from tests.vaults import CHEAP, PASSPHRASE

pytestmark = pytest.mark.req("I1")


def made(folder: pathlib.Path, *script: str | Exception) -> Vault:
    return Vault.create(folder / "diary.ricordo", PASSPHRASE, cost=CHEAP, model=ScriptedModel(*script))


def test_asking_returns_the_reply_and_goes_on_where_it_was_said(tmp_path: pathlib.Path) -> None:
    """A new conversation begins unless one is named; the reply knows which it is."""
    with made(tmp_path, "Good morning!", "Plums.", "Elsewhere.") as vault:
        first = vault.ask("Good morning")
        second = vault.ask("What is ripe?", first.conversation)
        third = vault.ask("Something else")
        assert (first.text, second.text, second.conversation) == ("Good morning!", "Plums.", first.conversation)
        assert third.conversation != first.conversation
        texts = [message.text for message in vault.conversations.messages(first.conversation)]
        assert texts == ["Good morning", "Good morning!", "What is ripe?", "Plums."]


def test_a_reply_that_does_not_come_is_an_error_and_the_message_stays(tmp_path: pathlib.Path) -> None:
    """With the sentence that the page would show."""
    with made(tmp_path, ModelUnreachable("Nothing answers there. Start the server.")) as vault:
        with pytest.raises(ModelError, match="Start the server"):
            vault.ask("Are you there?")
        (talk,) = vault.conversations.all()
        assert [message.text for message in vault.conversations.messages(talk.id)] == ["Are you there?"]


def test_asking_nothing_begins_no_conversation(tmp_path: pathlib.Path) -> None:
    """Nor does asking in one that is not there."""
    with made(tmp_path, "Yes.") as vault:
        with pytest.raises(InvalidInput):
            vault.ask("  ")
        with pytest.raises(NotFound):
            vault.ask("Hello", 77)
        assert vault.conversations.all() == []


def test_the_model_is_fetched_with_a_bar_only_where_it_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The public function tells its caller's own progress; a file in place asks for nothing."""
    told: list[object] = []
    monkeypatch.setattr(local_models, "fetch", lambda progress=None: told.append(progress) or pathlib.Path("a.gguf"))
    monkeypatch.setattr(local_models, "model_file", lambda: None)
    assert ricordo.fetch_model() == pathlib.Path("a.gguf")
    assert callable(told[-1])
    mine = lambda done, total: None  # noqa: E731
    ricordo.fetch_model(mine)
    assert told[-1] is mine
    monkeypatch.setattr(local_models, "model_file", lambda: pathlib.Path("a.gguf"))
    ricordo.fetch_model()
    assert told[-1] is None


def test_importing_the_package_loads_nothing_until_a_name_is_used() -> None:
    """Not the database, not an HTTP client."""
    program = "import sys, ricordo; print([m for m in ('apsw', 'httpx2', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
