"""What tests and benchmarks find out reaches the page of benchmarks."""

import json
import pathlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks import figures
from benchmarks.figures import Figure, Sheet


@pytest.fixture
def file(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """The file of figures, in a folder that is not there yet."""
    path = tmp_path / "new" / "figures.jsonl"
    monkeypatch.setenv(figures.VARIABLE, str(path))
    return path


def test_a_noted_figure_is_read_as_it_was(file: pathlib.Path) -> None:
    """Table, words, value, bar and whether it was kept."""
    figures.note("Kills", "killed while writing, then opened", 5000, "none lost", kept=True)
    assert list(figures.read(file)) == [Figure("Kills", "killed while writing, then opened", 5000, "none lost", True)]


def test_the_last_of_the_same_name_counts_where_the_first_stood(file: pathlib.Path) -> None:
    """A test that ran again leaves no second row."""
    figures.note("Kills", "survived", 10)
    figures.note_table("Search", ("tool", "ms"), [("Ricordo", 1.5)])
    figures.note("Kills", "survived", 20)
    assert list(figures.read(file)) == [Figure("Kills", "survived", 20), Sheet("Search", ("tool", "ms"), (("Ricordo", 1.5),))]


def test_many_at_once_lose_no_line(file: pathlib.Path) -> None:
    """Tests run beside each other."""
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda number: figures.note("Faults", f"number {number}", "x" * 2000), range(400)))
    assert {each.what for each in figures.read(file) if isinstance(each, Figure)} == {f"number {n}" for n in range(400)}
    assert all(json.loads(line) for line in file.read_text().splitlines())


def test_nothing_is_written_without_the_variable(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An ordinary run of the tests leaves no file."""
    monkeypatch.delenv(figures.VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    figures.note("Kills", "survived", 1)
    assert not list(tmp_path.iterdir())
    assert not list(figures.read(tmp_path / "none.jsonl"))
