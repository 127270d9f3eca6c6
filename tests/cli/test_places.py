"""spaces and conversations: list, make, change, delete."""

import pytest

from tests.cli.terminal import Terminal


@pytest.mark.req("I2", "S1")
def test_a_space_is_made_changed_and_deleted(ricordo: Terminal) -> None:
    """By its name, whatever its capitals; JSON has just these names."""
    made = ricordo("spaces", "create", "Work", "--instructions", "Be brief.", "--json").json
    assert set(made) == {"id", "name", "instructions", "memory", "reach", "created"}
    assert (made["name"], made["memory"], made["reach"]) == ("Work", True, "conversation")
    changed = ricordo("spaces", "change", "work", "--rename", "Job", "--memory", "off", "--reach", "space", "--json").json
    assert (changed["name"], changed["memory"], changed["reach"], changed["instructions"]) == ("Job", False, "space", "Be brief.")
    assert ricordo("spaces").out.split("\t")[1:3] == ["Job", "memory off"]
    assert ricordo("spaces", "delete", "job", "--conversations", "move").out == "Deleted: Job\n"
    assert ricordo("spaces", "--json").json == []


@pytest.mark.req("I2", "S1")
def test_deleting_a_space_asks_what_becomes_of_its_conversations(ricordo: Terminal) -> None:
    """Without a terminal to ask at it must be said; then they move out, or go too."""
    for name, leave, left in (("A", "move", 1), ("B", "delete", 1)):
        ricordo("spaces", "create", name)
        _conversation_in(ricordo, name)
        refused = ricordo("spaces", "delete", name)
        assert (refused.code, "--conversations move" in refused.err) == (2, True)
        assert ricordo("spaces", "delete", name, "--conversations", leave).code == 0
        assert len(ricordo("conversations", "--json").json) == left


@pytest.mark.req("I2", "S2", "S3", "S4")
def test_a_conversation_is_shown_renamed_moved_and_deleted(ricordo: Terminal) -> None:
    """JSON has just these names; deleting needs --yes where nobody can be asked."""
    ricordo("spaces", "create", "Work")
    key = str(_conversation_in(ricordo, None))
    assert ricordo("conversations", "rename", key, "The", "sea").out == "Renamed: The sea\n"
    moved = ricordo("conversations", "move", f"#{key}", "--space", "Work", "--json").json
    assert set(moved) == {"id", "title", "space", "created", "updated", "messages"}
    assert (moved["title"], moved["space"], moved["messages"]) == ("The sea", 1, 1)
    assert ricordo("conversations", "move", key).out == "Moved: The sea out of any Space\n"
    assert "Blue." in ricordo("conversations", "show", key).out
    refused = ricordo("conversations", "delete", key)
    assert (refused.code, "--yes" in refused.err) == (2, True)
    assert ricordo("conversations", "delete", key, "--yes").out == "Deleted: The sea\n"
    assert ricordo("conversations", "--json").json == []


@pytest.mark.req("I2")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("conversations", "show", "99"), 1),
        (("conversations", "show", "first"), 2),
        (("conversations", "rename", "99", "x"), 1),
        (("conversations", "delete", "99", "--yes"), 1),
        (("ask", "x", "--conversation", "last"), 1),
        (("ask", "x", "--conversation", "9" * 40), 2),
        (("ask", "x", "--space", "Nowhere"), 1),
        (("spaces", "change", "Nowhere"), 1),
        (("spaces", "create", " "), 2),
    ],
)
def test_what_is_not_there_is_told_in_a_sentence(ricordo: Terminal, arguments: tuple[str, ...], code: int) -> None:
    """One line on stderr, nothing on stdout, and nothing is made."""
    ended = ricordo(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert len(ended.err.splitlines()) == 1
    assert "Traceback" not in ended.err
    assert ricordo("conversations", "--json").json == []


def _conversation_in(ricordo: Terminal, space: str | None) -> int:
    """Make a conversation of one message, by importing it, and move it."""
    path = ricordo.vault.parent / f"entries {space}.jsonl"
    path.write_text(f'{{"date": "2024-05-03", "text": "Blue. {space}"}}\n')
    key = int(ricordo("import", "--as", "diary", str(path), "--json").json["conversation"])
    ricordo("conversations", "move", str(key), *(["--space", space] if space else []))
    return key
