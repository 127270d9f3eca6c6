"""A child process that keeps a diary until it is killed: each line it prints is something the vault has acknowledged.

python -m tests.store.diarist PATH PASSPHRASE [FIRST]; every fifth write changes the passphrase to "pass N".
"""

import asyncio
import sys

import apsw

from ricordo.conversation import Role
from ricordo.store import conversations, messages
from ricordo.store.connection import Database
from tests.store.box import LOW, NOON, report


async def write_for_ever(vault: Database, passphrase: str, first: int) -> None:
    """Write an entry of varying length and print its number, again and again."""
    number = first
    while True:

        def job(connection: apsw.Connection, number: int = number) -> None:
            talk = conversations.create(connection, "Kept", None, NOON)
            text = f"entry {number} of the diary, about the harbour " + "and the long walk home " * (number % 200)
            messages.append(connection, talk.id, messages.NewMessage(Role.USER, text, NOON))
            connection.execute("insert into settings values (?, ?)", (f"entry {number}", "kept"))

        await vault.write(job)
        report("kept", number)
        if number % 5 == 0:
            report("changing", f"pass {number}")
            await vault.change_passphrase(passphrase, f"pass {number}", cost=LOW)
            passphrase = f"pass {number}"
            report("changed", passphrase)
        if number % 7 == 0:
            await vault.checkpoint()
        number += 1


if __name__ == "__main__":
    path, passphrase, first = sys.argv[1], sys.argv[2], int(sys.argv[3])
    asyncio.run(write_for_ever(Database.open(path, passphrase, owner="diarist"), passphrase, first))
