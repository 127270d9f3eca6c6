"""Vectors in the vault: what lacks one, sets by model, and that they go with what they stand for."""

import apsw
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ricordo.conversation import Moment, Role
from ricordo.errors import ModelGarbled
from ricordo.fact import Global, InConversation, InSpace, Origin
from ricordo.store import conversations, excerpts, facts, messages, schema, vectors

NOW = Moment(1_780_000_000_000_000, 120)


def store() -> apsw.Connection:
    """A database with a Space, two conversations with three messages each, and three facts."""
    connection = apsw.Connection(":memory:")
    connection.pragma("foreign_keys", True)
    schema.migrate(connection, lambda: None)
    space = conversations.create_space(connection, "Boats", "", NOW).id
    for talk in (1, 2):
        conversations.create(connection, "", space if talk == 2 else None, NOW)
        for number in range(3):
            say(connection, talk, f"This is entry number {number} of talk {talk}.")
    for text, home in (("Likes oak", InSpace(1)), ("Rows on Sundays", Global()), ("Was tired", InConversation(1))):
        facts.insert(connection, text, Origin.MODEL, home, NOW)
    return connection


def say(connection: apsw.Connection, talk: int, text: str) -> int:
    """Add a message of the person; return its id."""
    return messages.append(connection, talk, messages.NewMessage(Role.USER, text, NOW)).id


def vector(number: int, dimension: int = 8) -> vectors.Vector:
    """Some unit vector, another for each number."""
    made = np.random.default_rng(number).standard_normal(dimension).astype(np.float32)
    return made / np.float32(np.linalg.norm(made))


def embed(connection: apsw.Connection, model: str, kind: vectors.Kind = "excerpt", most: int = 99) -> None:
    """Give a vector to all that lacks one, newest first."""
    due = vectors.missing(connection, kind, model, most)
    vectors.add(connection, kind, model, [(key, vector(key)) for key, _ in due])


def held(connection: apsw.Connection, kind: vectors.Kind, model: str) -> set[int]:
    """The ids that have a vector, by the table itself."""
    found = vectors.set_of(connection, kind, model)
    keys = [vectors.split(row[0]) for row in connection.execute("select key from vectors")]
    return {one for number, one in keys if found and number == found[0]}


@pytest.mark.req("R2")
def test_what_lacks_a_vector_is_told_newest_first() -> None:
    """Before the model is known, while it works, and for what is written later."""
    connection = store()
    assert [key for key, _ in vectors.missing(connection, "excerpt", "m", 4)] == [6, 5, 4, 3]
    assert vectors.count(connection, "excerpt", "m") == (0, 6)
    embed(connection, "m", most=4)
    assert vectors.missing(connection, "excerpt", "m", 4) == [
        (2, "This is entry number 1 of talk 1."),
        (1, "This is entry number 0 of talk 1."),
    ]
    say(connection, 1, "Something that was written since.")
    assert [key for key, _ in vectors.missing(connection, "excerpt", "m", 9)] == [7, 2, 1]
    assert vectors.count(connection, "excerpt", "m") == (4, 7)
    assert vectors.count(connection, "fact", "m") == (0, 3)


@pytest.mark.req("N3", "R2")
def test_a_text_to_embed_is_its_piece_of_the_message() -> None:
    """Just as written, whatever letters are in it."""
    connection = store()
    text = "".join(f"Part {number} 🌊 of a long\x00 story with many words. " for number in range(60))
    message = say(connection, 1, text)
    rows = connection.execute("select id, start, stop from excerpts where message = ?", (message,)).fetchall()
    told = dict(vectors.missing(connection, "excerpt", "m", 99))
    assert len(rows) > 2
    assert all(told[key] == text[start:stop] for key, start, stop in rows)
    assert vectors.texts(connection, "excerpt", [rows[0][0], 999]) == {rows[0][0]: told[rows[0][0]]}


@pytest.mark.req("R2")
def test_vectors_come_back_as_they_were_but_for_half_precision() -> None:
    """In the order asked for; one that is missing is an error."""
    connection = store()
    embed(connection, "m")
    assert np.allclose(vectors.read(connection, "excerpt", "m", [3, 1]), [vector(3), vector(1)], atol=1e-3)
    with pytest.raises(KeyError):
        vectors.read(connection, "excerpt", "m", [99])
    with pytest.raises(KeyError):
        vectors.read(connection, "excerpt", "another", [1])


