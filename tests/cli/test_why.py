"""why: what the model saw for a reply, with a model server over real HTTP."""

import os
import subprocess
import sys

import pytest

from ricordo.prompt import ChatMessage
from tests.cli.terminal import ROOT, Terminal, environment
from tests.explained import FACT, HARP, QUESTION, SEARCH, TUNER, answer
from tests.fake_server import Asked, FakeServer

EXACT = {
    "message", "asked", "conversation", "model", "at", "window_tokens", "reply_room", "layers", "usage", "timings", "window",
    "facts", "references", "recalled", "searches", "by_meaning", "candidates", "steps",
}  # fmt: skip


def answered(asked: Asked) -> str:
    """Answer as the model of these talks does."""
    return answer(tuple(ChatMessage(each["role"], each["content"]) for each in asked.messages))


@pytest.fixture
def reply(ricordo: Terminal, model: FakeServer) -> int:
    """The id of a reply that was made with an entry from another conversation."""
    model.on(answered)
    for name, value in (("embedder", "off"), ("whole_diary", "on"), ("global_memories", "on"), ("foreground_seconds", "60")):
        assert ricordo("settings", name, value).code == 0
    ricordo("remember", FACT)
    for text in (HARP, TUNER):
        ricordo("ask", text)
    return int(ricordo("ask", QUESTION, "--json").json["message"])


@pytest.mark.req("B8", "I2")
def test_why_tells_what_was_sent_and_what_was_dropped(ricordo: Terminal, reply: int) -> None:
    """For a person in sections, for programs as one document; `last` is the latest reply."""
    told = ricordo("why", str(reply), "--json").json
    assert set(told) == EXACT
    assert told["searches"] == [QUESTION, SEARCH]
    assert [each["text"] for each in told["facts"]] == [FACT]
    by_text = {each["found"]["text"]: each for each in told["candidates"]}
    assert (by_text[HARP]["fate"], by_text[TUNER]["fate"]) == ("sent", "dropped")
    assert told["usage"]["prompt"] > 0
    shown = ricordo("why", f"#{reply}").out
    assert ricordo("why").out == shown
    for part in (HARP, TUNER, FACT, SEARCH, "dropped by the model", "sent", "instructions", "first piece", "prompt"):
        assert part in shown


@pytest.mark.req("B8", "V8")
def test_why_knows_no_word_of_what_was_deleted(ricordo: Terminal, reply: int) -> None:
    """It says that something was there, and that the searches are no longer kept."""
    talks = ricordo("conversations", "--json").json
    elsewhere = next(each["id"] for each in talks if "Ysolde sold" in each["title"])
    assert ricordo("conversations", "delete", str(elsewhere), "--yes").code == 0
    shown = ricordo("why", str(reply)).out
    assert "(deleted since)" in shown
    assert "No longer kept" in shown
    assert "Ysolde" not in shown
    assert SEARCH not in shown
    assert ricordo("why", str(reply), "--json").json["searches"] is None


@pytest.mark.req("B8")
def test_what_has_no_explanation_is_a_sentence(ricordo: Terminal, reply: int) -> None:
    """The person's own message, no such message, no reply at all, and what is no id."""
    own = ricordo("why", str(reply - 1))
    assert (own.code, "is your own" in own.err) == (1, True)
    assert ricordo("why", "999").code == 1
    assert ricordo("why", "yesterday").code == 2
    for talk in ricordo("conversations", "--json").json:
        ricordo("conversations", "delete", str(talk["id"]), "--yes")
    assert "no reply yet" in ricordo("why").err


@pytest.mark.req("B8")
def test_why_is_readable_in_80_columns(ricordo: Terminal, reply: int) -> None:
    """At a terminal of that width no line is broken by the terminal itself."""
    reader, terminal = os.openpty()
    command = [sys.executable, "-m", "ricordo", "why", str(reply)]
    with os.fdopen(reader, "rb", buffering=0) as screen:
        process = subprocess.Popen(
            command, stdout=terminal, stderr=terminal, env=environment(ricordo.vault, COLUMNS="80", TERM="dumb"), cwd=ROOT
        )
        os.close(terminal)
        seen = b""
        try:
            while piece := screen.read(65536):
                seen += piece
        except OSError:
            pass  # how Linux says that the other end was closed
        assert process.wait(30) == 0, seen
    lines = seen.decode().splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("Found") for line in lines)
