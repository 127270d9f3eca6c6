"""What other products were reported to fail at, carried on: more inputs of each kind, through the same ways as tests/cases."""

from typing import Any

import pytest

from tests.cases import context, fts, retrieve

DOCS = (
    "We said don't use helpers on ticket TKT-4071.",
    "The debian 12.5 box sits at Photos/holiday since 2026-12-15.",
    "A well-worn-down path, colour::mix, shed (attic).",
    "Vitamin D for the winter, said Dr. Müller-Lüdenscheidt in the Straße.",
)
PETS = (
    "The user's sister Maud moved to Tartu.",
    "The user is allergic to penicillin.",
    "The user plays cello in a quartet.",
    "The user's car is a green Panda.",
    "The user's customer number is 12345.",
)


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("don't", [0]), ("don’t", [0]), ("12.5", [1]), ("colour::mix", [2]), ("(attic", [2]), ('"attic', [2]), ("attic)", [2]),
        ("words:attic", [2]), ("reach:attic", [2]), ("reach:g", []), ("NEAR(attic shed, 2)", [2]), ("attic^2", [2]),
        ("{attic}", [2]),
        ("ATTIC", [2]), ("attics", [2]), ("attic'; drop table facts; --", [2]), ("attic\\", [2]), ("attic%", [2]), ("a_t", []),
        ("AND", []), ("NOT NOT", []), ("", []), ("  \t\n ", []), ("🙂", []), ("\x00", []), ("attic\ud800", [2]), ("\udfff", []),
        ("ａｔｔｉｃ", [2]), ("attic " * 5000, [2]), ("tkt 4071", [0]), ("TKT‑4071", [0]), ("photos\\holiday", [1]),
        ("vitamin D", [3]), ("strasse", [3]), ("MULLER", [3]), ("Mu\u0308ller", [3]), ("ludenscheidt", [3]), ("D", [3]),
        ("what about the attic?", [2]), ("attic\u200b", [2]), ("at\u00adtic", [2]), ("+attic -shed", [2]), ("attic AND", [2]),
    ],
)  # fmt: skip
def test_what_is_typed_is_looked_for_as_words(query: str, found: list[int]) -> None:
    """Signs, operators, columns, accents, widths, what nobody sees: no error, and just what holds the words."""
    case = {"input": {"docs": list(DOCS), "query": query}, "expected": {"raises": False, "matches_docs": found}}
    assert fts.run(case) == (True, "")


@pytest.mark.req("R2", "R3", "N3")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Which antibiotics, penicillin or amoxicillin or erythromycin?", {"returned_has": ["penicillin"]}),
        ("MAUD'S new town", {"returned_has": ["Tartu"]}),
        ("playing the cellos", {"returned_has": ["cello"]}),
        ("my number 12345", {"returned_has": ["12345"]}),
        ("what did I say about that?", {"returned": []}),
        ("was haben wir damals gesagt?", {"returned": []}),
        ("ti ricordi cosa ho detto?", {"returned": []}),
        ("thanks a lot!", {"returned": []}),
        ("👍", {"returned": []}),
        ("?!", {"returned": []}),
        ("What is 19 percent of 260?", {"returned": []}),
        ("The pandas in the zoo", {"returned_has": ["Panda"]}),
        ("cellophane wrapping", {"returned": []}),
        ("Is Tart good?", {"returned": []}),
        ("x" * 3000, {"returned": []}),
        ("sister\x00Maud", {"returned_has": ["Maud"]}),
    ],
)
def test_a_question_brings_what_shares_a_word_and_nothing_else(query: str, expected: dict[str, Any]) -> None:
    """Unknown words beside a known one, other forms, filler in several languages, parts of words."""
    case = {"input": {"facts": list(PETS), "query": query, "mode": "shared words"}, "expected": expected}
    assert retrieve.run(case) == (True, "")


WEIGHED = (
    "The user stood on the old brass scale in the bathroom early on Sunday, before coffee and after a swim in the lake, and "
)


