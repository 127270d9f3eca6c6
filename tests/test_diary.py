"""The diary by days: which were written on, what they hold, what lies beside them; by the writer's own clock."""

import asyncio
import pathlib
import tempfile
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some

from ricordo.conversation import Moment, Role, Status
from ricordo.diary import WrittenDay
from ricordo.errors import InvalidInput, NotFound
from ricordo.models.scripted import ScriptedModel
from ricordo.store import conversations, diary, messages
from ricordo.store.connection import Database
from ricordo.store.messages import NewMessage
from ricordo.vault import AsyncVault
from tests.vaults import events, with_database, with_vault

TOKYO, ROME, HAWAII = (timezone(timedelta(hours=hours)) for hours in (9, 2, -10))


def at(text: str, zone: timezone = ROME) -> Moment:
    """Return a local time as a moment."""
    return Moment.of(datetime.fromisoformat(text).replace(tzinfo=zone))


async def put(database: Database, *entries: tuple[Moment, str], title: str = "Diary", role: Role = Role.USER) -> int:
    """Store entries in a conversation of their own; returns its id."""

    def job(connection: messages.apsw.Connection) -> int:
        talk = conversations.create(connection, title, None, Moment(0, 0)).id
        messages.insert(connection, talk, [NewMessage(role, text, when) for when, text in entries], dated=True)
        return talk

    return await database.write(job)


def over(folder: pathlib.Path, work: Callable[[AsyncVault, Database], Awaitable[None]]) -> None:
    """Run some work on a new vault and its database."""

    async def run(vault: AsyncVault) -> None:
        await work(vault, vault._database)

    with_vault(folder, run)


@pytest.mark.req("S8")
def test_a_month_and_a_year_tell_the_days_written(tmp_path: pathlib.Path) -> None:
    """With how many entries each has, across conversations; replies count for nothing."""

    async def work(vault: AsyncVault, database: Database) -> None:
        await put(database, (at("2026-05-17 09:00"), "One"), (at("2026-05-31 23:59"), "Two"), (at("2026-06-01 00:00"), "Three"))
        await put(database, (at("2026-05-17 22:00"), "Four"), title="Other")
        await put(database, (at("2026-05-18 22:00"), "A reply"), role=Role.MODEL)
        may = [WrittenDay(date(2026, 5, 17), 2), WrittenDay(date(2026, 5, 31), 1)]
        assert await vault.diary.written(2026, 5) == may
        assert await vault.diary.written(2026) == [*may, WrittenDay(date(2026, 6, 1), 1)]
        assert await vault.diary.written(2025) == []
        for year, month in ((0, 1), (10000, None), (2026, 13), (2026, 0)):
            with pytest.raises(InvalidInput):
                await vault.diary.written(year, month)

    over(tmp_path, work)


@pytest.mark.req("S8")
def test_a_day_is_the_one_on_the_writers_clock(tmp_path: pathlib.Path) -> None:
    """Written in Tokyo on the 2nd and in Hawaii on the 1st within the same hour: each stands on its own day, as it was lived."""

    async def work(vault: AsyncVault, database: Database) -> None:
        await put(database, (at("2026-05-02 07:00", TOKYO), "Rice"), (at("2026-05-01 12:30", HAWAII), "Waves"))
        assert await vault.diary.written(2026, 5) == [WrittenDay(date(2026, 5, 1), 1), WrittenDay(date(2026, 5, 2), 1)]
        day = await vault.diary.day(date(2026, 5, 1))
        assert [entry.message.text for entry in day.entries] == ["Waves"]
        assert await vault.diary.after(date(2026, 5, 1)) == date(2026, 5, 2)
        assert await vault.diary.before(date(2026, 5, 2)) == date(2026, 5, 1)

    over(tmp_path, work)


