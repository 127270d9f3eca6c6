"""Hunting for plain text: every file that a process leaves or touches is read, again and again while it runs."""

import os
import pathlib
import stat
import sys
import threading
from collections import Counter
from contextlib import suppress
from typing import Self

import ricordo

# Libraries are loaded when they are needed, and so is Ricordo itself: some hold SQLite's own words.
_OURS = [str(pathlib.Path(ricordo.__file__).parent), str(pathlib.Path(__file__).parent)]
_PROGRAM = tuple(f"{folder}{os.sep}" for folder in {sys.prefix, sys.base_prefix, os.path.realpath(sys.prefix), *_OURS})


def looked_at(folder: pathlib.Path, process: int) -> list[pathlib.Path]:
    """Return all files in a folder and all that a process has open, the deleted ones too, but for its program."""
    # os.walk passes over a folder that goes just then, which rglob does not.
    found = [pathlib.Path(place, name) for place, _, names in os.walk(folder) for name in names]
    with suppress(FileNotFoundError, ProcessLookupError, PermissionError):  # it has ended, is hardened, or this is not Linux
        found += list(pathlib.Path(f"/proc/{process}/fd").iterdir())
    return found


searched = Counter[str]()  # bytes in all


def hunt(folder: pathlib.Path, process: int, word: bytes) -> tuple[set[str], set[str]]:
    """Return the names of the files that were read, and of those that hold the word, also turned to UTF-16 or hexadecimal."""
    read, guilty = set(), set()
    forms = (word, word.decode().encode("utf-16-le"), word.hex().encode(), b"SQLite format 3")
    for path in looked_at(folder, process):
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                continue
            name = os.readlink(path) if path.is_symlink() else str(path)
            if name.startswith(_PROGRAM):
                continue
            content = path.read_bytes()
            searched["bytes"] += len(content)
        except FileNotFoundError:
            continue  # closed or removed since it was listed
        read.add(pathlib.Path(name).name)
        if any(form in content for form in forms):
            guilty.add(name)
    return read, guilty


class Watch:
    """Looks at a folder and a process again and again, beside the test, until it is left."""

    def __init__(self, folder: pathlib.Path, process: int, word: str) -> None:
        self.seen: set[str] = set()
        self.guilty: set[str] = set()
        self._what = (folder, process, word.encode())
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._keep_looking)

    def look(self) -> None:
        seen, guilty = hunt(*self._what)
        self.seen |= seen
        self.guilty |= guilty

    def _keep_looking(self) -> None:
        while not self._done.is_set():
            self.look()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
        self.look()
