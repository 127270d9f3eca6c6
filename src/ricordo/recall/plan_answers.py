"""Reading the searches in whatever a model answers to the planner's question: lines, lists, JSON, prose around them.

The one rule: a search is a few words to look for. What is a sentence to somebody, an echo of the question or a way of saying
"nothing" is none; query syntax is taken off, and nothing is ever added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from ricordo.models.answers import Read, read_json, said
from ricordo.recall.wording import Kind, kind, telling

_MOST_WORDS, _MOST_LETTERS = 10, 80
_MOST_UNSPACED = 24  # letters, in scripts without spaces
_KEYS = ("searches", "search", "queries", "query", "search_queries", "search_query", "keywords", "terms", "lookups", "q", "text")

_FENCE = re.compile(r"^\s*```[\w-]*\s*$", re.MULTILINE)
_BULLET = re.compile(r"^\s*(?:[-*•–—>#]+\s+|\(?\d{1,2}[.):]\s*|[a-c][.)]\s+)+")
_LABEL = re.compile(
    r"^\W*(?:(?:short |first |second |third |possible |suggested )*(?:search|searches|query|queries|keywords?|look ?up"
    r"|terms?|suche|recherche"
    r"|ricerca|búsqueda)(?: (?:for|terms?|quer(?:y|ies)|words?|\d))*\s*\d?\s*[:：=]|search(?:ing)? for|look(?:ing)? up)\s*",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"[\"“„«「『]([^\"“”„«»「」『』\n]{2,80})[\"”“»」』]|(?<!\w)['‘]([^'‘’\n]{3,80})['’](?!\w)")
_NOTHING = re.compile(
    r"^\W*(?:\[\s*\]|\{\s*\}|none|null|nil|nothing|n/?a|nichts|keine?|niente|nessuna?|rien|aucune?|nada|ninguna?|no"
    r"|nope|not needed|empty"
    r"|无|没有|なし|無し|нет|ничего)\b\W*(?:(?:needed"
    r"|necessary|required|to (?:look|search)|needs|at all|here|search|is|for)\b.*)?$"
    r"|\b(?:no|nothing|not any|without)\b[^.\n]{0,40}\b(?:search|searches|searching|look(?:ed|ing)?[- ]?(?:up|ups?)?"
    r"|lookups?|needed|necessary"
    r"|required)\b|\b(?:no|not|n['’]t)\b[^.\n]{0,20}\bneed(?:ed|s)?\b|\bkeine suche\b|\bnessuna ricerca\b|\baucune recherche\b",
    re.IGNORECASE,
)
_OPERATOR = re.compile(
    r"\b(?:AND|OR|NOT|NEAR(?:/\d+)?)\b|(?<!\w)(?:site|intitle|inurl|filetype|before|after|from|to|date|author|type|tag|lang):\S*"
    r"|(?<!\w)[+~-](?=\w)|[*^\\|&(){}\[\]<>\"“”„«»`]|(?<!\w)['‘’]|['‘’](?!\w)"
)
_TALK = re.compile(
    r"^\W*(?:sure|certainly|of course|okay|ok|here (?:are|is)|here's|these are|based on|to answer|to find|in order"
    r"|i (?:would|will|can|could|need"
    r"|think|am|have|don|do|cannot|need)|i'd|i'll|i'm|you (?:can|could|should|might|may)|let me|let's|the (?:user"
    r"|person|message|answer|best)|we "
    r"|as an|not|cannot|unable|undefined|sorry|since|because|please|hello|hi\b|hope|note that|this (?:is|will|would)"
    r"|it (?:is|would|seems)"
    r"|assistant|user:|hier sind|ecco"
    r"|voici|aquí)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!:：。！]\s*$")


def searches_in(answer: str, question: str = "") -> tuple[str, ...]:
    """Return the searches in an answer, in order, each once; empty for "nothing" and for what holds none.

    What only says `question` again is left out.
    """
    text = said(answer)
    found: list[str] = []
    for raw in _candidates(text):
        search = _cleaned(raw)
        if search and _is_search(search, question) and not any(_alike(search, other) for other in found):
            found.append(search)
    return tuple(found)


def _candidates(text: str) -> Iterator[str]:
    if re.search(r"[{\[]", text):
        reading = read_json(text)
        if isinstance(reading, Read) and (listed := list(_strings(reading.value))):
            yield from listed
            return
        if re.match(r"\s*(?:```\w*\s*)?[{\[]", text):  # JSON without a search in it is no prose either
            return
    for line in _FENCE.sub("", text).splitlines():
        yield from _of_line(line)


def _strings(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the texts of a JSON answer that can be searches: lists of texts, and what stands under a fitting name."""
    match value:
        case str():
            yield value
        case list() if depth < 4:
            for part in value:
                yield from _strings(part, depth + 1)
        case dict() if depth < 4:
            for key in _KEYS:
                if key in value:
                    yield from _strings(value[key], depth + 1)
        case _:
            return


def _of_line(line: str) -> Iterator[str]:
    bare = _BULLET.sub("", line).strip()
    listed = bare != line.strip()
    label = _LABEL.match(bare)
    bare = bare[label.end() :] if label else bare
    if not bare or _NOTHING.search(bare):
        return
    quoted = [one or other for one, other in _QUOTED.findall(bare)]
    outside = _QUOTED.sub(" ", bare)
    if quoted and (len(quoted) > 1 or len(telling(outside)) > 3 or _TALK.match(bare)):
        yield from quoted
        return
    if _TALK.match(bare) or (_SENTENCE_END.search(bare) and not listed and len(bare.split()) > 4):
        return
    parts = [part.strip() for part in re.split(r"\s*[,;|、，；]\s*|\s+/\s+", bare) if part.strip()]
    yield from parts if len(parts) > 1 and all(len(part.split()) > 1 for part in parts) else [bare]


def _cleaned(text: str) -> str:
    label = _LABEL.match(text)
    text = _OPERATOR.sub(" ", _BULLET.sub("", text[label.end() :] if label else text))
    return " ".join(text.split()).strip(" .,;:!–—-…")


def _is_search(text: str, question: str) -> bool:
    if _NOTHING.search(text) or len(text) > _MOST_LETTERS or len(text.split()) > _MOST_WORDS or kind(text) is not Kind.TELLING:
        return False
    if not text.isascii() and " " not in text and len(text) > _MOST_UNSPACED:
        return False
    words = telling(text)
    return not (question and set(words) <= set(telling(question)))


def _alike(one: str, other: str) -> bool:
    return set(telling(one)) == set(telling(other))
