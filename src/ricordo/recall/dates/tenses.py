"""Whether a sentence tells of the past: in languages other than English only then is a weekday in it the one just gone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ricordo.recall.dates.phrases import Token

_SENTENCE_END = frozenset(".!?;\n")
_REACH = 40  # words looked at either side: what keeps the work linear in a text without full stops
_SHORT = 2  # words: "E martedì?", "Und am Dienstag?" ask about what was written
_GOING_ON = frozenset("und e et y en ma aber maar mais pero am il el le la op na no".split())

_ENGLISH = frozenset(
    "did was were wrote written said had happened went came saw met told felt thought made took got ate slept "
    "been done gone seen read".split()
)
_NOT_ENGLISH = frozenset(
    "need indeed feed seed speed breed exceed proceed succeed scheduled rescheduled hundred sacred naked united advanced "
    "stressed worried excited interested tired scared concerned supposed bored confused prepared".split()
)
# Past by themselves: German, Dutch, Italian, French, Spanish, Portuguese; without accents.
_PAST = frozenset(
    "war waren warst hatte hatten wurde wurden ging gingen kam kamen sagte schrieb dachte "
    "was had hadden deed deden gingen schreef zag kwam zei "
    "ero era erano eravamo avevo aveva avevano feci "
    "etais etait etions etaient j'etais j'avais avais avait c'etait fut "
    "fue fui fuimos hice hizo hicimos estuve estuvo tuve tuvo dije dijo habia estaba "
    "fiz fez foi fomos estava tinha disse escrevi vi".split()
)
_HAVE = frozenset("habe hab hast hat haben bin bist ist sind heb heeft hebben ben is zijn".split())
_PARTICIPLE = re.compile(r"(?:\w{0,6}ge\w{2,}(?:t|en|d)|\w{3,}iert|(?:be|er|ver)\w{3,}(?:t|en|d))")
_ROMANCE_HAVE = frozenset(
    "ho hai ha abbiamo avete hanno sono siamo e j'ai ai as a avons avez ont suis est sommes sont ai-je qu'ai-je "
    "he has hemos han".split()
)
_ROMANCE_PARTICIPLE = re.compile(
    r"\w+(?:é|ée|és|ées|ato|uto|ito|atto|itto|etto|sto|so|ata|ati|ate|ado|ido)|fait|dit|écrit|pris|mis|vu|lu|été|eu|bu|venu|reçu|scritto|fatto|detto"
)
_PRETERITE = re.compile(r"\w+(?:[^r]é|ó|[^r]í|aste|iste|aron|ieron|ei|ou)")
_NO_PRETERITE = frozenset("vou sou estou dou sei lei rei seis mi así aquí allí ahí sí aí café qué".split())
_FRENCH = frozenset(
    "j'ai je ai tu as est-ce qu'est-ce qu'ai-je que quoi c'etait etait etais j'etais nous avons soir matin "
    "ecrit fait et dit quelle quel avez vous a ete raconte parle mon ma journee".split()
)
_GERMAN = frozenset("ist es und ich das der die war nicht ein sind".split())


def is_past(word: str) -> bool:
    """Say whether an English word is a verb in the past."""
    return word in _ENGLISH or (len(word) > 4 and word.endswith("ed") and word not in _NOT_ENGLISH)


def english_past(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Say whether the English sentence around tells of the past."""
    return any(is_past(token.word) for token in _sentence(tokens, begin, end))


def told(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Say whether the sentence around tells of the past, or is too short to tell of anything."""
    around = _sentence(tokens, begin, end)
    words = [token.word for token in around if token.text[:1].isalpha()]
    if sum(word not in _GOING_ON for word in words) < _SHORT or not _PAST.isdisjoint(words):
        return True
    if not _HAVE.isdisjoint(words) and any(_PARTICIPLE.fullmatch(word) for word in words):
        return True
    if any(one.word in _ROMANCE_HAVE and _ROMANCE_PARTICIPLE.fullmatch(other.text.lower()) for one, other in pairwise(around)):
        return True
    return any(_PRETERITE.fullmatch(word) and word not in _NO_PRETERITE for word in (token.text.lower() for token in around))


def french(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Say whether the sentence is French rather than German, where "hier" is another word."""
    words = {token.word for token in _sentence(tokens, begin, end)}
    return not _FRENCH.isdisjoint(words) and _GERMAN.isdisjoint(words)


def _sentence(tokens: Sequence[Token], begin: int, end: int) -> Sequence[Token]:
    first, last = begin, end
    while first > max(0, begin - _REACH) and tokens[first - 1].word not in _SENTENCE_END:
        first -= 1
    while last < min(len(tokens), end + _REACH) and tokens[last].word not in _SENTENCE_END:
        last += 1
    return tokens[first:last]
