"""Kept turns: what is kept answers as the vault does, whatever was done to the conversation since and whoever asks."""

import pathlib
from contextlib import suppress

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ricordo.conversation import Message, Moment, Role
from ricordo.errors import InvalidInput
from ricordo.recall import parts
from ricordo.recall.turns import Turns
from ricordo.store import branches, conversations, messages
from ricordo.store.connection import Database
from ricordo.store.messages import NewMessage
from tests.vaults import with_database

NOON = Moment(1_780_000_000_000_000, 120)
Act = tuple[str, int]


def act(connection: apsw.Connection, what: str, number: int) -> None:
    """Do something to conversation 1, at its message `number`, counted around."""
    every = [row[0] for row in connection.execute("select id from messages where conversation = 1 order by id")]
    key = every[number % len(every)] if every else 0
    match what:
        case "say" | "reply":
            role = Role.USER if what == "say" else Role.MODEL
            messages.append(connection, 1, NewMessage(role, f"Line {number} " * (number % 5 + 1), NOON))
        case "elsewhere":
            messages.append(connection, 2, NewMessage(Role.USER, f"Elsewhere {number}", NOON))
        case "import":
            at = Moment(NOON.utc + number * 60_000_000 - 300_000_000, 120)
            messages.insert(connection, 1, [NewMessage(Role.USER, f"Of then {number}", at)], dated=True)
        case "delete" if key:
            conversations.delete_message(connection, key)
        case "edit" if key:
            with suppress(InvalidInput):
                before = branches.set_aside(connection, key)
                new = messages.append(connection, 1, NewMessage(Role.USER, "Otherwise", NOON))
                branches.follow(connection, new, before.parent)
        case "show" if key:
            branches.show(connection, key)


def agree(connection: apsw.Connection, turns: Turns, letters: int) -> None:
    """Check every question that a prompt may ask against what the vault itself says."""
    shown = [message.id for message in messages.listed(connection, 1)]
    for before in (None, *shown[-2:]):
        assert list(turns.newest(connection, 1, letters, before).turns) == messages.newest(connection, 1, letters, before)
    for first in (*shown[:2], *shown[-2:], 10_000):
        for before in (None, shown[-1] if shown else None):
            assert list(turns.since(connection, 1, first, before).turns) == messages.since(connection, 1, first, before)


ACTS = st.tuples(st.sampled_from(["say", "say", "reply", "elsewhere", "import", "delete", "edit", "show"]), st.integers(0, 40))


@pytest.mark.req("R7", "B1")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.lists(st.lists(ACTS, max_size=4), max_size=8), st.integers(0, 200))
def test_what_is_kept_is_what_the_vault_holds(tmp_path: pathlib.Path, steps: list[list[Act]], letters: int) -> None:
    """After every step of any sequence, asked from any end: the same messages as read anew, by both who ask."""

    async def work(database: Database) -> None:
        turns = Turns()
        await database.write(lambda c: [conversations.create(c, title, None, NOON) for title in ("One", "Two")])
        for step in steps:
            await database.write(lambda c, step=step: [act(c, *each) for each in step])  # type: ignore[misc]
            await database.look(lambda c: agree(c, turns, letters))
            await database.read(lambda c: agree(c, turns, letters))

    with_database(tmp_path, work)
    for left in tmp_path.iterdir():
        left.unlink()


def test_what_is_kept_is_not_read_again(tmp_path: pathlib.Path) -> None:
    """Turns that were read stay the same objects with their wordings; only what was said since is read."""

    async def work(database: Database) -> None:
        turns = Turns()
        await database.write(lambda c: conversations.create(c, "One", None, NOON))
        await database.write(lambda c: [act(c, "say", number) for number in range(9)])
        first = await database.look(lambda c: turns.newest(c, 1, 1000))
        await database.write(lambda c: act(c, "reply", 1))
        second = await database.look(lambda c: turns.newest(c, 1, 1000))
        assert all(one is other for one, other in zip(first.turns, second.turns[:-1], strict=True))
        assert second.wordings is first.wordings
        assert second.wordings.of(second.turns[0]) == parts.stamped(second.turns[0])
        turns.clear()
        third = await database.look(lambda c: turns.newest(c, 1, 1000))
        assert third.wordings is not first.wordings

    with_database(tmp_path, work)


def test_an_earlier_moment_is_not_told_of_a_later_one(tmp_path: pathlib.Path) -> None:
    """A reader that began before a message was stored does not get it, though it is kept by then; later it does."""

    async def work(database: Database) -> None:
        turns = Turns()
        await database.write(lambda c: conversations.create(c, "One", None, NOON))
        await database.write(lambda c: act(c, "say", 1))

        def earlier(connection: apsw.Connection) -> list[Message]:
            connection.execute("select count(*) from messages").fetchall()  # from here on its moment stands
            database._writer.execute("begin immediate")
            act(database._writer, "say", 2)
            database._writer.execute("commit")
            assert len(turns.newest(database._writer, 1, 1000).turns) == 2
            return list(turns.newest(connection, 1, 1000).turns)

        assert [turn.text for turn in await database.read(earlier)] == ["Line 1 Line 1 "]
        assert len((await database.read(lambda c: turns.newest(c, 1, 1000))).turns) == 2

    with_database(tmp_path, work)


def test_nothing_is_kept_of_what_may_be_undone(tmp_path: pathlib.Path) -> None:
    """What is read within a transaction that writes is gone with it."""

    async def work(database: Database) -> None:
        turns = Turns()
        await database.write(lambda c: conversations.create(c, "One", None, NOON))

        def undone(connection: apsw.Connection) -> None:
            act(connection, "say", 1)
            assert len(turns.newest(connection, 1, 1000).turns) == 1
            raise InvalidInput("undo")

        with pytest.raises(InvalidInput):
            await database.write(undone)
        await database.write(lambda c: act(c, "say", 2))
        assert [turn.text for turn in (await database.look(lambda c: turns.newest(c, 1, 1000))).turns] == ["Line 2 " * 3]

    with_database(tmp_path, work)
