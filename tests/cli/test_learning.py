"""changes, undo, unread, learn, with a model server over real HTTP."""

import json

import pytest

from tests.cli.terminal import Terminal
from tests.fake_server import FakeServer

ANSWER = json.dumps({"add": [{"text": "The user plays the cello.", "quote": "I play the cello"}], "rewrite": [], "remove": []})


def answer(server: FakeServer, hidden: str) -> None:
    """Have a server give this answer to hidden calls, and reply to all others."""
    server.on(lambda asked: hidden if "lasting facts" in asked.text else "Well.")


@pytest.mark.req("I2", "U2", "E1")
def test_what_is_learned_is_listed_and_undone(ricordo: Terminal, model: FakeServer) -> None:
    """`learn` says what changed, `changes` lists it, `undo` takes it back once."""
    answer(model, ANSWER)
    assert ricordo("changes", "--json").json == []
    ricordo("ask", "I play the cello.")
    assert "The user plays the cello." in ricordo("learn").out
    (change,) = ricordo("changes", "--json").json
    assert set(change) == {
        "id", "kind", "fact", "before", "after", "at", "conversation", "messages", "model", "undone",
    }  # fmt: skip
    assert (change["kind"], change["before"], change["after"]) == ("saved", None, "The user plays the cello.")
    assert ricordo("undo", f"#{change['id']}").out == "Undone: saved The user plays the cello.\n"
    assert ricordo("memories", "--json").json == []
    again = ricordo("undo", str(change["id"]))
    assert (again.code, "already" in again.err) == (2, True)
    assert ricordo("undo", "77").code == 1
    assert ricordo("learn").code == 1, "nothing waits any more"


@pytest.mark.req("I2", "E16")
def test_turns_that_cannot_be_read_are_listed(ricordo: Terminal, model: FakeServer) -> None:
    """With the reason; --again lets them be tried again."""
    answer(model, "I am sorry, I cannot do that.")
    talk = ricordo("ask", "I play the cello.", "--json").json["conversation"]
    for _ in range(3):
        ricordo("learn")
    (unread,) = ricordo("unread", "--json").json
    assert (set(unread), unread["conversation"]) == ({"message", "conversation", "reason"}, talk)
    ricordo("unread", "--again")
    assert ricordo("unread", "--json").json == []
    assert len(model.chats()) == 5, "one reply, one question to see how this model is asked, three tries"


@pytest.mark.req("I2", "E12")
def test_what_was_refused_is_listed_with_the_reason(ricordo: Terminal, model: FakeServer) -> None:
    """`runs`: a line for the reading, one for each refusal; of all as JSON."""
    answer(model, json.dumps({"add": [{"text": "The user lives in Lisbon.", "quote": "I play the cello"}]}))
    assert ricordo("runs").err == "The model has read nothing yet.\n"
    ricordo("ask", "I play the cello.")
    ricordo("learn")
    shown = ricordo("runs").out.splitlines()
    assert "0 changed, 1 refused" in shown[0]
    assert shown[1].startswith("\t\tno save\tThe user lives in Lisbon.\t")
    (run,) = ricordo("runs", "--json").json
    assert set(run) == {
        "id", "at", "model", "way", "seconds", "conversation", "messages", "changes", "refused", "failure",
    }  # fmt: skip
    (refused,) = run["refused"]
    assert (refused["kind"], refused["text"]) == ("save", "The user lives in Lisbon.")
    assert len(refused["reason"]) > 10


@pytest.mark.req("I2", "N1")
def test_a_summary_is_shown_written_anew_and_deleted(ricordo: Terminal, model: FakeServer) -> None:
    """`summary ID`; without one there is nothing to show, and exit code 1."""
    minutes = {"decisions": ["The user will paint the fence blue."], "facts": ["Otto lends the user a ladder."]}
    model.on(lambda asked: json.dumps(minutes) if "You keep the minutes" in asked.text else "Well.")
    talk = str(ricordo("ask", "I will paint the fence blue. Otto lends me a ladder.", "--json").json["conversation"])
    assert (ricordo("summary", talk).code, ricordo("summary", "77").code) == (1, 1)
    written = ricordo("summary", talk, "--again")
    assert "- Otto lends the user a ladder." in written.out
    assert ricordo("summary", talk).out == written.out
    assert set(ricordo("summary", talk, "--json").json) == {"conversation", "text", "upto", "at"}
    assert ricordo("summary", talk, "--delete").code == 0
    assert ricordo("summary", talk, "--json").json is None
    ricordo("settings", "remember", "off")
    assert ricordo("summary", talk, "--again").code == 2
