"""The change log: what was applied can be taken back exactly, and never against what the person did since."""

from dataclasses import replace
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo import change
from ricordo.change import Edit, Removed, Saved, Updated
from ricordo.conversation import Moment
from ricordo.errors import InvalidInput, NotFound
from ricordo.fact import Fact, Global, Home, InConversation, InSpace, Origin
from ricordo.store import changes, conversations, facts, schema, tombstones

NOW = Moment(1_780_000_000_000_000, 120)
LATER = Moment(NOW.utc + 1, 60)


def store() -> apsw.Connection:
    """A database with a Space, a conversation in it, and three facts of the model."""
    connection = apsw.Connection(":memory:")
    connection.pragma("foreign_keys", True)
    schema.migrate(connection, lambda: None)
    space = conversations.create_space(connection, "Boats", "", NOW)
    conversations.create(connection, "Keel", space.id, NOW)
    for text, home in (("Likes oak", InSpace(1)), ("Rows on Sundays", Global()), ("Was tired", InConversation(1))):
        facts.insert(connection, text, Origin.MODEL, home, NOW, sources=(3, 5))
    return connection


def state(connection: apsw.Connection) -> list[Any]:
    """All that a fact is, with what the index finds of it."""
    listed = sorted(facts.listed(connection), key=lambda fact: fact.id)
    connection.execute("insert into fact_words (fact_words, rank) values ('integrity-check', 1)")
    index = connection.execute("select id, words, reach from facts order by id").fetchall()
    return [listed, index, connection.execute("select fact, message from fact_sources order by 1, 2").fetchall()]


def record(connection: apsw.Connection, edit: Edit, messages: tuple[int, ...] = (7,)) -> change.Change:
    """Apply an edit as learned from conversation 1."""
    return changes.record(connection, edit, now=LATER, conversation=1, messages=messages, model="m")


def new(text: str, home: Home = Global()) -> Fact:  # noqa: B008
    """A fact that is not stored yet."""
    return Fact(0, text, Origin.MODEL, home, False, False, LATER, LATER, (7, 9))


steps = st.lists(
    st.tuples(st.sampled_from(["save", "update", "remove"]), st.integers(0, 9), st.text(min_size=1, max_size=60)), max_size=12
)


@pytest.mark.req("U1", "U2")
@given(steps)
def test_undoing_restores_the_state_exactly(todo: list[tuple[str, int, str]]) -> None:
    """For any sequence of changes, undone from the last to the first, each step leads back to just what was."""
    connection = store()
    states, made = [state(connection)], []
    for kind, which, text in todo:
        known = sorted(facts.listed(connection), key=lambda fact: fact.id)
        if kind == "save" or not known:
            edit: Edit = Saved(new(text))
        elif kind == "update":
            edit = Updated(known[which % len(known)], replace(known[which % len(known)], text=text, updated=LATER))
        else:
            edit = Removed(known[which % len(known)])
        made.append(record(connection, edit))
        states.append(state(connection))
    for one in reversed(made):
        assert state(connection) == states.pop()
        changes.undo(connection, one.id, LATER)
    assert state(connection) == states[0]


@pytest.mark.req("U1")
@given(steps)
def test_the_log_tells_what_was_done(todo: list[tuple[str, int, str]]) -> None:
    """Applying the logged edits to the facts that were there gives the facts that are there."""
    connection = store()
    before = tuple(sorted(facts.listed(connection), key=lambda fact: fact.id))
    for _, which, text in todo:
        known = facts.listed(connection)
        record(connection, Removed(known[which % len(known)]) if known and which % 2 else Saved(new(text)))
    after = before
    for one in reversed(changes.listed(connection, 99)):
        after = change.apply(one.edit, after)
    assert after == tuple(sorted(facts.listed(connection), key=lambda fact: fact.id))
    for one in changes.listed(connection, 99):
        after = change.apply(change.inverse(one.edit), after)
    assert after == before


@pytest.mark.req("U1")
def test_a_removed_fact_comes_back_in_its_place() -> None:
    """With its id, its date and its sources."""
    connection = store()
    fact = facts.get(connection, 2)
    one = record(connection, Removed(fact))
    with pytest.raises(NotFound):
        facts.get(connection, 2)
    changes.undo(connection, one.id, LATER)
    assert facts.get(connection, 2) == fact


@pytest.mark.req("U2")
def test_what_the_person_did_since_is_never_undone() -> None:
    """Edited, taken over, deleted, or undone before: the answer says so and nothing changes."""
    connection = store()
    saved = record(connection, Saved(new("Plays the cello")))
    key = saved.edit.after.id  # type: ignore[union-attr]
    facts.rewrite(connection, key, "Plays the viola", LATER)
    with pytest.raises(InvalidInput, match="changed since"):
        changes.undo(connection, saved.id, LATER)
    assert facts.get(connection, key).text == "Plays the viola"
    facts.delete(connection, key, LATER)
    with pytest.raises(NotFound):
        changes.undo(connection, saved.id, LATER)
    removed = record(connection, Removed(facts.get(connection, 1)))
    changes.undo(connection, removed.id, LATER)
    with pytest.raises(InvalidInput, match="already"):
        changes.undo(connection, removed.id, LATER)


@pytest.mark.req("U2")
def test_a_pin_set_since_outlives_an_undo() -> None:
    """Only the words go back."""
    connection = store()
    fact = facts.get(connection, 1)
    one = record(connection, Updated(fact, replace(fact, text="Likes elm", updated=LATER)))
    facts.set_pinned(connection, 1, True)
    changes.undo(connection, one.id, LATER)
    assert (facts.get(connection, 1).text, facts.get(connection, 1).pinned) == ("Likes oak", True)


@pytest.mark.req("E17")
def test_what_was_undone_is_not_learned_again_from_the_same_messages() -> None:
    """Until another message says it anew; other words, or the person's deletion, count alike."""
    connection = store()
    one = record(connection, Saved(new("Plays the cello")), (7, 9))
    changes.undo(connection, one.id, LATER)
    assert tombstones.forbidden(connection, "plays THE cello", (9,))
    assert tombstones.forbidden(connection, "Plays the cello", (7, 9))
    assert not tombstones.forbidden(connection, "Plays the cello", (9, 11))
    assert not tombstones.forbidden(connection, "Plays the viola", (9,))
    assert tombstones.touched(connection, (7, 8, 9)) == {7, 9}
    removed = record(connection, Removed(facts.get(connection, 1)), (7,))
    changes.undo(connection, removed.id, LATER)
    assert changes.removal_forbidden(connection, "Likes oak", (7,))
    assert not changes.removal_forbidden(connection, "Likes oak", (8,))
    assert not tombstones.forbidden(connection, "Likes oak", (7,))


@pytest.mark.req("S4", "V8")
def test_a_log_goes_with_its_place() -> None:
    """Deleting a Space or a conversation leaves no words of its facts in the log, also of those removed before."""
    connection = store()
    record(connection, Removed(facts.get(connection, 1)))
    note = record(connection, Removed(facts.get(connection, 3)))
    conversations.delete(connection, 1)
    assert [one.edit.before.text for one in changes.listed(connection, 9)] == ["Likes oak"]  # type: ignore[union-attr]
    with pytest.raises(NotFound):
        changes.undo(connection, note.id, LATER)
    conversations.delete_space(connection, 1, keep_conversations=False)
    assert changes.listed(connection, 9) == []
