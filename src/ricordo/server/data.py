"""The vault as a whole, out and in: backup, export, restore, import, erase.

The one rule: plain text leaves in a stream and comes in through memory; the server writes none of it to a disk.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterable
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import StreamingResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from ricordo.errors import InvalidInput, NotFound
from ricordo.server import uploads
from ricordo.server.access import PathId, TheDoor, TheVault
from ricordo.server.description import FILE
from ricordo.server.progress import followed
from ricordo.server.schemas import data as schemas
from ricordo.vault import Progress, Upload

router = APIRouter(prefix="/api/data", tags=["data"])


def _handed_over(path: str) -> str:
    return f"{path}.download"


@router.post("/backup", response_class=EventSourceResponse)
async def make_backup(vault: TheVault) -> AsyncIterable[ServerSentEvent]:
    """Write an encrypted copy beside the vault, to be fetched once from /api/data/backup.

    Events: `progress` ({done, total}), then `done` (Ready) or `failed` ({reason}).
    """

    async def work(progress: Progress) -> schemas.Ready:
        path = _handed_over(vault.path)
        await asyncio.to_thread(Path(path).unlink, missing_ok=True)
        await vault.data.backup(path, progress)
        name = f"{Path(vault.path).stem} {vault.now().local:%Y-%m-%d}.ricordo"
        return schemas.Ready(bytes=await asyncio.to_thread(os.path.getsize, path), name=name)

    async for event in followed(work):
        yield event


@router.get("/backup", response_class=FileResponse)
async def fetch_backup(vault: TheVault) -> FileResponse:
    """Return the copy that was made, encrypted as it is; it is deleted from beside the vault when it was fetched."""
    path = Path(_handed_over(vault.path))
    if not await asyncio.to_thread(path.exists):
        raise NotFound("There is no backup to fetch. Make one first.")
    name = f"{Path(vault.path).stem} {vault.now().local:%Y-%m-%d}.ricordo"
    gone = BackgroundTask(path.unlink, missing_ok=True)
    return FileResponse(path, filename=name, media_type="application/octet-stream", background=gone)


@router.get("/export.json", response_class=StreamingResponse)
async def export_json(vault: TheVault) -> StreamingResponse:
    """Return everything as JSON, complete: plain text."""
    return _download(vault.data.json(), f"ricordo {vault.now().local:%Y-%m-%d}.json", "application/json")


@router.get("/export.zip", response_class=StreamingResponse)
async def export_markdown(vault: TheVault) -> StreamingResponse:
    """Return everything as a zip of Markdown files, to be read: plain text."""
    return _download(vault.data.markdown(), f"ricordo {vault.now().local:%Y-%m-%d}.zip", "application/zip")


def _download(pieces: AsyncGenerator[bytes, None], name: str, kind: str) -> StreamingResponse:
    return StreamingResponse(pieces, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.post("/restore", openapi_extra=FILE)
async def restore(request: Request, door: TheDoor) -> schemas.Kept:
    """Put a backup in the vault's place; it is locked then, and what was there is kept beside it.

    The body is a line of JSON ({"passphrase"}) and the file. Open without a session while there is no vault.
    """
    path = f"{door.path}.restore"
    await asyncio.to_thread(os.makedirs, os.path.dirname(path), 0o700, exist_ok=True)
    try:
        secret = await uploads.backup(request, path)
        return schemas.Kept(aside=await door.restore(path, secret))
    finally:
        with suppress(FileNotFoundError):
            await asyncio.to_thread(os.unlink, path)


_Files = Annotated[Upload, Depends(uploads.files)]


@router.post("/import/json", response_class=EventSourceResponse, openapi_extra=FILE)
async def import_json(given: _Files, vault: TheVault) -> AsyncIterable[ServerSentEvent]:
    """Put a JSON export into the vault, which must hold nothing yet; events as of a backup, `done` with Restored."""

    async def work(progress: Progress) -> schemas.Restored:
        return schemas.Restored.model_validate(await vault.import_json(given.files[0][1], progress=progress))

    async for event in followed(work):
        yield event


@router.post("/import/diary", response_class=EventSourceResponse, openapi_extra=FILE)
async def import_diary(given: _Files, vault: TheVault, preview: bool = False) -> AsyncIterable[ServerSentEvent]:
    """Import a diary, or with `preview` only say what would come; events as of a backup, `done` with Imported or Preview."""

    async def work(progress: Progress) -> schemas.Imported | schemas.Preview:
        if preview:
            return schemas.Preview.model_validate(await vault.preview_diary(given))
        return schemas.Imported.model_validate(await vault.import_diary(given, progress=progress))

    async for event in followed(work):
        yield event


@router.delete("/imports/{key}")
async def undo_import(key: PathId, vault: TheVault) -> schemas.Undone:
    """Delete the entries that an import brought."""
    return schemas.Undone(entries=await vault.undo_import(key))


@router.post("/erase", status_code=204)
async def erase(asked: schemas.Erasing, door: TheDoor, vault: TheVault) -> None:
    """Erase the data, or everything with the vault itself; only with the word that confirms it."""
    if asked.word.strip().casefold() != schemas.WORDS[asked.what]:
        raise InvalidInput(f"Type the word {schemas.WORDS[asked.what]} to confirm. Nothing was erased.")
    if asked.what == "data":
        await vault.remove_data()
    else:
        await door.erase()
