"""Kept lists of facts: what is kept answers as the vault does, whatever happened to facts since and whoever asks."""

import pathlib

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ricordo.conversation import Moment, Role
from ricordo.errors import InvalidInput
from ricordo.fact import Fact, Global, Home, InConversation, InSpace, Origin
from ricordo.recall.lists import Lists
from ricordo.store import conversations, facts, messages
from ricordo.store.connection import Database
from ricordo.store.messages import NewMessage
from tests.vaults import with_database

NOON = Moment(1_780_000_000_000_000, 120)
HOMES: tuple[Home, ...] = (Global(), InSpace(1), InConversation(1), InConversation(2))


def begin(connection: apsw.Connection) -> None:
    """A Space, and a conversation in it and one outside, each with a message."""
    conversations.create_space(connection, "Garden", "", NOON)
    for space in (1, None):
        talk = conversations.create(connection, "", space, NOON)
        messages.append(connection, talk.id, NewMessage(Role.USER, "The pears are ripe.", NOON))


def act(connection: apsw.Connection, what: str, number: int) -> None:
    """Do something to facts, or to what they hang on; to the fact `number`, counted around."""
    every = [row[0] for row in connection.execute("select id from facts order by id")]
    key = every[number % len(every)] if every else 0
    match what:
        case "add":
            facts.insert(connection, f"Fact {number}", Origin.USER, HOMES[number % 4], NOON, pinned=number % 3 == 0,
                         sources=[1 + number % 2])  # fmt: skip
        case "rewrite" if key:
            facts.rewrite(connection, key, f"Told otherwise {number}", NOON)
        case "pin" if key:
            facts.set_pinned(connection, key, number % 2 == 0)
        case "share" if key:
            facts.set_shared(connection, key, number % 2 == 0)
        case "own" if key:
            facts.set_origin(connection, key, Origin.MODEL)
        case "delete" if key:
            facts.delete(connection, key, NOON)
        case "put back" if key:
            facts.put(connection, facts.take_out(connection, key))
        case "forget source":
            connection.execute("delete from fact_sources where message = ?", (1 + number % 2,))


def agree(connection: apsw.Connection, lists: Lists) -> None:
    """Check every list that a prompt may ask for against what the vault itself says."""
    for home in HOMES:
        assert list(lists.of_home(connection, home)) == facts.of_home(connection, home)
    for talk in (None, 1, 2):
        assert list(lists.pinned_for(connection, talk)) == facts.pinned_for(connection, talk)


ACTS = st.tuples(
    st.sampled_from(["add", "add", "rewrite", "pin", "share", "own", "delete", "put back", "forget source"]), st.integers(0, 30)
)


@pytest.mark.req("F3", "B2")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.lists(ACTS, max_size=12))
def test_what_is_kept_is_what_the_vault_holds(tmp_path: pathlib.Path, steps: list[tuple[str, int]]) -> None:
    """After every step of any sequence: the same facts as read anew, by both who ask."""

    async def work(database: Database) -> None:
        lists = Lists()
        await database.write(begin)
        for step in steps:
            await database.write(lambda c, step=step: act(c, *step))  # type: ignore[misc]
            await database.look(lambda c: agree(c, lists))
            await database.read(lambda c: agree(c, lists))

    with_database(tmp_path, work)
    for left in tmp_path.iterdir():
        left.unlink()


def test_lists_are_read_once_while_no_fact_changes(tmp_path: pathlib.Path) -> None:
    """Whatever else is written; and anew when one changed, or all was forgotten."""

    async def work(database: Database) -> None:
        lists = Lists()

        async def ask() -> object:
            return await database.look(lambda c: lists.of_home(c, Global()))

        await database.write(begin)
        await database.write(lambda c: act(c, "add", 0))
        first = await ask()
        await database.write(lambda c: messages.append(c, 1, NewMessage(Role.USER, "And the apples too.", NOON)))
        assert await ask() is first
        await database.write(lambda c: act(c, "pin", 0))
        second = await ask()
        assert second is not first
        lists.clear()
        third = await ask()
        assert third == second
        assert third is not second

    with_database(tmp_path, work)


def test_nothing_is_kept_of_what_was_undone_nor_told_to_an_earlier_moment(tmp_path: pathlib.Path) -> None:
    """A list read within a transaction that came to nothing is not there later; a reader sees the lists of its own moment."""

    async def work(database: Database) -> None:
        lists = Lists()
        await database.write(begin)

        def undone(connection: apsw.Connection) -> None:
            act(connection, "add", 4)
            assert len(lists.of_home(connection, Global())) == 1
            raise InvalidInput("undo")

        def earlier(connection: apsw.Connection) -> list[Fact]:
            connection.execute("select count(*) from facts").fetchall()  # from here on its moment stands
            database._writer.execute("begin immediate")
            act(database._writer, "add", 8)
            database._writer.execute("commit")
            assert len(lists.of_home(database._writer, Global())) == 1
            return list(lists.of_home(connection, Global()))

        with pytest.raises(InvalidInput):
            await database.write(undone)
        assert await database.read(earlier) == []
        assert [fact.text for fact in await database.look(lambda c: lists.of_home(c, Global()))] == ["Fact 8"]

    with_database(tmp_path, work)
