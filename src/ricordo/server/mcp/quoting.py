"""Results of tools: what the vault holds, quoted, with where it is from. Long texts are cut around what was found."""

from __future__ import annotations

from collections.abc import Iterable

from ricordo.conversation import Conversation, Message, Role
from ricordo.diary import Entry
from ricordo.errors import NotFound
from ricordo.fact import Fact, InConversation, InSpace, Origin
from ricordo.hit import Hit, MessageHit
from ricordo.server.schemas.mcp import Quote, Source
from ricordo.vault import AsyncVault

_MOST_LETTERS = 4000  # of one quote: a page and a half
_AROUND = 400  # letters shown on either side of the piece that was found


class Quoting:
    """Makes quotes for one call: what it looks up of conversations and Spaces it looks up once.

    With `within` no conversation outside that Space is named.
    """

    def __init__(self, vault: AsyncVault, within: int | None) -> None:
        self._vault, self._within = vault, within
        self._conversations: dict[int, Conversation | None] = {}
        self._spaces: dict[int, str] | None = None

    async def hits(self, found: Iterable[Hit]) -> list[Quote]:
        """Return what a search found."""
        return [await self._hit(hit) for hit in found]

    async def entries(self, found: Iterable[Entry]) -> list[Quote]:
        """Return entries of the diary."""
        return [await self._message(entry.message, 0, _MOST_LETTERS) for entry in found]

    async def fact(self, fact: Fact, source: int | None = None) -> Quote:
        """Return a fact; `source` is the conversation that it was learned from."""
        match fact.home:
            case InSpace(home):
                space = await self._space(home)
            case InConversation(conversation):
                source, space = source or conversation, None
            case _:
                space = None
        from_there = await self._source(source) if source is not None else None
        return Quote(
            kind="memory",
            id=fact.id,
            said_by="person" if fact.origin is Origin.USER else "model",
            at=fact.created.local,
            text=fact.text[:_MOST_LETTERS],
            cut=len(fact.text) > _MOST_LETTERS,
            space=space or (from_there.space if from_there else None),
            source=from_there,
        )

    async def _hit(self, hit: Hit) -> Quote:
        if not isinstance(hit, MessageHit):
            return await self.fact(hit.fact)
        start = max(0, hit.start - _AROUND)
        return await self._message(hit.message, start, min(hit.stop + _AROUND, start + _MOST_LETTERS))

    async def _message(self, message: Message, start: int, stop: int) -> Quote:
        source = await self._source(message.conversation)
        mine = message.role is Role.USER
        return Quote(
            kind="entry" if mine else "reply",
            id=message.id,
            said_by="person" if mine else "model",
            at=message.at.local,
            text=message.text[start:stop],
            cut=start > 0 or stop < len(message.text),
            space=source.space if source else None,
            source=source,
        )

    async def _source(self, key: int) -> Source | None:
        if key not in self._conversations:
            try:
                self._conversations[key] = await self._vault.conversations.get(key)
            except NotFound:
                self._conversations[key] = None
        found = self._conversations[key]
        if found is None or (self._within is not None and found.space != self._within):
            return None
        return Source(conversation=found.id, title=found.title, space=await self._space(found.space))

    async def _space(self, key: int | None) -> str | None:
        if key is None:
            return None
        if self._spaces is None:
            self._spaces = {space.id: space.name for space in await self._vault.spaces.all()}
        return self._spaces.get(key)
