"""Texts to measure with: a real diary, cut into messages of about the length that people write."""

from __future__ import annotations

import json
import lzma
import os
import pathlib
import random
import re
from collections.abc import Iterator

DATA = pathlib.Path(os.environ.get("RICORDO_DATA", pathlib.Path(__file__).parents[2] / "shared" / "data"))


def diary() -> list[str]:
    """Return the entries of the diary in the data folder."""
    with lzma.open(DATA / "pepys" / "pepys_diary.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def messages(count: int, words: int = 30) -> Iterator[str]:
    """Yield so many messages of about so many words: the diary cut up, and cut up again at other places."""
    parts = " ".join(diary()).split()
    made, start = 0, 0
    while made < count:
        for begin in range(start, len(parts) - words, words):
            yield " ".join(parts[begin : begin + words])
            made += 1
            if made == count:
                return
        start += 7


def queries(count: int, words: int = 6, seed: int = 7) -> list[str]:
    """Return so many queries of words that stand together somewhere in the diary, none under four letters."""
    chance = random.Random(seed)
    entries = [entry for entry in diary() if len(entry) > 400]
    found = []
    while len(found) < count:
        long = re.findall(r"[a-z]{4,}", chance.choice(entries).lower())
        if len(long) > words:
            at = chance.randrange(len(long) - words)
            found.append(" ".join(long[at : at + words]))
    return found