@pytest.mark.req("R2", "E7")
@pytest.mark.parametrize(("one", "other"), [("weighed 81 kilos", "weighed 80 kilos"), ("was happy", "was not happy")])
def test_what_differs_in_a_number_or_a_denial_is_no_copy(one: str, other: str) -> None:
    """However much else the two share, both are found."""
    case = {
        "input": {"facts": [f"{WEIGHED}{one}.", f"{WEIGHED}{other}."], "query": "What about the brass scale?"},
        "expected": {"each_query_returns": 2},
    }
    assert retrieve.run(case) == (True, "")


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("fact", "query"),
    [
        ("ユーザーは東京タワーの近くに住んでいます", "東京タワー"),
        ("昨日は地震がありました", "地震の話"),
        ("แผ่นดินไหวเมื่อคืนนี้แรงมาก", "แผ่นดินไหว"),
        ("사용자는 고양이를 키웁니다", "고양이"),
        ("Пользователь живёт в Твери", "твери"),
        ("Η χρήστρια μένει στην Αθήνα", "αθηνα"),
        ("المستخدم يحبّ القهوة", "القهوة"),
        ("The user saw İzmir.", "izmir"),
        ("The user codes in C++.", "Do I still code in C++?"),
        ("The user lives in flat B.", "flat B"),
        ("The user's friend is Ai.", "How is Ai doing?"),
        ("The user's brother is Will.", "And how is Will?"),
        ("The user rows with Don.", "what did Don say"),
        ("The user met O'Brien.", "o’brien"),
        ("The user's e-mail is m@x.example.", "m@x.example"),
        ("The user's doctor is Dr. Nguyễn.", "nguyen"),
        ("The user eats œufs.", "oeufs"),
    ],
)
def test_names_of_any_script_and_length_meet(fact: str, query: str) -> None:
    """With accents or without, in scripts without spaces, of two letters, with signs."""
    case = {
        "input": {"facts": [fact, "The user plays chess."], "query": query, "mode": "shared words and FTS"},
        "expected": {"each_query_returns": 1},
    }
    assert retrieve.run(case) == (True, "")


@pytest.mark.req("R2")
@pytest.mark.parametrize("query", ["hi", "zzyzx quaternion", "What is 7 times 8?", "Am I allergic to penicillin?"])
def test_with_meaning_only_what_is_near_enough_is_kept(query: str) -> None:
    """With the real embedding model: the nearest of what has nothing to do with it is no memory."""
    expected = {"returned_has": ["penicillin"]} if "penicillin" in query else {"returned": []}
    case = {"input": {"facts": list(PETS), "query": query, "mode": "shared words and embedding"}, "expected": expected}
    assert retrieve.run(case) == (True, "")


@pytest.mark.req("R2")
@pytest.mark.parametrize("length", [300, 1400, 6000, 30_000])
@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, '{"error":"the input length exceeds the context length"}'),
        (413, "<html>too large</html>"),
        (500, '{"error":"input is too large to process. increase the physical batch size"}'),
        (422, '{"detail":"unprocessable"}'),
    ],
)
def test_a_text_that_no_embedder_takes_is_found_by_words(length: int, status: int, body: str) -> None:
    """It is asked for a few times, kept without a vector, and found."""
    case = {
        "input": {"fact": f"a passage of {length} characters", "embedder_reply": {"status": status, "body": body}},
        "expected": {"stored": True, "embedding": None, "found_by_shared_words": True, "embed_attempts_max": 5},
    }
    assert retrieve.run(case) == (True, "")


@pytest.mark.req("R2", "X3")
@pytest.mark.parametrize(
    "answer",
    [
        {"status": 500, "body": ""},
        {"status": 503, "body": "busy"},
        {"status": 404, "body": '{"error": "model not found"}'},
        {"status": 200, "body": '{"data": []}'},
        {"status": 200, "body": '{"data": [{"index": 0, "embedding": null}]}'},
        {"status": 200, "body": '{"data": [{"index": 0, "embedding": [NaN, 1]}]}'},
        {"status": 200, "body": '{"data": [{"index": 0, "embedding": [0, 0, 0]}]}'},
        {"status": 200, "body": "[]"},
        {"status": 200, "body": "<html>hello</html>"},
        {"status": 200, "body": ""},
    ],
)
def test_an_embedder_that_fails_leaves_words_that_find(answer: dict[str, Any]) -> None:
    """Refused, empty, too few, no numbers, no JSON: nothing is raised, nothing is lost, and the memory is found."""
    case = {
        "input": {"facts": list(PETS), "embedder_reply": answer, "query": "Where did Maud move?"},
        "expected": {"raises": False, "stored": True, "embedding": None, "returned_has": ["Tartu"], "not_returned": ["cello"]},
    }
    assert retrieve.run(case) == (True, "")


