"""Looking up what a message refers to outright (R6): days, positions, clicked timestamps, within its scope. No model is asked.

The one rule: nothing found is said as such, so that the model does not invent an entry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import MAXYEAR, MINYEAR, date, tzinfo
from typing import assert_never

from apsw import Connection

from ricordo.conversation import Message, Reach, Role, Scope
from ricordo.recall import days, parts, references
from ricordo.recall.dates.positions import Place, Spot
from ricordo.recall.parts import Excerpted, Found
from ricordo.recall.references import Days, Position, Reference, Stamp
from ricordo.store import messages, reach

_WHERE = {Reach.VAULT: "the diary", Reach.SPACE: "this Space", Reach.CONVERSATION: "this conversation"}
_MOST = 200  # entries read for one reference: far more than any window shows
_MOST_REFERENCES = 6  # of one message; a pasted calendar is no question about each of its days
_REPLIES_WITHIN = 7  # days: of a longer span only the person's own entries are read, replies would crowd them out
_SHORT = 4  # words: "2026-08-02", "yesterday please", "and last Tuesday"
_WORD = re.compile(r"[^\W\d_]+|\d[\d\-/.]*")
_QUESTION = re.compile("[?？¿؟]")
_WISH = re.compile(r"\b(?:please|pls|bitte|let me (?:see|read|have)|per favore|s'il te pla[iî]t|por favor|alsjeblieft)\b")
_SENTENCE = re.compile(r"(?:^|[.!…:;,\n]\s*)(?:and |so |ok |okay |now |please |could you |can you )*([^\W\d_]+)")
_ASKING = frozenset(
    "what when where who whom whose which why how did do does was were is are have has had can could would will "
    "show tell find list sum recap open explain translate display fetch read recall remind summarise summarize describe "
    "compare look give bring quote repeat search count "
    "was wann wo wer welche welcher wie zeig zeige erzähl fass lies finde such "
    "che cosa quando dove chi quale quali come mostra mostrami dimmi racconta leggi trova cerca riassumi "
    "que quoi quand où qui quel quelle comment montre dis raconte lis trouve cherche résume "
    "qué cuándo dónde quién cuál cómo muestra muéstrame dime cuenta lee encuentra busca resume "
    "wat wanneer waar wie welke hoe toon vertel zoek quando onde quem qual mostre conte procure leia".split()
)
_BACK = 4  # messages of the person looked through for what "the entry before that" counts from


def found(
    connection: Connection,
    message: Message,
    scope: Scope,
    zone: tzinfo,
    named: Sequence[Reference] | None = None,
    *,
    told_above: bool = False,
) -> tuple[Found, ...]:
    """Return what a message refers to outright, each under a line that says what was looked up.

    `named` are the references in it, where they were found already; `told_above` says whether the prompt shows earlier turns.
    """
    named = references.find(message.text, message.at, zone) if named is None else named
    # A message that holds nothing but what it names ("28 June - 2 July 2025") asks for that.
    alone = len(_WORD.findall(references.rest(message.text, named))) <= 1
    if not alone and not asks(message.text):
        named = tuple(each for each in named if not isinstance(each, Days))
    looked_up = ((each, _entries(connection, each, message, scope, zone)) for each in named[:_MOST_REFERENCES])
    return tuple(_titled(each, entries, scope, told_above=told_above) for each, entries in looked_up)


def asks(text: str) -> bool:
    """Say whether a message asks for something, or is so short that it names a day and nothing else.

    An entry that tells of yesterday is no question about yesterday: looking that up would make every entry wait while the
    model reads what is not asked for, and answer that nothing was found.
    """
    words = _WORD.findall(text.casefold())
    first_words = {match.group(1) for match in _SENTENCE.finditer(text.casefold())}
    wished = _QUESTION.search(text) or _WISH.search(text.casefold())
    return len(words) <= _SHORT or bool(wished) or not first_words.isdisjoint(_ASKING)


def _titled(reference: Reference, entries: Sequence[Message], scope: Scope, *, told_above: bool) -> Found:
    name = references.named(reference)
    if not entries:
        nothing = f"Looked up for this: {name}. Nothing is there in {_WHERE[scope.reach]}."
        return Found(f"{nothing} {parts.say_so(told_above=told_above)}", ())
    return Found(
        f"Looked up for this: {name}. This is what was written, word for word; answer from it:",
        tuple(Excerpted(entry.text, entry.role, entry.at, key=entry.id) for entry in entries),
    )


def _entries(connection: Connection, reference: Reference, message: Message, scope: Scope, zone: tzinfo) -> list[Message]:
    match reference:
        case Days():
            entries = _on_days(connection, reference, scope)
        case Position(spot, days=within):
            entries = _at(connection, spot, within, message, scope, zone)
        case Stamp(at):
            lived = _lived(connection, scope, at.date(), at.date())
            entries = [entry for entry in lived if references.minute(entry.at) == at]
        case _:
            assert_never(reference)
    return [entry for entry in entries if entry.id != message.id]


def _on_days(connection: Connection, meant: Days, scope: Scope) -> list[Message]:
    entries = _lived(connection, scope, _shifted(meant.first, -meant.slack), _shifted(meant.last, meant.slack))
    written = {entry.at.local.date() for entry in entries}
    if meant.any_year and not written:
        condition, values = reach.condition(scope)
        written = {date.fromordinal(day) for day in messages.days(connection, condition, values)}
        kept = references.narrowed(meant, written)
        entries = _lived(connection, scope, kept[0], kept[-1]) if kept else []
    on = set(references.narrowed(meant, written))
    replies = (meant.last - meant.first).days < _REPLIES_WITHIN
    return [entry for entry in entries if entry.at.local.date() in on and (replies or entry.role is Role.USER)]


def _lived(connection: Connection, scope: Scope, first: date, last: date) -> list[Message]:
    """Return the messages lived on these local days, whatever offset each was written at."""
    start, stop = days.sure(first, last)
    condition, values = reach.condition(scope)
    around = messages.between(connection, start, stop, condition, values, _MOST)
    return [entry for entry in around if first <= entry.at.local.date() <= last]


def _shifted(day: date, by: int) -> date:
    lowest, highest = date(MINYEAR, 1, 2), date(MAXYEAR, 12, 30)
    ordinal = min(max(day.toordinal() + by, lowest.toordinal()), highest.toordinal())
    return date.fromordinal(ordinal)


def _at(connection: Connection, spot: Spot, within: Days | None, message: Message, scope: Scope, zone: tzinfo) -> list[Message]:
    """Return the entries of the person at a place: from the diary's ends, or from the days or entry spoken of last."""
    condition, values = reach.condition(scope)
    bounds = days.sure(within.first, within.last) if within else None
    if spot.place in (Place.FIRST, Place.LAST):
        if within:
            entries = [entry for entry in _lived(connection, scope, within.first, within.last) if entry.role is Role.USER]
            entries = [entry for entry in entries if entry.id != message.id]
            ordered = entries if spot.place is Place.FIRST else entries[::-1]
            chosen = ordered[spot.number - 1 : spot.number - 1 + spot.count]
            return sorted(chosen, key=lambda entry: (entry.at, entry.id))
        return messages.nth(
            connection, condition, values, spot.number - 1, spot.count, last=spot.place is Place.LAST, but=message.id
        )
    if within and bounds:
        edge = days.bounds(within.first, within.last, zone)
        from_place = (edge[0], 0) if spot.place is Place.PREVIOUS else (edge[1] - 1, 1 << 62)
    else:
        that = _spoken_of(connection, message, scope, zone)
        if not that:
            return []
        anchor = that[0] if spot.place is Place.PREVIOUS else that[-1]
        from_place = (anchor.at.utc, anchor.id)
    return messages.beside(
        connection, condition, values, from_place, spot.number - 1, spot.count, after=spot.place is Place.NEXT, but=message.id
    )


