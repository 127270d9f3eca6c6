"""Memory for conversations that somebody else keeps: a client sends all that was said each time and calls the model itself.

The one rule: what is added to a client's messages is never stored or learned from; what is stored is what was said.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from apsw import Connection

from ricordo.background import Background
from ricordo.clients import transcript
from ricordo.clients.prepared import Client, Prepared, with_memory
from ricordo.clients.taking_in import take_in, take_in_reply
from ricordo.clients.transcript import Sent, Transcript
from ricordo.conversation import Message, Moment, Reach, Role, Scope, Status
from ricordo.desk import Desk
from ricordo.errors import InvalidInput, NotFound
from ricordo.events import Announcement, ListChanged
from ricordo.fact import InConversation, InSpace
from ricordo.in_use import InUse
from ricordo.letters import whole
from ricordo.models.tokens import PER_MESSAGE, PER_PROMPT
from ricordo.prompt import Budget, ChatMessage, Trace, Usage
from ricordo.recall import beside, lookup, material, quotes, references
from ricordo.recall.beside import Beside, Told
from ricordo.recall.budget import shares
from ricordo.recall.gather import Where
from ricordo.recall.material import Material
from ricordo.recall.recalling import Asked, Means, Recalled, recall
from ricordo.recall.references import Reference
from ricordo.store import chains, facts, messages, surroundings, vectors
from ricordo.store.chains import Known

_PART = 300  # tokens that a picture or the like may take, roughly
_CARRIED = 256  # conversations whose additions are remembered word for word; others begin a new epoch
_ROLES = ("system", "user", "assistant")


@dataclass(frozen=True, slots=True)
class _Reading:
    """What was read for one request."""

    material: Material
    scope: Scope
    known: Known | None
    before: Beside | None
    named: Sequence[Reference]
    global_facts: bool
    searchable: bool  # whether the scope holds more than the client and the fixed part show
    embedded: bool  # whether anything is
    elsewhere: frozenset[int]  # facts that a confined client must not see


class Alongside:
    """Prepares a client's messages with memory, stores what is new in them, and learns from the reply."""

    def __init__(
        self, in_use: InUse, background: Background, now: Callable[[], Moment], announce: Callable[[Announcement], None]
    ) -> None:
        self._in_use, self._background, self._now, self._announce = in_use, background, now, announce

    async def compose(self, sent: Sequence[Sent], client: Client) -> Prepared:
        """Return a client's messages with memory added; nothing is stored yet. Raises InvalidInput, NotFound."""
        started = time.perf_counter()
        desk = await self._in_use.desk()
        said = transcript.read(sent, client.user, desk.digest)
        if said is None:
            raise InvalidInput("There is no message of the person to reply to.")
        budget, now = await desk.budget(), self._now()
        reading = await desk.database.look(lambda c: _read(c, desk, said, client, now))
        known = reading.known
        told = Told(
            [each.chain for each in said.said if each.role is Role.USER],
            sum(_tokens(desk, message) for message in sent) + PER_PROMPT,
            known is None or known.whole,
            (reading.scope.reach, client.space if client.confined else None),
            known.messages if known else (),
        )
        bare = Prepared(tuple(map(dict, sent)), None, {}, said, client, now, budget)
        model, found = desk.model.name, reading.material
        if not beside.room_for(told, budget, found.instructions, desk.count):
            return bare
        going_on = beside.going_on(found, told, model, reading.before)
        base = going_on or beside.begin(found, told, budget, model, desk.count)
        recalled = Recalled()
        if told.messages[-1] not in base.blocks:
            recalled = await _recalled(desk, reading, base, said, sent, budget)
            found = replace(found, recalled=recalled.found)
        added = beside.add(found, told, budget, desk.count, base)
        if added is None:  # what was added to earlier messages goes: the window is full
            base = beside.begin(found, told, budget, model, desk.count)
            added = beside.add(found, told, budget, desk.count, base)
        if added is None:
            return bare
        if known is not None:
            _carry(desk, known.conversation, added.beside)
        return with_memory(bare, added, recalled.steps, time.perf_counter() - started)

    async def keep(self, prepared: Prepared) -> Prepared:
        """Store what is new in a client's messages; return what was prepared with the ids. Raises StorageFull, NotFound."""
        desk = await self._in_use.desk()
        talk, asked, begun = await desk.database.write(lambda c: take_in(c, prepared, desk.settings))
        if prepared.beside is not None:
            _carry(desk, talk, prepared.beside)
        for change in (*([ListChanged("conversations")] if begun else []), ListChanged("messages", talk)):
            self._announce(change)
        return replace(prepared, conversation=talk, asked=asked)

    async def record(
        self, prepared: Prepared, reply: str, status: Status, model: str, usage: Usage, timings: Mapping[str, float]
    ) -> Message | None:
        """Store a reply in place of an earlier one to the same message, and let its turn be learned from if it is whole.

        Returns None where there is nothing to store, or its message was deleted meanwhile.
        """
        talk, asked = prepared.conversation, prepared.asked
        if talk is None or asked is None or not reply.strip():
            return None
        desk = await self._in_use.desk()
        said = prepared.transcript.reply(reply)
        trace = Trace(
            tuple((layer.name, layer.tokens) for layer in prepared.layers),
            prepared.budget, prepared.shown, usage, {"recalled": prepared.seconds, **timings}, prepared.steps,
        )  # fmt: skip

        new = messages.NewMessage(Role.MODEL, said.text, self._now(), status, whole(model) or desk.model.name)
        try:
            return await desk.database.write(
                lambda c: take_in_reply(c, talk, asked, said, new, trace), ListChanged("messages", talk)
            )
        except NotFound:
            return None
        finally:
            self._background.wake()


