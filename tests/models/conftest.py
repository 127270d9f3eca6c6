"""A fake model server for each test that wants one."""

from collections.abc import Iterator

import pytest

from tests.fake_server import FakeServer


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server
