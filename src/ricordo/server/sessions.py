"""The door to one vault: locked or unlocked, who may come in, and when it falls shut by itself.

The one rule: a session is a random token whose hash lives in memory alone, and no session outlives the unlocked vault.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Literal, Protocol

from ricordo.errors import VaultExists, VaultLocked, WrongPassphrase
from ricordo.server import announcing, shared
from ricordo.token import Token
from ricordo.vault import AsyncVault, erase, restore, verify

# Three wrong tries are a person's; from then on each one waits twice as long as the last, up to half a minute.
_FREE_TRIES = 3
_LONGEST_WAIT = 30.0
_LOOK_EVERY = 5.0  # seconds between two looks at the idle time

State = Literal["missing", "locked", "unlocked"]


class Opening(Protocol):
    """What `AsyncVault.create` and `AsyncVault.open` are, with the rest of their arguments filled in."""

    async def __call__(self, path: str, passphrase: str, /) -> AsyncVault:
        """Return an unlocked vault."""
        ...


class Door:
    """The door to the vault at `path`. `now` is in seconds, by the wall clock: a computer that slept has been idle too."""

    def __init__(
        self, path: str | os.PathLike[str], create: Opening, unlock: Opening, now: Callable[[], float] = time.time
    ) -> None:
        self.path = os.path.abspath(path)
        self._create, self._unlock = create, unlock
        self._now = now
        self._vault: AsyncVault | None = None
        self._sessions: set[bytes] = set()
        self._used = now()
        self._wrong = 0
        self._trying = asyncio.Lock()  # waits between tries; apart from the next, so that locking never waits for a try
        self._turning = asyncio.Lock()
        self.fetching = asyncio.Lock()  # of the embedded model's file: one at a time

    @property
    def state(self) -> State:
        """Whether the vault is there, and open."""
        if self._vault is not None:
            return "unlocked"
        return "locked" if os.path.exists(self.path) else "missing"

    @property
    def vault(self) -> AsyncVault:
        """The unlocked vault; raises VaultLocked."""
        if self._vault is None:
            raise VaultLocked("The vault is locked. Unlock it with your passphrase first.")
        return self._vault

    async def create(self, passphrase: str) -> tuple[str, str]:
        """Make the vault; return its recovery key, to be shown this once, and the token of a session.

        Raises VaultExists and what `AsyncVault.create` raises.
        """
        async with self._turning:
            if self._vault is not None:
                raise VaultExists("There is a vault already, and it is open. Unlock it with its passphrase.")
            self._vault = vault = await self._create(self.path, passphrase)
            vault.work_in_background()
            recovery_key, vault.recovery_key = vault.recovery_key, None
            return recovery_key or "", self._begin()

    async def unlock(self, passphrase: str) -> str:
        """Open the vault, or only come in when it is open; return the token of a session.

        One try at a time, slower after wrong ones. Raises WrongPassphrase and what `AsyncVault.open` raises.
        """
        async with self._trying:
            if self._wrong >= _FREE_TRIES:
                await asyncio.sleep(min(2.0 ** (self._wrong - _FREE_TRIES), _LONGEST_WAIT))
            async with self._turning:
                try:
                    if self._vault is None:
                        self._vault = await self._unlock(self.path, passphrase)
                        self._vault.work_in_background()
                    else:
                        await self._vault.check_passphrase(passphrase)
                except WrongPassphrase:
                    self._wrong += 1
                    raise
                self._wrong = 0
                return self._begin()

    async def lock(self) -> None:
        """Lock the vault and send everyone out; nothing happens when it is locked."""
        async with self._turning:
            await self._shut()

    async def _shut(self) -> None:
        vault, self._vault = self._vault, None
        self._sessions.clear()
        if vault is not None:
            shared.forget(vault)
            announcing.forget(vault)
            await vault.close()

    async def restore(self, backup: str, secret: str) -> str | None:
        """Put a backup in the vault's place and leave it locked; return where the vault that was there is kept.

        The backup is checked first, while the vault is still in use. Raises what `verify` and `restore` of the vault raise.
        """
        await asyncio.to_thread(verify, backup, secret)
        async with self._turning:
            await self._shut()
            return await asyncio.to_thread(partial(restore, self.path, backup, secret, owner="ricordo"))

    async def erase(self) -> None:
        """Delete the vault and the copies kept beside it; from then on there is none."""
        async with self._turning:
            await self._shut()
            await asyncio.to_thread(partial(erase, self.path, owner="ricordo"))

    def admits(self, token: str | None) -> bool:
        """Say whether a token is that of a session; it counts as using the vault."""
        # Looked up by hash: how long it takes tells nothing about the tokens that are there.
        if token is None or _digest(token) not in self._sessions:
            return False
        self.touch()
        return True

    async def token(self, secret: str) -> Token | None:
        """Return the token that a program sent, None when it is none of this vault's; it counts as using the vault."""
        token = await self.vault.tokens.of_secret(secret)
        if token is not None:
            self.touch()
        return token

    def touch(self) -> None:
        """Take note that the vault is being used."""
        self._used = self._now()

    async def lock_if_idle(self) -> None:
        """Lock the vault when nobody has used it for as long as the settings allow."""
        if self._vault is None or (minutes := self._vault.settings.auto_lock_minutes) == 0:
            return
        if self._now() - self._used >= minutes * 60:
            await self.lock()

    @asynccontextmanager
    async def watched(self) -> AsyncGenerator[None]:
        """Lock when idle for as long as this lasts, and at its end."""

        async def watch() -> None:
            while True:
                await asyncio.sleep(_LOOK_EVERY)
                await self.lock_if_idle()

        watching = asyncio.create_task(watch())
        try:
            yield
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching
            await self.lock()

    def _begin(self) -> str:
        token = secrets.token_urlsafe(32)
        self._sessions.add(_digest(token))
        self.touch()
        return token


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
