"""The main job, end to end, with a real model: make a vault, import nine years of a diary, ask, and get answers from it."""

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest

pytestmark = pytest.mark.real_model

PASSPHRASE = "a house in Axe Yard"


@pytest.fixture(scope="module")
def diary(tmp_path_factory: pytest.TempPathFactory, data: pathlib.Path) -> pathlib.Path:
    """A vault with the whole diary in it and whole-diary reach on, made as a person makes it."""
    vault = tmp_path_factory.mktemp("journey") / "diary.ricordo"
    ricordo(vault, "init")
    imported = ricordo(vault, "import", "--as", "diary", str(data / "pepys" / "pepys_diary.jsonl.xz"), "--json")
    assert imported["messages"] == 3415
    ricordo(vault, "settings", "whole_diary", "on")
    ricordo(vault, "settings", "reply_room", "200")
    return vault


def ricordo(vault: pathlib.Path, *words: str) -> Any:
    """Run the command as a person would; return its JSON, or what it printed."""
    environment = {**os.environ, "RICORDO_PASSPHRASE": PASSPHRASE, "RICORDO_VAULT": str(vault), "RICORDO_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "ricordo", *words], env=environment, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) if "--json" in words else done.stdout


def layer(prompt: dict[str, Any], name: str) -> str:
    """The text of a layer of a prompt."""
    return next((layer["text"] for layer in prompt["layers"] if layer["name"] == name), "")


@pytest.mark.req("R6", "W6", "S3")
def test_a_day_that_was_written_is_answered_from_its_entry(diary: pathlib.Path) -> None:
    """The great fire: the references layer holds the entry of that day, and the reply is about it."""
    question = "What did I write on 1666-09-02? Answer in two sentences."
    prompt = ricordo(diary, "prompt", question, "--json")
    assert set(prompt) == {"messages", "layers", "window"}
    assert "1666-09-02" in layer(prompt, "references")
    assert "great fire they saw in the City" in layer(prompt, "references")
    answer = ricordo(diary, "ask", question, "--json")
    assert answer["status"] == "complete", answer
    assert "fire" in answer["reply"].lower()


@pytest.mark.req("R6")
def test_a_day_that_was_not_written_is_not_made_up(diary: pathlib.Path) -> None:
    """The prompt says that nothing was found; the reply tells of no event."""
    question = "What did I write on 1671-02-03?"
    prompt = ricordo(diary, "prompt", question, "--json")
    assert "Nothing is there" in layer(prompt, "references")
    answer = ricordo(diary, "ask", question, "--json")
    said = answer["reply"].lower()
    assert any(word in said for word in ("nothing", "no entry", "not", "n't", "no record")), said
    assert not any(word in said for word in ("fire", "office", "dinner", "dined", "my wife", "church", "king")), said


@pytest.mark.req("N3", "I2")
def test_any_word_of_nine_years_is_found(diary: pathlib.Path) -> None:
    """Searching needs no model: the entry on the parmesan that was buried from the fire comes first."""
    hits = ricordo(diary, "search", "parmazan cheese pit wine", "--json")
    assert hits[0]["at"].startswith("1666-09-04")
    assert "Parmazan" in hits[0]["text"]


@pytest.mark.req("S3", "R7")
def test_a_conversation_goes_on_after_the_vault_was_locked(diary: pathlib.Path) -> None:
    """Each command unlocks and locks the vault; what was said before is in the next prompt."""
    first = ricordo(diary, "ask", "My sister Ines has a boat called Lark. Reply with one word.", "--json")
    talk = str(first["conversation"])
    prompt = ricordo(diary, "prompt", "What is the boat called?", "--conversation", talk, "--json")
    assert any("a boat called Lark" in message["content"] for message in prompt["messages"])
    second = ricordo(diary, "ask", "What is my sister's boat called?", "--conversation", talk, "--json")
    assert second["conversation"] == first["conversation"]
    assert "lark" in second["reply"].lower()
