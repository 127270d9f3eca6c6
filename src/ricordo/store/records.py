"""What a person owns, as plain records by kind: read out whole for an export, put into an empty vault by an import.

The one rule: a record holds every column that cannot be made again, ids and branches too, so that out, in and out is the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import apsw

from ricordo.conversation import Moment, Reach, Role, Status
from ricordo.fact import Origin
from ricordo.letters import whole
from ricordo.store import excerpts, facts, homes, names, words

Record = dict[str, Any]
Told = tuple[str, int, Any]  # a record as an export has it: its kind, its number there, and itself
Read = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Field:
    """One entry of a record: the columns it stands for, and how they are read and written."""

    name: str
    columns: tuple[str, ...]
    read: Read
    write: Callable[[Any], tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Below:
    """Rows that belong to a record, as a list inside it."""

    name: str
    table: str
    owner: str
    fields: tuple[Field, ...]
    order: str = "message"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of record: its table, in the order of its key."""

    name: str
    key: str
    fields: tuple[Field, ...]
    below: Below | None = None


def _same(value: Any) -> Any:
    return value


def _of(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise ValueError(f"{json.dumps(value)[:40]} is not of the kind {kind.__name__}")
    if isinstance(value, str):
        value.encode()  # half a character raises a ValueError
    return value


def _texts(*named: str) -> tuple[Field, ...]:
    return tuple(Field(name, (name,), _same, lambda value: (value if value is None else _of(str, value),)) for name in named)


def _numbers(*named: str) -> tuple[Field, ...]:
    return tuple(Field(name, (name,), _same, lambda value: (value if value is None else _of(int, value),)) for name in named)


def _one_of(name: str, known: Iterable[str]) -> Field:
    def write(value: Any) -> tuple[Any, ...]:
        if _of(str, value) not in set(known):
            raise ValueError(f"{json.dumps(value)[:40]} is no {name}")
        return (value,)

    return Field(name, (name,), _same, write)


def _flag(name: str) -> Field:
    return Field(name, (name,), bool, lambda value: (int(_of(bool, value)),))


def _moment(name: str, offset: str | None = None) -> Field:
    """A time as the person's clock showed it, to the microsecond; null where there is none."""

    def read(utc: int | None, minutes: int | None) -> str | None:
        if utc is None:
            return None
        return Moment(utc, minutes or 0).local.isoformat(timespec="microseconds")

    def write(value: Any) -> tuple[Any, ...]:
        if value is None:
            return None, None
        moment = Moment.of(datetime.fromisoformat(_of(str, value)))
        return moment.utc, moment.offset

    return Field(name, (name, offset or f"{name}_offset"), read, write)


def _home(name: str, kind: str, key: str) -> Field:
    """Where a fact is at home; null for nowhere."""

    def write(value: Any) -> tuple[Any, ...]:
        return (None, None) if value is None else homes.columns(homes.home(_of(dict, value).get("kind", ""), value.get("id")))

    return Field(name, (kind, key), lambda one, two: None if one is None else {"kind": one, "id": two}, write)


def _value(name: str) -> Field:
    """A value that the store keeps as JSON."""

    def write(value: Any) -> tuple[Any, ...]:
        return (None if value is None else json.dumps(value),)

    return Field(name, (name,), lambda text: None if text is None else json.loads(text), write)


_DIGEST = Field("digest", ("digest",), lambda blob: blob.hex(), lambda value: (bytes.fromhex(_of(str, value)),))

KINDS: tuple[Kind, ...] = (
    Kind("spaces", "id", (
        *_numbers("id"), *_texts("name", "instructions"), _flag("memory"), _one_of("reach", Reach), _moment("created"),
    )),
    Kind("imports", "id", (
        *_numbers("id"), *_texts("format", "name"), _moment("at"), *_numbers("undone", "finished"), _flag("learning"),
        *_numbers("read_upto"),
    ), Below("brought", "imported", "import", (*_texts("kind"), *_numbers("id")), "kind, id")),
    Kind("conversations", "id", (
        *_numbers("id"), *_texts("title"), *_numbers("space"), _moment("created"), _moment("updated"), *_numbers("deletions"),
    )),
    Kind("messages", "id", (
        *_numbers("id", "conversation", "parent"), _one_of("role", Role), *_texts("text"), _moment("at"), *_numbers("place"),
        _one_of("status", Status), _flag("active"), *_texts("model"), _home("learn", "learn_kind", "learn_id"),
        *_numbers("import"), *_texts("source_key"),
    ), Below("attachments", "attachments", "message", _texts("name", "media_type", "text"), "id")),
    Kind("summaries", "conversation", (
        *_numbers("conversation"), *_texts("text"), *_numbers("upto"), *_texts("model"), _moment("at"),
    )),
    Kind("drafts", "conversation", (
        *_numbers("conversation"), *_texts("text"),
    ), Below("attachments", "draft_attachments", "conversation", _texts("name", "media_type", "text"), "id")),
    Kind("facts", "id", (
        *_numbers("id"), *_texts("text"), _one_of("origin", Origin), _home("home", "home_kind", "home_id"), _flag("pinned"),
        _flag("shared"), _moment("created"), _moment("updated"),
    ), Below("sources", "fact_sources", "fact", (*_numbers("message"), *_texts("quote")))),
    Kind("changes", "id", (
        *_numbers("id"), _one_of("kind", ("saved", "updated", "removed")), *_numbers("fact"), _value("before"), _value("after"),
        *_numbers("conversation"), *_texts("model"), _moment("at"), _moment("undone"),
    ), Below("messages", "change_messages", "change", _numbers("message"))),
    Kind("tombstones", "id", (
        *_numbers("id"), _DIGEST, _home("home", "home_kind", "home_id"), *_numbers("at"),
    ), Below("messages", "tombstone_messages", "tombstone", _numbers("message"))),
    Kind("waiting", "message", (*_numbers("message", "conversation", "since", "tries"), *_texts("reason"))),
)  # fmt: skip
_BY_NAME = {kind.name: kind for kind in KINDS}
# Ids that were given once are never given again, although their rows are gone: a tombstone may still name them.
_NUMBERED = ("spaces", "imports", "conversations", "messages", "facts", "changes")
# All that was written, learned or made of it. What is below a table goes with it; settings and profiles of models stay.
_CONTENT = (
    "vectors where key > -1",  # with a condition, so that SQLite tells what listens to it
    "vectors_due", "vector_sets", "traces", "runs", "waiting", "draft_attachments", "drafts", "summaries", "summary_tries",
    "names", "tombstones", "changes", "fact_keys", "facts", "attachments", "excerpts", "client_keys", "chains", "messages",
    "conversations", "tokens where space is not null", "spaces", "imported", "imports",
)  # fmt: skip


def count(connection: apsw.Connection) -> int:
    """Return how many records there are in all."""
    return sum(int(connection.execute(f"select count(*) from {kind.name}").get) for kind in KINDS)


def of_kind(connection: apsw.Connection, kind: Kind) -> Iterator[Record]:
    """Yield the records of one kind in the order of their keys."""
    columns = [column for field in kind.fields for column in field.columns]
    for row in connection.execute(f"select {_listed(columns)} from {kind.name} order by {kind.key}"):
        record = _record(kind.fields, row)
        if kind.below is not None:
            record[kind.below.name] = _below(connection, kind.below, record[kind.key])
        yield record


def _below(connection: apsw.Connection, below: Below, owner: int | None) -> list[Record]:
    columns = _listed(column for field in below.fields for column in field.columns)
    rows = connection.execute(f'select {columns} from {below.table} where "{below.owner}" is ? order by {below.order}', (owner,))
    return [_record(below.fields, row) for row in rows]


def _record(fields: tuple[Field, ...], row: Iterable[Any]) -> Record:
    values = iter(row)
    return {field.name: field.read(*[next(values) for _ in field.columns]) for field in fields}


def _listed(columns: Iterable[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)  # quoted: one is called import


def last_ids(connection: apsw.Connection) -> dict[str, int]:
    """Return the highest id that each kind was ever given."""
    given = dict(connection.execute("select name, seq from sqlite_sequence"))
    return {name: int(given.get(name, 0)) for name in _NUMBERED}


def set_last_ids(connection: apsw.Connection, given: dict[str, int]) -> None:
    """Go on counting from these ids, never from lower ones. Raises ValueError for a kind that is not known."""
    for name, last in given.items():
        if name not in _NUMBERED:
            raise ValueError(f"nothing called {name[:40]} is numbered")
        top = max(int(_of(int, last)), last_ids(connection)[name])
        connection.execute("delete from sqlite_sequence where name = ?", (name,))
        connection.execute("insert into sqlite_sequence (name, seq) values (?, ?)", (name, top))


def holds_anything(connection: apsw.Connection) -> bool:
    """Say whether a person has anything in the vault: a Space, a conversation or a fact."""
    return any(connection.execute(f"select 1 from {name} limit 1").fetchone() for name in ("spaces", "conversations", "facts"))


def put(connection: apsw.Connection, name: str, record: Record) -> None:
    """Store one record under its own id. Raises ValueError for one that is not whole, errors of apsw for one that clashes."""
    kind = _BY_NAME[name]
    record = _of(dict, record)
    below = record.get(kind.below.name, []) if kind.below else []
    columns, values = _row(kind.fields, record, {kind.below.name} if kind.below else set())
    if kind.name == "facts":
        folded = words.fold(record["text"])
        reach = facts.reach_tokens(homes.home(*values[3:5]), bool(record["shared"]))
        columns, values = [*columns, "words", "reach"], [*values, folded, reach]
        words.add(connection, "fact_words", [(record["id"], folded, reach)])
    _insert(connection, kind.name, columns, values)
    if kind.below is not None:
        for each in _of(list, below):
            columns, values = _row(kind.below.fields, _of(dict, each), set())
            _insert(connection, kind.below.table, [kind.below.owner, *columns], [record[kind.key], *values])


def columns_of(name: str, record: Record) -> dict[str, Any]:
    """Return a record as its columns hold it, without what is below it. Raises ValueError for one that is not whole."""
    kind = _BY_NAME[name]
    columns, values = _row(kind.fields, _of(dict, record), {kind.below.name} if kind.below else set())
    return dict(zip(columns, values, strict=True))


def below_of(name: str, record: Record) -> list[dict[str, Any]]:
    """Return what is below a record, each as its columns hold it. Raises ValueError."""
    below = _BY_NAME[name].below
    if below is None:
        return []
    rows = [_row(below.fields, _of(dict, each), set()) for each in _of(list, record.get(below.name, []))]
    return [dict(zip(columns, values, strict=True)) for columns, values in rows]


def _row(fields: tuple[Field, ...], record: Record, beside: set[str]) -> tuple[list[str], list[Any]]:
    known = {field.name for field in fields}
    if set(record) - beside != known:
        odd = sorted((set(record) - beside) ^ known)[0]
        raise ValueError(f"“{odd[:40]}” is missing, or is not known")
    columns = [column for field in fields for column in field.columns]
    return columns, [value for field in fields for value in field.write(record[field.name])]


def _insert(connection: apsw.Connection, table: str, columns: list[str], values: list[Any]) -> None:
    marks = ", ".join("?" * len(values))
    connection.execute(f"insert into {table} ({_listed(columns)}) values ({marks})", values)


def index(connection: apsw.Connection) -> None:
    """Make anew what is derived from messages, when records were put in."""
    excerpts.rebuild(connection)
    names.rebuild(connection)


def clear(connection: apsw.Connection) -> None:
    """Delete every record and all that was made of them. Only settings, and what is known of models, stay (V6)."""
    connection.execute("pragma defer_foreign_keys = on")
    words.clear(connection, "excerpt_words")
    words.clear(connection, "fact_words")
    for table in _CONTENT:
        connection.execute(f"delete from {table}")


def broken(what: str) -> str:
    """Return the sentence about an export of which nothing was imported."""
    return whole(f"That export cannot be read, so nothing was imported ({what}).")
