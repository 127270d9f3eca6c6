"""Everything of a person as one JSON file, written and read piece by piece. What is in it stands in store/records.py.

The one rule: out, into a new vault and out again gives the same bytes, so nothing depends on when or where it was written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import apsw

from ricordo.errors import ImportFailed, InvalidInput, RicordoError
from ricordo.settings import Settings
from ricordo.store import drafts, kept, records
from ricordo.store.records import Told
from ricordo.transfer import json_stream
from ricordo.transfer.json_stream import Began, Element, Member, Readable

FORMAT = "ricordo"
VERSION = 1
PIECE = 1 << 16  # letters that are handed on at once
_SECRET = "api_key"  # a key is no memory: it stays in the vault
_HEAD = ("format", "version", "settings", "last_ids")

Progress = Callable[[int, int], None]


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


class Reading:
    """One pass over an export: its head, then its records, kind by kind as they stand in it.

    Raises ImportFailed for what is no export, a newer one, one that is cut off, and one with other parts than an export has.
    """

    def __init__(self, raw: Readable, name: str) -> None:
        self.head: dict[str, Any] = {}
        self._found = json_stream.found(raw, name)
        self._kinds: list[str] = []

    def records(self) -> Iterator[Told]:
        """Yield (kind, number, record) of each; when it ends, `head` is whole."""
        number = 0
        for each in self._found:
            match each:
                case Member(name, value):
                    self._note(name, value)
                case Began(str(name)):
                    self._begin(name)
                    number = 0
                case Element(str(name), value):
                    number += 1
                    yield name, number, value
                case _:
                    raise ImportFailed("That is JSON, but no export of Ricordo. Choose the file that *Export as JSON* made.")
        if set(self.head) != set(_HEAD) or self._kinds != [kind.name for kind in records.KINDS]:
            raise ImportFailed("That export is not whole: parts of it are missing, or were added. Export it again.")

    def _note(self, name: str, value: Any) -> None:
        if name not in _HEAD:
            raise ImportFailed("That is JSON, but no export of Ricordo. Choose the file that *Export as JSON* made.")
        self.head[name] = value
        if name == "version" and (type(value) is not int or value > VERSION):
            raise ImportFailed("That was exported by a newer Ricordo. Install the newest one, then import it again.")

    def _begin(self, name: str) -> None:
        if self.head.get("format") != FORMAT or "version" not in self.head:
            raise ImportFailed("That is JSON, but no export of Ricordo. Choose the file that *Export as JSON* made.")
        if name not in {kind.name for kind in records.KINDS}:
            raise ImportFailed("That export is not whole: parts of it are missing, or were added. Export it again.")
        self._kinds.append(name)


def restore(connection: apsw.Connection, reading: Reading) -> tuple[dict[str, int], Settings]:
    """Put an export into a vault that holds nothing yet; return how many records of each kind came, and the settings.

    A job for the writer: all of it or nothing. The key of a model's server stays as it is. Raises ImportFailed.
    """
    if records.holds_anything(connection):
        raise InvalidInput("A whole export takes the place of an empty vault only, and this one holds something.")
    connection.execute("pragma defer_foreign_keys = on")
    meanwhile = [draft for draft in drafts.listed(connection) if draft.conversation is None]
    records.clear(connection)
    counts = dict.fromkeys((kind.name for kind in records.KINDS), 0)
    for name, number, record in reading.records():
        try:
            records.put(connection, name, record)
        except (apsw.FullError, apsw.IOError):
            raise
        except (ValueError, TypeError, AttributeError, KeyError, OverflowError, apsw.Error, RicordoError) as error:
            raise ImportFailed(records.broken(f"{name}, number {number}: {error}")) from error
        counts[name] = number
    if not any(draft.conversation is None for draft in drafts.listed(connection)):
        for draft in meanwhile:  # what was typed here
            drafts.keep(connection, None, draft.text, draft.attachments)
    try:
        records.set_last_ids(connection, reading.head["last_ids"])
    except (ValueError, AttributeError) as error:
        raise ImportFailed(records.broken(f"last_ids: {error}")) from error
    settings = _settings(reading.head["settings"], kept.settings(connection))
    kept.set_settings(connection, settings)
    records.index(connection)
    if connection.execute("pragma foreign_key_check").fetchone():
        raise ImportFailed(records.broken("something in it belongs to what is not there"))
    return counts, settings


def _settings(given: Any, now: Settings) -> Settings:
    if not isinstance(given, dict) or _SECRET in given:
        raise ImportFailed(records.broken("its settings are no settings"))
    try:
        return Settings().changed(**{**given, _SECRET: now.stored()[_SECRET]})
    except InvalidInput as error:
        raise ImportFailed(records.broken(str(error))) from error
