"""From proposals to changes: decided on what is known by now, applied and marked as read in one transaction (E16)."""

from __future__ import annotations

from collections.abc import Sequence

from apsw import Connection

from ricordo.change import Change, Removed
from ricordo.conversation import Moment
from ricordo.learn.batch import Batch, is_open, refreshed
from ricordo.learn.duplicates import duplicate_of
from ricordo.learn.proposals import Proposal, Refused, Remove
from ricordo.learn.reconcile import Accepted, Rules, reconcile
from ricordo.learn.secrets import secret_in
from ricordo.settings import Settings
from ricordo.store import changes, tombstones, waiting


def apply(
    connection: Connection, batch: Batch, proposals: Sequence[Proposal], settings: Settings, model: str, now: Moment
) -> tuple[tuple[Change, ...], tuple[Refused, ...]]:
    """Make the changes that the proposals ground, and mark the turns as read; returns both, changes in the order to show.

    Turns that were deleted or read meanwhile ground nothing; a home that was switched off meanwhile takes nothing (W4).
    """
    left = set(waiting.still(connection, batch.messages))
    turns = [turn for turn in batch.turns if turn.asked.id in left]
    waiting.done(connection, left)
    if not turns or not is_open(connection, batch.home, settings):
        return (), ()
    rules = Rules(secret_in, _duplicate, lambda text, message: tombstones.forbidden(connection, text, (message,)))
    outcome = reconcile(proposals, turns, refreshed(connection, batch), batch.home, now, rules)
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
                now=now,
                conversation=batch.conversation,
                messages=(accepted.message,),
                model=model,
            )
        )
    return tuple(made), tuple(refused)


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
