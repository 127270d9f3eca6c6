"""Where a diary is read from: a file or a folder, compressed or not, line by line. Nothing unpacked is ever written to disk."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ricordo.errors import ImportFailed

TEXT_ENDINGS = frozenset({".md", ".markdown", ".mdown", ".txt", ".text"})
_LINE_ENDINGS = frozenset({".jsonl", ".ndjson"})
_PACKED_ENDINGS = frozenset({".xz", ".gz"})
_FIGURES = re.compile(r"\d+")
_SNIFFED = 4096  # bytes
# What a cut off or damaged file raises while it is unpacked.
BROKEN = (OSError, EOFError, lzma.LZMAError, zlib.error)

Unpacked = lzma.LZMAFile | gzip.GzipFile | io.BufferedReader


@dataclass(frozen=True, slots=True)
class Upload:
    """Files that were handed over and lie in memory alone: a name for the whole, and each one's path within it."""

    name: str
    files: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True)
class File:
    """One file of a diary, on the disk unless `data` has it."""

    path: Path
    data: bytes | None = None

    def open(self) -> io.BufferedReader:
        """Open it for reading."""
        return self.path.open("rb") if self.data is None else io.BufferedReader(io.BytesIO(self.data))

    @property
    def size(self) -> int:
        """Its bytes; 0 when they are not to be had, which opening the file will tell."""
        if self.data is not None:
            return len(self.data)
        try:
            return self.path.stat().st_size
        except OSError:
            return 0


class Lines:
    """The lines of one file, as bytes without their ends, counted from 1; iterate once."""

    def __init__(self, path: Path, raw: io.BufferedReader, unpacked: Unpacked) -> None:
        self.path = path
        self._raw = raw
        self._file = unpacked

    def head(self) -> bytes:
        """Return the beginning without moving on."""
        return self._file.peek(_SNIFFED)[:_SNIFFED]

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        for number, line in enumerate(self._file, 1):
            line = line.removesuffix(b"\n").removesuffix(b"\r")
            yield number, line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line

    @property
    def done(self) -> int:
        """How many bytes of the file have been read."""
        return self._raw.tell()


@contextmanager
def opened(source: File) -> Iterator[Lines]:
    """Open one file for reading line by line."""
    with source.open() as raw, unpacked(raw) as file:
        yield Lines(source.path, raw, file)


def unpacked(raw: io.BufferedReader) -> Unpacked:
    """Return what reads a file's content, whatever it is packed with."""
    magic = raw.peek(6)
    if magic.startswith(b"\xfd7zXZ\x00"):
        return lzma.LZMAFile(raw)
    if magic.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=raw)
    return raw


def bare_suffix(path: Path) -> str:
    """Return the ending that says what is in a file, below that of its packing: ".jsonl" of pepys.jsonl.xz."""
    packed = path.suffix.lower() in _PACKED_ENDINGS
    return Path(path.stem).suffix.lower() if packed else path.suffix.lower()


def bare_name(path: Path) -> str:
    """Return a file's or folder's name without its endings."""
    if path.is_dir():
        return path.name
    return Path(path.stem).stem if path.suffix.lower() in _PACKED_ENDINGS else path.stem


def files(source: Path | Upload) -> list[File]:
    """Return the files of a diary in the order of their names, figures by their value; hidden ones are left out.

    Raises ImportFailed when there are none.
    """
    if isinstance(source, Upload):
        given = [File(Path(name), data) for name, data in source.files]
        found = given if len(given) == 1 else [file for file in given if _is_diary(file.path)]
    else:
        found = [File(path) for path in _on_disk(source)]
    if not found:
        name = source.name if isinstance(source, Upload) else source
        raise ImportFailed(f"There is no diary in {name}: no file that ends in .md, .txt or .jsonl. Choose another folder.")
    return sorted(found, key=lambda file: _natural(file.path))


def _is_diary(path: Path) -> bool:
    return bare_suffix(path) in TEXT_ENDINGS | _LINE_ENDINGS and not _hidden(path)


def _on_disk(path: Path) -> list[Path]:
    try:
        if not path.exists():
            raise ImportFailed(f"There is nothing at {path}. Check the name.")
        if not path.is_dir():
            return [path]
        return [
            Path(folder, name)
            for folder, _, names in os.walk(path, onerror=_refuse)
            for name in names
            if _is_diary(Path(folder, name).relative_to(path))
        ]
    except OSError as error:
        where = error.filename or path
        raise ImportFailed(f"{where} cannot be read: {error.strerror or error}. Check its permissions.") from error


def _refuse(error: OSError) -> None:
    """Let a folder that cannot be read end the walk, which would else leave it out without a word."""
    raise error


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _natural(path: Path) -> list[str]:
    return [_FIGURES.sub(lambda figures: figures.group().zfill(20), part.casefold()) for part in path.parts]
