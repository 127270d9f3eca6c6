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
