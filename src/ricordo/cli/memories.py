"""What is remembered and found: search, remember, memories, forget."""

from __future__ import annotations

from typing import Annotated, Any, assert_never

import typer

from ricordo.cli import exits, output
from ricordo.cli.session import Unlocked, number, require_terminal, unlocked
from ricordo.fact import Fact, Global, Home, InConversation, InSpace
from ricordo.hit import FactHit, Hit, MessageHit
from ricordo.memory import FACTS, Sieve

_SHOWN = 200  # letters of what was found


def search(
    context: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="What to look for; any of the words will do.")],
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many to show.")] = 20,
) -> None:
    """Find messages and memories by their words, best first; within --conversation or --space when given."""
    with unlocked(context) as at:
        text = " ".join(words)
        hits = at.call(at.vault.search(text, conversation=at.conversation(), space=at.space(), limit=limit))
    if at.options.json:
        output.data([_hit_json(hit) for hit in hits])
    else:
        output.table(("kind", "id", "when", "text"), [_hit_row(hit) for hit in hits])
    if not hits:
        if not at.options.json:
            output.note(f"Nothing was found for {text}.")
        raise typer.Exit(exits.NOTHING)


def remember(
    context: typer.Context,
    fact: Annotated[list[str], typer.Argument(metavar="FACT", help="One statement, in your own words.")],
) -> None:
    """Keep a fact: in --space, pinned in --conversation, else for every conversation."""
    text = " ".join(fact)
    with unlocked(context) as at:
        conversation = at.conversation()
        if conversation is not None:
            kept = at.call(at.vault.facts.add(text, InConversation(conversation), pinned=True))
        else:
            kept = at.call(at.vault.facts.remember(text, at.space()))
        sent = kept.id in at.call(at.vault.facts.sent())
    if at.options.json:
        output.data(output.fact_json(kept, sent))
    else:
        output.say(f"Remembered: #{kept.id} {kept.text}")


memories = typer.Typer(help="List the memories, newest first, or clear them.", rich_markup_mode=None)


@memories.callback(invoke_without_command=True)
def list_memories(context: typer.Context) -> None:
    """List the memories, newest first: of the whole vault, or of --space or --conversation; or clear them."""
    if context.invoked_subcommand is not None:
        return
    with unlocked(context) as at:
        facts = at.call(at.vault.facts.all(_home(at)))
        sent = at.call(at.vault.facts.sent())
        names = {space.id: space.name for space in at.call(at.vault.spaces.all())}
    if at.options.json:
        output.data([output.fact_json(fact, fact.id in sent) for fact in facts])
        return
    rows = [(f"#{fact.id}", output.day(fact.created), _where(fact, names), fact.text, _marks(fact, sent)) for fact in facts]
    output.table(("id", "saved", "where", "memory", ""), rows)
    if not facts:
        output.note("Nothing is remembered here yet. `ricordo remember FACT` keeps something.")


@memories.command("clear")
def clear_memories(
    context: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]", help="Only those that hold all of these, or parts of words.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete the memories that `ricordo memories` lists, for good: of the vault, or of --space or --conversation."""
    with unlocked(context) as at:
        sieve = Sieve(_home(at), text=" ".join(words or ()))
        counts = at.call(at.vault.memories.count(tuple(FACTS), sieve))
        count = sum(counts.values())
        if count:
            if not yes:
                require_terminal("This cannot be undone. Add --yes if you mean it.")
                typer.confirm(f"Delete {_some(count)}? It cannot be undone.", abort=True, err=True)
            count = at.call(at.vault.facts.clear(sieve, expected=count))
    if at.options.json:
        output.data({"deleted": count})
    elif count:
        output.say(f"Deleted: {_some(count)}.")
    if not count:
        output.note("There is no memory to clear.")
        raise typer.Exit(exits.NOTHING)


def forget(
    context: typer.Context,
    what: Annotated[list[str], typer.Argument(metavar="ID|WORDS", help="A memory's id, or words that are all in it.")],
) -> None:
    """Remove one memory for good. When several match, they are listed and none is removed."""
    query = " ".join(what)
    with unlocked(context) as at:
        matches = _matching(at, query)
        removed = at.call(at.vault.facts.delete(matches[0].id)) if len(matches) == 1 else None
    if at.options.json:
        shown = [output.fact_json(fact, False) for fact in matches]
        output.data({"removed": shown[0] if removed else None, "matches": shown})
    elif removed:
        output.say(f"Forgotten: #{removed.id} {removed.text}")
    if removed:
        return
    if not matches:
        output.note(f"No memory matches {query}; nothing was removed. `ricordo memories` lists them.")
    else:
        if not at.options.json:
            output.table(("id", "memory"), [(f"#{fact.id}", fact.text) for fact in matches])
        output.note("Several memories match, so none was removed. Say which one by its id.")
    raise typer.Exit(exits.NOTHING)


def _matching(at: Unlocked, query: str) -> list[Fact]:
    """Return what an id names, wherever it is at home; else what words mean, in the Space or in all lists."""
    space = at.space()
    if query.strip().removeprefix("#").isdigit():
        fact = at.call(at.vault.facts.get(number(query, "memories")))
        return [fact] if space is None or fact.home == InSpace(space) else []
    if space is not None:
        return at.call(at.vault.facts.matching(query, space))
    places = [None, *(each.id for each in at.call(at.vault.spaces.all()))]
    return [fact for place in places for fact in at.call(at.vault.facts.matching(query, place))]


def _some(count: int) -> str:
    return f"{count} {'memory' if count == 1 else 'memories'}"


def _home(at: Unlocked) -> Home | None:
    conversation, space = at.conversation(), at.space()
    if conversation is not None:
        return InConversation(conversation)
    return InSpace(space) if space is not None else None


def _where(fact: Fact, names: dict[int, str]) -> str:
    match fact.home:
        case Global():
            return "everywhere"
        case InSpace(space):
            return names.get(space, f"Space {space}")
        case InConversation(conversation):
            return f"conversation {conversation}"
        case _:
            assert_never(fact.home)


def _marks(fact: Fact, sent: frozenset[int]) -> str:
    marks = {"pinned": fact.pinned, "shared": fact.shared, "note": fact.note, "not sent": fact.id not in sent and not fact.note}
    return ", ".join(mark for mark, holds in marks.items() if holds)


def _hit_json(hit: Hit) -> dict[str, Any]:
    match hit:
        case MessageHit(message):
            return {
                "kind": "message",
                "id": message.id,
                "conversation": message.conversation,
                "at": output.when(message.at),
                "author": message.role.value,
                "text": message.text,
                "score": hit.score,
            }
        case FactHit(fact):
            return {
                "kind": "fact",
                "id": fact.id,
                "conversation": fact.home.conversation if isinstance(fact.home, InConversation) else None,
                "at": output.when(fact.created),
                "author": fact.origin.value,
                "text": fact.text,
                "score": hit.score,
            }
        case _:
            assert_never(hit)


def _hit_row(hit: Hit) -> tuple[str, str, str, str]:
    match hit:
        case MessageHit(message):
            piece = message.text[hit.start : hit.stop]
            return "message", str(message.id), output.day(message.at), _shortened(piece)
        case FactHit(fact):
            return "memory", f"#{fact.id}", output.day(fact.created), _shortened(fact.text)
        case _:
            assert_never(hit)


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1].rstrip()}…"
