"""What the documentation must not forget."""

import pathlib

import pytest

from ricordo.settings import Settings
from scripts.site.pages import SOON

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


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: pathlib.Path) -> None:
    """Every relative link names a file or folder that is there; pictures, once they have been taken (tests.web.pictures)."""
    links = [part.split(")")[0].split("#")[0] for part in page.read_text().split("](")[1:]]
    taken = (ROOT / "docs" / "pictures" / "light").is_dir()
    for link in links:
        if link and not link.startswith("http") and link not in SOON and (taken or "pictures/light/" not in link):
            assert page.parent.joinpath(link).exists(), link


@pytest.mark.skipif(not (ROOT / "docs" / "pictures" / "light").is_dir(), reason="no pictures were taken yet")
def test_each_picture_is_there_in_light_and_in_dark() -> None:
    """So that a page looks at home on either screen."""
    light, dark = ({path.name for path in (ROOT / "docs" / "pictures" / theme).glob("*.png")} for theme in ("light", "dark"))
    assert light == dark
