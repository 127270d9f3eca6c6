"""A vault with a little of everything a person may have, for tests of what takes it out and brings it back."""

from ricordo.conversation import Attachment, Reach
from ricordo.fact import Global, InSpace
from ricordo.models.scripted import ScriptedModel
from ricordo.vault import AsyncVault
from tests.vaults import events

MARK = "zanzibar"  # stands in every text of it
SECRET = "sk-not-to-be-exported"


def model() -> ScriptedModel:
    """Return a model that says one thing."""
    return ScriptedModel(lambda _: f"A reply about {MARK}.", name="scripted")


async def fill(vault: AsyncVault) -> None:
    """Put into it: Spaces, two branches, an attachment, entries of other days, facts, pins, shares, tombstones, a draft."""
    await vault.set(global_memories=True, instructions=f"Speak of {MARK}.", api_key=SECRET, appearance="dark")
    space = await vault.spaces.create("Garden / balcony", f"Only {MARK} plants.")
    await vault.spaces.change(space.id, reach=Reach.SPACE)
    gone = await vault.spaces.create("Gone")
    await vault.spaces.delete(gone.id, keep_conversations=False)
    inside = await vault.conversations.create(f"Seeds: {MARK}?", space.id)
    file = Attachment("list.txt", "text/plain", f"```\n{MARK} tomatoes\n```")
    await events(vault.reply(inside.id, f"What of the {MARK} tomatoes in the big pot?", [file]))
    await events(vault.retry(inside.id))
    outside = await vault.conversations.create(f"{MARK} ünïcode 日記", None)
    entry = await vault.write(outside.id, f"Long day in {MARK}.\n\n# not a heading of ours, Ida Rossi said")
    last = await vault.write(outside.id, f"Deleted again: {MARK}.")
    await vault.conversations.delete_message(last.id)
    kept = await vault.facts.add(f"Likes {MARK}", Global())
    await vault.facts.pin(kept.id)
    await vault.facts.share((await vault.facts.add(f"Has {MARK} pots", InSpace(space.id))).id)
    dropped = await vault.facts.add(f"Hates {MARK}", Global())
    await vault.facts.delete(dropped.id)
    await vault.facts.pin_message(entry.id)
    await vault.drafts.keep(None, f"Half a thought about {MARK}", [Attachment(f"{MARK}.txt", "text/plain", f"{MARK} timetable")])
