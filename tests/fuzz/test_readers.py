"""Readers of what models and servers send and persons type, given what is almost right: a value or a sentence, never a trace."""

import asyncio
import json
import random
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import apsw
import pytest

from ricordo.conversation import Moment
from ricordo.errors import ModelError, ModelGarbled
from ricordo.learn import extractor, sentences, summarizer
from ricordo.learn.duplicates import duplicate_of
from ricordo.learn.extractor import Unread
from ricordo.learn.reconcile import Rules, reconcile
from ricordo.learn.secrets import secret_in
from ricordo.models.dialect import read_event
from ricordo.models.event_stream import EventStream
from ricordo.models.refusals import as_error, read_refusal
from ricordo.models.scripted import ScriptedModel
from ricordo.recall import plan_answers, references, relevance_answers
from ricordo.store import schema, words
from tests.fake_replies import Reply, events
from tests.faults import often
from tests.fuzz.mutation import ODD, cut, damaged, mutated, written
from tests.learn.talk import HOME, NOW, fact, turn

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

TRIES = often.often(400, 20_000)
SLOW = 5.0  # seconds on a busy machine: far more than any reader may take, and less than one that runs away
PROPOSED = {
    "add": [{"text": "The user plays the cello.", "quote": "I play the cello"}],
    "rewrite": [{"id": 1, "text": "The user lives in Porto.", "quote": "I live in Porto now"}],
    "remove": [{"id": 2, "quote": "I sold the boat"}],
}
MINUTES = {
    "decisions": ["The user will paint the kitchen yellow."],
    "facts": ["The user plays the cello in a quartet."],
    "open_threads": ["Whether to paint the door too."],
    "current_state": ["The user waits for the rain to stop."],
}
SAID = "I play the cello in a quartet. I live in Porto now. I sold the boat. The kitchen will be yellow, and I wait for the rain."
FRAMES = (
    "{}",
    "Sure:\n{}\nDone.",
    "```json\n{}\n```",
    "<think>hm</think>{}",
    "{}{}",
    "<think>{}",
    '"{}"',
    "{}\n\nUser: go on",
    "[{}]",
)
PHRASES = (
    "what did I write on August 2nd 2024, between 3 and 9 May, or three days ago?",
    "am letzten Dienstag, vor zwei Wochen, am 3. März 2021",
    "l'anno scorso, il 29 febbraio 2023, dal 3 al 9 maggio",
    "the first entry, the entry before that, the last one of 2026-08-02",
    "2026-08-02 14:05, 31/02/2024, 12-13-2014, 1.1.1, 99.99.9999, in the 1990s, last summer",
)


def answers(value: object, chance: random.Random) -> str:
    """Return an answer of a model that is almost right."""
    raw = written(mutated(value, chance), chance)
    if chance.random() < 0.4:
        raw = damaged(raw, chance)
    text = raw.decode("utf-8", "replace") + chance.choice(["", "", "", "\ud800"])
    return chance.choice(FRAMES).replace("{}", text)


@pytest.fixture
def slowly() -> Iterator[list[float]]:
    """Collect how long each try took, and hold it against what no reader may take."""
    took: list[float] = []
    yield took
    assert max(took) < SLOW


def typed(chance: random.Random) -> str:
    """Return what a person may type: words, operators, odd letters, in any order."""
    parts = (
        [str(part) for part in ODD if isinstance(part, str)]
        + list(PHRASES)
        + ["AND", "OR NOT", "*", "^", "(", "日記", "สวัสดี", "a"]
    )
    return chance.choice(["", " "]).join(
        damaged(part.encode("utf-8", "replace"), chance).decode("utf-8", "replace") for part in chance.sample(parts, 3)
    )


@pytest.mark.req("E12", "E15", "X3")
def test_any_answer_of_the_extractor_is_proposals_or_a_reason(slowly: list[float]) -> None:
    """And what is accepted of it is at most five and three, short, and found in the words of the person."""
    chance = random.Random(1)
    turns, known = (turn(SAID),), (fact(1, "The user lives in Ghent."), fact(2, "The user has a boat."))
    rules = Rules(secret_in, lambda text, there: found.index if (found := duplicate_of(text, there)) else None, lambda *_: False)
    for _ in range(TRIES):
        text = answers(PROPOSED, chance)
        started = time.process_time()
        found = asyncio.run(extractor.propose(ScriptedModel(text), turns, known, 5))
        if isinstance(found, Unread):
            assert found.reason.endswith("."), text
        else:
            outcome = reconcile(found, turns, known, HOME, NOW, rules)
            assert len(outcome.changes) <= 8
            assert all(each.quote.strip() for each in outcome.changes)
            json.dumps([str(each) for each in outcome.changes]).encode()
        slowly.append(time.process_time() - started)
    often.told("answers of an extractor", TRIES, "proposals or a reason")


