"""Ricordo: a private diary and chat that remembers. The public names; each is loaded when it is first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ricordo._version import __version__

if TYPE_CHECKING:
    from ricordo.local_models import fetch_model
    from ricordo.sync import Vault
    from ricordo.vault import AsyncVault

__all__ = ["AsyncVault", "Vault", "__version__", "fetch_model"]

_HOMES = {"AsyncVault": "ricordo.vault", "Vault": "ricordo.sync", "fetch_model": "ricordo.local_models"}


def __getattr__(name: str) -> Any:
    # Late, because the vault brings a database and an HTTP client along, and `ricordo --help` needs neither.
    if name not in _HOMES:
        raise AttributeError(f"ricordo has no {name}")
    return getattr(import_module(_HOMES[name]), name)
