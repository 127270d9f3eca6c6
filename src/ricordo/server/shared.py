"""One answer for all who ask the same of one moment: many tabs read a list anew when they hear that it changed.

The one rule: what is shared was read after the last thing that was written, and goes when the vault is locked.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from fastapi import Response
from pydantic import TypeAdapter

from ricordo.vault import AsyncVault

_MOST = 64  # answers of one moment that are kept: a hundred messages are some hundred kilobytes


@dataclass(slots=True)
class _Moment:
    """The answers that were made since the last commit, or are being made."""

    commits: int
    answers: OrderedDict[str, asyncio.Future[bytes]] = field(default_factory=OrderedDict)


_MOMENTS: WeakKeyDictionary[AsyncVault, _Moment] = WeakKeyDictionary()


async def shared(vault: AsyncVault, asked: str, kind: TypeAdapter[Any], make: Callable[[], Awaitable[Any]]) -> Response:
    """Return the answer to what was asked, made once for all who ask before anything is written; else what `make` raises.

    Not for what differs by who asks: a program with a token for one Space gets to no route that shares its answers.
    """
    moment = _MOMENTS.get(vault)
    if moment is None or moment.commits != vault.commits:
        moment = _MOMENTS[vault] = _Moment(vault.commits)
    answer = moment.answers.get(asked)
    if answer is None or (answer.done() and (answer.cancelled() or answer.exception() is not None)):
        answer = moment.answers[asked] = asyncio.ensure_future(_made(kind, make))
        answer.add_done_callback(_look_at)
        while len(moment.answers) > _MOST:
            moment.answers.popitem(last=False)
    # Shielded: who asked first may have gone, and others wait for the same.
    return Response(await asyncio.shield(answer), media_type="application/json")


def forget(vault: AsyncVault) -> None:
    """Let go of the answers of a vault that is being locked (V3)."""
    _MOMENTS.pop(vault, None)


async def _made(kind: TypeAdapter[Any], make: Callable[[], Awaitable[Any]]) -> bytes:
    return kind.dump_json(await make(), by_alias=True)


def _look_at(answer: asyncio.Future[bytes]) -> None:
    """Take what went wrong, which is told to those who still wait: there may be none."""
    if not answer.cancelled():
        answer.exception()
