"""Talking: `chat` at a terminal, `ask` for one turn, `prompt` to see what would be sent.

The one rule: Ctrl+C stops a reply, and what came of it is kept.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ricordo.cli import exits, output
from ricordo.cli.session import Unlocked, unlocked
from ricordo.conversation import Status
from ricordo.errors import InvalidInput, RicordoError
from ricordo.events import ReplyDone, ReplyFailed, TextDelta, TurnEvent

if TYPE_CHECKING:
    from ricordo.private import Private

_TITLE = 60  # letters
_STOPPED = "Stopped. What had come is kept."
_PRIVATE_NOTE = "Private: nothing of this is stored, and it is gone when you leave. /retry asks again, Ctrl+D leaves."
_LEAVE = frozenset({"/quit", "/exit"})

Words = Annotated[list[str], typer.Argument(metavar="TEXT", help="What you write; `-` reads it from stdin.")]


def ask(context: typer.Context, text: Words) -> None:
    """Write one message and print the reply: in --conversation, else in a new one, in --space when given."""
    written = _written(text)
    with unlocked(context) as at:
        conversation = at.conversation() or _begin(at, written, at.space())
        try:
            ending = at.call(_talk(at.vault.reply(conversation, written), _nothing if at.options.json else _print_piece))
        except KeyboardInterrupt:
            output.note(f"\n{_STOPPED}")
            raise typer.Exit(exits.INTERRUPTED) from None
        if at.options.json:
            output.data(_ending_json(conversation, ending))
        elif isinstance(ending, ReplyDone) or ending.kept is not None:
            typer.echo()
    if isinstance(ending, ReplyFailed):
        output.fail(ending.reason)
        raise typer.Exit(exits.MODEL)
    if ending.message.status is not Status.COMPLETE and not at.options.json:
        output.note("The reply ends here because its room was full. `ricordo settings reply_room` makes more.")


def prompt(context: typer.Context, text: Words) -> None:
    """Show exactly what would be sent for a text, layer by layer, without calling a model or storing anything."""
    written = _written(text)
    with unlocked(context) as at:
        made = at.call(at.vault.prompt(written, at.conversation(), at.space()))
    if at.options.json:
        layers = [{"name": layer.name, "tokens": layer.tokens, "text": layer.text} for layer in made.layers]
        messages = [{"role": message.role, "content": message.content} for message in made.messages]
        output.data({"messages": messages, "layers": layers, "window": made.budget.window})
        return
    for layer in made.layers:
        output.say(f"== {layer.name} ({layer.tokens} tokens)")
        if layer.text:
            output.say(f"{layer.text}\n")


def chat(
    context: typer.Context,
    private: Annotated[bool, typer.Option("--private", help="Store nothing of it, read no memory and write none.")] = False,
) -> None:
    """Talk at the terminal: in --conversation, else in a new one. /help lists the commands."""
    with unlocked(context) as at:
        if private and (at.options.conversation or at.options.space):
            raise InvalidInput("A private conversation is in no other and in no Space. Leave --conversation and --space away.")
        talk = _Private(at, at.portal.run(at.vault.private)) if private else _Chat(at, at.conversation(), at.space())
        at.portal.run(at.vault.work_in_background)  # while the person reads and types
        output.note(_PRIVATE_NOTE if private else "/help lists the commands. Ctrl+C stops a reply, Ctrl+D leaves.")
        if sys.stdin.isatty():
            _edit_lines()
        while (line := _line()) is not None:
            try:
                talk.take(line)
            except KeyboardInterrupt:
                output.note(f"\n{_STOPPED}")
            except RicordoError as error:
                output.fail(str(error))


@dataclass(slots=True)
class _Chat:
    """A chat at the terminal. `conversation` is None until the first message; `space` is the active Space."""

    at: Unlocked
    conversation: int | None
    space: int | None

    def take(self, line: str) -> None:
        """Do what a line says."""
        # Only here, so that `--help` does not wait for the vault.
        from ricordo import commands

        vault = self.at.vault
        if line.strip() == "/retry":
            if self.conversation is None:
                raise InvalidInput("There is nothing to try again yet. Write something first.")
            _show(self.at, vault.retry(self.conversation), "Your message is kept; /retry asks again.")
        elif commands.is_command(line):
            outcome = self.at.call(commands.run(vault, line, self._where()))
            self.space = outcome.space
            output.say(outcome.text)
            if line.strip() == "/help":
                output.say("/retry – ask for the last reply again\n/quit – leave, as Ctrl+D does")
        elif line.strip():
            if self.conversation is None:
                self.conversation = _begin(self.at, line, self.space)
            _show(self.at, vault.reply(self.conversation, line.strip()), "Your message is kept; /retry asks again.")

    def _where(self) -> int | None:
        """Return the Space a command is about: the one that is active, else the conversation's."""
        if self.space is not None or self.conversation is None:
            return self.space
        return self.at.call(self.at.vault.conversations.get(self.conversation)).space


