"""Imports of folders of Markdown notes, and of what Ricordo itself exported as Markdown."""

import os
import pathlib

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as some

from ricordo.conversation import Role
from ricordo.transfer import front_matter
from ricordo.vault import AsyncVault
from tests import filled
from tests.vaults import with_vault

NOTES = {
    "Ideas.md": "Plant [[figs]] by the wall.",
    "2024-05-03.md": "Rain.",
    "2024-05-04 Walk to the mill.md": "A long way.",
    "Trips/Kyoto.md": "---\ntitle: Kyoto\ncreated: 2023-04-01T09:30\ntags: [japan, spring]\n---\nTemples and ![[map.png]].",
    "Trips/Log.md": "# Log\n\n## 2022-01-01\n\nSnow.\n\n## 2022-01-02\n\nMore snow.",
    "Trips/bad.md": "---\ntitle: [oops\n---\nplums",
    "Trips/empty.md": "\n\n",
    "Trips/map.png": "\x89PNG",
    ".obsidian/app.json": "{}",
}


def folder(at: pathlib.Path) -> pathlib.Path:
    """Write the notes."""
    made = at / "Garden"
    for name, text in NOTES.items():
        path = made / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="latin-1")
        os.utime(path, (1_600_000_000, 1_600_000_000))
    return made


@pytest.mark.req("I6")
def test_notes_come_in_by_folder_with_their_dates_and_as_they_are_written(tmp_path: pathlib.Path) -> None:
    """Front matter, names and headings date them, else the file; wiki links stay; a name that says more than a date stands over
    the text."""
    source = folder(tmp_path)

    async def work(vault: AsyncVault) -> None:
        await vault.set(time_zone="Europe/Rome")
        done = await vault.imports.bring(source)
        assert (done.format, done.conversations, done.messages, done.undated) == ("markdown", 2, 7, 2)
        assert done.unreadable == (
            "Garden/Trips/bad.md: its front matter cannot be read (line 2: a [ is not closed), so it came in as text only",
        )
        assert {each.what: each.count for each in done.left_out} == {"empty notes": 1, "files that are no notes": 1}
        found = {talk.title: list(await vault.conversations.messages(talk.id)) for talk in await vault.conversations.all()}
        told = {title: [(f"{each.at.local:%Y-%m-%d %H:%M}", each.text) for each in said] for title, said in found.items()}
        assert told["Notes: Garden"] == [
            ("2020-09-13 14:26", "# Ideas\n\nPlant [[figs]] by the wall."),
            ("2024-05-03 12:00", "Rain."),
            ("2024-05-04 12:00", "# Walk to the mill\n\nA long way."),
        ]
        assert told["Notes: Garden / Trips"] == [
            ("2020-09-13 14:26", "---\ntitle: [oops\n---\n# bad\n\nplums"),
            ("2022-01-01 12:00", "Snow."),
            ("2022-01-02 12:00", "More snow."),
            (
                "2023-04-01 09:30",
                "---\ntitle: Kyoto\ncreated: 2023-04-01T09:30\ntags: [japan, spring]\n---\nTemples and ![[map.png]].",
            ),
        ]
        again = await vault.imports.bring(source)
        assert (again.messages, again.already_there) == (0, 7)

    with_vault(tmp_path, work)


@pytest.mark.req("I6")
def test_a_folder_whose_every_note_is_dated_is_a_diary(tmp_path: pathlib.Path) -> None:
    """In one conversation; said to be notes, it comes in as notes."""
    made = tmp_path / "days"
    made.mkdir()
    (made / "2024-05-03.md").write_text("Rain.")
    (made / "all.md").write_text("# 2024-05-04\n\nSun.")

    async def work(vault: AsyncVault) -> None:
        assert (await vault.imports.preview(made)).format == "diary"
        assert (await vault.imports.preview(made, "markdown")).format == "markdown"
        done = await vault.imports.bring(made)
        assert (done.format, done.messages) == ("diary", 2)

    with_vault(tmp_path, work)


@pytest.mark.req("I6")
def test_what_cannot_be_read_in_a_folder_is_named_and_the_rest_comes_in(tmp_path: pathlib.Path) -> None:
    """Bytes that are no text, a broken JSON beside the notes, a link to nothing, a pipe."""
    made = tmp_path / "notes"
    made.mkdir()
    (made / "good.md").write_text("Figs grow here.")
    (made / "plain.txt").write_text("Plums grow there.", encoding="utf-16")
    (made / "bad.md").write_bytes(b"caf\xe9")
    (made / "data.json").write_text("{")
    (made / "gone.md").symlink_to(tmp_path / "nowhere")
    os.mkfifo(made / "pipe.md")

    async def work(vault: AsyncVault) -> None:
        done = await vault.imports.bring(made)
        assert (done.format, done.messages) == ("markdown", 2)
        assert done.unreadable == ("notes/bad.md: it is not UTF-8 text; save it as UTF-8 and import it again",)

    with_vault(tmp_path, work)


@given(some.dictionaries(some.sampled_from(["title", "tags", "created"]), some.text(), min_size=1))
@example({"title": "a: b # 'c' \"d\" \u2028 \x7f \x85 \ufeff"})
def test_a_head_is_read_as_it_was_written(values: dict[str, str]) -> None:
    """By this reader and by one of YAML, whatever stands in it."""
    lines = front_matter.written(values).rstrip("\n").split("\n")[1:-1]
    assert front_matter.read(lines) == (values, "")
    if not any("\ud800" <= letter <= "\udfff" for value in values.values() for letter in value):
        assert yaml.safe_load("\n".join(lines)) == values


@pytest.mark.req("I6", "V5")
@pytest.mark.parametrize("kind", ["folder", "zip"])
def test_what_was_exported_as_markdown_comes_back_as_conversations(tmp_path: pathlib.Path, kind: str) -> None:
    """With who said what and when, to the minute; a second time it brings nothing."""
    exported = tmp_path / ("out" if kind == "folder" else "out.zip")
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()

    async def out(vault: AsyncVault) -> None:
        await filled.fill(vault)
        await vault.data.export(exported)

    async def back(vault: AsyncVault) -> None:
        done = await vault.imports.bring(exported)
        assert (done.format, done.conversations, done.messages) == ("markdown", 2, 3)
        assert {each.what: each.count for each in done.left_out} == {"files of a Markdown export that hold no messages": 2}
        found = {talk.title: list(await vault.conversations.messages(talk.id)) for talk in await vault.conversations.all()}
        asked, reply = found[f"Seeds: {filled.MARK}?"]
        assert (asked.role, reply.role, reply.model) == (Role.USER, Role.MODEL, "scripted")
        assert asked.text.startswith(f"What of the {filled.MARK} tomatoes in the big pot?")
        assert reply.text == f"A reply about {filled.MARK}."
        assert f"{asked.at.local:%Y-%m-%d %H:%M}" == "2026-05-20 12:00"
        assert (await vault.imports.bring(exported)).messages == 0

    with_vault(tmp_path / "one", out, filled.model())
    with_vault(tmp_path / "two", back)
