"""What has to be looked up before a reply (R1, R3): rules first, then the model, asked as the same messages plus one question.

The one rule: the message itself is always one of the searches, unless rules say that it holds nothing to search for. What a
model adds are the things that a message only points to; whatever it answers, a plan comes of it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass

from ricordo.errors import ModelError
from ricordo.models.base import ChatModel, Finish, Finished, Request, Text
from ricordo.models.pace import Pace, pace_of
from ricordo.models.tokens import pieces
from ricordo.prompt import ChatMessage, Usage
from ricordo.recall.aside import following, one_line
from ricordo.recall.plan_answers import searches_in
from ricordo.recall.references import Reference, rest
from ricordo.recall.said_before import said, topic
from ricordo.recall.wording import Kind, asked_for, kind, names_all, telling
from ricordo.wishes import FORGET

MOST_SEARCHES = 3  # of the model's, besides the message itself
_ANSWER = 48  # tokens: three short searches
_USUAL = 16  # tokens that an answer takes
_IF_CLEAR = 0.4  # of the patience: what a plan may take for a message that names all itself
_LONG = 300  # letters above which a message's questions are searched for by themselves
_QUESTIONS = 2
_WISH = 120  # letters of a sentence that can be nothing but the wish to forget something

# Asked what to look up, a small model answers the message; shown lines to go on with, it names who and what is meant. The
# examples hold no name and no number, because it copies them; their words are taken off what it writes.
QUESTION = (
    "(Asked aside by the app; do not answer the message.) Write what to search for in the person's diary, up to three short "
    "searches, one a line: the names and things that are meant, no sentence.\n"
    "Talk: The roofer was here, he found broken tiles. | Message: When will he come back? | Search: roofer tiles\n"
    "Talk: I had lunch with my aunt. | Message: What does she do with her old clocks? | Search: aunt clocks\n"
)
_TALK, _MESSAGE = 300, 500  # letters


@dataclass(frozen=True, slots=True)
class Plan:
    """What to search for, the message itself first; empty when nothing is to be searched. `asked`: whether the model was."""

    searches: tuple[str, ...]
    reason: str
    asked: bool = False


def own_searches(text: str, references: Sequence[Reference] = ()) -> tuple[str, ...]:
    """Return what to search for when no model is asked: the message without the phrase that asks.

    In a long message its questions come first, by themselves. Empty when there is nothing to search for.
    """
    left = _to_look_up(rest(text, references))
    if kind(left) is not Kind.TELLING:
        return ()
    whole = asked_for(left)
    sentences = _sentences(whole) if len(whole) > _LONG else []
    questions = [asked_for(part) for part in sentences if part.endswith(("?", "？", "؟")) and telling(part)][:_QUESTIONS]
    return tuple(dict.fromkeys([*questions, whole]))


async def plan(
    model: ChatModel,
    messages: Sequence[ChatMessage],
    message_text: str,
    patience: float,
    references: Sequence[Reference] = (),
    *,
    turns_dropped: bool = False,
) -> Plan:
    """Return what to search for before replying to a message. Never raises for what a model does.

    `messages` are the system message and the turns in the window, without the newest message; `references` what is looked up
    outright in it. `patience` is seconds in all: what was written by then counts, as far as its lines are whole.
    `turns_dropped` as in `Request`.
    """
    if not _to_look_up(message_text):
        return Plan((), "The message asks to forget something; looking it up would only bring it back.")
    what = kind(rest(message_text, references))
    own = own_searches(message_text, references)
    if what is Kind.NOTHING:
        return Plan((), "There is nothing to search for in the message.")
    if what is Kind.POINTING and not any(message.role == "assistant" for message in messages):
        return Plan((), "The message points to something, and nothing was said before it.")
    clear = bool(own) and names_all(own[-1])
    instead = own if clear or not (before := topic(messages)) else tuple(dict.fromkeys((*own, before)))
    then = "the message itself was searched" if instead == own else "what was said before it was searched too"
    pace = pace_of(model)
    prompt = question(messages, message_text)
    new = pieces(prompt[-1].content)
    if clear and pace.expected(new, _USUAL) > _IF_CLEAR * patience:
        return Plan(own, "The message says itself what to look for; the time is left to checking what is found.")
    if not pace.allows(new, _USUAL, patience):
        return Plan(instead, f"There was no time to ask the model; {then if instead else 'nothing was searched'}.")
    request = Request(prompt, _ANSWER, timeout=patience, turns_dropped=turns_dropped)
    answer, why = await _answer(model, request, pace, new)
    written = [_own_words(search, prompt[-1].content.rpartition(QUESTION)[2]) for search in searches_in(answer, QUESTION)]
    found = [search for search in written if search and not _same(search, own)][:MOST_SEARCHES]
    if found:
        but = f", but {why}" if why else ""
        return Plan((*own, *found), f"The model named what else to look for{but}.", asked=True)
    why = why or ("the model saw nothing more to look up" if answer.strip() else "the model answered nothing")
    return Plan(instead, f"{why[:1].upper()}{why[1:]}; {then if instead else 'nothing was searched'}.", asked=True)


def _to_look_up(text: str) -> str:
    """Return a message without the sentences that ask to forget something."""
    sentences = _sentences(text)
    kept = [part for part in sentences if len(part) > _WISH or not FORGET.match(part)]
    return text if len(kept) == len(sentences) else " ".join(kept)


def question(messages: Sequence[ChatMessage], message_text: str) -> tuple[ChatMessage, ...]:
    """Return the planner's call: the same messages, then the question, with what was said last beside the message."""
    talk = one_line(" ".join(reversed(said(messages))), _TALK) or "(nothing yet)"
    return following(messages, f"{QUESTION}Talk: {talk} | Message: {one_line(message_text, _MESSAGE)} | Search:")


