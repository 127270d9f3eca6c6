"""What a model takes for out of date stays unless the person said so: wrong changes cost more than missed ones."""

import pytest

from ricordo.change import Removed, Updated
from ricordo.learn.duplicates import duplicate_of
from ricordo.learn.own_words import clauses
from ricordo.learn.proposals import Proposal
from ricordo.learn.reconcile import Rules, reconcile
from ricordo.learn.secrets import secret_in
from ricordo.learn.sentences import forgotten, settled
from tests.learn.talk import HOME, NOW, fact, turn

# Said, as it was put into the third person, known before.
STANDS = [
    (
        "My sister sold her car, so now I drive her everywhere.",
        "The user's sister sold her car.",
        ("The user has a car.", "The user has a sister."),
    ),
    ("I used to hate olives when I was small, funny.", "The user used to hate olives.", ("The user loves olives.",)),
    ("I never sold the boat, in the end we kept it.", "The user never sold the boat.", ("The user has a boat.",)),
    (
        "My brother moved to Oslo last month.",
        "The user's brother moved to Oslo.",
        ("The user lives in Bergen.", "The user has a brother."),
    ),
    (
        "I started a second job at a bar on weekends.",
        "The user started a second job at a bar.",
        ("The user works as a teacher.",),
    ),
    ("I also play the cello now.", "The user also plays the cello.", ("The user plays the trumpet.",)),
    (
        "My ex moved out of the flat above the bakery.",
        "The user's ex moved out of the flat.",
        ("The user lives above a bakery.",),
    ),
    ("We got a second cat, Mimi.", "The user got a second cat, Mimi.", ("The user has a cat named Pixel.",)),
    (
        "I can't stand it any more when the trumpet of the neighbour starts at seven.",
        "The user cannot stand the neighbour's trumpet.",
        ("The user plays the trumpet.",),
    ),
    ("I gave up on my son's maths homework.", "The user gave up on their son's maths homework.", ("The user has a son.",)),
    ("I changed the strings of my violin.", "The user changed the strings of their violin.", ("The user plays the violin.",)),
    (
        "My colleague got divorced and now lives in Graz.",
        "The user's colleague got divorced.",
        ("The user is married.", "The user lives in Linz."),
    ),
    ("I turned down the job in Berlin.", "The user turned down the job in Berlin.", ("The user works at a bank.",)),
    (
        "My daughter is no longer vegetarian.",
        "The user's daughter is no longer vegetarian.",
        ("The user is vegetarian.", "The user has a daughter."),
    ),
    ("I lost my keys again.", "The user lost their keys.", ("The user keeps spare keys with the neighbour.",)),
    (
        "I've stopped the washing machine twice today.",
        "The user stopped the washing machine.",
        ("The user has a washing machine.",),
    ),
    (
        "My favourite colour used to be green, and it still is.",
        "The user's favourite colour is green.",
        ("The user's favourite colour is green.",),
    ),
    ("My wife is now a vegan.", "The user's wife is a vegan.", ("The user is a vegan.", "The user's wife is called Ada.")),
    (
        "I moved my piano to the living room.",
        "The user moved the piano to the living room.",
        ("The user lives in Ghent.", "The user plays the piano."),
    ),
    ("I moved the meeting to Lisbon.", "The user moved the meeting to Lisbon.", ("The user lives in Ghent.",)),
    ("My boss left the company.", "The user's boss left the company.", ("The user works at a small company.",)),
    ("I left my umbrella at the office.", "The user left their umbrella at the office.", ("The user works in an office.",)),
    ("We have a new dog next door that barks all day.", "There is a new dog next door.", ("The user has a dog.",)),
]
# Said, as it was put into the third person, what it makes out of date.
GOES = [
    ("I quit the choir but I still sing in the shower.", "The user quit the choir.", "The user sings in a choir."),
    (
        "I sold my old bike and bought a better one.",
        "The user sold their old bike and bought a better one.",
        "The user has a bike.",
    ),
    ("I have three sisters in fact, one lives in Rome.", "The user has three sisters.", "The user has two sisters."),
    ("I turned forty in May.", "The user turned forty in May.", "The user is 39 years old."),
]
STAYS_KNOWN = [
    ("Forget it, let's talk about the garden.", "The user has a garden."),
    ("I forgot my sister's birthday, can you believe it?", "The user has a sister."),
    ("Please don't forget my peanut allergy when you suggest recipes.", "The user has a peanut allergy."),
    ("Forget the recipe from before, give me one with beans.", "The user likes beans."),
    ("Delete the last paragraph about my dog.", "The user has a dog."),
    ("Remove the onions, I hate them.", "The user hates onions."),
    ("Drop the formal tone and mention my daughter Lia.", "The user has a daughter Lia."),
    ("Forget about Friday, Thursday works better for the dentist.", "The user has a dentist called Dr Moor."),
    ("Let's forget the diet for one evening, what cake goes with coffee?", "The user is on a diet."),
    ("Never mind the cat, what about dogs?", "The user has a cat."),
    ("Cancella l'ultima frase sul mio cane.", "The user has a dog."),
    ("Lösch bitte den zweiten Satz über meine Schwester.", "Der Nutzer hat eine Schwester."),
    ("Forget the second sentence, the one with my boss.", "The user's boss is strict."),
    ("Remove the word trumpet from my CV.", "The user plays the trumpet."),
    ("Delete my name from the letter.", "The user's name is Ada."),
    ("Drop the part about living in Ghent from the bio.", "The user lives in Ghent."),
]
FORGOTTEN = [
    ("Can you forget that I was ever in therapy?", "The user was in therapy."),
    ("Forget what I told you about my knee, it's fine.", "The user has a bad knee."),
    ("Erase my address please.", "The user's address is Elm Street 4."),
    ("Stop remembering things about my mother.", "The user's mother lives in Kassel."),
]


