"""Direct references over a real vault: the right entries, within reach, and nothing found is said."""

import pathlib
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import pytest

from ricordo.conversation import Moment, Reach, Role
from ricordo.models.scripted import ScriptedModel
from ricordo.prompt import Prompt
from ricordo.recall import lookup
from ricordo.store import messages
from ricordo.store.messages import NewMessage
from ricordo.vault import AsyncVault
from tests.vaults import events, with_vault

ENTRIES = {
    "2024-05-03": "Planted the pear tree.",
    "2026-05-11": "A letter from Ines.",
    "2026-05-18": "Rain all day, mended the gate.",
    "2026-05-19": "Bought a blue kettle.",
    "1666-09-02": "Some of our maids told us of a great fire.",
}


async def diary(vault: AsyncVault, space: int | None = None) -> int:
    """Make a conversation that holds the entries, at noon of their days."""
    talk = await vault.conversations.create("Diary", space)
    new = [
        NewMessage(Role.USER, text, Moment.of(datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)))
        for day, text in sorted(ENTRIES.items())
    ]
    await vault._database.write(lambda c: messages.insert(c, talk.id, new, dated=True))
    return talk.id


def references(prompt: Prompt) -> str:
    """The text of the references layer."""
    return next((layer.text for layer in prompt.layers if layer.name == "references"), "")


def ask(tmp_path: pathlib.Path, work: Callable[[AsyncVault], Awaitable[None]], *replies: str) -> None:
    """Run some work on a vault whose clock stands at noon of 2026-05-20."""
    with_vault(tmp_path, work, ScriptedModel(*(replies or ("Well.",) * 9)))


@pytest.mark.req("R6", "W6")
@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What did I write on 2024-05-03?", "2024-05-03"),
        ("What happened on 2 September 1666?", "1666-09-02"),
        ("What did I do yesterday?", "2026-05-19"),
        ("And the day before yesterday?", "2026-05-18"),
        ("What was there last Monday?", "2026-05-18"),
        ("What was my first entry?", "1666-09-02"),
        ("Show me my last entry.", "2026-05-19"),
        ("What did I write in May 2024?", "2024-05-03"),
    ],
)
def test_what_is_named_outright_is_found(tmp_path: pathlib.Path, question: str, day: str) -> None:
    """Dates, relative days, positions: over the whole vault when that is on."""

    async def work(vault: AsyncVault) -> None:
        await diary(vault)
        await vault.set(whole_diary=True)
        text = references(await vault.prompt(question))
        assert ENTRIES[day] in text
        assert sum(entry in text for entry in ENTRIES.values()) == 1
        assert f"<entry: {day}, written by the person>" in text

    ask(tmp_path, work)


@pytest.mark.req("R6")
@pytest.mark.parametrize("question", ["What did I write on 1999-01-01?", "What was there in June 1802?"])
def test_nothing_found_is_said(tmp_path: pathlib.Path, question: str) -> None:
    """So that the model does not invent an entry."""

    async def work(vault: AsyncVault) -> None:
        await diary(vault)
        await vault.set(whole_diary=True)
        text = references(await vault.prompt(question))
        assert "Nothing is there" in text
        assert not any(entry in text for entry in ENTRIES.values())

    ask(tmp_path, work)


@pytest.mark.req("W6")
def test_reach_decides_where_a_date_looks(tmp_path: pathlib.Path) -> None:
    """By default the own conversation; with the Space's reach its Space; turning the whole diary off restores what was."""
    question = "What did I write on 2024-05-03?"

    async def work(vault: AsyncVault) -> None:
        space = await vault.spaces.create("Garden")
        inside = (await vault.conversations.create("", space.id)).id
        outside = (await vault.conversations.create()).id
        own = await diary(vault, space.id)

        async def finds(conversation: int) -> bool:
            prompt = await vault.prompt(question, conversation)
            return any(ENTRIES["2024-05-03"] in message.content for message in prompt.messages)

        assert [await finds(talk) for talk in (own, inside, outside)] == [True, False, False]
        await vault.spaces.change(space.id, reach=Reach.SPACE)
        assert [await finds(talk) for talk in (own, inside, outside)] == [True, True, False]
        await vault.set(whole_diary=True)
        assert [await finds(talk) for talk in (own, inside, outside)] == [True, True, True]
        await vault.set(whole_diary=False)
        assert [await finds(talk) for talk in (own, inside, outside)] == [True, True, False]

    ask(tmp_path, work)


