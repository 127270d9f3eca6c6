"""The models that this computer has, and whether one works."""

from __future__ import annotations

from ricordo.server.schemas.wire import Shown


class ModelServer(Shown):
    """A model server that runs on this computer, and its models."""

    name: str
    base_url: str
    models: list[str]


class LocalModels(Shown):
    """What this computer has: whether the embedded model's file is there, and the servers that answer."""

    embedded: bool
    servers: list[ModelServer]


class ModelWorks(Shown):
    """The model replied: its name, and the seconds it took."""

    model: str
    seconds: float
