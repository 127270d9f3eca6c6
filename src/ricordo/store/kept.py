"""Small things kept by name: the settings, what was learned about a model, a reply's trace."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import apsw

from ricordo.prompt import Trace
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


def set_trace(connection: apsw.Connection, message: int, trace: Trace) -> None:
    """Keep how a reply came about (B8)."""
    connection.execute(
        "insert into traces (message, value) values (?, ?) on conflict (message) do update set value = excluded.value",
        (message, json.dumps(asdict(trace), ensure_ascii=False)),
    )


def trace(connection: apsw.Connection, message: int) -> dict[str, Any] | None:
    """Return a reply's trace as plain data, None when there is none."""
    row = connection.execute("select value from traces where message = ?", (message,)).fetchone()
    return dict(json.loads(row[0])) if row else None
