"""What is kept of the word index in RAM is what the index holds, whatever is put in, taken out, moved or undone."""

import pathlib

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ricordo.store import postings, schema, word_rows, words

WORDS = ("boat", "harbour", "evening", "rain")
Row = tuple[int, str, str]


def connection_of() -> apsw.Connection:
    """An empty index, in memory."""
    connection = apsw.Connection(":memory:")
    schema.migrate(connection, lambda: None)
    return connection


def put(connection: apsw.Connection, text: str, reach: str) -> Row:
    """Index a text as the newest one."""
    connection.execute("insert into excerpts (message, start, stop, words, reach) values (1, 0, 0, ?, ?)", (text, reach))
    row = connection.last_insert_rowid(), text, reach
    words.add(connection, "excerpt_words", [row])
    return row


def take_out(connection: apsw.Connection, row: Row) -> None:
    """Take a text out again."""
    words.remove(connection, "excerpt_words", [row])
    connection.execute("delete from excerpts where id = ?", (row[0],))


def listed(connection: apsw.Connection, word: str) -> list[int]:
    """The rows of a word, as a search would list them now."""
    found: list[int] = postings.postings(connection, "excerpt_words").rows(connection, f'words : "{word}"').tolist()
    return found


@pytest.mark.req("X3", "V8")
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_what_is_kept_is_what_is_there(data: st.DataObject) -> None:
    """After each step, for words that were looked for before and words that were not."""
    connection = connection_of()
    rows: list[Row] = []
    counted = data.draw(st.sampled_from([1, 2, 2000]))
    for _ in range(data.draw(st.integers(1, 12))):
        match data.draw(st.sampled_from(["put", "put", "take out", "move", "undone", "look", "anew"])):
            case "put":
                rows.append(put(connection, " ".join(data.draw(st.sets(st.sampled_from(WORDS), min_size=1))), "c1"))
            case "take out" if rows:
                take_out(connection, rows.pop(data.draw(st.integers(0, len(rows) - 1))))
            case "move" if rows:
                at = data.draw(st.integers(0, len(rows) - 1))
                words.remove(connection, "excerpt_words", [rows[at]])
                rows[at] = (*rows[at][:2], "c2")
                words.add(connection, "excerpt_words", [rows[at]])
                connection.execute("update excerpts set reach = 'c2' where id = ?", (rows[at][0],))
            case "undone":
                connection.execute("begin immediate")
                put(connection, "boat rain", "c1")
                assert len(listed(connection, "boat")) == 1 + sum("boat" in text for _, text, _ in rows)
                connection.execute("rollback")
            case "anew":
                words.rebuild(connection, "excerpt_words")
            case _:
                listed(connection, data.draw(st.sampled_from(WORDS)))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(word_rows, "_COUNTED", counted)
            word_rows.frequencies(
                connection, "excerpt_words", [f'"{word}"' for word in data.draw(st.sets(st.sampled_from(WORDS)))]
            )
        for word in WORDS[:3]:
            assert listed(connection, word) == sorted(key for key, text, _ in rows if word in text), word
        within = word_rows.held(connection, "excerpt_words", ['"boat"', '"rain"'], '"c2"')
        held = dict(zip([key for key, *_ in rows], within.of([key for key, *_ in rows]), strict=True))
        for key, text, reach in rows:
            assert held[key] == (("boat" in text) + 2 * ("rain" in text) if reach == "c2" else 0)


@pytest.mark.req("X3")
def test_no_more_is_kept_than_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lists that were not used for longest go first, and come again when they are asked for."""
    monkeypatch.setattr(postings, "_MOST", 25)
    connection = connection_of()
    for _ in range(10):
        put(connection, "boat harbour rain", "c1")
    for word in ("boat", "harbour", "boat", "rain"):
        assert len(listed(connection, word)) == 10
    kept = postings.postings(connection, "excerpt_words")
    assert list(kept.listed.lists) == ['words : "boat"', 'words : "rain"']
    assert kept.listed.count == 20
    assert len(listed(connection, "harbour")) == 10


@pytest.mark.req("X3")
def test_only_what_is_new_is_listed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message a turn must not have every word listed anew."""
    connection = connection_of()
    put(connection, "boat", "c1")
    listed(connection, "boat")
    put(connection, "boat", "c1")
    asked: list[int] = []
    real = postings._listed

    def counted(connection: apsw.Connection, table: postings.Table, query: str, after: int, most: int) -> postings.Rows:
        asked.append(after)
        return real(connection, table, query, after, most)

    monkeypatch.setattr(postings, "_listed", counted)
    assert listed(connection, "boat") == [1, 2]
    assert listed(connection, "boat") == [1, 2]
    assert asked == [1]


@pytest.mark.req("X3", "V8")
def test_connections_of_a_vault_share_lists_and_each_sees_its_own_moment(tmp_path: pathlib.Path) -> None:
    """One that reads an earlier moment is shown neither what came since nor that something is gone since."""
    path = str(tmp_path / "index.db")
    writer = apsw.Connection(path)
    writer.pragma("journal_mode", "wal")
    schema.migrate(writer, lambda: None)
    reader, late = apsw.Connection(path), apsw.Connection(path)
    postings.share((writer, reader, late))
    first = put(writer, "boat", "c1")
    reader.execute("begin")
    assert listed(reader, "boat") == [1]
    put(writer, "boat", "c1")
    assert listed(writer, "boat") == [1, 2]
    assert listed(reader, "boat") == [1]
    assert listed(late, "boat") == [1, 2]
    assert postings.shelf_of(late) is postings.shelf_of(writer)
    take_out(writer, first)
    assert listed(writer, "boat") == [2]
    assert listed(reader, "boat") == [1]
    assert listed(late, "boat") == [2]
    reader.execute("commit")
    assert listed(reader, "boat") == [2]
    for connection in (reader, late, writer):
        connection.close()
