"""A vault as the long-term memory of a LangGraph program: `VaultStore(vault)` is a store of LangGraph over the vault's facts.

The one rule: a value that a fact cannot hold is refused with a sentence; nothing is kept in another shape than it was given.
"""

from __future__ import annotations

import asyncio
import operator
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC
from typing import Any

from ricordo.errors import InvalidInput
from ricordo.fact import Global, Home, InSpace
from ricordo.keyed import Kept
from ricordo.sync import Vault
from ricordo.vault import AsyncVault

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        validate_op_namespace,
    )
except ImportError as error:
    raise ImportError("LangGraph is not installed. Install it with `pip install 'ricordo[langgraph]'`.") from error

GLOBAL = ("global",)  # the namespace of what every conversation may use

Namespace = tuple[str, ...]

_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": operator.eq, "$ne": operator.ne, "$gt": operator.gt, "$gte": operator.ge, "$lt": operator.lt, "$lte": operator.le,
}  # fmt: skip


class VaultStore(BaseStore):
    """A store of LangGraph whose items are the facts of a vault: what it puts is remembered, and the person sees and undoes it.

    The namespace `("global",)` is the global list, every other a Space: `("Garden",)`, `("work", "ann")` for *work/ann*; `put`
    makes a Space that is not there. A value is one fact, `{"text": "The user keeps bees."}`, with `field` in place of
    `text` where a program calls it otherwise. `program` is what the change log calls the writer. Over a `Vault` all
    methods work; over an `AsyncVault` the async ones, in its event loop.
    """

    supports_ttl = False

    def __init__(self, vault: Vault | AsyncVault, *, field: str = "text", program: str = "LangGraph") -> None:
        self._vault, self._field, self._program = vault, field, program
        self._core = vault._core if isinstance(vault, Vault) else vault

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations one after another; those ahead of one that fails stay done.

        Raises InvalidInput and SwitchedOff for what cannot be kept; their texts say what to do.
        """
        if isinstance(self._vault, AsyncVault):
            raise InvalidInput("This store is over an AsyncVault. Use aget, aput, asearch and adelete, or give it a Vault.")
        return self._vault._portal.call(self._all(list(ops)))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations as `batch` does."""
        if isinstance(self._vault, AsyncVault):
            return await self._all(list(ops))
        return await asyncio.to_thread(self.batch, list(ops))

    async def _all(self, ops: list[Op]) -> list[Result]:
        for op in ops:
            validate_op_namespace(op)
            if isinstance(op, PutOp) and op.value is not None:
                self._text_of(op)
        return [await self._one(op) for op in ops]

    async def _one(self, op: Op) -> Result:
        homes = await self._homes()
        match op:
            case GetOp(namespace, key):
                found = await self._core.keyed.get(homes[namespace], key) if namespace in homes else None
                return Item(**self._parts(namespace, found)) if found else None
            case PutOp(namespace, key, None):
                if namespace in homes:
                    await self._core.keyed.delete(self._program, homes[namespace], key)
                return None
            case PutOp(namespace, key):
                home = homes.get(namespace) or _space_for(namespace)
                await self._core.keyed.put(self._program, home, key, self._text_of(op))
                return None
            case SearchOp():
                return await self._found(op, homes)
            case ListNamespacesOp():
                return await self._listed(op, homes)
            case _:
                raise InvalidInput(f"A vault cannot do {type(op).__name__}.")

    async def _homes(self) -> dict[Namespace, Home]:
        """Return where the facts of each namespace are at home."""
        spaces = {tuple(space.name.split("/")): InSpace(space.id) for space in await self._core.spaces.all()}
        return {**spaces, GLOBAL: Global()}

    def _text_of(self, op: PutOp) -> str:
        """Return the fact that a value is. Raises InvalidInput for any other."""
        value: Mapping[str, Any] = op.value or {}
        text = value.get(self._field)
        if set(value) != {self._field} or not isinstance(text, str):
            raise InvalidInput(
                f'A vault keeps facts, one statement each, as {{"{self._field}": "The user keeps bees."}}. Put other values into '
                "another store, or name the field that holds the statement: VaultStore(vault, field=…)."
            )
        if op.index is False:
            raise InvalidInput("What a vault keeps can always be found. Leave out index=False, or use another store.")
        if op.ttl is not None:
            raise InvalidInput("What a vault keeps does not expire. Leave out ttl, and delete what is over.")
        return text

    async def _found(self, op: SearchOp, homes: Mapping[Namespace, Home]) -> list[SearchItem]:
        found: list[SearchItem] = []
        for namespace, home in homes.items():
            if namespace[: len(op.namespace_prefix)] != op.namespace_prefix:
                continue
            if op.query:
                kept = await self._core.keyed.find(home, op.query, 10_000 if op.filter else op.offset + op.limit)
            else:
                kept = await self._core.keyed.all(home)
            found += [SearchItem(**self._parts(namespace, each), score=each.score) for each in kept]
        passed = [item for item in found if _passes(item.value, op.filter or {})]
        passed.sort(key=lambda item: -(item.score or item.updated_at.timestamp()))
        return passed[op.offset : op.offset + op.limit]

    async def _listed(self, op: ListNamespacesOp, homes: Mapping[Namespace, Home]) -> list[Namespace]:
        held = [namespace for namespace, home in homes.items() if await self._core.keyed.all(home)]
        matching = [namespace for namespace in held if all(_matches(each, namespace) for each in op.match_conditions or ())]
        return sorted({namespace[: op.max_depth] for namespace in matching})[op.offset : op.offset + op.limit]

    def _parts(self, namespace: Namespace, kept: Kept) -> dict[str, Any]:
        """Return what an item is made of."""
        created, updated = (moment.local.astimezone(UTC) for moment in (kept.fact.created, kept.fact.updated))
        value = {self._field: kept.fact.text}
        return {"namespace": namespace, "key": kept.key, "value": value, "created_at": created, "updated_at": updated}


def _space_for(namespace: Namespace) -> str:
    """Return the name of the Space that a namespace stands for. Raises InvalidInput where it would not be read back so."""
    name = "/".join(namespace)
    if any("/" in label for label in namespace) or name != " ".join(name.split()):
        raise InvalidInput(f"A Space cannot be called “{name}”. Use labels without slashes and without spaces at their ends.")
    if name.casefold() == GLOBAL[0]:
        raise InvalidInput('The global list is the namespace ("global",), in small letters.')
    return name


def _matches(condition: MatchCondition, namespace: Namespace) -> bool:
    """Say whether a namespace begins or ends as a condition wants it."""
    path = condition.path
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :] if path else ()
    return len(part) == len(path) and all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))


def _passes(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Say whether a value has what a filter wants. Raises InvalidInput for a test that is not known."""
    for name, test in wanted.items():
        tests = test if isinstance(test, dict) else {"$eq": test}
        if unknown := set(tests) - set(_TESTS):
            raise InvalidInput(f"There is no test {sorted(unknown)[0]} in a filter. There are {', '.join(_TESTS)}.")
        if name not in value or not all(_TESTS[sign](value[name], other) for sign, other in tests.items()):
            return False
    return True
