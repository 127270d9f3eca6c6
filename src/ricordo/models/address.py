"""Where a model server is: the base URL as people give it, with /v1 or without, made into the addresses that are called."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

import httpx2

from ricordo.errors import InvalidInput

_VERSION = re.compile(r"v\d+\w*")


@dataclass(frozen=True, slots=True)
class Address:
    """`base` ends with the API's version; `root` is the server without it, where the servers' own paths are."""

    base: str
    root: str
    host: str

    @classmethod
    def of(cls, url: str) -> Address:
        """Read a base URL; a path without a version gets /v1. Raises InvalidInput."""
        try:
            parsed = httpx2.URL(url.strip())
        except httpx2.InvalidURL as error:
            raise InvalidInput(f"{url!r} is no address of a server. It looks like http://127.0.0.1:8080.") from error
        if parsed.scheme not in ("http", "https") or not parsed.host:
            raise InvalidInput(f"{url!r} is no address of a server. It starts with http:// or https://.")
        parts = [part for part in parsed.path.removesuffix("/chat/completions").split("/") if part]
        if not any(_VERSION.fullmatch(part) for part in parts):
            parts.append("v1")
        start = f"{parsed.scheme}://{parsed.netloc.decode()}"
        before = [part for part in parts if not _VERSION.fullmatch(part)]
        return cls("/".join((start, *parts)), "/".join((start, *before)), parsed.netloc.decode())

    @property
    def local(self) -> bool:
        """Whether it is this computer: then no proxy of the environment may stand between."""
        name = httpx2.URL(self.base).host
        try:
            return ipaddress.ip_address(name).is_loopback
        except ValueError:
            return name == "localhost"
