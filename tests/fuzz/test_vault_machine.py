"""Whatever a person does in whatever order, the vault is what one in plain Python would be, also after locking and unlocking."""

import asyncio
import json
import pathlib
import re
import tempfile
from collections.abc import Coroutine
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ricordo.change import Removed, Saved
from ricordo.conversation import Role
from ricordo.errors import InvalidInput, SwitchedOff
from ricordo.fact import InConversation, InSpace, Origin
from ricordo.hit import MessageHit
from ricordo.transfer.source import Upload
from ricordo.vault import AsyncVault
from tests.embedders import HashEmbedder
from tests.faults import often
from tests.faults.sound import nothing_dangles, sound
from tests.faults.talk import have, scripted, sold
from tests.fuzz.plain import Plain, Told, same_fact
from tests.transfer import files
from tests.vaults import CHEAP, PASSPHRASE, events

T = TypeVar("T")
COUNT = {"steps": 0, "runs": 0}
NUMBER = re.compile(r"\d+")


class Machine(RuleBasedStateMachine):
    """A person at a vault, and the plain one beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / "diary.ricordo"
        self.time = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)
        self.number = 0
        self.sold: set[int] = set()
        self.plain = Plain()
        self.vault = self.run(AsyncVault.create(self.path, PASSPHRASE, cost=CHEAP, model=scripted(), clock=lambda: self.time))
        self.vault._in_use._embedder = HashEmbedder()
        COUNT["runs"] += 1

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something with the vault."""
        return self.runner.run(work)

    def next(self) -> int:
        """Return a number that was not used yet."""
        self.number += 1
        return self.number

    def teardown(self) -> None:
        self.run(sound(self.vault._database))
        self.run(self.vault.close())
        self.runner.close()
        self.folder.cleanup()

    # Where things stand

    @rule()
    def make_a_space(self) -> None:
        name = f"Space {self.next()}"
        made = self.run(self.vault.spaces.create(name))
        self.plain.spaces[made.id] = (name, True)

    @precondition(lambda self: self.plain.spaces)
    @rule(data=some.data(), memory=some.booleans())
    def switch_a_space(self, data: some.DataObject, memory: bool) -> None:
        key = data.draw(some.sampled_from(sorted(self.plain.spaces)))
        self.run(self.vault.spaces.change(key, memory=memory))
        self.plain.spaces[key] = (self.plain.spaces[key][0], memory)

    @precondition(lambda self: len(self.plain.spaces) > 1)
    @rule(data=some.data())
    def a_name_is_taken(self, data: some.DataObject) -> None:
        one, other = data.draw(some.permutations(sorted(self.plain.spaces)))[:2]
        with pytest.raises(InvalidInput, match="already"):
            self.run(self.vault.spaces.change(one, name=self.plain.spaces[other][0].upper()))

    @precondition(lambda self: self.plain.spaces)
    @rule(data=some.data(), keep=some.booleans())
    def delete_a_space(self, data: some.DataObject, keep: bool) -> None:
        key = data.draw(some.sampled_from(sorted(self.plain.spaces)))
        self.run(self.vault.spaces.delete(key, keep_conversations=keep))
        self.plain.gone_space(key, keep)

    @rule(data=some.data())
    def begin_a_conversation(self, data: some.DataObject) -> None:
        space = data.draw(some.sampled_from([None, *sorted(self.plain.spaces)]))
        made = self.run(self.vault.conversations.create(f"Talk {self.next()}", space))
        self.plain.begun(made.id, space)

    @precondition(lambda self: self.plain.talks)
    @rule(data=some.data())
    def move_a_conversation(self, data: some.DataObject) -> None:
        talk = self.a_talk(data)
        space = data.draw(some.sampled_from([None, *sorted(self.plain.spaces)]))
        self.run(self.vault.conversations.move(talk, space))
        self.plain.talks[talk] = space

    @precondition(lambda self: self.plain.talks)
    @rule(data=some.data())
    def delete_a_conversation(self, data: some.DataObject) -> None:
        talk = self.a_talk(data)
        self.run(self.vault.conversations.delete(talk))
        self.plain.gone_talk(talk)

    @rule(remember=some.booleans(), global_memories=some.booleans())
    def switch(self, remember: bool, global_memories: bool) -> None:
        self.run(self.vault.set(remember=remember, global_memories=global_memories))
        self.plain.remember, self.plain.global_memories = remember, global_memories

    @rule(seconds=some.integers(-400 * 86400, 400 * 86400) | some.sampled_from([-3600, 3600, 0]), hours=some.integers(-12, 14))
    def the_clock_is_moved(self, seconds: int, hours: int) -> None:
        self.time = (self.time + timedelta(seconds=seconds)).astimezone(timezone(timedelta(hours=hours)))

    # What is said

    @precondition(lambda self: self.plain.talks)
    @rule(data=some.data())
    def say(self, data: some.DataObject) -> None:
        talk = self.a_talk(data)
        self.spoken(talk, self.run(events(self.vault.reply(talk, have(self.next())))))

    @precondition(lambda self: self.to_sell())
    @rule(data=some.data())
    def say_that_it_is_gone(self, data: some.DataObject) -> None:
        talk, number = data.draw(some.sampled_from(self.to_sell()))
        self.sold.add(number)
        self.spoken(talk, self.run(events(self.vault.reply(talk, sold(number)))))

    @precondition(lambda self: self.plain.talks)
    @rule(data=some.data())
    def just_write(self, data: some.DataObject) -> None:
        talk = self.a_talk(data)
        entry = self.run(self.vault.write(talk, f"Entry zq{self.next()}x of a long day by the harbour, with Ada Byron."))
        self.stored(talk, entry.id, Role.USER, entry.text)
        self.waits(entry.id, talk)

    @precondition(lambda self: self.own())
    @rule(data=some.data())
    def edit(self, data: some.DataObject) -> None:
        key = data.draw(some.sampled_from(self.own()))
        talk = self.plain.told[key].talk
        seen = self.run(events(self.vault.edit(key, have(self.next()))))
        shown = self.plain.shown[talk]
        self.plain.shown[talk] = shown[: shown.index(key)]
        self.spoken(talk, seen)

    @precondition(lambda self: self.plain.told)
    @rule(data=some.data())
    def delete_a_message(self, data: some.DataObject) -> None:
        key = data.draw(some.sampled_from(sorted(self.plain.told)))
        talk = self.plain.told[key].talk
        self.run(self.vault.conversations.delete_message(key))
        self.plain.gone_message(key)
        self.branches_as_they_are(talk)

    @precondition(lambda self: self.plain.told)
    @rule(data=some.data())
    def show_another_version(self, data: some.DataObject) -> None:
        key = data.draw(some.sampled_from(sorted(self.plain.told)))
        talk = self.plain.told[key].talk
        self.run(self.vault.show(key))
        self.branches_as_they_are(talk)
        assert key in self.plain.shown[talk]

    # What is remembered

    @rule(data=some.data(), pinned=some.booleans())
    def keep_a_fact(self, data: some.DataObject, pinned: bool) -> None:
        home = data.draw(some.sampled_from(self.plain.homes()))
        text = f"Fact {self.next()} of mine"
        if not self.plain.may_add(home):
            with pytest.raises(SwitchedOff):
                self.run(self.vault.facts.add(text, home, pinned=pinned))
            return
        made = self.run(self.vault.facts.add(text, home, pinned=pinned))
        assert same_fact(made) == (text, Origin.USER, home, pinned, False)
        self.plain.facts[made.id] = made

    @precondition(lambda self: self.plain.told)
    @rule(data=some.data())
    def pin_a_message(self, data: some.DataObject) -> None:
        key = data.draw(some.sampled_from(sorted(self.plain.told)))
        told = self.plain.told[key]
        made = self.run(self.vault.facts.pin_message(key))
        assert (made.text, made.origin, made.home, made.pinned) == (told.text, Origin.USER, InConversation(told.talk), True)
        self.plain.facts[made.id] = made

    @precondition(lambda self: self.plain.facts)
    @rule(data=some.data(), what=some.sampled_from(["edit", "pin", "unpin", "share", "unshare", "delete"]))
    def change_a_fact(self, data: some.DataObject, what: str) -> None:
        key = data.draw(some.sampled_from(sorted(self.plain.facts)))
        fact = self.plain.facts[key]
        match what:
            case "edit":
                text = f"Fact {self.next()} in other words"
                self.run(self.vault.facts.edit(key, text))
                self.plain.facts[key] = replace(fact, text=text, origin=Origin.USER)
            case "pin" | "unpin":
                self.run(self.vault.facts.pin(key, what == "pin"))
                self.plain.facts[key] = replace(fact, pinned=what == "pin")
            case "share" | "unshare":
                self.run(self.vault.facts.share(key, what == "share"))
                self.plain.facts[key] = replace(fact, shared=what == "share")
            case _:
                self.run(self.vault.facts.delete(key))
                self.plain.gone_fact(key)

    @rule()
    def learn(self) -> None:
        turns = self.plain.can_learn()
        pinned = {(fact.text, fact.home) for fact in self.plain.facts.values()}
        told = self.told_of(turns, "I have")
        expected = {learned(number): home for number, home in told if (have(number), home) not in pinned}  # known already
        gone = {
            fact.id
            for number, home in self.told_of(turns, "I sold")
            for fact in self.plain.facts.values()
            if (fact.text, fact.origin, fact.home) == (learned(number), Origin.MODEL, home)
        }
        made = self.run(self.vault.learn())
        saved = [change.edit.after for change in made if isinstance(change.edit, Saved)]
        removed = [change.edit.before.id for change in made if isinstance(change.edit, Removed)]
        assert {fact.text: fact.home for fact in saved} == expected
        assert set(removed) == gone
        for change in made:
            self.plain.learned(change)
        self.plain.waiting = {
            key: home for key, home in self.plain.waiting.items() if key not in turns and self.plain.is_open(home)
        }

    @precondition(lambda self: self.plain.changes)
    @rule(data=some.data())
    def undo(self, data: some.DataObject) -> None:
        key = data.draw(some.sampled_from(sorted(self.plain.changes)))
        if not self.plain.can_undo(key):
            with pytest.raises(InvalidInput, match=r"\.$"):
                self.run(self.vault.changes.undo(key))
            return
        self.plain.undo(self.run(self.vault.changes.undo(key)))

    # In, out, and on again

    @rule(which=some.integers(1, 2))
    def bring(self, which: int) -> None:
        talks = [
            files.simple(f"{which}-{n}", f"Import {which}, {n}: what of the casks?", "Leave them.", "So be it, then.")
            for n in (1, 2)
        ]
        source = Upload(f"{which}.json", ((f"{which}.json", json.dumps(talks).encode()),))
        self.run(self.vault.imports.bring(source))
        for talk in self.run(self.vault.conversations.all()):
            if talk.id not in self.plain.talks:
                self.plain.begun(talk.id, None)
        self.imported_as_they_are()
        texts = sorted(
            told.text for told in self.plain.told.values() if told.imported and told.text.startswith(f"Import {which},")
        )
        assert texts == [f"Import {which}, {n}: what of the casks?" for n in (1, 2)]

    @rule(data=some.data())
    def undo_an_import(self, data: some.DataObject) -> None:
        made = self.run(self.vault.imports.all())
        if not made:
            return
        which = data.draw(some.sampled_from(made))
        self.run(self.vault.imports.undo(which.id))
        left = {talk.id for talk in self.run(self.vault.conversations.all())}
        own = {told.talk for told in self.plain.told.values() if not told.imported}
        assert left >= own, "what was written here stays"
        for talk in set(self.plain.talks) - left:
            self.plain.gone_talk(talk)
        self.imported_as_they_are()

    @rule()
    def embed(self) -> None:
        self.run(self.vault.embed())

    @precondition(lambda self: self.plain.told)
    @rule(data=some.data())
    def search(self, data: some.DataObject) -> None:
        shown = [key for keys in self.plain.shown.values() for key in keys if "zq" in self.plain.told[key].text]
        if shown:
            key = data.draw(some.sampled_from(shown))
            word = self.plain.told[key].text.split()[1]
            hits = self.run(self.vault.search(word))
            assert [hit.message.id for hit in hits if isinstance(hit, MessageHit)] == [key]

    @rule()
    def lock_and_unlock(self) -> None:
        self.run(sound(self.vault._database))
        self.run(self.vault.close())
        self.vault = self.run(AsyncVault.open(self.path, PASSPHRASE, model=scripted(), clock=lambda: self.time))
        self.vault._in_use._embedder = HashEmbedder()

    # Beside it

    def a_talk(self, data: some.DataObject) -> int:
        return data.draw(some.sampled_from(sorted(self.plain.talks)))

    def own(self) -> list[int]:
        """Return the shown messages of the person."""
        return sorted(key for keys in self.plain.shown.values() for key in keys if self.plain.told[key].role is Role.USER)

    def to_sell(self) -> list[tuple[int, int]]:
        """Return conversations in which something learned may be told to be gone, with its number: where it is at home."""
        found = []
        for talk in sorted(self.plain.talks):
            for fact in self.plain.facts.values():
                if fact.origin is Origin.MODEL and fact.home == self.plain.settled(talk):
                    number = int(NUMBER.findall(fact.text)[0])
                    found += [(talk, number)] if number not in self.sold else []
        return found

    def told_of(self, turns: dict[int, Any], beginning: str) -> list[tuple[int, Any]]:
        """Return the numbers of barrels in turns that begin so, with their homes."""
        texts = [(self.plain.told[key].text, home) for key, home in turns.items()]
        return [(int(NUMBER.findall(text)[0]), home) for text, home in texts if text.startswith(beginning)]

    def spoken(self, talk: int, seen: list[Any]) -> None:
        """Take note of a message and its reply."""
        asked, reply = seen[0].message, seen[-1].message
        self.stored(talk, asked.id, Role.USER, asked.text)
        self.stored(talk, reply.id, Role.MODEL, reply.text)
        self.waits(asked.id, talk)

    def stored(self, talk: int, key: int, role: Role, text: str) -> None:
        """Take note of a message."""
        assert key not in self.plain.told
        self.plain.told[key] = Told(talk, role, text)
        self.plain.shown[talk].append(key)

    def waits(self, key: int, talk: int) -> None:
        """Take note of a turn that waits, if it has somewhere to go."""
        home = self.plain.settled(talk)
        if home is not None:
            self.plain.waiting[key] = home

    def branches_as_they_are(self, talk: int) -> None:
        """Take over which messages are shown, where the plain vault does not know; they are those that are there."""
        self.plain.shown[talk] = [message.id for message in self.run(self.vault.conversations.messages(talk))]
        assert all(self.plain.told[key].talk == talk for key in self.plain.shown[talk])

    def imported_as_they_are(self) -> None:
        """Take over what an import brought or took; what was written here must be as it was."""
        rows = self.run(
            self.vault._database.read(
                lambda c: c.execute("select id, conversation, role, text, import is not null from messages").fetchall()
            )
        )
        there = {int(key): Told(int(talk), Role(role), str(text), bool(own)) for key, talk, role, text, own in rows}
        assert {key: each for key, each in there.items() if not each.imported} == {
            key: each for key, each in self.plain.told.items() if not each.imported
        }
        self.plain.told = there
        for talk in self.plain.talks:
            before = [key for key in self.plain.shown[talk] if key in there and not there[key].imported]
            self.branches_as_they_are(talk)
            now = [key for key in self.plain.shown[talk] if not there[key].imported]
            assert before == now or not before, "what is shown of what was written here stays so"
        self.plain.waiting = {key: home for key, home in self.plain.waiting.items() if key in there}

    @invariant()
    def the_vault_is_what_the_plain_one_is(self) -> None:
        COUNT["steps"] += 1
        self.run(self._compare())

    async def _compare(self) -> None:
        plain, vault = self.plain, self.vault
        await vault._database.read(nothing_dangles)
        assert {space.id: (space.name, space.memory) for space in await vault.spaces.all()} == plain.spaces
        talks = await vault.conversations.all()
        assert {talk.id: talk.space for talk in talks} == plain.talks
        assert {talk.id: talk.messages for talk in talks} == {talk: len(keys) for talk, keys in plain.shown.items()}
        for talk in plain.talks:
            shown = await vault.conversations.messages(talk)
            assert [message.id for message in shown] == plain.shown[talk]
            assert [(message.role, message.text) for message in shown] == [
                (plain.told[key].role, plain.told[key].text) for key in plain.shown[talk]
            ]
        assert {fact.id: same_fact(fact) for fact in await vault.facts.all()} == {
            key: same_fact(fact) for key, fact in plain.facts.items()
        }
        assert {change.id: change.undone is None for change in await vault.changes.all()} == {
            key: change.undone is None for key, change in plain.changes.items()
        }
        rows = await vault._database.read(lambda c: c.execute("select message from waiting").fetchall())
        waits = {int(row[0]) for row in rows}
        assert waits == set(plain.waiting) & waits | {key for key, home in plain.waiting.items() if self._still(home)}

    def _still(self, home: Any) -> bool:
        """Say whether a turn that goes there waits for certain: one whose Space is gone is dropped at the next reading."""
        return not isinstance(home, InSpace) or home.space in self.plain.spaces


def learned(number: int) -> str:
    """Return what is learned of a barrel."""
    return f"The user has barrel {number} in the cellar."


Machine.TestCase.settings = settings(
    max_examples=often.often(12, 400),
    stateful_step_count=often.often(40, 60),
    suppress_health_check=list(HealthCheck),
    deadline=None,
    phases=[Phase.generate],  # making a failure shorter takes many minutes: its steps are printed as they were
    report_multiple_bugs=False,
)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.req("W4", "U2", "S4", "E17", "V3", "I6", "S1")
def test_the_vault_is_what_a_plain_one_would_be() -> None:
    """Spaces, conversations, versions, facts, what was learned and taken back, imports, the clock, locking."""
    case = Machine.TestCase()
    case.runTest()
    often.told("things done to a vault beside a plain one", COUNT["steps"], "the same after each")
