"""The public names of the library in use, for the type checker alone: nothing here is ever run. Shelves stand in shelves.py.

`test_typing.py` has mypy read it strictly, as a caller's own code, and holds that no public method is left out.
"""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import assert_never, assert_type

from ricordo import AsyncVault, Vault, __version__, fetch_model
from ricordo.change import Change, Removed, Saved, Updated
from ricordo.conversation import Attachment, Conversation, Message, Reach, Space, Status, Summary
from ricordo.errors import RicordoError, WrongPassphrase
from ricordo.events import (
    Announcement,
    MessageStored,
    MeterChanged,
    ReplyDone,
    ReplyFailed,
    TextDelta,
    ThoughtDelta,
    TurnEvent,
)
from ricordo.fact import Fact, Global, Home, InConversation, InSpace
from ricordo.hit import Hit
from ricordo.prompt import Prompt
from ricordo.settings import Settings
from ricordo.standing import Ability

assert_type(__version__, str)
assert_type(fetch_model(), Path)
assert_type(fetch_model(lambda done, total: None), Path)


def what_came(event: TurnEvent) -> str:
    """Every event of a reply, and no other."""
    match event:
        case TextDelta(text) | ThoughtDelta(text):
            return text
        case MessageStored(message) | ReplyDone(message, _):
            return assert_type(message, Message).text
        case ReplyFailed(asked, kept, reason):
            assert_type(kept, Message | None)
            return asked.text + reason
        case MeterChanged(_, layers, budget):
            return f"{layers[0].name}: {layers[0].tokens} of {budget.window}"
        case _:
            assert_never(event)


def what_changed(change: Change) -> Fact:
    """Every kind of change."""
    match change.edit:
        case Saved(fact) | Updated(_, fact) | Removed(fact):
            return fact
        case _:
            assert_never(change.edit)


def where(home: Home) -> int | None:
    """Every home of a fact."""
    match home:
        case Global():
            return None
        case InSpace(space):
            return space
        case InConversation(conversation):
            return conversation
        case _:
            assert_never(home)


def plainly(path: Path) -> None:
    """The vault without an event loop."""
    try:
        with Vault.create(path, "a passphrase", clock=lambda: datetime.now().astimezone()) as vault:
            assert_type(vault, Vault)
            assert_type(vault.recovery_key, str | None)
            talking(vault)
            keeping(vault)
            beside(vault)
            about(vault)
    except WrongPassphrase as error:
        assert isinstance(error, RicordoError)
    Vault.open(path, "a passphrase").close()


def talking(vault: Vault) -> None:
    """What is said."""
    reply = vault.ask("Hello", attachments=[Attachment("list.txt", "text/plain", "figs")])
    assert_type(reply, Message)
    for event in vault.reply(reply.conversation, "Hello"):
        what_came(event)
    for event in vault.edit(reply.id, "Hello again"):
        what_came(event)
    for event in vault.retry(reply.conversation):
        what_came(event)
    assert_type(vault.write(reply.conversation, "An entry."), Message)
    assert_type(vault.show(reply.id), Message)
    assert_type(vault.stop(reply.conversation), bool)
    private = vault.private()
    assert vault.private_named(private.key).messages == private.messages
    for event in private.reply("Between us"):
        what_came(event)
    for event in private.retry():
        what_came(event)
    assert_type(private.stop(), bool)
    private.end()


def keeping(vault: Vault) -> None:
    """What is kept."""
    space = vault.spaces.create("Garden", "Be brief.")
    assert_type(space, Space)
    assert_type(vault.spaces.change(space.id, memory=False, reach=Reach.SPACE), Space)
    talk = vault.conversations.create("Seeds", space.id)
    assert_type(talk, Conversation)
    assert_type(vault.conversations.messages(talk.id), list[Message])
    fact = vault.facts.add("Sings alto", InSpace(space.id), pinned=True)
    assert_type(fact, Fact)
    where(fact.home)
    vault.facts.edit(fact.id, "Sings soprano")
    assert_type(vault.facts.all(), list[Fact])
    for change in vault.changes.all():
        what_changed(vault.changes.undo(change.id))
    vault.diary.day(date(2024, 5, 3))
    assert_type(vault.search("harbour", space=space.id, limit=5), list[Hit])
    assert_type(vault.prompt("Hello", talk.id), Prompt)
    assert_type(vault.summarise(talk.id), Summary | None)


def beside(vault: Vault) -> None:
    """A model of one's own."""
    prepared = vault.prepare([{"role": "user", "content": "Hello"}], conversation="mine", space=None)
    for message in prepared.messages:
        str(message["content"])
    assert_type(vault.record(prepared, "Hello!", status=Status.COMPLETE, model="mine"), Message | None)
    vault.work_in_background()
    assert_type(vault.learn(), tuple[Change, ...])
    vault.embed()
    vault.try_unread()


def about(vault: Vault) -> None:
    """The vault itself."""
    assert_type(vault.set(whole_diary=True), Settings)
    assert_type(vault.settings.window, int)
    assert_type(vault.path, str)
    assert_type(vault.held_up, float)
    assert_type(vault.commits, int)
    vault.now()
    vault.zone()
    assert_type(vault.try_model(), tuple[str, float])
    vault.skill()
    assert_type(vault.probe(), Ability)
    vault.try_out()
    vault.by_meaning()
    vault.check_passphrase("a passphrase")
    vault.change_passphrase("a passphrase", "another")
    assert_type(vault.new_recovery_key("another"), str)
    home: Home = Global()
    assert_type(vault.remember_for("a program", "Sails", home), tuple[Fact, bool])
    assert_type(vault.forget_for("a program", 1), Fact)
    vault.remove_data()
    for announcement in vault.events():
        assert_type(announcement, Announcement)


async def in_a_loop(path: Path) -> None:
    """The same with `await`."""
    async with await AsyncVault.open(path, "a passphrase") as vault:
        assert_type(vault, AsyncVault)
        reply = await vault.ask("Hello")
        async for event in vault.reply(reply.conversation, "Hello"):
            what_came(event)
        assert_type(await vault.facts.all(Global()), list[Fact])
        assert_type(await vault.conversations.messages(reply.conversation), list[Message])
