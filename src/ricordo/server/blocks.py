"""Markdown as HTML, block by block: a growing reply is sent as `(index, html)` of what changed, not whole each time.

The one rule: text never becomes markup of its own: no raw HTML, no image is loaded, links lead to the web or to mail only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

Update = tuple[int, str]

_SCHEMES = ("http://", "https://", "mailto:")
_HEADINGS_BEGIN_AT = 4  # the page has its title, the conversation's and each message's above them


def render(text: str) -> list[str]:
    """Return the HTML of each top-level block."""
    env: dict[str, Any] = {}
    return [_html(block, env) for block in _blocks(_markdown.parse(_plain_lines(text), env))]


class Blocks:
    """A reply that is still growing.

    A block is finished once the first line of the next one is whole: until then that line may turn out to belong to it
    (`#` begins a heading, `#tag` does not). Only what follows the last finished block is read again, so a link whose address is
    defined further down stays plain until the whole reply is rendered.
    """

    def __init__(self) -> None:
        self._open = ""  # the text from the first unfinished block on
        self._first = 0  # the index of that block
        self._sent: list[str] = []
        self._env: dict[str, Any] = {}  # link addresses defined so far

    @property
    def unfinished(self) -> int:
        """How many letters are read again at the next update."""
        return len(self._open)

    def add(self, text: str) -> list[Update]:
        """Take more of the reply; return the blocks that are new or changed, an empty HTML for one that is no more."""
        self._open += _plain_lines(text)
        blocks = _blocks(_markdown.parse(self._open, self._env))
        updates = self._changed(self._first, [_html(block, self._env) for block in blocks])
        whole_lines = self._open.count("\n")
        starts = [block[0].map[0] for block in blocks if block[0].map]
        finished = sum(1 for start in starts[1:] if start < whole_lines)
        if finished:
            self._open = "\n".join(self._open.split("\n")[starts[finished] :])
            self._first += finished
        return updates

    def _changed(self, first: int, now: list[str]) -> list[Update]:
        before = self._sent[first:]
        gone = [""] * (len(before) - len(now))
        updates = [
            (first + number, html) for number, html in enumerate(now + gone) if number >= len(before) or before[number] != html
        ]
        self._sent[first:] = now + gone
        return updates


def _plain_lines(text: str) -> str:
    """Leave one kind of line end: a pair of them could come in two pieces."""
    return text.replace("\r", "")


def _blocks(tokens: list[Token]) -> list[list[Token]]:
    """Group tokens by their top-level block."""
    blocks: list[list[Token]] = []
    for token in tokens:
        if token.level == 0 and token.nesting >= 0:
            blocks.append([])
        blocks[-1].append(token)
    return blocks


def _html(block: list[Token], env: dict[str, Any]) -> str:
    return str(_markdown.renderer.render(block, _markdown.options, env))


def _tame(state: StateCore) -> None:
    """Make parsed text fit the page: headings below its own, alignment as a class (style attributes are refused), links."""
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + _HEADINGS_BEGIN_AT - 1)}"
        style = token.attrs.pop("style", None)
        if style:
            token.attrs["class"] = str(style).removeprefix("text-align:")
        if token.children:
            token.children = _without_images(token.children)
            for child in token.children:
                if child.type == "link_open":
                    child.attrs.update({"rel": "noreferrer noopener", "target": "_blank"})


def _without_images(tokens: list[Token]) -> list[Token]:
    """Put a link in the place of each image, or only its description where it stands in a link already."""
    plain: list[Token] = []
    in_link = False
    for token in tokens:
        in_link = token.type == "link_open" or (in_link and token.type != "link_close")
        if token.type != "image":
            plain.append(token)
            continue
        source = str(token.attrs.get("src", ""))
        label = Token("text", "", 0, content=token.content or source)
        if in_link or not source:
            plain.append(label)
        else:
            plain += [Token("link_open", "a", 1, attrs={"href": source}), label, Token("link_close", "a", -1)]
    return plain


def _code(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    # A box that scrolls sideways has to be reachable by keyboard.
    return f'<pre tabindex="0"><code>{escapeHtml(tokens[index].content)}</code></pre>\n'


def _table_begins(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return '<div class="wide" tabindex="0"><table>\n'


def _table_ends(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return "</table></div>\n"


def _leads_outside(url: str) -> bool:
    return url.lower().startswith(_SCHEMES)


def _make() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    markdown.validateLink = _leads_outside  # type: ignore[method-assign]
    markdown.core.ruler.push("tame", _tame)
    markdown.add_render_rule("fence", _code)
    markdown.add_render_rule("code_block", _code)
    markdown.add_render_rule("table_open", _table_begins)
    markdown.add_render_rule("table_close", _table_ends)
    return markdown


_markdown = _make()
