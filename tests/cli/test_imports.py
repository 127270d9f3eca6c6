"""ricordo import and ricordo imports: what they say and how they end."""

import json

import pytest

from tests.cli.terminal import Terminal
from tests.fake_server import FakeServer
from tests.transfer import files


@pytest.mark.req("I2", "I6")
def test_a_diary_is_imported_and_the_result_told(ricordo: Terminal) -> None:
    """As JSON with just these names; a second run adds nothing."""
    folder = ricordo.vault.parent / "notes"
    folder.mkdir()
    (folder / "2024-05-03.md").write_text("Rain.")
    (folder / "2024-05-04.md").write_bytes(b"\0")
    (folder / "2024-05-05 and more.md").write_text("Sun.")
    (folder / "zz.md").write_text("Undated.")
    done = ricordo("import", str(folder), "--as", "diary", "--json")
    assert done.code == 0
    assert done.json == {
        "format": "diary",
        "conversations": 1,
        "messages": 3,
        "facts": 0,
        "already_there": 0,
        "undated": 1,
        "left_out": [],
        "unreadable": ["2024-05-04.md: it is not a text file"],
        "import": 1,
        "conversation": 1,
    }
    assert "1 without a time" in done.err
    assert "2024-05-04.md" in done.err
    assert ricordo("import", str(folder), "--as", "diary").out == (
        "0 messages, 0 new conversations came in; 3 messages were there already.\n"
    )


@pytest.mark.req("I2", "I6")
def test_a_path_without_a_diary_ends_in_a_sentence(ricordo: Terminal) -> None:
    """Exit code 2, and nothing is made."""
    refused = ricordo("import", str(ricordo.vault.parent / "nowhere"))
    assert (refused.code, refused.out) == (2, "")
    assert "There is nothing at" in refused.err
    assert ricordo("conversations", "--json").json == []


@pytest.mark.req("I2", "I6")
def test_a_diary_goes_into_the_conversation_that_is_named(ricordo: Terminal) -> None:
    """Beside what is there."""
    for number, day in enumerate(("2024-05-04", "2024-05-03")):
        (ricordo.vault.parent / f"{number}.jsonl").write_text(f'{{"date": "{day}", "text": "{day}"}}\n')
    ricordo("import", str(ricordo.vault.parent / "0.jsonl"))
    ricordo("import", str(ricordo.vault.parent / "1.jsonl"), "--conversation", "last")
    shown = ricordo("conversations", "show", "1", "--json").json["messages"]
    assert [message["text"] for message in shown] == ["2024-05-03", "2024-05-04"]


def export(ricordo: Terminal) -> str:
    """Write an export of ChatGPT and return where it is."""
    talks = [files.simple("one", "I planted figs by the wall.", "Good."), files.simple("two", "Hello there")]
    return str(files.packed(ricordo.vault.parent / "export.zip", conversations_json=talks, user_json={}))


@pytest.mark.req("I2", "I6")
def test_an_export_is_looked_through_before_it_comes_in(ricordo: Terminal) -> None:
    """--dry-run stores nothing and says what would come; then it comes, told by its content, and a second time nothing does."""
    path = export(ricordo)
    seen = ricordo("import", path, "--dry-run", "--json")
    assert seen.json == {
        "format": "chatgpt",
        "conversations": 2,
        "messages": 3,
        "facts": 0,
        "already_there": 0,
        "undated": 0,
        "left_out": [{"what": "other files", "count": 1}],
        "unreadable": [],
        "first": "2023-11-14T22:13:20+00:00",
        "last": "2023-11-14T22:14:20+00:00",
    }
    assert ricordo("conversations", "--json").json == []
    done = ricordo("import", path, "--as", "chatgpt")
    assert done.out == "3 messages, 2 new conversations came in; 0 messages were there already.\n"
    assert "Left out: other files (1)." in done.err
    assert "ricordo imports undo 1" in done.err
    again = ricordo("import", path, "--json").json
    assert (again["messages"], again["already_there"], again["import"]) == (0, 3, None)


@pytest.mark.req("I2", "I6")
def test_a_format_that_is_not_known_or_does_not_fit_ends_in_a_sentence(ricordo: Terminal) -> None:
    """With exit code 2."""
    path = export(ricordo)
    assert ricordo("import", path, "--as", "myspace").code == 2
    assert ricordo("import", "myspace", path).code == 2
    assert ricordo("import", "diary", path, "--as", "claude").code == 2
    refused = ricordo("import", path, "--as", "claude")
    assert (refused.code, refused.out) == (2, "")
    assert "an export of Claude" in refused.err


@pytest.mark.req("I2", "I6")
def test_imports_are_listed_and_undone_after_a_question(ricordo: Terminal) -> None:
    """The question says how much goes; anything but yes leaves it; --yes does not ask."""
    path = export(ricordo)
    ricordo("import", path)
    (one,) = ricordo("imports", "--json").json
    assert {name: one[name] for name in ("id", "format", "name", "finished", "conversations", "messages", "turns")} == {
        "id": 1, "format": "chatgpt", "name": "export.zip", "finished": True, "conversations": 2, "messages": 3, "turns": 2,
    }  # fmt: skip
    assert "#1" in ricordo("imports").out
    refused = ricordo("imports", "undo", "1", stdin="no\n")
    assert refused.code == 2
    assert "3 messages, 2 conversations and 0 memories" in refused.err
    assert len(ricordo("conversations", "--json").json) == 2
    gone = ricordo("imports", "undo", "1", "--yes", "--json")
    assert gone.json == {"messages": 3, "conversations": 2, "facts": 0}
    assert ricordo("imports", "--json").json == []
    assert ricordo("imports", "undo", "1", "--yes").code == 1
    assert "Nothing was imported yet." in ricordo("imports").err


@pytest.mark.req("I2", "I6")
def test_an_import_is_learned_from_when_asked(ricordo: Terminal, model: FakeServer) -> None:
    """Its turns are read now; paused, none is."""
    quoted = {"text": "The user planted figs by the wall.", "quote": "I planted figs by the wall"}
    hidden = json.dumps({"add": [quoted], "rewrite": [], "remove": []})
    model.on(lambda asked: hidden if "lasting facts" in asked.text else "Well.")
    ricordo("import", export(ricordo))
    paused = ricordo("learn", "--imported", "1", "--pause")
    assert paused.out == "0 of 2 turns were read, and the rest waits.\n"
    done = ricordo("learn", "--imported", "1", "--json")
    assert (done.json["import"]["turns_read"], done.json["changes"]) == (2, 1)
    assert [fact["text"] for fact in ricordo("memories", "--json").json] == ["The user planted figs by the wall."]
    assert ricordo("learn", "--imported", "9").code == 1
