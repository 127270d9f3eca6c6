"""The laws of duplicates: whatever the names, numbers, days and words, no other fact is ever taken for a copy."""

from dataclasses import dataclass, replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.learn.duplicates import same_fact
from tests.learn.fact_pairs import pairs

PAIRS = pairs()


def same(one: str, other: str) -> bool:
    """What the words alone say."""
    return same_fact(one, other).same


# Facts with places for two things; no pair of fillings may ever be taken for the pair the other way round.
_SWAPPED = (
    "The user prefers {} over {}.",
    "The user prefers {} to {}.",
    "The user likes {} more than {}.",
    "The user moved from {} to {}.",
    "The user lives in {} and works in {}.",
    "{} is older than {}.",
    "{} is {}'s sister.",
    "{} taught {} to swim.",
    "{} was hired by {}.",
    "The user introduced {} to {}.",
    "The user's mother is {} and the user's aunt is {}.",
    "The user likes {}, but not {}.",
    "The user met {} before {}.",
    "The user replaced {} with {}.",
    "Der Nutzer mag {} lieber als {}.",
    "L'utente preferisce {} a {}.",
    "El usuario prefiere {} a {}.",
    "L'utilisateur préfère {} à {}.",
)
_NEGATED = (
    ("The user {} {}.", "The user doesn't {} {}."),
    ("The user {} {}.", "The user does not {} {}."),
    ("The user {} {}.", "The user never {} {}."),
    ("The user {} {}.", "The user no longer {} {}."),
    ("The user {} {}.", "The user doesn't {} {} anymore."),
    ("The user can {} {}.", "The user can't {} {}."),
    ("The user will {} {}.", "The user won't {} {}."),
    ("The user wants to {} {}.", "The user doesn't want to {} {}."),
    ("I {} {}.", "I don't {} {}."),
)
_NUMBERED = (
    "The user has {} cats.",
    "The user's rent is {} euros a month.",
    "The user is {} years old.",
    "The user was born in {}.",
    "The user's flat is number {}.",
    "The user runs {} km every day.",
    "The user's train leaves at {}:15.",
    "The user owns a K{} board.",
    "The user takes {} mg of ramipril.",
    "Der Nutzer hat {} Katzen.",
    "用户有{}只猫。",
)
_parts = st.lists(st.sampled_from("ba de fi go lu ma ne pi ro su ta vo".split()), min_size=2, max_size=4).map("".join)
_names = _parts.map(str.capitalize)
_days = st.dates(date(1900, 1, 1), date(2100, 1, 1))
_verbs = st.sampled_from("eat drink like love read play watch cook teach need remember".split())


@pytest.mark.req("E7")
@given(st.sampled_from(_SWAPPED), _names, _names, st.none() | st.just(1.0))
def test_a_swapped_order_is_never_a_copy(template: str, one: str, other: str, similarity: float | None) -> None:
    """Two names change places: another fact, whatever an embedder says of it."""
    if one != other:
        assert not same_fact(template.format(one, other), template.format(other, one), similarity).same


@pytest.mark.req("E7")
@given(st.sampled_from(_NEGATED), _verbs, _parts, st.none() | st.just(1.0))
def test_a_negation_is_never_a_copy_of_its_positive(
    templates: tuple[str, str], verb: str, thing: str, similarity: float | None
) -> None:
    """However it is put, and however alike the two sound."""
    positive, negative = (template.format(verb, thing) for template in templates)
    assert not same_fact(positive, negative, similarity).same
    assert not same_fact(negative, positive, similarity).same


@pytest.mark.req("E7")
@given(st.sampled_from(_NUMBERED), st.integers(1, 9999), st.integers(1, 9999), st.none() | st.just(1.0))
def test_another_number_is_never_a_copy(template: str, one: int, other: int, similarity: float | None) -> None:
    """Amounts, years, times, codes: a digit makes another fact."""
    if one != other:
        assert not same_fact(template.format(one), template.format(other), similarity).same


