"""From what there is to the prompt that is sent: layers, budget and epochs, in pure functions over values.

The one rule: within an epoch each prompt begins with all of the one before, so that a model's cache is kept (DESIGN §3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from ricordo.change import Edit, Removed
from ricordo.conversation import Message, Moment, Role
from ricordo.errors import InvalidInput
from ricordo.fact import Global, Home, InSpace
from ricordo.models.tokens import PER_MESSAGE, PER_PROMPT
from ricordo.prompt import Budget, ChatMessage, Layer, Prompt
from ricordo.recall import fitting, names, parts
from ricordo.recall.budget import FIXED, Count, cut_middle, share_out, shares
from ricordo.recall.material import Material, without

# Hundredths of the conversation's room: what a full window keeps when its oldest turns go (DESIGN §3), and how full a window
# may be when an epoch begins: with less to spare the next epoch would follow at once.
KEPT = 60
FULL = 80
IDLE = 3600 * 1_000_000  # microseconds without a turn after which a new epoch begins


@dataclass(frozen=True, slots=True)
class Epoch:
    """The part of a conversation's prompts that stays the same from turn to turn.

    `basis` is what the fixed part was made from: when that changes, a new epoch begins. `first` is the id of the oldest
    message in the window, `as_of` the last change of the fact list that it knows of. `turns_dropped` says that it followed
    one of which only the oldest turns went. `sent` holds messages in the words they were sent with, memory part included:
    sent again just so, the model need not read the last exchange again (docs/decisions/0006-prompt-cache.md).
    """

    model: str
    budget: Budget
    basis: tuple[str, ...]
    fixed: tuple[Layer, ...]
    first: int | None
    used: Moment
    as_of: int = 0
    turns_dropped: bool = False
    sent: Mapping[int, str] = field(default_factory=dict)

    @property
    def fixed_tokens(self) -> int:
        """Tokens of memory in the fixed part; instructions are the person's and do not count."""
        return sum(layer.tokens for layer in self.fixed if layer.name in FIXED)


def assemble(material: Material, budget: Budget, count: Count, model: str, epoch: Epoch | None) -> tuple[Prompt, Epoch]:
    """Return the prompt for the newest message, and the epoch to hand in with the next one.

    Raises InvalidInput when the instructions leave no room for a conversation.
    """
    needs = _needs(material, count)
    if epoch is not None and _goes_on(epoch, material, budget, needs, model):
        made = _compose(material, budget, count, epoch)
        if made is not None:
            return made
    same = epoch is not None and _unchanged(epoch, material, budget, model)
    return _begin(
        material,
        budget,
        count,
        needs,
        Epoch(model, budget, _basis(material), (), None, material.now, material.newest_change, same),
    )


def _basis(material: Material, held: Sequence[Edit] = ()) -> tuple[str, ...]:
    """Return what ends an epoch when it changes, as it was before the edits that are held back for the next one.

    The summary and the names wait for that by themselves.
    """
    space = material.space_facts[0].home if material.space_facts else _home_of(held)
    return (
        material.instructions,
        parts.memories(without(material.global_facts, held, Global()), without(material.space_facts, held, space)),
        parts.pinned_list(without(material.pinned, held, None)),
        str(material.deletions),
    )


def _home_of(held: Sequence[Edit]) -> Home | None:
    """Return the Space that removed facts were at home in, when the last one of it is gone."""
    homes = (edit.before.home for edit in held if isinstance(edit, Removed))
    return next((home for home in homes if isinstance(home, InSpace)), None)


def _needs(material: Material, count: Count) -> dict[str, int]:
    texts = {
        "references": parts.found_part(material.references),
        "pinned": parts.pinned_list(material.pinned),
        "recalled": parts.found_part(material.recalled),
        "summary": parts.summary_part(material.summary),
        "memories": parts.memories(material.global_facts, material.space_facts),
        "names": parts.names_part(material.names),
    }
    return {part: count(text) if text else 0 for part, text in texts.items()}


def _unchanged(epoch: Epoch, material: Material, budget: Budget, model: str) -> bool:
    """Say whether nothing was edited or deleted of what the epoch's prompts showed."""
    shown = {turn.id for turn in material.turns}
    return (
        epoch.model == model
        and epoch.budget == budget
        and epoch.basis == _basis(material, material.held)
        and (epoch.first is None or epoch.first in shown)
        and all(key in shown or key == material.message.id for key in epoch.sent)
    )


def _goes_on(epoch: Epoch, material: Material, budget: Budget, needs: Mapping[str, int], model: str) -> bool:
    """Say whether this turn belongs to the epoch; a full window is noticed later, by composing it."""
    always = shares(budget.block)
    wanted = sum(min(needs[part], always[part]) for part in ("references", "recalled"))
    return (
        _unchanged(epoch, material, budget, model)
        and material.now.utc - epoch.used.utc < IDLE
        and budget.block - epoch.fixed_tokens >= wanted
    )


def _begin(material: Material, budget: Budget, count: Count, needs: Mapping[str, int], epoch: Epoch) -> tuple[Prompt, Epoch]:
    grants = share_out(needs, budget.block)
    epoch = replace(epoch, fixed=_fixed(material, grants, count))
    for window in _windows(material, budget, count, epoch):
        shown = replace(material, turns=window, names=names.out_of_sight(material.names, (*window, material.message)))
        fixed = epoch.fixed if shown.names == material.names else _fixed(shown, grants, count)
        made = _compose(shown, budget, count, replace(epoch, fixed=fixed))
        if made is not None:
            return made
    raise InvalidInput(
        "The model's window is too small for the instructions and this message. Shorten the instructions in Settings, or "
        "choose a model with a larger window."
    )


