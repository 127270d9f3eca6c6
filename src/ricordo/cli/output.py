"""What the commands print. Data goes to stdout, in JSON exactly one document; notes, errors and progress go to stderr.

The one rule: text from the vault or the model is never taken for markup or for control sequences of the terminal.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, assert_never

import typer

from ricordo.bar import bar
from ricordo.conversation import Conversation, Message, Moment, Space
from ricordo.fact import Fact, Global, Home, InConversation, InSpace

_CONTROLS = dict.fromkeys([*range(0x20), 0x7F, *range(0x80, 0xA0)]) | {9: "\t", 10: "\n"}


def plain(text: str) -> str:
    """Return text without characters that command a terminal; line ends and tabs stay."""
    return text.translate(_CONTROLS)


def say(text: str) -> None:
    """Print a line to stdout."""
    typer.echo(plain(text))


def note(text: str) -> None:
    """Print a line to stderr, for the person only."""
    typer.echo(plain(text), err=True)


def fail(text: str) -> None:
    """Print an error's sentence to stderr, in red where there are colours."""
    typer.secho(plain(text), fg="red", err=True)


def asked(question: str) -> str:
    """Ask the person for a line; empty where nobody is there."""
    typer.echo(question, nl=False, err=True)
    return sys.stdin.readline()


def data(value: Any) -> None:
    """Print the one JSON document of a command."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def table(titles: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows: as a table at a terminal, else as lines with tabs between the columns, for other programs."""
    if not sys.stdout.isatty():
        for row in rows:
            say("\t".join(" ".join(str(cell).split()) for cell in row))
        return
    # Only here, so that `--help` does not wait for it.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    made = Table(*titles, box=None, header_style="bold", pad_edge=False, show_header=any(titles))
    for row in rows:
        made.add_row(*(Text(plain(str(cell))) for cell in row))
    Console().print(made)


def progress(title: str, *, pages: bool = False, share: bool = False) -> AbstractContextManager[Callable[[int, int], None]]:
    """Show a bar while long work runs, if stderr is a terminal; gives what is to be called with (bytes done, bytes in all).

    With `pages` they are counted, and are no bytes; with `share` only their share of all is shown.
    """
    return bar(plain(title), pages=pages, share=share)


def when(moment: Moment) -> str:
    """Return a time as JSON has it: local, with its offset."""
    return moment.local.isoformat(timespec="seconds")


def day(moment: Moment) -> str:
    """Return a time as a list shows it."""
    return f"{moment.local:%Y-%m-%d %H:%M}"


def home_json(home: Home) -> dict[str, Any]:
    """Return where a fact is at home, as the REST API has it."""
    match home:
        case Global():
            return {"kind": "global"}
        case InSpace(space):
            return {"kind": "space", "space": space}
        case InConversation(conversation):
            return {"kind": "conversation", "conversation": conversation}
        case _:
            assert_never(home)


def fact_json(fact: Fact, sent: bool) -> dict[str, Any]:
    """Return a fact; `sent` says whether the model gets it without looking for it."""
    return {
        "id": fact.id,
        "text": fact.text,
        "origin": fact.origin.value,
        "home": home_json(fact.home),
        "pinned": fact.pinned,
        "shared": fact.shared,
        "saved": when(fact.created),
        "sent": sent,
    }


def space_json(space: Space) -> dict[str, Any]:
    """Return a Space."""
    return {
        "id": space.id,
        "name": space.name,
        "instructions": space.instructions,
        "memory": space.memory,
        "reach": space.reach.value,
        "created": when(space.created),
    }


def conversation_json(conversation: Conversation) -> dict[str, Any]:
    """Return a conversation; `messages` is how many it shows."""
    return {
        "id": conversation.id,
        "title": conversation.title,
        "space": conversation.space,
        "created": when(conversation.created),
        "updated": when(conversation.updated),
        "messages": conversation.messages,
    }


def message_json(message: Message) -> dict[str, Any]:
    """Return a message."""
    return {
        "id": message.id,
        "author": message.role.value,
        "at": when(message.at),
        "text": message.text,
        "status": message.status.value,
        "model": message.model,
    }