@pytest.mark.req("B3", "B6")
@pytest.mark.parametrize("history", ["300 messages of 90 characters", "6 messages of 4000 characters"])
def test_a_long_talk_never_crowds_out_what_is_asked(history: str) -> None:
    """The newest message is whole, memory keeps to its limit, and the reply has its room."""
    case = {
        "input": {
            "context_tokens": 2048, "app_system": "Be kind.", "facts": "100 facts of 80 characters", "history": history,
            "user": "What is my dog called?", "facts_include": "The user's dog is called Biscuit.",
        },
        "expected": {
            "estimated_tokens_total_max": 1536, "memory_tokens_max": 512, "user_message_whole": True,
            "forwarded_system_has": ["Be kind.", "Biscuit"],
        },
    }  # fmt: skip
    assert context.run(case) == (True, "")


@pytest.mark.req("B3", "B2", "B6")
@pytest.mark.parametrize("window", [1024, 2048, 4096])
@pytest.mark.parametrize("facts", ["0 facts of 1 characters", "60 facts of 90 characters", "400 facts of 280 characters"])
@pytest.mark.parametrize("question", ["What is my dog called?", "Dog? " * 40, "我的狗叫什么名字？ dog"])
def test_a_small_window_holds_the_message_and_the_fact_that_answers(window: int, facts: str, question: str) -> None:
    """Whatever else is remembered, the oldest fact is in the prompt when it is asked for, and the reply has its room."""
    told = "The user's dog is called Biscuit." if "called" in question else "A dog: Biscuit is the user's dog."
    case = {
        "input": {
            "context_tokens": window, "app_system": "Be kind. Answer in Dutch.", "facts": facts, "user": question,
            "facts_include": told,
        },
        "expected": {
            "estimated_tokens_total_max": window * 3 // 4,
            "forwarded_system_has": ["Be kind. Answer in Dutch.", "Biscuit"],
            "user_message_has": [question.strip()[-8:]],
        },
    }  # fmt: skip
    assert context.run(case) == (True, "")


@pytest.mark.req("B6", "X3")
@pytest.mark.parametrize(
    "body",
    [
        '{"error":{"message":"This model\'s maximum context length is 4096 tokens","code":"context_length_exceeded"}}',
        '{"error":{"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}',
        '{"detail":"prompt is too long"}',
        "prompt too long; exceeded max context length",
    ],
)
def test_a_prompt_that_is_refused_as_too_long_is_sent_once_more_and_smaller(body: str) -> None:
    """However the server says it; twice refused, the person is told."""
    refused = {"status": 400, "body": body}
    wanted = {"tries": 2, "second_try": "smaller, client messages untouched"}
    answered = {
        "input": {"upstream_replies": [refused, {"status": 200, "text": "Hello"}]},
        "expected": {**wanted, "client_gets_text": "Hello"},
    }
    assert context.run(answered) == (True, "")
    twice = {"input": {"upstream_replies": [refused, refused]}, "expected": {**wanted, "client_gets_error": True}}
    assert context.run(twice) == (True, "")


@pytest.mark.req("E12")
@pytest.mark.parametrize(
    ("content", "facts"),
    [
        ('{"add": ["The user likes figs."], "rewrite": [{"id": 1, "te', ["The user likes figs."]),
        ('```json\n{"add": ["The user likes figs.", "The user li', ["The user likes figs."]),
        ('{"add": ["The user lik', []),
        ("<think>The user likes figs, so I should", []),
        ("", []),
    ],
)
def test_an_answer_cut_off_gives_what_is_whole_in_it(content: str, facts: list[str]) -> None:
    """And is not asked for again and again."""
    case = {
        "input": {
            "hidden_call_reply": {"content": content, "finish_reason": "length"},
            "turn": {"user": "I like figs.", "assistant": "Yum."},
        },
        "expected": {"facts_after": facts, "hidden_calls_max": 2},
    }
    assert context.run(case) == (True, "")


@pytest.mark.req("B6")
def test_tokens_are_not_counted_by_letters() -> None:
    """Digits, signs, emoji and scripts without spaces are many tokens; English is few."""
    texts = ["9 repeated 1000 times", "地震がありました repeated 100 times", "🙂 repeated 500 times", "{}[]; repeated 200 times",
             "plain English words of 4000 characters", "Привет repeated 200 times"]  # fmt: skip
    case = {
        "input": {"texts": texts},
        "expected": {"estimate_min": [500, 720, 500, 500, 800, 300], "estimate_max": [2000, 1600, 2000, 2000, 2000, 1200]},
    }
    assert context.run(case) == (True, "")
