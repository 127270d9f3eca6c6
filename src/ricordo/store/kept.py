"""Small things kept by name: the settings, and what was learned about a model."""

from __future__ import annotations

import json
from typing import Any

import apsw

from ricordo.settings import Settings


def settings(connection: apsw.Connection) -> Settings:
    """Return the settings; names that this version does not know are passed over."""
    stored = {name: json.loads(value) for name, value in connection.execute("select name, value from settings")}
    return Settings().changed(**{name: value for name, value in stored.items() if name in Settings.model_fields})


def set_settings(connection: apsw.Connection, new: Settings) -> None:
    """Keep all settings."""
    connection.executemany(
        "insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value",
        [(name, json.dumps(value)) for name, value in new.stored().items()],
    )


def profile(connection: apsw.Connection, model: str) -> dict[str, Any]:
    """Return what was learned about a model; empty at first."""
    row = connection.execute("select value from profiles where model = ?", (model,)).fetchone()
    return dict(json.loads(row[0])) if row else {}


def set_profile(connection: apsw.Connection, model: str, value: dict[str, Any]) -> None:
    """Keep what was learned about a model, beside what is known already."""
    connection.execute(
        "insert into profiles (model, value) values (?, ?) on conflict (model) do update set value = excluded.value",
        (model, json.dumps(profile(connection, model) | value)),
    )
