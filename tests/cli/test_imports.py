"""ricordo import and ricordo imports: what they say and how they end."""

import pytest

from tests.cli.terminal import Terminal


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
