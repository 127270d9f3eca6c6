"""Where things stand: the commands `ricordo spaces` and `ricordo conversations`. What cannot be undone asks first."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from ricordo.cli import output
from ricordo.cli.session import Unlocked, number, options, require_terminal, unlocked
from ricordo.conversation import Reach, Space
from ricordo.errors import InvalidInput

spaces = typer.Typer(help="List the Spaces; create, change or delete one.", rich_markup_mode=None)
conversations = typer.Typer(help="List the conversations; show, rename, move or delete one.", rich_markup_mode=None)

SpaceName = Annotated[str, typer.Argument(metavar="SPACE", help="The Space's name.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="The conversation's id.")]


class Leave(StrEnum):
    """What becomes of a deleted Space's conversations."""

    MOVE = "move"
    DELETE = "delete"


class Switch(StrEnum):
    """A switch as one says it."""

    ON = "on"
    OFF = "off"


@spaces.callback(invoke_without_command=True)
def list_spaces(context: typer.Context) -> None:
    """List the Spaces; create, change or delete one."""
    if context.invoked_subcommand is not None:
        return
    with unlocked(context) as at:
        found = at.call(at.vault.spaces.all())
    if at.options.json:
        output.data([output.space_json(space) for space in found])
        return
    rows = [(space.id, space.name, "memory on" if space.memory else "memory off", space.reach.value) for space in found]
    output.table(("id", "name", "memory", "reach"), rows)
    if not found:
        output.note("There is no Space yet. `ricordo spaces create NAME` makes one.")


@spaces.command("create")
def create_space(
    context: typer.Context,
    name: SpaceName,
    instructions: Annotated[str, typer.Option(help="What the model is told in this Space.")] = "",
) -> None:
    """Make a Space; its memory is on."""
    with unlocked(context) as at:
        _show(at, at.call(at.vault.spaces.create(name, instructions)), "Created")


@spaces.command("change")
def change_space(
    context: typer.Context,
    name: SpaceName,
    rename: Annotated[str | None, typer.Option(metavar="NAME", help="Another name.")] = None,
    instructions: Annotated[str | None, typer.Option(help="What the model is told in this Space.")] = None,
    memory: Annotated[Switch | None, typer.Option(help="Whether facts are learned in this Space.")] = None,
    reach: Annotated[Reach | None, typer.Option(help="Which memories its conversations may use.")] = None,
) -> None:
    """Change a Space's name, instructions, memory or reach."""
    with unlocked(context) as at:
        space = at.call(at.vault.spaces.named(name))
        switch = None if memory is None else memory is Switch.ON
        change = at.vault.spaces.change(space.id, name=rename, instructions=instructions, memory=switch, reach=reach)
        _show(at, at.call(change), "Changed")


@spaces.command("delete")
def delete_space(
    context: typer.Context,
    name: SpaceName,
    leave: Annotated[
        Leave | None, typer.Option("--conversations", help="What becomes of its conversations; asked for when left away.")
    ] = None,
) -> None:
    """Delete a Space with its memories; its conversations are moved out, or deleted too."""
    with unlocked(context) as at:
        space = at.call(at.vault.spaces.named(name))
        if leave is None:
            require_terminal("Say what becomes of its conversations: --conversations move, or --conversations delete.")
            question = f"Delete {output.plain(space.name)} and its memories. Its conversations: move them out, or delete?"
            answer = typer.prompt(question, prompt_suffix=" ", err=True)
            if answer.strip().casefold() not in list(Leave):
                raise InvalidInput("Answer move or delete. Nothing was deleted.")
            leave = Leave(answer.strip().casefold())
        at.call(at.vault.spaces.delete(space.id, keep_conversations=leave is Leave.MOVE))
        _show(at, space, "Deleted")


def _show(at: Unlocked, space: Space, done: str) -> None:
    if at.options.json:
        output.data(output.space_json(space))
    else:
        output.say(f"{done}: {space.name}")


@conversations.callback(invoke_without_command=True)
def list_conversations(context: typer.Context) -> None:
    """List the conversations, the one written in last first; show, rename, move or delete one."""
    if context.invoked_subcommand is not None:
        return
    with unlocked(context) as at:
        space = at.space()
        found = [each for each in at.call(at.vault.conversations.all()) if space is None or each.space == space]
        names = {each.id: each.name for each in at.call(at.vault.spaces.all())}
    if at.options.json:
        output.data([output.conversation_json(each) for each in found])
        return
    rows = [
        (each.id, output.day(each.updated), each.messages, names.get(each.space or 0, ""), each.title or "(untitled)")
        for each in found
    ]
    output.table(("id", "last written", "messages", "Space", "title"), rows)
    if not found:
        output.note("There is no conversation yet. `ricordo chat` begins one.")


@conversations.command("show")
def show_conversation(context: typer.Context, conversation: Id) -> None:
    """Print a conversation, oldest message first."""
    with unlocked(context) as at:
        found = at.call(at.vault.conversations.get(number(conversation, "conversations")))
        messages = at.call(at.vault.conversations.messages(found.id))
    if at.options.json:
        output.data({**output.conversation_json(found), "messages": [output.message_json(each) for each in messages]})
        return
    for each in messages:
        ending = "" if each.status == "complete" else f" ({each.status.value})"
        who = "You" if each.role == "user" else each.model or "Model"
        output.say(f"{output.day(each.at)} {who}{ending} #{each.id}\n{each.text}\n")


@conversations.command("rename")
def rename_conversation(
    context: typer.Context,
    conversation: Id,
    title: Annotated[list[str], typer.Argument(metavar="TITLE", help="The new title.")],
) -> None:
    """Give a conversation another title."""
    with unlocked(context) as at:
        key = number(conversation, "conversations")
        found = at.call(at.vault.conversations.rename(key, " ".join(title)))
    if at.options.json:
        output.data(output.conversation_json(found))
    else:
        output.say(f"Renamed: {found.title}")


@conversations.command("move")
def move_conversation(context: typer.Context, conversation: Id) -> None:
    """Move a conversation to --space, or out of any Space without it."""
    with unlocked(context) as at:
        found = at.call(at.vault.conversations.move(number(conversation, "conversations"), at.space()))
    if at.options.json:
        output.data(output.conversation_json(found))
    else:
        output.say(f"Moved: {found.title or found.id} {f'to {at.options.space}' if at.options.space else 'out of any Space'}")


@conversations.command("delete")
def delete_conversation(
    context: typer.Context,
    conversation: Id,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete a conversation with its messages, notes, pinned facts and summary, for good."""
    with unlocked(context) as at:
        found = at.call(at.vault.conversations.get(number(conversation, "conversations")))
        if not yes:
            require_terminal("This cannot be undone. Add --yes if you mean it.")
            named = f"“{output.plain(found.title)}”" if found.title else "this conversation"
            typer.confirm(f"Delete {named} with its {found.messages} messages? It cannot be undone.", abort=True, err=True)
        at.call(at.vault.conversations.delete(found.id))
    if options(context).json:
        output.data(output.conversation_json(found))
    else:
        output.say(f"Deleted: {found.title or found.id}")