@pytest.mark.req("E7")
@given(_days, _days)
def test_another_day_is_never_a_copy_and_the_same_day_is(one: date, other: date) -> None:
    """However the day is written."""
    first = f"The user married on {one:%d %B %Y}."
    assert same(first, f"The user married on {one:%B %d, %Y}.")
    assert same(first, f"The user married on {one:%Y-%m-%d}.")
    if one != other:
        assert not same(first, f"The user married on {other:%B %d, %Y}.")


@pytest.mark.req("E7")
@given(_names, _names)
def test_another_name_is_never_a_copy(one: str, other: str) -> None:
    """Names that are nearly alike, or the beginning of each other, are still two; first words too."""
    for template in ("The user's sister is {}.", "{} is the user's sister.", "The user lives in {}."):
        for changed in (other, one + "s", one + "e", one + "ne", one[:-1]):
            if changed != one:
                assert not same_fact(template.format(one), template.format(changed), 1.0).same


@dataclass(frozen=True, slots=True)
class Habit:
    """What a fact says, apart from how it is put."""

    who: str
    often: str
    does: bool
    verb: str
    what: tuple[str, ...]
    where: str
    day: str

    def told(self, style: int) -> str:
        """Put it in one of several ways."""
        who = self.who if style % 2 else self.who.replace("The user", "User")
        verb = self.verb + "s" if self.does else f"doesn't {self.verb}" if style % 2 else f"does not {self.verb}"
        things = " and ".join(self.what if style % 3 or self.who != "The user" else self.what[::-1])
        day = f"on {self.day}s" if style % 2 else f"every {self.day}"
        parts = [f"in {self.where}", day] if style % 5 else [day, f"in {self.where}"]
        often = f" {self.often}" if self.often else ""
        if style % 7 == 3 and self.who == "The user":
            return f"{parts[0].capitalize()}, the user{often} {verb} {things} {parts[1]}."
        return f"{who}{often} {verb} {things} {' '.join(parts)}."


_habits = st.builds(
    Habit,
    who=st.sampled_from(["The user", "The user's sister", "The user's brother", "Toma", "Toma's sister"]),
    often=st.sampled_from(["", "often", "rarely"]),
    does=st.booleans(),
    verb=st.sampled_from("cook eat sell read".split()),
    what=st.lists(st.sampled_from(["rice", "figs", "red rice", "red figs", "green figs"]), min_size=1, max_size=2, unique=True)
    .map(sorted)
    .map(tuple),
    where=st.sampled_from(["Rome", "Ghent", "the garden"]),
    day=st.sampled_from(["Monday", "Friday"]),
)


@pytest.mark.req("E7", "N2")
@given(_habits, _habits, st.integers(0, 209), st.integers(0, 209))
def test_what_is_said_decides_not_how(one: Habit, other: Habit, style: int, style2: int) -> None:
    """The same habit told in two ways is one fact; two habits are two, in whatever way they are told."""
    assert same(one.told(style), one.told(style2))
    if one != other:
        assert not same_fact(one.told(style), other.told(style2)).same


@pytest.mark.req("E7")
@given(_habits, st.sampled_from(["who", "often", "does", "verb", "what", "where", "day"]), _habits, st.integers(0, 209))
def test_one_thing_changed_is_another_fact(one: Habit, changed: str, other: Habit, style: int) -> None:
    """Whichever it is: who, how often, whether, what, where or when."""
    new = replace(one, **{changed: getattr(other, changed)})
    assert same(one.told(style), new.told(style + 1)) == (new == one)


@pytest.mark.req("E7")
@given(st.sampled_from([pair.one for pair in PAIRS]))
def test_case_spaces_and_the_last_stop_make_no_difference(fact: str) -> None:
    """The plainest copies are found whatever the fact."""
    assert same(fact, fact.rstrip(".。"))
    assert same(fact, f"  {fact.replace(' ', '  ')} ")
    if "user" in fact and " C." not in fact:
        assert same(fact, fact.replace("The user", "User").replace("the user", "THE USER"))


@given(st.text(max_size=400), st.text(max_size=400))
def test_any_text_is_read(one: str, other: str) -> None:
    """Nothing a model sends can break the comparison, and a text is never told apart from itself."""
    assert isinstance(same_fact(one, other, 0.5).same, bool)
    assert same(one, one) or "empty" in same_fact(one, one).reason
