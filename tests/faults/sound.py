"""What must hold of a vault whatever happened to it, and what is in it, to be compared with what it was."""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, cast

import apsw

from ricordo.change import apply
from ricordo.fact import Fact
from ricordo.store import changes, excerpts, facts, names, vectors, words
from ricordo.store.connection import Database
from tests.fake_replies import embedding

Rows = dict[str, list[tuple[Any, ...]]]

# Not the same twice: how long things took, and random ids.
_VARYING = {"traces": ("value",), "runs": ("seconds",), "profiles": ("value",)}
_SHADOW = re.compile(r"(excerpt|fact)_words_|sqlite_")
_EXCERPTS = "select message, start, stop, words, reach from excerpts order by message, start"
_NAMES = "select conversation, folded, mentions from names order by 1, 2"
_FACTS = "select id, words, reach from facts order by id"


class Looked(Exception):
    """Everything was looked at; what was tried out meanwhile is undone with the transaction that this ends."""


async def sound(database: Database, *, vectors_too: bool = True) -> None:
    """Fail unless the vault is whole, what is derived is what would be made anew, and nothing points nowhere.

    `vectors_too` embeds every text once more, which takes long where there are many.
    """
    try:
        await database.write(lambda c: _look(c, vectors_too))
    except Looked:
        return


def _look(connection: apsw.Connection, vectors_too: bool) -> None:
    assert connection.pragma("integrity_check") == "ok"
    assert connection.execute("pragma foreign_key_check").fetchall() == []
    for table in ("excerpt_words", "fact_words"):
        connection.execute(f"insert into {table} ({table}, rank) values ('integrity-check', 1)")
    for kind, table in (("excerpt", "excerpts"), ("fact", "facts")):
        _every_vector(connection, kind, {row[0] for row in connection.execute(f"select id from {table}")}, vectors_too)
    for key, text, home, shared in [(f.id, f.text, f.home, f.shared) for f in facts.listed(connection)]:
        row = connection.execute("select words, reach from facts where id = ?", (key,)).get
        assert row == (words.fold(text), facts.reach_tokens(home, shared)), "a fact is found by its words, where it may be used"
    nothing_dangles(connection)
    before = [connection.execute(sql).fetchall() for sql in (_EXCERPTS, _NAMES, _FACTS)]
    excerpts.rebuild(connection)
    names.rebuild(connection)
    after = [connection.execute(sql).fetchall() for sql in (_EXCERPTS, _NAMES, _FACTS)]
    assert before == after, "what is derived is what would be made anew"
    raise Looked


def _every_vector(connection: apsw.Connection, kind: vectors.Kind, there: set[Any], anew: bool) -> None:
    sets = connection.execute("select id, model, dimension from vector_sets where kind = ?", (kind,)).fetchall()
    for number, model, dimension in cast(list[tuple[int, str, int]], sets):
        bounds = (number << 40, (number + 1 << 40) - 1)
        rows = connection.execute("select key from vectors where key between ? and ?", bounds)
        have = {vectors.split(key)[1] for (key,) in cast(Iterator[tuple[int]], rows)}
        due = {row[0] for row in connection.execute("select id from vectors_due where vector_set = ?", (number,))}
        assert have | due == there, f"each {kind} has a vector of {model}, or waits for one"
        assert not have & due
        if anew:
            texts = vectors.texts(connection, kind, have)
            read = vectors.read(connection, kind, model, sorted(have))
            for key, vector in zip(sorted(have), read, strict=True):
                assert abs(vector - embedding(texts[key][:1500], dimension)).max() < 0.01, "the vector of its text"


def nothing_dangles(connection: apsw.Connection) -> None:
    """Fail where something points to what is gone, or where what is shown is not one path: a job for `read`."""
    for what, sql in {
        "a turn waits that is nowhere": "select 1 from waiting w left join messages m on m.id = w.message"
        " where m.id is null or m.conversation <> w.conversation or m.learn_kind is null or m.role <> 'user'",
        "a fact is at home nowhere": "select 1 from facts where (home_kind = 'space' and home_id not in (select id from spaces))"
        " or (home_kind = 'conversation' and home_id not in (select id from conversations))",
        "a summary covers what is gone": "select 1 from summaries where upto not in (select id from messages)",
        "something follows what is shown no more": "select 1 from messages m join messages p on p.id = m.parent"
        " where m.active = 1 and p.active = 0",
        "two versions are shown at once": "select 1 from messages where active = 1 and parent is not null and source_key is null"
        " group by parent having count(*) > 1",
        "a message is in another conversation than what it follows": "select 1 from messages m join messages p on p.id = m.parent"
        " where m.conversation <> p.conversation",
        "a reply stands before what it answers": "select 1 from messages m join messages p on p.id = m.parent"
        " where m.role = 'model' and m.place < p.place",
    }.items():
        assert connection.execute(sql).fetchone() is None, what


def finished_turns(connection: apsw.Connection) -> dict[int, int]:
    """Return the turns about barrels that have their whole reply, as message and number; one that sells counts three more."""
    rows = connection.execute(
        "select u.id, u.text from messages u join messages r on r.parent = u.id where u.role = 'user' and u.import is null"
        " and r.role = 'model' and r.status = 'complete' and u.text like '%barrel%'"
    )
    return {int(key): int(re.findall(r"\d+", text)[0]) + (3 if "sold" in text else 0) for key, text in cast(Iterator[Any], rows)}


def learned_once(connection: apsw.Connection, finished: Collection[int]) -> tuple[set[int], set[int]]:
    """Fail unless each finished turn was learned once or waits, and the facts are what the log says; return both kinds."""
    waits = {int(row[0]) for row in cast(Iterator[Any], connection.execute("select message from waiting"))}
    log = changes.listed(connection, 10**6)
    times = Counter(message for change in log for message in change.messages)
    assert set(times.values()) <= {1}, "no turn is learned twice"
    assert set(times) | waits >= set(finished), "no turn is lost"
    assert not set(times) & waits, "what was learned does not wait any more"
    replayed: tuple[Fact, ...] = ()
    for change in sorted(log, key=lambda change: change.id):
        replayed = replayed if change.undone else apply(change.edit, replayed)
    assert tuple(sorted(facts.listed(connection), key=lambda fact: fact.id)) == replayed, "the facts are what the log says"
    return set(times), waits


def picture(connection: apsw.Connection) -> Rows:
    """Return every row of every table, but for what is never the same twice: a job for `read`."""
    return {name: list(_rows(connection, name)) for name in _tables(connection)}


def _tables(connection: apsw.Connection) -> list[str]:
    found = connection.execute("select name from sqlite_schema where type = 'table' order by name")
    left = ("excerpt_words", "fact_words", "words_taken_out", "facts_changed")  # the last two count what was done, done again too
    return [str(row[0]) for row in found if not _SHADOW.match(str(row[0])) and row[0] not in left]


def _rows(connection: apsw.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    columns = [str(row[1]) for row in connection.execute(f"pragma table_info({table})")]
    kept = ", ".join(column for column in columns if column not in _VARYING.get(table, ()))
    yield from connection.execute(f"select {kept} from {table} order by {kept}")


def difference(one: Rows, other: Rows) -> str:
    """Say in which tables two vaults differ, and how; empty where they do not."""
    parts = []
    for table in sorted(one | other):
        here, there = one.get(table, []), other.get(table, [])
        if here != there:
            only_here, only_there = [row for row in here if row not in there], [row for row in there if row not in here]
            parts.append(f"{table}: only here {only_here[:3]}, only there {only_there[:3]}")
    return "; ".join(parts)
