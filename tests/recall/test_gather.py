"""Finding what may answer: what speaks for a message, what is out of reach, what is left out."""

import pathlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from apsw import Connection
from hypothesis import given, settings
from hypothesis import strategies as st

from ricordo.conversation import Message, Moment, Reach, Role, Scope
from ricordo.fact import Fact, Global, InConversation, Origin
from ricordo.recall.features import WEIGHTS
from ricordo.recall.gather import Gathered, Search, Where, gather
from ricordo.store import conversations, facts, messages, vectors
from ricordo.store.connection import Database
from tests.fake_replies import embedding
from tests.vaults import with_database

DAY = 86_400_000_000
NOW = Moment.of(datetime(2026, 5, 20, 12, 0, tzinfo=UTC))
MODEL = "hashed"


def said(*texts: str, role: Role = Role.USER, days_ago: int = 10) -> list[messages.NewMessage]:
    """Return entries of a day, a minute apart."""
    start = NOW.utc - days_ago * DAY
    return [messages.NewMessage(role, text, Moment(start + at * 60_000_000, 0)) for at, text in enumerate(texts)]


def found_in(
    folder: pathlib.Path,
    fill: Callable[[Connection], Scope],
    asked: str | Sequence[str],
    *,
    by_meaning: bool = False,
    **where: Any,
) -> list[Gathered]:
    """Return what a search finds in a vault that was filled; with hashed vectors if asked for."""

    async def work(database: Database) -> list[Gathered]:
        scope = await database.write(fill)
        texts = [asked] if isinstance(asked, str) else list(asked)
        if by_meaning:
            for kind in vectors.KINDS:
                due = await database.read(lambda c, kind=kind: vectors.missing(c, kind, MODEL, 1000))
                rows = [(key, np.array(embedding(text, 64), np.float32)) for key, text in due]
                await database.write(lambda c, kind=kind, rows=rows: vectors.add(c, kind, MODEL, rows))
            await database.load_vectors(MODEL)
        made = [Search(text, np.array(embedding(text, 64), np.float32) if by_meaning else None) for text in texts]
        place = Where(scope, NOW, UTC, MODEL if by_meaning else None, **where)
        return await database.read(lambda c: gather(c, database.vectors, made, place, 20))

    return with_database(folder, work)


def talk(connection: Connection, *rows: Sequence[messages.NewMessage]) -> int:
    """Make a conversation of some sittings and return its id."""
    key = conversations.create(connection, "", None, NOW).id
    for each in rows:
        messages.insert(connection, key, each)
    return key


def own(key: int) -> Scope:
    """Return the scope of a conversation that sees itself alone."""
    return Scope(Reach.CONVERSATION, key, None)


def texts(found: Sequence[Gathered]) -> list[str]:
    """Return the texts that were found."""
    return [each.found.text for each in found]


@pytest.mark.req("R2")
@pytest.mark.parametrize("by_meaning", [False, True], ids=["words", "words and meaning"])
def test_what_holds_the_words_comes_first(tmp_path: pathlib.Path, by_meaning: bool) -> None:
    """An entry with the question's rare words ranks ahead of those with its common ones."""

    def fill(connection: Connection) -> Scope:
        lines = [f"Number {n}: we walked along the river and the river was high." for n in range(30)]
        return own(talk(connection, said(*lines), said("Tom broke his collarbone at the river race.", days_ago=3)))

    found = found_in(tmp_path, fill, "When did Tom break his collarbone at the river?", by_meaning=by_meaning)
    assert texts(found)[0] == "Tom broke his collarbone at the river race."
    assert found[0].by_meaning is by_meaning
    assert found[0].fit > found[1].fit


@pytest.mark.req("R2")
def test_an_answer_is_found_by_the_question_before_it(tmp_path: pathlib.Path) -> None:
    """A reply that shares no word with the search is found beside the message that does."""

    def fill(connection: Connection) -> Scope:
        other = [said(f"Entry {n} about the garden and the weather.", days_ago=40 + n) for n in range(20)]
        asked = said("Anna: Which instrument does your sister play?", "Bea: The cello, for ten years now, every single day.")
        return own(talk(connection, *other, asked))

    found = found_in(tmp_path, fill, "Which instrument does the sister play?")
    assert "Bea: The cello, for ten years now, every single day." in texts(found)[:2]


