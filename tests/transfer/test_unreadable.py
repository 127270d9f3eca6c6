"""What cannot be read as a diary: named, in a sentence, and never the end of what can."""

import gzip
import pathlib
import random

import pytest

from ricordo.errors import ImportFailed
from ricordo.store.connection import Database
from tests.transfer.shelf import bring, entries, titles, write_lines


@pytest.mark.req("I6")
def test_lines_that_cannot_be_read_are_named_and_the_rest_comes_in(vault: Database, tmp_path: pathlib.Path) -> None:
    """With the line's number and what is wrong with it."""
    path = tmp_path / "d.jsonl"
    bad = ["{", "[1]", '{"date": "2024-05-03"}', '{"date": "2024-05-03", "text": " "}', '{"date": "03/05/2024", "text": "x"}',
           '{"date": 5, "text": "x"}', '{"date": "2024-05-03", "text": "\\ud800"}', "[" * 100_000]  # fmt: skip
    lines = [b'{"date": "2024-05-03", "text": "Good."}', b"", *(line.encode() for line in bad), b'{"text": "\xff"}']
    path.write_bytes(b"\r\n".join(lines))
    done = bring(vault, path)
    assert done.messages == 1
    assert [line.partition(":")[0] for line in done.unreadable] == [f"d.jsonl, line {number}" for number in range(3, 12)]
    told = " ".join(done.unreadable)
    for reason in ("not a JSON object", 'no "text"', "empty", '"03/05/2024" is not like', "5 is not like", "half a", "UTF-8"):
        assert reason in told


@pytest.mark.req("I6")
def test_a_packed_file_that_breaks_off_gives_what_it_has(vault: Database, tmp_path: pathlib.Path) -> None:
    """And says so: the whole file brings the rest another time."""
    rows: list[tuple[str | None, str]] = [("2024-05-03", random.Random(n).randbytes(200).hex()) for n in range(3000)]
    whole = gzip.compress(write_lines(tmp_path / "d.jsonl", rows).read_bytes())
    path = tmp_path / "d.jsonl.gz"
    path.write_bytes(whole[: len(whole) // 2])
    done = bring(vault, path)
    assert 500 < done.messages < 3000
    assert "cannot be read to its end" in done.unreadable[0]
    path.write_bytes(whole)
    assert bring(vault, path).already_there == done.messages
    assert len(entries(vault)) == 3000


@pytest.mark.req("I6")
@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("missing.md", None, "There is nothing at"),
        ("empty.jsonl", b"", "nothing written in"),
        ("binary.md", b"\x89PNG\r\n\x1a\n\0\0\0", "not a text file"),
        ("binary", b"\x7fELF\0\0\0\0", "not a text file"),
        ("latin.txt", b"# 2024-05-03\nCaf\xe9", "UTF-8"),
        ("broken.xz", b"\xfd7zXZ\x00 no more", "cannot be read to its end"),
        ("notes.md", b"Nothing dated here.", "no date anywhere"),
        ("notes.jsonl", b'{"text": "Nothing dated here."}', "no date anywhere"),
        ("bad.jsonl", b'{"a": 1}\n{"b": 2}', "(and 1 more)"),
    ],
)
def test_a_file_that_is_no_diary_is_refused_in_a_sentence(
    vault: Database, tmp_path: pathlib.Path, name: str, content: bytes | None, told: str
) -> None:
    """It names the file and the reason, and leaves the vault as it was."""
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ImportFailed) as refused:
        bring(vault, tmp_path / name)
    assert told in str(refused.value)
    assert name in str(refused.value)
    assert titles(vault) == []


@pytest.mark.req("I6")
def test_a_folder_without_a_diary_is_refused(vault: Database, tmp_path: pathlib.Path) -> None:
    """Also one that holds only files of other kinds."""
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "2024-05-03.jpg").write_bytes(b"\xff\xd8")
    with pytest.raises(ImportFailed, match=r"no file that ends in \.md"):
        bring(vault, tmp_path / "photos")


@pytest.mark.req("I6")
def test_a_link_that_leads_nowhere_is_named(vault: Database, tmp_path: pathlib.Path) -> None:
    """And the rest of the folder comes in."""
    folder = tmp_path / "diary"
    folder.mkdir()
    (folder / "2024-05-03.md").write_text("One.")
    (folder / "2024-05-04.md").symlink_to(tmp_path / "gone.md")
    done = bring(vault, folder)
    assert done.messages == 1
    assert done.unreadable[0].startswith("2024-05-04.md: ")


@pytest.mark.req("I6")
def test_one_unreadable_file_does_not_stop_a_folder(vault: Database, tmp_path: pathlib.Path) -> None:
    """It is named among the others."""
    folder = tmp_path / "diary"
    folder.mkdir()
    (folder / "2024-05-03.md").write_bytes(b"One.")
    (folder / "2024-05-04.md").write_bytes(b"\0\1\2")
    (folder / "2024-05-05.jsonl").write_bytes(b'{"date": "2024-05-05", "text": "Three."}')
    done = bring(vault, folder)
    assert done.messages == 2
    assert done.unreadable == ("2024-05-04.md: it is not a text file",)
