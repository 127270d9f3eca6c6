"""Which of what was found goes into the prompt (R4): the sure by their score, the undecided by the model, within a time budget.

The one rule: keeping none is a good answer, and when the model cannot be asked or makes no sense the score decides and says so.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from weakref import WeakSet

from ricordo.errors import ModelError
from ricordo.models import yes_no
from ricordo.models.base import ChatModel, Finish, Request
from ricordo.models.pace import Pace, pace_of
from ricordo.models.tokens import count_messages, pieces
from ricordo.prompt import ChatMessage
from ricordo.recall.aside import aside, following, one_line
from ricordo.recall.relevance_answers import kept_in

By = Literal["model", "score", "rule"]

YES = 0.42  # of the probability, from which a candidate is kept: docs/decisions/0015-planning.md
_MESSAGE = 500  # letters of the message
_NOTE = 320  # letters of a candidate that are shown: about 80 tokens, a second of reading on a small machine
_MOST_LISTED = 12
_LIST_ANSWER = 40  # tokens
_NONSENSE = 2  # answers in a row that are neither yes nor no, after which the model is not asked again

QUESTION = "(Asked aside by the app.) Does the note help to answer the message? Sharing a word is not enough. Reply yes or no."
# Without examples a small model says yes to nearly all. They stand before the message, so that its candidates share them.
EXAMPLES = (
    ("What is my blood type?", "Blood oranges are in season.", "no"),
    ("Who fixed the roof?", "The roofer came on Friday and replaced nine tiles.", "yes"),
    ("Who fixed the roof?", "The view from the roof bar was great.", "no"),
)
QUESTION_LIST = (
    "(Asked aside by the app, before you answer.) Here are notes from the person's diary. Which of them are about the very thing "
    "that the message is about, so that they help to answer it? That one shares a word or a person with it is not enough. Reply "
    "with their numbers only, like 2, 5, or with NONE."
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that was found: its best piece, when it was written as the prompt says it, and how well it fits, 0 to 1."""

    text: str
    when: str
    score: float


@dataclass(frozen=True, slots=True)
class Bounds:
    """What scores say: below `low` a candidate is dropped, from `high` on kept, without a question; `alone` is for no model.

    They belong to what gave the scores. These are for cosines of the embedded model (docs/decisions/0015-planning.md); for
    scores that are only relative, like BM25 divided by its best, use WORDS.
    """

    low: float = 0.15
    alone: float = 0.45
    high: float = 0.6


