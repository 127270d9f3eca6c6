"""Shelves of the sync face, written by scripts/write_sync.py from the async core. Change that, not this file."""

from __future__ import annotations

import os
from collections.abc import Generator

from ricordo import shelves
from ricordo.imported import Import, Imported, Preview, Undoing
from ricordo.portal import Portal
from ricordo.standing import Soundness
from ricordo.token import Token, TokenScope
from ricordo.vault import Progress, Upload


class Data:
    """Everything of a vault, taken out of it while it goes on being used."""

    def __init__(self, shelf: shelves.Data, portal: Portal) -> None:
        self._shelf, self._portal = shelf, portal

    def backup(self, path: str | os.PathLike[str], progress: Progress | None = None) -> None:
        """Write an encrypted copy, which the same passphrase opens.

        `progress` is told pages done and pages in all. Raises VaultExists when something is there already, StorageFull.
        """
        self._portal.call(self._shelf.backup(path, progress))

    def soundness(self) -> Soundness:
        """Check the file, page by page, and say how it stands; takes seconds with a large vault."""
        return self._portal.call(self._shelf.soundness())

    def json(self) -> Generator[bytes, None, None]:
        """Yield all of it as JSON, in pieces: plain text, complete but for the key of a server, to be imported again."""
        return self._portal.each(self._shelf.json())

    def markdown(self) -> Generator[bytes, None, None]:
        """Yield a zip of Markdown files, in pieces: plain text to be read, a file for each conversation."""
        return self._portal.each(self._shelf.markdown())

    def export(self, path: str | os.PathLike[str]) -> None:
        """Write a plain export: JSON where the path ends in .json, else Markdown, as a .zip or into a new folder.

        Raises VaultExists when something is there, InvalidInput where there is no folder for it, StorageFull.
        """
        self._portal.call(self._shelf.export(path))


class Imports:
    """What was brought in from other programs: looked through first, listed after, each taken back as a whole."""

    def __init__(self, shelf: shelves.Imports, portal: Portal) -> None:
        self._shelf, self._portal = shelf, portal

    def preview(self, source: str | os.PathLike[str] | Upload, as_: str | None = None) -> Preview:
        """Read a file or folder to its end and say what an import would bring; nothing is stored.

        `as_` is one of chatgpt, claude, dayone, markdown, ricordo, diary; without it the content tells. Raises ImportFailed,
        InvalidInput.
        """
        return self._portal.call(self._shelf.preview(source, as_))

    def bring(
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
        return self._portal.call(self._shelf.bring(source, as_, conversation=conversation, progress=progress))

    def all(self) -> list[Import]:
        """Return the imports that were made and not undone, newest first."""
        return self._portal.call(self._shelf.all())

    def get(self, import_: int) -> Import:
        """Return one import. Raises NotFound."""
        return self._portal.call(self._shelf.get(import_))

    def undoing(self, import_: int) -> Undoing:
        """Say what undoing an import would take. Raises NotFound."""
        return self._portal.call(self._shelf.undoing(import_))

    def undo(self, import_: int) -> Undoing:
        """Take an import back: its messages and versions, what was learned from it, conversations that then hold nothing.

        What was written in its conversations since stays, and so do memories that the person wrote. Raises NotFound for an
        import that is not there or was undone.
        """
        return self._portal.call(self._shelf.undo(import_))

    def learn(self, import_: int, on: bool = True) -> Import:
        """Let the model read an import's turns whenever it has nothing else to do, or pause that; it goes on where it was.

        Where the memories go is settled for each turn as if it were sent now (W4). Raises NotFound; SwitchedOff while nothing is
        remembered.
        """
        return self._portal.call(self._shelf.learn(import_, on))


class Tokens:
    """The tokens of a vault, by which programs come in while it is unlocked."""

    def __init__(self, shelf: shelves.Tokens, portal: Portal) -> None:
        self._shelf, self._portal = shelf, portal

    def all(self) -> list[Token]:
        """Return all tokens, the newest first."""
        return self._portal.call(self._shelf.all())

    def create(self, name: str, *, scope: TokenScope = TokenScope.WRITE, space: int | None = None) -> tuple[Token, str]:
        """Make a token; return it, and the secret that its program sends, which is nowhere else.

        With `space` it is for that Space alone. Raises InvalidInput without a name or with one that is taken, NotFound.
        """
        return self._portal.call(self._shelf.create(name, scope=scope, space=space))

    def revoke(self, token: int) -> Token:
        """Let a token's program in no more; returns what it was. Raises NotFound."""
        return self._portal.call(self._shelf.revoke(token))

    def of_secret(self, secret: str) -> Token | None:
        """Return the token that a program sent, None when there is none, and take note that it was used.

        Nobody waits for that: a program that reads would else wait for whatever is being written, or keeps the file locked.
        """
        return self._portal.call(self._shelf.of_secret(secret))
