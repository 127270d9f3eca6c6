"""Values: what an import would bring, what it brought, and what taking it back would take."""

from __future__ import annotations

from dataclasses import dataclass

from ricordo.conversation import Moment


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that is in a file and does not come in: what it is, in words for the person, and how often."""

    what: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What an import is about, in numbers of what is new.

    `already_there` are messages that came before. `undated` have no time of their own and get that of what stands beside them.
    `unreadable` names each part that cannot be read, with the reason; the rest comes in all the same.
    """

    format: str
    conversations: int = 0
    messages: int = 0
    facts: int = 0
    already_there: int = 0
    undated: int = 0
    left_out: tuple[LeftOut, ...] = ()
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview(Counted):
    """What an import would bring: written from when to when."""

    first: Moment | None
    last: Moment | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported(Counted):
    """What an import brought.

    `import_` is what lists and undoes it, None when nothing was new, or when it filled an empty vault. `conversation` is the
    one that all of it went into, None when there are several. `server` is where settings that came along say that the model
    is, empty when none came.
    """

    import_: int | None = None
    conversation: int | None = None
    server: str = ""


@dataclass(frozen=True, slots=True)
class Import:
    """An import that was made: what is left of it in the vault, and how far the model has read it.

    `finished` is false for one that was cut off: the same file goes on with it. `turns` are the messages of the person in it,
    `turns_read` those that were handed to the learner, `learning` whether more are.
    """

    id: int
    format: str
    name: str
    at: Moment
    finished: bool
    conversations: int
    messages: int
    turns: int
    turns_read: int
    learning: bool


@dataclass(frozen=True, slots=True)
class Undoing:
    """What goes when an import is undone.

    Conversations in which something else was written stay, without what was imported.
    """

    messages: int
    conversations: int
    facts: int
