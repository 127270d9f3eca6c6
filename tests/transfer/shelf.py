"""What the tests of importing share: a vault for one test, and what is in it after an import."""

import asyncio
import json
import pathlib
from collections.abc import Callable, Iterable
from zoneinfo import ZoneInfo

import apsw

from ricordo.conversation import Moment
from ricordo.store import conversations, messages
from ricordo.store.connection import Database
from ricordo.store.keys import KdfCost
from ricordo.transfer.diary import Imported, import_diary

LOW = KdfCost(19_456, 2, 1)  # the lowest that is accepted: 20 ms
PASSPHRASE = "correct horse battery staple"
NOW = Moment(1_786_104_000_000_000, 120)
ROME = ZoneInfo("Europe/Rome")


def bring(vault: Database, path: pathlib.Path, **options: object) -> Imported:
    """Import a diary as someone in Rome."""
    return asyncio.run(import_diary(vault, path, zone=ROME, now=NOW, **options))  # type: ignore[arg-type]


def read(vault: Database, job: Callable[[apsw.Connection], object]) -> object:
    """Run a job on the vault."""
    return asyncio.run(vault.read(job))


def entries(vault: Database) -> list[tuple[str, str]]:
    """Return (local time to the minute, text) of all messages, in the order of their conversations."""

    def job(connection: apsw.Connection) -> list[tuple[str, str]]:
        talks = sorted(talk.id for talk in conversations.listed(connection))
        found = [message for talk in talks for message in messages.listed(connection, talk)]
        return [(message.at.local.replace(tzinfo=None).isoformat(" ", "minutes"), message.text) for message in found]

    return asyncio.run(vault.read(job))


def titles(vault: Database) -> list[str]:
    """Return the titles of all conversations."""
    return sorted(talk.title for talk in asyncio.run(vault.read(conversations.listed)))


def write_lines(path: pathlib.Path, rows: Iterable[tuple[str | None, str]]) -> pathlib.Path:
    """Write a diary as JSON lines."""
    path.write_text("".join(json.dumps({"date": date, "text": text}, ensure_ascii=False) + "\n" for date, text in rows))
    return path
