"""The page of benchmarks says what was noted, bars that were missed first, and draws how figures grow."""

import pathlib
import xml.etree.ElementTree as ET

import pytest

from benchmarks import figures, growth, tables, written


@pytest.fixture
def docs(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder for the page."""
    (tmp_path / "drawings").mkdir()
    return tmp_path


def noted(path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(figures.VARIABLE, str(path))


def test_tables_bars_and_counts_reach_the_page(docs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a benchmark prints, and what a test counts."""
    noted(docs / "proxy.jsonl", monkeypatch)
    tables.show("Milliseconds | more", ("way", "p50"), [("through", 1234.5), ("straight", 2)])
    assert not tables.bar("p95 in ms", 7.0, 5)
    assert tables.bar("streams", 64, 60, at_least=True)
    noted(docs / "tests.jsonl", monkeypatch)
    figures.note("Kills", "killed while writing, then opened", 5000, "none lost", kept=True)
    files = {name: docs / f"{name}.jsonl" for name in ("proxy", "soak", "tests")}
    written.page(files, docs)
    text = (docs / "benchmarks.md").read_text()
    assert "- **Bars**: 2 of 3 kept." in text
    assert text.index("| **missed** | p95 in ms (proxy) | 7 | at most 5 |") < text.index("| kept | streams (proxy) | 64 |")
    assert "| kept | killed while writing, then opened (tests) | 5,000 | none lost |" in text
    assert "| way | p50 |\n|---|---:|\n| through | 1,234 |\n| straight | 2 |" in text
    assert "Milliseconds | more" in text  # a title is no cell
    assert "Not run for this page: soak." in text


def test_growth_is_drawn_for_either_screen(docs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A point a size and figure, the bar beside it, and all of it in words, too."""
    noted(docs / "scale.jsonl", monkeypatch)
    tables.show(written.GROWTH, ("excerpts", "unlock, s", "RAM, MB"), [(1000, 0.1, 90.0), (1_000_000, 1.5, 900.0)])
    written.page({"scale": docs / "scale.jsonl"}, docs)
    drawn = (docs / "drawings" / "growth.svg").read_text()
    tree = ET.fromstring(drawn)
    space = {"s": "http://www.w3.org/2000/svg"}
    assert len(tree.findall(".//s:circle", space)) == 4
    assert len(tree.findall(".//s:line[@class='bar']", space)) == 2
    assert "prefers-color-scheme: dark" in drawn
    assert (
        "From 1,000 to 1,000,000 excerpts: unlock from 0.1 to 1.5 s; RAM from 90 to 900 MB"
        in (docs / "benchmarks.md").read_text()
    )


def test_points_stand_where_their_figures_say() -> None:
    """Larger is higher, in powers of ten; the first size on the left, the last on the right."""
    tree = ET.fromstring(growth.drawing([growth.Panel("a & b", "ms", {1000: 1.0, 1_000_000: 100.0})], "a < b"))
    low, high = tree.findall(".//{http://www.w3.org/2000/svg}circle")
    assert (float(low.attrib["cx"]), float(high.attrib["cx"])) == (62.0, 332.0)
    assert (float(low.attrib["cy"]), float(high.attrib["cy"])) == (180.0, 40.0)


def test_a_busy_machine_is_named(docs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times taken beside other work are no times of a person's machine."""
    for load, named in ((40.0, True), (0.1, False)):
        file = docs / "proxy.jsonl"
        file.unlink(missing_ok=True)
        monkeypatch.setattr("os.getloadavg", lambda load=load: (load, 0.0, 0.0))
        written.begun(file)
        noted(file, monkeypatch)
        tables.bar("p95 in ms", 7.0, 5)
        written.page({"proxy": file}, docs)
        assert ("Measured while other work ran (load 40 as it began)" in (docs / "benchmarks.md").read_text()) is named
