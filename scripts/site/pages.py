"""What the site needs beyond its settings: the decisions in the navigation, each picture in light and dark."""

from __future__ import annotations

import pathlib
import re
from typing import Any

_PICTURE = re.compile(r'<img alt="([^"]*)" src="((?:\.\./)*pictures/)light/([\w-]+)\.png"\s*/?>')
# Markdown wants a head for each table; a head without words is none.
_NO_HEAD = re.compile(r"<thead>\s*<tr>\s*(?:<th[^>]*></th>\s*)+</tr>\s*</thead>")
_EMPTY = re.compile(r"<th[^>]*></th>")


def on_config(config: Any) -> Any:
    """Put the decisions into the navigation."""
    docs = pathlib.Path(config.docs_dir)
    config.nav.append({"Decisions": [f"decisions/{page.name}" for page in sorted((docs / "decisions").glob("*.md"))]})
    return config


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Show the dark one of a picture to those whose screen is dark; let code and tables be read by keyboard and aloud."""
    there = {file.src_uri for file in files}

    def both(found: re.Match[str]) -> str:
        alt, folder, name = found.groups()
        light = f'<img alt="{alt}" src="{folder}light/{name}.png" loading="lazy">'
        if f"pictures/dark/{name}.png" not in there:
            return light
        dark = f'<source media="(prefers-color-scheme: dark)" srcset="{folder}dark/{name}.png">'
        return f"<picture>{dark}{light}</picture>"

    html = _NO_HEAD.sub("", html)
    html = _EMPTY.sub("<td></td>", html)
    html = html.replace("<table>", '<div class="table" tabindex="0"><table>').replace("</table>", "</table></div>")
    return _PICTURE.sub(both, html).replace("<pre>", '<pre tabindex="0">')
