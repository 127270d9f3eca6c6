"""What the documentation must not forget."""

import pathlib

import pytest

from ricordo.settings import Settings

ROOT = pathlib.Path(__file__).parents[2]


def test_every_decision_has_a_number_of_its_own() -> None:
    """One page a decision, numbered without doubles, each with a title."""
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [page.name[:4] for page in pages]
    assert len(set(numbers)) == len(numbers)
    assert all(page.read_text().startswith(f"# {int(page.name[:4])}. ") for page in pages)


@pytest.mark.parametrize("name", list(Settings.model_fields))
def test_every_setting_says_what_it_does(name: str) -> None:
    """In words for the person: no names of the code, no ids of the specification."""
    text = Settings.model_fields[name].description or ""
    assert len(text) > 10
    assert "_" not in text
    assert "(" not in text


def test_there_are_at_most_twenty_settings() -> None:
    """More would be a cockpit."""
    assert len(Settings.model_fields) <= 20


@pytest.mark.parametrize("page", ["README.md", "docs/domain-model.md", "docs/proxy.md"])
def test_links_between_pages_lead_somewhere(page: str) -> None:
    """Every relative link names a file or folder that is there."""
    text = (ROOT / page).read_text()
    links = [part.split(")")[0] for part in text.split("](")[1:]]
    assert all((ROOT / page).parent.joinpath(link).exists() for link in links if not link.startswith("http"))
