"""The vault as a whole, on its way out: encrypted backups, and exports that anyone can read."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from io import BufferedWriter
from pathlib import Path

from apsw import Connection

from ricordo.errors import InvalidInput, VaultDamaged, VaultExists
from ricordo.standing import Soundness
from ricordo.store.connection import Database
from ricordo.store.faults import told_plainly
from ricordo.store.file import publish
from ricordo.transfer import archive, markdown_export

Progress = Callable[[int, int], None]


class Data:
    """Everything of a vault, taken out of it while it goes on being used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def backup(self, path: str | os.PathLike[str], progress: Progress | None = None) -> None:
        """Write an encrypted copy, which the same passphrase opens.

        `progress` is told pages done and pages in all. Raises VaultExists when something is there already, StorageFull.
        """
        await self._database.copy_to(path, progress)

    async def soundness(self) -> Soundness:
        """Check the file, page by page, and say how it stands; takes seconds with a large vault."""
        path = self._database.path

        def job(connection: Connection) -> tuple[int, str]:
            # Not the whole check: that also holds each index against its table, which takes minutes at a gigabyte.
            told = "; ".join(str(row[0]) for row in connection.execute("pragma quick_check(3)"))
            return int(connection.pragma("user_version")), "" if told == "ok" else told

        try:
            version, damage = await self._database.read(job)
        except VaultDamaged as error:
            version, damage = 0, str(error)
        free = (await asyncio.to_thread(shutil.disk_usage, os.path.dirname(path))).free
        return Soundness(await asyncio.to_thread(os.path.getsize, path), free, version, damage)

    async def json(self) -> AsyncGenerator[bytes, None]:
        """Yield all of it as JSON, in pieces: plain text, complete but for the key of a server, to be imported again."""
        async with aclosing(self._database.moment(archive.written)) as pieces:
            async for piece in pieces:
                yield piece

    async def markdown(self) -> AsyncGenerator[bytes, None]:
        """Yield a zip of Markdown files, in pieces: plain text to be read, a file for each conversation."""
        async with aclosing(self._database.moment(markdown_export.packed)) as pieces:
            async for piece in pieces:
                yield piece

    async def export(self, path: str | os.PathLike[str]) -> None:
        """Write a plain export: JSON where the path ends in .json, else Markdown, as a .zip or into a new folder.

        Raises VaultExists when something is there, InvalidInput where there is no folder for it, StorageFull.
        """
        target = await asyncio.to_thread(_free, path)
        kind = target.suffix.lower()
        if kind not in (".json", ".zip"):
            async with aclosing(self._database.moment(markdown_export.files)) as files:
                async for name, text in files:
                    await asyncio.to_thread(_write_file, target / name, text)
            return
        part = target.with_name(f"{target.name}.part")
        try:
            async with aclosing(self.json() if kind == ".json" else self.markdown()) as pieces:
                file = await asyncio.to_thread(_begin, part)
                try:
                    async for piece in pieces:
                        await asyncio.to_thread(_append, file, piece, part)
                finally:
                    await asyncio.to_thread(file.close)
            await asyncio.to_thread(publish, str(part), str(target))
        finally:
            await asyncio.to_thread(part.unlink, missing_ok=True)


def _free(path: str | os.PathLike[str]) -> Path:
    target = Path(path).absolute()
    if os.path.lexists(target):
        raise VaultExists(f"There is already something at {target}. Choose another name.")
    if not target.parent.is_dir():
        raise InvalidInput(f"There is no folder {target.parent}. Make it first, or choose another.")
    return target


def _mine(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)  # plain text: for its owner alone


def _begin(part: Path) -> BufferedWriter:
    with told_plainly(str(part)):
        return open(part, "wb", opener=_mine)


def _append(file: BufferedWriter, piece: bytes, part: Path) -> None:
    with told_plainly(str(part)):
        file.write(piece)


def _write_file(path: Path, text: str) -> None:
    with told_plainly(str(path)):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="\n", opener=_mine) as file:
            file.write(text)
