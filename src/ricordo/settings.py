"""The settings: at most 20, one frozen class. Kept in the vault, read once when it is unlocked, replaced as a whole."""

from __future__ import annotations

from typing import Any, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from ricordo.errors import InvalidInput

EMBEDDED = "embedded"


def _readable(schema: dict[str, Any]) -> None:
    schema.pop("writeOnly", None)


class Settings(BaseModel):
    """What the person may choose. Names are the same in the page, the command line and here."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    remember: bool = Field(True, description="Let the AI remember facts about me")
    global_memories: bool = Field(False, description="Facts that follow you into every conversation")
    whole_diary: bool = Field(False, description="Let the AI use your whole diary, not just this conversation")
    instructions: str = Field("", max_length=20_000, description="What the model is told in every conversation")
    server: str = Field(EMBEDDED, description="Where the model is: 'embedded', or the base URL of a server")
    model: str = Field("", description="The model's name at that server; empty takes its first")
    # Not `writeOnly`, as Pydantic has it: it is read, too, as stars.
    api_key: SecretStr = Field(SecretStr(""), description="The server's key, if it wants one", json_schema_extra=_readable)
    window: int = Field(0, ge=0, le=4_000_000, description="The model's window in tokens; 0 asks the server")
    reply_room: int = Field(1024, ge=64, le=100_000, description="Tokens kept free for the reply")
    temperature: float = Field(0.2, ge=0, le=2, description="How freely the model writes; 0 is the plainest")
    timeout: int = Field(120, ge=5, le=3600, description="Seconds without a sign of life before a reply is given up")
    foreground_seconds: float = Field(6.0, ge=0, le=120, description="Most time spent on finding memories before a reply")
    embedder: str = Field(EMBEDDED, description="What finds by meaning: 'embedded', 'server' or 'off'")
    time_zone: str = Field("", description="Your time zone, like Europe/Rome; empty takes the computer's")
    auto_lock_minutes: int = Field(15, ge=0, le=1440, description="Lock after this many idle minutes; 0 never")
    appearance: Literal["system", "light", "dark"] = Field("system", description="Colours of the page")

    @field_validator("server")
    @classmethod
    def _server(cls, value: str) -> str:
        value = value.strip().rstrip("/")
        if value != EMBEDDED and not value.startswith(("http://", "https://")):
            raise ValueError("is 'embedded' or an address that starts with http:// or https://")
        return value

    @field_validator("time_zone")
    @classmethod
    def _zone(cls, value: str) -> str:
        if value:
            try:
                ZoneInfo(value)
            except (KeyError, ValueError, OSError) as error:
                raise ValueError("is a time zone's name, like Europe/Rome") from error
        return value

    def changed(self, **values: Any) -> Settings:
        """Return these settings with some replaced; texts are read as the command line gives them.

        Raises InvalidInput for an unknown name or a value that does not fit.
        """
        unknown = set(values) - set(Settings.model_fields)
        if unknown:
            known = ", ".join(Settings.model_fields)
            raise InvalidInput(f"There is no setting {sorted(unknown)[0]}. There are: {known}.")
        try:
            return Settings.model_validate({**self.stored(), **values})
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"])
            raise InvalidInput(f"The setting {name}: {first['msg'].removeprefix('Value error, ')}.") from error

    def stored(self) -> dict[str, Any]:
        """Return all values as plain data, the key included: for the vault only."""
        return {**self.model_dump(), "api_key": self.api_key.get_secret_value()}

    def shown(self) -> dict[str, Any]:
        """Return all values as plain data for showing: of the key, only whether there is one."""
        return {**self.model_dump(), "api_key": "set" if self.api_key.get_secret_value() else ""}
