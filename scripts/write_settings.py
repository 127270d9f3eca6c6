"""Write docs/settings.md: every setting with its values, from the settings themselves.

Run it after changing a setting: python -m scripts.write_settings. A test checks that it was.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any, get_args

from annotated_types import Ge, Le, MaxLen
from pydantic import SecretStr

from ricordo.settings import Settings

PAGE = pathlib.Path(__file__).parents[1] / "docs" / "settings.md"
HEAD = """\
# Settings

Settings are kept in the vault, so they go with it. The page has them under *Settings* (Ctrl+.), a terminal as `ricordo settings`,
Python as `vault.set`, the [REST API](rest.md) as `/api/settings`, always by the same names. This page is written by
`scripts/write_settings.py` from the settings themselves.

```sh
ricordo settings                          # all of them
ricordo settings whole_diary on
ricordo settings time_zone Europe/Rome
```

```python
from ricordo import Vault

with Vault.create("diary.ricordo", "seven grey herons sing") as vault:
    vault.set(whole_diary=True, auto_lock_minutes=5)
    print(vault.settings.whole_diary)  # → True
```

| setting | what it does | values | at first |
|---|---|---|---|
"""
FOOT = """
A Space has three of its own: its instructions, *Memory*, and the memories its conversations may use. See [Spaces](spaces.md).

## Variables of the environment

| | |
|---|---|
| `RICORDO_VAULT` | the vault's file |
| `RICORDO_PASSPHRASE` | opens it in scripts; never given on a command line |
| `RICORDO_NEW_PASSPHRASE` | the new one, for `ricordo passphrase` without a terminal |
| `RICORDO_MODELS` | the folder of model files, or a GGUF file itself |
| `RICORDO_THREADS` | processor cores that the built-in models use |
"""


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD + "\n".join(_rows()), FOOT])


def _rows() -> Iterator[str]:
    for name, field in Settings.model_fields.items():
        yield f"| `{name}` | {field.description} | {_values(field)} | {_at_first(field.default)} |"


def _values(field: Any) -> str:
    """Return what a setting may be, in words."""
    if field.annotation is bool:
        return "on, off"
    if choices := get_args(field.annotation):
        return ", ".join(str(choice) for choice in choices)
    limits = {type(limit): limit for limit in field.metadata}
    if Ge in limits and Le in limits:
        return f"{limits[Ge].ge:,} to {limits[Le].le:,}"
    if MaxLen in limits:
        return f"up to {limits[MaxLen].max_length:,} letters"
    return "a text"


def _at_first(value: Any) -> str:
    match value:
        case bool():
            return "on" if value else "off"
        case SecretStr() | "":
            return "empty"
        case int():
            return f"{value:,}"
        case _:
            return str(value)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
