"""A child process that is told a secret word and writes it into every table, sorts by it, fails with it, copies it.

python -m tests.store.confidant PATH; the word comes by the standard input, so that it stands in no file but the vault.
"""

import asyncio
import pathlib
import sys
from contextlib import suppress
from functools import partial

import apsw

from ricordo.conversation import Attachment, Role
from ricordo.fact import Global, Origin
from ricordo.store import conversations, facts, kept, messages
from ricordo.store.connection import Database
from tests.store.box import LOW, NOON, report


def confide(connection: apsw.Connection, word: str, again: int) -> None:
    """Write the word wherever words go."""
    conversations.create_space(connection, f"{word} space {again}", f"{word} instructions", NOON)
    talk = conversations.create(connection, f"{word} title", None, NOON)
    note = Attachment(f"{word}.txt", "text/plain", f"{word} attached " * 500)
    new = [
        messages.NewMessage(Role.USER, f"{word} entry {number} " + f"{word} at the harbour " * 20, NOON, attachments=(note,))
        for number in range(300)
    ]
    messages.insert(connection, talk.id, new)
    for number in range(100):
        facts.insert(connection, f"Knows {word} number {number}", Origin.USER, Global(), NOON)
    kept.set_settings(connection, kept.settings(connection).changed(instructions=word, api_key=f"sk-{word}"))
    kept.set_profile(connection, word, {word: word})


def sort_and_join(connection: apsw.Connection) -> None:
    """Make SQLite want temporary tables."""
    connection.execute("select text from messages order by text || id desc limit 5 offset 200").fetchall()
    connection.execute("select count(*) from (select distinct text || id from messages)").fetchall()
    connection.execute("select count(*) from messages a join messages b on a.text = b.text || ''").fetchall()


def fail_half_way(connection: apsw.Connection) -> None:
    """Change many rows, then break a rule, so that statement journals are made and rolled back."""
    connection.execute("savepoint here")
    with suppress(apsw.ConstraintError):
        connection.execute("update messages set text = text || text, source_key = case when id < 250 then id else 1 end")
    connection.execute("rollback to here")
    connection.execute("create temp table spare as select * from messages")
    raise ArithmeticError


async def main(path: pathlib.Path, word: str) -> None:
    """Write, then stand still at each point the parent wants to look at."""
    vault, _ = Database.create(path, "correct horse battery staple", cost=LOW)
    for again in range(5):
        await vault.write(partial(confide, word=word, again=again))
        await vault.read(sort_and_join)
        with suppress(ArithmeticError):
            await vault.write(fail_half_way)
    await vault.copy_to(path.with_name("copy.ricordo"))
    report("unlocked")
    if await asyncio.to_thread(sys.stdin.readline) == "close\n":
        await vault.close()
        report("closed")
        await asyncio.to_thread(sys.stdin.readline)


if __name__ == "__main__":
    asyncio.run(main(pathlib.Path(sys.argv[1]), sys.stdin.readline().strip()))
