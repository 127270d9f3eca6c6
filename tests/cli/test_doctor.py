"""doctor: how the vault, its disk, the model and the clock stand, with a model server over real HTTP."""

import pathlib
import shutil
from collections import namedtuple

import pytest

from tests.cli.terminal import Ended, Terminal
from tests.fake_server import FakeServer, Reply

pytestmark = pytest.mark.req("I2")


def states(ended: Ended) -> dict[str, str]:
    """Return how each thing stands."""
    return {check["name"]: check["state"] for check in ended.json["checks"]}


def says(ended: Ended, name: str) -> str:
    """Return what is said of one thing."""
    return str(next(check["says"] for check in ended.json["checks"] if check["name"] == name))


@pytest.mark.req("X3")
def test_where_all_is_well_every_line_says_so(ricordo: Terminal, model: FakeServer) -> None:
    """One line each, and 0 for scripts."""
    model.on(lambda asked: '{"colour": "green"}' if "Which colour" in asked.text else "Well.")
    ricordo("settings", "time_zone", "Europe/Rome")
    told = ricordo("doctor", "--json")
    assert (told.code, told.json["ok"]) == (0, True)
    assert set(states(told).values()) <= {"ok", "hint"}
    assert [check["name"] for check in told.json["checks"]] == [
        "vault", "file", "disk", "model", "it can", "it learns", "meaning", "learning", "clock",
    ]  # fmt: skip
    vault = told.json["vault"]
    assert vault["bytes"] == ricordo.vault.stat().st_size
    assert (vault["damage"], vault["version"] >= 2, vault["free"] > 0) == ("", True, True)
    assert told.json["clock"]["zone"] == "Europe/Rome"
    lines = ricordo("doctor").out.splitlines()
    assert len(lines) == len(told.json["checks"])
    assert lines[1].split("\t") == ["OK", "file", "every page is sound"]


def test_what_the_server_can_do_is_tried_and_not_believed(ricordo: Terminal, model: FakeServer) -> None:
    """Its window, JSON by a schema, probabilities, exact counting, what it says of cached tokens."""
    model.on(lambda asked: Reply('{"colour": "green"}' if "Which colour" in asked.text else "yes", alternatives={"yes": 0.9}))
    model.offers["/props"] = {"default_generation_settings": {"n_ctx": 16384}}
    can = ricordo("doctor", "--json").json["model"]
    assert (can["json"], can["probabilities"], can["tokenizer"], can["window"]) == (True, True, True, 16384)
    assert can["cached"] > 30
    assert can["seconds"] >= 0


def test_what_a_plain_server_cannot_do_is_said(vault: pathlib.Path) -> None:
    """It ignores the schema, has no probabilities, no tokenizer and a small window: said, and no failure."""
    ricordo = Terminal(vault)
    with FakeServer(offers={}, refuses=("logprobs", "json_schema"), model_fields={"max_model_len": 2048}) as server:
        ricordo("model", "use", server.url)
        server.on(lambda asked: Reply("Grass is green.", usage=False))
        told = ricordo("doctor", "--json")
    can = told.json["model"]
    assert (can["json"], can["probabilities"], can["tokenizer"], can["cached"]) == (False, False, False, None)
    assert (told.code, states(told)["it can"]) == (0, "hint")
    assert "window 2,048. That is small" in says(told, "it can")


@pytest.mark.req("E18")
def test_what_the_model_learns_is_told_once_it_was_tried(ricordo: Terminal, model: FakeServer) -> None:
    """First it says how to try it out; then with how many cases went right, and when."""
    model.on(lambda asked: "Well.")
    assert "remembers not tried, summarises not tried. `ricordo doctor --test`" in says(ricordo("doctor", "--json"), "it learns")
    after = ricordo("doctor", "--test", "--json").json
    assert (after["model"]["remembers"], after["model"]["summarises"], after["model"]["right"]) == (False, False, 0)
    shown = ricordo("doctor").out
    assert f"remembers ✗ (0 of 5), summarises ✗, tested {after['model']['tested'][:10]}" in shown


@pytest.mark.req("E16")
def test_what_waits_and_what_failed_is_told(ricordo: Terminal, model: FakeServer) -> None:
    """Turns that wait, turns that could not be read, and what to do about them."""
    model.on(lambda asked: "I cannot." if "lasting facts" in asked.text else "Well.")
    talk = ricordo("ask", "I play the cello.", "--json").json["conversation"]
    for _ in range(3):
        ricordo("learn")
    ricordo("ask", "I keep bees.", "--conversation", str(talk))
    told = ricordo("doctor", "--json")
    assert told.json["learning"] == {"on": True, "waiting": 1, "unread": 1}
    assert told.json["vault"]["messages"] == 4
    assert "`ricordo unread --again`" in says(told, "learning")


