"""Letters that a text can hold and nobody sees: models read them, so a page could speak to one behind a person's back.

And halves of characters, which no file and no database takes.
"""

from __future__ import annotations

import re

# A flag of a region is a black flag, its letters as tags, and an end mark: the one use that tag letters have.
_FLAG_OR_TAG = re.compile("(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f)|[\U000e0000-\U000e007f]")
# Direction marks, zero-width letters, soft hyphens. Joiners within emoji and scripts stay.
_UNSEEN = re.compile("[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\u00ad]")


def whole(text: str) -> str:
    """Return the text with halves of a character put together; one without its other half becomes U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def kept(text: str) -> str:
    """Return a text as it is kept: whole, as written but for tag letters outside flags: nobody types them, they hide words."""
    text = whole(text)
    # Flags and tags take two units of UTF-16: counting those is fifteen times as fast as looking for them.
    if text.isascii() or len(text.encode("utf-16-le")) == 2 * len(text):
        return text
    return _FLAG_OR_TAG.sub(lambda match: match.group(1) or "", text)


def visible(text: str) -> str:
    """Return the text without letters that cannot be seen, as models are shown it."""
    return text if text.isascii() else _UNSEEN.sub("", kept(text))
