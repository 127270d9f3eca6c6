"""What the scripted person does: each act is one thing done in the page, and what it must have changed, in the plain model."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

from benchmarks.person import Person, Said, Talk, Wrong
from benchmarks.serving import REPLY
from tests.transfer import files

# How many are let grow before the oldest go: so that the vault stays of one size, and what grows all the same is a fault.
_TALKS, _LONG, _FACTS, _LEARNED, _IMPORTS = 24, 40, 120, 150, 3
_KINDS = "hen goose goat pony donkey rabbit".split()


async def talk(person: Person) -> Talk:
    """Take a conversation at hand, or begin one; in a Space, now and then."""
    there = [each for each in person.kept.own() if len(each.said) < _LONG]
    if len(there) > 6 and person.chance.random() < 0.8:
        return person.chance.choice(there)
    title = f"Talk {person.mark()}"
    space = person.chance.choice([None, None, *person.kept.spaces])
    made = await person.call("POST", "/conversations", {"title": title, "space": space})
    person.kept.talks[made["id"]] = found = Talk(made["id"], title, space)
    return found


async def chat(person: Person) -> None:
    """Say something and read the reply; one time in three it holds something to learn."""
    at = await talk(person)
    text, mark = person.words()
    if lasting := person.chance.random() < 0.33:
        text = f"{text} I keep a {person.chance.choice(_KINDS)} called {person.mark().title()}."
    got = await person.stream(f"/conversations/{at.id}/reply", {"text": text}, "reply")
    asked = Said(got["stored"]["id"], "user", text, mark)
    at.said += [asked, _reply(got)]
    if lasting:
        person.learn(asked)


async def stop(person: Person) -> None:
    """Say something and stop the reply at its first words; nothing is learned from it."""
    at = await talk(person)
    text, mark = person.words()

    async def at_first(name: str, data: Any) -> None:
        if name == "blocks":
            await person.call("POST", f"/conversations/{at.id}/stop", what="stop")

    got = await person.stream(f"/conversations/{at.id}/reply", {"text": text}, "stopped reply", at_first)
    at.said += [Said(got["stored"]["id"], "user", text, mark), _reply(got)]


async def lock_midway(person: Person) -> None:
    """Lock the vault while a reply comes: what came of it is kept, and what was asked."""
    at = await talk(person)
    text, mark = person.words()

    async def at_first(name: str, data: Any) -> None:
        if name == "blocks" and person.inside:
            await person.lock()

    got = await person.stream(f"/conversations/{at.id}/reply", {"text": text}, "reply that is locked out", at_first, ends=False)
    if person.inside:
        await person.lock()
    await person.come_in()
    at.said.append(Said(got["stored"]["id"], "user", text, mark))
    shown = (await person.call("GET", f"/conversations/{at.id}/messages", what="open"))["messages"][-1]
    if shown["role"] != "model" or not shown["text"] or not REPLY.strip().startswith(shown["text"].strip()):
        raise Wrong(f"a reply that was coming when the vault was locked was kept as {shown}")
    at.said.append(Said(shown["id"], "model", shown["text"]))


async def edit(person: Person) -> None:
    """Say something else in place of an earlier message: what followed it is on another branch then."""
    at, place = _somewhere(person, "user")
    if at is None or place is None:
        return
    text, mark = person.words()
    got = await person.stream(f"/messages/{at.said[place].id}/edit", {"text": text}, "edited reply")
    for said in at.said[place:]:  # not deleted, but perhaps not read yet, and then it is not read any more
        person.kept.not_due(said)
    at.said[place:] = [Said(got["stored"]["id"], "user", text, mark, versions=True), _reply(got)]


async def retry(person: Person) -> None:
    """Have the last message answered once more."""
    at = person.chance.choice(
        [each for each in person.kept.own() if {said.role for said in each.said} >= {"user", "model"}] or [None]
    )
    if at is None or at.said[-1].role != "model":
        return
    got = await person.stream(f"/conversations/{at.id}/retry", None, "another reply")
    while at.said[-1].role == "model":  # more than one where the message between was deleted
        at.said.pop()
    at.said.append(_reply(got, versions=True))


async def write(person: Person) -> None:
    """Keep an entry without asking for a reply."""
    at = await talk(person)
    text, mark = person.words()
    made = await person.call("POST", f"/conversations/{at.id}/entries", {"text": text}, "write an entry")
    at.said.append(Said(made["id"], "user", text, mark))


async def delete_message(person: Person) -> None:
    """Delete a message that has no other version, so that it is clear what is shown then."""
    at, place = _somewhere(person, "user")
    if at is None or place is None or any(said.versions for said in at.said):
        return
    said = at.said.pop(place)
    await person.call("DELETE", f"/messages/{said.id}", what="delete a message")
    person.kept.forget(said)


async def delete_talk(person: Person) -> None:
    """Delete the oldest conversation when there are many."""
    own = person.kept.own()
    if len(own) <= _TALKS:
        return
    at = own[0]
    await person.call("DELETE", f"/conversations/{at.id}", what="delete a conversation")
    del person.kept.talks[at.id]
    person.kept.drafts.pop(at.id, None)
    for said in at.said:
        person.kept.forget(said)


async def rename(person: Person) -> None:
    """Give a conversation another title, or move it to another Space."""
    at = person.chance.choice(person.kept.own() or [None])
    if at is not None:
        at.title = f"Named {person.mark()}"
        at.space = person.chance.choice([None, *person.kept.spaces])
        await person.call("PATCH", f"/conversations/{at.id}", {"title": at.title, "space": at.space})


async def add_fact(person: Person) -> None:
    """Add a fact, or delete the oldest when there are many."""
    facts = person.kept.facts
    if len(facts) >= _FACTS:
        key = next(iter(facts))
        await person.call("DELETE", f"/facts/{key}", what="delete a fact")
        person.kept.gone.append(facts.pop(key)[0].split()[-1])
        return
    text = f"My neighbour has an apple tree of the sort {person.mark()}"
    made = await person.call("POST", "/facts", {"text": text, "home": {"kind": "global"}}, "add a fact")
    facts[made["id"]] = (text, False)


async def change_fact(person: Person) -> None:
    """Give a fact other words, or pin it."""
    facts = person.kept.facts
    if facts:
        key = person.chance.choice(list(facts))
        text, pinned = f"My neighbour has a pear tree of the sort {person.mark()}", person.chance.random() < 0.1
        person.kept.gone.append(facts[key][0].split()[-1])
        await person.call("PATCH", f"/facts/{key}", {"text": text, "pinned": pinned}, "edit a fact")
        facts[key] = (text, pinned)


async def undo(person: Person) -> None:
    """Take back the last thing that the model learned: it must not come again."""
    changes = await person.call("GET", "/changes?limit=5", what="list changes")
    done = [each for each in changes if each["undone"] is None and each["kind"] == "saved" and each["after"]]
    if done:
        text = done[0]["after"]["text"]
        await person.call("POST", f"/changes/{done[0]['id']}/undo", what="undo")
        person.kept.take_back(text)


async def tidy(person: Person) -> None:
    """Delete the oldest of what the model learned, when that is much: it must not come again either."""
    learned = [each for each in await person.call("GET", "/facts", what="list facts") if each["origin"] == "model"]
    for each in learned[_LEARNED:]:
        await person.call("DELETE", f"/facts/{each['id']}", what="delete a fact")
        person.kept.take_back(each["text"])


async def search(person: Person) -> None:
    """Look for a message by its own word, and for one that was deleted."""
    said = [said for talk in person.kept.talks.values() for said in talk.said if said.mark]
    if said:
        sought = person.chance.choice(said)
        found = await person.call("POST", "/search", {"text": sought.mark}, "search")
        if sought.id not in {each["message"]["id"] for each in found if each["kind"] == "message"}:
            raise Wrong(f"message {sought.id} is not found by its word {sought.mark}")
    if person.kept.gone:
        gone = person.chance.choice(person.kept.gone)
        found = await person.call("POST", "/search", {"text": gone}, "search")
        if re.search(rf"\b{gone}\b", json.dumps(found)):
            raise Wrong(f"{gone} was deleted, and is found")


async def bring(person: Person) -> None:
    """Import an export of some conversations; undo the oldest import when there are some."""
    kept = person.kept
    if len(kept.imports) >= _IMPORTS:
        key = next(iter(kept.imports))
        await person.call("DELETE", f"/data/imports/{key}", what="undo an import")
        for each in kept.imports.pop(key):
            for said in kept.talks.pop(each).said:
                kept.forget(said)
        return
    brought = [[person.words() for _ in range(8)] for _ in range(5)]
    export = [files.simple(person.mark(), *(text for text, _ in each)) for each in brought]
    body = json.dumps(export).encode()
    content = json.dumps({"name": "conversations.json", "size": len(body)}).encode() + b"\n" + body
    headers = {"content-type": "application/octet-stream"}
    before = {each["id"] for each in await person.call("GET", "/conversations")}
    got = await person.stream("/data/import", None, "import 40 messages", content=content, headers=headers)
    if got["done"]["messages"] != 40:
        raise Wrong(f"40 messages were given to import, {got['done']['messages']} came")
    new = [each for each in await person.call("GET", "/conversations") if each["id"] not in before]
    kept.imports[got["done"]["import_id"]] = {each["id"] for each in new}
    await _adopt(person, new, brought)


async def _adopt(person: Person, new: list[dict[str, Any]], brought: list[list[tuple[str, str]]]) -> None:
    """Take in the ids of what was imported; its texts must be those that were given."""
    given = {tuple(text for text, _ in each): [mark for _, mark in each] for each in brought}
    for each in new:
        shown = (await person.call("GET", f"/conversations/{each['id']}/messages?limit=1000", what="open"))["messages"]
        marks = given.pop(tuple(one["text"] for one in shown), None)
        if marks is None:
            raise Wrong(f"conversation {each['id']} was imported with other texts than were given")
        said = [Said(one["id"], one["role"], one["text"], mark) for one, mark in zip(shown, marks, strict=True)]
        person.kept.talks[each["id"]] = Talk(each["id"], each["title"], each["space"], imported=True, said=said)
    if given:
        raise Wrong(f"{len(given)} conversations of an import are not there")


async def settings(person: Person) -> None:
    """Change settings."""
    new = {
        "instructions": f"Speak plainly, {person.mark()}.",
        "temperature": person.chance.choice([0.0, 0.2, 0.5]),
        "appearance": person.chance.choice(["light", "dark", "system"]),
        "whole_diary": person.chance.random() < 0.7,
    }
    await person.call("PATCH", "/settings", new)
    person.kept.settings |= new


async def draft(person: Person) -> None:
    """Write half a thought and leave it."""
    if own := person.kept.own():
        at = person.chance.choice(own).id
        person.kept.drafts[at] = f"Half a thought about {person.mark()}"
        await person.call("PUT", "/draft", {"conversation": at, "text": person.kept.drafts[at]})


async def look(person: Person) -> None:
    """Look around: a conversation, its meter, the diary, the Memory screen, what the model saw."""
    at = person.chance.choice(list(person.kept.talks.values()) or [None])
    if at is not None:
        await person.call("GET", f"/conversations/{at.id}/messages", what="open")
        await person.call("POST", "/prompt", {"text": "", "conversation": at.id}, "meter")
        replies = [said for said in at.said if said.role == "model" and not said.mark]
        if replies:
            await person.call("GET", f"/messages/{replies[-1].id}/trace", what="what did the model see")
    today = (await person.call("GET", "/diary"))["today"]
    await person.call("GET", f"/diary/days/{today}", what="a day")
    await person.call("POST", "/memory/list", {"kinds": ["pinned", "fact", "note"]}, "memory")
    await person.call("POST", "/memory/count", {"kinds": ["excerpt", "summary"]}, "memory counts")


async def back_up(person: Person) -> None:
    """Make a backup and fetch it."""
    got = await person.stream("/data/backup", None, "backup")
    content = await person.call("GET", "/data/backup", what="fetch the backup")
    if len(content) != got["done"]["bytes"]:
        raise Wrong(f"a backup of {got['done']['bytes']} bytes came with {len(content)}")


async def private(person: Person) -> None:
    """Talk in private: nothing of it may be found."""
    key = (await person.call("POST", "/private", what="begin a private conversation"))["key"]
    text, mark = person.words()
    await person.stream(f"/private/{key}/reply", {"text": text}, "private reply")
    await person.call("DELETE", f"/private/{key}", what="end a private conversation")
    person.kept.gone.append(mark)


# How often each is done, beside the others.
ACTS = (
    *((chat, 30), (write, 14), (search, 14), (look, 12), (edit, 5), (retry, 4), (stop, 4), (delete_message, 5), (add_fact, 8)),
    *((change_fact, 6), (undo, 4), (settings, 3), (draft, 6), (rename, 4), (delete_talk, 5), (bring, 2), (private, 2)),
    (lock_midway, 1),
    (back_up, 1),
    (tidy, 2),
)


async def act(person: Person) -> str:
    """Do one thing; return its name."""
    names, weights = zip(*ACTS, strict=True)
    (chosen,) = person.chance.choices(names, weights)
    await chosen(person)
    await asyncio.sleep(0)
    return chosen.__name__


def _reply(got: dict[str, Any], *, versions: bool = False) -> Said:
    return Said(got["done"]["id"], "model", got["done"]["text"], versions=versions)


def _somewhere(person: Person, role: str) -> tuple[Talk | None, int | None]:
    there = [each for each in person.kept.own() if len(each.said) > 3]
    if not there:
        return None, None
    at = person.chance.choice(there)
    return at, person.chance.choice([place for place, said in enumerate(at.said) if said.role == role] or [None])
