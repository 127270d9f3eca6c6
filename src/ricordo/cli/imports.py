"""Bringing in what was written elsewhere: `ricordo import`, which can be stopped and run again, and `ricordo imports`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer

from ricordo.cli import exits, output
from ricordo.cli.session import number, unlocked
from ricordo.errors import InvalidInput

if TYPE_CHECKING:
    from ricordo.imported import Import, Imported, LeftOut, Preview, Undoing

Format = Literal["chatgpt", "claude", "dayone", "markdown", "ricordo", "diary"]
_NAMED = 10  # unreadable places that are listed

app = typer.Typer(help="List what was imported, and take it back.", rich_markup_mode=None)


def bring(
    context: typer.Context,
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="[FORMAT] PATH",
            help="A file as the other program gave it (.zip, .json), or a folder; ahead of it what it is.",
        ),
    ],
    as_: Annotated[
        Format | None,
        typer.Option("--as", help="What it is, as a word ahead of the path says too; without it, the content tells."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would come in.")] = False,
) -> None:
    """Bring in conversations of ChatGPT or Claude, journals of Day One, Markdown notes, a diary, or an export of Ricordo.

    What is there already is left alone, so it can be run again: with the same file, after it was stopped, with a newer export.
    Notes, journals and diaries go into --conversation where one is named. An export of Ricordo fills an empty vault just as it
    was; any other vault gets what it has not.
    """
    path, kind = _path(what, as_)
    with unlocked(context) as at:
        if dry_run:
            seen = at.call(at.vault.imports.preview(path, kind))
        else:
            with output.progress(path.name, share=True) as progress:
                done = at.call(at.vault.imports.bring(path, kind, conversation=at.conversation(), progress=progress))
    if dry_run:
        _tell_preview(seen, at.options.json)
    else:
        _tell_done(done, at.options.json, at.vault.settings.whole_diary)


def _path(what: list[str], as_: Format | None) -> tuple[Path, str | None]:
    """Read `PATH` or `FORMAT PATH`."""
    match what:
        case [path]:
            return Path(path), as_
        case [kind, path] if kind in get_args(Format) and as_ in (None, kind):
            return Path(path), kind
        case _:
            raise InvalidInput("Name one file or folder, and with --as what it is. Put a name with spaces into quotation marks.")


def _tell_preview(seen: Preview, as_json: bool) -> None:
    if as_json:
        span = {"first": output.when(seen.first) if seen.first else None, "last": output.when(seen.last) if seen.last else None}
        output.data({**_counts(seen), **span})
    else:
        span_text = f", written from {output.day(seen.first)} to {output.day(seen.last)}" if seen.first and seen.last else ""
        output.say(f"{_came(seen)} would come in{span_text}; {seen.already_there:,} messages are there already.")
    _tell_odd(seen)
    if not as_json:
        output.note("Nothing was stored.")


def _tell_done(done: Imported, as_json: bool, whole_diary: bool) -> None:
    if as_json:
        output.data({**_counts(done), "import": done.import_, "conversation": done.conversation})
    else:
        output.say(f"{_came(done)} came in; {done.already_there:,} messages were there already.")
        if done.conversation is not None:
            output.note(f"They are in conversation {done.conversation}.")
        if done.messages and not whole_diary:
            output.note("Only their own conversations use them. For all of them: ricordo settings whole_diary on")
    _tell_odd(done)
    if not as_json and done.import_ is not None:
        output.note(
            f"To take it back: ricordo imports undo {done.import_}. To learn from it: ricordo learn --imported {done.import_}"
        )
    if not as_json and done.server not in ("", "embedded"):
        output.note(f"Its settings name the model at {done.server}. `ricordo model` shows and changes that.")


def _came(what: Preview | Imported) -> str:
    facts = f", {_times(what.facts, 'memory', 'memories')}" if what.format == "ricordo" else ""
    return f"{_times(what.messages, 'message')}, {_times(what.conversations, 'new conversation')}{facts}"


def _times(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def _counts(what: Preview | Imported) -> dict[str, Any]:
    return {
        "format": what.format,
        "conversations": what.conversations,
        "messages": what.messages,
        "facts": what.facts,
        "already_there": what.already_there,
        "undated": what.undated,
        "left_out": [{"what": each.what, "count": each.count} for each in what.left_out],
        "unreadable": list(what.unreadable),
    }


def _tell_odd(what: Preview | Imported) -> None:
    if what.undated:
        output.note(f"{what.undated:,} without a time of their own take that of what stands beside them.")
    if what.left_out:
        output.note(f"Left out: {_listed(what.left_out)}.")
    if what.unreadable:
        output.note(f"{len(what.unreadable):,} could not be read:")
        for place in what.unreadable[:_NAMED]:
            output.note(f"  {place}")
        if len(what.unreadable) > _NAMED:
            output.note("  … --json lists all.")


def _listed(left: tuple[LeftOut, ...]) -> str:
    return ", ".join(f"{each.what} ({each.count:,})" for each in left)


@app.callback(invoke_without_command=True)
def imports(context: typer.Context) -> None:
    """List what was imported, newest first, with what is left of it."""
    if context.invoked_subcommand is not None:
        return
    with unlocked(context) as at:
        made = at.call(at.vault.imports.all())
    if at.options.json:
        output.data([import_json(each) for each in made])
        return
    output.table(("id", "when", "what", "from", "messages", ""), [_row(each) for each in made])
    if not made:
        output.note("Nothing was imported yet.")


def import_json(one: Import) -> dict[str, Any]:
    """Return an import as data."""
    return {
        "id": one.id,
        "format": one.format,
        "name": one.name,
        "at": output.when(one.at),
        "finished": one.finished,
        "conversations": one.conversations,
        "messages": one.messages,
        "turns": one.turns,
        "turns_read": one.turns_read,
        "learning": one.learning,
    }


def _row(one: Import) -> tuple[str, str, str, str, str, str]:
    read = (
        f"learning, {one.turns_read:,} of {one.turns:,}" if one.learning else f"{one.turns_read:,} read" if one.turns_read else ""
    )
    state = read if one.finished else "cut off: import it again"
    return f"#{one.id}", output.day(one.at), one.format, one.name, f"{one.messages:,}", state


@app.command()
def undo(
    context: typer.Context,
    import_: Annotated[str, typer.Argument(metavar="ID", help="The import's id, as `ricordo imports` shows it.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Take an import back: its messages, what was learned from them, conversations that then hold nothing.

    What was written in its conversations since, and what you remembered by hand elsewhere, stays.
    """
    with unlocked(context) as at:
        key = number(import_, "imports")
        going = at.call(at.vault.imports.undoing(key))
        if not yes:
            question = f"This deletes {_going(going)}. Type yes to go on: "
            if output.asked(question).strip().casefold() != "yes":
                raise InvalidInput("Nothing was deleted.")
        gone = at.call(at.vault.imports.undo(key))
    if at.options.json:
        output.data({"messages": gone.messages, "conversations": gone.conversations, "facts": gone.facts})
    else:
        output.say(f"Gone: {_going(gone)}.")


def _going(what: Undoing) -> str:
    said, talks = _times(what.messages, "message"), _times(what.conversations, "conversation")
    return f"{said}, {talks} and {_times(what.facts, 'memory', 'memories')}"


def learn_from(context: typer.Context, imported: str, pause: bool) -> None:
    """Let the model read an import's turns now, or pause that: `ricordo learn --imported`."""
    with unlocked(context) as at:
        key = number(imported, "imports")
        one = at.call(at.vault.imports.learn(key, not pause))
        made = () if pause else at.call(at.vault.learn())
        one = at.call(at.vault.imports.get(key))
    if at.options.json:
        output.data({"import": import_json(one), "changes": len(made)})
        return
    output.say(f"{one.turns_read:,} of {one.turns:,} turns were read{', and the rest waits' if pause else ''}.")
    if not pause and not made:
        output.note("Nothing was learned from them.")
        raise typer.Exit(exits.NOTHING)
