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


def _fetched(path: str) -> str:
    """Return where a copy stands while it is fetched."""
    return f"{path}.fetched"


@router.post("/backup", response_class=EventSourceResponse)
async def make_backup(vault: TheVault) -> AsyncIterable[ServerSentEvent]:
    """Write an encrypted copy beside the vault, to be fetched once from /api/data/backup.

    Events: `progress` ({done, total}), then `done` (Ready) or `failed` ({reason}).
    """

    async def work(progress: Progress) -> schemas.Ready:
        path = _handed_over(vault.path)
        for left in (path, _fetched(vault.path)):  # of one that was never fetched, or not to its end
            await asyncio.to_thread(Path(left).unlink, missing_ok=True)
        await vault.data.backup(path, progress)
        name = f"{Path(vault.path).stem} {vault.now().local:%Y-%m-%d}.ricordo"
        return schemas.Ready(bytes=await asyncio.to_thread(os.path.getsize, path), name=name)

    async for event in followed(work):
        yield event


@router.get("/backup", response_class=FileResponse)
async def fetch_backup(vault: TheVault) -> FileResponse:
    """Return the copy that was made, encrypted as it is; it is deleted from beside the vault when it was fetched."""
    taken = Path(_fetched(vault.path))  # taken at once: whoever asks again while it is sent finds none
    try:
        await asyncio.to_thread(os.replace, _handed_over(vault.path), taken)
    except FileNotFoundError as error:
        raise NotFound("There is no backup to fetch. Make one first.") from error
    name = f"{Path(vault.path).stem} {vault.now().local:%Y-%m-%d}.ricordo"
    gone = BackgroundTask(taken.unlink, missing_ok=True)
    return FileResponse(taken, filename=name, media_type="application/octet-stream", background=gone)


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


@router.post("/import", response_class=EventSourceResponse, openapi_extra=FILE)
async def import_files(
    given: _Files, vault: TheVault, kind: schemas.Format | None = None, preview: bool = False
) -> AsyncIterable[ServerSentEvent]:
    """Bring files in, or with `preview` only say what would come; what they are is told by `kind`, else by what is in them.

    Events as of a backup, `done` with Imported or Preview.
    """

    async def work(progress: Progress) -> schemas.Imported | schemas.Preview:
        if preview:
            return schemas.Preview.model_validate(await vault.imports.preview(given, kind))
        return schemas.Imported.model_validate(await vault.imports.bring(given, kind, progress=progress))

    async for event in followed(work):
        yield event


@router.get("/imports")
async def list_imports(vault: TheVault) -> list[schemas.Import]:
    """Return the imports that were made and not undone, newest first, with what is left of each."""
    return [schemas.Import.model_validate(each) for each in await vault.imports.all()]


@router.get("/imports/{key}")
async def weigh_import(key: PathId, vault: TheVault) -> schemas.Undoing:
    """Return what undoing an import would delete."""
    return schemas.Undoing.model_validate(await vault.imports.undoing(key))


@router.delete("/imports/{key}")
async def undo_import(key: PathId, vault: TheVault) -> schemas.Undoing:
    """Delete what an import brought and what was learned from it; return how much that was."""
    return schemas.Undoing.model_validate(await vault.imports.undo(key))


@router.put("/imports/{key}/learning")
async def learn_from_import(key: PathId, asked: schemas.Learning, vault: TheVault) -> schemas.Import:
    """Let the model read the turns of an import whenever it has nothing else to do, or pause that."""
    return schemas.Import.model_validate(await vault.imports.learn(key, asked.on))


@router.post("/erase", status_code=204)
async def erase(asked: schemas.Erasing, door: TheDoor, vault: TheVault) -> None:
    """Erase the data, or everything with the vault itself; only with the word that confirms it."""
    if asked.word.strip().casefold() != schemas.WORDS[asked.what]:
        raise InvalidInput(f"Type the word {schemas.WORDS[asked.what]} to confirm. Nothing was erased.")
    if asked.what == "data":
        await vault.remove_data()
    else:
        await door.erase()
