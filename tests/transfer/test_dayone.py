"""Imports of Day One's journals."""

import pathlib

import pytest

from ricordo.vault import AsyncVault
from tests.transfer import files
from tests.vaults import with_vault


@pytest.mark.req("I6", "S8")
def test_entries_keep_the_clock_of_their_place_their_tags_and_the_names_of_their_photos(tmp_path: pathlib.Path) -> None:
    """Each journal of a zip is a conversation of its own; photos are named where they stood."""
    photo = {"identifier": "ABC123", "md5": "0f", "type": "jpeg"}
    source = files.packed(
        tmp_path / "2024.zip",
        Journal_json=files.journal(
            files.entry(
                "E1", "Rain all day.", tags=["weather", "home"], location={"localityName": "Trieste", "country": "Italy"}
            ),
            files.entry("E2", "Kyoto ![](dayone-moment://ABC123) at dawn", "2024-05-01T20:00:00Z", "Asia/Tokyo", photos=[photo]),
            files.entry("E3", "", photos=[photo]),
            files.entry("E4", ""),
            files.entry("E5", "No date.", "once"),
            files.entry("E6", "A zone of its own.", "2024-05-04T10:00:00Z", "Mars/Olympus"),
        ),
        Work_json=files.journal(files.entry("W1", "A long meeting.")),
        photos__0f_jpeg=b"\xff\xd8",
    )

    async def work(vault: AsyncVault) -> None:
        await vault.set(time_zone="Europe/Rome")
        seen = await vault.imports.preview(source)
        assert (seen.format, seen.conversations, seen.messages) == ("dayone", 2, 5)
        done = await vault.imports.bring(source)
        assert (done.conversations, done.messages) == (2, 5)
        assert done.unreadable == ("Journal, entry 5: it has no date that can be read",)
        left = {each.what: each.count for each in done.left_out}
        assert left == {"photos, which are named only": 2, "messages without text": 1, "other files": 1}
        found = {talk.title: list(await vault.conversations.messages(talk.id)) for talk in await vault.conversations.all()}
        assert sorted(found) == ["Diary: Journal", "Diary: Work"]
        told = [(message.at.local.isoformat(), message.text) for message in found["Diary: Journal"]]
        assert told == [
            ("2024-05-02T05:00:00+09:00", "Kyoto (photo: 0f.jpeg) at dawn"),
            ("2024-05-03T23:30:00+02:00", "Rain all day.\n\nTags: weather, home\nPlace: Trieste, Italy"),
            ("2024-05-03T23:30:00+02:00", ""),
            ("2024-05-04T12:00:00+02:00", "A zone of its own."),
        ]
        assert [file.name for file in found["Diary: Journal"][2].attachments] == ["0f.jpeg"]

    with_vault(tmp_path, work)


@pytest.mark.req("I6")
def test_a_grown_journal_goes_into_the_conversation_it_came_into_before(tmp_path: pathlib.Path) -> None:
    """Even when what is new stands ahead of all that is known, and the file is a large one."""
    old = [files.entry(f"E{number}", f"Entry {number}.", f"2024-01-{1 + number % 28:02}T10:00:00Z") for number in range(1100)]
    new = [files.entry(f"N{number}", f"New {number}.", f"2025-01-{1 + number % 28:02}T10:00:00Z") for number in range(600)]
    first = files.written(tmp_path / "Journal.json", files.journal(*old))

    async def work(vault: AsyncVault) -> None:
        done = await vault.imports.bring(first)
        assert (done.conversations, done.messages) == (1, 1100)
        files.written(first, files.journal(*new, *old))
        assert (await vault.imports.preview(first)).conversations == 0
        again = await vault.imports.bring(first)
        assert (again.conversations, again.messages, again.already_there) == (0, 600, 1100)
        assert again.conversation == done.conversation

    with_vault(tmp_path, work)
