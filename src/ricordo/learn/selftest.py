"""A short self-test of a model: by which way it learns better, whether it remembers and summarises at all (E18).

It runs once for each server and model, in the background, before the first learning with it; what came of it is kept in what
is known of that model. A server without probabilities leaves nothing to choose, and costs one question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from apsw import Connection

from ricordo.change import Removed, Saved, Updated
from ricordo.conversation import Message, Moment, Role, Status, Turn
from ricordo.errors import ModelError, ModelMissing, ModelUnreachable
from ricordo.fact import Fact, Global, Home, Origin
from ricordo.learn import questions
from ricordo.learn.duplicates import duplicate_of
from ricordo.learn.extractor import Unread
from ricordo.learn.proposals import Proposal, Remove, Rewrite, Save
from ricordo.learn.reconcile import Rules, reconcile
from ricordo.learn.secrets import secret_in
from ricordo.learn.summarizer import Written, summarise
from ricordo.learn.telling import heard, tokens
from ricordo.learn.ways import Way, propose
from ricordo.models.base import ChatModel
from ricordo.models.tokens import pieces
from ricordo.store import kept
from ricordo.store.connection import Database

VERSION = 1  # a newer test is run anew
_KEY = "learning"
_PASSED = 0.6  # of the cases: then it can be said to remember
_THEN = Moment(0, 0)
Trial = dict[Way, list[bool]]  # how the cases went that were tried
_TRIALS: WeakKeyDictionary[ChatModel, Trial] = WeakKeyDictionary()  # of models whose test was cancelled


@dataclass(frozen=True, slots=True)
class Skill:
    """What a model's self-test showed, for Settings and `doctor`: how it is asked, how many cases went right, and when.

    `right` is None where only one way can be used, so that nothing had to be tried; `summarises` where only the way was chosen.
    """

    way: Way
    right: int | None = None
    cases: int = 0
    summarises: bool | None = None
    at: Moment | None = None

    @property
    def remembers(self) -> bool | None:
        """Whether it learns what it should, None when not tried."""
        return None if self.right is None else self.right >= _PASSED * self.cases


@dataclass(frozen=True, slots=True)
class _Case:
    """A turn, the facts known before, and words that have to stand in what is new; none when nothing may change."""

    said: str
    known: tuple[str, ...] = ()
    new: str = ""
    gone: tuple[int, ...] = ()


_CASES = (
    _Case("I am a carpenter and I have my own workshop. How do I sharpen a chisel?", new="carpenter"),
    _Case("My sister is allergic to nuts.", new="sister allergic nuts"),
    _Case("It has been a long day. Which planet is the largest?", ("The user has a garden.",)),
    _Case("We left the city and live in a village now.", ("The user lives in the city.", "The user sings."), "village", (1,)),
    _Case("I sold my horse.", ("The user has a horse.", "The user likes tea."), gone=(1,)),
)


# Said in a conversation that is to be summarised, and words of which most have to be in its summary.
_TALK = (
    (Role.USER, "I will paint the fence blue, I have decided. Otto lends me a ladder."),
    (Role.MODEL, "Blue goes well with a garden. You could paint the gate too."),
    (Role.USER, "Perhaps the gate later. I still have to buy a brush, and I wait for a dry day."),
)
_TOLD, _TOLD_ENOUGH = "fence blue otto ladder brush dry", 4


async def way(database: Database, model: ChatModel, patience: float, now: Moment) -> Way:
    """Return how a model is to be asked, trying it out the first time; raises ModelMissing and ModelUnreachable.

    Cancelled in the middle it goes on the next time: who writes every minute would never be learned from otherwise.
    """
    await model.window()  # where no model was chosen, its name is known only once the server was asked something
    known = read(await database.read(lambda c: kept.profile(c, model.name)))
    if known is not None:
        return known.way
    try:
        found = await test(model, patience, trial=_TRIALS.setdefault(model, {}))
    except (ModelMissing, ModelUnreachable):
        raise
    except ModelError:
        return Way.CALL  # the reading itself will say what is wrong
    await database.write(lambda c: keep(c, model.name, replace(found, at=now)))
    return found.way


async def test(model: ChatModel, patience: float, *, whole: bool = False, trial: Trial | None = None) -> Skill:
    """Try a model out on a few turns each way. Raises ModelError.

    With `whole` also where there is but one way to ask it, and on a summary. What is in `trial` is not tried again, and what
    is tried is put there.
    """
    found = await _way(model, patience, whole, {} if trial is None else trial)
    return replace(found, summarises=await _summarises(model, patience)) if whole else found


async def _way(model: ChatModel, patience: float, whole: bool, trial: Trial) -> Skill:
    choice = await questions.gives_chances(model, patience)
    if not choice and not whole:
        return Skill(Way.CALL)
    called = await _right(Way.CALL, model, patience, trial)
    if not choice or called == len(_CASES):
        return Skill(Way.CALL, called, len(_CASES))
    asked = await _right(Way.SENTENCES, model, patience, trial)
    return Skill(Way.SENTENCES, asked, len(_CASES)) if asked > called else Skill(Way.CALL, called, len(_CASES))


def keep(connection: Connection, model: str, skill: Skill) -> None:
    """Keep what a model's self-test showed in what is known of the model."""
    kept.set_profile(connection, model, {_KEY: written(skill)})