@pytest.mark.req("R2")
def test_of_two_alike_the_newer_one_wins(tmp_path: pathlib.Path) -> None:
    """Two entries with the same words in another order: the newer one is a little ahead."""

    def fill(connection: Connection) -> Scope:
        old = said("Her telephone extension at the office: four one seven.", days_ago=400)
        new = said("At the office her telephone extension: five two nine.", days_ago=4)
        return own(talk(connection, old, new))

    assert texts(found_in(tmp_path, fill, "telephone extension office"))[0].endswith("five two nine.")


@pytest.mark.req("R6", "R2")
def test_a_day_in_the_question_speaks_for_what_was_written_on_it(tmp_path: pathlib.Path) -> None:
    """Of many entries with the same words the one of the month that is named comes first."""

    def fill(connection: Connection) -> Scope:
        return own(talk(connection, *(said(f"Dinner number {n} with Martha.", days_ago=30 * n) for n in range(12, 0, -1))))

    found = found_in(tmp_path, fill, "What was dinner with Martha like in January 2026?")
    first = found[0].found
    assert isinstance(first, Message)
    assert (first.at.local.year, first.at.local.month) == (2026, 1)


@pytest.mark.req("W6")
def test_nothing_out_of_reach_is_found(tmp_path: pathlib.Path) -> None:
    """Another conversation's entries and notes stay there, by words and by meaning; a shared one is seen."""

    def fill(connection: Connection) -> Scope:
        here = talk(connection, said("The heron stood in the pond this morning."))
        there = talk(connection, said("The heron flew over the house, all grey."))
        facts.insert(connection, "The user saw a heron in May", Origin.MODEL, InConversation(there), NOW)
        facts.insert(connection, "The user draws the heron", Origin.MODEL, InConversation(there), NOW, shared=True)
        facts.insert(connection, "The user fears the heron", Origin.MODEL, InConversation(here), NOW)
        facts.insert(connection, "The user calls the heron Otto", Origin.USER, Global(), NOW)
        return own(here)

    found = found_in(tmp_path, fill, "heron", by_meaning=True)
    assert set(texts(found)) == {
        "The heron stood in the pond this morning.", "The user draws the heron", "The user fears the heron",
    }  # fmt: skip


@pytest.mark.req("W3", "B2")
def test_global_facts_are_found_only_while_they_are_on(tmp_path: pathlib.Path) -> None:
    """With the switch on a fact over the sending limit is found; what is sent anyway is left out."""

    def fill(connection: Connection) -> Scope:
        for text in ("The user calls the heron Otto", "The user feeds the heron"):
            facts.insert(connection, text, Origin.USER, Global(), NOW)
        return own(talk(connection, said("Hello there, this is the first entry of all.")))

    found = found_in(tmp_path, fill, "heron", global_facts=True, without_facts={2})
    assert texts(found) == ["The user calls the heron Otto"]
    assert isinstance(found[0].found, Fact)


@pytest.mark.req("R5")
def test_what_the_window_shows_is_left_out_but_speaks_for_its_neighbours(tmp_path: pathlib.Path) -> None:
    """A message that is shown is not found; the one after it still gains by it."""

    def fill(connection: Connection) -> Scope:
        return own(talk(connection, said("Where did we stay in Lisbon, what was it called?", "Casa do Sol, by the tram stop.")))

    found = found_in(tmp_path, fill, "where did we stay in Lisbon", without_messages={1})
    assert texts(found) == ["Casa do Sol, by the tram stop."]
    assert found[0].speaks["before"] == 0.6


@pytest.mark.req("R1")
def test_near_copies_take_one_place(tmp_path: pathlib.Path) -> None:
    """The same paragraph pasted five times is found once, and leaves room for the rest."""

    def fill(connection: Connection) -> Scope:
        pasted = "The boiler needs new water every three weeks, says the plumber Aldous."
        again = [said(pasted + "!" * n, days_ago=20 + n) for n in range(5)]
        return own(talk(connection, *again, said("Aldous came at noon and the boiler hums.", days_ago=2)))

    found = texts(found_in(tmp_path, fill, "boiler plumber Aldous"))
    assert len([text for text in found if text.startswith("The boiler needs")]) == 1
    assert "Aldous came at noon and the boiler hums." in found


