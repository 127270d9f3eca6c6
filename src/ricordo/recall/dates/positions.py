"""Positions in the diary: "my first entry", "the one before that". Pure: which entries there are is the caller's to say."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from ricordo.recall.dates.meanings import Frame
from ricordo.recall.dates.phrases import Rule, Token


class Place(StrEnum):
    """From where a position is counted: the diary's ends, or the entry spoken of last."""

    FIRST = "first"
    LAST = "last"
    PREVIOUS = "previous"
    NEXT = "next"


@dataclass(frozen=True, slots=True)
class Spot:
    """A position as its words give it: the `number`-th from there (1 is the nearest), and how many from that one on."""

    place: Place
    number: int = 1
    count: int = 1


Dated = tuple[int, date]


def pick(
    spot: Spot, entries: Sequence[Dated], that: Collection[int] = (), within: tuple[date, date] | None = None
) -> tuple[int, ...]:
    """Return the ids of the entries meant, oldest first; empty when there is none.

    `entries` are (id, local day) in the order they were lived. First and last count within the days given; previous and
    next count from those days, or else from the entries in `that`, which were spoken of last.
    """
    place, number, count = spot.place, spot.number, spot.count
    order = [id for id, _ in entries]
    if place in (Place.FIRST, Place.LAST):
        if within:
            order = [id for id, day in entries if within[0] <= day <= within[1]]
        return _take(order, place is Place.LAST, number, count)
    if within:
        before = [id for id, day in entries if day < within[0]]
        after = [id for id, day in entries if day > within[1]]
    else:
        places = [index for index, id in enumerate(order) if id in that]
        if not places:
            return ()
        before, after = order[: places[0]], order[places[-1] + 1 :]
    return _take(before, True, number, count) if place is Place.PREVIOUS else _take(after, False, number, count)


def _take(order: list[int], from_end: bool, number: int, count: int) -> tuple[int, ...]:
    if from_end:
        end = len(order) - (number - 1)
        return tuple(order[max(0, end - count) : max(0, end)])
    return tuple(order[number - 1 : number - 1 + count])


# An entry "about Ida" is found by searching, not by counting.
_NARROWED = frozenset(
    "about where which that with containing concerning regarding mentioning titled tagged called to by when "
    "uber su sur sobre over che qui que wo waar donde dove con avec mit met".split()
)
_LINKS = frozenset("in of from on for at di del de du da do von vom im nel en em van op".split())
_DIARY = frozenset("my the this that diary journal here all total order".split())
_END = frozenset(".,;:!?)\n")


