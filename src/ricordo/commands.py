"""Commands in the composer (F5), the same for the page and the terminal. They never reach the model."""

from __future__ import annotations

from dataclasses import dataclass

from ricordo.errors import InvalidInput
from ricordo.fact import Fact, Global, InSpace
from ricordo.vault import AsyncVault

HELP = (
    "/remember FACT – keep a fact: in the Space when you are in one, else for every conversation\n"
    "/list memories – what is kept there, with short ids\n"
    "/forget ID or WORDS – remove one fact\n"
    "/space NAME – work in a Space from now on; /space alone leaves it\n"
    "/help – this list"
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command did: a text for the person, the facts it is about, and the Space that is active now (None for none)."""

    text: str
    facts: tuple[Fact, ...] = ()
    space: int | None = None


def is_command(text: str) -> bool:
    """Say whether a text is a command: it begins with a slash and a letter, and its first word is no path.

    A text that begins with a space never is.
    """
    return text.startswith("/") and text[1:2].isalpha() and "/" not in text.split(maxsplit=1)[0][1:]


async def run(vault: AsyncVault, text: str, space: int | None) -> Outcome:
    """Carry out a command. `space` is the conversation's Space, or the active one.

    Raises InvalidInput for an unknown or incomplete command, SwitchedOff, NotFound.
    """
    name, _, rest = text.strip()[1:].partition(" ")
    match name.casefold():
        case "remember":
            fact = await vault.facts.remember(rest, space)
            return Outcome(f"Remembered: {fact.text}", (fact,), space)
        case "list":
            return await _listed(vault, rest, space)
        case "forget":
            return await _forget(vault, rest, space)
        case "space":
            return await _choose_space(vault, rest)
        case "help":
            return Outcome(HELP, (), space)
        case _:
            raise InvalidInput(
                f"There is no command /{name}. /help lists them. To send this as a message, begin it with a space."
            )


async def _listed(vault: AsyncVault, what: str, space: int | None) -> Outcome:
    if what.strip().casefold() not in ("memories", "memory", ""):
        raise InvalidInput("Only memories can be listed: /list memories.")
    facts = await vault.facts.all(InSpace(space) if space is not None else Global())
    if not facts:
        return Outcome("Nothing is kept here yet. /remember FACT keeps something.", (), space)
    return Outcome("\n".join(f"#{fact.id} {fact.text}" for fact in facts), tuple(facts), space)


async def _forget(vault: AsyncVault, query: str, space: int | None) -> Outcome:
    if not query.strip():
        raise InvalidInput("Say what to forget: /forget ID, or /forget and some of its words. /list memories shows the ids.")
    facts = await vault.facts.matching(query, space)
    match facts:
        case []:
            return Outcome("No memory here matches that; nothing was removed. /list memories shows what is kept.", (), space)
        case [fact]:
            await vault.facts.delete(fact.id)
            return Outcome(f"Forgotten: {fact.text}", (fact,), space)
        case _:
            lines = "\n".join(f"#{fact.id} {fact.text}" for fact in facts)
            return Outcome(f"Several memories match, so none was removed. Say which, with its id:\n{lines}", tuple(facts), space)


async def _choose_space(vault: AsyncVault, name: str) -> Outcome:
    if not name.strip():
        return Outcome("No Space is active now.", (), None)
    space = await vault.spaces.named(name)
    return Outcome(f"Working in {space.name}.", (), space.id)
