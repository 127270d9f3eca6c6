"""What a person does with a vault, action by action: each can be done again after it failed, as a person does it again."""

import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ricordo.conversation import Attachment, Reach, Role
from ricordo.errors import InvalidInput, NotFound, VaultExists
from ricordo.fact import Global, InSpace
from ricordo.transfer.source import Upload
from ricordo.vault import AsyncVault
from tests.embedders import HashEmbedder
from tests.faults.talk import have, scripted, sold
from tests.transfer import files
from tests.vaults import PASSPHRASE, events

Action = Callable[[AsyncVault], Awaitable[object]]
START = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)


def clock(day: int) -> Callable[[], datetime]:
    """Return a clock that stands still on a day."""
    return lambda: START + timedelta(days=day)


async def opened(path: Path, secret: str = PASSPHRASE, day: int = 0) -> AsyncVault:
    """Open a vault with the model of these stories and an embedder that costs nothing."""
    vault = await AsyncVault.open(path, secret, model=scripted(), clock=clock(day))
    vault._in_use._embedder = HashEmbedder()
    return vault


async def talk_named(vault: AsyncVault, title: str) -> int:
    """Return the conversation of that title."""
    return next(talk.id for talk in await vault.conversations.all() if talk.title == title)


async def said(vault: AsyncVault, title: str, text: str) -> int:
    """Return the last message with that text."""
    shown = await vault.conversations.messages(await talk_named(vault, title))
    return [message.id for message in shown if message.text == text][-1]


def saying(title: str, text: str) -> Action:
    """Say something and wait for the reply; where it was stored already, ask for the reply once more."""

    async def action(vault: AsyncVault) -> None:
        talk = await talk_named(vault, title)
        shown = await vault.conversations.messages(talk)
        if shown and shown[-1].role is Role.USER and shown[-1].text == text:
            await events(vault.retry(talk))
        else:
            await events(vault.reply(talk, text))

    return action


async def begin(vault: AsyncVault) -> None:
    """Switch on what is off, make a Space, begin two conversations."""
    await vault.set(global_memories=True, whole_diary=True)
    if not await vault.spaces.all():
        await vault.spaces.create("Cellar", "Count with care.")
    space = (await vault.spaces.named("Cellar")).id
    await vault.spaces.change(space, reach=Reach.SPACE)
    for title, where in (("Inside", space), ("Outside", None)):
        if title not in [talk.title for talk in await vault.conversations.all()]:
            await vault.conversations.create(title, where)


def exported() -> Upload:
    """Return an export of another program: five conversations."""
    talks = [files.simple(f"key{n}", have(100 + n), "Noted.", f"And one more for Ada Byron, number {n}.") for n in range(5)]
    return Upload("conversations.json", (("conversations.json", json.dumps(talks).encode()),))


async def bring(vault: AsyncVault) -> None:
    """Import it."""
    await vault.imports.bring(exported())


async def learn_from_import(vault: AsyncVault) -> None:
    """Have the first turns of it read."""
    (made,) = await vault.imports.all()
    await vault.imports.learn(made.id)
    await vault.learn()


async def undo_import(vault: AsyncVault) -> None:
    """Take it back."""
    for made in await vault.imports.all():
        await vault.imports.undo(made.id)


async def undo_last(vault: AsyncVault) -> None:
    """Take the last change back."""
    (last, *_) = await vault.changes.all()
    if last.undone is None:
        await vault.changes.undo(last.id)


async def by_hand(vault: AsyncVault) -> None:
    """Keep facts, pin one, share one, edit one."""
    space = (await vault.spaces.named("Cellar")).id
    known = [fact for fact in await vault.facts.all(Global()) if fact.text.startswith("Likes")]
    fact = known[0] if known else await vault.facts.add("Likes casks", Global())
    await vault.facts.pin(fact.id)
    inside = await vault.facts.add("The cellar key hangs by the door", InSpace(space))
    await vault.facts.share(inside.id)
    await vault.facts.edit(fact.id, "Likes old casks")
    await vault.facts.pin_message(await said(vault, "Outside", have(7)))


