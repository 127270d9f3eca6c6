"""Stretches of a conversation: what is returned is what a look through all of it would give, and only that is read."""

import pathlib

import apsw
import pytest

from ricordo.conversation import Moment, Role, Stretch
from ricordo.errors import NotFound
from ricordo.store import branches, conversations, messages, stretches
from ricordo.store.connection import Database
from tests.long import lines
from tests.vaults import with_database

NOON = Moment(1_780_000_000_000_000, 120)


def sliced(connection: apsw.Connection, side: str, key: int | None, limit: int) -> tuple[list[int], bool, bool]:
    """Return the ids of a stretch and what is on its sides, by looking through the whole conversation."""
    every = [message.id for message in messages.listed(connection, 1)]
    start, end = max(0, len(every) - limit), len(every)
    if key in every:
        at = every.index(key)
        match side:
            case "before":
                start, end = max(0, at - limit), at
            case "after":
                start, end = at + 1, min(len(every), at + 1 + limit)
            case "around":
                end = min(len(every), at + 1 + limit // 2)
                start = max(0, end - limit)
    return every[start:end], start > 0, end < len(every)


def read(connection: apsw.Connection, side: str, key: int | None, limit: int) -> Stretch:
    """Return the stretch."""
    return stretches.newest(connection, 1, limit) if key is None else getattr(stretches, side)(connection, 1, key, limit)


@pytest.mark.req("S3")
def test_a_stretch_is_what_a_look_through_all_of_it_gives(tmp_path: pathlib.Path) -> None:
    """On every side of every message, whatever the limit; with another branch, equal times, another conversation between."""

    def job(connection: apsw.Connection) -> None:
        for title in ("One", "Two"):
            conversations.create(connection, title, None, NOON)
        for number in range(9):
            new = messages.NewMessage(Role.USER if number % 2 == 0 else Role.MODEL, f"Line {number}", NOON)
            messages.append(connection, 1 + (number % 4 == 3), new)
        aside = branches.set_aside(connection, 5)
        follows = messages.append(connection, 1, messages.NewMessage(Role.USER, "Said otherwise", NOON))
        branches.follow(connection, follows, aside.parent)
        messages.append(connection, 1, messages.NewMessage(Role.MODEL, "Answered", NOON))
        for side in ("before", "after", "around"):
            for key in (None, *range(1, 14)):
                for limit in range(1, 9):
                    found = read(connection, side, key, limit)
                    seen = [each.id for each in found.messages], found.earlier, found.later
                    assert seen == sliced(connection, side, key, limit), (side, key, limit)
        with pytest.raises(NotFound):
            stretches.newest(connection, 3, 10)
        with pytest.raises(NotFound):
            stretches.around(connection, 3, 1, 10)

    async def work(database: Database) -> None:
        await database.write(job)

    with_database(tmp_path, work)


@pytest.mark.req("X3", "S3")
def test_only_what_is_returned_is_read(tmp_path: pathlib.Path) -> None:
    """In a conversation of 20,000 messages it is the same work as in one of 400, counted in steps of SQLite."""

    def steps(connection: apsw.Connection, side: str, key: int | None) -> int:
        spent = 0

        def done(event: dict[str, object]) -> None:
            nonlocal spent
            spent += event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"]  # type: ignore[index]

        connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, done)
        found = read(connection, side, key, 100)
        connection.trace_v2(0)
        assert len(found.messages) == 100
        return spent

    def job(connection: apsw.Connection) -> dict[int, list[int]]:
        conversations.create(connection, "Long", None, NOON)
        spent = {}
        for count in (400, 20_000):
            lines(connection, 1, count - (400 if count > 400 else 0))
            places = (("newest", None), ("before", count - 50), ("after", 50), ("around", count // 2))
            spent[count] = [steps(connection, side, key) for side, key in places]
        return spent

    async def work(database: Database) -> None:
        spent = await database.write(job)
        assert min(spent[400]) > 100
        for short, long in zip(spent[400], spent[20_000], strict=True):
            assert long < short * 1.2, spent

    with_database(tmp_path, work)
