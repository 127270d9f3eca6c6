"""Importing a diary: from folders, files and JSON lines; once, again, and after being cut off."""

import asyncio
import gzip
import json
import lzma
import pathlib
import tempfile
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from ricordo import Vault
from ricordo.conversation import Role
from ricordo.errors import NotFound
from ricordo.store import conversations, messages, words
from ricordo.store.connection import Database
from ricordo.transfer import diary
from tests.transfer.shelf import LOW, NOW, PASSPHRASE, ROME, bring, entries, read, titles, write_lines


@pytest.mark.req("I6")
def test_json_lines_become_messages_at_the_dates_they_were_written(vault: Database, tmp_path: pathlib.Path) -> None:
    """In the order of time, whatever the order in the file; a day without a time stands at noon, in every century."""
    path = write_lines(
        tmp_path / "pepys_diary.jsonl",
        [
            ("2024-05-04", "Rain all day."),
            ("1660-01-01", "Blessed be God."),
            ("2024-05-03T21:05", "Home late."),
            ("2024-05-03T09:00:00+09:00", "Woke up in Kyoto."),
        ],
    )
    done = bring(vault, path)
    assert (done.messages, done.already_there, done.undated, done.unreadable) == (4, 0, 0, ())
    assert entries(vault) == [
        ("1660-01-01 12:00", "Blessed be God."),
        ("2024-05-03 09:00", "Woke up in Kyoto."),
        ("2024-05-03 21:05", "Home late."),
        ("2024-05-04 12:00", "Rain all day."),
    ]
    assert titles(vault) == ["Diary: pepys"]


@pytest.mark.req("I6")
@pytest.mark.parametrize(
    ("name", "title"), [("2024-05-03.txt", "Diary"), ("Journal 2024.txt", "Diary: 2024"), ("Boats.txt", "Diary: Boats")]
)
def test_a_diary_is_named_after_its_file_unless_that_is_a_day(
    vault: Database, tmp_path: pathlib.Path, name: str, title: str
) -> None:
    """A date of one entry says nothing about the whole."""
    path = tmp_path / name
    path.write_text("2024-05-03\nRain all day.\n")
    bring(vault, path)
    assert titles(vault) == [title]


@pytest.mark.req("I6", "W4", "E4")
def test_entries_are_the_persons_and_wait_for_nobody(vault: Database, tmp_path: pathlib.Path) -> None:
    """They are messages of the person that nothing is learned from."""
    done = bring(vault, write_lines(tmp_path / "d.jsonl", [("2024-05-03", "I like figs best of all fruit.")]))
    (message,) = asyncio.run(vault.read(lambda c: messages.listed(c, done.conversation)))
    assert message.role is Role.USER
    assert read(vault, lambda c: c.execute("select learn_kind from messages").get) is None
    assert read(vault, lambda c: c.execute("select count(*) from waiting").get) == 0


@pytest.mark.req("I6", "N3")
def test_what_was_imported_is_found_by_its_words_at_once(vault: Database, tmp_path: pathlib.Path) -> None:
    """Each entry is indexed in the transaction that stores it."""
    bring(vault, write_lines(tmp_path / "d.jsonl", [("2024-05-03", "We picked gooseberries behind the chapel.")]))
    assert len(asyncio.run(vault.read(lambda c: words.search(c, "excerpt_words", "gooseberry")))) == 1


@pytest.mark.req("I1", "I6")
def test_the_library_imports_a_diary_in_the_persons_zone(tmp_path: pathlib.Path) -> None:
    """The one of the settings, with the offset of that day and not of today."""
    path = write_lines(tmp_path / "d.jsonl", [("2024-01-03", "Winter."), ("2024-07-03", "Summer.")])
    with Vault.create(tmp_path / "v.ricordo", PASSPHRASE, cost=LOW) as library:
        library.set(time_zone="Europe/Rome")
        done = library.imports.bring(path)
        assert [message.at.offset for message in library.conversations.messages(done.conversation)] == [60, 120]


@pytest.mark.req("I6")
def test_a_second_import_adds_nothing_and_a_grown_diary_only_what_is_new(vault: Database, tmp_path: pathlib.Path) -> None:
    """From another place and under another name too: an entry is known by its date and its words."""
    rows: list[tuple[str | None, str]] = [("2024-05-03", "One."), ("2024-05-03", "One."), ("2024-05-04", "One.")]
    first = bring(vault, write_lines(tmp_path / "d.jsonl", rows))
    assert first.messages == 3
    again = bring(vault, write_lines(tmp_path / "moved.jsonl", [*rows, ("2024-05-04", "One.")]))
    assert (again.messages, again.already_there, again.conversation) == (1, 3, first.conversation)
    assert bring(vault, tmp_path / "moved.jsonl").messages == 0
    assert [text for _, text in entries(vault)] == ["One."] * 4
    assert len(titles(vault)) == 1


@pytest.mark.req("I6")
def test_the_persons_zone_does_not_make_an_entry_another_one(vault: Database, tmp_path: pathlib.Path) -> None:
    """Someone who moved imports the same diary again."""
    path = write_lines(tmp_path / "d.jsonl", [("2024-05-03", "One.")])
    bring(vault, path)
    again = asyncio.run(diary.import_diary(vault, path, zone=NOW.local.tzinfo or ROME, now=NOW))
    assert again.messages == 0