def changed(said: str, known: tuple[str, ...], proposals: list[Proposal]) -> set[str]:
    """Return the known facts that proposals change or remove once code has looked at them."""
    facts = [fact(at, text) for at, text in enumerate(known, 1)]
    rules = Rules(secret_in, lambda text, others: found.index if (found := duplicate_of(text, others)) else None)
    outcome = reconcile(proposals, [turn(said)], facts, HOME, NOW, rules)
    edits = [accepted.edit for accepted in outcome.changes]
    return {edit.before.text for edit in edits if isinstance(edit, Updated | Removed)}


def settle(said: str, text: str, known: tuple[str, ...], gone: list[int]) -> list[Proposal]:
    facts = [fact(at, each) for at, each in enumerate(known, 1)]
    return [*settled(text, clauses(turn(said))[0], gone, facts, [turn(said)], lasting=True)]


@pytest.mark.req("E9", "E15")
@pytest.mark.parametrize(("said", "text", "known"), STANDS)
def test_what_the_person_did_not_end_stays(said: str, text: str, known: tuple[str, ...]) -> None:
    """Whichever of the known facts a model thinks out of date, none is changed."""
    for gone in ([1], [2], [1, 2]):
        if max(gone) <= len(known):
            assert not changed(said, known, settle(said, text, known, gone))


@pytest.mark.req("E9")
@pytest.mark.parametrize(("said", "text", "known"), GOES)
def test_what_the_person_ended_goes(said: str, text: str, known: str) -> None:
    """By their own words, or by being something of which one has but one."""
    assert changed(said, (known,), settle(said, text, (known,), [1])) == {known}


@pytest.mark.req("E15", "E17")
@pytest.mark.parametrize(("said", "known"), STAYS_KNOWN)
def test_never_mind_and_edits_of_texts_forget_nothing(said: str, known: str) -> None:
    """A dish without onions, a letter without a name and a diet off for an evening leave what is known."""
    assert not changed(said, (known,), [*forgotten([turn(said)], [fact(1, known)])])


@pytest.mark.req("E17")
@pytest.mark.parametrize(("said", "known"), FORGOTTEN)
def test_what_is_to_be_forgotten_is(said: str, known: str) -> None:
    """Filling words of the command ("that thing about …") are no part of what it names."""
    assert changed(said, (known,), [*forgotten([turn(said)], [fact(1, known)])]) == {known}
