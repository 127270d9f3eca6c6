"""Where model files lie, and which one a fresh machine gets. A file in place was checked before it was put there."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import platformdirs


@dataclass(frozen=True, slots=True)
class Part:
    """One package that holds a part of a model file; `bytes` counts the part, `sha256` is the package's."""

    package: str
    version: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model file and the parts it is put together from, in order; `member` is the pattern of a part's name in its package."""

    name: str
    title: str
    licence: str
    bytes: int
    sha256: str
    member: str
    parts: tuple[Part, ...]


@cache
def chat_model() -> ModelFile:
    """Return the chat model of a fresh machine."""
    values = tomllib.loads(files("ricordo.models").joinpath("data/chat-model.toml").read_text("utf-8"))
    return ModelFile(**{**values, "parts": tuple(Part(**part) for part in values["parts"])})


def models_folder() -> Path:
    """Return the folder of model files: RICORDO_MODELS, else where the system keeps a person's application data."""
    if told := os.environ.get("RICORDO_MODELS"):
        path = Path(told).expanduser()
        return path.parent if path.suffix == ".gguf" else path
    return platformdirs.user_data_path("ricordo") / "models"


def model_file() -> Path | None:
    """Return the chat model's file, or None if there is none: RICORDO_MODELS may also name any GGUF file itself."""
    told = Path(os.environ.get("RICORDO_MODELS", "")).expanduser()
    if told.suffix == ".gguf":
        return told if told.is_file() else None
    model = chat_model()
    path = models_folder() / model.name
    return path if path.is_file() and path.stat().st_size == model.bytes else None