@pytest.mark.req("I7")
@pytest.mark.parametrize("wrong", [vector(1, 7), np.full(8, np.nan, np.float32)])
def test_a_wrong_vector_is_an_error_and_changes_nothing(wrong: vectors.Vector) -> None:
    """Another length, or no numbers: said in a sentence, not stored."""
    connection = store()
    vectors.add(connection, "excerpt", "m", [(6, vector(6))])
    with pytest.raises(ModelGarbled, match="Settings"):
        vectors.add(connection, "excerpt", "m", [(5, vector(5)), (4, wrong)])
    assert held(connection, "excerpt", "m") == {6}
    with pytest.raises(ModelGarbled):
        vectors.add(connection, "fact", "m", [(1, vector(1, 7))])


@pytest.mark.req("I7")
def test_old_vectors_serve_until_the_new_ones_are_complete() -> None:
    """A change of model: the one that lacks least is searched, and the old one goes a step at a time."""
    connection = store()
    assert vectors.serving(connection, "old") is None
    embed(connection, "old")
    embed(connection, "old", "fact")
    assert vectors.serving(connection, "new") == "old"
    embed(connection, "new", most=5)
    assert vectors.serving(connection, "new") == "old"
    embed(connection, "new")
    assert vectors.serving(connection, "new") == "old"
    embed(connection, "new", "fact")
    assert vectors.serving(connection, "new") == "new"
    steps = 1
    while not vectors.drop_other(connection, "new", most=2):
        steps += 1
    assert steps > 3
    assert not held(connection, "excerpt", "old")
    assert not held(connection, "fact", "old")
    assert vectors.count(connection, "excerpt", "new") == (6, 6)
    assert connection.execute("select count(*) from vectors").get == 9


@pytest.mark.req("R2", "V8")
def test_what_was_deleted_while_it_was_embedded_gets_no_vector() -> None:
    """The model read it before; its vector comes too late."""
    connection = store()
    conversations.delete_message(connection, 5)
    vectors.add(connection, "excerpt", "m", [(5, vector(5)), (4, vector(4))])
    assert held(connection, "excerpt", "m") == {4}


@pytest.mark.req("V8")
def test_a_reworded_fact_loses_the_vector_of_its_old_words() -> None:
    """Sharing or pinning it keeps the vector."""
    connection = store()
    embed(connection, "m", "fact")
    facts.set_shared(connection, 1, True)
    facts.set_pinned(connection, 1, True)
    assert held(connection, "fact", "m") == {1, 2, 3}
    facts.rewrite(connection, 1, "Likes elm", NOW)
    assert held(connection, "fact", "m") == {2, 3}
    assert vectors.missing(connection, "fact", "m", 9) == [(1, "Likes elm")]


steps = st.lists(
    st.tuples(
        st.sampled_from(["say", "embed", "delete message", "delete talk", "delete space", "fact", "reword", "forget", "rebuild"]),
        st.integers(0, 9),
    ),
    max_size=25,
)


@pytest.mark.req("V8", "S4", "S1")
@settings(deadline=None)
@given(steps)
def test_every_vector_stands_for_something_and_what_has_none_is_due(todo: list[tuple[str, int]]) -> None:
    """After any sequence of edits: no vector without its text, and all that has no vector waits for one."""
    connection = store()
    for step, which in todo:
        apply(connection, step, which)
        for kind, table in (("excerpt", "excerpts"), ("fact", "facts")):
            there = {row[0] for row in connection.execute(f"select id from {table}")}
            for model in ("a", "b"):
                have = held(connection, kind, model)
                due = {key for key, _ in vectors.missing(connection, kind, model, 999)}
                assert have | due == there
                assert not have & due
                assert vectors.count(connection, kind, model) == (len(have), len(there))


def apply(connection: apsw.Connection, step: str, which: int) -> None:
    """Do one thing a person or the background does, to something that is there."""
    talks = [row[0] for row in connection.execute("select id from conversations")]
    said = [row[0] for row in connection.execute("select id from messages")]
    known = [row[0] for row in connection.execute("select id from facts")]
    match step:
        case "say" if talks:
            say(connection, talks[which % len(talks)], f"One more entry, about the number {which}.")
        case "embed":
            embed(connection, "ab"[which % 2], "excerpt" if which % 3 else "fact", which)
        case "delete message" if said:
            conversations.delete_message(connection, said[which % len(said)])
        case "delete talk" if talks:
            conversations.delete(connection, talks[which % len(talks)])
        case "delete space" if connection.execute("select count(*) from spaces").get:
            conversations.delete_space(connection, 1, keep_conversations=which % 2 == 0)
        case "fact":
            facts.insert(connection, f"Knows {which} songs", Origin.USER, Global(), NOW)
        case "reword" if known:
            facts.rewrite(connection, known[which % len(known)], f"Knows {which} poems", NOW)
        case "forget" if known:
            facts.delete(connection, known[which % len(known)], NOW)
        case "rebuild":
            excerpts.rebuild(connection)
        case _:
            pass