@pytest.mark.req("V8", "R5")
def test_what_is_not_shown_is_not_found(tmp_path: pathlib.Path) -> None:
    """A reply that was set aside, and one that failed, are no memories."""

    def fill(connection: Connection) -> Scope:
        key = talk(connection, said("Tell me about the lighthouse keeper please."))
        aside = messages.append(connection, key, said("The lighthouse keeper was Ned, set aside.", role=Role.MODEL)[0])
        messages.set_active(connection, [aside.id], False)
        return own(key)

    assert texts(found_in(tmp_path, fill, "lighthouse keeper")) == ["Tell me about the lighthouse keeper please."]


@pytest.mark.req("N3")
def test_a_long_message_is_found_by_its_best_piece(tmp_path: pathlib.Path) -> None:
    """The piece that holds the words is named, not the first."""
    filler = "The morning was grey and nothing happened that would be worth a line in anybody's book. " * 30

    def fill(connection: Connection) -> Scope:
        return own(talk(connection, said(f"{filler}Then Ysolde sold the harpsichord. {filler}")))

    found = found_in(tmp_path, fill, "Ysolde harpsichord")
    assert "Ysolde sold the harpsichord" in found[0].text
    assert len(found[0].text) < 1500


@pytest.mark.req("R1")
def test_several_searches_give_one_list(tmp_path: pathlib.Path) -> None:
    """Each thing is found once, by the search that fits it best."""

    def fill(connection: Connection) -> Scope:
        return own(
            talk(
                connection,
                said("The kiln broke on Tuesday in the afternoon."),
                said("Her passport expires in June of this year.", days_ago=5),
            )
        )

    found = found_in(tmp_path, fill, ["broken kiln", "passport expires", "kiln"])
    assert sorted(texts(found)) == ["Her passport expires in June of this year.", "The kiln broke on Tuesday in the afternoon."]
    assert {each.search for each in found} <= {"broken kiln", "passport expires", "kiln"}


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    "question",
    ["地震の話をしましたか", "แผ่นดินไหว", 'kiln" OR NEAR(a b)', "***", "?", "NOT AND OR", "a" * 5000, "\x00 kiln", "🏺", ""],
)
def test_no_question_is_query_syntax(tmp_path: pathlib.Path, question: str) -> None:
    """Whatever is asked, it is looked for as words, and nothing fails."""

    def fill(connection: Connection) -> Scope:
        return own(
            talk(
                connection,
                said(
                    "昨日は地震がありました、とても怖かった、棚から本が落ちた。",
                    "แผ่นดินไหวเมื่อคืนนี้แรงมาก",
                    "The kiln broke near a b, or not and or.",
                ),
            )
        )

    found = found_in(tmp_path, fill, question)
    if "地震" in question or "แผ่นดินไหว" in question:
        assert len(found) >= 1


def test_the_weights_are_few_and_round() -> None:
    """At most sixteen, each with one decimal, none of them silent."""
    assert len(WEIGHTS) <= 16
    assert all(round(weight, 1) == weight != 0 for weight in WEIGHTS.values())


@pytest.mark.req("W6", "R2")
@settings(max_examples=30)  # each makes a vault
@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["kiln", "heron", "kiln heron", "tram"])), min_size=1, max_size=12))
def test_reach_is_a_law(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, str]]) -> None:
    """Whatever stands where, a conversation finds only its own, and all that holds a searched word."""

    def fill(connection: Connection) -> Scope:
        keys = [talk(connection) for _ in range(3)]
        for at, (which, words) in enumerate(rows):
            messages.insert(
                connection, keys[which], said(f"Entry {at} of the year has the words {words} in it.", days_ago=at + 1)
            )
        return own(keys[0])

    found = found_in(tmp_path_factory.mktemp("law"), fill, "kiln heron")
    wanted = {
        f"Entry {at} of the year has the words {w} in it." for at, (which, w) in enumerate(rows) if which == 0 and w != "tram"
    }
    assert wanted >= {text for text in texts(found) if "tram" not in text}
    assert all(each.found.conversation == 1 for each in found if isinstance(each.found, Message))
