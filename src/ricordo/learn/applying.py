"""From proposals to changes: decided on what is known by now, applied and marked as read in one transaction (E16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from apsw import Connection

from ricordo.change import Change, Removed
from ricordo.conversation import Moment
from ricordo.learn.batch import Batch, is_open, refreshed
from ricordo.learn.duplicates import duplicate_of
from ricordo.learn.proposals import Proposal, Refused, Remove, Rewrite, Save
from ricordo.learn.reconcile import Accepted, Rules, reconcile
from ricordo.learn.secrets import secret_in
from ricordo.run import Refusal, Run
from ricordo.settings import Settings
from ricordo.store import changes, runs, tombstones, waiting


@dataclass(frozen=True, slots=True)
class Asked:
    """How a reading was made: by which model, in which way ("" when it did not come to that), in how many seconds, and when."""

    model: str
    way: str
    seconds: float
    at: Moment


def apply(
    connection: Connection, batch: Batch, proposals: Sequence[Proposal], settings: Settings, asked: Asked
) -> tuple[tuple[Change, ...], tuple[Refused, ...]]:
    """Make the changes that the proposals ground, mark the turns as read, keep the run with each refusal and its reason.

    Returns the changes in the order to show them, and what was refused.

    Turns that were deleted or read meanwhile ground nothing; a home that was switched off meanwhile takes nothing (W4).
    """
    left = set(waiting.still(connection, batch.messages))
    turns = [turn for turn in batch.turns if turn.asked.id in left]
    waiting.done(connection, left)
    if not turns or not is_open(connection, batch.home, settings):
        return (), ()
    rules = Rules(secret_in, _duplicate, lambda text, message: tombstones.forbidden(connection, text, (message,)))
    outcome = reconcile(proposals, turns, refreshed(connection, batch), batch.home, asked.at, rules)
    made: list[Change] = []
    refused = list(outcome.refused)
    for accepted in outcome.changes:
        if (reason := _given_up(connection, accepted)) is not None:
            refused.append(Refused(Remove(0, accepted.quote), reason))
            continue
        made.append(
            changes.record(
                connection,
                accepted.edit,
                now=asked.at,
                conversation=batch.conversation,
                messages=(accepted.message,),
                model=asked.model,
            )
        )
    runs.record(
        connection, replace(_run(batch, asked), changes=tuple(each.id for each in made), refused=tuple(map(_refusal, refused)))
    )
    return tuple(made), tuple(refused)


def failed(connection: Connection, batch: Batch, reason: str, asked: Asked) -> None:
    """Count a reading that came to nothing against its turns, and keep the run."""
    waiting.failed(connection, batch.messages, reason)
    runs.record(connection, replace(_run(batch, asked), failure=reason))


def _run(batch: Batch, asked: Asked) -> Run:
    return Run(0, asked.at, asked.model, batch.conversation, batch.messages, asked.way, asked.seconds)


def _refusal(refused: Refused) -> Refusal:
    match refused.proposal:
        case Save(text, quote):
            return Refusal("save", text, quote, refused.reason)
        case Rewrite(_, text, quote):
            return Refusal("rewrite", text, quote, refused.reason)
        case Remove(_, quote):
            return Refusal("remove", "", quote, refused.reason)
        case _:
            assert_never(refused.proposal)


def _duplicate(text: str, known: Sequence[str]) -> int | None:
    found = duplicate_of(text, known)
    return None if found is None else found.index


def _given_up(connection: Connection, accepted: Accepted) -> str | None:
    """Say why a removal may not be made again: the person took it back (E17).

    New words, of a saved or an updated fact, were held against the tombstones when they were decided on.
    """
    match accepted.edit:
        case Removed(before) if changes.removal_forbidden(connection, before.text, (accepted.message,)):
            return "The person took that removal back and has not asked for it anew."
        case _:
            return None
