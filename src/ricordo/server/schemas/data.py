"""Taking all of it out, bringing it in, erasing it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ricordo.server.schemas.wire import Asked, Passphrase, Shown, When

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


class Restored(Shown):
    """What a whole export brought; `server` is where the imported settings say that the model is."""

    conversations: int
    messages: int
    facts: int
    server: str


class Imported(Shown):
    """What an import of a diary brought; `import_id` is what undoes it, null when nothing was new."""

    entries_added: int
    already_there: int
    undated: int
    unreadable: list[str]
    conversation: int
    import_id: Annotated[int | None, Field(validation_alias="import_")]


class Preview(Shown):
    """What an import of a diary would bring."""

    entries: int
    already_there: int
    undated: int
    unreadable: list[str]
    first: When
    last: When


class Undone(Shown):
    """How many entries went."""

    entries: int
