"""Vaults for tests: real and encrypted, with the cheapest key derivation that a vault may have."""

import asyncio
import pathlib
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

from ricordo.models.base import ChatModel
from ricordo.store.connection import Database
from ricordo.store.keys import KdfCost
from ricordo.vault import AsyncVault

T = TypeVar("T")

PASSPHRASE = "correct horse battery"
CHEAP = KdfCost(19456, 2, 1)
NOON = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)


def with_database(folder: pathlib.Path, work: Callable[[Database], Awaitable[T]]) -> T:
    """Run some work on a new database and close it."""

    async def run() -> T:
        database, _ = Database.create(folder / "diary.ricordo", PASSPHRASE, cost=CHEAP)
        try:
            return await work(database)
        finally:
            await database.close()

    return asyncio.run(run())


def with_vault(
    folder: pathlib.Path,
    work: Callable[[AsyncVault], Awaitable[T]],
    model: ChatModel | None = None,
    clock: Callable[[], datetime] | None = lambda: NOON,
) -> T:
    """Run some work on a new vault and lock it."""

    async def run() -> T:
        vault = await AsyncVault.create(folder / "diary.ricordo", PASSPHRASE, cost=CHEAP, model=model, clock=clock)
        async with vault:
            return await work(vault)

    return asyncio.run(run())


async def events(stream: Any) -> list[Any]:
    """Read a stream of events to its end."""
    return [event async for event in stream]