@pytest.mark.req("S8")
def test_a_day_has_its_entries_with_their_conversations_and_replies(tmp_path: pathlib.Path) -> None:
    """In the order of their time, whichever conversation; a reply is fetched when it is asked for."""

    async def work(vault: AsyncVault) -> None:
        await put(vault._database, (at("2026-05-20 08:00"), "Early"), title="Mornings")
        talk = await vault.conversations.create("Talks")
        await events(vault.reply(talk.id, "How was it?"))
        day = await vault.diary.day(vault.diary.today())
        assert [(entry.message.text, entry.title, entry.replied) for entry in day.entries] == [
            ("Early", "Mornings", False),
            ("How was it?", "Talks", True),
        ]
        early, asked = (entry.message.id for entry in day.entries)
        assert await vault.diary.reply(early) is None
        reply = await vault.diary.reply(asked)
        assert reply and (reply.text, reply.role) == ("It was fine.", Role.MODEL)
        with pytest.raises(NotFound):
            await vault.diary.reply(99)

    with_vault(tmp_path, work, ScriptedModel("It was fine."))


@pytest.mark.req("S8")
def test_what_stands_on_another_branch_is_no_entry(tmp_path: pathlib.Path) -> None:
    """A message that was edited counts once."""

    async def work(vault: AsyncVault, database: Database) -> None:
        talk = await put(database, (at("2026-05-17 09:00"), "Old"), (at("2026-05-17 09:01"), "New"))
        old = (await vault.conversations.messages(talk))[0].id
        await database.write(lambda c: messages.set_active(c, [old], False))
        assert await vault.diary.written(2026, 5) == [WrittenDay(date(2026, 5, 17), 1)]
        first = await vault.diary.first()
        assert first and first.message.text == "New"

    over(tmp_path, work)


@pytest.mark.req("S8")
def test_a_stopped_reply_is_shown_too(tmp_path: pathlib.Path) -> None:
    """With how it ended."""

    async def work(vault: AsyncVault, database: Database) -> None:
        def job(connection: messages.apsw.Connection) -> int:
            talk = conversations.create(connection, "", None, Moment(0, 0)).id
            asked, _ = messages.insert(
                connection,
                talk,
                [
                    NewMessage(Role.USER, "Tell me", at("2026-05-17 09:00")),
                    NewMessage(Role.MODEL, "Once upon", at("2026-05-17 09:00"), Status.STOPPED),
                ],
            )
            return asked.id

        asked = await database.write(job)
        reply = await vault.diary.reply(asked)
        assert reply and reply.status is Status.STOPPED

    over(tmp_path, work)


@pytest.mark.req("S8")
def test_a_long_day_comes_in_slices(tmp_path: pathlib.Path) -> None:
    """Of so many entries, or fewer where they are long; each slice goes on where the one before ended."""

    async def work(vault: AsyncVault, database: Database) -> None:
        texts = ["short", "x" * 150_000, "y" * 150_000, "z" * 150_000, "last"]
        await put(database, *((at(f"2026-05-17 09:0{number}"), text) for number, text in enumerate(texts)))
        read: list[str] = []
        sizes = []
        while len(read) < 5:
            slice_ = await vault.diary.day(date(2026, 5, 17), skip=len(read), limit=4)
            assert slice_.total == 5
            sizes.append(len(slice_.entries))
            read += [entry.message.text for entry in slice_.entries]
        assert read == texts
        assert sizes == [3, 2]

    over(tmp_path, work)


@pytest.mark.req("S8")
def test_first_last_and_on_this_day(tmp_path: pathlib.Path) -> None:
    """Other years only, the latest first; 29 February meets leap years alone."""

    async def work(vault: AsyncVault, database: Database) -> None:
        assert (await vault.diary.first(), await vault.diary.last()) == (None, None)
        assert await vault.diary.on_this_day(date(2026, 5, 20)) == []
        assert await vault.diary.before(date(2026, 5, 20)) is None
        days = ("1666-09-02", "2023-05-20", "2024-02-29", "2024-05-20", "2024-05-21", "2026-05-20", "2028-02-29")
        await put(database, *((at(f"{day} 12:00"), day) for day in days))
        first, last = await vault.diary.first(), await vault.diary.last()
        assert first and last and (first.message.text, last.message.text) == (days[0], days[-1])
        found = await vault.diary.on_this_day(date(2026, 5, 20))
        assert [day.day.year for day in found] == [2024, 2023]
        assert [entry.message.text for entry in found[0].entries] == ["2024-05-20"]
        assert [day.day.year for day in await vault.diary.on_this_day(date(2000, 2, 29))] == [2028, 2024]
        assert [day.day.year for day in await vault.diary.on_this_day(date(2025, 9, 2))] == [1666]
        for end in (date.min, date.max):
            assert (await vault.diary.day(end)).total == 0
            assert await vault.diary.on_this_day(end) == []
        assert (await vault.diary.after(date.min), await vault.diary.before(date.max)) == (date(1666, 9, 2), date(2028, 2, 29))

    over(tmp_path, work)