@pytest.mark.req("E18", "X3")
def test_any_answer_to_the_questions_is_proposals(slowly: list[float]) -> None:
    """Sentence by sentence, whatever each question is answered with."""
    chance = random.Random(2)
    for _ in range(TRIES // 8):
        model = ScriptedModel(
            lambda _: chance.choice(["yes", "no", "YES!", "", "maybe", answers(PROPOSED, chance), typed(chance)])
        )
        started = time.process_time()
        found = asyncio.run(sentences.propose(model, (turn(SAID),), (fact(1, "The user lives in Ghent."),), 5))
        assert isinstance(found, tuple | Unread)
        slowly.append(time.process_time() - started)


@pytest.mark.req("N1", "R1", "R4", "X3")
def test_any_answer_of_the_other_hidden_calls_is_read(slowly: list[float]) -> None:
    """A summary or a reason; searches that are few and short; numbers of notes that exist."""
    chance = random.Random(3)
    for _ in range(TRIES):
        started = time.process_time()
        text = answers(MINUTES, chance) if chance.random() < 0.7 else typed(chance)
        outcome = summarizer.summary_from(text, "", [turn(SAID).asked])
        assert isinstance(outcome, summarizer.Written | summarizer.Kept)
        searches = plan_answers.searches_in(answers({"queries": ["cello", "boat in Porto"]}, chance))
        assert all(each.strip() for each in searches)
        kept = relevance_answers.kept_in(answers({"relevant": [1, 2], "notes": {"3": "yes"}}, chance), 3)
        assert kept is None or kept <= {1, 2, 3}
        slowly.append(time.process_time() - started)
    often.told("answers of planner, check and summary", 3 * TRIES, "read")


@pytest.mark.req("X3", "I7")
def test_any_stream_of_a_server_is_pieces_or_a_sentence(slowly: list[float]) -> None:
    """Its events with parts that are something else, its bytes damaged, cut anywhere."""
    chance = random.Random(4)
    usage = {"prompt_tokens": 3, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 1}}
    reply = Reply("A word or two", thought="hm", alternatives={"yes": -0.1, "no": -2.0})
    lines = [line.removeprefix(b"data: ").strip() for line in events(reply, usage)]
    parts = [json.loads(line) for line in lines if line != b"[DONE]"]
    for _ in range(TRIES):
        started = time.process_time()
        sent = [written(mutated(each, chance), chance) if chance.random() < 0.5 else written(each, chance) for each in parts]
        raw = b"".join(b"data: " + each + b"\n\n" for each in sent)
        if chance.random() < 0.3:
            raw = damaged(raw, chance)
        stream = EventStream()
        try:
            found = [event for piece in cut(raw, chance) for event in stream.feed(piece)] + stream.finish()
            for event in found:
                read_event(event)
        except ModelError as error:
            assert isinstance(error, ModelGarbled)
            assert str(error).endswith(".")
        slowly.append(time.process_time() - started)
    often.told("streams of servers", TRIES, "pieces, or a sentence")


@pytest.mark.req("X3")
def test_any_error_of_a_server_is_a_sentence(slowly: list[float]) -> None:
    """Whatever shape it has, and without the key."""
    chance = random.Random(5)
    shape = {
        "error": {"message": "bad key sk-secret-1234567890", "code": "401", "type": "x", "param": None, "n_ctx": 7},
        "detail": [{"msg": "no"}],
    }
    for _ in range(TRIES):
        started = time.process_time()
        raw = written(mutated(shape, chance), chance)
        raw = damaged(raw, chance) if chance.random() < 0.3 else raw
        raw = raw.replace(
            b"bad key", chance.choice([b"bad key", b"maximum context length is " + b"9" * chance.choice([4, 5000])])
        )
        status = chance.choice([200, 301, 400, 401, 404, 413, 422, 429, 500, 503, 599])
        refusal = read_refusal(
            status, raw, {"retry-after": chance.choice(["", "3", "soon", "-1", "1e400", "nan", "Wed, 21 Oct 2026 07:28:00 GMT"])}
        )
        said = str(as_error(refusal, "The server", "m", "sk-secret-1234567890"))
        assert len(said) > 15, raw
        assert "sk-secret-1234567890" not in said
        said.encode()
        slowly.append(time.process_time() - started)
    often.told("errors of servers", TRIES, "a sentence")


@pytest.mark.req("R6", "X3")
def test_any_words_about_days_are_read(slowly: list[float]) -> None:
    """On any day, in any zone: spans in order, within what was typed."""
    chance = random.Random(6)
    zones = [ZoneInfo(name) for name in ("Europe/Rome", "Pacific/Apia", "America/St_Johns", "Asia/Kathmandu", "UTC")]
    for _ in range(TRIES):
        started = time.process_time()
        text = typed(chance)
        when = datetime(1, 1, 3) + timedelta(seconds=chance.randrange(9990 * 365 * 86400))
        now = Moment((when - datetime(1970, 1, 1)) // timedelta(microseconds=1), chance.randrange(-720, 841))
        for each in references.find(text, now, chance.choice(zones), day_first=chance.choice([None, True, False])):
            assert references.named(each)
            if isinstance(each, references.Days):
                assert each.first <= each.last
        slowly.append(time.process_time() - started)
    often.told("words about days", TRIES, "read")


@pytest.mark.req("R2", "X3")
def test_any_search_is_a_search(slowly: list[float]) -> None:
    """Nothing that is typed is query syntax."""
    chance = random.Random(7)
    connection = apsw.Connection(":memory:")
    schema.migrate(connection, lambda: None)
    for key in range(1, 60):
        row = (key, words.fold(typed(chance)), f"c{key % 3}")
        connection.execute("insert into excerpts (id, message, start, stop, words, reach) values (?, 1, 0, 1, ?, ?)", row)
        words.add(connection, "excerpt_words", [row])
    for _ in range(TRIES):
        started = time.process_time()
        found = words.search(connection, "excerpt_words", typed(chance), chance.choice([(), ("c1",), ("c0", "c2")]), limit=20)
        assert all(score > 0 for _, score in found)
        slowly.append(time.process_time() - started)
    often.told("searches", TRIES, "a search")
