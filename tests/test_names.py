"""Names in a conversation: counted as it is written, and passed on once their mentions have left the window."""

import pathlib
from random import Random

import pytest
from apsw import Connection

from ricordo.conversation import Message, Role, Status
from ricordo.models.scripted import ScriptedModel
from ricordo.recall.names import Sight, out_of_sight, own_names
from ricordo.store import names
from ricordo.store.name_reading import folded_text
from ricordo.vault import AsyncVault
from tests.learn.talk import NOW
from tests.vaults import events, with_vault


async def listed(vault: AsyncVault, talk: int) -> list[str]:
    """The names of a conversation; they are the same when made anew from its messages."""

    def job(connection: Connection) -> tuple[tuple[str, ...], tuple[str, ...]]:
        before = list(connection.execute("select * from names order by conversation, folded"))
        found = names.most_frequent(connection, talk)
        names.rebuild(connection)
        assert list(connection.execute("select * from names order by conversation, folded")) == before
        return found, names.most_frequent(connection, talk)

    found, again = await vault._database.write(job)
    assert found == again
    return list(found)


@pytest.mark.req("N4")
def test_names_are_counted_by_conversation(tmp_path: pathlib.Path) -> None:
    """Of two words and more from the person, codes from either side; the most frequent first, spellings together."""

    async def work(vault: AsyncVault) -> None:
        talk, other = (await vault.conversations.create()).id, (await vault.conversations.create()).id
        await events(vault.reply(talk, "I saw Ilse Claes and Lena at the DGIA."))
        await vault.write(talk, "Then nuno came. With Nuno Prates I met Ilse Claes again.")
        await vault.write(other, "Only Pablo Rey here.")
        assert await listed(vault, talk) == ["Ilse Claes", "DGIA", "Nuno Prates", "QX77"]
        assert await listed(vault, other) == ["Pablo Rey"]

    with_vault(tmp_path, work, ScriptedModel("Did Tom Waits sing at the QX77?"))


@pytest.mark.req("N4", "S4", "V8")
def test_names_go_with_the_messages_that_hold_them(tmp_path: pathlib.Path) -> None:
    """Deleted, set aside for another reply, or their whole conversation gone; the file holds no trace of them."""

    async def work(vault: AsyncVault) -> None:
        talk = (await vault.conversations.create()).id
        await vault.write(talk, "Ilse Claes rang.")
        await events(vault.reply(talk, "Ilse Claes wrote, and Nuno Prates."))
        await events(vault.retry(talk))
        assert await listed(vault, talk) == ["Ilse Claes", "Nuno Prates", "ZZTOP9"]
        first, second, *_ = await vault.conversations.messages(talk)
        await vault.conversations.delete_message(second.id)
        assert await listed(vault, talk) == ["Ilse Claes", "ZZTOP9"]
        await vault.conversations.delete_message(first.id)
        assert await listed(vault, talk) == ["ZZTOP9"]
        await vault.conversations.delete(talk)
        assert await vault._database.read(lambda c: c.execute("select count(*) from names").get) == 0

    with_vault(tmp_path, work, ScriptedModel("It says QX77.", "It says ZZTOP9."))


@pytest.mark.req("N4", "B1", "B7")
def test_a_name_is_passed_on_when_it_has_left_the_window(tmp_path: pathlib.Path) -> None:
    """Not before: the window shows it; then with the other names, in each prompt from there on."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(reply_room=64)
        talk = (await vault.conversations.create()).id
        await vault.write(talk, "My tutor is called Ilse Claes.")
        prompts = []
        for number in range(40):  # the last of which stand within an epoch
            await events(vault.reply(talk, f"Lesson {number}: " + "and then we read on and on " * 12))
            made = await vault.prompt("And now?", talk)
            prompts.append("\n".join(message.content for message in made.messages))
        assert all("Ilse Claes" in prompt for prompt in prompts)
        told = ["Named earlier in this conversation" in prompt for prompt in prompts]
        assert not told[0]
        assert told[-1]
        assert told == sorted(told)
        asked = await vault.prompt("Where is Ilse Claes?", talk)
        assert any("Named earlier in this conversation" in message.content for message in asked.messages), "nothing changes"

    with_vault(tmp_path, work, ScriptedModel(lambda _: "I see.", window=2048))


def test_only_whole_names_count_as_shown() -> None:
    """A longer word that holds a name does not show it; another case or encoding does."""
    window = [folded_text("annika smithson met ZOE\u0308 ÅKESSON")]
    assert out_of_sight(["Annika Smith", "Zoë Åkesson", "SMITH"], window) == ("Annika Smith", "SMITH")
    assert out_of_sight([], window) == ()


def test_what_a_growing_window_mentions_is_what_a_look_through_all_of_it_gives() -> None:
    """Whatever is asked for between, while it grows, begins elsewhere, or is shorter again."""
    people = ["Ida", "Tom Reed", "Ålund", "Nessa", "Ole"]
    said = [f"{people[number * 7 % 5]} was here" if number % 3 else "Nobody was here" for number in range(20)]
    turns = [Message(number + 1, 1, None, Role.USER, text, NOW, Status.COMPLETE) for number, text in enumerate(said)]
    chance, sight = Random(3), Sight()
    for _ in range(400):
        first = chance.choice([0, 0, 0, 4, 9])
        window = turns[first : chance.randint(first, 20)]
        asked = chance.sample(people, chance.randint(0, 5))
        fold = [folded_text(turn.text) for turn in window]
        assert sight.out_of(asked, window, lambda turn: folded_text(turn.text)) == out_of_sight(asked, fold)


def test_the_own_name_is_known_from_facts() -> None:
    """However the fact says it; what is named otherwise is not the person."""
    told = ["The user's name is Erin Marsh.", "The user is called Rin", "The user's cat is called Momo.", "The user loves plums."]
    assert own_names(told) == {"erin", "marsh", "rin"}
