"""Bringing in what was written elsewhere: `ricordo import diary`, which can be stopped and run again, and `import ricordo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ricordo.cli import output
from ricordo.cli.session import unlocked
from ricordo.errors import ImportFailed

_NAMED = 10  # unreadable places that are listed

app = typer.Typer(help="Bring in what you wrote elsewhere.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def bring() -> None:
    """Bring in what you wrote elsewhere."""


@app.command()
def diary(
    context: typer.Context,
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A folder of Markdown or text files, one such file, or JSON lines (.xz, .gz).")
    ],
) -> None:
    """Import a diary with its dates, into --conversation or one named after the file.

    Dates come from front matter, file names or headings; in JSON lines from "date" beside "text". Entries that are there
    already are left alone, so running it again adds only what is new.
    """
    with unlocked(context) as at, output.progress(path.name) as progress:
        done = at.call(at.vault.import_diary(path, conversation=at.conversation(), progress=progress))
    if at.options.json:
        output.data(
            {
                "entries_added": done.entries_added,
                "already_there": done.already_there,
                "undated": done.undated,
                "unreadable": list(done.unreadable),
                "conversation": done.conversation,
            }
        )
    else:
        output.say(
            f"{done.entries_added:,} entries added to conversation {done.conversation}; {done.already_there:,} were there."
        )
        if done.entries_added and not at.vault.settings.whole_diary:
            output.note("Only that conversation uses them. For all of them: ricordo settings whole_diary on")
    if done.undated:
        output.note(f"{done.undated:,} without a date stand just before the next entry that has one, with its date.")
    if done.unreadable:
        output.note(f"{len(done.unreadable):,} could not be read:")
        for place in done.unreadable[:_NAMED]:
            output.note(f"  {place}")
        if len(done.unreadable) > _NAMED:
            output.note("  … --json lists all.")


@app.command()
def ricordo(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="What `ricordo export` wrote as .json.")],
) -> None:
    """Import a whole export into a vault that holds nothing yet, with everything as it was: all of it or nothing."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ImportFailed(f"{path} cannot be read: {error.strerror or error}. Check the name and its permissions.") from error
    with unlocked(context) as at, output.progress(path.name, pages=True) as progress:
        done = at.call(at.vault.import_json(data, progress=progress))
    if at.options.json:
        output.data({"conversations": done.conversations, "messages": done.messages, "facts": done.facts, "server": done.server})
    else:
        output.say(f"{done.conversations:,} conversations, {done.messages:,} messages and {done.facts:,} memories came in.")
        if done.server != "embedded":
            output.note(f"Its settings name the model at {done.server}. `ricordo model` shows and changes that.")
