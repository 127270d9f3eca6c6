"""The shelf of what was brought in from elsewhere: looking through a file, bringing it in, taking it back, learning from it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from datetime import tzinfo
from pathlib import Path

from ricordo.conversation import Moment
from ricordo.errors import SwitchedOff
from ricordo.events import ListChanged
from ricordo.imported import Import, Imported, Preview, Undoing
from ricordo.settings import Settings
from ricordo.store import imports
from ricordo.store.connection import Database
from ricordo.transfer import archive, diary, importing, kinds, whole
from ricordo.transfer.importing import Progress
from ricordo.transfer.source import Upload

Now = Callable[[], Moment]


class Imports:
    """What was brought in from other programs: looked through first, listed after, each taken back as a whole."""

    def __init__(
        self,
        database: Database,
        now: Now,
        zone: Callable[[], tzinfo],
        settings: Callable[[], Settings],
        settled: Callable[[Settings | None], Awaitable[None]],
    ) -> None:
        self._database, self._now, self._zone = database, now, zone
        self._settings, self._settled = settings, settled

    async def preview(self, source: str | os.PathLike[str] | Upload, as_: str | None = None) -> Preview:
        """Read a file or folder to its end and say what an import would bring; nothing is stored.

        `as_` is one of chatgpt, claude, dayone, markdown, ricordo, diary; without it the content tells. Raises ImportFailed,
        InvalidInput.
        """
        where = _absolute(source)
        found = await asyncio.to_thread(kinds.recognise, where, as_)
        if found.format == archive.FORMAT:
            return await whole.preview(self._database, found)
        if found.format == diary.FORMAT:
            return await diary.preview(self._database, where, zone=self._zone())
        return await importing.preview(self._database, where, found, self._zone())

    async def bring(
        self,
        source: str | os.PathLike[str] | Upload,
        as_: str | None = None,
        *,
        conversation: int | None = None,
        progress: Progress | None = None,
    ) -> Imported:
        """Bring in what is new in a file or folder, as `preview` tells it (I6). It may be repeated at any time.

        `conversation` takes the entries of a diary, of notes or of a journal. An `Upload` is files that lie in memory. An export
        of Ricordo fills an empty vault just as it was, settings too; into any other it comes beside what is there. `progress`
        is told how much was read, and of how much, perhaps from another thread. Nothing is learned from it by itself.
        Raises ImportFailed, InvalidInput, NotFound, StorageFull.
        """
        where = _absolute(source)
        found = await asyncio.to_thread(kinds.recognise, where, as_)
        zone, now = self._zone(), self._now()
        restored: Settings | None = None
        try:
            if found.format == archive.FORMAT:
                done, restored = await whole.bring(self._database, where, found, now, progress)
            elif found.format == diary.FORMAT:
                done = await diary.import_diary(
                    self._database, where, zone=zone, now=now, conversation=conversation, progress=progress
                )
            else:
                done = await importing.bring(
                    self._database, where, found, zone=zone, now=now, conversation=conversation, progress=progress
                )
        finally:
            await self._settled(restored)
        return done

    async def all(self) -> list[Import]:
        """Return the imports that were made and not undone, newest first."""
        return await self._database.read(imports.listed)

    async def get(self, import_: int) -> Import:
        """Return one import. Raises NotFound."""
        return await self._database.read(lambda c: imports.get(c, import_))

    async def undoing(self, import_: int) -> Undoing:
        """Say what undoing an import would take. Raises NotFound."""
        return await self._database.read(lambda c: imports.weighed(c, import_))

    async def undo(self, import_: int) -> Undoing:
        """Take an import back: its messages and versions, what was learned from it, conversations that then hold nothing.

        What was written in its conversations since stays, and so do memories that the person wrote. Raises NotFound for an
        import that is not there or was undone.
        """
        now = self._now()
        return await self._database.erase(lambda c: imports.undo(c, import_, now), ListChanged("everything"))

    async def learn(self, import_: int, on: bool = True) -> Import:
        """Let the model read an import's turns whenever it has nothing else to do, or pause that; it goes on where it was.

        Where the memories go is settled for each turn as if it were sent now (W4). Raises NotFound; SwitchedOff while nothing is
        remembered.
        """
        if on and not self._settings().remember:
            raise SwitchedOff("Remembering is off, so nothing is learned. Turn it on in Settings → Memory and chat first.")
        made = await self._database.write(lambda c: imports.set_learning(c, import_, on), ListChanged("imports"))
        await self._settled(None)
        return made


def _absolute(source: str | os.PathLike[str] | Upload) -> Path | Upload:
    return source if isinstance(source, Upload) else Path(source).absolute()  # "." has no name to call a conversation after
