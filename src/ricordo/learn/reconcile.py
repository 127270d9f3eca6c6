"""From what a model proposes to the edits that are made: ground, filter, duplicates, tombstones, limits, in this order.

The one rule: a proposal is followed only if everything speaks for it, and each refusal keeps its reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from ricordo.change import Edit, Removed, Saved, Updated
from ricordo.conversation import Moment, Turn
from ricordo.fact import Fact, Home, Origin
from ricordo.learn.grounding import Grounded, Ungrounded, ground_save
from ricordo.learn.proposals import Proposal, Refused, Remove, Rewrite, Save, same_words
from ricordo.learn.replacing import Beside, ground_removal, ground_replaced, ground_rewrite
from ricordo.learn.tasks import refusal
from ricordo.letters import visible

MOST_SAVED = 5  # of one run (E11)
MOST_CHANGED = 3
GIVEN_UP = "The person did away with it and has not said it anew."

Secret = Callable[[str], object | None]
Duplicate = Callable[[str, Sequence[str]], int | None]
Forgotten = Callable[[str, int], bool]


# Where one text holds several statements, each naming the person.
_STATEMENT = re.compile(
    r"(?<=[.!])\s+(?=(?:The user|User|L'utente|Der Nutzer|L'utilisateur|El usuario|O usuário)\b)|(?<=。)(?=用户)",
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The judgements that are made elsewhere.

    `secret` finds one in a text; `duplicate` returns the place of the known fact that says the same; `forgotten` tells whether
    the person did away with a fact and has not said it anew in that message (E17).
    """

    secret: Secret
    duplicate: Duplicate
    forgotten: Forgotten = lambda _text, _message: False


