"""A child process that imports a diary: it prints a line when the vault is open, and dies whenever its parent wants.

python -m tests.transfer.importer VAULT DIARY
"""

import asyncio
import pathlib
import sys

from ricordo.store.connection import Database
from ricordo.transfer.diary import import_diary
from tests.transfer.shelf import NOW, PASSPHRASE, ROME


async def bring(vault: str, diary: str) -> None:
    """Open the vault, say so, import."""
    database = Database.open(vault, PASSPHRASE, owner="importer")
    sys.stdout.write("open\n")
    sys.stdout.flush()
    await import_diary(database, pathlib.Path(diary), zone=ROME, now=NOW)
    await database.close()


if __name__ == "__main__":
    asyncio.run(bring(*sys.argv[1:]))
