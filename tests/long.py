"""Much of something, laid down at once: a conversation of many messages, a vault of many facts."""

import asyncio
import pathlib
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import apsw

from ricordo.conversation import Moment
from ricordo.fact import Global, Origin
from ricordo.settings import Settings
from ricordo.store import facts, kept
from ricordo.store.connection import Database
from tests.vaults import CHEAP, PASSPHRASE

WORDS = "kayak lantern orchard violin harbour thimble walnut compass saddle heron".split()


def lines(connection: apsw.Connection, conversation: int, count: int) -> None:
    """Add so many messages, in turn by the person and the model, their rows alone; each says which it is: Line 1, Line 2, …"""
    connection.execute(
        "insert into messages (conversation, parent, role, text, at, at_offset, place, status)"
        " with recursive n (i) as (select (select count(*) from messages) + 1 union all select i + 1 from n limit ?2)"
        " select ?1, nullif(i - 1, 0), case i % 2 when 1 then 'user' else 'model' end, 'Line ' || i,"
        " 1600000000000000 + i * 60000000, 120, 1600000000000000 + i * 60000000, 'complete' from n",
        (conversation, count),
    )


def many_facts(folder: pathlib.Path, count: int) -> None:
    """Make a vault in a folder with so many facts, of one line to three, that are found by words alone."""

    def job(connection: apsw.Connection) -> None:
        for number in range(count):
            text = f"Fact {number + 1}: the {WORDS[number % 10]} is by the {WORDS[number // 10 % 10]}"
            at = Moment(1_600_000_000_000_000 + number * 60_000_000, 120)
            facts.insert(connection, text + ", as it has been for years" * (number % 7), Origin.USER, Global(), at)
        kept.set_settings(connection, Settings(embedder="off", global_memories=True))

    async def make() -> None:
        database, _ = Database.create(folder / "diary.ricordo", PASSPHRASE, cost=CHEAP)
        await database.write(job)
        await database.close()

    apart(make)


def apart(make: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run something in a thread of its own: where a browser is driven, its loop has this one."""
    with ThreadPoolExecutor() as aside:
        aside.submit(lambda: asyncio.run(make())).result()
