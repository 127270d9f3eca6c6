"""What every body shares: Pydantic's two bases, and the kinds of values.

The one rule: times leave as the person's own clock showed them, and no secret leaves at all."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ricordo.conversation import Moment

Id = Annotated[int, Field(strict=True, ge=1, lt=1 << 63)]  # strict, like all that bodies hold: `true` is no id
Flag = Annotated[bool, Field(strict=True)]


Words = Annotated[str, Field(max_length=2_000_000)]


Title = Annotated[str, Field(max_length=300)]


Passphrase = Annotated[str, Field(max_length=1024)]


def _local(value: Any) -> Any:
    return value.local if isinstance(value, Moment) else value


When = Annotated[datetime, BeforeValidator(_local)]


def _as_written(value: Any) -> Any:
    if isinstance(value, date) or (isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII)):
        return value
    raise ValueError("write a day as 2024-05-31")  # not as seconds since 1970, which Pydantic would take


Day = Annotated[date, BeforeValidator(_as_written)]


class Shown(BaseModel):
    """Made from a value of the domain."""

    model_config = ConfigDict(from_attributes=True)


class Asked(BaseModel):
    """Sent by a client; a name that is not known is refused, so that a slip does not pass for success."""

    model_config = ConfigDict(extra="forbid")


class Failure(BaseModel):
    """Why something was not done, in a sentence for the person."""

    kind: str
    message: str


class Failed(BaseModel):
    """The body of every answer that is no success."""

    error: Failure
