"""From what there is to the prompt that is sent: layers, budget and epochs, in pure functions over values.

The one rule: within an epoch each prompt begins with all of the one before, so that a model's cache is kept (DESIGN §3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

from ricordo.conversation import Message, Role
from ricordo.errors import InvalidInput
from ricordo.models.tokens import PER_MESSAGE, PER_PROMPT
from ricordo.prompt import Budget, ChatMessage, Layer, Prompt, Shown
from ricordo.recall import fitting, names, parts
from ricordo.recall.budget import Count, cut_middle, share_out, shares
from ricordo.recall.epochs import Epoch as Epoch
from ricordo.recall.epochs import basis_of, goes_on, riding, unchanged
from ricordo.recall.material import Material
from ricordo.store.name_reading import folded_text

# Hundredths of the conversation's room: what a full window keeps when its oldest turns go (DESIGN §3), and how full a window
# may be when an epoch begins: with less to spare the next epoch would follow at once.
KEPT = 60
FULL = 80


def assemble(material: Material, budget: Budget, count: Count, model: str, epoch: Epoch | None) -> tuple[Prompt, Epoch]:
    """Return the prompt for the newest message, and the epoch to hand in with the next one.

    Raises InvalidInput when the instructions leave no room for a conversation.
    """
    needs = _found_needs(material, count)
    if epoch is not None and goes_on(epoch, material, budget, needs, model):
        made = _compose(material, budget, count, epoch)
        if made is not None:
            return made
    before = epoch if epoch is not None and unchanged(epoch, material, budget, model) else None
    new = Epoch(model, budget, basis_of(material), (), None, material.now, material.newest_change, before is not None)
    return _begin(material, budget, count, needs | _fixed_needs(material, count), new, before)


def _found_needs(material: Material, count: Count) -> dict[str, int]:
    texts = {"references": parts.found_part(material.references), "recalled": parts.found_part(material.recalled)}
    return _counted(texts, count)


def _fixed_needs(material: Material, count: Count) -> dict[str, int]:
    texts = {
        "pinned": parts.pinned_list(material.pinned),
        "summary": parts.summary_part(material.summary),
        "memories": parts.memories(material.global_facts, material.space_facts),
        "names": parts.names_part(material.names),
    }
    return _counted(texts, count)


def _counted(texts: Mapping[str, str], count: Count) -> dict[str, int]:
    return {part: count(text) if text else 0 for part, text in texts.items()}


def _begin(
    material: Material, budget: Budget, count: Count, needs: Mapping[str, int], epoch: Epoch, before: Epoch | None
) -> tuple[Prompt, Epoch]:
    """Return the first prompt of an epoch; `before` is the one of which only the oldest turns go."""
    grants = share_out(needs, budget.block)
    fixed, facts = _fixed(material, grants, count)
    epoch = replace(epoch, fixed=fixed, facts=facts)
    for window in _windows(material, budget, count, epoch):
        shown = replace(material, turns=window, names=_out_of_sight(material, window))
        fixed = epoch.fixed if shown.names == material.names else _fixed(shown, grants, count)[0]
        beginning = replace(epoch, fixed=fixed)
        made = _ride(shown, budget, count, beginning, before) if before else None
        made = made or _compose(shown, budget, count, beginning)
        if made is not None:
            return made
    raise InvalidInput(
        "The model's window is too small for the instructions and this message. Shorten the instructions in Settings, or "
        "choose a model with a larger window."
    )


def _out_of_sight(material: Material, window: Sequence[Message]) -> tuple[str, ...]:
    wordings = material.wordings
    left = wordings.sight.out_of(material.names, window, wordings.folded_of) if material.names else ()
    return names.out_of_sight(left, [folded_text(material.message.text)]) if left else ()


def _ride(material: Material, budget: Budget, count: Count, epoch: Epoch, before: Epoch) -> tuple[Prompt, Epoch] | None:
    """Return the prompt on the fixed part of the epoch before, what is new since riding on the newest message.

    A server that can move what it has read need not read it again then. None when there is no room for that.
    """
    told = tuple(replace(layer, tokens=count(layer.text)) for layer in riding(before.fixed, epoch.fixed))
    epoch = replace(epoch, fixed=before.fixed, riding=told, began=material.message.id)
    found = shares(budget.block)
    if epoch.fixed_tokens + found["references"] + found["recalled"] > budget.block:
        return None
    return _compose(material, budget, count, epoch)


def _windows(material: Material, budget: Budget, count: Count, epoch: Epoch) -> Iterator[Sequence[Message]]:
    """Yield what the window could show of the earlier turns: all, if room is left to go on; the newest within KEPT; none."""
    bare = _compose(replace(material, turns=()), budget, count, epoch)
    room = 0 if bare is None else next(layer.tokens for layer in bare[0].layers if layer.name == "free")
    if _fitting(material, room * FULL // 100, count) == 0:
        yield material.turns
    yield _newest_that_fit(material, room * KEPT // 100, count)
    yield ()


def _fixed(material: Material, grants: Mapping[str, int], count: Count) -> tuple[tuple[Layer, ...], tuple[int, ...]]:
    """Return the layers of the system message, and the facts in them."""
    instructions = "\n\n".join(part for part in (parts.RULES, material.instructions.strip()) if part)
    memories, listed = fitting.lists(material.global_facts, material.space_facts, grants["memories"], count)
    pinned, held = fitting.pinned(material.pinned, grants["pinned"], count)
    texts = (
        ("instructions", instructions),
        ("memories", memories),
        ("pinned", pinned),
        ("summary", cut_middle(parts.summary_part(material.summary), grants["summary"], count)),
        ("names", fitting.names(material.names, grants["names"], count)),
    )
    layers = [Layer(name, text, count(text)) for name, text in texts if text]
    first = replace(layers[0], tokens=layers[0].tokens + PER_MESSAGE + PER_PROMPT)
    return (first, *layers[1:]), tuple(fact.id for fact in (*listed, *held))


def _newest_that_fit(material: Material, room: int, count: Count) -> Sequence[Message]:
    """Return the newest turns within `room` tokens, starting with a message of the person."""
    turns, first = material.turns, _fitting(material, room, count)
    while first < len(turns) and turns[first].role is Role.MODEL:
        first += 1
    return turns[first:]


def _fitting(material: Material, room: int, count: Count) -> int:
    """Return the place from which on the turns fit into `room` tokens; 0 when all do. No more are counted than it takes."""
    first = len(material.turns)
    while first > 0 and (size := count(material.wordings.of(material.turns[first - 1])) + PER_MESSAGE) <= room:
        first -= 1
        room -= size
    return first


def _compose(material: Material, budget: Budget, count: Count, epoch: Epoch) -> tuple[Prompt, Epoch] | None:
    """Return the prompt on the epoch's fixed part, None when it does not fit its window."""
    turns = [turn for turn in material.turns if turn.text.strip()]
    if epoch.first is not None:
        turns = turns[next(i for i, turn in enumerate(turns) if turn.id == epoch.first) :]
    texts = [(turn.role, epoch.sent.get(turn.id) or material.wordings.of(turn)) for turn in turns]
    # Counted one by one, before they are joined: their counts are remembered from turn to turn.
    conversation = Layer(
        "conversation", "\n".join(text for _, text in texts), sum(count(text) + PER_MESSAGE for _, text in texts)
    )
    told = epoch.riding if epoch.began == material.message.id else ()
    room = budget.block - epoch.fixed_tokens
    head, layers, beside = _volatile(material, {turn.id for turn in turns}, room, budget.block, count, told)
    message = parts.stamped(material.message)
    above = count(head)
    left = budget.prompt - sum(layer.tokens for layer in epoch.fixed) - conversation.tokens - above - PER_MESSAGE
    if count(message) > left:
        if turns:  # the window is full: a new epoch drops turns before any word of the newest message goes
            return None
        message = cut_middle(message, left, count)
        if not message:
            return None
    newest = head + message
    size = above + count(message) + PER_MESSAGE - sum(layer.tokens for layer in layers)
    layers = [*layers, Layer("message", message, size)]
    seen = replace(beside, window=tuple(turn.id for turn in turns), facts=epoch.facts)
    return replace(_prompt(budget, epoch, conversation, layers, _alternating(texts), newest), shown=seen), replace(
        epoch,
        first=turns[0].id if turns else material.message.id,
        used=material.now,
        sent={**epoch.sent, material.message.id: newest},
        quotes=epoch.quotes.and_of(beside, material.recalled),
    )


