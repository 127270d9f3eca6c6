"""The files of an import, wherever they lie: alone, in a folder, in a zip, or in memory. None is ever unpacked to the disk."""

from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, cast

from ricordo.conversation import Moment
from ricordo.errors import ImportFailed
from ricordo.transfer.source import BROKEN, Upload, unpacked

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # one with something in it, and an empty one
# What a damaged or cut off file raises while it is read, and what one may raise when it is opened (locked, packed oddly).
_DAMAGED = (*BROKEN, zipfile.BadZipFile, zlib.error)
_CLOSED = (*_DAMAGED, RuntimeError, NotImplementedError, ValueError, OverflowError, struct.error)
Opener = Callable[[], IO[bytes]]


@dataclass(frozen=True, slots=True)
class Part:
    """One file: its path within what was chosen, its bytes there, and when it was last written, where that is known."""

    path: PurePosixPath
    size: int
    written: Moment | None
    _open: Callable[[], AbstractContextManager[IO[bytes]]]

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Open it for reading, unpacked where it is packed. Raises ImportFailed, also while it is read."""
        with ExitStack() as stack:
            try:
                raw = stack.enter_context(self._open())
            except _CLOSED as error:
                raise ImportFailed(f"{self.path} cannot be read: {reason(error)}. Choose the file again.") from error
            try:
                yield raw
            except _DAMAGED as error:
                raise ImportFailed(
                    f"{self.path} cannot be read to its end: {reason(error)}. Download or save it again."
                ) from error

    def head(self, size: int = 4096) -> bytes:
        """Return how it begins. Raises ImportFailed."""
        with self.opened() as raw:
            return raw.read(size)


def reason(error: Exception) -> str:
    """Return why something could not be read, as it stands in a sentence."""
    if isinstance(error, RuntimeError) and "encrypted" in str(error):
        return "it is locked with a password"
    return (getattr(error, "strerror", None) or str(error) or "it is damaged").rstrip(".")


def named(source: Path | Upload) -> str:
    """Return what the person calls it."""
    return source.name if isinstance(source, Upload) else source.name or str(source)


def parts(source: Path | Upload) -> list[Part]:
    """Return the files of an import by their paths; hidden ones are left out. Raises ImportFailed where there is none."""
    try:
        found = _of_upload(source) if isinstance(source, Upload) else _of_path(source)
    except _CLOSED as error:
        raise ImportFailed(f"{named(source)} cannot be read: {reason(error)}. Check it and its permissions.") from error
    shown = [part for part in found if not _hidden(part.path)]
    if not shown:
        raise ImportFailed(f"There is nothing in {named(source)}. Choose another file or folder.")
    return sorted(shown, key=lambda part: str(part.path).casefold())


def _of_upload(source: Upload) -> list[Part]:
    found: list[Part] = []
    for name, data in source.files:
        opener = partial(io.BytesIO, data)
        if data[:4] in _ZIP:
            found += _of_zip(opener)
        else:
            found.append(Part(PurePosixPath(name), len(data), None, partial(_plain, opener)))
    return found


def _of_path(path: Path) -> list[Part]:
    if not path.exists():
        raise ImportFailed(f"There is nothing at {path}. Check the name.")
    if path.is_dir():
        files = [Path(folder, name) for folder, _, names in os.walk(path, onerror=_refuse) for name in names]
        shown = [each for each in files if each.is_file()]  # no pipe, which would never end, and no link to nothing
        return [_file(each, PurePosixPath(path.name or "folder", each.relative_to(path).as_posix())) for each in shown]
    with path.open("rb") as file:
        packed = file.read(4) in _ZIP
    return _of_zip(partial(_read, path)) if packed else [_file(path, PurePosixPath(path.name))]


def _refuse(error: OSError) -> None:
    raise error


def _file(path: Path, name: PurePosixPath) -> Part:
    status = path.stat()
    return Part(name, status.st_size, _moment(status.st_mtime), partial(_plain, partial(_read, path)))


def _of_zip(opener: Opener) -> list[Part]:
    with opener() as raw, zipfile.ZipFile(raw) as archive:
        members = [info for info in archive.infolist() if not info.is_dir()]
    return [
        Part(PurePosixPath(info.filename), info.file_size, _zip_time(info), partial(_member, opener, info)) for info in members
    ]


def _read(path: Path) -> IO[bytes]:
    return path.open("rb")


@contextmanager
def _plain(opener: Opener) -> Iterator[IO[bytes]]:
    with opener() as raw, unpacked(io.BufferedReader(raw) if isinstance(raw, io.BytesIO) else raw) as file:  # type: ignore[arg-type]
        yield cast(IO[bytes], file)


@contextmanager
def _member(opener: Opener, info: zipfile.ZipInfo) -> Iterator[IO[bytes]]:
    with opener() as raw, zipfile.ZipFile(raw) as archive, archive.open(info) as file:
        yield file


def _zip_time(info: zipfile.ZipInfo) -> Moment | None:
    try:
        return Moment.of(datetime(*info.date_time).astimezone()) if info.date_time[0] > 1980 else None
    except (ValueError, OverflowError, OSError):
        return None


def _moment(seconds: float) -> Moment | None:
    try:
        return Moment.of(datetime.fromtimestamp(seconds, UTC).astimezone())
    except (ValueError, OverflowError, OSError):
        return None


def _hidden(path: PurePosixPath) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in path.parts)
