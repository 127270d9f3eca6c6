"""A child process that opens a vault, says so, and closes it when it is told anything.

python -m tests.store.owner PATH PASSPHRASE PROGRAM
"""

import asyncio
import sys

from ricordo.errors import RicordoError
from ricordo.store.connection import Database
from tests.store.box import report

if __name__ == "__main__":
    try:
        vault = Database.open(sys.argv[1], sys.argv[2], owner=sys.argv[3])
    except RicordoError as error:
        report(type(error).__name__, error)
    else:
        report("open")
        sys.stdin.readline()
        asyncio.run(vault.close())
        report("closed")
