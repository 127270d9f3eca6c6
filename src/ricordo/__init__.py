"""Ricordo: a private diary and chat that remembers."""

from ricordo._version import __version__
from ricordo.vault import AsyncVault

__all__ = ["AsyncVault", "__version__"]
