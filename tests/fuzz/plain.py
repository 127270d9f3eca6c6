"""A vault in plain Python: what must be in the real one after each thing a person does, by the words of the specification."""

from dataclasses import dataclass, field, replace

from ricordo.change import Change, Removed, Saved, Updated
from ricordo.conversation import Role
from ricordo.fact import Fact, Global, Home, InConversation, InSpace, Origin


@dataclass(frozen=True)
class Told:
    """A message that is there: where, whose, its words, and whether it was imported."""

    talk: int
    role: Role
    text: str
    imported: bool = False


@dataclass
class Plain:
    """What is there. `shown` are the messages of each conversation's shown branch; `waiting` the turns, with their home."""

    remember: bool = True
    global_memories: bool = False
    spaces: dict[int, tuple[str, bool]] = field(default_factory=dict)
    talks: dict[int, int | None] = field(default_factory=dict)
    told: dict[int, Told] = field(default_factory=dict)
    shown: dict[int, list[int]] = field(default_factory=dict)
    facts: dict[int, Fact] = field(default_factory=dict)
    changes: dict[int, Change] = field(default_factory=dict)
    waiting: dict[int, Home] = field(default_factory=dict)

    def settled(self, talk: int) -> Home | None:
        """Return where what is said in a conversation goes now (W4)."""
        space = self.talks[talk]
        if not self.remember:
            return None
        if space is not None:
            return InSpace(space) if self.spaces[space][1] else None
        return Global() if self.global_memories else InConversation(talk)

    def is_open(self, home: Home) -> bool:
        """Say whether something may be learned for a home."""
        match home:
            case Global():
                return self.remember and self.global_memories
            case InSpace(space):
                return self.remember and space in self.spaces and self.spaces[space][1]
            case InConversation(talk):
                return self.remember and talk in self.talks

    def may_add(self, home: Home) -> bool:
        """Say whether the person may add a fact there: it is there, and its memory is on."""
        match home:
            case Global():
                return self.global_memories
            case InSpace(space):
                return space in self.spaces and self.spaces[space][1]
            case InConversation(talk):
                return talk in self.talks

    def homes(self) -> list[Home]:
        """Return every home there is."""
        return [Global(), *(InSpace(key) for key in self.spaces), *(InConversation(key) for key in self.talks)]

    def begun(self, talk: int, space: int | None) -> None:
        """A conversation is there."""
        self.talks[talk] = space
        self.shown[talk] = []

    def gone_message(self, key: int) -> None:
        """A message is deleted: its turn waits no more; facts learned from it stay (S4)."""
        told = self.told.pop(key)
        self.waiting.pop(key, None)
        self.shown[told.talk] = [each for each in self.shown[told.talk] if each != key]

    def gone_talk(self, talk: int) -> None:
        """A conversation is deleted, with all that is at home there (S4)."""
        for key in [key for key, told in self.told.items() if told.talk == talk]:
            self.gone_message(key)
        self._gone_home(InConversation(talk))
        del self.talks[talk], self.shown[talk]

    def gone_space(self, space: int, keep: bool) -> None:
        """A Space is deleted with its memory; its conversations move out or go (S1)."""
        for talk in [talk for talk, where in self.talks.items() if where == space]:
            if keep:
                self.talks[talk] = None
            else:
                self.gone_talk(talk)
        self._gone_home(InSpace(space))
        del self.spaces[space]

    def _gone_home(self, home: Home) -> None:
        for key in [key for key, fact in self.facts.items() if fact.home == home]:
            self.gone_fact(key)
        self.changes = {key: each for key, each in self.changes.items() if _fact(each).home != home}

    def gone_fact(self, key: int) -> None:
        """The person deleted a fact: its log goes too."""
        del self.facts[key]
        self.changes = {number: each for number, each in self.changes.items() if _fact(each).id != key}

    def can_undo(self, key: int) -> bool:
        """Say whether a change can be taken back: not yet, and the fact is as it was left (U2)."""
        change = self.changes[key]
        if change.undone is not None:
            return False
        match change.edit:
            case Saved(after) | Updated(_, after):
                there = self.facts.get(after.id)
                return there is not None and (there.text, there.origin) == (after.text, after.origin)
            case Removed(before):
                return before.home in self.homes()

    def undo(self, change: Change) -> None:
        """A change is taken back."""
        self.changes[change.id] = change
        match change.edit:
            case Saved(after):
                del self.facts[after.id]
            case Updated(before, after):
                there = self.facts[after.id]
                self.facts[after.id] = replace(before, pinned=there.pinned, shared=there.shared)
            case Removed(before):
                self.facts[before.id] = before

    def learned(self, change: Change) -> None:
        """The model changed something."""
        self.changes[change.id] = change
        match change.edit:
            case Saved(after) | Updated(_, after):
                self.facts[after.id] = after
            case Removed(before):
                del self.facts[before.id]

    def can_learn(self) -> dict[int, Home]:
        """Return the turns that are read now: those shown, whose home is open."""
        return {key: home for key, home in self.waiting.items() if self.is_open(home) and key in self.shown[self.told[key].talk]}


def _fact(change: Change) -> Fact:
    return change.edit.before if isinstance(change.edit, Removed) else change.edit.after


def same_fact(fact: Fact) -> tuple[str, Origin, Home, bool, bool]:
    """Return what of a fact must be the same; when it was edited is not told here."""
    return fact.text, fact.origin, fact.home, fact.pinned, fact.shared
