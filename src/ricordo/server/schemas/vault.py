"""The vault and the way in: its state, passphrases."""

from __future__ import annotations

from typing import Literal

from ricordo.server.schemas.wire import Asked, Passphrase, Shown


class VaultState(Shown):
    """Whether the vault is there and open, and whether this browser has come in."""

    state: Literal["missing", "locked", "unlocked"]
    inside: bool
    path: str


class Secret(Asked):
    """A passphrase, or the recovery key."""

    passphrase: Passphrase


class Created(Shown):
    """A new vault: its recovery key, which is never shown again."""

    recovery_key: str