def _volatile(
    material: Material, shown: Set[int], room: int, block: int, count: Count, told: Sequence[Layer]
) -> tuple[str, list[Layer], Shown]:
    """Return the memory block of the newest message within `room` of the `block` tokens, its layers, and what it shows.

    `shown` are the messages in the window, which are not repeated.
    """
    found = {"references": parts.unseen(material.references, shown), "recalled": parts.unseen(material.recalled, shown)}
    needs = {part: count(text) if (text := parts.found_part(each)) else 0 for part, each in found.items()}
    grants = share_out(needs, block, block - room)
    fitted = {part: fitting.found(each, grants[part], count) for part, each in found.items()}
    texts = {part: parts.found_part(each) for part, each in fitted.items()}
    layers = [*told, *(Layer(part, text, count(text)) for part, text in texts.items() if text)]
    recalled = [entry for each in fitted["recalled"] for entry in each.entries]
    beside = Shown(
        references=tuple(entry.key for each in fitted["references"] for entry in each.entries if entry.key is not None),
        recalled=tuple(entry.key for entry in recalled if entry.key is not None),
        recalled_facts=tuple(entry.fact for entry in recalled if entry.fact is not None),
    )
    lines = (*(layer.text for layer in told), texts["references"], texts["recalled"])
    return parts.memory_block(material.now, *lines), layers, beside


def _alternating(turns: Sequence[tuple[Role, str]]) -> list[tuple[Role, str]]:
    """Join neighbouring messages of one author: many chat templates refuse two of a kind in a row."""
    together = groupby(turns, key=itemgetter(0))
    return [(role, "\n\n".join(text for _, text in each)) for role, each in together]


def _prompt(
    budget: Budget, epoch: Epoch, conversation: Layer, layers: Sequence[Layer], shown: Sequence[tuple[Role, str]], newest: str
) -> Prompt:
    messages = [ChatMessage("system", "\n\n".join(layer.text for layer in epoch.fixed))]
    messages += [ChatMessage("user" if role is Role.USER else "assistant", text) for role, text in shown]
    if messages[-1].role == "user":
        messages[-1] = ChatMessage("user", f"{messages[-1].content}\n\n{newest}")
    else:
        messages.append(ChatMessage("user", newest))
    parted = _merged([*epoch.fixed, *([conversation] if shown else []), *layers])
    used = sum(layer.tokens for layer in parted)
    return Prompt(
        tuple(messages),
        (*parted, Layer("reply room", "", budget.reply), Layer("free", "", max(0, budget.prompt - used))),
        budget,
    )


def _merged(layers: Sequence[Layer]) -> list[Layer]:
    """Return the layers with those of one name put together, in the place of the first."""
    merged: dict[str, Layer] = {}
    for layer in layers:
        if (there := merged.get(layer.name)) is not None:
            layer = Layer(layer.name, f"{there.text}\n\n{layer.text}", there.tokens + layer.tokens)
        merged[layer.name] = layer
    return list(merged.values())
