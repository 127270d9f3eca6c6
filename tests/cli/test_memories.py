"""remember, memories, forget, search: what they do, what they print, how they end."""

import asyncio

import pytest

from ricordo.fact import Global
from ricordo.vault import AsyncVault
from tests.cli.terminal import Terminal
from tests.vaults import PASSPHRASE


@pytest.fixture
def keeping(ricordo: Terminal) -> Terminal:
    """The command line over a vault with global memories on."""
    assert ricordo("settings", "global_memories", "on").code == 0
    return ricordo


@pytest.mark.req("I2", "F5")
def test_what_is_remembered_is_listed_newest_first(keeping: Terminal) -> None:
    """As JSON with just these names."""
    assert keeping("remember", "I", "like", "figs.").out == "Remembered: #1 I like figs.\n"
    assert keeping("remember", "--json", "My cat is called Miro.").json["id"] == 2
    cat, figs = keeping("memories", "--json").json
    assert set(figs) == {"id", "text", "origin", "home", "pinned", "shared", "saved", "sent"}
    assert (figs["text"], figs["origin"], figs["home"], figs["sent"]) == ("I like figs.", "user", {"kind": "global"}, True)
    assert cat["text"] == "My cat is called Miro."
    assert [line.split("\t")[3] for line in keeping("memories").out.splitlines()] == ["My cat is called Miro.", "I like figs."]


@pytest.mark.req("I2", "W3", "F5")
def test_while_global_memories_are_off_nothing_is_saved_and_the_way_to_turn_them_on_is_told(ricordo: Terminal) -> None:
    """Exit code 2, and the list stays empty."""
    refused = ricordo("remember", "I like figs.")
    assert refused.code == 2
    assert "settings global_memories on" in refused.err
    assert ricordo("memories", "--json").json == []


@pytest.mark.req("I2", "W3", "B2")
def test_a_memory_that_is_not_sent_is_marked(keeping: Terminal) -> None:
    """After the switch was turned off, or past the limit of a list."""
    keeping("remember", "I like figs.")
    keeping("settings", "global_memories", "off")
    assert keeping("memories", "--json").json[0]["sent"] is False
    assert "not sent" in keeping("memories").out


@pytest.mark.req("I2", "B2")
def test_past_the_limit_of_a_list_the_oldest_are_not_sent(keeping: Terminal) -> None:
    """Sixty are; a pinned one stays among them."""

    async def fill() -> None:
        async with await AsyncVault.open(keeping.vault, PASSPHRASE) as vault:
            await vault.facts.add("Pinned.", Global(), pinned=True)
            for number in range(61):
                await vault.facts.add(f"Fact {number}.", Global())

    asyncio.run(fill())
    told = keeping("memories", "--json").json
    assert [fact["text"] for fact in told if not fact["sent"]] == ["Fact 1.", "Fact 0."]


@pytest.mark.req("I2", "F3")
def test_a_fact_can_be_kept_in_a_space_or_pinned_in_a_conversation(ricordo: Terminal) -> None:
    """Each list shows what is at home there."""
    ricordo("spaces", "create", "Work")
    ricordo("import", "--as", "diary", str(_diary(ricordo)))
    assert ricordo("remember", "--space", "work", "I lead the north team.").code == 0
    pinned = ricordo("--conversation", "last", "remember", "This is about the sea.", "--json").json
    assert (pinned["home"], pinned["pinned"]) == ({"kind": "conversation", "conversation": 1}, True)
    assert [fact["text"] for fact in ricordo("memories", "--space", "Work", "--json").json] == ["I lead the north team."]
    assert [fact["text"] for fact in ricordo("memories", "--conversation", "1", "--json").json] == ["This is about the sea."]
    assert len(ricordo("memories", "--json").json) == 2


@pytest.mark.req("I2", "F5")
def test_forgetting_several_matches_lists_them_and_removes_none(keeping: Terminal) -> None:
    """With exit code 1; by id, or by words that only one has, it is removed."""
    ids = [keeping("remember", text, "--json").json["id"] for text in ("I like figs.", "I like plums.", "My cat is Miro.")]
    several = keeping("forget", "i", "like")
    assert several.code == 1
    assert "figs" in several.out
    assert "plums" in several.out
    assert "none was removed" in several.err
    assert keeping("forget", "cat").out == "Forgotten: #3 My cat is Miro.\n"
    gone = keeping("forget", f"#{ids[0]}", "--json")
    assert (gone.code, gone.json["removed"]["text"]) == (0, "I like figs.")
    nothing = keeping("forget", "figs", "--json")
    assert (nothing.code, nothing.json) == (1, {"removed": None, "matches": []})
    assert [fact["text"] for fact in keeping("memories", "--json").json] == ["I like plums."]