@pytest.mark.req("X3")
def test_a_model_that_is_not_there_is_said_and_is_5(ricordo: Terminal) -> None:
    """The rest is told all the same."""
    ricordo("model", "use", "http://127.0.0.1:9")
    told = ricordo("doctor", "--json")
    assert (told.code, told.json["ok"], states(told)["model"]) == (5, False, "wrong")
    assert "127.0.0.1:9" in told.json["model"]["failure"]
    assert told.json["model"]["seconds"] is None
    assert states(told)["clock"] in ("ok", "hint")


@pytest.mark.req("R2", "X3")
def test_how_far_finding_by_meaning_is_told(ricordo: Terminal, model: FakeServer) -> None:
    """By which model, and how much of what is there; why not, when words alone are searched."""
    ricordo("settings", "embedder", "server")
    ricordo("ask", "I keep bees behind the old mill.")
    told = ricordo("doctor", "--json")
    assert told.json["by_meaning"] == {"off": "", "model": told.json["by_meaning"]["model"], "done": 0, "total": 1}
    assert f"127.0.0.1:{model.port}" in told.json["by_meaning"]["model"]
    assert "0 of 1 excerpts and memories are found by meaning" in ricordo("doctor").out
    ricordo("settings", "embedder", "off")
    assert "Finding by meaning is off: embedder is 'off' in Settings. Words alone are searched." in ricordo("doctor").out


@pytest.mark.req("V4", "V7")
def test_a_vault_that_does_not_open_is_said_in_the_same_way(ricordo: Terminal) -> None:
    """As a line or as JSON, with the code that every command has for it."""
    for more, code, sentence in (
        ({"RICORDO_PASSPHRASE": "wrong"}, 3, "passphrase"),
        ({"RICORDO_VAULT": f"{ricordo.vault}.none"}, 4, "There is no vault"),
    ):
        told = ricordo("doctor", "--json", **more)
        assert (told.code, told.json["ok"], states(told)) == (code, False, {"vault": "wrong"})
        assert sentence in says(told, "vault")
        assert ricordo("doctor", **more).out.startswith("✗\tvault\t")


@pytest.mark.req("V4")
def test_damage_is_found_wherever_it_lies(ricordo: Terminal, model: FakeServer, tmp_path: pathlib.Path) -> None:
    """In pages that nothing else of this command reads, too; it says how to get a backup in its place."""
    diary = tmp_path / "diary.jsonl"
    diary.write_text("".join(f'{{"text": "{"Rain. " * 400}{day}", "date": "2020-01-{day:02}"}}\n' for day in range(1, 29)))
    ricordo("import", "--as", "diary", str(diary))
    whole = ricordo.vault.read_bytes()
    found = []
    for place in range(len(whole) // 2, len(whole), len(whole) // 12):
        ricordo.vault.write_bytes(whole[:place] + bytes(64) + whole[place + 64 :])
        told = ricordo("doctor", "--json")
        assert told.code == 4, place
        found.append(told)
    assert any(states(told).get("file") == "wrong" and "`ricordo restore`" in says(told, "file") for told in found)


def test_a_full_disk_is_said_before_it_hurts(ricordo: Terminal, model: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong where the next entries may not fit; a hint where a backup would not."""
    usage = namedtuple("usage", "total used free")
    size = ricordo.vault.stat().st_size
    for free, state, code in ((50 << 20, "wrong", 4), ((200 << 20) + size // 2, "hint", 0), (1 << 40, "ok", 0)):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, free=free: usage(1 << 41, 0, free))
        told = ricordo("doctor", "--json")
        assert (told.code, states(told)["disk"]) == (code, state)


@pytest.mark.req("R6")
def test_a_clock_that_jumped_back_is_noticed(ricordo: Terminal, model: FakeServer, tmp_path: pathlib.Path) -> None:
    """An entry of tomorrow means that today's date is wrong, or that entry's."""
    diary = tmp_path / "diary.jsonl"
    diary.write_text('{"text": "From the future", "date": "2199-01-01T10:00:00+00:00"}\n')
    ricordo("import", "--as", "diary", str(diary))
    told = ricordo("doctor", "--json")
    assert (told.code, states(told)["clock"]) == (1, "wrong")
    assert "2199-01-01" in says(told, "clock")
