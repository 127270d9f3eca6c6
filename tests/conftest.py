"""Shared by all tests: no network but loopback, and where the data lies."""

import ipaddress
import os
import pathlib
import sys
from functools import cache, lru_cache
from typing import Any

import httpcore2
import pytest
from hypothesis import settings

from ricordo.store import keys

os.environ.setdefault("RICORDO_THREADS", "1")  # model tests share the machine
settings.register_profile("ricordo", deadline=None)  # a slow moment of the machine is no failure of the code
settings.load_profile("ricordo")
LOCAL = {"localhost", "localhost.localdomain", ""}
# Reading this computer's list of certificates takes 24 ms, and every client would read it again.
httpcore2.default_ssl_context = cache(httpcore2.default_ssl_context)
# A guess of a passphrase is made slow on purpose: 30 ms at the least. The same guess at the same vault is made once here.
keys.hash_secret_raw = lru_cache(maxsize=64)(keys.hash_secret_raw)
data_folder = pathlib.Path(os.environ.get("RICORDO_DATA", pathlib.Path(__file__).parents[2] / "shared" / "data"))


class NetworkUsed(RuntimeError):
    """A test tried to reach another machine."""


def _guard(event: str, args: tuple[Any, ...]) -> None:
    if event == "socket.connect":
        address = args[1]
        host = address[0] if isinstance(address, tuple) else ""
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = args[0] or ""
    else:
        return
    host = host.decode() if isinstance(host, bytes) else host
    if host in LOCAL:
        return
    try:
        local = ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        local = False
    if not local and host != "0.0.0.0":
        raise NetworkUsed(f"{event} for {host}")


sys.addaudithook(_guard)


@pytest.fixture(scope="session")
def data() -> pathlib.Path:
    """The folder with the public data sets; tests that need it fail without it, they do not skip."""
    assert data_folder.is_dir(), f"put the data sets into {data_folder}, or name their folder in RICORDO_DATA"
    return data_folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run what is fast first, then the real model, the browser last: Playwright keeps an event loop in the main thread."""
    items.sort(key=lambda item: [name in item.keywords for name in ("web", "real_model", "slow")])