@pytest.mark.req("I2", "F5")
@pytest.mark.parametrize("wrong", ["99", "#99", "9" * 30])
def test_forgetting_an_id_that_is_not_there_is_an_error(keeping: Terminal, wrong: str) -> None:
    """It never means another memory."""
    keeping("remember", "The 99 figs.")
    assert keeping("forget", wrong).code in (1, 2)
    assert len(keeping("memories", "--json").json) == 1


@pytest.mark.req("I2", "N3")
def test_search_finds_messages_and_memories_best_first(keeping: Terminal) -> None:
    """As JSON with just these names; nothing found is exit code 1 and an empty list."""
    keeping("import", "--as", "diary", str(_diary(keeping)))
    keeping("remember", "The harbour is where I swim.")
    found = keeping("search", "harbours", "--json")
    assert found.code == 0
    assert {tuple(hit) for hit in found.json} == {("kind", "id", "conversation", "at", "author", "text", "score")}
    assert {(hit["kind"], hit["author"]) for hit in found.json} == {("message", "user"), ("fact", "user")}
    message = next(hit for hit in found.json if hit["kind"] == "message")
    assert (message["conversation"], message["at"][:10]) == (1, "2024-05-03")
    assert message["text"] == "We walked along the harbour until it was dark."
    assert [hit["score"] for hit in found.json] == sorted((hit["score"] for hit in found.json), reverse=True)
    assert len(keeping("search", "harbour", "--limit", "1", "--json").json) == 1
    nothing = keeping("search", "xylophone", "--json")
    assert (nothing.code, nothing.json) == (1, [])
    assert "Nothing was found" in keeping("search", "xylophone").err


@pytest.mark.req("I2", "R2")
@pytest.mark.parametrize("text", ['"harbour', "harbour AND (", "NEAR(harbour)", "harbour*", "words:harbour", "-harbour"])
def test_what_is_searched_for_is_never_query_syntax(ricordo: Terminal, text: str) -> None:
    """A quote or a bracket is a sign like others."""
    ricordo("import", "--as", "diary", str(_diary(ricordo)))
    assert len(ricordo("search", "--json", "--", text).json) == 1


@pytest.mark.req("I2", "W6")
def test_search_stays_within_the_conversation_or_space_that_is_given(keeping: Terminal) -> None:
    """The diary is in neither."""
    keeping("import", "--as", "diary", str(_diary(keeping)))
    keeping("spaces", "create", "Work")
    assert keeping("search", "harbour", "--space", "Work").code == 1
    assert keeping("search", "harbour", "--conversation", "1").code == 0


@pytest.mark.req("I2", "X2")
def test_nothing_in_a_memory_commands_the_terminal(keeping: Terminal) -> None:
    """Escape sequences are printed without their escape; markup is printed as it is."""
    keeping("remember", "\x1b]0;owned\x07\x9b31mred[bold] :smile:")
    shown = keeping("memories").out
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "\x9b" not in shown
    assert "red[bold] :smile:" in shown


def _diary(terminal: Terminal) -> str:
    path = terminal.vault.parent / "diary.jsonl"
    path.write_text('{"date": "2024-05-03", "text": "We walked along the harbour until it was dark."}\n')
    return str(path)


@pytest.mark.req("F2", "I2")
def test_clearing_takes_just_what_is_listed_and_asks_first(keeping: Terminal) -> None:
    """With words only those that hold them; without a terminal to be asked at, only with --yes."""
    keeping("remember", "I like figs.")
    keeping("remember", "I like plums.")
    keeping("remember", "I have a cat.")
    asked = keeping("memories", "clear")
    assert (asked.code, "--yes" in asked.err) == (2, True)
    assert keeping("memories", "clear", "LIKE", "fig", "--yes").out == "Deleted: 1 memory.\n"
    assert keeping("memories", "clear", "--yes", "--json").json == {"deleted": 2}
    assert keeping("memories", "--json").json == []
    assert keeping("memories", "clear", "--yes").code == 1