@pytest.mark.req("R6")
def test_that_is_what_was_spoken_of_last(tmp_path: pathlib.Path) -> None:
    """`The entry before that` counts from the entry of the question before, and again from there."""

    async def work(vault: AsyncVault) -> None:
        await diary(vault)
        await vault.set(whole_diary=True)
        talk = await vault.conversations.create()
        await events(vault.reply(talk.id, "What did I write on 2026-05-18?"))
        text = references(await vault.prompt("And the entry before that?", talk.id))
        assert ENTRIES["2026-05-11"] in text
        await events(vault.reply(talk.id, "And the entry before that?"))
        await events(vault.reply(talk.id, "Thank you."))
        text = references(await vault.prompt("And the one before that?", talk.id))
        assert ENTRIES["2024-05-03"] in text
        assert ENTRIES["2026-05-11"] not in text

    ask(tmp_path, work)


@pytest.mark.req("R6")
def test_a_clicked_timestamp_brings_back_its_message(tmp_path: pathlib.Path) -> None:
    """In the form in which the app shows it."""

    async def work(vault: AsyncVault) -> None:
        await diary(vault)
        await vault.set(whole_diary=True)
        assert ENTRIES["2026-05-19"] in references(await vault.prompt("[2026-05-19 12:00] What did I mean?"))

    ask(tmp_path, work)


@pytest.mark.req("R5")
def test_what_the_window_shows_is_not_repeated(tmp_path: pathlib.Path) -> None:
    """The model is never shown a copy of a message it is reading; the question itself is no entry either."""

    async def work(vault: AsyncVault) -> None:
        talk = await vault.conversations.create()
        await events(vault.reply(talk.id, "Frost on the windows today."))
        prompt = await vault.prompt("What did I write today?", talk.id)
        assert "Frost" not in references(prompt)
        assert "stand in the conversation above" in references(prompt)
        assert sum(message.content.count("Frost on the windows") for message in prompt.messages) == 1
        await events(vault.reply(talk.id, "What did I write today?"))
        assert "What did I write today" not in references(await vault.prompt("What did I write today?", talk.id))

    ask(tmp_path, work)


@pytest.mark.req("R6", "B3")
def test_a_long_entry_is_shown_in_part(tmp_path: pathlib.Path) -> None:
    """Within the block's limit, both ends, the gap marked."""

    async def work(vault: AsyncVault) -> None:
        talk = await vault.conversations.create()
        long = "It began with a spark. " + "The wind blew hard. " * 2000 + "Then the rain came at last."
        at = Moment.of(datetime(1666, 9, 2, 12, tzinfo=UTC))
        await vault._database.write(lambda c: messages.insert(c, talk.id, [NewMessage(Role.USER, long, at)], dated=True))
        await vault.set(whole_diary=True)
        prompt = await vault.prompt("What did I write on 1666-09-02?")
        text = references(prompt)
        assert "It began with a spark." in text
        assert "Then the rain came at last." in text
        assert "left out here" in text
        assert sum(layer.tokens for layer in prompt.layers if layer.name == "references") <= prompt.budget.block

    ask(tmp_path, work)


@pytest.mark.req("R6")
@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("What did I write yesterday?", True),
        ("Tell me about last Tuesday.", True),
        ("2026-08-02", True),
        ("and yesterday", True),
        ("Please summarise last week for me, I want to send it to Ines", True),
        ("I was thinking about the garden again. Remind me what I planted on 3 May", True),
        ("昨日は何を書きましたか？2026-05-01に", True),
        ("Everything from May 3 to May 9, please.", True),
        ("Let me see the entries of last week once more", True),
        ("Sum up what I told you earlier today", True),
        ("Yesterday we went to the harbour and bought a blue kettle.", False),
        ("I met Megan on March 28 and we talked for hours about the house.", False),
        ("Today was long. In the morning it rained; in the evening Ines called.", False),
    ],
)
def test_an_entry_that_tells_of_a_day_is_no_question_about_it(text: str, asked: bool) -> None:
    """Only what asks is looked up by day; an entry about yesterday is not answered with yesterday's entry."""
    assert lookup.asks(text) is asked


@pytest.mark.req("R6")
def test_a_timestamp_is_looked_up_whatever_is_said_about_it(tmp_path: pathlib.Path) -> None:
    """It was clicked: nobody types one in passing."""

    async def work(vault: AsyncVault) -> None:
        await diary(vault)
        await vault.set(whole_diary=True)
        assert ENTRIES["2026-05-19"] in references(
            await vault.prompt("I think [2026-05-19 12:00] was a mistake of mine, all in all.")
        )
        assert references(await vault.prompt("Yesterday was a good day, all in all, I think, and I was happy.")) == ""

    ask(tmp_path, work)


@pytest.mark.req("R6")
def test_a_message_that_holds_nothing_but_days_asks_for_them(tmp_path: pathlib.Path) -> None:
    """However many words it takes to name them."""

    async def work(vault: AsyncVault) -> None:
        await diary(vault)
        await vault.set(whole_diary=True)
        assert ENTRIES["2026-05-18"] in references(await vault.prompt("from the 17th of May until the 18th of May 2026"))

    ask(tmp_path, work)
