"""Fitting each part of the prompt into the tokens it was granted: what goes first, what is shortened, what is said about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from ricordo.fact import Fact, sendable
from ricordo.recall import parts
from ricordo.recall.budget import Count, cut_middle
from ricordo.recall.parts import Found

_LEAST = 24  # tokens of an entry worth showing: about a sentence


Fitted = tuple[str, Sequence[Fact]]  # a list as text, and the facts that are in it


def lists(global_facts: Sequence[Fact], space_facts: Sequence[Fact], tokens: int, count: Count) -> Fitted:
    """Return both fact lists within `tokens`; the oldest unpinned facts of the longer list go first."""
    world, space = list(sendable(global_facts)[0]), list(sendable(space_facts)[0])
    text = parts.memories(world, space)
    while text and count(text) > tokens:
        (world if len(world) > len(space) else space).pop()
        text = parts.memories(world, space)
    return text, (*world, *space)


def pinned(facts: Sequence[Fact], tokens: int, count: Count) -> Fitted:
    """Return the pinned facts, oldest first, within `tokens`: the newest whole; one too long alone is cut in the middle."""
    left, first = tokens, len(facts)
    while first > 0 and (left := left - count(parts.one_line(facts[first - 1].text)) - 1) >= 0:
        first -= 1
    while first < len(facts) and count(parts.pinned_list(facts[first:])) > tokens:
        first += 1  # the title takes room too
    if first == len(facts) and facts:
        text = cut_middle(parts.pinned_list(facts[-1:]), tokens, count)
        return text, facts[-1:] if text else ()
    return parts.pinned_list(facts[first:]), facts[first:]


def names(all_names: Sequence[str], tokens: int, count: Count) -> str:
    """Return the names within `tokens`, the least frequent left out first."""
    whole = parts.names_part(all_names)
    if not whole or count(whole) <= tokens:
        return whole
    kept, left = 0, tokens - count(parts.names_part([""]))
    while kept < len(all_names) and (left := left - count(all_names[kept]) - 1) >= 0:
        kept += 1
    # Counted one by one they are rounded otherwise than together.
    while kept < len(all_names) and count(parts.names_part(all_names[: kept + 1])) <= tokens:
        kept += 1
    while kept and count(parts.names_part(all_names[:kept])) > tokens:
        kept -= 1
    return parts.names_part(all_names[:kept])


def found(all_found: Sequence[Found], tokens: int, count: Count) -> tuple[Found, ...]:
    """Return what was found within `tokens`: as many entries as can each have a sentence or more, long ones shortened.

    Short entries stay whole; what they leave goes to the long ones.
    """
    if count(parts.found_part(all_found)) <= tokens:
        return tuple(all_found)
    sizes = [count(entry.text) for each in all_found for entry in each.entries]
    for shown in range(len(sizes), 0, -1):
        # Two tokens an entry to spare: parts counted one by one are rounded otherwise than their whole.
        room = tokens - count(parts.found_part(_shown(all_found, shown, lambda _: ""))) - 2 * shown
        if room < sum(min(size, _LEAST) for size in sizes[:shown]):
            continue
        most = most_each(sizes[:shown], room)
        fitted = _shown(all_found, shown, partial(cut_middle, tokens=most, count=count))
        if count(parts.found_part(fitted)) <= tokens:
            return fitted
    titles = tuple(replace(each, entries=()) for each in all_found)
    return titles if count(parts.found_part(titles)) <= tokens else ()


def most_each(sizes: Sequence[int], room: int) -> int:
    """Return the most tokens an entry may have so that all together stay within `room`."""
    for number, size in enumerate(ordered := sorted(sizes)):
        even = room // (len(ordered) - number)
        if size > even:
            return even
        room -= size
    return ordered[-1]


def _shown(all_found: Sequence[Found], shown: int, shorten: Callable[[str], str]) -> tuple[Found, ...]:
    """Word what was found with only the first `shown` entries, each shortened, and say how many are left out."""
    left = shown
    worded = []
    for each in all_found:
        kept = each.entries[:left]
        left -= len(kept)
        missing = len(each.entries) - len(kept)
        title = f"{each.title} ({missing} more left out for room)" if missing else each.title
        worded.append(Found(title, tuple(replace(entry, text=shorten(entry.text)) for entry in kept)))
    return tuple(worded)
