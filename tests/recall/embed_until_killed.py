"""A process that embeds a vault and says so after each batch: for a test that kills it. Arguments: path, passphrase."""

import asyncio
import sys
import time
from contextlib import nullcontext

from ricordo.recall.embedding import embed_due
from ricordo.store.connection import Database
from tests.embedders import HashEmbedder
from tests.store.box import report


async def main() -> None:
    database = Database.open(sys.argv[1], sys.argv[2])

    def progress(done: int, total: int) -> None:
        report(done, total)
        time.sleep(0.05)  # so that the end comes in the middle

    while await embed_due(database, HashEmbedder(), nullcontext, progress, set()):
        pass


asyncio.run(main())
