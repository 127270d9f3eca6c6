"""Who may use the model: people first, one at a time, and nobody is forgotten."""

import asyncio
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ricordo.models.gate import Gate, Preempted


async def _tick(times: int = 3) -> None:
    for _ in range(times):
        await asyncio.sleep(0)


async def _background(gate: Gate, log: list[str], name: str = "background") -> None:
    try:
        async with gate.background():
            log.append(f"{name} in")
            try:
                await asyncio.sleep(3600)
            finally:
                log.append(f"{name} out")
    except Preempted:
        log.append(f"{name} preempted")


async def _foreground(gate: Gate, log: list[str], name: str, hold: asyncio.Event) -> None:
    async with gate.foreground():
        log.append(f"{name} in")
        await hold.wait()
    log.append(f"{name} out")


@pytest.mark.req("E2")
def test_a_message_stops_background_work_at_once_and_goes_in_after_it_left() -> None:
    """The background leaves first, then the message enters, within 50 ms."""

    async def story() -> tuple[list[str], float]:
        gate, log = Gate(), list[str]()
        working = asyncio.create_task(_background(gate, log))
        await _tick()
        start = time.perf_counter()
        async with gate.foreground():
            waited = time.perf_counter() - start
            log.append("message in")
        await working
        return log, waited

    log, waited = asyncio.run(story())
    assert [entry for entry in log if entry != "background preempted"] == ["background in", "background out", "message in"]
    assert "background preempted" in log
    assert waited < 0.05


@pytest.mark.req("E2")
def test_background_waits_while_messages_are_waiting() -> None:
    """Two queued messages both go before work that asked earlier than the second."""

    async def story() -> list[str]:
        gate, log, hold = Gate(), list[str](), asyncio.Event()
        first = asyncio.create_task(_foreground(gate, log, "first", hold))
        await _tick()
        work = asyncio.create_task(_background(gate, log))
        await _tick()
        second = asyncio.create_task(_foreground(gate, log, "second", hold))
        await _tick()
        hold.set()
        await asyncio.gather(first, second)
        await _tick()
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        return log

    entered = [entry for entry in asyncio.run(story()) if entry.endswith(" in")]
    assert entered == ["first in", "second in", "background in"]


def test_messages_go_in_the_order_they_came() -> None:
    """Foreground users queue first come, first served."""

    async def story() -> list[str]:
        gate, log, hold = Gate(), list[str](), asyncio.Event()
        users = [asyncio.create_task(_foreground(gate, log, str(n), hold)) for n in range(5)]
        await _tick()
        hold.set()
        await asyncio.gather(*users)
        return [entry for entry in log if entry.endswith(" in")]

    assert asyncio.run(story()) == [f"{n} in" for n in range(5)]


def test_a_message_that_comes_just_as_work_is_let_in_still_goes_first() -> None:
    """Between being handed the gate and waking up, work can still lose it."""

    async def story() -> list[str]:
        gate, log = Gate(), list[str]()
        async with gate.foreground():
            work = asyncio.create_task(_background(gate, log))
            await _tick()
        async with asyncio.timeout(1), gate.foreground():
            log.append("message in")
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        return log

    assert asyncio.run(story())[0] == "message in"


def test_work_that_is_cancelled_by_its_owner_is_cancelled_not_preempted() -> None:
    """Locking the vault while a message comes in must end the work for good."""

    async def story() -> bool:
        gate, log = Gate(), list[str]()
        work = asyncio.create_task(_background(gate, log))
        await _tick()
        message = asyncio.create_task(_foreground(gate, log, "message", asyncio.Event()))
        await asyncio.sleep(0)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        message.cancel()
        await asyncio.gather(message, return_exceptions=True)
        return work.cancelled() and gate.free

    assert asyncio.run(story())


def test_preempted_work_can_go_on_with_other_things() -> None:
    """The cancellation is used up: the task may await and try again."""

    async def story() -> list[str]:
        gate, log = Gate(), list[str]()

        async def work() -> None:
            for attempt in ("first", "second"):
                try:
                    async with gate.background():
                        log.append(attempt)
                        await asyncio.sleep(3600 if attempt == "first" else 0)
                except Preempted:
                    await asyncio.sleep(0)

        task = asyncio.create_task(work())
        await _tick()
        async with gate.foreground():
            log.append("message")
        await task
        return [*log, str(task.cancelling())]

    assert asyncio.run(story()) == ["first", "message", "second", "0"]


