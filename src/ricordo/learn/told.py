"""What another program's model asks to be remembered or forgotten: held to what holds for our own model (E7, E8, E11, E17).

There are no words of the person to ground it in, so it is a change like any other: logged, announced, and undone by a click.
"""

from __future__ import annotations

from dataclasses import replace

from apsw import Connection

from ricordo.change import Change, Removed, Saved, Updated
from ricordo.conversation import Moment
from ricordo.errors import InvalidInput
from ricordo.fact import Fact, Home, Origin
from ricordo.learn.duplicates import duplicate_of
from ricordo.learn.reconcile import clean
from ricordo.learn.secrets import secret_in
from ricordo.learn.tasks import refusal
from ricordo.store import changes, facts, tombstones

OFF = "Nothing was saved, because “Let the AI remember facts about me” is off. The person can turn it on in Settings."


def remember(connection: Connection, text: str, home: Home, now: Moment, program: str) -> Fact | Change:
    """Save a fact that a program asks for; returns the change, or the fact that says it already.

    Raises InvalidInput, which says what to do, for what is no fact about the person, a secret, or done away with by them.
    """
    text = _fit(text)
    known = facts.of_home(connection, home)
    if (found := duplicate_of(text, [fact.text for fact in known])) is not None:
        return known[found.index]
    _require_wanted(connection, text)
    edit = Saved(Fact(0, text, Origin.MODEL, home, False, False, now, now))
    return changes.record(connection, edit, now=now, conversation=None, messages=(), model=program)


def rewrite(connection: Connection, fact: Fact, text: str, now: Moment, program: str) -> Fact | Change:
    """Give a fact the words that a program asks for; returns the change, or the fact where it says just this.

    Raises InvalidInput as `remember` does, and for a fact that is the person's own (E10).
    """
    text = _fit(text)
    if text == fact.text:
        return fact
    if fact.origin is Origin.USER:
        raise InvalidInput("The person wrote that memory themselves, so it was not changed. They can edit it in Ricordo.")
    others = [known for known in facts.of_home(connection, fact.home) if known.id != fact.id]
    if (found := duplicate_of(text, [known.text for known in others])) is not None:
        raise InvalidInput(f"That is remembered already, as “{others[found.index].text}”. Forget one of the two instead.")
    _require_wanted(connection, text)
    edit = Updated(fact, replace(fact, text=text, updated=now))
    return changes.record(connection, edit, now=now, conversation=None, messages=fact.sources, model=program)


def forget(connection: Connection, fact: int, now: Moment, program: str) -> Change:
    """Remove a fact that a program asks to be forgotten: it is not learned again, and the person can put it back.

    Raises NotFound.
    """
    gone = facts.get(connection, fact)
    tombstones.add(connection, gone.text, gone.home, gone.sources, now)
    return changes.record(connection, Removed(gone), now=now, conversation=None, messages=gone.sources, model=program)


def _fit(text: str) -> str:
    """Return a text as a fact is kept. Raises InvalidInput for a secret, and for what is no lasting fact about the person."""
    text = clean(text)
    if secret_in(text) is not None:
        raise InvalidInput("That looks like a secret, so it was not saved. The person can add it in Ricordo themselves.")
    if reason := refusal(text):
        raise InvalidInput(f"That was not saved. {reason} Send one lasting fact about the person, such as “The user keeps bees.”")
    return text


def _require_wanted(connection: Connection, text: str) -> None:
    if tombstones.forbidden(connection, text, ()):
        raise InvalidInput("The person did away with that memory, so it was not saved. They can add it in Ricordo themselves.")
