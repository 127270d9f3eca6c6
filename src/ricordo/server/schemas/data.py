"""Taking all of it out, bringing it in, erasing it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ricordo.server.schemas.wire import Asked, Passphrase, Shown, When

Format = Literal["chatgpt", "claude", "dayone", "markdown", "ricordo", "diary"]
WORDS = {"data": "remove", "everything": "reset"}


class Passphrases(Asked):
    """The passphrase that opens the vault now (or the recovery key), and the one that shall."""

    old: Passphrase
    new: Passphrase


class Erasing(Asked):
    """What is to be erased, confirmed by its word: `remove` for the data, `reset` for everything."""

    what: Literal["data", "everything"]
    word: Annotated[str, Field(max_length=40)]


class Restoring(Asked):
    """What opens the backup that follows."""

    passphrase: Passphrase


class Handed(Asked):
    """A file that follows: its path within what was chosen, and its bytes."""

    name: Annotated[str, Field(min_length=1, max_length=1000)]
    size: Annotated[int, Field(strict=True, ge=0)]


class Kept(Shown):
    """Where the vault that was there before is kept, if one was."""

    aside: str | None


class Ready(Shown):
    """A backup that can be fetched."""

    bytes: int
    name: str


class LeftOut(Shown):
    """What stays out of an import, and how often."""

    what: str
    count: int


class _Counted(Shown):
    """What an import brings; `undated` take the time of what stands beside them, `unreadable` are named with the reason."""

    format: Format
    conversations: int
    messages: int
    facts: int
    already_there: int
    undated: int
    left_out: list[LeftOut]
    unreadable: list[str]


class Imported(_Counted):
    """What an import brought; `import_id` is what undoes it, null when nothing was new or when it filled an empty vault.

    `server` is where settings that came along say that the model is, empty when none came.
    """

    import_id: Annotated[int | None, Field(validation_alias="import_")]
    conversation: int | None
    server: str


class Preview(_Counted):
    """What an import would bring, written from when to when."""

    first: When | None
    last: When | None


class Import(Shown):
    """An import: what is left of it, and how far the model has read it."""

    id: int
    format: Format
    name: str
    at: When
    finished: bool
    conversations: int
    messages: int
    turns: int
    turns_read: int
    learning: bool


class Undoing(Shown):
    """What goes when an import is undone."""

    messages: int
    conversations: int
    facts: int


class Learning(Asked):
    """Whether the model reads an import."""

    on: bool