@dataclass(frozen=True, slots=True)
class _Private:
    """A private chat at the terminal: commands about memory have no place in it."""

    at: Unlocked
    private: Private

    def take(self, line: str) -> None:
        """Do what a line says."""
        from ricordo import commands

        if line.strip() == "/retry":
            _show(self.at, self.private.retry(), "/retry asks again.")
        elif commands.is_command(line):
            raise InvalidInput("Nothing is remembered from here. To send this as a message, begin it with a space.")
        elif line.strip():
            _show(self.at, self.private.reply(line.strip()), "/retry asks again.")


def _show(at: Unlocked, events: AsyncGenerator[TurnEvent, None], then: str) -> None:
    """Print a reply as it comes; if it fails, why, and what to do then."""
    ending = at.call(_talk(events, _print_piece))
    if isinstance(ending, ReplyDone) or ending.kept is not None:
        typer.echo()
    if isinstance(ending, ReplyFailed):
        output.fail(f"{ending.reason} {then}")


async def _talk(events: AsyncGenerator[TurnEvent, None], show: Callable[[str], None]) -> ReplyDone | ReplyFailed:
    """Follow a turn to its end, showing the reply piece by piece."""
    ending: ReplyDone | ReplyFailed | None = None
    with _waiting() as something_came:
        async with aclosing(events):
            async for event in events:
                if isinstance(event, TextDelta):
                    something_came()
                    show(event.text)
                elif isinstance(event, ReplyDone | ReplyFailed):
                    ending = event
    assert ending is not None, "a turn ends with one of the two"
    return ending


@contextmanager
def _waiting() -> Iterator[Callable[[], None]]:
    """Say on stderr that the model is waited for, until what is yielded is called."""
    terminal = sys.stderr.isatty()
    typer.echo("Loading the model…", err=True, nl=not terminal)
    shown = terminal

    def over() -> None:
        nonlocal shown
        if shown:
            typer.echo("\r\x1b[K", err=True, nl=False)
            shown = False

    try:
        yield over
    finally:
        over()


def _print_piece(text: str) -> None:
    typer.echo(output.plain(text), nl=False)


def _nothing(text: str) -> None:
    """Show nothing: the whole reply comes as data."""


def _ending_json(conversation: int, ending: ReplyDone | ReplyFailed) -> dict[str, Any]:
    match ending:
        case ReplyDone(message, usage):
            counts = {"prompt": usage.prompt, "cached": usage.cached, "reply": usage.reply}
            reason = None
        case ReplyFailed(_, message, reason):
            counts = {"prompt": None, "cached": None, "reply": None}
    return {
        "conversation": conversation,
        "message": message.id if message else None,
        "reply": message.text if message else "",
        "status": message.status.value if message else Status.ERROR.value,
        "usage": counts,
        "reason": reason,
    }


def _begin(at: Unlocked, text: str, space: int | None) -> int:
    """Begin a conversation that is called after its first line."""
    if not text.strip():
        raise InvalidInput("Write something first.")
    first = text.strip().splitlines()[0]
    title = first if len(first) <= _TITLE else f"{first[: _TITLE - 1].rstrip()}…"
    return at.call(at.vault.conversations.create(title, space)).id


def _written(words: list[str]) -> str:
    return sys.stdin.read() if words == ["-"] else " ".join(words)


def _line() -> str | None:
    """Return the next line; None when the person leaves. Ctrl+C gives up the line and nothing else."""
    while True:
        try:
            line = input("> " if sys.stdin.isatty() else "")
        except EOFError:
            return None
        except KeyboardInterrupt:
            typer.echo(err=True)
            continue
        return None if line.strip() in _LEAVE else line


def _edit_lines() -> None:
    """Let the line be edited with the usual keys. What was typed is kept in memory only, never in a history file."""
    try:
        import readline  # not on every system
    except ImportError:
        return
    readline.set_auto_history(True)
