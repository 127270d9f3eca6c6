"""Sentence by sentence: rules come before the model, its yes or no is read as a probability, each quote is what was said."""

import asyncio
import json
import pathlib
import re

import pytest

from ricordo.conversation import Message, Moment, Role, Status, Turn
from ricordo.fact import Fact, Global, Origin
from ricordo.learn import questions, sentences
from ricordo.learn.extractor import Unread
from ricordo.learn.proposals import Proposal, Remove, Rewrite, Save
from ricordo.models.openai_api import OpenAIModel
from tests.fake_server import Asked, FakeServer
from tests.learn.chances import question, rule

NOON = Moment(1_780_000_000_000_000, 0)
HOME = "The user lives in Bergen."


def turn(said: str) -> Turn:
    """A turn in which the person said something."""
    return Turn(Message(7, 1, None, Role.USER, said, NOON, Status.COMPLETE), None)


def read(
    said: str,
    known: tuple[str, ...] = (),
    *,
    lasting: dict[str, float] | None = None,
    restated: dict[str, str] | None = None,
    outdated: dict[str, str] | None = None,
    sure: float = 0.9,
) -> tuple[tuple[Proposal, ...] | Unread, list[Asked]]:
    """Read a turn over real HTTP; return what is proposed and what was asked."""
    facts = [Fact(at, text, Origin.MODEL, Global(), False, False, NOON, NOON) for at, text in enumerate(known, 1)]
    with FakeServer() as server:
        server.on(lambda asked: rule(asked, lasting or {}, restated or {}, outdated or {}, sure))

        async def ask() -> tuple[Proposal, ...] | Unread:
            model = OpenAIModel(server.url, "fake")
            try:
                return await sentences.propose(model, (turn(said),), facts, 5.0)
            finally:
                await model.aclose()

        return asyncio.run(ask()), server.chats()


@pytest.mark.req("E18", "E15")
def test_a_lasting_sentence_is_proposed_with_itself_as_the_quote() -> None:
    """Put into the third person by a call of its own; what is not lasting stays out."""
    proposals, asked = read(
        "I work as a midwife. My desk stands by the window.",
        lasting={"midwife": 0.9, "desk": 0.3},
        restated={"midwife": "The user works as a midwife."},
    )
    assert proposals == (Save("The user works as a midwife.", "I work as a midwife."),)
    assert len(asked) == 4  # two sentences, one rewriting, one look at what came of it


@pytest.mark.req("E18", "E1")
def test_what_turns_out_to_be_an_event_is_not_kept() -> None:
    """A sentence that sounded lasting is looked at once more in the third person."""
    proposals, _ = read(
        "My shop is full of kites.",
        lasting={"The user has a shop": 0.4, "kites": 0.9},
        restated={"kites": "The user has a shop full of kites."},
    )
    assert proposals == ()


@pytest.mark.req("E18", "E1")
def test_of_a_long_entry_only_what_is_surer_is_kept() -> None:
    """The more is told, the more gets through by chance."""
    entry = " ".join(f"My {thing} is older than my brother." for thing in "desk bed lamp chair shelf table".split())
    asked_about = {"The user is a nurse": 0.75, "nurse": 0.9}
    restated = {"nurse": "The user is a nurse."}
    assert read("I am a nurse by trade.", lasting=asked_about, restated=restated)[0]
    assert not read(f"{entry} I am a nurse by trade.", lasting=asked_about, restated=restated)[0]


@pytest.mark.req("E18", "E6", "E8", "E17")
@pytest.mark.parametrize(
    "said",
    [
        "What is the tallest tree there is?",
        "Write me a poem about the sea.",
        "Thanks, great.",
        "My wifi password is hunter2pony77.",
        "Don't remember this: I was fired from the shipyard.",
        "The hero of the novel is a baker in a small town.",
        "> I am a dentist and I live in Rome",
        "If I were rich I would live on an island.",
        "",
    ],
)
def test_what_a_rule_can_tell_is_not_asked(said: str) -> None:
    """Questions, tasks, short ones, secrets, stories, quoted lines, what is only supposed or not to be remembered."""
    proposals, asked = read(said, lasting={"": 0.99}, restated={"": "The user is rich."})
    assert (proposals, asked) == ((), [])


