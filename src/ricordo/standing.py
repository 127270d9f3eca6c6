"""Values: how a vault's file and its model stand, as `ricordo doctor` tells it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ability:
    """What a model turned out to do when it was asked twice. `seconds` is how long its first answer took.

    `json` says that it kept to a schema, `probabilities` that its server tells those of words, `tokenizer` that it counts
    tokens exactly; `cached` how many tokens of the second prompt it did not read again, None where it does not tell.
    """

    model: str
    seconds: float
    window: int
    json: bool
    probabilities: bool
    tokenizer: bool
    cached: int | None


@dataclass(frozen=True, slots=True)
class Soundness:
    """How a vault's file stands: its size and the room left on its disk in bytes, and the version of its tables.

    `damage` is empty when every page is as it should be, else what is wrong in the database's words.
    """

    bytes: int
    free: int
    version: int
    damage: str
