"""A vault and the command line over it; a model server that says what it is told."""

import pathlib
from collections.abc import Iterator

import pytest

from tests.cli.terminal import Terminal, make_vault
from tests.fake_server import FakeServer


@pytest.fixture
def vault(tmp_path: pathlib.Path) -> pathlib.Path:
    """The path of a new vault that is locked."""
    return make_vault(tmp_path / "diary.ricordo")


@pytest.fixture
def ricordo(vault: pathlib.Path) -> Terminal:
    """The command line over a new vault."""
    return Terminal(vault)


@pytest.fixture
def model(ricordo: Terminal) -> Iterator[FakeServer]:
    """A model server that the vault's settings name."""
    with FakeServer() as server:
        assert ricordo("model", "use", server.url).code == 0
        yield server