def _spoken_of(connection: Connection, message: Message, scope: Scope, zone: tzinfo) -> list[Message]:
    """Return the entries that the person's last messages referred to: what "that" means. Nothing is kept for it."""
    if not message.conversation:
        return []
    earlier = messages.said(connection, message.conversation, message.id or None, _BACK)
    for before in earlier:
        named = [each for each in references.find(before.text, before.at, zone) if not _counts_from_that(each)]
        for reference in reversed(named):
            if entries := [entry for entry in _entries(connection, reference, before, scope, zone) if entry.role is Role.USER]:
                return _moved(connection, entries, earlier[: earlier.index(before)][::-1], scope, zone)
    return []


def _counts_from_that(reference: Reference) -> bool:
    return isinstance(reference, Position) and reference.days is None and reference.spot.place in (Place.PREVIOUS, Place.NEXT)


def _moved(connection: Connection, entries: list[Message], later: Sequence[Message], scope: Scope, zone: tzinfo) -> list[Message]:
    """Follow the messages said since, each of which may have moved on from what was spoken of before it."""
    condition, values = reach.condition(scope)
    for message in later:
        for reference in references.find(message.text, message.at, zone):
            if isinstance(reference, Position) and _counts_from_that(reference):
                spot = reference.spot
                anchor = entries[0] if spot.place is Place.PREVIOUS else entries[-1]
                moved = messages.beside(
                    connection, condition, values, (anchor.at.utc, anchor.id), spot.number - 1, spot.count,
                    after=spot.place is Place.NEXT, but=message.id,
                )  # fmt: skip
                entries = moved or entries
    return entries