def _carry(desk: Desk, conversation: int, sent: Beside) -> None:
    desk.carried.pop(conversation, None)
    desk.carried[conversation] = sent
    if len(desk.carried) > _CARRIED:
        del desk.carried[next(iter(desk.carried))]


def _read(connection: Connection, desk: Desk, said: Transcript, client: Client, now: Moment) -> _Reading:
    only = client.space if client.confined else None
    known = chains.find(connection, said.said, client.key, only, now)
    talk = known.conversation if known else None
    stored = known.after if known and known.said == len(said.said) and known.after else 0
    message = Message(
        stored, talk or 0, None, Role.USER, said.asked.text, now, Status.COMPLETE, attachments=said.asked.attachments
    )
    space = material.space_of(connection, talk, client.space)
    scope = material.scope_of(talk, space, desk.settings)
    if client.confined and scope.reach is Reach.VAULT:
        scope = replace(scope, reach=Reach.SPACE)
    before = desk.carried.get(talk or 0)
    if before and not quotes.stand(connection, before.quotes, scope, desk.settings):
        before = None
    found = material.read(
        connection, message, space, desk.settings, desk.kept,
        stored=bool(stored), first=None, as_of=before.as_of if before else None, prompt_tokens=0, now=now,
    )  # fmt: skip
    named = references.find(message.text, now, desk.zone())
    looked_up = lookup.found(connection, message, scope, desk.zone(), named, told_above=len(said.said) > 1)
    found = replace(found, turns=(), references=looked_up)
    elsewhere: frozenset[int] = frozenset()
    if client.confined:
        own = (InSpace(client.space or 0), InConversation(talk or 0))
        pinned = [fact for fact in found.pinned if fact.home in own]
        found = replace(found, global_facts=(), pinned=pinned)
        elsewhere = frozenset(fact.id for fact in facts.listed(connection) if fact.shared and fact.home not in own)
    global_facts = desk.settings.global_memories and not client.confined
    searchable = surroundings.anything(
        connection, scope, {stored, *(known.messages if known else ())}, {*(before.facts if before else ()), *elsewhere},
        global_ones=global_facts,
    )  # fmt: skip
    embedded = vectors.any_set(connection)
    return _Reading(found, scope, known, before, named, global_facts, searchable, embedded, elsewhere)


def _tokens(desk: Desk, message: Sent) -> int:
    content = message.get("content")
    others = sum(not (isinstance(part, dict) and "text" in part) for part in content) if isinstance(content, list) else 0
    called = str(message["tool_calls"]) if message.get("tool_calls") else ""
    return desk.count(transcript.text_of(content)) + desk.count(called) + others * _PART + PER_MESSAGE


async def _recalled(
    desk: Desk, reading: _Reading, base: Beside, said: Transcript, sent: Sequence[Sent], budget: Budget
) -> Recalled:
    """Return what helps with the newest message, out of all that is in reach."""
    found = reading.material
    looked_up = {entry.key for each in found.references for entry in each.entries if entry.key is not None}
    embedder = desk.embedder()
    where = Where(
        reading.scope,
        found.now,
        desk.zone(),
        embedder.name if embedder else None,
        without_messages={found.message.id, *(reading.known.messages if reading.known else ()), *looked_up},
        without_facts={*base.facts, *reading.elsewhere},
        global_facts=reading.global_facts,
    )
    asked = Asked(
        found.message,
        _shown(said, sent, base),
        reading.named,
        shares(budget.block)["recalled"],
        searchable=reading.searchable,
        embedded=reading.embedded,
        told_above=len(said.said) > 1 or bool(base.facts),
    )
    seconds = desk.settings.foreground_seconds
    means = Means(desk.database, desk.model, embedder, desk.forms, desk.count, seconds)
    return await recall(means, asked, where)


def _shown(said: Transcript, sent: Sequence[Sent], base: Beside) -> list[ChatMessage]:
    """Return the texts ahead of the newest message as its model is shown them, so that a question aside finds them read."""
    blocks = {each.place: base.blocks.get(each.chain, "") for each in said.said}
    texts = [
        (str(each["role"]), blocks.get(place, "") + transcript.text_of(each.get("content")))
        for place, each in enumerate(sent[: said.asked.place])
        if each.get("role") in _ROLES
    ]
    system = [text for role, text in texts if role == "system"]
    shown = [ChatMessage("system", "\n\n".join(text for text in (*system, base.text) if text))]
    for role, text in texts:
        if role != "system" and text.strip():
            shown.append(ChatMessage("user" if role == "user" else "assistant", text))
    return shown
