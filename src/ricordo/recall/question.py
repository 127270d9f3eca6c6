"""What a search asks for, read once: its words with how rare each is, the days it names, whether it asks for a time."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from apsw import Connection

from ricordo.conversation import Moment
from ricordo.recall import references
from ricordo.recall.references import Days
from ricordo.store import words
from ricordo.store.stems import Stems

# On folded text, in the languages that dates are read in.
_WHEN = re.compile(
    r"\b(?:when|how long|since when|(?:what|which) (?:year|month|date|day|time|week)|wann|wie lange|seit wann"
    r"|(?:in )?welche[mnrs]? (?:jahr|monat|tag|datum|woche)|quando|da quanto|(?:che|quale|in che) (?:anno|mese|giorno|data)"
    r"|quand|combien de temps|depuis quand|quel(?:le)? (?:annee|mois|jour|date)|cuando|cuanto tiempo|desde cuando"
    r"|(?:que|en que) (?:ano|mes|dia|fecha)|wanneer|hoe lang|ha quanto tempo)\b"
)


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the question: its stems as the index holds them, and how rare it is: the logarithm of one in how many."""

    stems: tuple[str, ...]
    rarity: float
    missing: float = 0.5  # what part of that counts against a text when nothing at all holds it


@dataclass(frozen=True, slots=True)
class Question:
    """A search as ranking sees it. Which of its terms something holds is an integer: bit `n` for term `n`."""

    folded: str
    searched: tuple[str, ...]  # its terms as they are searched for
    terms: tuple[Term, ...]
    days: tuple[Days, ...]
    asks_when: bool
    bits: Mapping[str, int]  # of each stem: the terms that it is alone
    composed: tuple[tuple[int, tuple[str, ...]], ...]  # the terms of several stems, each as its bit and its stems

    @property
    def all_bits(self) -> int:
        """All terms."""
        return (1 << len(self.terms)) - 1

    def held(self, stems: Iterable[str]) -> int:
        """Return which terms stand in a piece of text, by its stems."""
        there = self.bits.keys() & set(stems)
        bits = 0
        for stem in there:
            bits |= self.bits[stem]
        for bit, composed in self.composed:
            if there.issuperset(composed):
                bits |= bit
        return bits

    def part(self, held: int, rarities: Sequence[float]) -> float:
        """Return which part of the question some of its terms are, 0 to 1, by what each counts."""
        whole = sum(rarities)
        return sum(rarity for at, rarity in enumerate(rarities) if held >> at & 1) / whole if whole else 0.0

    def fit(self, held: int, there: int) -> float:
        """Return which part of the question something holds by itself, 0 to 1; `there` are the terms that anything found holds.

        A word that stands nowhere counts half: nothing could hold it, so it must not hide what holds the others.
        """
        return self.part(held, [term.rarity * (1 if there >> at & 1 else term.missing) for at, term in enumerate(self.terms)])


def read(
    connection: Connection, text: str, stems: Stems, now: Moment, zone: tzinfo, days: tuple[Days, ...] | None = None
) -> Question:
    """Return what a text asks for; `now` is what "last week" counts from, `days` are those it names where they are known."""
    searched = words.searchable(text)
    # Facts count with messages: in a vault that holds nothing but facts, each word would else say nothing.
    tables: tuple[words.Table, ...] = ("excerpt_words", "fact_words")
    rows = sum(words.total(connection, table) for table in tables)
    counts = [words.frequencies(connection, table, searched) for table in tables]
    known = {term: sum(count[term] for count in counts) for term in searched}
    terms = tuple(
        Term(tuple(stems(term.strip('"*'))), math.log(1 + rows / (0.5 + known[term])), 0.0 if words.unspaced(term) else 0.5)
        for term in searched
    )
    folded = " ".join(text.casefold().split()) if text.isascii() else words.fold(text)
    if days is None:
        days = tuple(each for each in references.find(text, now, zone) if isinstance(each, Days))
    bits: dict[str, int] = dict.fromkeys((stem for term in terms for stem in term.stems), 0)
    for at, term in enumerate(terms):
        if len(term.stems) == 1:
            bits[term.stems[0]] |= 1 << at
    composed = tuple((1 << at, term.stems) for at, term in enumerate(terms) if len(term.stems) > 1)
    return Question(folded, tuple(searched), terms, days, bool(_WHEN.search(folded)), bits, composed)
