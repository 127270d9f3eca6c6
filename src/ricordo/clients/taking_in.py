"""Taking in what is new in a client's conversation: what was said, and the reply. Each is one transaction.

The one rule: what was known already is not stored again, and what stood in a place that is taken now stays as another version.
"""

from __future__ import annotations

from apsw import Connection

from ricordo import letters
from ricordo.clients.prepared import Prepared
from ricordo.conversation import Message, Role, Status
from ricordo.fact import settle
from ricordo.prompt import Trace
from ricordo.recall import material
from ricordo.said import Said
from ricordo.settings import Settings
from ricordo.store import branches, chains, conversations, messages, traces, waiting


def take_in(connection: Connection, prepared: Prepared, settings: Settings) -> tuple[int, int, bool]:
    """Store what is new; return the conversation, the person's newest message, and whether the conversation is new."""
    client, said, now = prepared.client, prepared.transcript.said, prepared.at
    known = chains.find(connection, said, client.key, client.space if client.confined else None, now)
    if known is None:
        known_said, after = 0, None
        talk = conversations.create(connection, "", client.space, now).id
    else:
        talk, known_said, after = known.conversation, known.said, known.after
    if client.key:
        chains.name(connection, talk, client.key, client.space if client.confined else None)
    if known is not None and known.cut and after is not None:
        chains.put(connection, talk, after, said[known_said - 1])
    new = said[known_said:]
    if not new:
        assert after is not None
        return talk, after, False
    if after is not None:
        branches.go_on_from(connection, after)
    space = material.space_of(connection, talk, None)
    home = settle(talk, space, remember=settings.remember, global_memories=settings.global_memories)
    # Only the newest turn is learned from: earlier ones that come all at once may be examples, or told long ago.
    rows = messages.insert(
        connection,
        talk,
        [
            messages.NewMessage(
                each.role,
                letters.kept(each.text),
                now,
                attachments=each.attachments,
                learn=home if each is said[-1] else None,
            )
            for each in new
        ],
    )
    for message, each in zip(rows, new, strict=True):
        chains.put(connection, talk, message.id, each)
    if known is None:
        conversations.title_from(connection, talk, next(each.text for each in new if each.role is Role.USER))
    return talk, rows[-1].id, known is None


def take_in_reply(
    connection: Connection, conversation: int, asked: int, said: Said, new: messages.NewMessage, trace: Trace
) -> Message:
    """Store a reply to a message, in place of an earlier one; a whole one makes its turn wait to be read. Raises NotFound."""
    branches.go_on_from(connection, asked)
    message = messages.append(connection, conversation, new)
    chains.put(connection, conversation, message.id, said)
    traces.put(connection, message.id, trace)
    if new.status is Status.COMPLETE:
        waiting.add(connection, asked, message.at)
    return message
