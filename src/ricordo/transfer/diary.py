"""Import of a diary: a folder of Markdown or text files, one such file, or JSON lines. Read `import_diary` from top to bottom.

The one rule: an entry is told by its date and its words, so the same diary can be imported again, from wherever it lies, at
any time, also after a run that was cut off: nothing comes in twice and nothing is left out.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import partial
from itertools import islice
from pathlib import Path

import apsw

from ricordo.conversation import Moment, Role
from ricordo.errors import ImportFailed
from ricordo.events import ListChanged
from ricordo.imported import Imported, Preview
from ricordo.store import conversations, imports, messages
from ricordo.store.connection import Database
from ricordo.transfer import jsonl, markdown
from ricordo.transfer.entry import Entry, Item, Unreadable
from ricordo.transfer.source import BROKEN, TEXT_ENDINGS, Lines, Upload, bare_name, bare_suffix, files, opened

FORMAT = "diary"
BATCH = 500  # entries that are stored in one transaction, so that stopping costs at most these
_DAY = re.compile(r"\d{4}-?\d\d(?:-?\d\d)?")
_DIARY_WORD = re.compile(r"\b(?:diary|journal)\b", re.IGNORECASE)

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class _Placed:
    """An entry with its place in time, and the key it is known by."""

    key: str
    text: str
    at: Moment


@dataclass(slots=True)
class _Reading:
    """One pass over a diary: what has been met, and how far it has come, in bytes."""

    source: Path | Upload
    zone: tzinfo
    total: int = 0
    done: int = 0
    undated: int = 0
    unreadable: list[str] = field(default_factory=list)
    seen: dict[bytes, int] = field(default_factory=dict)

    def placed(self) -> Iterator[_Placed]:
        """Yield the entries in the order they are read. Raises ImportFailed when there is nothing to import."""
        waiting: list[Entry] = []
        last: Moment | None = None
        for entry in self._entries():
            if entry.when is None:
                waiting.append(entry)
                continue
            last = entry.when.moment(self.zone)
            yield from self._at(last, waiting)
            waiting.clear()
            yield self._known_by_key(entry, last)
        if last is None:
            raise ImportFailed(self._why_nothing(bool(waiting)))
        yield from self._at(last, waiting)

    def _at(self, at: Moment, waiting: list[Entry]) -> Iterator[_Placed]:
        for entry in waiting:
            self.undated += 1
            yield self._known_by_key(entry, at)

    def _known_by_key(self, entry: Entry, at: Moment) -> _Placed:
        """Number entries with the same date and words, so that a diary may say the same thing twice in a day."""
        said = hashlib.blake2b(f"{entry.when or ''}\n{entry.text}".encode(), digest_size=16).digest()
        times = self.seen[said] = self.seen.get(said, 0) + 1
        return _Placed(f"{FORMAT}:{said.hex()}:{times}", entry.text, at)

    def _entries(self) -> Iterator[Entry]:
        found = files(self.source)
        self.total = sum(file.size for file in found)
        before = 0
        for file in found:
            try:
                with opened(file) as lines:
                    for item in _items(lines):
                        self.done = min(before + lines.done, self.total)
                        if isinstance(item, Unreadable):
                            self.unreadable.append(str(item))
                        else:
                            yield item
            except BROKEN as error:
                self.unreadable.append(f"{file.path.name}: it cannot be read to its end ({error})")
            before += file.size
        self.done = self.total

    def _why_nothing(self, texts: bool) -> str:
        if texts:
            return (
                f"There is no date anywhere in {_named(self.source)}, so nothing was imported. Name the files like "
                "2024-05-03.md, or put a heading like # 2024-05-03 over each entry."
            )
        if self.unreadable:
            more = f" (and {len(self.unreadable) - 1} more)" if len(self.unreadable) > 1 else ""
            return f"Nothing in {_named(self.source)} can be read as a diary. {self.unreadable[0]}{more}."
        return f"There is nothing written in {_named(self.source)}. Choose another file."


def _named(source: Path | Upload) -> str:
    return source.name if isinstance(source, Upload) else str(source)


def _items(lines: Lines) -> Iterator[Item]:
    """Read a file as what its ending says, else as what it begins like."""
    is_text = bare_suffix(lines.path) in TEXT_ENDINGS
    if not is_text and lines.head().removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{":
        return jsonl.entries(lines)
    return markdown.entries(lines)


async def import_diary(
    database: Database,
    path: str | os.PathLike[str] | Upload,
    *,
    zone: tzinfo,
    now: Moment,
    conversation: int | None = None,
    progress: Progress | None = None,
) -> Imported:
    """Import a diary into a conversation, else where it was imported to before, else into a new one named after the file.

    "Before" is told by the file's name, else by entries that are there already. An entry becomes a message of the person at the
    date it was written, which is not learned from; one without a date stands just before the next that has one, with its date
    (after the last one, with that). `zone` is for dates without an offset; `progress` is told after each batch
    how many bytes are read, and of how many.
    Raises ImportFailed, NotFound for a conversation that is not there, StorageFull; what was stored before stays, and a second
    run completes it.
    """
    where = _absolute(path)
    reading = _Reading(where, zone)
    writing = _Writing(Path(where.name) if isinstance(where, Upload) else where, now, conversation)
    entries = reading.placed()
    while batch := await asyncio.to_thread(_next, entries):
        await database.write(partial(writing.store, batch), ListChanged("conversations"))
        if progress is not None:
            progress(reading.done, reading.total)
    name = writing.path.name
    await database.write(partial(imports.finish, kind=FORMAT, name=name, now=now))
    assert writing.conversation is not None, "a reading without entries raises"
    return Imported(
        format=FORMAT,
        conversations=int(writing.made),
        messages=writing.added,
        already_there=writing.already_there,
        undated=reading.undated,
        unreadable=tuple(reading.unreadable),
        import_=writing.import_,
        conversation=writing.conversation,
    )


async def preview(database: Database, path: str | os.PathLike[str] | Upload, *, zone: tzinfo) -> Preview:
    """Read a diary to its end and say what an import would bring; nothing is stored. Raises ImportFailed."""
    reading = _Reading(_absolute(path), zone)
    entries = reading.placed()
    new, there = 0, 0
    name = Path(reading.source.name).name
    where = await database.read(partial(imports.conversation_of, kind=FORMAT, name=name))
    span: list[Moment] = []
    while batch := await asyncio.to_thread(_next, entries):
        known = await database.read(partial(imports.known, keys=[entry.key for entry in batch]))
        there += len(known)
        new += len(batch) - len(known)
        dates = [*span, *(entry.at for entry in batch)]
        span = [min(dates), max(dates)]
    return Preview(
        format=FORMAT,
        conversations=int(where is None and not there),
        messages=new,
        already_there=there,
        undated=reading.undated,
        unreadable=tuple(reading.unreadable),
        first=span[0],
        last=span[1],
    )


def _absolute(path: str | os.PathLike[str] | Upload) -> Path | Upload:
    return path if isinstance(path, Upload) else Path(path).absolute()  # "." has no name to call a conversation after


def _next(entries: Iterable[_Placed]) -> list[_Placed]:
    return list(islice(entries, BATCH))


@dataclass(slots=True)
class _Writing:
    """Where the entries go. Conversation and import are made with the first entry that is new, in its transaction."""

    path: Path
    now: Moment
    conversation: int | None
    import_: int | None = None
    made: bool = False
    added: int = 0
    already_there: int = 0

    def store(self, batch: list[_Placed], connection: apsw.Connection) -> None:
        """Store what is new of a batch: a job for the writer."""
        known = imports.known(connection, (entry.key for entry in batch))
        new = [entry for entry in batch if entry.key not in known]
        name = self.path.name
        if self.conversation is None:
            earlier = imports.conversation_of(connection, FORMAT, name)
            self.conversation = earlier if earlier is not None else next(iter(known.values()), None)
        if new and self.conversation is None:
            self.conversation = conversations.create(connection, _title(self.path), None, self.now).id
            self.made = True
        if new and self.conversation is not None:
            if self.import_ is None:
                self.import_ = imports.begin(connection, FORMAT, name, self.now)
            messages.insert(connection, self.conversation, (self._message(entry) for entry in new), dated=True)
        self.added += len(new)
        self.already_there += len(batch) - len(new)

    def _message(self, entry: _Placed) -> messages.NewMessage:
        return messages.NewMessage(Role.USER, entry.text, entry.at, import_=self.import_, source_key=entry.key)


def _title(path: Path) -> str:
    """Return "Diary: pepys" for pepys_diary.jsonl.xz; a file that is named by its day names no diary."""
    name = " ".join(_DIARY_WORD.sub(" ", bare_name(path).replace("_", " ")).split()).strip(" -")
    return "Diary" if not name or _DAY.fullmatch(name) else f"Diary: {name}"