MOMENTS = some.builds(
    Moment, some.integers(-5 * 86_400_000_000, 5 * 86_400_000_000), some.sampled_from([0, 60, -1439, 1439, 840, -720, 330])
)


@pytest.mark.req("S8")
@settings(max_examples=40)
@given(some.lists(MOMENTS, max_size=12), some.integers(-7, 7))
@example([Moment(-3_600_000_000, 120)], 1)  # on the first hour of a day that in UTC has not begun
def test_days_beside_a_day_leave_none_out(moments: list[Moment], shift: int) -> None:
    """Whatever the offsets: what the calendar counts, and the days before and after, are those on the writers' clocks."""
    day = date(1970, 1, 1) + timedelta(days=shift)
    lived = sorted(moment.local.date() for moment in moments)

    async def work(database: Database) -> None:
        await put(database, *((moment, "x") for moment in moments))
        week = day + timedelta(days=3)
        expected = [WrittenDay(each, lived.count(each)) for each in sorted(set(lived)) if day <= each <= week]
        assert await database.read(lambda c: diary.written(c, day, week)) == expected
        before = await database.read(lambda c: diary.before(c, day))
        assert before == max((each for each in lived if each < day), default=None)
        after = await database.read(lambda c: diary.after(c, day))
        assert after == min((each for each in lived if each > day), default=None)

    with tempfile.TemporaryDirectory() as folder:
        with_database(pathlib.Path(folder), work)


def test_today_is_the_persons_day(tmp_path: pathlib.Path) -> None:
    """Which near midnight is another than in UTC."""

    async def run() -> None:
        clock = lambda: datetime(2026, 5, 20, 23, 30, tzinfo=UTC).astimezone(ROME)  # noqa: E731
        vault = await AsyncVault.create(tmp_path / "diary.ricordo", "correct horse battery", clock=clock)
        async with vault:
            assert vault.diary.today() == date(2026, 5, 21)

    asyncio.run(run())


@pytest.mark.req("I5", "S8")
def test_entries_of_several_days_come_in_order_and_keep_to_a_space(tmp_path: pathlib.Path) -> None:
    """By the writer's own days on both ends, in slices, with how many there are in all; a Space's alone where one is named."""

    async def work(vault: AsyncVault, database: Database) -> None:
        await put(database, (at("2026-05-17 23:59", HAWAII), "Late"), (at("2026-05-18 00:01", TOKYO), "Early"))
        work_talk = await put(database, (at("2026-05-19 09:00"), "At work"), (at("2026-05-20 09:00"), "After"))
        await put(database, (at("2026-05-16 09:00"), "Before"))
        space = (await vault.spaces.create("Work")).id
        await vault.conversations.move(work_talk, space)

        async def told(skip: int = 0, limit: int = 50, space: int | None = None) -> tuple[list[str], int]:
            found, total = await vault.diary.between(date(2026, 5, 17), date(2026, 5, 19), skip, limit, space=space)
            return [entry.message.text for entry in found], total

        assert await told() == (["Early", "Late", "At work"], 3)
        assert await told(1, 1) == (["Late"], 3)
        assert await told(space=space) == (["At work"], 1)
        assert await vault.diary.between(date.min, date.max, space=space + 1) == ([], 0)

    over(tmp_path, work)
