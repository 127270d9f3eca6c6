"""The vault and the way in: its state, passphrases."""

from __future__ import annotations

from typing import Literal

from ricordo.server.schemas.wire import Asked, Passphrase, Shown


class VaultState(Shown):
    """Whether the vault is there and open, and whether this browser has come in.

    `held_up` is for how many seconds writing has been waiting because another program keeps the file locked.
    `told` counts what `/api/events` has announced: when it has not changed, nothing else has.
    """

    state: Literal["missing", "locked", "unlocked"]
    inside: bool
    path: str
    held_up: float = 0.0
    told: int = 0


class Secret(Asked):
    """A passphrase, or the recovery key."""

    passphrase: Passphrase


class Created(Shown):
    """A new vault: its recovery key, which is never shown again."""

    recovery_key: str
