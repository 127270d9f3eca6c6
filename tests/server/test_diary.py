"""The diary over HTTP: days, a day's slices, replies, other years."""

import pathlib
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from ricordo.conversation import Moment
from ricordo.models.scripted import ScriptedModel
from ricordo.store import conversations, messages
from ricordo.store.messages import NewMessage, Role
from tests.server.served import Served, over, reply

ZONE = timezone(timedelta(hours=9))


async def put(one: Served, *entries: tuple[str, str]) -> None:
    """Store entries of the past, by their local time in Tokyo."""

    def job(connection: messages.apsw.Connection) -> None:
        talk = conversations.create(connection, "Old diary", None, Moment(0, 0)).id
        new = [
            NewMessage(Role.USER, text, Moment.of(datetime.fromisoformat(when).replace(tzinfo=ZONE))) for when, text in entries
        ]
        messages.insert(connection, talk, new, dated=True)

    await one.door.vault._database.write(job)


@pytest.mark.req("S8", "I3")
def test_days_are_listed_and_read(tmp_path: pathlib.Path) -> None:
    """On the writer's own clock: early in Tokyo is the day before in UTC."""

    async def work(one: Served) -> None:
        client = await one.enter()
        assert (await client.get("/api/diary")).json() | {"today": ""} == {"today": "", "first": None, "last": None}
        await put(one, ("2023-05-17 05:00", "Rice"), ("2024-05-17 05:00", "Tea"), ("2024-05-19 21:00", "Rain"))
        told = (await client.get("/api/diary")).json()
        assert (told["first"], told["last"]) == ("2023-05-17", "2024-05-19")
        may = (await client.get("/api/diary/days?year=2024&month=5")).json()
        assert may == [{"day": "2024-05-17", "entries": 1}, {"day": "2024-05-19", "entries": 1}]
        assert len((await client.get("/api/diary/days?year=2024")).json()) == 2
        day = (await client.get("/api/diary/days/2024-05-17")).json()
        assert (day["total"], day["before"], day["after"]) == (1, "2023-05-17", "2024-05-19")
        (entry,) = day["entries"]
        assert (entry["message"]["text"], entry["message"]["at"]) == ("Tea", "2024-05-17T05:00:00+09:00")
        assert (entry["title"], entry["replied"]) == ("Old diary", False)
        empty = (await client.get("/api/diary/days/2024-05-18")).json()
        assert (empty["total"], empty["entries"], empty["before"]) == (0, [], "2024-05-17")
        (other,) = (await client.get("/api/diary/days/2024-05-17/other-years")).json()
        assert (other["day"], other["entries"][0]["message"]["text"]) == ("2023-05-17", "Rice")

    over(tmp_path, work)


@pytest.mark.req("S8", "I3")
def test_a_long_day_is_read_slice_by_slice_and_replies_on_demand(tmp_path: pathlib.Path) -> None:
    """The reply comes rendered, and null for an entry that has none."""

    async def work(one: Served) -> None:
        client = await one.enter()
        talk = await one.conversation()
        for number in range(3):
            await client.post(f"/api/conversations/{talk}/entries", json={"text": f"Entry {number}"})
        await reply(client, talk, "And you?")
        today = (await client.get("/api/diary")).json()["today"]
        assert abs(date.fromisoformat(today) - datetime.now(UTC).date()) <= timedelta(days=1)
        address = f"/api/diary/days/{today}"
        first = (await client.get(f"{address}?limit=2")).json()
        rest = (await client.get(f"{address}?limit=2&skip=2")).json()
        texts = [entry["message"]["text"] for entry in first["entries"] + rest["entries"]]
        assert (texts, first["total"]) == (["Entry 0", "Entry 1", "Entry 2", "And you?"], 4)
        asked = rest["entries"][1]
        assert asked["replied"]
        told = (await client.get(f"/api/diary/entries/{asked['message']['id']}/reply")).json()
        assert told["blocks"] == ["<p>I am <strong>well</strong>.</p>\n"]
        assert (await client.get(f"/api/diary/entries/{first['entries'][0]['message']['id']}/reply")).json() is None

    over(tmp_path, work, ScriptedModel("I am **well**."))


@pytest.mark.req("S8", "I3")
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("days?year=2024&month=13", 422),
        ("days?year=0", 422),
        ("days/2024-02-30", 422),
        ("days/yesterday", 422),
        ("days/2024-02-28?limit=0", 422),
        ("entries/99/reply", 404),
    ],
)
def test_what_no_calendar_has_is_refused(tmp_path: pathlib.Path, path: str, status: int) -> None:
    """In a sentence."""

    async def work(one: Served) -> None:
        client = await one.enter()
        answer = await client.get(f"/api/diary/{path}")
        assert (answer.status_code, bool(answer.json()["error"]["message"])) == (status, True)

    over(tmp_path, work)