def _windows(material: Material, budget: Budget, count: Count, epoch: Epoch) -> Iterator[Sequence[Message]]:
    """Yield what the window could show of the earlier turns: all, if room is left to go on; the newest within KEPT; none."""
    bare = _compose(replace(material, turns=()), budget, count, epoch)
    room = 0 if bare is None else next(layer.tokens for layer in bare[0].layers if layer.name == "free")
    if sum(count(parts.stamped(turn)) + PER_MESSAGE for turn in material.turns) <= room * FULL // 100:
        yield material.turns
    yield _newest_that_fit(material.turns, room * KEPT // 100, count)
    yield ()


def _fixed(material: Material, grants: Mapping[str, int], count: Count) -> tuple[Layer, ...]:
    instructions = "\n\n".join(part for part in (parts.RULES, material.instructions.strip()) if part)
    texts = (
        ("instructions", instructions),
        ("memories", fitting.lists(material.global_facts, material.space_facts, grants["memories"], count)),
        ("pinned", fitting.pinned(material.pinned, grants["pinned"], count)),
        ("summary", cut_middle(parts.summary_part(material.summary), grants["summary"], count)),
        ("names", fitting.names(material.names, grants["names"], count)),
    )
    layers = [Layer(name, text, count(text)) for name, text in texts if text]
    return (replace(layers[0], tokens=layers[0].tokens + PER_MESSAGE + PER_PROMPT), *layers[1:])


def _newest_that_fit(turns: Sequence[Message], room: int, count: Count) -> Sequence[Message]:
    """Return the newest turns within `room` tokens, starting with a message of the person."""
    first = len(turns)
    while first > 0 and (size := count(parts.stamped(turns[first - 1])) + PER_MESSAGE) <= room:
        first -= 1
        room -= size
    while first < len(turns) and turns[first].role is Role.MODEL:
        first += 1
    return turns[first:]


def _compose(material: Material, budget: Budget, count: Count, epoch: Epoch) -> tuple[Prompt, Epoch] | None:
    """Return the prompt on the epoch's fixed part, None when it does not fit its window."""
    turns = [turn for turn in material.turns if turn.text.strip()]
    if epoch.first is not None:
        turns = turns[next(i for i, turn in enumerate(turns) if turn.id == epoch.first) :]
    texts = [(turn.role, epoch.sent.get(turn.id) or parts.stamped(turn)) for turn in turns]
    # Counted one by one, before they are joined: their counts are remembered from turn to turn.
    conversation = Layer(
        "conversation", "\n".join(text for _, text in texts), sum(count(text) + PER_MESSAGE for _, text in texts)
    )
    head, layers = _volatile(material, {turn.id for turn in turns}, budget.block - epoch.fixed_tokens, budget.block, count)
    message = parts.stamped(material.message)
    left = budget.prompt - sum(layer.tokens for layer in epoch.fixed) - conversation.tokens - count(head) - PER_MESSAGE
    if count(message) > left:
        if turns:  # the window is full: a new epoch drops turns before any word of the newest message goes
            return None
        message = cut_middle(message, left, count)
        if not message:
            return None
    newest = head + message
    layers = [*layers, Layer("message", message, count(newest) + PER_MESSAGE - sum(layer.tokens for layer in layers))]
    return _prompt(budget, epoch, conversation, layers, _alternating(texts), newest), replace(
        epoch,
        first=turns[0].id if turns else material.message.id,
        used=material.now,
        sent={**epoch.sent, material.message.id: newest},
    )


def _volatile(material: Material, shown: Set[int], room: int, block: int, count: Count) -> tuple[str, list[Layer]]:
    """Return the memory block of the newest message within `room` of the `block` tokens, and its layers.

    `shown` are the messages in the window, which are not repeated.
    """
    found = {"references": parts.unseen(material.references, shown), "recalled": parts.unseen(material.recalled, shown)}
    needs = {part: count(text) if (text := parts.found_part(each)) else 0 for part, each in found.items()}
    grants = share_out(needs, block, block - room)
    texts = {part: fitting.found(each, grants[part], count) for part, each in found.items()}
    layers = [Layer(part, text, count(text)) for part, text in texts.items() if text]
    return parts.memory_block(material.now, texts["references"], texts["recalled"]), layers


def _alternating(turns: Sequence[tuple[Role, str]]) -> list[tuple[Role, str]]:
    """Join neighbouring messages of one author: many chat templates refuse two of a kind in a row."""
    joined: list[tuple[Role, str]] = []
    for role, text in turns:
        if joined and joined[-1][0] is role:
            joined[-1] = (role, f"{joined[-1][1]}\n\n{text}")
        else:
            joined.append((role, text))
    return joined


def _prompt(
    budget: Budget, epoch: Epoch, conversation: Layer, layers: Sequence[Layer], shown: Sequence[tuple[Role, str]], newest: str
) -> Prompt:
    messages = [ChatMessage("system", "\n\n".join(layer.text for layer in epoch.fixed))]
    messages += [ChatMessage("user" if role is Role.USER else "assistant", text) for role, text in shown]
    if messages[-1].role == "user":
        messages[-1] = ChatMessage("user", f"{messages[-1].content}\n\n{newest}")
    else:
        messages.append(ChatMessage("user", newest))
    parted = [*epoch.fixed, *([conversation] if shown else []), *layers]
    used = sum(layer.tokens for layer in parted)
    return Prompt(
        tuple(messages),
        (*parted, Layer("reply room", "", budget.reply), Layer("free", "", max(0, budget.prompt - used))),
        budget,
    )