def _own_words(search: str, shown: str) -> str:
    """Return a search without the words of the question's examples that nobody said in the talk."""
    copied = set(telling(QUESTION)) - set(telling(shown))
    return " ".join(word for word in search.split() if not copied.intersection(telling(word))).strip(" ,;")


async def _answer(model: ChatModel, request: Request, pace: Pace, new: int) -> tuple[str, str]:
    """Return what the model wrote, its last line only if it is whole, and what went wrong, if something did."""
    started = time.perf_counter()
    text, why, usage = "", "", Usage()
    ended = False
    try:
        async with asyncio.timeout(request.timeout), aclosing(model.stream(request)) as answer:
            async for piece in answer:
                match piece:
                    case Text(more):
                        text += more
                        if len(_whole_lines(text).split("\n")) > MOST_SEARCHES and not _structured(text):
                            break  # more than enough: the rest would only take time
                    case Finished(finish, usage):
                        ended = finish is Finish.STOP
                    case _:
                        pass
    except TimeoutError:
        why = "its time was over"
        if not text:
            pace.learn_cut(new, request.timeout)
    except ModelError as error:
        why = f"the model failed ({error})"
    pace.learn(usage, time.perf_counter() - started, new)
    return (text if ended else _whole_lines(text)), why


def _whole_lines(text: str) -> str:
    """Return the text without a line that broke off; reasoning that never ended stays, to be seen as such."""
    return text if _structured(text) else text.rpartition("\n")[0]


def _structured(text: str) -> bool:
    """Tell an answer that is more than lines: JSON, a fence, reasoning."""
    return text.lstrip().startswith(("<", "{", "[", "`"))


def _same(search: str, own: Sequence[str]) -> bool:
    """Tell whether a search says no more than the message does."""
    words = set(telling(search))
    return any(not words - set(telling(each)) and len(set(telling(each))) <= len(words) + 1 for each in own)


def _sentences(text: str) -> list[str]:
    parts, start = [], 0
    for at, letter in enumerate(text):
        if letter in ".!?。！？؟\n" and (at + 1 == len(text) or text[at + 1].isspace() or letter in "。！？"):
            parts.append(text[start : at + 1])
            start = at + 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]