@dataclass(frozen=True, slots=True)
class Accepted:
    """An edit to make, the words of the person that ground it, and the message they stand in. A new fact's id is 0."""

    edit: Edit
    quote: str
    message: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes of a run: edits in the order they are made and announced, saved first (U1), and what was refused."""

    changes: tuple[Accepted, ...]
    refused: tuple[Refused, ...]


def reconcile(
    proposals: Sequence[Proposal], turns: Sequence[Turn], facts: Sequence[Fact], home: Home, now: Moment, rules: Rules
) -> Outcome:
    """Decide which proposals become edits of the facts at home there; `facts` are those known, in the order of their short ids.

    Facts of the person and of another home are read-only: they count as known and are never changed (E10, W5).
    """
    run = _Run(turns, facts, home, now, rules)
    saves = [one for proposal in proposals if isinstance(proposal, Save) for one in single(proposal)]
    # Changes are judged first: a fact that goes must not make its successor a duplicate.
    rewrites = [proposal for proposal in proposals if isinstance(proposal, Rewrite)]
    removals = [proposal for proposal in proposals if isinstance(proposal, Remove)]
    for rewrite in rewrites:
        run.rewrite(rewrite)
    for removal in removals:
        run.remove(removal, [save.text for save in saves])
    for save in (*saves, *run.beside):
        run.save(save)
    return Outcome((*run.saved, *run.updated, *run.removed), tuple(run.refused))


@dataclass(slots=True)
class _Run:
    turns: Sequence[Turn]
    facts: Sequence[Fact]
    home: Home
    now: Moment
    rules: Rules
    saved: list[Accepted] = field(default_factory=list)
    updated: list[Accepted] = field(default_factory=list)
    removed: list[Accepted] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    beside: list[Save] = field(default_factory=list)

    def save(self, proposal: Save) -> None:
        text = clean(proposal.text)
        ground = ground_save(text, proposal.quote, self.turns)
        if isinstance(ground, Ungrounded):
            return self._refuse(proposal, self._unfit(text) or ground.reason)
        if reason := self._unfit(text, ground):
            return self._refuse(proposal, reason)
        known = self._known()
        if (place := self._duplicate(text, known)) is not None:
            return self._refuse(proposal, f"It is known already: “{known[place]}”")
        if self.rules.forgotten(text, ground.message):
            return self._refuse(proposal, GIVEN_UP)
        if len(self.saved) >= MOST_SAVED:
            return self._refuse(proposal, f"No more than {MOST_SAVED} facts are saved at once.")
        fact = Fact(0, text, Origin.MODEL, self.home, False, False, self.now, self.now, (ground.message,))
        self.saved.append(Accepted(Saved(fact), self._quote(ground), ground.message))
        return None

    def rewrite(self, proposal: Rewrite) -> None:
        fact = self._target(proposal)
        if isinstance(fact, str):
            return self._refuse(proposal, fact)
        text = clean(proposal.text)
        if not text:
            return self._refuse(proposal, "It has no new words.")
        ground = ground_rewrite(fact.text, text, proposal.quote, self.turns)
        match ground:
            case Ungrounded(why):
                return self._refuse(proposal, self._unfit(text) or why)
            case Beside(_, why):
                self.beside.append(Save(text, proposal.quote))
                return self._refuse(proposal, f"{why} It is taken as a new fact.")
            case Grounded():
                pass
            case _:
                assert_never(ground)
        if reason := self._unfit(text, ground):
            return self._refuse(proposal, reason)
        others = [known for known in self._known() if known != fact.text]
        if (place := self._duplicate(text, others)) is not None:
            # The new words are known, so what is left to do is to drop the old ones, and only if they are over.
            if ground_replaced(fact.text, text, self.turns) or isinstance(ground_removal(fact.text, "", self.turns), Grounded):
                return self._change(proposal, Removed(fact), ground)
            return self._refuse(proposal, f"It is known already: “{others[place]}”")
        if self.rules.forgotten(text, ground.message):
            return self._refuse(proposal, GIVEN_UP)
        sources = tuple(dict.fromkeys((*fact.sources, ground.message)))
        return self._change(proposal, Updated(fact, replace(fact, text=text, updated=self.now, sources=sources)), ground)

    def remove(self, proposal: Remove, added: Sequence[str]) -> None:
        fact = self._target(proposal)
        if isinstance(fact, str):
            return self._refuse(proposal, fact)
        ground = ground_removal(fact.text, proposal.quote, self.turns)
        if isinstance(ground, Ungrounded):
            successor = self._successor(fact, added)
            if successor is None:
                return self._refuse(proposal, ground.reason)
            ground = successor
        return self._change(proposal, Removed(fact), ground)

    def _successor(self, fact: Fact, added: Sequence[str]) -> Grounded | None:
        """Return the ground of a fact proposed beside the removal that is the new value of the old one."""
        for text in map(clean, added):
            ground = ground_save(text, "", self.turns)
            if isinstance(ground, Grounded) and not self._unfit(text, ground) and ground_replaced(fact.text, text, self.turns):
                return ground
        return None

    def _target(self, proposal: Rewrite | Remove) -> Fact | str:
        """Return the fact a proposal means, or why it may not be changed."""
        if not 1 <= proposal.id <= len(self.facts):
            return "There is no such fact."
        fact = self.facts[proposal.id - 1]
        if fact.origin is Origin.USER:
            return "The person wrote that fact; it is not the model's to change."
        if fact.home != self.home:
            return "That fact is at home elsewhere; here it can only be read."
        if any(fact.id == changed.id for changed in self._changed()):
            return "That fact was changed in this run already."
        return fact

    def _change(self, proposal: Proposal, edit: Updated | Removed, ground: Grounded) -> None:
        if len(self.updated) + len(self.removed) >= MOST_CHANGED:
            return self._refuse(proposal, f"No more than {MOST_CHANGED} facts are changed at once.")
        accepted = Accepted(edit, self._quote(ground), ground.message)
        (self.updated if isinstance(edit, Updated) else self.removed).append(accepted)
        return None

    def _changed(self) -> Iterator[Fact]:
        for accepted in (*self.updated, *self.removed):
            match accepted.edit:
                case Updated(before, _) | Removed(before):
                    yield before
                case Saved():
                    pass

    def _known(self) -> list[str]:
        """Return what will be known after this run as far as it is decided."""
        changed = {fact.id for fact in self._changed()}
        new = [accepted.edit.after.text for accepted in (*self.saved, *self.updated) if not isinstance(accepted.edit, Removed)]
        return [fact.text for fact in self.facts if fact.id not in changed] + new

    def _duplicate(self, text: str, known: Sequence[str]) -> int | None:
        words = same_words(text)
        same = next((place for place, other in enumerate(known) if same_words(other) == words), None)
        return same if same is not None else self.rules.duplicate(text, known)

    def _unfit(self, text: str, ground: Grounded | None = None) -> str | None:
        if self.rules.secret(text) is not None:
            return "It looks like a secret."
        return refusal(text, asked=ground is not None and ground.asked)

    def _quote(self, ground: Grounded) -> str:
        return ground.quote if self.rules.secret(ground.quote) is None else ""

    def _refuse(self, proposal: Proposal, reason: str) -> None:
        """Keep a refusal; of a secret, and of what the person did away with, only that there was one."""
        match proposal:
            case Save(text, quote) | Rewrite(_, text, quote):
                if reason == GIVEN_UP or self.rules.secret(text) is not None or self.rules.secret(quote) is not None:
                    proposal = replace(proposal, text="", quote="")
            case Remove(_, quote):
                if self.rules.secret(quote) is not None:
                    proposal = replace(proposal, quote="")
        self.refused.append(Refused(proposal, reason))


def clean(text: str) -> str:
    """Return a fact's text as it is kept: nothing unseen in it, single spaces; a line that only wraps goes on."""
    wrapped = re.sub(r"\s*\n\s*(?=[a-z])", " ", visible(text).strip())
    return "\n".join(" ".join(line.split()) for line in wrapped.splitlines() if line.strip())


def single(proposal: Save) -> list[Save]:
    """Return one proposal a statement, where a model puts several that each name the person into one text (E13)."""
    parts = [part for part in _STATEMENT.split(clean(proposal.text)) if part.strip()]
    return [replace(proposal, text=part.strip()) for part in parts] if len(parts) > 1 else [proposal]