def _counted(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Say whether the words after an entry leave its place the only thing that tells which one is meant."""
    if end == len(tokens):
        return True
    word = tokens[end].word
    after = tokens[end + 1] if end + 1 < len(tokens) else None
    if after is None or after.word in _END:
        return word != "from"
    if (word, after.word) in (("that", "i"), ("that", "we"), ("to", "you")):
        return True
    if word in _LINKS:
        return after.word in _DIARY or bool(after.classes)
    return word not in _NARROWED


def _short(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """ "The next one" is an entry only where the whole message is about nothing else."""
    return sum(token.text.isalpha() for token in tokens) <= 6


def _unplanned(tokens: Sequence[Token], begin: int, end: int) -> bool:
    return _counted(tokens, begin, end) and (end == len(tokens) or tokens[end].word not in ("will", "should"))


def _first(frame: Frame, count: int = 1) -> Spot:
    return Spot(Place.FIRST, 1, count)


def _nth(frame: Frame, number: int) -> Spot | None:
    return Spot(Place.FIRST, number) if number > 0 else None


def _last(frame: Frame, count: int = 1) -> Spot:
    return Spot(Place.LAST, 1, count)


def _nth_to_last(frame: Frame, number: int) -> Spot | None:
    return Spot(Place.LAST, number) if number > 0 else None


def _next_to_last(frame: Frame) -> Spot:
    return Spot(Place.LAST, 2)


def _previous(frame: Frame, number: int = 1) -> Spot:
    return Spot(Place.PREVIOUS, number)


def _next(frame: Frame, number: int = 1) -> Spot:
    return Spot(Place.NEXT, number)


def _previous_few(frame: Frame, count: int) -> Spot:
    return Spot(Place.PREVIOUS, 1, count)


def _next_few(frame: Frame, count: int) -> Spot:
    return Spot(Place.NEXT, 1, count)


_KIND = "diary|journal?"
_FIRST = "first|earliest|oldest"
_LAST = "last|latest|newest"

RULES: tuple[Rule, ...] = (
    Rule(f"my|the? very? {_FIRST} {_KIND} entry", _first, _counted),
    Rule(f"my|the? very? {_LAST} {_KIND} entry", _last, _counted),
    Rule(f"my|the? most recent {_KIND} entry", _last, _counted),
    Rule(f"my|the? {_FIRST} NUM {_KIND} entries", _first, _counted),
    Rule(f"my|the? {_LAST} NUM {_KIND} entries", _last, _counted),
    Rule(f"my|the? most recent NUM {_KIND} entries", _last, _counted),
    Rule(f"my|the? NUM most? recent|{_LAST} {_KIND} entries", _last, _counted),
    Rule(f"my very? {_FIRST} note|message", _first, _counted),
    Rule(f"my very? {_LAST} note|message", _last, _counted),
    Rule(f"my {_FIRST} NUM notes|messages", _first, _counted),
    Rule(f"my {_LAST} NUM notes|messages", _last, _counted),
    Rule(f"my NUM most? recent|{_LAST} notes|messages", _last, _counted),
    Rule(f"my|the? ORDINAL|NTH {_KIND} entry", _nth, _counted),
    Rule("entry #|number|no NUM", _nth, _counted),
    Rule("entry number|no . NUM", _nth, _counted),
    Rule("the? entry before last", _next_to_last),
    Rule(f"the? entry|one before my|the {_LAST} entry", _next_to_last),
    Rule(f"the? entry before my|the {_LAST} one?", _next_to_last),
    Rule("the? last entry but one", _next_to_last),
    Rule(f"my|the? last|second|next to? last {_KIND} entry", _next_to_last, _counted),
    Rule(f"my|the? ORDINAL|NTH to? last {_KIND} entry", _nth_to_last, _counted),
    Rule(f"my|the? penultimate {_KIND} entry", _next_to_last, _counted),
    Rule("the very? first thing i ever? wrote", _first, _counted),
    Rule("the very? last thing i wrote", _last, _counted),
    Rule("did i start|begin this|my|the diary|journal", _first),
    Rule("the? entry|one before that|this|it one|entry?", _previous),
    Rule("the? entry|one after that|this|it one|entry?", _next),
    Rule("the NUM entries before that|this|it one|entry?", _previous_few),
    Rule("the NUM entries after that|this|it one|entry?", _next_few),
    Rule("NUM|ONE entries|entry before that|this|it", _previous),
    Rule("NUM|ONE entries|entry after|later that|this|it", _next),
    Rule("the entry before", _previous),
    Rule("the entry after", _next),
    Rule("the|my previous|preceding|prior entry", _previous, _counted),
    Rule("the|my next|following|subsequent entry", _next, _unplanned),
    Rule("the next|following one", _next, _short),
    Rule("the previous|preceding one", _previous, _short),
    Rule("the one before", _previous, _short),
    Rule("the one after", _next, _short),
    Rule("before that", _previous, _short),
    Rule("after that", _next, _short),
    # German, Dutch, Italian, French, Spanish, Portuguese
    Rule("erste|erster|ersten|erstem|allererster|allererste|allerersten eintrag", _first, _counted),
    Rule("letzte|letzter|letzten|letztem|neuester|neuesten eintrag", _last, _counted),
    Rule("vorletzte|vorletzter|vorletzten eintrag", _next_to_last, _counted),
    Rule("letzten NUM|NUM:de eintrage", _last, _counted),
    Rule("eintrag davor|zuvor", _previous),
    Rule("eintrag danach", _next),
    Rule("mijn|de|het eerste|allereerste aantekening|notitie|dagboekstuk|bericht", _first, _counted),
    Rule("mijn|de|het laatste aantekening|notitie|dagboekstuk|bericht", _last, _counted),
    Rule("mijn|de laatste NUM|NUM:nl aantekeningen|notities|berichten", _last, _counted),
    Rule("prima|primissima nota|annotazione|voce", _first, _counted),
    Rule("ultima|ultimissima|l'ultima|dell'ultima|nell'ultima|all'ultima nota|annotazione|voce", _last, _counted),
    Rule("penultima nota|annotazione|voce", _next_to_last, _counted),
    Rule("ultime NUM|NUM:it note|annotazioni|voci", _last, _counted),
    Rule("ma|la toute? premiere entree|note", _first, _counted),
    Rule("ma|la toute? derniere entree|note", _last, _counted),
    Rule("mes|les NUM|NUM:fr dernieres entrees|notes", _last, _counted),
    Rule("mi|la primera entrada|nota|anotacion", _first, _counted),
    Rule("mi|la ultima entrada|nota|anotacion", _last, _counted),
    Rule("mis|las ultimas NUM|NUM:es entradas|notas", _last, _counted),
    Rule("minha|a primeira entrada|nota|anotacao", _first, _counted),
    Rule("minha|a ultima entrada|nota|anotacao", _last, _counted),
)