@pytest.mark.req("E18", "E9")
def test_a_new_home_takes_the_place_of_the_old_one() -> None:
    """It is held against known facts in the same place, though they share no word, and not against all."""
    proposals, asked = read(
        "We moved to Turku in August!",
        (HOME, "The user plays the trumpet."),
        lasting={"Turku": 0.9},
        restated={"Turku": "The user moved to Turku in August."},
        outdated={"Turku": "Bergen"},
    )
    assert proposals == (Rewrite(1, "The user moved to Turku in August.", "We moved to Turku in August!"),)
    assert not any("trumpet" in question(each) for each in asked)


@pytest.mark.req("E18", "E9")
def test_what_only_ends_a_fact_removes_it() -> None:
    """Whether or not the sentence is worth keeping by itself."""
    for chance in (0.9, 0.2):
        proposals, _ = read(
            "I sold the motorbike.",
            ("The user plays chess.", "The user has a motorbike."),
            lasting={"sold": chance},
            restated={"sold": "The user sold the motorbike."},
            outdated={"sold": "motorbike"},
        )
        assert proposals == (Remove(2, "I sold the motorbike."),), chance


@pytest.mark.req("E18", "E9", "E15")
def test_a_half_sure_model_is_believed_where_the_person_says_that_it_is_over() -> None:
    """ "I sold it" and a hesitant yes end a fact; a hesitant yes alone ends none."""
    sold, _ = read("I sold the motorbike.", ("The user has a motorbike.",), outdated={"sold": "motorbike"}, sure=0.4)
    assert sold == (Remove(1, "I sold the motorbike."),)
    moved, _ = read(
        "We moved to Turku in August!",
        (HOME,),
        lasting={"Turku": 0.9},
        restated={"Turku": "The user moved to Turku in August."},
        outdated={"Turku": "Bergen"},
        sure=0.4,
    )
    assert moved == (Save("The user moved to Turku in August.", "We moved to Turku in August!"),)


@pytest.mark.req("E18", "E9", "E17")
def test_forget_needs_no_model() -> None:
    """What the person asks to forget is removed by a plain rule, and only that."""
    proposals, asked = read("Please forget about my boat.", (HOME, "The user has a boat."))
    assert (proposals, asked) == ((Remove(2, "Please forget about my boat."),), [])


@pytest.mark.req("E18", "E13")
@pytest.mark.parametrize(
    ("said", "text", "kept"),
    [
        ("My sister Inga has two sons", "The user's sister Inga has two sons.", True),
        ("My sister Inga has two sons", "The user's sister has two sons.", False),
        ("We have 14 hens", "The user has hens.", False),
        ("We have hens", "The user has 14 hens.", False),
        ("I don't eat meat", "The user eats meat.", False),
        ("I don't eat meat", "The user does not eat meat.", True),
        ("I grew up in Tromsø", "The user grew up in Tromsø.", True),
        ("I grew up in Tromsø", "The user", False),
        ("I visit her every Saturday", "The user visits her every Saturday.", False),
        ("She lives in Rome", "She lives in Rome.", False),
        ("my aunt is ill and I visit her", "The user's aunt is ill and the user visits her.", True),
        ("I like my garden", "The user likes her garden.", True),
    ],
)
def test_names_numbers_denials_and_persons_survive_the_third_person(said: str, text: str, kept: bool) -> None:
    """Else the sentence is dropped: what the model made of it says something else."""
    assert sentences.faithful(said, text) is kept


