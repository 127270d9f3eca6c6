"""ricordo diary: a day, a month, the ends, on this day."""

import datetime

import pytest

from tests.cli.terminal import Terminal

TODAY = datetime.date.today()


@pytest.fixture
def written(ricordo: Terminal) -> Terminal:
    """A vault with a diary of four entries, one of them a year ago today or, in a leap year, four."""
    ago = next(TODAY.replace(year=TODAY.year - years) for years in (1, 4) if TODAY.strftime("%m%d") != "0229" or years == 4)
    entries = (("2023-05-03", "Blue."), ("2024-05-03", "Red."), ("2024-05-09", "Green."), (ago.isoformat(), "A year ago."))
    path = ricordo.vault.parent / "old.jsonl"
    path.write_text("".join(f'{{"date": "{day}", "text": "{text}"}}\n' for day, text in entries))
    assert ricordo("import", "--as", "diary", str(path)).code == 0
    return ricordo


@pytest.mark.req("S8", "I2")
def test_a_day_is_printed_with_what_lies_beside_it(written: Terminal) -> None:
    """The entries on stdout, the days before and after on stderr; JSON has just these names."""
    printed = written("diary", "2024-05-03")
    assert printed.out.startswith("2024-05-03") and "Red.\n" in printed.out and "Blue." not in printed.out
    assert "before it: 2023-05-03, after it: 2024-05-09" in printed.err
    told = written("diary", "2024-05-03", "--json").json
    assert (told["day"], told["before"], told["after"]) == ("2024-05-03", "2023-05-03", "2024-05-09")
    (entry,) = told["entries"]
    assert set(entry) == {"id", "conversation", "title", "at", "text", "replied"}
    assert (entry["text"], entry["title"]) == ("Red.", "Diary: old")
    assert written("diary", "first", "--json").json["day"] == "2023-05-03"
    assert "A year ago." in written("diary", "last").out


@pytest.mark.req("S8", "I2")
def test_a_month_or_year_lists_its_days(written: Terminal) -> None:
    """With how many entries each has."""
    assert written("diary", "2024-05").out == "2024-05-03\t1\n2024-05-09\t1\n"
    assert written("diary", "2023", "--json").json == [{"day": "2023-05-03", "entries": 1}]


@pytest.mark.req("S8", "I2")
def test_on_this_day_tells_of_other_years(written: Terminal) -> None:
    """Not of today."""
    (day,) = written("diary", "on-this-day", "--json").json
    assert day["day"] != TODAY.isoformat()
    assert written("diary", "on-this-day").out.endswith("A year ago.\n\n")


@pytest.mark.req("S8", "I2")
def test_where_nothing_was_written_it_says_so(ricordo: Terminal) -> None:
    """Exit code 1, a sentence on stderr; JSON is empty, not missing; what is no day is invalid."""
    for when in ("today", "first", "on-this-day", "2024-05", "2024-05-03"):
        ended = ricordo("diary", when)
        assert (ended.code, ended.out) == (1, "")
        assert ended.err.startswith("Nothing was written")
    assert ricordo("diary", "--json").json["entries"] == []
    for when in ("2024-02-30", "2024-13", "yesterday", "0000"):
        assert ricordo("diary", when).code == 2
