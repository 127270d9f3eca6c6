"""A list of things people say, with facts a model may make of them: what is learned, and what is not.

`sayings.tsv` holds, a line each: yes or no, what was said, the proposed fact. The rules were fitted to it: it keeps what they
know, and says nothing of what they would do elsewhere.
"""

import csv
import pathlib

import pytest

from ricordo.learn.proposals import Save
from ricordo.learn.reconcile import Rules, reconcile
from tests.learn.talk import HOME, NOW, turn

LIST = pathlib.Path(__file__).with_name("sayings.tsv")
with LIST.open(encoding="utf-8", newline="") as file:
    SAYINGS = [tuple(row) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)][1:]


@pytest.mark.req("E1", "E5", "E6", "E15")
@pytest.mark.parametrize(("learned", "said", "text"), SAYINGS)
def test_what_is_learned_from_what_people_say(learned: str, said: str, text: str) -> None:
    """Quoting the whole message, as a model does that is sure of itself."""
    said = said.replace("\\n", "\n")
    outcome = reconcile([Save(text, said)], [turn(said)], [], HOME, NOW, Rules(lambda _: None, lambda _, known: None))
    assert bool(outcome.changes) == (learned == "yes"), [refusal.reason for refusal in outcome.refused]
