"""Everything of a person to be read, as Markdown: a file for each conversation, by Space, and one for the memories.

The one rule: it is for people and other programs, and the importer of notes reads its conversations. To bring a vault back there
is the backup, and the export as JSON.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any, assert_never

import apsw

from ricordo.conversation import Attachment, Conversation, Message, Moment, Role, Space, Status
from ricordo.fact import Fact, Global, InConversation, InSpace
from ricordo.store import conversations, facts, messages, summaries
from ricordo.transfer import front_matter

_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')
_LONGEST_NAME = 60  # letters of a title in the name of a file: with a date and folders well below what any system takes
_HEADS = {kind: front_matter.written({"ricordo": kind}) for kind in ("space", "memories")}  # which importers pass over
_BACKTICKS = re.compile(r"`{3,}")


def files(connection: apsw.Connection) -> Iterator[tuple[str, str]]:
    """Yield (path, text) of each file; a path has / between its parts and none is there twice."""
    spaces = {space.id: space for space in conversations.spaces(connection)}
    folders = _folders(spaces.values())
    taken: set[str] = set()
    talks = sorted(conversations.listed(connection), key=lambda talk: talk.id)
    for space in spaces.values():
        if space.instructions.strip():
            yield f"{folders[space.id]}/Instructions.md", f"{_HEADS['space']}\n# {space.name}\n\n{space.instructions.strip()}\n"
    for talk in talks:
        folder = folders[talk.space] if talk.space is not None else "Conversations"
        yield (
            _free(f"{folder}/{talk.created.local:%Y-%m-%d} {_name(talk.title) or 'Untitled'}", taken),
            _conversation(connection, talk),
        )
    yield "Memories.md", _memories(facts.listed(connection), spaces, {talk.id: talk for talk in talks})


def packed(connection: apsw.Connection) -> Iterator[bytes]:
    """Yield the same files as a zip, which is never whole in memory nor on the disk."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files(connection):
            # A fixed time: that of a file would tell when it was exported, and one before 1980 does not exist in a zip.
            archive.writestr(zipfile.ZipInfo(f"Ricordo/{path}"), text, zipfile.ZIP_DEFLATED)
            yield sink.taken()
    yield sink.taken()


class _Sink(io.RawIOBase):
    """Takes what the zip writes, and hands it on."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        """Say that it takes bytes."""
        return True

    def write(self, data: Any, /) -> int:
        """Keep a part."""
        self._parts.append(bytes(data))
        return len(data)

    def taken(self) -> bytes:
        """Return what came since the last time."""
        parts, self._parts = self._parts, []
        return b"".join(parts)


def _folders(spaces: Iterable[Space]) -> dict[int, str]:
    taken: set[str] = set()
    return {space.id: _free(f"Spaces/{_name(space.name) or 'Space'}", taken, "") for space in spaces}


def _free(path: str, taken: set[str], ending: str = ".md") -> str:
    """Return a path that nothing has yet, whatever its capitals: some systems do not tell them apart."""
    number, found = 2, path
    while found.casefold() in taken:
        found, number = f"{path} ({number})", number + 1
    taken.add(found.casefold())
    return found + ending


def _name(title: str) -> str:
    plain = " ".join(_UNSAFE.sub(" ", title).split())[:_LONGEST_NAME]
    return plain.strip(" .")  # Windows takes no name that ends in a dot


def _conversation(connection: apsw.Connection, talk: Conversation) -> str:
    head = {"ricordo": "conversation", "title": talk.title, "created": f"{talk.created.local:%Y-%m-%dT%H:%M:%S%z}"}
    parts = [f"{front_matter.written(head)}\n# {talk.title or 'Untitled'}"]
    if (summary := summaries.get(connection, talk.id)) is not None:
        parts.append(f"> Summary, written by the model\n>\n{_quoted(summary.text)}")
    parts += [_message(message) for message in messages.listed(connection, talk.id)]
    return "\n\n".join(parts) + "\n"


def _message(message: Message) -> str:
    author = "You" if message.role is Role.USER else f"Ricordo{f' ({message.model})' if message.model else ''}"
    broken = {Status.STOPPED: " · stopped", Status.ERROR: " · broke off"}.get(message.status, "")
    parts = [f"## {_when(message.at)} · {author}{broken}", message.text.rstrip()]
    return "\n\n".join([*parts, *map(_attached, message.attachments)])


def _attached(file: Attachment) -> str:
    if not file.text.strip():  # it is only named: the text of an imported picture is not there
        return f"Attached: {file.name}"
    longest = max((len(ticks) for ticks in _BACKTICKS.findall(file.text)), default=2)
    fence = "`" * (longest + 1)
    return f"Attached: {file.name}\n\n{fence}\n{file.text.rstrip()}\n{fence}"


def _memories(known: list[Fact], spaces: dict[int, Space], talks: dict[int, Conversation]) -> str:
    parts: dict[str, list[str]] = {}
    for fact in known:
        match fact.home:
            case Global():
                home = "Everywhere"
            case InSpace(space):
                home = f"Space: {spaces[space].name}" if space in spaces else "A Space"
            case InConversation(talk):
                home = f"Conversation: {talks[talk].title or 'Untitled'}" if talk in talks else "A conversation"
            case _:
                assert_never(fact.home)
        marks = [
            "you" if fact.origin == "user" else "the model", f"{fact.created.local:%Y-%m-%d}",
            *(["pinned"] if fact.pinned else []), *(["all conversations"] if fact.shared else []),
        ]  # fmt: skip
        parts.setdefault(home, []).append(f"- {' '.join(fact.text.split())} ({', '.join(marks)})")
    sections = [f"## {home}\n\n" + "\n".join(lines) for home, lines in sorted(parts.items())]
    return "\n\n".join([f"{_HEADS['memories']}\n# Memories", *(sections or ["There are none."])]) + "\n"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.strip().split("\n"))


def _when(moment: Moment) -> str:
    return f"{moment.local:%Y-%m-%d %H:%M}"
