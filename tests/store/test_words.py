"""Finding by words: folding, queries that are never syntax, reach, and scripts without spaces."""

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.store import postings, schema, word_rows, words


@pytest.fixture
def index() -> apsw.Connection:
    """An index over a handful of texts, in memory."""
    connection = apsw.Connection(":memory:")
    schema.migrate(connection, lambda: None)
    return connection


def put(connection: apsw.Connection, key: int, text: str, reach: str = "c1") -> None:
    """Index one text."""
    folded = words.fold(text)
    connection.execute(
        "insert into excerpts (id, message, start, stop, words, reach) values (?, 1, 0, 0, ?, ?)", (key, folded, reach)
    )
    words.add(connection, "excerpt_words", [(key, folded, reach)])


def ids(connection: apsw.Connection, text: str, reach: tuple[str, ...] = ()) -> list[int]:
    """What a search finds, best first."""
    return [key for key, _ in words.search(connection, "excerpt_words", text, reach)]


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("She was running home", "run"),
        ("Un café très doux", "cafe tres"),
        ("ÜBER den Fluss", "uber"),
        ("Łódź in spring", "lodz"),
        ("the straße was empty", "STRASSE"),
        ("昨天我和妈妈去了北京的数据库研究所", "数据库"),
        ("昨天我和妈妈去了北京", "妈"),
        ("昨天我去了北京", "京"),
        ("今日は東京で友達と寿司を食べました", "寿司"),
        ("오늘 서울에서 친구를 만났다", "친구"),
        ("ฉันไปตลาดกับแม่เมื่อวาน", "ตลาด"),
        ("कल मैं बाज़ार गया", "बाज़ार"),
        ("Сегодня я подписала договор", "ДОГОВОР"),
        ("Flight AB-1234 was late", "ab-1234"),
        ("pay 310 euros", "310"),
        ("Việt Nam", "viet"),
        ("\uff26\uff55\uff4c\uff4c width", "full"),
    ],
)
def test_a_word_is_found_however_it_is_written(index: apsw.Connection, text: str, query: str) -> None:
    """Endings, capitals, accents, width; scripts without spaces; codes and numbers."""
    put(index, 1, "something else altogether")
    put(index, 2, text)
    assert ids(index, query) == [2]


@pytest.mark.req("R2")
def test_letters_that_only_look_alike_stay_apart(index: apsw.Connection) -> None:
    """Japanese voicing marks are no accents: か is not が."""
    put(index, 1, "かき")
    assert ids(index, "がき") == []


@pytest.mark.req("R3")
@pytest.mark.parametrize("text", ["", "  ", "?!", "3", "🙂", "—", '"', "*", "a"])
def test_nothing_to_look_for_finds_nothing(index: apsw.Connection, text: str) -> None:
    """Signs, a single digit or letter start no search."""
    put(index, 1, "3 a 🙂 something")
    assert words.searchable(text) == []
    assert ids(index, text) == []


def test_stop_words_count_only_when_nothing_else_is_there() -> None:
    """`what about the boat` looks for the boat; `who are you` looks for what it has."""
    assert words.searchable("what about the boat") == ['"boat"']
    assert words.searchable("who are you") == ['"who"', '"are"', '"you"']


@pytest.mark.parametrize(
    "text", ['" OR 1', "reach : c2", "NEAR(a b)", "boat AND -storm", "boat*", "^boat", "(boat", "words:x", "a\x00b"]
)
def test_no_text_is_query_syntax(index: apsw.Connection, text: str) -> None:
    """A person's text is looked for, never obeyed."""
    put(index, 1, "the boat", "c1")
    put(index, 2, "a storm", "c2")
    assert set(ids(index, text, ("c1",))) <= {1}


@given(st.text(max_size=300))
def test_any_text_can_be_indexed_found_and_removed(text: str) -> None:
    """Whatever a person types: no error, and after removal no word of it is left in the index."""
    connection = apsw.Connection(":memory:")
    schema.migrate(connection, lambda: None)
    put(connection, 1, text)
    ids(connection, text)
    words.remove(connection, "excerpt_words", [(1, words.fold(text), "c1")])
    connection.execute("delete from excerpts")
    connection.execute("insert into excerpt_words (excerpt_words, rank) values ('integrity-check', 1)")


