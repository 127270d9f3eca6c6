"""The vectors in RAM: the nearest of just what is in reach, whatever was added, removed, undone or rolled back before."""

import asyncio
import pathlib
import sys
import tempfile
from collections.abc import Awaitable, Callable

import apsw
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ricordo.conversation import Moment, Reach, Role, Scope
from ricordo.errors import ModelGarbled
from ricordo.fact import Global, InConversation, InSpace, Origin
from ricordo.store import conversations, facts, loaded_vectors, messages, vector_index, vectors
from ricordo.store.connection import Database
from ricordo.store.vector_index import VectorIndex
from tests.vaults import PASSPHRASE, with_database

NOW = Moment(1_780_000_000_000_000, 120)
EVERYTHING = Scope(Reach.VAULT, 1, None)
SIZE = 16


def unit(number: int, rows: int = 1, dimension: int = SIZE) -> vectors.Vector:
    """Some unit vectors, others for each number."""
    made = np.random.default_rng(number).standard_normal((rows, dimension)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def filled(rows: vectors.Vector, places: list[int] | None = None) -> VectorIndex:
    """An index whose ids are 1, 2, …"""
    index = VectorIndex(rows.shape[1])
    index.add(np.arange(1, len(rows) + 1), np.array(places or [1] * len(rows), np.int32), rows)
    return index


@pytest.fixture(params=["numkong", "numpy"])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each of the two ways to multiply; the second is what a machine without the extra has."""
    if request.param == "numpy":
        monkeypatch.setitem(sys.modules, "numkong", None)
    return str(request.param)


@pytest.mark.req("R2")
def test_the_nearest_of_many_are_found(kernel: str) -> None:
    """Of 40,000 in several chunks, nearly all of the true best ten are among the candidates, and the very best is first."""
    rows = unit(1, 40_000, 64)
    index = filled(rows)
    queries = unit(2, 20, 64)
    true = np.argsort(-(queries @ rows.T), axis=1)[:, :10] + 1
    found = [index.search(query, 60) for query in queries]
    hits = sum(len(set(ids.tolist()) & set(best.tolist())) for ids, best in zip(found, true, strict=True))
    assert hits >= 0.99 * true.size
    assert index.search(rows[20_000], 5)[0] == 20_001
    assert len(vector_index._dots()(np.ones((3, 8), np.int8), np.ones(8, np.int8))) == 3


@pytest.mark.req("R2")
def test_both_ways_to_multiply_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra it is slower, never different."""
    rows, query = unit(1, 5000, 384), unit(2, 1, 384)[0]
    fast = filled(rows).search(query, 50)
    monkeypatch.setitem(sys.modules, "numkong", None)
    assert filled(rows).search(query, 50).tolist() == fast.tolist()


@pytest.mark.req("W6")
@given(st.lists(st.integers(1, 6), min_size=1, max_size=80), st.sets(st.integers(1, 8)), st.integers(1, 40))
def test_nothing_out_of_reach_is_ever_found(places: list[int], allowed: set[int], count: int) -> None:
    """However the rows of a reach lie among others: all of them in turn, and only them."""
    index = filled(unit(3, len(places)), places)
    found = index.search(unit(4)[0], count, np.array(sorted(allowed), np.int32)).tolist()
    within = {number for number, place in enumerate(places, start=1) if place in allowed}
    assert set(found) <= within
    assert len(found) == len(set(found)) == min(count, len(within))


edits = st.lists(st.tuples(st.sampled_from(["add", "remove"]), st.lists(st.integers(1, 30), max_size=8)), max_size=20)


@pytest.mark.req("R2", "V8")
@given(edits)
def test_the_index_holds_just_what_was_put_in(todo: list[tuple[str, list[int]]]) -> None:
    """After any sequence of additions, replacements and removals, across chunks: as if it were made anew."""
    whole = vector_index.CHUNK
    vector_index.CHUNK = 7
    try:
        index, held = VectorIndex(SIZE), dict[int, vectors.Vector]()
        for round_, (step, ids) in enumerate(todo):
            keys = np.array(sorted(set(ids)), np.int64)
            if step == "remove":
                index.remove(keys)
                held = {key: row for key, row in held.items() if key not in ids}
            else:
                rows = unit(round_, len(keys)) if len(keys) else np.zeros((0, SIZE), np.float32)
                index.add(keys, np.ones(len(keys), np.int32), rows)
                held |= dict(zip(keys.tolist(), rows, strict=True))
            assert index.size() == len(held)
        found = index.search(unit(99)[0], 30).tolist()
        assert sorted(found) == sorted(held)
        for key, row in held.items():
            assert key == index.search(row, 1)[0]
    finally:
        vector_index.CHUNK = whole


@pytest.mark.req("V3", "V8")
def test_what_is_taken_out_is_overwritten() -> None:
    """No number of it is left in the arrays, neither after a removal nor after clearing."""
    index = filled(unit(1, 9))
    (chunk,) = index._chunks
    index.remove(np.array([2, 5, 9]))
    assert not chunk.rows[6:9].any()
    assert not chunk.ids[6:9].any()
    index.clear()
    assert not chunk.rows[:9].any()
    assert index.size() == 0


def fill(connection: apsw.Connection) -> None:
    """Three conversations, the last two in a Space, four messages each, and a fact of every home."""
    space = conversations.create_space(connection, "Boats", "", NOW).id
    for talk in (1, 2, 3):
        conversations.create(connection, "", None if talk == 1 else space, NOW)
        for number in range(4):
            say(connection, talk, number)
    for home in (Global(), InSpace(space), InConversation(1), InConversation(2)):
        facts.insert(connection, f"Known {home}", Origin.MODEL, home, NOW)


def say(connection: apsw.Connection, talk: int, number: int) -> None:
    """Add a message of the person."""
    text = f"This is entry number {number} of talk {talk}."
    messages.append(connection, talk, messages.NewMessage(Role.USER, text, NOW))


def embed(connection: apsw.Connection, kind: vectors.Kind = "excerpt", model: str = "m", most: int = 99) -> None:
    """Give a vector to all that lacks one."""
    due = vectors.missing(connection, kind, model, most)
    vectors.add(connection, kind, model, [(key, unit(key)[0]) for key, _ in due])


def brute(connection: apsw.Connection, scope: Scope, query: vectors.Vector) -> list[int]:
    """What a search must find, by reading all there is."""
    space = "select id from conversations where space = :space"
    where = {Reach.VAULT: "1", Reach.SPACE: f"m.conversation in ({space})", Reach.CONVERSATION: "m.conversation = :talk"}
    sql = f"select e.id from excerpts e join messages m on m.id = e.message where {where[scope.reach]}"
    values = {"talk": scope.conversation, "space": scope.space}
    ids = [row[0] for row in connection.execute(sql, {name: values[name] for name in values if f":{name}" in sql})]
    found = vectors.set_of(connection, "excerpt", "m")
    rows = dict(zip(*vectors.stored(connection, found[0], ids), strict=True)) if found else {}
    return sorted(rows, key=lambda key: -float(rows[key] @ query) / float(np.linalg.norm(rows[key])))


class Undone(Exception):
    """Makes a transaction come to nothing."""


writes = st.lists(
    st.tuples(
        st.sampled_from(["say", "embed", "delete", "delete talk", "move", "load", "forget", "drop"]), st.integers(1, 12),
        st.booleans(),
    ),
    max_size=12,
)  # fmt: skip


@pytest.mark.req("R2", "W6", "V8", "S2")
@settings(deadline=None, max_examples=40)
@example([("embed", 1, False), ("drop", 2, False), ("embed", 1, False)])
@given(writes)
def test_the_index_follows_the_table(todo: list[tuple[str, int, bool]]) -> None:
    """Any sequence of writes, some of them rolled back: a search finds what reading all rows finds, in the same order."""

    async def work(database: Database) -> None:
        await database.write(fill)
        await database.load_vectors("m")
        for step, which, undone in todo:
            if step == "load":
                await database.load_vectors("m")
            elif step == "forget":
                database.vectors.forget()
            else:
                await attempt(database, lambda c, step=step, which=which: apply(c, step, which), undone)  # type: ignore[misc]
        await database.load_vectors("m")
        query = unit(77)[0]
        for scope in (
            EVERYTHING,
            Scope(Reach.SPACE, 2, 1),
            Scope(Reach.CONVERSATION, 2, 1),
            Scope(Reach.CONVERSATION, None, None),
        ):
            found = await nearest(database, query, scope)
            assert found == await database.read(lambda c, scope=scope: brute(c, scope, query))  # type: ignore[misc]
        assert database.vectors.size() == await database.read(lambda c: c.execute("select count(*) from vectors").get)

    with tempfile.TemporaryDirectory() as folder:
        with_database(pathlib.Path(folder), work)


async def attempt(database: Database, job: Callable[[apsw.Connection], None], undone: bool) -> None:
    """Write, and let the transaction fail at its end when asked to."""

    def run(connection: apsw.Connection) -> None:
        job(connection)
        if undone:
            raise Undone

    try:
        await database.write(run)
    except Undone:
        assert undone


def apply(connection: apsw.Connection, step: str, which: int) -> None:
    """Do one thing to what is there."""
    talks = [row[0] for row in connection.execute("select id from conversations order by id")]
    said = [row[0] for row in connection.execute("select id from messages order by id")]
    match step:
        case "say" if talks:
            say(connection, talks[which % len(talks)], which)
        case "embed":
            embed(connection, most=which)
        case "delete" if said:
            conversations.delete_message(connection, said[which % len(said)])
        case "delete talk" if talks:
            conversations.delete(connection, talks[which % len(talks)])
        case "move" if talks:
            conversations.move(connection, talks[which % len(talks)], 1 if which % 2 else None)
        case "drop":
            vectors.drop_other(connection, "m" if which % 2 else "other", which)
        case _:
            pass


async def nearest(database: Database, query: vectors.Vector, scope: Scope = EVERYTHING) -> list[int] | None:
    """The ids of what a search finds, None when it says that nothing is loaded."""
    found = await database.read(lambda c: database.vectors.search(c, "excerpt", "m", query, scope, 99))
    return None if found is None else [key for key, _ in found]


def with_vectors(folder: pathlib.Path, work: Callable[[Database], Awaitable[None]]) -> None:
    """Run some work on a database where everything has a vector."""

    async def run(database: Database) -> None:
        await database.write(fill)
        await database.write(embed)
        await database.write(lambda c: embed(c, "fact"))
        await work(database)

    with_database(folder, run)


@pytest.mark.req("R2")
def test_a_search_gives_exact_cosines(tmp_path: pathlib.Path) -> None:
    """Best first, as many as asked for; and those of ids found otherwise, loaded or not."""

    async def work(database: Database) -> None:
        query = unit(5)[0]
        unloaded = await database.read(lambda c: database.vectors.scores(c, "excerpt", "m", query, [5, 7, 999]))
        assert unloaded[5] == pytest.approx(1, abs=1e-3)
        assert unloaded[7] == pytest.approx(float(unit(7)[0] @ query), abs=1e-3)
        assert set(unloaded) == {5, 7}
        await database.load_vectors("m")
        found = await database.read(lambda c: database.vectors.search(c, "excerpt", "m", query, EVERYTHING, 3))
        assert found is not None
        assert len(found) == 3
        assert found[0] == (5, pytest.approx(unloaded[5]))
        assert found == sorted(found, key=lambda pair: -pair[1])
        assert await database.read(lambda c: database.vectors.scores(c, "excerpt", "another", query, [5])) == {}

    with_vectors(tmp_path, work)


@pytest.mark.req("W6")
def test_facts_are_found_where_they_may_be_used(tmp_path: pathlib.Path) -> None:
    """Global ones, those of the Space, those of the conversation; a note of another one only when it is shared."""

    async def work(database: Database) -> None:
        await database.load_vectors("m")

        async def known(scope: Scope) -> set[int]:
            found = await database.read(lambda c: database.vectors.search(c, "fact", "m", unit(1)[0], scope, 9))
            return {key for key, _ in found or ()}

        assert await known(Scope(Reach.CONVERSATION, 1, None)) == {1, 3}
        assert await known(Scope(Reach.CONVERSATION, 3, 1)) == {1, 2}
        assert await known(Scope(Reach.SPACE, 3, 1)) == {1, 2, 4}
        assert await known(EVERYTHING) == {1, 2, 3, 4}
        await database.write(lambda c: facts.set_shared(c, 3, True))
        assert await known(Scope(Reach.CONVERSATION, 3, 1)) == {1, 2, 3}

    with_vectors(tmp_path, work)


@pytest.mark.req("I7")
def test_a_vector_of_another_length_is_an_error(tmp_path: pathlib.Path) -> None:
    """Never a silent miss."""

    async def work(database: Database) -> None:
        await database.load_vectors("m")
        wrong = unit(1, dimension=SIZE + 1)[0]
        with pytest.raises(ModelGarbled, match=f"{SIZE + 1} numbers"):
            await database.read(lambda c: database.vectors.search(c, "excerpt", "m", wrong, EVERYTHING, 3))
        with pytest.raises(ModelGarbled):
            await database.read(lambda c: database.vectors.scores(c, "excerpt", "m", wrong, [1]))

    with_vectors(tmp_path, work)


@pytest.mark.req("V3")
def test_a_lock_drops_what_was_loaded(tmp_path: pathlib.Path) -> None:
    """Overwritten and gone; after unlocking, a search says that nothing is there till it is loaded again."""

    async def work(database: Database) -> None:
        await database.load_vectors("m")
        chunks = [index._chunks[0] for _, index in database.vectors._indexes.values()]
        arrays = [array[: chunk.used] for chunk in chunks for array in chunk.arrays()]
        assert all(array.any() for array in arrays)
        await database.close()
        assert not any(array.any() for array in arrays)
        assert database.vectors.size() == 0
        again = await asyncio.to_thread(Database.open, tmp_path / "diary.ricordo", PASSPHRASE)
        try:
            assert await nearest(again, unit(1)[0]) is None
            await again.load_vectors("m")
            assert len(await nearest(again, unit(1)[0]) or ()) == 12
        finally:
            await again.close()

    with_vectors(tmp_path, work)


@pytest.mark.req("I7")
def test_another_model_takes_the_place_of_the_first(tmp_path: pathlib.Path) -> None:
    """While the first is loaded, a search for the second says that it is not; then the other way round."""

    async def work(database: Database) -> None:
        await database.load_vectors("m")
        await database.write(lambda c: embed(c, model="n"))
        query = unit(1)[0]
        assert await database.read(lambda c: database.vectors.search(c, "excerpt", "n", query, EVERYTHING, 3)) is None
        assert database.vectors.size() == 16
        await database.load_vectors("n")
        assert await nearest(database, query) is None
        found = await database.read(lambda c: database.vectors.search(c, "excerpt", "n", query, EVERYTHING, 99))
        assert len(found or ()) == 12

    with_vectors(tmp_path, work)


@pytest.mark.req("R2", "V8")
def test_what_changes_while_loading_is_not_missed(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written, deleted or embedded between two slices, or while one is read: at the end all is as the table has it."""
    monkeypatch.setattr(loaded_vectors, "SLICE", 3)
    read = vectors.following

    async def work(database: Database) -> None:
        def late(*values: object) -> tuple[list[int], vectors.Vector]:
            """Let a deletion come between the reading of a slice and its being taken over."""
            found = read(*values)  # type: ignore[arg-type]
            if 5 in found[0]:
                asyncio.run_coroutine_threadsafe(database.write(lambda c: conversations.delete_message(c, 5)), loop).result()
            return found

        loop = asyncio.get_running_loop()
        monkeypatch.setattr(vectors, "following", late)
        await database.read(lambda c: database.vectors.begin(c, "m"))
        for number in range(4):
            assert await database.read(lambda c: database.vectors.load_more(c, "m"))
            await database.write(lambda c, number=number: say(c, 1, number))  # type: ignore[misc]
            await database.write(embed)
        assert await nearest(database, unit(1)[0]) is None
        await asyncio.gather(database.load_vectors("m"), database.load_vectors("m"))
        query = unit(77)[0]
        found = await nearest(database, query)
        assert found is not None
        assert 5 not in found
        assert len(found) == 15
        assert database.vectors.size() == 15 + 4  # the facts
        assert found == await database.read(lambda c: brute(c, EVERYTHING, query))

    with_vectors(tmp_path, work)


@pytest.mark.req("W6", "R2")
def test_searches_run_beside_writes(tmp_path: pathlib.Path) -> None:
    """Readers never see a row out of reach, one twice, or an error, whatever the writer does meanwhile."""

    async def work(database: Database) -> None:
        await database.load_vectors("m")
        scope = Scope(Reach.CONVERSATION, 2, 1)

        async def change() -> None:
            for number in range(30):
                await database.write(lambda c, number=number: say(c, 1 + number % 3, number))  # type: ignore[misc]
                await database.write(embed)
                await database.write(lambda c, number=number: conversations.delete_message(c, number + 1))  # type: ignore[misc]

        async def look() -> None:
            while not changing.done():
                found = await database.read(lambda c: (nearby(c), allowed(c)))
                assert set(found[0]) <= found[1]
                assert len(set(found[0])) == len(found[0])

        def nearby(connection: apsw.Connection) -> list[int]:
            return [key for key, _ in database.vectors.search(connection, "excerpt", "m", unit(1)[0], scope, 99) or ()]

        def allowed(connection: apsw.Connection) -> set[int]:
            sql = "select e.id from excerpts e join messages m on m.id = e.message where m.conversation = 2"
            return {row[0] for row in connection.execute(sql)}

        changing = asyncio.create_task(change())
        await asyncio.gather(changing, look(), look())

    with_vectors(tmp_path, work)
