"""Markdown block by block: the same as at once, small updates, and nothing in a text becomes dangerous."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.server.blocks import Blocks, render

_WORDS = "# |# Head|tag|\n|\n\n|- item|* |**|```|```py\n|1. |    |---|text |>|=|\r\n|~~~|<b>|[x](http://a.b)|`|\\|é|![i](http://c.d)|\t"
_PIECES = st.sampled_from(["#", "|a|b|\n|-|-|\n", *_WORDS.split("|")])


def _shown(pieces: list[str]) -> list[str]:
    blocks, shown = Blocks(), dict[int, str]()
    for piece in pieces:
        shown |= dict(blocks.add(piece))
    return [html for _, html in sorted(shown.items()) if html]


@pytest.mark.req("S3")
@given(st.lists(_PIECES, max_size=30))
def test_a_growing_reply_ends_as_if_rendered_at_once(pieces: list[str]) -> None:
    """However a text is cut into pieces, the updates add up to its whole rendering."""
    assert _shown(pieces) == render("".join(pieces))


def test_a_finished_block_is_not_sent_again() -> None:
    """With many paragraphs, each update holds only what is still growing."""
    blocks = Blocks()
    sent = 0
    for number in range(200):
        for word in f"Paragraph {number} has a few words.\n\n".split(" "):
            sent += sum(len(html) for _, html in blocks.add(word + " "))
    assert blocks.unfinished < 100
    assert sent < 200 * 300


@pytest.mark.req("X2")
@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt:alert(1))",
        "[a](data:text/html,<script>alert(1)</script>)",
        "[a](vbscript:x) <javascript:alert(1)>",
        "![a](javascript:alert(1))",
        '[a](http://b.c "x\\" onmouseover=\\"alert(1)")',
        "```html\n<script>alert(1)</script>\n```",
        "[a][r]\n\n[r]: javascript:alert(1)",
        "[a](file:///etc/passwd) [b](/api/vault/lock) [c](#x)",
        "`<svg onload=alert(1)>`",
    ],
)
def test_hostile_text_stays_text(text: str) -> None:
    """No tag but our own, no address but of the web or of mail, and no attribute that runs anything."""
    html = "".join(render(text))
    tags = {part.split(">")[0].split(" ")[0].strip("/") for part in html.split("<")[1:]}
    assert tags <= {"p", "a", "pre", "code"}
    for link in html.split('href="')[1:]:
        assert link.startswith(("http://", "https://", "mailto:"))
    assert " onmouseover=" not in html.replace("&quot; onmouseover=", "")


@pytest.mark.req("X2")
def test_an_image_is_a_link() -> None:
    """Nothing is loaded from elsewhere: an image is shown as a link to it, or as its description within one."""
    assert render("![A cat](https://a.b/c.png)") == [
        '<p><a href="https://a.b/c.png" rel="noreferrer noopener" target="_blank">A cat</a></p>\n'
    ]
    assert "<img" not in "".join(render("[![A cat](https://a.b/c.png)](https://a.b) ![](data:image/png;base64,AA)"))


def test_a_table_needs_no_style_attribute() -> None:
    """Alignment is a class, because style attributes are refused by the page's policy."""
    (table,) = render("|a|b|\n|:-|-:|\n|1|2|\n")
    assert "style=" not in table and '<td class="right">2</td>' in table
