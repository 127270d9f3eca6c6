"""The diary by days: which days were written on, and what a day holds. All of the vault, whatever the conversation.

The one rule: a day is the writer's own, told by each message's offset, so in UTC it may begin and end up to 24 hours away.
"""

from __future__ import annotations

import json
from datetime import MAXYEAR, MINYEAR, date

from apsw import Connection

from ricordo.conversation import Message
from ricordo.diary import Entry, WrittenDay
from ricordo.store import messages, reach
from ricordo.store.messages import DAY, ENTRY, EPOCH, LOCAL_DAY

# What may lie on days a to b is between :start and :stop in time, which the index on it finds.
_WITHIN = f"from messages where at >= :start and at < :stop and {ENTRY} and {LOCAL_DAY}"
_IN = "(:space is null or conversation in (select id from conversations where space = :space))"


def written(connection: Connection, first: date, last: date, space: int | None = None) -> list[WrittenDay]:
    """Return the days from first to last on which the person wrote, in order; with `space`, in that Space alone."""
    rows = connection.execute(
        f"select {LOCAL_DAY} as day, count(*) {_WITHIN} between :first and :last and {_IN} group by day order by day",
        _span(first, last) | {"space": space},
    )
    return [WrittenDay(_date(day), entries) for day, entries in rows]


def total(connection: Connection, first: date, last: date, space: int | None = None) -> int:
    """Return how many entries the days from first to last have."""
    return sum(found.entries for found in written(connection, first, last, space))


def entries(
    connection: Connection, first: date, last: date, skip: int, limit: int, letters: int, space: int | None = None
) -> list[Entry]:
    """Return a slice of the entries of some days, oldest first: at most `limit`, no more than one past `letters` characters."""
    keys = []
    for key, length in connection.execute(
        f"select id, length(text) {_WITHIN} between :first and :last and {_IN} order by at, id limit :limit offset :skip",
        _span(first, last) | {"limit": limit, "skip": skip, "space": space},
    ):
        keys.append(key)
        letters -= length
        if letters < 0:
            break
    return _entries(connection, keys)


def end(connection: Connection, *, last: bool) -> Entry | None:
    """Return the first or the last entry in time, None while there is none."""
    found = messages.nth(connection, reach.ALL, {}, 0, 1, last=last, but=0)
    return _entries(connection, [found[0].id])[0] if found else None


def before(connection: Connection, day: date) -> date | None:
    """Return the last day before a day on which the person wrote."""
    values = _span(day, day)
    some = connection.execute(
        f"select {LOCAL_DAY} from messages where at < :stop and {ENTRY} and {LOCAL_DAY} < :first order by at desc limit 1", values
    ).fetchone()
    if some is None:
        return None
    # Where offsets differ, what was written a little earlier in time may lie on a later day.
    near = connection.execute(f"select {LOCAL_DAY} {_WITHIN} < :first", values | {"start": some[0] * DAY})
    return _date(max([some[0], *(row[0] for row in near)]))


def after(connection: Connection, day: date) -> date | None:
    """Return the first day after a day on which the person wrote."""
    values = _span(day, day)
    some = connection.execute(
        f"select {LOCAL_DAY} from messages where at >= :start and {ENTRY} and {LOCAL_DAY} > :first order by at limit 1", values
    ).fetchone()
    if some is None:
        return None
    stop = (some[0] + 1) * DAY  # an earlier day has ended by then, on any clock
    near = connection.execute(f"select {LOCAL_DAY} {_WITHIN} > :first", values | {"stop": stop})
    return _date(min([some[0], *(row[0] for row in near)]))


def other_years(connection: Connection, day: date) -> list[WrittenDay]:
    """Return the days of the same month and day in other years on which the person wrote, the latest first."""
    found: list[WrittenDay] = []
    reached = after(connection, date(MINYEAR, 1, 1))
    while reached and (same := _same_day(day, reached)):
        if same.year != day.year:
            found += written(connection, same, same)
        reached = after(connection, same)
    return found[::-1]


def reply(connection: Connection, key: int) -> Message | None:
    """Return the reply to an entry that its conversation shows, however it ended; None where there is none."""
    row = connection.execute(
        "select id from messages where parent = ? and role = 'model' and active = 1 order by place desc, id desc limit 1", (key,)
    ).fetchone()
    return messages.get(connection, row[0]) if row else None


def _entries(connection: Connection, keys: list[int]) -> list[Entry]:
    found = messages.of_ids(connection, keys)
    some = json.dumps(keys)
    titles = dict(
        connection.execute(
            "select m.id, c.title from messages m join conversations c on c.id = m.conversation"
            " where m.id in (select value from json_each(?))",
            (some,),
        )
    )
    replied = {
        row[0]
        for row in connection.execute(
            "select parent from messages where parent in (select value from json_each(?)) and role = 'model' and active = 1",
            (some,),
        )
    }
    return [Entry(found[key], titles[key], key in replied) for key in keys]


def _span(first: date, last: date) -> dict[str, int]:
    """Return days as SQL has them, and times between which all that was written on them lies."""
    low, high = first.toordinal() - EPOCH, last.toordinal() - EPOCH
    return {"first": low, "last": high, "start": (low - 1) * DAY, "stop": (high + 2) * DAY}


def _date(day: int) -> date:
    return date.fromordinal(day + EPOCH)


def _same_day(day: date, reached: date) -> date | None:
    """Return the first day of the same month and day that is `reached` or later; 29 February waits for its year."""
    for year in range(reached.year, min(reached.year + 9, MAXYEAR + 1)):
        try:
            same = day.replace(year=year)
        except ValueError:
            continue
        if same >= reached:
            return same
    return None
