"""Names read from a text by their capitals, and the codes in it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.store.name_reading import codes_in, folded, mentions, names_in, tickers_in


@pytest.mark.req("N4")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Yesterday went well. Perhaps more tomorrow. Then Lena rang. Quiet now.", ["Lena"]),
        ("- Call Sarah Connor\n- Buy milk\n1. Ask Peter", ["Sarah Connor", "Peter"]),
        ("He said: “Tomorrow Ben leaves.” (Tonight Ann left.)", ["Ben", "Ann"]),
        ("I met Dr. Anna Weber and Mr. Holmes.", ["Dr. Anna Weber", "Mr. Holmes"]),
        ("J. R. R. Tolkien and Jean-Luc O'Brien wrote it.", ["J. R. R. Tolkien", "Jean-Luc O'Brien"]),
        ("I saw Vincent van Gogh, then Leonardo da Vinci.", ["Vincent van Gogh", "Leonardo da Vinci"]),
        ("We went to the University of Oslo and to Los Angeles.", ["University of Oslo", "Los Angeles"]),
        ("It's Anna Smith’s birthday. Anna Smith's cat is ill.", ["Anna Smith"]),
        ("On Monday, 3 March, I saw May Whitfield. In April it rained.", ["May Whitfield"]),
        ("Rev. Green met _Col. Mustard_ in the U.S., who has a Ph.D.", ["Rev. Green", "Col. Mustard"]),
        (
            "Mary-Jane Watson & Peter Parker saw Tom & Jerry at Bill & Tedd LLC.",
            ["Mary-Jane Watson", "Peter Parker", "Tom & Jerry", "Bill & Tedd LLC"],
        ),
        ("I'll ask Will Smith. Will it rain? We're off, aren't we? I think I'm late.", ["Will Smith"]),
        ("See https://example.org/Anna/Smith, `Some Code` and @AnnaSmith.", []),
        ("Иван Петров приехал, мы видели Олю.", ["Иван Петров", "Олю"]),
        ("昨天见了王小明。", []),
        ("I AM SO HAPPY THAT ANNA SMITH CAME", []),
        ("Zoe\u0308 A\u030akesson and Zoë Åkesson", ["Zoë Åkesson"]),
    ],
)
def test_names_are_told_from_other_capitals(text: str, names: list[str]) -> None:
    """Sentence starts, days, months, contractions, titles, addresses and shouting make none."""
    assert list(names_in(text)) == names


@pytest.mark.req("N4")
def test_codes_are_told_from_everyday_capitals() -> None:
    """Flight numbers, tickets, short forms; not OK, not a shouted line, not what stands in an address."""
    assert codes_in("My flight is SN2903, the ticket AB-1234, the club DGIA. OK? I LOVE THIS SO MUCH. See http://X.org/ABC") == (
        "SN2903",
        "AB-1234",
        "DGIA",
    )
    assert tickers_in("Sold $F and KLAC, on TV they said OK.") == ("F", "KLAC")


@pytest.mark.req("N4")
def test_a_reminder_takes_names_of_two_words_and_codes() -> None:
    """From the person's messages both, from the model's the codes; each mention counts."""
    text = "Nuno Prates rang about DGIA. Then Lena came, and Nuno Prates again."
    assert mentions(text, codes_only=False) == ["Nuno Prates", "Nuno Prates", "DGIA"]
    assert mentions(text, codes_only=True) == ["DGIA"]


def test_spellings_of_a_name_meet() -> None:
    """Encodings, capitals, spaces and apostrophes."""
    assert folded(" Zoe\u0308  O’Brien ") == folded("ZOË O'BRIEN")


@given(st.text(alphabet=st.sampled_from("AaÉé .'’-&\n!?$12IoOf"), max_size=200))
def test_any_text_is_read(text: str) -> None:
    """Law: a name begins with a capital, is no code, and stands in the text as it was read."""
    for name in names_in(text):
        assert name[0].isupper()
        assert name.split()[0].split("&")[0] in text
    assert not set(names_in(text)) & set(codes_in(text))


@pytest.mark.parametrize(
    "text", ["A." * 20_000, "Aa " * 20_000, "A & " * 20_000, "A-" * 20_000, "Van der " * 10_000, "`" * 20_000]
)
def test_no_text_takes_long(text: str) -> None:
    """Whatever is pasted, reading it stays a matter of milliseconds a page."""
    start = time.perf_counter()
    mentions(text, codes_only=False)
    assert time.perf_counter() - start < 2
