"""The lines of a summary: read out of what models send, and held against what was said."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.conversation import Message, Role, Status
from ricordo.learn.summarizer import Kept, Written, said_by_both, summary_from
from ricordo.models.tokens import TokenCounter
from tests.learn.talk import NOW

count = TokenCounter().count


def talk(*texts: str) -> list[Message]:
    """What was said in turn, the person first."""
    return [
        Message(key, 1, key - 1 or None, Role.USER if key % 2 else Role.MODEL, text, NOW, Status.COMPLETE)
        for key, text in enumerate(texts, start=1)
    ]


SAID = talk(
    "I sleep badly since I moved to Ghent, and I do not drink coffee after lunch.",
    "You could give up coffee and move to the coast near Ostend. Or see Doctor Maes.",
    "My sister Ilse Claes pays 450 euros for her flat.",
    "That is not much. You could rent the room above hers.",
    "Yes, let us do that, I will take the room.",
    "Good. Which plants will you put there?",
    "Ferns. And I do not want to give up coffee.",
    "Ferns are fine.",
)
SURE = "The user sleeps badly since moving to Ghent."


def kept(lines: list[str], field: str = "facts", old: str = "", said: list[Message] = SAID) -> list[str]:
    """The lines that are kept beside one that is sure to hold."""
    outcome = summary_from(json.dumps({"current_state": [SURE], field: lines}), old, said)
    assert isinstance(outcome, Written), outcome
    return [line[2:] for line in outcome.text.splitlines() if line.startswith("- ") and line[2:] != SURE]


@pytest.mark.req("N1")
@pytest.mark.parametrize(
    "line",
    [
        "The user does not drink coffee after lunch.",
        "Ilse Claes, the user's sister, pays 450 euros for her flat.",
        "The user sleeps badly, but does not drink coffee after lunch.",
        "The user will put ferns there, as plants.",
        "The companion advised to move to the coast near Ostend.",
        "The user will take the room above the sister's flat.",
    ],
)
def test_what_was_said_is_kept(line: str) -> None:
    """In other words too, with its names, numbers and denials; advice as advice, and as a decision where it was taken."""
    assert kept([line]) == [line]


@pytest.mark.req("N1", "E8")
@pytest.mark.parametrize(
    "line",
    [
        "The user moved to Antwerp.",
        "Pieter sleeps badly since he moved to Ghent.",
        "Ilse Peeters pays 450 euros for her flat.",
        "Ilse Claes pays 540 euros for her flat.",
        "The user drinks coffee after lunch.",
        "The user's sister does not pay 450 euros for her flat.",
        "The user plans to give up coffee and move to the coast.",
        "The user gives up coffee.",
        "The user is a keen gardener with three greenhouses.",
        "The user's wifi password is hunter2pony77.",
        "The user sleeps badly, " + "very badly, " * 40,
        "No prior history.",
        "None.",
    ],
)
def test_what_was_not_said_is_left_out(line: str) -> None:
    """Another name or number, the opposite, advice as the person's plan, inventions, secrets, overlong and empty lines."""
    assert kept([line]) == []


@pytest.mark.req("N1")
def test_an_old_line_is_carried_on() -> None:
    """The old summary is a source like what was said, in any language."""
    old = "Facts\n- Der Nutzer hat in Köln drei Wohnungen gekauft.\n- 我在京都学习书法。"
    lines = ["Der Nutzer hat in Köln drei Wohnungen gekauft.", "我在京都学习书法。"]
    assert kept(lines, old=old) == lines


@pytest.mark.req("N1")
def test_what_was_taken_back_is_not_carried_on() -> None:
    """Even where the model does: what the person said since counts more than the old summary."""
    old = ["The user drinks coffee after lunch.", "The user has a cat."]
    assert kept(old, old="\n- ".join(["Facts", *old])) == ["The user has a cat."]


@pytest.mark.req("N1", "E12")
@pytest.mark.parametrize(
    "answer",
    [
        f"Here you are:\n```json\n{json.dumps({'Open Threads': ['- ' + SURE], 'facts': 'None'})}\n```",
        f"## Decisions\nNone.\n\n## Open threads:\n* {SURE}\n* {SURE}\n\n**Current state**\nNothing new.",
        f"Minutes [of today]:\n\n## Open threads\n1. {SURE}\n",
        f"<think>Hm.</think>{json.dumps([{'open_threads': [{'text': SURE}]}])}",
    ],
)
def test_answers_of_another_shape_are_read(answer: str) -> None:
    """Fences, other spellings of the fields, headings in place of JSON; each line once."""
    assert summary_from(answer, "", SAID) == Written(f"Open threads\n- {SURE}")


@pytest.mark.req("N1")
def test_a_summary_that_lost_nearly_all_is_not_taken() -> None:
    """A small model forgets to carry on what it was given."""
    old = "Facts\n" + "\n".join(f"- The user sleeps badly in room {n} of the house in Ghent." for n in range(20))
    assert isinstance(summary_from(json.dumps({"facts": [SURE]}), old, SAID), Kept)


@pytest.mark.req("N1")
def test_what_is_shown_is_bounded() -> None:
    """The newest turns that fit, oldest first; at least the newest message."""
    long = talk(*(f"{n} " + "and on and on " * 60 for n in range(40)))
    fit = said_by_both(long, 1_500, count)
    assert fit == tuple(long[-len(fit) :])
    assert 2 <= len(fit) < 20
    assert said_by_both(long, 1, count) == (long[-1],)


@pytest.mark.req("N1")
def test_a_summary_stays_short() -> None:
    """Eight lines a heading, and not more of all than the next call is shown."""
    lines = [f"The user sleeps badly in Ghent {'and so on ' * 15}{'so ' * n}." for n in range(28)]
    outcome = summary_from(json.dumps({"decisions": lines[:10], "facts": lines[10:], "open_threads": lines[20:]}), "", SAID)
    assert isinstance(outcome, Written)
    assert outcome.text.partition("\n\n")[0].count("\n- ") == 8
    assert len(outcome.text) < 4_000


@given(st.text(max_size=300), st.text(max_size=100))
def test_whatever_comes_back_is_read(answer: str, said: str) -> None:
    """Any answer ends as a summary or a reason; the same one twice ends the same."""
    outcome = summary_from(answer, "", talk(said))
    assert outcome == summary_from(answer, "", talk(said))
    assert isinstance(outcome, Written | Kept)


@given(st.lists(st.text(max_size=60), max_size=6))
def test_no_line_holds_a_number_that_nobody_said(lines: list[str]) -> None:
    """Law: every digit of what is kept stands in its sources."""
    outcome = summary_from(json.dumps({"facts": [SURE, *lines]}), "", SAID)
    assert isinstance(outcome, Written)
    assert {char for char in outcome.text if char.isdigit()} <= set("450")
