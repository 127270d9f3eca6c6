"""The models that this computer has, whether one works, and what it can do."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ricordo import vault as values
from ricordo.server.schemas.wire import Asked, Shown, When


class ModelServer(Shown):
    """A model server that runs on this computer, and its models."""

    name: str
    base_url: str
    models: list[str]


class LocalModels(Shown):
    """What this computer has: whether the embedded model's file is there, its size in bytes, and the servers that answer."""

    embedded: bool
    size: int
    servers: list[ModelServer]


class Trial(Asked):
    """A server and a model to be tried instead of those of the settings."""

    server: Annotated[str | None, Field(max_length=2000)] = None
    model: Annotated[str, Field(max_length=2000)] = ""


class Skill(Shown):
    """What the model can do, by its self-test; null where that was not tried. `way` is how it is asked what to learn."""

    model: str
    way: str | None
    remembers: bool | None
    summarises: bool | None
    right: int | None
    cases: int
    tested: When | None

    @classmethod
    def of(cls, model: str, skill: values.Skill | None) -> Skill:
        """Show what a model's self-test showed."""
        if skill is None:
            return cls(model=model, way=None, remembers=None, summarises=None, right=None, cases=0, tested=None)
        return cls.model_validate(
            {
                "model": model, "way": skill.way.value, "remembers": skill.remembers, "summarises": skill.summarises,
                "right": skill.right, "cases": skill.cases, "tested": skill.at,
            }
        )  # fmt: skip


class ModelWorks(Shown):
    """The model replied: its name, and the seconds it took."""

    model: str
    seconds: float


class ByMeaning(Shown):
    """How far finding by meaning is: `done` of `total` excerpts and facts; `off` says why words alone are searched."""

    off: str
    done: int
    total: int