@given(st.text(alphabet=st.characters(whitelist_categories=["L", "N"]), min_size=2, max_size=12))
def test_a_word_finds_its_own_text(word: str) -> None:
    """A text of letters and digits is found by itself, whatever its script, unless it folds to a single letter."""
    connection = apsw.Connection(":memory:")
    schema.migrate(connection, lambda: None)
    put(connection, 1, word)
    if words.searchable(word):
        assert ids(connection, word) == [1]


@pytest.mark.req("W6")
def test_reach_limits_a_search(index: apsw.Connection) -> None:
    """Only rows that have one of the reach tokens."""
    put(index, 1, "a boat", "c1 s7")
    put(index, 2, "a boat", "c2 s7")
    put(index, 3, "a boat", "c3")
    assert sorted(ids(index, "boat")) == [1, 2, 3]
    assert sorted(ids(index, "boat", ("s7",))) == [1, 2]
    assert ids(index, "boat", ("c3",)) == [3]
    assert ids(index, "c3") == []


def test_rebuilding_gives_the_same_index(index: apsw.Connection) -> None:
    """The index is derived: made anew, it finds the same."""
    for key, text in enumerate(["a blue boat", "boats and harbours", "no ships"], start=1):
        put(index, key, text)
    before = words.search(index, "excerpt_words", "boat harbour")
    words.rebuild(index, "excerpt_words")
    assert words.search(index, "excerpt_words", "boat harbour") == before


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take any index for a large one."""
    monkeypatch.setattr(word_rows, "MANY", 0)


@pytest.mark.req("R2", "X3")
@given(st.lists(st.sets(st.sampled_from("boat harbour evening rain ship snow".split()), min_size=1), max_size=30), st.data())
def test_a_large_index_ranks_as_a_small_one(held: list[set[str]], data: st.DataObject) -> None:
    """Where no word stands twice in a row: the same rows with the same scores, within a reach too."""
    connection = apsw.Connection(":memory:")
    schema.migrate(connection, lambda: None)
    for key, each in enumerate(held, start=1):
        put(connection, key, " ".join(sorted(each)), f"c{key % 3}")
    text = " ".join(data.draw(st.sets(st.sampled_from("boat harbour evening rain ship snow".split()), min_size=1)))
    reach = data.draw(st.sampled_from([(), ("c1",), ("c0", "c2"), ("c9",)]))
    small = words.search(connection, "excerpt_words", text, reach)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_rows, "MANY", 0)
        large = words.search(connection, "excerpt_words", text, reach)
    assert dict(large) == pytest.approx(dict(small))
    assert [score for _, score in large] == sorted((score for _, score in large), reverse=True)


@pytest.mark.req("R2", "X3")
@pytest.mark.usefixtures("many")
def test_a_large_index_puts_newer_rows_first_among_equals(index: apsw.Connection) -> None:
    """Even when the older ones alone would fill the list."""
    for key in range(1, 401):
        put(index, key, "the same words")
    put(index, 401, "others")
    assert ids(index, "same words") == list(range(400, 350, -1))


@pytest.mark.req("R2", "X3")
@pytest.mark.usefixtures("many")
def test_in_a_large_index_the_rarest_words_are_looked_for(index: apsw.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    """The frequent ones are left out when together they stand in too many rows, but never all of them."""
    for key in range(1, 41):
        put(index, key, f"diary of day{key}" if key % 2 else f"diary rain day{key}")
    monkeypatch.setattr(word_rows, "_MOST_ROWS", 21)
    assert sorted(ids(index, "diary rain day7")) == sorted([7, *range(2, 41, 2)])
    monkeypatch.setattr(word_rows, "_MOST_ROWS", 1)
    assert ids(index, "diary rain day7") == [7]
    assert len(ids(index, "diary")) == 40


@pytest.mark.req("W6", "V8")
@pytest.mark.usefixtures("many")
def test_a_large_index_keeps_to_the_reach_and_forgets_what_is_removed(index: apsw.Connection) -> None:
    """What moved or went is seen at once."""
    put(index, 1, "a boat", "c1 s7")
    put(index, 2, "a boat", "c2 s7")
    put(index, 3, "a boat", "c3")
    assert ids(index, "boat", ("s7",)) == [2, 1]
    words.remove(index, "excerpt_words", [(2, words.fold("a boat"), "c2 s7")])
    assert ids(index, "boat", ("s7",)) == [1]
    words.add(index, "excerpt_words", [(2, words.fold("a boat"), "c2")])
    assert ids(index, "boat", ("s7",)) == [1]
    assert ids(index, "boat", ("c2",)) == [2]


@pytest.mark.req("R2")
def test_rows_are_counted(index: apsw.Connection) -> None:
    """How many there are, and in how many a word stands; an empty index has none."""
    assert words.total(index, "excerpt_words") == 0
    assert words.frequencies(index, "excerpt_words", ['"boat"']) == {'"boat"': 0}
    for key in range(1, 301):
        put(index, key, "a boat" if key % 3 else "数据库 boats at 310")
    assert words.total(index, "excerpt_words") == 300
    terms = ['"boats"', '"数据 据库"', '"310"', '"snow"', '"库"*']
    assert words.frequencies(index, "excerpt_words", terms) == dict(zip(terms, [300, 100, 100, 0, 100], strict=True))
    assert words.total(index, "fact_words") == 0


@pytest.mark.req("X3")
def test_frequent_words_are_judged_by_the_first_rows(index: apsw.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    """Near enough for ranking, without reading all rows."""
    monkeypatch.setattr(word_rows, "_COUNTED", 20)
    for key in range(1, 301):
        put(index, key, "a boat" if key % 3 else "rain")
    assert words.frequencies(index, "excerpt_words", ['"boat"'])['"boat"'] == pytest.approx(200, rel=0.1)


@pytest.mark.req("X3")
@given(st.lists(st.sets(st.sampled_from("boats boat harbour evenings rain 数据库 c1 don't".split())), max_size=12))
def test_words_counted_together_are_counted_right(held: list[set[str]]) -> None:
    """As many rows as hold each word, whatever its ending; not those whose reach is called so."""
    connection = apsw.Connection(":memory:")
    schema.migrate(connection, lambda: None)
    for key, each in enumerate(held, start=1):
        put(connection, key, " ".join(sorted(each)) or "snow")
    kept = postings.postings(connection, "excerpt_words")
    terms = ['"boat"', '"evening"', '"数据"', '"库"*', '"c1"', '"don\'t"', '"storm"']
    assert words.frequencies(connection, "excerpt_words", terms) == {
        term: len(kept.rows(connection, f"words : {term}")) for term in terms
    }
    assert words.frequencies(connection, "excerpt_words", ['"boat"']) == {
        '"boat"': sum(bool(each & {"boat", "boats"}) for each in held)
    }


@pytest.mark.req("R2", "X3")
@given(st.lists(st.sets(st.sampled_from("boats harbour evenings rain 数据库".split())), min_size=1, max_size=12), st.data())
def test_the_index_says_which_words_a_row_holds(held: list[set[str]], data: st.DataObject) -> None:
    """Just those of the search that stand in it, also in rows that are not there; but nothing of a word it did not look up."""
    connection = apsw.Connection(":memory:")
    schema.migrate(connection, lambda: None)
    for key, each in enumerate(held, start=3):
        put(connection, key, " ".join(sorted(each)) or "snow")
    terms = data.draw(st.lists(st.sampled_from(['"boat"', '"evening"', '"rain"', '"数据"', '"storm"']), min_size=1, unique=True))
    most = data.draw(st.sampled_from([1, 8, 1000]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_rows, "_MOST_ROWS", most)
        there = word_rows.held(connection, "excerpt_words", terms, "")
    stands = {'"boat"': "boats", '"evening"': "evenings", '"rain"': "rain", '"数据"': "数据库", '"storm"': "storm"}
    wanted = [sum(1 << at for at, term in enumerate(terms) if stands[term] in each) & there.known for each in held]
    assert there.of(range(len(held) + 5)) == [0, 0, 0, *wanted, 0, 0]
    assert there.known == (1 << len(terms)) - 1 or most < 1000