def test_work_that_swallows_the_stop_is_not_stopped_again_later() -> None:
    """A block that ends normally in spite of the stop leaves nothing behind in its task."""

    async def story() -> int:
        gate = Gate()
        entered = asyncio.Event()

        async def stubborn() -> int:
            async with gate.background():
                entered.set()
                with suppress(asyncio.CancelledError):
                    await asyncio.sleep(3600)
            await asyncio.sleep(0)
            task = asyncio.current_task()
            return task.cancelling() if task else -1

        task = asyncio.create_task(stubborn())
        await entered.wait()
        async with gate.foreground():
            pass
        return await task

    assert asyncio.run(story()) == 0


def test_background_work_cannot_ask_for_the_foreground() -> None:
    """It would wait for itself for ever: it is told so instead."""

    async def story() -> None:
        gate = Gate()
        async with gate.background(), gate.foreground():
            raise AssertionError("unreachable")

    with pytest.raises(RuntimeError, match="leave the gate"):
        asyncio.run(story())


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(["fg", "bg", "cancel"]), st.integers(0, 3)), max_size=25))
def test_whatever_happens_one_at_a_time_and_nobody_is_forgotten(steps: list[tuple[str, int]]) -> None:
    """Random arrivals and cancellations: never two inside, and in the end the gate is free."""

    async def story() -> tuple[int, bool]:
        gate = Gate()
        inside = most = 0

        async def user(kind: str, hold: int) -> None:
            nonlocal inside, most
            try:
                async with gate.foreground() if kind == "fg" else gate.background():
                    inside += 1
                    most = max(most, inside)
                    try:
                        await _tick(hold)
                    finally:
                        inside -= 1
            except Preempted:
                pass

        tasks: list[asyncio.Task[None]] = []
        for kind, number in steps:
            if kind != "cancel":
                work: Coroutine[Any, Any, None] = user(kind, number)
                tasks.append(asyncio.create_task(work))
            elif tasks:
                tasks[-1 - number % len(tasks)].cancel()
            await _tick(number % 2)
        async with asyncio.timeout(5):
            await asyncio.gather(*tasks, return_exceptions=True)
        return most, gate.free

    most, free = asyncio.run(story())
    assert most <= 1
    assert free


@pytest.mark.req("I4", "E2")
def test_clients_use_the_model_beside_each_other_and_background_work_makes_room() -> None:
    """Many at once, also while a message is replied to; what was stopped goes on when the last of them has left."""

    async def story() -> list[str]:
        gate, log = Gate(), list[str]()
        working = asyncio.create_task(_background(gate, log, "first"))
        await _tick()
        hold = asyncio.Event()

        async def client(name: str) -> None:
            async with gate.beside():
                log.append(f"{name} in")
                await hold.wait()

        clients = [asyncio.create_task(client(name)) for name in "ab"]
        await _tick(6)
        message = asyncio.create_task(_foreground(gate, log, "message", hold))
        again = asyncio.create_task(_background(gate, log, "second"))
        await _tick()
        assert not gate.free
        assert "second in" not in log
        hold.set()
        await asyncio.gather(working, message, *clients)
        await _tick()
        assert "second in" in log
        again.cancel()
        await asyncio.gather(again, return_exceptions=True)
        assert gate.free
        return log

    log = asyncio.run(story())
    assert log.index("first out") < log.index("a in") < log.index("message in")
    assert {"a in", "b in", "first preempted"} <= set(log)


@pytest.mark.req("I4", "E2")
def test_a_client_that_gives_up_waiting_leaves_the_gate_free() -> None:
    """Cancelled while background work is still leaving."""

    async def story() -> None:
        gate = Gate()
        leaving = asyncio.Event()

        async def slow() -> None:
            with suppress(Preempted):
                async with gate.background():
                    try:
                        await asyncio.sleep(3600)
                    finally:
                        await leaving.wait()

        async def client() -> None:
            async with gate.beside():
                raise AssertionError("it went in while the work was still there")

        working = asyncio.create_task(slow())
        await _tick()
        waiting = asyncio.create_task(client())
        await _tick()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        leaving.set()
        await working
        assert gate.free

    asyncio.run(story())
