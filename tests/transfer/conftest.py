"""A vault for one test of importing."""

import asyncio
import pathlib
from collections.abc import Iterator

import pytest

from ricordo.store.connection import Database
from tests.transfer.shelf import LOW, PASSPHRASE


@pytest.fixture
def vault(tmp_path: pathlib.Path) -> Iterator[Database]:
    """A new vault, locked when the test is over."""
    made, _ = Database.create(tmp_path / "vault" / "diary.ricordo", PASSPHRASE, cost=LOW)
    yield made
    asyncio.run(made.close())