@pytest.mark.req("E18", "E12")
def test_a_server_without_probabilities_is_no_silent_nothing() -> None:
    """It counts as not read, so that the turn is tried again."""
    with FakeServer(refuses=("logprobs",)) as server:

        async def ask() -> object:
            model = OpenAIModel(server.url, "fake")
            try:
                return await sentences.propose(model, (turn("I work as a midwife."),), (), 5.0)
            finally:
                await model.aclose()

        assert isinstance(asyncio.run(ask()), Unread)


@pytest.mark.req("E18", "B7")
def test_all_questions_of_a_kind_share_all_but_the_sentence() -> None:
    """So that a server's cache holds the rest; a question costs one token of answer."""
    _, asked = read("I keep hens. I play the oboe. My brother is a tailor.", lasting={"hens": 0.9}, restated={})
    gate = [each for each in asked if each.body["max_tokens"] == 1]
    assert len(gate) == 3
    assert len({json.dumps(each.messages[:-1]) for each in gate}) == 1
    assert [question(each) for each in gate] == ["I keep hens.", "I play the oboe.", "My brother is a tailor."]


@pytest.mark.req("E18")
def test_examples_hold_nothing_that_could_leak() -> None:
    """No number, and no capital but at a beginning or of the word I: a small model copies names and dates it has just read."""
    elsewhere = questions.RESTATE_ELSEWHERE.values()
    for shots in (questions.LASTING_SHOTS, questions.RESTATE_SHOTS, questions.OUTDATED_SHOTS, *elsewhere):
        for each in (text for shot in shots for text in shot):
            assert not re.search(r"\d", each)
            inside = re.sub(r"(?:^|[.:?]\s+|\n)\W*\w+", " ", each)
            assert set(re.findall(r"\b[A-ZÀ-Þ]\w*", inside)) <= {"I", "Rad", "Nutzer", "Nutzers", "Sohn", "Asthma", "Meer"}, each


@pytest.mark.req("E18", "E13")
@pytest.mark.parametrize(
    ("said", "subject"),
    [
        ("Ich arbeite als Gärtnerin in einem Stadtpark.", "Der Nutzer"),
        ("Ho due figlie e viviamo a Trieste.", "L'utente"),
        ("Je suis infirmière et j'ai un fils.", "L'utilisateur"),
        ("Soy alérgica a los mariscos.", "El usuario"),
        ("我在北京当老师", "用户"),
        ("I work as a gardener in a park.", "The user"),
    ],
)
def test_a_sentence_is_restated_after_examples_in_its_language(said: str, subject: str) -> None:
    """The last one that is shown decides which language a small model answers in."""
    _, asked = read(said, lasting={"": 0.9})
    restating = [each for each in asked if each.body["max_tokens"] != 1]
    assert restating
    assert all(subject in each.messages[2]["content"] or subject in each.messages[4]["content"] for each in restating)


@pytest.mark.req("E18", "R8")
def test_a_long_entry_costs_a_bounded_number_of_questions() -> None:
    """What speaks of the person is asked first, in order."""
    long = " ".join(f"Herring number {n} swam past the boat." for n in range(60)) + " I keep bees in the garden."
    asked = sentences.worth_asking((turn(long),))
    assert len(asked) == sentences._MOST_ASKED
    assert asked[-1].text == "I keep bees in the garden."


@pytest.mark.req("E18")
def test_the_scripted_turns_are_as_the_benchmark_says() -> None:
    """Sixty and more, half of them not used for tuning, of every kind."""
    root = pathlib.Path(__file__).parents[2] / "benchmarks" / "learning_turns.jsonl"
    turns = [json.loads(line) for line in root.read_text("utf-8").splitlines()]
    assert len(turns) >= 60
    for half in ("tuned", "unseen"):
        of_half = [each for each in turns if each["half"] == half]
        assert len(of_half) == len(turns) // 2
        assert {each["kind"] for each in of_half} >= {
            "fact",
            "long",
            "task",
            "secret",
            "change",
            "forget",
            "mood",
            "event",
            "nothing",
        }
