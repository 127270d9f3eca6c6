"""doctor: how the vault and the model stand, with a model server over real HTTP."""

import pytest

from tests.cli.terminal import Terminal
from tests.fake_server import FakeServer


@pytest.mark.req("I2", "E18")
def test_what_the_model_can_do_is_told_once_it_was_tried(ricordo: Terminal, model: FakeServer) -> None:
    """First it says how to try it out; then with how many cases went right, and when."""
    model.on(lambda asked: "Well.")
    before = ricordo("doctor")
    assert "remembers not tried, summarises not tried" in before.out
    assert "`ricordo doctor --test`" in before.err
    after = ricordo("doctor", "--test", "--json").json
    assert (after["model"]["remembers"], after["model"]["summarises"], after["model"]["right"]) == (False, False, 0)
    shown = ricordo("doctor").out
    assert f"remembers ✗ (0 of 5), summarises ✗, tested {after['model']['tested'][:10]}" in shown


@pytest.mark.req("I2", "E16")
def test_what_waits_and_what_failed_is_told(ricordo: Terminal, model: FakeServer) -> None:
    """Turns that wait, turns that could not be read, and what to do about them."""
    model.on(lambda asked: "I cannot." if "lasting facts" in asked.text else "Well.")
    talk = ricordo("ask", "I play the cello.", "--json").json["conversation"]
    for _ in range(3):
        ricordo("learn")
    ricordo("ask", "I keep bees.", "--conversation", str(talk))
    found = ricordo("doctor", "--json").json
    assert found["learning"] == {"on": True, "waiting": 1, "unread": 1}
    assert found["vault"]["messages"] == 4
    assert "`ricordo unread --again`" in ricordo("doctor").err


@pytest.mark.req("I2", "X3")
def test_a_model_that_is_not_there_is_a_sentence(ricordo: Terminal) -> None:
    """And no failure of the command: the rest is told all the same."""
    ricordo("model", "use", "http://127.0.0.1:9")
    ended = ricordo("doctor", "--json")
    assert ended.code == 0
    assert "127.0.0.1:9" in ended.json["model"]["failure"]
    assert ended.json["model"]["seconds"] is None


@pytest.mark.req("I2", "R2", "X3")
def test_how_far_finding_by_meaning_is_told(ricordo: Terminal, model: FakeServer) -> None:
    """How much of what is there can be found by meaning; why not, when words alone are searched."""
    ricordo("settings", "embedder", "server")
    ricordo("ask", "I keep bees behind the old mill.")
    assert ricordo("doctor", "--json").json["by_meaning"] == {"off": "", "done": 0, "total": 1}
    assert "0 of 1 excerpts and memories are found by meaning" in ricordo("doctor").out
    ricordo("settings", "embedder", "off")
    assert "Finding by meaning is off: embedder is 'off' in Settings. Words alone are searched." in ricordo("doctor").out