async def delete_fact(vault: AsyncVault) -> None:
    """Delete one."""
    for fact in await vault.facts.all():
        if fact.text == "Likes old casks":
            await vault.facts.delete(fact.id)


async def edit_message(vault: AsyncVault) -> None:
    """Say something else in place of what was said."""
    talk = await talk_named(vault, "Outside")
    shown = await vault.conversations.messages(talk)
    if shown[-1].text == have(9):
        await events(vault.retry(talk))
    else:
        await events(vault.edit(await said(vault, "Outside", have(7)), have(9)))


async def show_again(vault: AsyncVault) -> None:
    """Go back to the first version."""
    talk = await talk_named(vault, "Outside")
    shown = await vault.conversations.messages(talk)
    other = [key for keys in (await vault.conversations.versions(shown)).values() for key in keys]
    if have(9) in [message.text for message in shown]:
        await vault.show(min(other))


async def delete_message(vault: AsyncVault) -> None:
    """Delete what was said first in the Space."""
    with suppress(IndexError):
        await vault.conversations.delete_message(await said(vault, "Inside", have(1)))


async def draft(vault: AsyncVault) -> None:
    """Leave something half written, with a file."""
    talk = await talk_named(vault, "Inside")
    await vault.drafts.keep(talk, "Half a thought", [Attachment("list.txt", "text/plain", "casks\n" * 500)])


async def move(vault: AsyncVault) -> None:
    """Move a conversation into the Space."""
    await vault.conversations.move(await talk_named(vault, "Outside"), (await vault.spaces.named("Cellar")).id)


async def delete_talk(vault: AsyncVault) -> None:
    """Delete a conversation."""
    with suppress(StopIteration, RuntimeError):
        await vault.conversations.delete(await talk_named(vault, "Outside"))


async def delete_space(vault: AsyncVault) -> None:
    """Delete the Space, keep what was said in it."""
    with suppress(NotFound):
        await vault.spaces.delete((await vault.spaces.named("Cellar")).id, keep_conversations=True)


async def backup(vault: AsyncVault) -> None:
    """Make a backup."""
    with suppress(VaultExists):
        await vault.data.backup(Path(vault.path).with_name("copy.ricordo"))


async def keep_entry(vault: AsyncVault) -> None:
    """Just write."""
    talk = await talk_named(vault, "Inside")
    text = "A long walk with Ada Byron along the river. " * 40
    if text not in [message.text for message in await vault.conversations.messages(talk)]:
        await vault.write(talk, text)


async def clear_facts(vault: AsyncVault) -> None:
    """Clear all that is remembered."""
    await vault.facts.clear()


ACTIONS: dict[str, Action] = {
    "begin": begin,
    "say 1": saying("Inside", have(1)),
    "say 2": saying("Inside", have(2)),
    "say 3": saying("Inside", have(3)),
    "learn": lambda vault: vault.learn(),
    "say that one was moved": saying("Inside", "My barrel 2 is in the garden now."),
    "say that one was sold": saying("Inside", sold(3)),
    "say 4": saying("Inside", have(4)),
    "learn a change and a summary": lambda vault: vault.learn(),
    "say 7": saying("Outside", have(7)),
    "learn once more": lambda vault: vault.learn(),
    "just write": keep_entry,
    "embed": lambda vault: vault.embed(),
    "undo the last change": undo_last,
    "facts by hand": by_hand,
    "import": bring,
    "learn from the import": learn_from_import,
    "delete a fact": delete_fact,
    "edit a message": edit_message,
    "show the first version": show_again,
    "delete a message": delete_message,
    "draft": draft,
    "move a conversation": move,
    "embed again": lambda vault: vault.embed(),
    "backup": backup,
    "undo the import": undo_import,
    "delete a conversation": delete_talk,
    "delete the Space": delete_space,
    "clear the facts": clear_facts,
    "remove everything": lambda vault: vault.remove_data(),
}


async def told_to_do(vault: AsyncVault, name: str) -> None:
    """Do an action; a repeated one that has nothing left to do is no failure."""
    with suppress(InvalidInput):
        await ACTIONS[name](vault)
