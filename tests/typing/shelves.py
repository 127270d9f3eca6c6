"""Every method of every shelf of a vault in use, for the type checker alone: nothing here is ever run."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import assert_type

from ricordo import Vault
from ricordo.conversation import Conversation, Message, Space, Summary
from ricordo.diary import Day, Entry, WrittenDay
from ricordo.explanation import Explanation
from ricordo.fact import Fact, Home
from ricordo.imported import Import, Imported, Preview, Undoing
from ricordo.memory import Kind, Listed, Sieve
from ricordo.run import Run
from ricordo.standing import Soundness
from ricordo.token import Token, TokenScope


def places(vault: Vault) -> None:
    """Spaces, conversations, drafts."""
    assert_type(vault.spaces.all(), list[Space])
    space = vault.spaces.named("Garden")
    assert_type(vault.spaces.get(space.id), Space)
    talk = vault.conversations.all()[0]
    assert_type(vault.conversations.get(talk.id), Conversation)
    assert_type(vault.conversations.rename(talk.id, "Seeds"), Conversation)
    assert_type(vault.conversations.move(talk.id, None), Conversation)
    stretch = vault.conversations.stretch(talk.id, around=7, limit=20)
    assert_type(vault.conversations.versions(list(stretch.messages)), dict[int, tuple[int, ...]])
    assert_type(vault.conversations.explain(7), Explanation)
    assert_type(vault.conversations.learned_from(7), list[Fact])
    assert_type(vault.conversations.delete_message(7), list[int])
    assert_type(vault.conversations.summary(talk.id), Summary | None)
    assert_type(vault.conversations.edit_summary(talk.id, "Decisions: figs."), Summary)
    vault.conversations.delete_summary(talk.id)
    vault.conversations.delete(talk.id)
    vault.spaces.delete(space.id, keep_conversations=True)
    vault.drafts.keep(None, "Half a thought")
    for draft in vault.drafts.all():
        assert_type(draft.text, str)


def memories(vault: Vault) -> None:
    """Facts, what else is remembered, what the model did."""
    assert_type(vault.facts.count(), dict[Home, int])
    assert_type(vault.facts.sent(), frozenset[int])
    fact = vault.facts.remember("Sails")
    assert_type(vault.facts.get(fact.id), Fact)
    assert_type(vault.facts.pin(fact.id), Fact)
    assert_type(vault.facts.share(fact.id, shared=False), Fact)
    assert_type(vault.facts.pin_message(7), Fact)
    assert_type(vault.facts.matching("sails"), list[Fact])
    assert_type(vault.facts.delete(fact.id), Fact)
    assert_type(vault.facts.clear(Sieve(), expected=0), int)
    assert_type(vault.memories.count(), dict[Kind, int])
    assert_type(vault.memories.facts((Kind.NOTE,), offset=100), list[Listed])
    assert_type(vault.memories.summaries(), list[Summary])
    assert_type(vault.memories.excerpts(limit=10), list[Message])
    assert_type(vault.changes.runs(), list[Run])
    assert_type(vault.changes.waiting(), int)
    for unread in vault.changes.unread():
        assert_type(unread.reason, str)


def diary(vault: Vault) -> None:
    """Days and entries."""
    today = vault.diary.today()
    assert_type(vault.diary.written(2024, 5), list[WrittenDay])
    assert_type(vault.diary.between(date(2024, 5, 1), today, limit=10), tuple[list[Entry], int])
    assert_type(vault.diary.first(), Entry | None)
    assert_type(vault.diary.last(), Entry | None)
    assert_type(vault.diary.before(today), date | None)
    assert_type(vault.diary.after(today), date | None)
    assert_type(vault.diary.on_this_day(today), list[Day])
    assert_type(vault.diary.reply(7), Message | None)


def data(vault: Vault, path: Path) -> None:
    """What goes out and comes in, and who may."""
    vault.data.backup(path, lambda done, total: None)
    assert_type(vault.data.soundness(), Soundness)
    assert_type(next(vault.data.json()), bytes)
    assert_type(next(vault.data.markdown()), bytes)
    vault.data.export(path)
    assert_type(vault.imports.preview(path), Preview)
    assert_type(vault.imports.bring(path, "diary", progress=lambda done, total: None), Imported)
    assert_type(vault.imports.all(), list[Import])
    assert_type(vault.imports.get(1), Import)
    assert_type(vault.imports.learn(1, on=False), Import)
    assert_type(vault.imports.undoing(1), Undoing)
    assert_type(vault.imports.undo(1), Undoing)
    token, secret = vault.tokens.create("A program", scope=TokenScope.READ)
    assert_type(vault.tokens.all(), list[Token])
    assert_type(vault.tokens.of_secret(secret), Token | None)
    assert_type(vault.tokens.revoke(token.id), Token)