def read(profile: dict[str, Any]) -> Skill | None:
    """Return what is known of a model's self-test, None where it has not been run as it is now."""
    match profile.get(_KEY):
        case {"version": version, "way": str(name), "right": right, "cases": int(cases)} if version == VERSION and name in [*Way]:
            found = Skill(Way(name), right, cases)
        case _:
            return None
    match profile[_KEY]:
        case {"summarises": bool() | None as summarises, "at": [int(utc), int(offset)]}:
            return replace(found, summarises=summarises, at=Moment(utc, offset))
        case _:
            return found


def written(skill: Skill) -> dict[str, Any]:
    """Return a self-test as it is kept in a model's profile."""
    return {
        "version": VERSION, "way": str(skill.way), "right": skill.right, "cases": skill.cases, "summarises": skill.summarises,
        "at": [skill.at.utc, skill.at.offset] if skill.at else None,
    }  # fmt: skip


def edits(
    proposals: Sequence[Proposal], turns: Sequence[Turn], known: Sequence[Fact], home: Home, now: Moment
) -> Iterator[Proposal]:
    """Yield what code lets through of proposals, as if they had been proposed just so: a dry run of learning."""
    rules = Rules(secret_in, lambda text, others: found.index if (found := duplicate_of(text, others)) else None)
    places = {fact.id: place for place, fact in enumerate(known, 1)}
    for accepted in reconcile(proposals, turns, known, home, now, rules).changes:
        match accepted.edit:
            case Saved(after):
                yield Save(after.text, accepted.quote)
            case Updated(before, after):
                yield Rewrite(places[before.id], after.text, accepted.quote)
            case Removed(before):
                yield Remove(places[before.id], accepted.quote)


async def _right(how: Way, model: ChatModel, patience: float, trial: Trial) -> int:
    """Count the cases that go right one way, code's checks included."""
    results = trial.setdefault(how, [])
    for case in _CASES[len(results) :]:
        turn = Turn(Message(1, 1, None, Role.USER, case.said, _THEN, Status.COMPLETE), None)
        known = tuple(
            Fact(place, text, Origin.MODEL, Global(), False, False, _THEN, _THEN) for place, text in enumerate(case.known, 1)
        )
        proposals = await propose(how, model, (turn,), known, patience)
        made = [] if isinstance(proposals, Unread) else list(edits(proposals, (turn,), known, Global(), _THEN))
        results.append(not isinstance(proposals, Unread) and _as_wanted(case, made))
    return sum(results)


async def _summarises(model: ChatModel, patience: float) -> bool:
    """Whether a summary that is kept holds most of what was said."""
    talk = [Message(key, 1, None, role, text, Moment(key, 0), Status.COMPLETE) for key, (role, text) in enumerate(_TALK, start=1)]
    outcome = await summarise(model, "", talk, await model.window(), pieces, patience)
    if not isinstance(outcome, Written):
        return False
    return sum(heard(word, tokens(outcome.text)) for word in tokens(_TOLD)) >= _TOLD_ENOUGH


def _as_wanted(case: _Case, made: Sequence[Proposal]) -> bool:
    new = [tokens(one.text) for one in made if isinstance(one, Save | Rewrite)]
    changed = {one.id for one in made if isinstance(one, Rewrite | Remove)}
    if not case.new:
        return changed == set(case.gone) and (bool(case.gone) or not new)
    return changed <= set(case.gone) and any(all(heard(word, text) for word in tokens(case.new)) for text in new)
