"""Everything of a person as one JSON file: written piece by piece, read whole. What is in it stands in store/records.py.

The one rule: out, into a new vault and out again gives the same bytes, so nothing depends on when or where it was written.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import apsw

from ricordo.errors import ImportFailed, InvalidInput, RicordoError
from ricordo.settings import Settings
from ricordo.store import drafts, kept, records
from ricordo.store.connection import Database

FORMAT = "ricordo"
VERSION = 1
PIECE = 1 << 16  # letters that are handed on at once
REPORT_EVERY = 200  # records between two reports of progress
_SECRET = "api_key"  # a key is no memory: it stays in the vault

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Restored:
    """What an import of a whole export brought, and which model's server its settings name."""

    conversations: int
    messages: int
    facts: int
    server: str


def written(connection: apsw.Connection) -> Iterator[bytes]:
    """Yield the export of a vault, one record a line."""
    piece: list[str] = []
    size = 0
    for text in _texts(connection):
        piece.append(text)
        size += len(text)
        if size >= PIECE:
            yield "".join(piece).encode()
            piece, size = [], 0
    yield "".join(piece).encode()


def _texts(connection: apsw.Connection) -> Iterator[str]:
    settings = {name: value for name, value in sorted(kept.settings(connection).stored().items()) if name != _SECRET}
    head = {"format": FORMAT, "version": VERSION, "settings": settings, "last_ids": records.last_ids(connection)}
    yield "{\n" + ",\n".join(f"{json.dumps(name)}: {_line(value)}" for name, value in head.items())
    for kind in records.KINDS:
        yield f",\n{json.dumps(kind.name)}: ["
        first = True
        for record in records.of_kind(connection, kind):
            yield f"{'' if first else ','}\n{_line(record)}"
            first = False
        yield "\n]" if not first else "]"
    yield "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def read(data: bytes) -> dict[str, Any]:
    """Return the content of an export. Raises ImportFailed for anything else."""
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ImportFailed("That is no export of Ricordo: it is not JSON, or it is cut off. Choose another file.") from error
    if not isinstance(whole, dict) or whole.get("format") != FORMAT or not isinstance(whole.get("version"), int):
        raise ImportFailed("That is JSON, but no export of Ricordo. Choose the file that *Export as JSON* made.")
    if whole["version"] > VERSION:
        raise ImportFailed("That was exported by a newer Ricordo. Install the newest one, then import it again.")
    expected = {"format", "version", "settings", "last_ids", *(kind.name for kind in records.KINDS)}
    if set(whole) != expected or not all(isinstance(whole[kind.name], list) for kind in records.KINDS):
        raise ImportFailed("That export is not whole: parts of it are missing, or were added. Export it again.")
    return whole


async def restore(database: Database, data: bytes, progress: Progress | None = None) -> tuple[Restored, Settings]:
    """Put an export into a vault that holds nothing yet, all of it or nothing; return what came, and the settings.

    The key of a model's server stays as it is. `progress` is told records stored and records in all, from another thread.
    Raises ImportFailed, and InvalidInput where there is a Space, a conversation or a fact already.
    """
    whole = await asyncio.to_thread(read, data)

    def job(connection: apsw.Connection) -> tuple[Restored, Settings]:
        if records.holds_anything(connection):
            raise InvalidInput(
                "A whole export goes into an empty vault only, and this one holds something. Make a new vault for it, or remove "
                "your data first (Settings → Data → Erase)."
            )
        connection.execute("pragma defer_foreign_keys = on")
        meanwhile = [draft for draft in drafts.listed(connection) if draft.conversation is None]
        records.clear(connection)
        _put_all(connection, whole, progress)
        if not any(record.get("conversation") is None for record in whole["drafts"]):
            for draft in meanwhile:  # what was typed here
                drafts.keep(connection, None, draft.text, draft.attachments)
        settings = _settings(whole["settings"], kept.settings(connection))
        kept.set_settings(connection, settings)
        if connection.execute("pragma foreign_key_check").fetchone():
            raise ImportFailed(_broken("something in it belongs to what is not there"))
        talks, said, known = (len(whole[name]) for name in ("conversations", "messages", "facts"))
        return Restored(talks, said, known, settings.server), settings

    return await database.write(job)


def _put_all(connection: apsw.Connection, whole: dict[str, Any], progress: Progress | None) -> None:
    total = sum(len(whole[kind.name]) for kind in records.KINDS)
    done = 0
    for kind in records.KINDS:
        for number, record in enumerate(whole[kind.name], start=1):
            try:
                records.put(connection, kind.name, record)
            except (ValueError, TypeError, AttributeError, KeyError, OverflowError, apsw.Error, RicordoError) as error:
                if isinstance(error, apsw.FullError | apsw.IOError):
                    raise
                raise ImportFailed(_broken(f"{kind.name}, number {number}: {error}")) from error
            done += 1
            if progress is not None and done % REPORT_EVERY == 0:
                progress(done, total)
    try:
        records.set_last_ids(connection, whole["last_ids"])
    except (ValueError, AttributeError) as error:
        raise ImportFailed(_broken(f"last_ids: {error}")) from error
    records.index(connection)
    if progress is not None:
        progress(total, total)


def _settings(given: Any, now: Settings) -> Settings:
    if not isinstance(given, dict) or _SECRET in given:
        raise ImportFailed(_broken("its settings are no settings"))
    try:
        return Settings().changed(**{**given, _SECRET: now.stored()[_SECRET]})
    except InvalidInput as error:
        raise ImportFailed(_broken(str(error))) from error


def _broken(what: str) -> str:
    return f"That export cannot be read, so nothing was imported ({what})."
