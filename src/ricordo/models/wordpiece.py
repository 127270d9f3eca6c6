"""Text as the embedding model's tokens: BERT's uncased WordPiece, which takes the longest known piece from the left.

The one rule: the same numbers as the model was trained with, so all of it is as BERT does it, odd or not.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

_LONGEST_WORD = 100  # letters; a longer one is unknown as a whole
_MOST_WORDS = 50_000  # whose pieces are remembered


class WordPiece:
    """A tokenizer over one vocabulary. What it remembers of texts goes with it."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._vocabulary = vocabulary
        self._unknown, self._begin, self._end = (vocabulary[name] for name in ("[UNK]", "[CLS]", "[SEP]"))
        self._pieces = lru_cache(_MOST_WORDS)(self._cut)

    def encode(self, text: str, most: int) -> list[int]:
        """Return a text's token numbers between those of its begin and end, `most` in all; the rest is left out."""
        numbers = [self._begin]
        for word in _words(text):
            numbers += self._pieces(word)
            if len(numbers) >= most:
                break
        return [*numbers[: most - 1], self._end]

    def _cut(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        found, start, mark = list[int](), 0, ""
        while start < len(word):
            for stop in range(len(word), start, -1):
                number = self._vocabulary.get(mark + word[start:stop])
                if number is not None:
                    found.append(number)
                    start, mark = stop, "##"
                    break
            else:
                return (self._unknown,)
        return tuple(found)


def _words(text: str) -> list[str]:
    """Return the words in small letters without accents, each sign and each Chinese character one of its own."""
    return "".join(map(_spelled, unicodedata.normalize("NFD", "".join(map(_kept, text))))).lower().split()


@lru_cache(4096)
def _kept(letter: str) -> str:
    """Return a letter, a space for any kind of space, nothing for what cannot be seen."""
    category = unicodedata.category(letter)
    if letter in "\t\n\r" or category[0] == "Z":
        return " "
    return "" if category in ("Cc", "Cf", "Co", "Cs") or letter == "\ufffd" else letter


@lru_cache(4096)
def _spelled(letter: str) -> str:
    category = unicodedata.category(letter)
    if category == "Mn":
        return ""
    symbol = letter.isascii() and category[0] == "S"  # BERT takes all of ASCII's signs for punctuation, $ and + too
    return f" {letter} " if category[0] == "P" or symbol or _chinese(ord(letter)) else letter


def _chinese(code: int) -> bool:
    return (
        0x4E00 <= code <= 0x9FFF
        or 0x3400 <= code <= 0x4DBF
        or 0x20000 <= code <= 0x2CEAF
        or 0xF900 <= code <= 0xFAFF
        or 0x2F800 <= code <= 0x2FA1F
    )
