"""Diaries as Markdown and plain text: where an entry begins, which day it is of, what is kept of it."""

import pathlib

import pytest

from ricordo.store.connection import Database
from tests.transfer.shelf import bring, entries, titles


@pytest.mark.req("I6")
def test_a_folder_of_markdown_is_read_in_the_order_of_its_days(vault: Database, tmp_path: pathlib.Path) -> None:
    """Dates come from the front matter, else from the name or the folders; hidden folders and other files are left alone."""
    folder = tmp_path / "My diary"
    for name, text in {
        "2024-05-03.md": "Friday.\n\nRain.\n",
        "2024/05/04 A walk.md": "\ufeffSaturday.\r\n",
        "walk.md": "---\ndate: 2024-05-01\n---\n\nWednesday.",
        "titled.md": "---\ntitle: A day\ndate: '2024-05-02T08:00'\n---\nThursday.",
        ".obsidian/2024-05-09.md": "hidden",
        "2024-05-08.html": "other",
        "2024-05-07.md": " \n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    assert bring(vault, folder).messages == 4
    assert entries(vault) == [
        ("2024-05-01 12:00", "Wednesday."),
        ("2024-05-02 08:00", "---\ntitle: A day\ndate: '2024-05-02T08:00'\n---\nThursday."),
        ("2024-05-03 12:00", "Friday.\n\nRain."),
        ("2024-05-04 12:00", "Saturday."),
    ]
    assert titles(vault) == ["Diary: My"]


@pytest.mark.req("I6")
def test_one_file_holds_many_entries_under_date_headings(vault: Database, tmp_path: pathlib.Path) -> None:
    """A heading that says more than the date stays in the text; a title over all is no entry, a preface is one."""
    path = tmp_path / "journal.md"
    path.write_text(
        "# My journal\n\nWhat this is.\n\n## 2024-05-03\n\nOne.\n\n### At noon\n\nStill one.\n\n"
        "## Saturday, May 4, 2024: A walk\nTwo.\n\n5 May 2024\n==========\n\nThree, on 2024-05-05\n"
        "2024-05-06\nno heading, as no blank line is over it\n\n2024-05-07 14:05\nFour.\n"
    )
    done = bring(vault, path)
    assert done.undated == 1
    assert entries(vault) == [
        ("2024-05-03 12:00", "# My journal\n\nWhat this is."),
        ("2024-05-03 12:00", "One.\n\n### At noon\n\nStill one."),
        ("2024-05-04 12:00", "## Saturday, May 4, 2024: A walk\nTwo."),
        ("2024-05-05 12:00", "Three, on 2024-05-05\n2024-05-06\nno heading, as no blank line is over it"),
        ("2024-05-07 14:05", "Four."),
    ]
    assert titles(vault) == ["Diary"]


@pytest.mark.req("I6")
def test_plain_text_with_labelled_dates_is_split_at_them(vault: Database, tmp_path: pathlib.Path) -> None:
    """As Day One exports it; a title alone over the first date is left out."""
    path = tmp_path / "export.txt"
    path.write_text("\tDate:\tMay 3, 2024 at 2:05:00 PM CEST\n\nOne.\n\n\tDate:\t4 May 2024 at 09:00:00 GMT+2\n\nTwo.\n")
    bring(vault, path)
    assert entries(vault) == [("2024-05-03 14:05", "One."), ("2024-05-04 09:00", "Two.")]


@pytest.mark.req("I6")
def test_a_dated_file_is_one_entry_whatever_its_headings(vault: Database, tmp_path: pathlib.Path) -> None:
    """A day's page may speak of other days."""
    (tmp_path / "2024-05-03.md").write_text("Plans\n\n## 2024-05-04\n\nThe dentist.")
    bring(vault, tmp_path / "2024-05-03.md")
    assert entries(vault) == [("2024-05-03 12:00", "Plans\n\n## 2024-05-04\n\nThe dentist.")]


@pytest.mark.req("I6")
def test_front_matter_without_an_end_is_text(vault: Database, tmp_path: pathlib.Path) -> None:
    """A rule of dashes at the top loses nothing."""
    body = "---\n" + "A line.\n" * 500
    (tmp_path / "2024-05-03.md").write_text(body)
    bring(vault, tmp_path / "2024-05-03.md")
    assert [text for _, text in entries(vault)] == [body.strip()]