@pytest.mark.req("I6")
def test_entries_without_a_date_stand_before_the_next_that_has_one(vault: Database, tmp_path: pathlib.Path) -> None:
    """A preface goes ahead of the first day, with its date; what follows the last day goes with that."""
    rows: list[tuple[str | None, str]] = [
        ("", "Preface."), ("2024-05-03", "One."), (None, "Between."), ("2024-05-04T08:00", "Two."), ("", "After."),
    ]  # fmt: skip
    done = bring(vault, write_lines(tmp_path / "d.jsonl", rows))
    assert (done.messages, done.undated) == (5, 3)
    assert entries(vault) == [
        ("2024-05-03 12:00", "Preface."),
        ("2024-05-03 12:00", "One."),
        ("2024-05-04 08:00", "Between."),
        ("2024-05-04 08:00", "Two."),
        ("2024-05-04 08:00", "After."),
    ]


@pytest.mark.req("I6", "V1")
@pytest.mark.parametrize("ending", ["jsonl.xz", "jsonl.gz", "ndjson", "txt.gz", "backup"])
def test_packed_files_are_read_by_what_is_in_them(vault: Database, tmp_path: pathlib.Path, ending: str) -> None:
    """And nothing unpacked is left beside them."""
    text = '{"date": "2024-05-03", "text": "One."}\n' if "txt" not in ending else "# 2024-05-03\n\nOne.\n"
    path = tmp_path / f"d.{ending}"
    pack = {"xz": lzma.compress, "gz": gzip.compress}.get(ending.rpartition(".")[2], bytes)
    path.write_bytes(pack(text.encode()))
    bring(vault, path)
    assert entries(vault) == [("2024-05-03 12:00", "One.")]
    assert sorted(found.name for found in tmp_path.iterdir()) == [path.name, "vault"]


@pytest.mark.req("I6")
def test_a_given_conversation_takes_the_entries_in_the_order_of_time(vault: Database, tmp_path: pathlib.Path) -> None:
    """Among the messages that are there already; one that is not there is refused."""
    talk = asyncio.run(vault.write(lambda c: conversations.create(c, "Mine", None, NOW)))
    asyncio.run(vault.write(lambda c: messages.append(c, talk.id, messages.NewMessage(Role.USER, "Now.", NOW))))
    path = write_lines(tmp_path / "d.jsonl", [("2024-05-03", "Then.")])
    assert bring(vault, path, conversation=talk.id).conversation == talk.id
    assert [text for _, text in entries(vault)] == ["Then.", "Now."]
    with pytest.raises(NotFound):
        bring(vault, write_lines(tmp_path / "e.jsonl", [("2024-05-03", "Else.")]), conversation=99)


@pytest.mark.req("I6")
def test_an_import_after_its_conversation_was_deleted_brings_it_back(vault: Database, tmp_path: pathlib.Path) -> None:
    """What was deleted is not known any more."""
    path = write_lines(tmp_path / "d.jsonl", [("2024-05-03", "One.")])
    done = bring(vault, path)
    asyncio.run(vault.write(lambda c: conversations.delete(c, done.conversation)))
    assert bring(vault, path).messages == 1


@pytest.mark.req("I6", "I2")
def test_progress_runs_up_to_the_whole_size(vault: Database, tmp_path: pathlib.Path) -> None:
    """In bytes of the files, once a batch."""
    rows: list[tuple[str | None, str]] = [("2024-05-03", f"Entry {n}.") for n in range(1200)]
    path = write_lines(tmp_path / "d.jsonl", rows)
    told: list[tuple[int, int]] = []
    bring(vault, path, progress=lambda done, total: told.append((done, total)))
    size = path.stat().st_size
    assert len(told) == 3
    assert [total for _, total in told] == [size] * 3
    assert sorted(told) == told
    assert told[-1] == (size, size)


_DAYS = some.dates(date(2, 1, 1), date(9998, 12, 31))
_TEXTS = some.text(some.characters(exclude_categories=["Cs"]), min_size=1, max_size=60).filter(str.strip)


@pytest.mark.req("I6", "S5")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(some.lists(some.tuples(_DAYS.map(str), _TEXTS), min_size=1, max_size=8))
def test_every_text_comes_back_as_it_was_written(rows: list[tuple[str, str]]) -> None:
    """On its day, as often as it was written, and nothing else; a second run changes nothing."""
    with tempfile.TemporaryDirectory() as folder:
        made, _ = Database.create(pathlib.Path(folder) / "v.ricordo", PASSPHRASE, cost=LOW)
        try:
            path = write_lines(pathlib.Path(folder) / "d.jsonl", rows)
            assert bring(made, path).messages == len(rows)
            expected = sorted((f"{day} 12:00", text) for day, text in rows)
            assert sorted(entries(made)) == expected
            assert bring(made, path).messages == 0
            assert sorted(entries(made)) == expected
        finally:
            asyncio.run(made.close())


@pytest.mark.req("I6", "R6")
def test_nine_years_of_pepys_come_in_with_their_dates(vault: Database, data: pathlib.Path) -> None:
    """The real one: 3,415 entries, two of them without a date."""
    done = bring(vault, data / "pepys" / "pepys_diary.jsonl.xz")
    assert (done.messages, done.undated, done.unreadable) == (3415, 2, ())
    found = dict(entries(vault))
    assert "fire" in found["1666-09-02 12:00"]
    with lzma.open(data / "pepys" / "pepys_diary.jsonl.xz", "rt", encoding="utf-8") as file:
        assert sorted(json.loads(line)["text"] for line in file) == sorted(text for _, text in entries(vault))
