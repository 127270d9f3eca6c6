"""The soak run in short, and that it would notice."""

import asyncio
import pathlib

import pytest

from benchmarks.acts import bring, chat, write
from benchmarks.compare import differences, missing
from benchmarks.person import Person, Said
from benchmarks.serving import running
from benchmarks.soak import report, soak


@pytest.mark.slow
@pytest.mark.req("X3", "V3", "V4")
def test_half_a_minute_of_a_person_loses_nothing_and_leaves_no_error(tmp_path: pathlib.Path) -> None:
    """Hundreds of acts, locks between them; the longer form of the same is `make soak`."""
    person, told, health, complaints = asyncio.run(soak(tmp_path, seconds=25, lock_every=5))
    assert told.wrong == []
    assert told.unlearned == set()
    assert report(person, told, health, complaints, minutes=0.5)
    assert sum(told.acts.values()) > 50
    assert told.locks >= 2
    assert told.announced > 50
    assert len(person.kept.possible) > 3  # something was there to learn


@pytest.mark.slow
def test_the_comparison_tells_what_is_lost_changed_or_too_much(tmp_path: pathlib.Path) -> None:
    """Each is done behind the plain model's back."""

    async def work() -> None:
        with running(tmp_path) as served:
            person = Person(served.address)
            await person.come_in(new=True)
            await person.call("PATCH", "/settings", {"global_memories": True})
            for _ in range(6):
                await chat(person)
            await write(person)
            await bring(person)
            assert await differences(person) == []
            kept, (talk, *_) = person.kept, person.kept.own()
            await person.call("DELETE", f"/messages/{talk.said[0].id}")
            await person.call("POST", "/facts", {"text": "Not in the model", "home": {"kind": "global"}})
            kept.due["The user keeps a hen called Nobody."] = 1
            kept.settings["appearance"] = "dark"
            kept.talks[99] = talk
            talk.said.append(Said(98, "user", "Never said"))
            told = "\n".join(await differences(person))
            for what in ("conversations", f"messages of {talk.id}", "number of messages", "facts of the person", "settings"):
                assert what in told
            assert "The user keeps a hen called Nobody." in await missing(person, patience=0.0)
            await person.client.aclose()
            assert served.complaints() == []

    asyncio.run(work())
