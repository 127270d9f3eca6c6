"""The shelf of tokens: what lets programs in. A token is shown once, when it is made; the vault keeps its hash."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from ricordo.conversation import Moment
from ricordo.errors import VaultError
from ricordo.events import Announcement, ListChanged
from ricordo.store import tokens
from ricordo.store.connection import Database
from ricordo.token import Token, TokenScope

_OPENING = "ricordo_"  # so that a token is known for one, to a person and to what looks for secrets in files
_NOTED_EVERY = 60 * 1_000_000  # microseconds between two notes of a token's use: each is a write to the disk


class Tokens:
    """The tokens of a vault, by which programs come in while it is unlocked."""

    def __init__(self, database: Database, now: Callable[[], Moment]) -> None:
        self._database, self._now = database, now
        self._known: dict[bytes, Token] | None = None  # every token, by its hash, since a program was last let in
        self._noting: set[asyncio.Task[None]] = set()
        database.observe(self._changed)

    def _changed(self, what: Announcement) -> None:
        if isinstance(what, ListChanged) and what.what in ("tokens", "spaces", "everything"):
            self._known = None

    async def all(self) -> list[Token]:
        """Return all tokens, the newest first."""
        await asyncio.gather(*self._noting)
        return await self._database.read(tokens.listed)

    async def create(self, name: str, *, scope: TokenScope = TokenScope.WRITE, space: int | None = None) -> tuple[Token, str]:
        """Make a token; return it, and the secret that its program sends, which is nowhere else.

        With `space` it is for that Space alone. Raises InvalidInput without a name or with one that is taken, NotFound.
        """
        secret = _OPENING + secrets.token_urlsafe(32)
        made = await self._database.write(
            lambda c: tokens.create(c, name, scope, space, _digest(secret), self._now()), ListChanged("tokens")
        )
        return made, secret

    async def revoke(self, token: int) -> Token:
        """Let a token's program in no more; returns what it was. Raises NotFound."""
        return await self._database.write(lambda c: tokens.revoke(c, token), ListChanged("tokens"))

    async def of_secret(self, secret: str) -> Token | None:
        """Return the token that a program sent, None when there is none, and take note that it was used.

        Nobody waits for that: a program that reads would else wait for whatever is being written, or keeps the file locked.
        """
        if self._known is None:
            self._known = await self._database.read(tokens.by_digest)
        digest, now = _digest(secret), self._now()
        token = self._known.get(digest)
        if token is not None and (token.last_used is None or abs(now.utc - token.last_used.utc) >= _NOTED_EVERY):
            self._known[digest] = token = replace(token, last_used=now)
            noting = asyncio.create_task(self._note(token.id, now))
            self._noting.add(noting)
            noting.add_done_callback(self._noting.discard)
        return token

    async def _note(self, token: int, now: Moment) -> None:
        with suppress(VaultError):  # a full disk, or a lock that came first: then it is not noted
            await self._database.write(lambda c: tokens.used(c, token, now))


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()
