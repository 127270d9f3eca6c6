"""The pages that are written by scripts are what the code says now."""

import pytest

import ricordo
from ricordo import Vault
from ricordo.settings import Settings
from scripts import write_reference, write_rest, write_settings


@pytest.mark.req("I3")
def test_the_page_of_the_api_is_what_the_routes_say() -> None:
    """Run python -m scripts.write_rest after changing a route; every route of the API is on it."""
    text = write_rest.page()
    assert write_rest.PAGE.read_text(encoding="utf-8") == text
    api = write_rest.described()
    for path, methods in api["paths"].items():
        for method, route in methods.items():
            assert not path.startswith("/api") or f"`{method.upper()} {path}`" in text
            assert route["description"]


def test_the_page_of_the_settings_is_what_the_settings_say() -> None:
    """Run python -m scripts.write_settings after changing a setting; every one is on it."""
    assert write_settings.PAGE.read_text(encoding="utf-8") == write_settings.page()
    assert all(f"| `{name}` |" in write_settings.page() for name in Settings.model_fields)


@pytest.mark.req("I1")
def test_the_page_of_the_library_is_what_its_docstrings_say() -> None:
    """Run python -m scripts.write_reference after changing a public method; every one is on it, and says what it does."""
    text = write_reference.page()
    assert write_reference.PAGE.read_text(encoding="utf-8") == text
    methods = {name: getattr(Vault, name) for name in dir(Vault) if not name.startswith("_")}
    assert all(f".{name}`" in text for name in methods)
    assert not [name for name, method in methods.items() if not method.__doc__]
    assert all(name in text for name in ricordo.__all__)
    assert "```\n\n\n" not in text  # a method without a word
