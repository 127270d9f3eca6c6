"""A JSON export of Ricordo put in beside what a vault holds already: under new ids, without what is there.

The one rule: a message is known by when, by whom and in what words it was written. So an export of this very vault brings
nothing, and one of another vault only what this one has not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import apsw

from ricordo.conversation import Attachment, Moment, Role, Status
from ricordo.errors import ImportFailed, RicordoError
from ricordo.fact import Fact, Home, Origin
from ricordo.store import excerpts, facts, homes, imports, messages, names, records, words
from ricordo.store.records import Told, broken

_STAYS = {"changes": "entries of the change log", "drafts": "drafts", "imports": "entries of the list of imports"}
Columns = dict[str, Any]


@dataclass(slots=True)
class Merge:
    """One export on its way into a vault: what became of its ids, and what came; `import_` is 0 until something is stored."""

    import_: int
    spaces: dict[int, int] = field(default_factory=dict)
    talks: dict[int, int] = field(default_factory=dict)
    messages: dict[int, int] = field(default_factory=dict)
    fresh: set[int] = field(default_factory=set)  # conversations and messages of the export that are new here
    made: Counter[str] = field(default_factory=Counter)
    there: int = 0
    first: Moment | None = None
    last: Moment | None = None
    left: Counter[str] = field(default_factory=Counter)
    _talks_told: dict[int, Columns] = field(default_factory=dict)
    _new: set[int] = field(default_factory=set)
    _facts: dict[Home, set[str]] = field(default_factory=dict)

    def look(self, connection: apsw.Connection, told: Iterable[Told]) -> None:
        """Find out what is there already, and where: the first reading. Raises ImportFailed for what is not right."""
        for name, number, record in told:
            with _Named(name, number):
                row = records.columns_of(name, record)
                match name:
                    case "spaces":
                        self._find_space(connection, row)
                    case "conversations":
                        self._talks_told[row["id"]] = row
                    case "messages":
                        self._find_message(connection, row)
                    case "facts":
                        home = self._home(row["home_kind"], row["home_id"])
                        self.made["facts"] += home is None or not self._holds(connection, row["text"], home)
                    case _ if name in _STAYS:
                        self.left[_STAYS[name]] += 1
        for old, row in self._talks_told.items():
            if old not in self.talks and (there := _same_talk(connection, row)) is not None:
                self.talks[old] = there
        self.made["conversations"] = len(self._talks_told) - len(self.talks)
        self.made["messages"] = len(self._new)

    def put(self, connection: apsw.Connection, told: Iterable[Told]) -> None:
        """Store what is new: the second reading, in the same transaction as the first."""
        self.made.clear()
        for name, number, record in told:
            with _Named(name, number):
                row = records.columns_of(name, record)
                match name:
                    case "spaces":
                        self._put_space(connection, row)
                    case "conversations":
                        self._put_talk(connection, row)
                    case "messages":
                        self._put_message(connection, row, records.below_of(name, record))
                    case "summaries":
                        self._put_summary(connection, row)
                    case "facts":
                        self._put_fact(connection, row, records.below_of(name, record))
                    case "tombstones":
                        self._put_tombstone(connection, row, records.below_of(name, record))
                    case "waiting" if row["message"] in self._new:
                        connection.execute(
                            "insert or ignore into waiting (message, conversation, since, tries, reason) values (?, ?, ?, ?, ?)",
                            (
                                self.messages[row["message"]],
                                self.talks[row["conversation"]],
                                row["since"],
                                row["tries"],
                                row["reason"],
                            ),
                        )

    def _find_space(self, connection: apsw.Connection, row: Columns) -> None:
        there = connection.execute("select id from spaces where name = ? collate nocase", (row["name"],)).fetchone()
        if there:
            self.spaces[row["id"]] = int(there[0])

    def _find_message(self, connection: apsw.Connection, row: Columns) -> None:
        there = connection.execute(
            "select id, conversation from messages where source_key = ?1 union all"
            " select id, conversation from messages where at = ?2 and role = ?3 and text = ?4 limit 1",
            (row["source_key"], row["at"], row["role"], row["text"]),
        ).fetchone()
        at = Moment(row["at"], row["at_offset"])
        self.first, self.last = min(self.first or at, at), max(self.last or at, at)
        if there is None:
            self._new.add(row["id"])
            return
        self.there += 1
        self.messages[row["id"]] = int(there[0])
        self.talks.setdefault(row["conversation"], int(there[1]))

    def _home(self, kind: str | None, key: int | None) -> Home | None:
        """Return the home here of a home in the export, None where there is none."""
        if kind is None:
            return None
        if kind == "global":
            return homes.home(kind, None)
        here = (self.spaces if kind == "space" else self.talks).get(key or 0)
        return None if here is None else homes.home(kind, here)

    def _holds(self, connection: apsw.Connection, text: str, home: Home) -> bool:
        """Say whether a fact of that home says just this, whatever its capitals, accents and spaces."""
        if home not in self._facts:
            self._facts[home] = {_said(fact.text) for fact in facts.of_home(connection, home)}
        return _said(text) in self._facts[home]

    def _put_space(self, connection: apsw.Connection, row: Columns) -> None:
        if row["id"] in self.spaces:
            return
        self.spaces[row["id"]] = key = _inserted(connection, "spaces", row)
        imports.brought(connection, self.import_, "space", key)
        self.made["spaces"] += 1

    def _put_talk(self, connection: apsw.Connection, row: Columns) -> None:
        if row["id"] in self.talks:
            return
        space = None if row["space"] is None else self.spaces[row["space"]]
        self.talks[row["id"]] = key = _inserted(connection, "conversations", {**row, "space": space})
        self.fresh.add(key)
        imports.brought(connection, self.import_, "conversation", key)
        self.made["conversations"] += 1

    def _put_message(self, connection: apsw.Connection, row: Columns, attached: list[Columns]) -> None:
        if row["id"] not in self._new:
            return
        talk = self.talks[row["conversation"]]
        parent = None if row["parent"] is None else self.messages.get(row["parent"])
        active = bool(row["active"]) and (talk in self.fresh or _goes_on(connection, talk, parent))
        new = messages.NewMessage(
            Role(row["role"]), row["text"], Moment(row["at"], row["at_offset"]), Status(row["status"]), row["model"],
            tuple(Attachment(each["name"], each["media_type"], each["text"]) for each in attached),
            self._home(row["learn_kind"], row["learn_id"]), self.import_, row["source_key"],
        )  # fmt: skip
        key = messages.put_row(connection, talk, parent, row["place"], new, active=active)
        self.messages[row["id"]] = key
        space = connection.execute("select space from conversations where id = ?", (talk,)).get
        excerpts.add(connection, [(key, new.text, excerpts.reach_tokens(talk, space))])
        if active:
            names.add(connection, [(talk, new.role, new.text)])
        messages.touch(connection, talk, new.at)
        self.made["messages"] += 1

    def _put_summary(self, connection: apsw.Connection, row: Columns) -> None:
        talk = self.talks[row["conversation"]]
        if talk in self.fresh:
            _inserted(connection, "summaries", {**row, "conversation": talk, "upto": self.messages.get(row["upto"], 0)})

    def _put_fact(self, connection: apsw.Connection, row: Columns, sources: list[Columns]) -> None:
        home = self._home(row["home_kind"], row["home_id"])
        if home is None or self._holds(connection, row["text"], home):
            return
        self._facts[home].add(_said(row["text"]))
        told = {self.messages[each["message"]]: each["quote"] for each in sources if each["message"] in self.messages}
        fact = facts.put(
            connection,
            Fact(
                0, row["text"], Origin(row["origin"]), home, bool(row["pinned"]), bool(row["shared"]),
                Moment(row["created"], row["created_offset"]), Moment(row["updated"], row["updated_offset"]), tuple(sorted(told)),
            ),
        )  # fmt: skip
        connection.executemany(
            "update fact_sources set quote = ? where fact = ? and message = ?",
            [(quote, fact.id, key) for key, quote in told.items()],
        )
        imports.brought(connection, self.import_, "fact", fact.id)
        self.made["facts"] += 1

    def _put_tombstone(self, connection: apsw.Connection, row: Columns, told: list[Columns]) -> None:
        home = self._home(row["home_kind"], row["home_id"])
        if home is None:
            return
        kind, key = homes.columns(home)
        same = "select 1 from tombstones where digest = ? and home_kind = ? and home_id is ? and at = ?"
        if connection.execute(same, (row["digest"], kind, key, row["at"])).fetchone():
            return
        new = _inserted(connection, "tombstones", {**row, "home_kind": kind, "home_id": key})
        here = [self.messages[each["message"]] for each in told if each["message"] in self.messages]
        connection.executemany(
            "insert into tombstone_messages (tombstone, message) values (?, ?)", [(new, each) for each in here]
        )
        imports.brought(connection, self.import_, "tombstone", new)


class _Named:
    """Turn what a record cannot be into a sentence that names it."""

    def __init__(self, name: str, number: int) -> None:
        self._place = f"{name}, number {number}"

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        odd = (ValueError, TypeError, AttributeError, KeyError, OverflowError, RicordoError, apsw.ConstraintError)
        if isinstance(error, odd) and not isinstance(error, ImportFailed):
            raise ImportFailed(broken(f"{self._place}: {error}")) from error


def _said(text: str) -> str:
    return " ".join(words.fold(text).split())


def _inserted(connection: apsw.Connection, table: str, row: Columns) -> int:
    """Insert a row under an id of its own and return that."""
    columns = [name for name in row if name != "id"]
    marks = ", ".join("?" * len(columns))
    listed = ", ".join(f'"{name}"' for name in columns)
    connection.execute(f"insert into {table} ({listed}) values ({marks})", [row[name] for name in columns])
    return connection.last_insert_rowid()


def _same_talk(connection: apsw.Connection, row: Columns) -> int | None:
    """Return the conversation here that began at the same moment under the same title: one without messages."""
    there = connection.execute(
        "select id from conversations where created = ? and title = ? limit 1", (row["created"], row["title"])
    ).fetchone()
    return int(there[0]) if there else None


def _goes_on(connection: apsw.Connection, talk: int, parent: int | None) -> bool:
    """Say whether a message can stand at the end of what is shown: what it follows is shown, and nothing else follows that."""
    if parent is not None:
        shown = connection.execute("select active from messages where id = ?", (parent,)).get
        return (
            bool(shown)
            and not connection.execute("select 1 from messages where parent = ? and active = 1 limit 1", (parent,)).fetchone()
        )
    return not connection.execute("select 1 from messages where conversation = ? and active = 1 limit 1", (talk,)).fetchone()
