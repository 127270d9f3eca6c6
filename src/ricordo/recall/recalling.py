"""What a reply is made with beside what is looked up outright: plan, gather, check, shorten, within one time budget (R1-R4, R8).

The one rule: whatever a model does, something comes of it, and the steps say how. Nothing here is kept but in the trace, by id.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ricordo.conversation import Message, Role
from ricordo.errors import ModelError
from ricordo.fact import Fact
from ricordo.models.base import ChatModel, Embedder
from ricordo.prompt import ChatMessage
from ricordo.recall import fitting, parts, planner, relevance
from ricordo.recall.budget import Count
from ricordo.recall.gather import Gathered, Search, Where, gather
from ricordo.recall.parts import Excerpted, Found
from ricordo.recall.planner import Plan
from ricordo.recall.references import Reference
from ricordo.recall.relevance import Bounds, Candidate
from ricordo.recall.shorten import ShortForms, shorten
from ricordo.recall.stamps import day_stamp
from ricordo.recall.wording import about_own_past
from ricordo.store.connection import Database

NOTHING = "Searched what was written earlier for this: nothing that fits was found."
_FIRST = "Nothing was written before this message, so nothing of it is known."
TITLE = "From earlier, as it may help with this:"
_NOTHING_ELSE = "There is nothing to search but what the prompt shows."
_CANDIDATES = 12  # that are checked: what the best of public benchmarks need, and more than a small model can be asked about
_MOST = 8  # that go in
_PLANNING = 0.4  # of the time, at most
_SHORTENING = 0.25  # of the time, for one memory: a cut is nearly as good
_EMBEDDING = 1.0  # seconds that embedding the searches may take at least: the first time the model is loaded
_LEAST = 90  # tokens of a memory: with less room fewer go in
_BEHIND = 2.5  # of the ranking's score: three in four answers are nearer to the best, one in five of the rest is
_SHY = 0.01
_UNMEASURED = (0.16, 0.39)  # what has no vector yet is neither sure nor out by its cosine

Step = dict[str, Any]


@dataclass(slots=True)
class Means:
    """What recalling works with. `seconds` is the time for all of it; with 0 no model is asked."""

    database: Database
    model: ChatModel
    embedder: Embedder | None
    forms: ShortForms
    count: Count
    seconds: float


@dataclass(frozen=True, slots=True)
class Asked:
    """The message, and what the prompt shows before it: the system message and the turns; `share` is tokens for all recalled.

    `searchable` says whether the scope holds anything that the prompt does not show, `embedded` whether anything is embedded.
    """

    message: Message
    messages: Sequence[ChatMessage]
    references: Sequence[Reference]
    share: int
    searchable: bool = True
    embedded: bool = True
    told_above: bool = True  # whether the prompt shows anything of the person beside the message
    turns_dropped: bool = False  # since the prompt before, as in `Request`


@dataclass(frozen=True, slots=True)
class Recalled:
    """What goes into the prompt, and the steps that led there."""

    found: tuple[Found, ...] = ()
    steps: tuple[Step, ...] = ()


async def recall(means: Means, asked: Asked, where: Where) -> Recalled:
    """Return what helps with a message, out of all that is in reach. Never raises for what a model does."""
    return await _Recalling(means, asked, where).run()


@dataclass(slots=True)
class _Recalling:
    means: Means
    asked: Asked
    where: Where
    started: float = field(default_factory=time.perf_counter)
    steps: list[Step] = field(default_factory=list)

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return max(0.0, self.started + self.means.seconds - time.perf_counter())

    async def run(self) -> Recalled:
        text = self.asked.message.text
        own = planner.own_searches(text, self.asked.references) if self.asked.searchable else ()
        plan = await self._plan(text, own)
        if not plan.searches:
            return self._ended() if self.asked.searchable or self.asked.told_above else self._nothing(text)
        found = await self._gather(plan.searches, own)
        if not found:
            return self._nothing(text)
        about = [search for search in plan.searches if search not in own]
        kept = await self._check(text, found, about)
        kept, tokens = self._with_room(kept)
        entries = [await self._entry(each, tokens) for each in kept]
        shown = sorted((entry for entry in entries if entry.text), key=lambda entry: entry.at.utc)
        return self._ended(Found(TITLE, tuple(shown))) if shown else self._nothing(text)

    def _nothing(self, text: str) -> Recalled:
        """Say of a question about the person's own past that nothing was found, so that the model invents nothing."""
        said = f"{NOTHING if self.asked.searchable else _FIRST} {parts.say_so(told_above=self.asked.told_above)}"
        return self._ended(*([Found(said, ())] if about_own_past(text) and not self.asked.references else []))

    def _ended(self, *found: Found) -> Recalled:
        return Recalled(found, tuple(self.steps))

    def _note(self, step: str, started: float, **what: Any) -> None:
        self.steps.append({"step": step, "seconds": round(time.perf_counter() - started, 4), **what})

    async def _plan(self, text: str, own: tuple[str, ...]) -> Plan:
        started = time.perf_counter()
        references = self.asked.references
        if not self.asked.searchable:
            plan = Plan((), _NOTHING_ELSE)
        elif self.means.seconds <= 0:
            plan = Plan(own, "No model was asked; the message itself was searched." if own else "There is nothing to search for.")
        else:
            patience = _PLANNING * self.means.seconds
            dropped = self.asked.turns_dropped
            plan = await planner.plan(self.means.model, self.asked.messages, text, patience, references, turns_dropped=dropped)
        self._note("plan", started, searches=list(plan.searches), reason=plan.reason, asked=plan.asked)
        return plan

    async def _gather(self, searches: Sequence[str], own: Sequence[str]) -> list[Gathered]:
        started = time.perf_counter()
        made, why = await self._searches(searches)
        # The days that the message names are looked up outright, and taken out of what is searched for when no model is asked.
        made = [replace(each, days=()) if each.text in own else each for each in made]
        try:
            found = await self._found(made)
        except ModelError as error:  # another model under the same name: its vectors cannot be compared with what is stored
            why = str(error)
            found = await self._found([replace(each, vector=None) for each in made])
        by_meaning = any(each.by_meaning for each in found)
        candidates = [_traced(each) for each in found]
        self._note("gather", started, by_meaning=by_meaning, **({"why": why} if why else {}), candidates=candidates)
        return found

    async def _searches(self, searches: Sequence[str]) -> tuple[list[Search], str]:
        """Return the searches with their vectors, or, without them, why words must do."""
        embedder = self.means.embedder
        if embedder is None:
            return [Search(text) for text in searches], "there is no embedding model"
        if not self.asked.embedded:
            return [Search(text) for text in searches], "nothing is embedded yet"
        try:
            async with asyncio.timeout(max(_EMBEDDING, self.left / 2)):
                embedded = await embedder.embed(searches)
        except TimeoutError:
            return [Search(text) for text in searches], "the embedding model took too long"
        except ModelError as error:
            return [Search(text) for text in searches], str(error)
        self.where = replace(self.where, model=embedder.name)  # a server's may be known only now
        return [Search(text, vector) for text, vector in zip(searches, embedded, strict=True)], ""

    async def _found(self, searches: Sequence[Search]) -> list[Gathered]:
        where, loaded = self.where, self.means.database.vectors
        return await self.means.database.look(lambda c: gather(c, loaded, searches, where, _CANDIDATES))

    async def _check(self, text: str, found: Sequence[Gathered], about: Sequence[str]) -> list[Gathered]:
        started = time.perf_counter()
        by_meaning = any(each.by_meaning for each in found)
        bounds = Bounds() if by_meaning else relevance.WORDS
        best = max(each.score for each in found)
        candidates = [Candidate(each.text, _when(each), _fit(each, by_meaning, bounds, best)) for each in found]
        checked = await relevance.check(
            self.means.model,
            self.asked.messages,
            text,
            candidates,
            self.left,
            bounds=bounds,
            about=about,
            turns_dropped=self.asked.turns_dropped,
        )
        verdicts = [
            {
                "kept": verdict.kept,
                "by": verdict.by,
                **({"probability": round(verdict.probability, 3)} if verdict.probability is not None else {}),
            }
            for verdict in checked.verdicts
        ]
        self._note("check", started, reason=checked.reason, asked=checked.asked, verdicts=verdicts)
        return [each for each, verdict in zip(found, checked.verdicts, strict=True) if verdict.kept][:_MOST]

    def _with_room(self, kept: Sequence[Gathered]) -> tuple[list[Gathered], int]:
        """Return what goes in, and the tokens each may have: a few with a sentence or two say more than many cut short."""
        share, sizes = self.asked.share, [self.means.count(each.found.text) for each in kept]
        chosen: list[int] = []
        left = share
        for at, size in enumerate(sizes):
            if (least := min(size, _LEAST)) <= left or not chosen:
                chosen.append(at)
                left -= least
        return [kept[at] for at in chosen], fitting.most_each([sizes[at] for at in chosen], share) if chosen else 0

    async def _entry(self, each: Gathered, tokens: int) -> Excerpted:
        """Return a memory as the prompt shows it, within `tokens`: whole, its best piece, or shortened (B4)."""
        started = time.perf_counter()
        found, means = each.found, self.means
        whole = means.count(found.text) <= tokens
        source = found.text if whole else _marked(each)
        key = found.id if isinstance(found, Message) else -found.id
        short = await shorten(
            means.model,
            self.asked.messages,
            self.asked.message.text,
            key,
            source,
            tokens,
            means.count,
            self.left,
            means.forms,
            each.search,
        )
        if short.by != "whole" or not whole:
            how = short.by if short.by != "whole" else "piece"
            self._note("shorten", started, **_named(each), by=how, reason=short.reason, share=tokens)
        if isinstance(found, Fact):
            label = f"remembered on {day_stamp(found.created)}"
            return Excerpted(short.text, Role.USER, found.created, label, fact=found.id, whole=found.text)
        return Excerpted(short.text, found.role, found.at, key=found.id)


