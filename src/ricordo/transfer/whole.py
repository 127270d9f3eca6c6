"""A JSON export of Ricordo coming back: into an empty vault just as it was, into any other beside what is there.

The one rule: all of it or nothing, in one transaction.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO

import apsw

from ricordo.conversation import Moment
from ricordo.events import ListChanged
from ricordo.imported import Imported, LeftOut, Preview
from ricordo.settings import Settings
from ricordo.store import imports, records
from ricordo.store.connection import Database
from ricordo.store.merging import Merge
from ricordo.transfer import archive
from ricordo.transfer.archive import Progress
from ricordo.transfer.kinds import Recognised
from ricordo.transfer.parts import Part, named
from ricordo.transfer.source import Upload


async def preview(database: Database, recognised: Recognised) -> Preview:
    """Read an export to its end and say what would come; nothing is stored. Raises ImportFailed."""

    def job(connection: apsw.Connection) -> Preview:
        merge = Merge(0)
        _look(connection, merge, recognised.parts[0], _Told(None, 0))
        empty = not records.holds_anything(connection)
        left = () if empty else _left(merge)
        there = merge.there
        return Preview(
            format=archive.FORMAT,
            conversations=merge.made["conversations"],
            messages=merge.made["messages"],
            facts=merge.made["facts"],
            already_there=there,
            left_out=left,
            first=merge.first,
            last=merge.last,
        )

    return await database.read(job)


async def bring(
    database: Database, source: Path | Upload, recognised: Recognised, now: Moment, progress: Progress | None = None
) -> tuple[Imported, Settings | None]:
    """Bring in an export; return what came, and its settings where it filled an empty vault.

    `progress` is told bytes read, and of how many, from another thread. Raises ImportFailed, StorageFull.
    """
    part = recognised.parts[0]

    def job(connection: apsw.Connection) -> tuple[Imported, Settings | None]:
        if not records.holds_anything(connection):
            with part.opened() as raw:
                reading = archive.Reading(_Told(progress, part.size).following(raw), part.path.name)
                counts, settings = archive.restore(connection, reading)
            return Imported(
                format=archive.FORMAT,
                conversations=counts["conversations"],
                messages=counts["messages"],
                facts=counts["facts"],
                server=settings.server,
            ), settings
        told = _Told(progress, 2 * part.size)
        merge = Merge(0)
        _look(connection, merge, part, told)
        if any(merge.made.values()):
            merge.import_ = imports.begin(connection, archive.FORMAT, named(source), now)
            with part.opened() as raw:
                merge.put(connection, archive.Reading(told.following(raw), part.path.name).records())
            imports.finish(connection, archive.FORMAT, named(source), now)
        there, made = merge.there, merge.import_ or None
        done = Imported(
            format=archive.FORMAT,
            conversations=merge.made["conversations"],
            messages=merge.made["messages"],
            facts=merge.made["facts"],
            already_there=there,
            left_out=_left(merge),
            import_=made,
        )
        return done, None

    return await database.write(job, ListChanged("everything"))


def _look(connection: apsw.Connection, merge: Merge, part: Part, told: _Told) -> None:
    with part.opened() as raw:
        merge.look(connection, archive.Reading(told.following(raw), part.path.name).records())


def _left(merge: Merge) -> tuple[LeftOut, ...]:
    return tuple(LeftOut(what, count) for what, count in merge.left.most_common())


class _Told:
    """Tells how far the reading of a file is."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def following(self, raw: IO[bytes]) -> _Counted:
        """Return a file that is counted as it is read."""
        return _Counted(raw, self._count)

    def _count(self, size: int) -> None:
        self._done += size
        if self._progress is not None:
            self._progress(min(self._done, self._total), self._total)


class _Counted:
    """A file that says how much of it was read."""

    def __init__(self, raw: IO[bytes], count: Callable[[int], None]) -> None:
        self._raw, self._count = raw, count

    def read(self, size: int = -1, /) -> bytes:
        """Read on."""
        data = self._raw.read(size)
        self._count(len(data))
        return data