WORDS = Bounds(low=0.0, alone=0.5, high=2.0)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a candidate goes in, and who said so; `probability` is that of yes, where the server told it."""

    kept: bool
    by: By
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """A verdict for each candidate, in their order; how it came about, in a sentence for the trace; how many were asked about."""

    verdicts: tuple[Verdict, ...]
    reason: str
    asked: int = 0


@dataclass(slots=True)
class _Asking:
    """One check while it goes on."""

    model: ChatModel
    messages: Sequence[ChatMessage]
    text: str
    until: float  # of time.perf_counter
    pace: Pace
    turns_dropped: bool = False
    found: dict[int, Verdict] = field(default_factory=dict)
    calls: int = 0
    why: str = ""
    reading: int = 0  # tokens of the question that is being answered, and since when
    began: float = 0.0

    @property
    def left(self) -> float:
        return self.until - time.perf_counter()


_WITHOUT: WeakSet[ChatModel] = WeakSet()  # whose servers answered without probabilities


async def check(
    model: ChatModel,
    messages: Sequence[ChatMessage],
    message_text: str,
    candidates: Sequence[Candidate],
    budget_seconds: float,
    *,
    bounds: Bounds = Bounds(),
    one_by_one: bool = True,
    about: Sequence[str] = (),
    turns_dropped: bool = False,
) -> Checked:
    """Return which candidates are relevant to a message. Never raises for what a model does.

    `messages` are the system message and the turns in the window, without the newest message. With `one_by_one` each undecided
    candidate is a question of its own, best first, where the server gives probabilities: right for small models. Without it, and
    where it gives none, one call lists them all: right for large ones, and for those that cost by the token. `about` is what the
    plan says that the message means; without it a small model cannot tell what "it" is. `turns_dropped` as in `Request`.
    """
    settled: dict[int, Verdict] = {}
    told = {"", _plain(message_text)}  # nothing, and the message itself written before, answer nothing; nor does a copy
    for at, each in enumerate(candidates):
        plain = _plain(each.text)
        if (verdict := Verdict(False, "rule") if plain in told else _sure(each.score, bounds)) is not None:
            settled[at] = verdict
        told.add(plain)
    open_ones = sorted((at for at in range(len(candidates)) if at not in settled), key=lambda at: -candidates[at].score)
    meant = one_line(f"(that is about: {'; '.join(about)})", _MESSAGE) if about else ""
    asking = _Asking(
        model,
        messages,
        f"{one_line(message_text, _MESSAGE)} {meant}".rstrip(),
        time.perf_counter() + budget_seconds,
        pace_of(model),
        turns_dropped,
    )
    if open_ones and budget_seconds > 0:
        await _ask(asking, candidates, open_ones, one_by_one and model not in _WITHOUT)
    rest = [at for at in open_ones if at not in asking.found]
    by_score = {at: Verdict(candidates[at].score >= bounds.alone, "score") for at in rest}
    verdicts: Mapping[int, Verdict] = {**settled, **asking.found, **by_score}
    reason = _reason(len(asking.found), len(open_ones), asking.why or ("there was no time" if budget_seconds <= 0 else ""))
    return Checked(tuple(verdicts[at] for at in range(len(candidates))), reason, len(asking.found))


def _sure(score: float, bounds: Bounds) -> Verdict | None:
    """Return the verdict that a score gives by itself; None for what is undecided."""
    return Verdict(score >= bounds.high, "score") if score < bounds.low or score >= bounds.high else None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!?")


async def _ask(asking: _Asking, candidates: Sequence[Candidate], order: Sequence[int], one_by_one: bool) -> None:
    try:
        async with asyncio.timeout(asking.left):
            if one_by_one:
                await _each(asking, candidates, order)
            left = [at for at in order if at not in asking.found]
            if left and not asking.why and (not one_by_one or asking.model in _WITHOUT):
                await _list(asking, candidates, left[:_MOST_LISTED])
    except TimeoutError:
        asking.why = "the time was over"
        if asking.reading:
            asking.pace.learn_cut(asking.reading, time.perf_counter() - asking.began)
    except ModelError as error:
        asking.why = f"the model failed ({error})"


def question(messages: Sequence[ChatMessage], text: str, candidate: Candidate) -> tuple[ChatMessage, ...]:
    """Return the call that asks about one candidate: the same messages, the examples, the message, the candidate last."""
    shots = [
        turn
        for asked, note, answer in EXAMPLES
        for turn in (ChatMessage("user", _asked(asked, note)), ChatMessage("assistant", answer))
    ]
    first, *others = (*shots, ChatMessage("user", _asked(text, _note(candidate))))
    return (*following(messages, first.content), *others)


def _asked(text: str, note: str) -> str:
    return f"{QUESTION}\nMessage: {text}\nNote: {note}"


async def _each(asking: _Asking, candidates: Sequence[Candidate], order: Sequence[int]) -> None:
    """Ask about one after another; the first also shows whether the server gives probabilities."""
    nonsense = 0
    for at in order:
        prompt = question(asking.messages, asking.text, candidates[at])
        # The first question reads the examples and the message too; those after it only their own candidate.
        new = count_messages(prompt[len(asking.messages) :]) if not asking.calls else pieces(_note(candidates[at])) + 8
        if not asking.pace.allows(new, 1, asking.left):
            asking.why = "there was no time for more"
            return
        asking.reading, asking.began = new, time.perf_counter()
        answer = await yes_no.ask(
            asking.model,
            prompt,
            max(asking.left, 0.1),
            words=not asking.calls and asking.pace.reading == 0.0,
            turns_dropped=asking.turns_dropped,
        )
        asking.pace.learn(answer.usage, time.perf_counter() - asking.began, new)
        asking.reading = 0
        asking.calls += 1
        kept = answer.chance >= YES if answer.chance is not None else answer.word
        if kept is not None:
            asking.found[at] = Verdict(kept, "model", answer.chance)
            nonsense = 0
        if not answer.probabilities:
            _WITHOUT.add(asking.model)
            return
        nonsense += kept is None
        if nonsense >= _NONSENSE:
            asking.why = "the model answered neither yes nor no"
            return


async def _list(asking: _Asking, candidates: Sequence[Candidate], order: Sequence[int]) -> None:
    """Ask about all in one call."""
    notes = "\n".join(f"{number}. {_note(candidates[at])}" for number, at in enumerate(order, 1))
    prompt = aside(asking.messages, asking.text, f"{QUESTION_LIST}\n{notes}\nNumbers:")
    new = pieces(prompt[-1].content)
    if not asking.pace.allows(new, 4, asking.left):
        asking.why = "there was no time for the question"
        return
    started = time.perf_counter()
    request = Request(prompt, _LIST_ANSWER, timeout=max(asking.left, 0.1), turns_dropped=asking.turns_dropped)
    completion = await asking.model.complete(request)
    asking.pace.learn(completion.usage, time.perf_counter() - started, new)
    asking.calls += 1
    kept = kept_in(completion.text, len(order)) if completion.finish is not Finish.CUT else None
    if kept is None:
        asking.why = "the model's answer could not be read"
        return
    asking.found |= {at: Verdict(number in kept, "model") for number, at in enumerate(order, 1)}


def _note(candidate: Candidate) -> str:
    when = f"[{candidate.when}] " if candidate.when else ""
    return f"{when}{one_line(candidate.text, _NOTE)}"


def _reason(told: int, undecided: int, why: str) -> str:
    if not undecided:
        return "The scores left nothing undecided."
    if told == undecided:
        return f"The model was asked about {told}."
    because = why or "the model gave no verdict"
    return f"The model decided on {told} of {undecided}; the others were decided by their score, because {because}."