def _fit(each: Gathered, by_meaning: bool, bounds: Bounds, best: float) -> float:
    """Return how well something fits, 0 to 1; what ranks far behind the best never goes in by its score alone."""
    fit = each.fit
    if by_meaning and not each.by_meaning:
        low, high = _UNMEASURED
        fit = min(max(fit, low), high)
    return min(fit, bounds.alone - _SHY) if each.score < best - _BEHIND and fit >= bounds.low else fit


def _when(each: Gathered) -> str:
    return day_stamp(each.found.at if isinstance(each.found, Message) else each.found.created)


def _marked(each: Gathered) -> str:
    """Return the best piece of a long message, with marks where it was cut out."""
    before = "[…] " if each.start > 0 else ""
    after = " […]" if each.stop < len(each.found.text) else ""
    return f"{before}{each.text.strip()}{after}"


def _named(each: Gathered) -> Step:
    return {"message" if isinstance(each.found, Message) else "fact": each.found.id}


def _traced(each: Gathered) -> Mapping[str, Any]:
    """Return something that was found, for the trace: where its best piece stands, and the points that each feature gave it."""
    return {
        **_named(each),
        "start": each.start,
        "stop": each.stop,
        "score": round(each.score, 3),
        "fit": round(each.fit, 3),
        "search": each.search,
        "speaks": {name: value for name, value in each.speaks.items() if value},
    }
