"""What the model learned: changes, undo, runs, unread, learn, summary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ricordo.change import Change, Removed, Saved, Updated
from ricordo.cli import exits, imports, output
from ricordo.cli.session import number, unlocked
from ricordo.conversation import Summary
from ricordo.run import Run

if TYPE_CHECKING:
    from ricordo.vault import Unread


def changes(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many to show.")] = 50,
) -> None:
    """List what the model changed in the memories, newest first; each can be undone."""
    with unlocked(context) as at:
        made = at.call(at.vault.changes.all(limit))
    if at.options.json:
        output.data([change_json(change) for change in made])
        return
    output.table(("id", "when", "what", "memory", ""), [_row(change) for change in made])
    if not made:
        output.note("The model has changed nothing yet.")


def undo(
    context: typer.Context,
    change: Annotated[str, typer.Argument(metavar="ID", help="The change's id, as `ricordo changes` shows it.")],
) -> None:
    """Take one change back; what was changed by hand since is left as it is."""
    with unlocked(context) as at:
        undone = at.call(at.vault.changes.undo(number(change, "changes")))
    if at.options.json:
        output.data(change_json(undone))
    else:
        output.say(f"Undone: {_row(undone)[2]} {_text(undone)}")


def runs(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many to show.")] = 10,
) -> None:
    """List the last times that the model read turns, newest first: what was proposed, what was refused, and why."""
    with unlocked(context) as at:
        made = at.call(at.vault.changes.runs(limit))
    if at.options.json:
        output.data([_run_json(run) for run in made])
        return
    output.table(("run", "when", "what", "text", "why"), [row for run in made for row in _run_rows(run)])
    if not made:
        output.note("The model has read nothing yet.")


def unread(
    context: typer.Context,
    again: Annotated[bool, typer.Option("--again", help="Let them be tried again.")] = False,
) -> None:
    """List the turns that the model could not read, with the reason."""
    with unlocked(context) as at:
        turns = at.call(at.vault.changes.unread())
        if again:
            at.call(at.vault.try_unread())
    if at.options.json:
        output.data([_unread_json(turn) for turn in turns])
        return
    output.table(("message", "conversation", "why"), [(turn.message, turn.conversation, turn.reason) for turn in turns])
    if not turns:
        output.note("Every finished turn was read, or waits its turn.")


def learn(
    context: typer.Context,
    imported: Annotated[
        str | None, typer.Option(metavar="ID", help="Learn from an import too, by its id; Ctrl+C stops, and it goes on later.")
    ] = None,
    pause: Annotated[bool, typer.Option("--pause", help="With --imported: read no more of it for now.")] = False,
) -> None:
    """Learn from the turns that wait, now, and say what changed."""
    if imported is not None:
        imports.learn_from(context, imported, pause)
        return
    with unlocked(context) as at:
        waiting = at.call(at.vault.changes.waiting())
        made = at.call(at.vault.learn()) if waiting else ()
    if at.options.json:
        output.data([change_json(change) for change in made])
        return
    output.note(f"{waiting:,} turns were waiting.")
    output.table(("id", "when", "what", "memory", ""), [_row(change) for change in made])
    if not made:
        output.note("Nothing was learned from them.")
        raise typer.Exit(exits.NOTHING)


def summary(
    context: typer.Context,
    conversation: Annotated[
        str, typer.Argument(metavar="ID", help="The conversation's id, as `ricordo conversations` shows it.")
    ],
    again: Annotated[bool, typer.Option("--again", help="Write it anew from the messages, now.")] = False,
    delete: Annotated[bool, typer.Option("--delete", help="Delete it; another is written after some more turns.")] = False,
) -> None:
    """Show where a conversation has got to, as the model sums it up every six turns; or write that anew, or delete it."""
    with unlocked(context) as at:
        key = number(conversation, "conversations")
        if delete:
            at.call(at.vault.conversations.delete_summary(key))
        found = at.call(at.vault.summarise(key) if again else at.vault.conversations.summary(key))
    if at.options.json:
        output.data(_summary_json(found) if found else None)
    elif found:
        output.say(found.text)
        output.note(f"Written {output.day(found.at)}, from all up to message {found.upto}.")
    elif delete:
        output.note("The summary is deleted.")
    else:
        output.note("That conversation has no summary yet. It gets one after six turns, or with --again.")
        raise typer.Exit(exits.NOTHING)


def _summary_json(found: Summary) -> dict[str, Any]:
    return {"conversation": found.conversation, "text": found.text, "upto": found.upto, "at": output.when(found.at)}


def change_json(change: Change) -> dict[str, Any]:
    """Return a change as data."""
    before_text: str | None = None
    after_text: str | None = None
    match change.edit:
        case Saved(after):
            after_text, fact = after.text, after.id
        case Updated(before, after):
            before_text, after_text, fact = before.text, after.text, after.id
        case Removed(before):
            before_text, fact = before.text, before.id
    return {
        "id": change.id,
        "kind": type(change.edit).__name__.lower(),
        "fact": fact,
        "before": before_text,
        "after": after_text,
        "at": change.at.local.isoformat(),
        "conversation": change.conversation,
        "messages": list(change.messages),
        "model": change.model,
        "undone": change.undone.local.isoformat() if change.undone else None,
    }


def _unread_json(turn: Unread) -> dict[str, Any]:
    return {"message": turn.message, "conversation": turn.conversation, "reason": turn.reason}


def _run_json(run: Run) -> dict[str, Any]:
    return {
        "id": run.id,
        "at": output.when(run.at),
        "model": run.model,
        "way": run.way,
        "seconds": run.seconds,
        "conversation": run.conversation,
        "messages": list(run.messages),
        "changes": list(run.changes),
        "refused": [{"kind": each.kind, "text": each.text, "quote": each.quote, "reason": each.reason} for each in run.refused],
        "failure": run.failure,
    }


def _run_rows(run: Run) -> Iterator[tuple[str, ...]]:
    """Yield a line for the run, then one for each refusal."""
    read = f"{len(run.messages)} {'turn' if len(run.messages) == 1 else 'turns'} of conversation {run.conversation}"
    came = run.failure or f"{len(run.changes)} changed, {len(run.refused)} refused, {run.seconds:.1f} s"
    yield f"#{run.id}", output.day(run.at), "not read" if run.failure else "read", read, came
    for each in run.refused:
        yield "", "", f"no {each.kind}", each.text or (f"“{each.quote}”" if each.quote else "(not kept)"), each.reason


def _row(change: Change) -> tuple[str, str, str, str, str]:
    kind = type(change.edit).__name__.lower()
    return f"#{change.id}", output.day(change.at), kind, _text(change), "undone" if change.undone else ""


def _text(change: Change) -> str:
    match change.edit:
        case Saved(after):
            return after.text
        case Updated(before, after):
            return f"{before.text} → {after.text}"
        case Removed(before):
            return before.text
