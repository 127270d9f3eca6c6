"""Summaries: one rolling text a conversation, derived from its messages and made again from them at any time (N1).

The one rule: a summary is given only while what it covers is on the branch that is shown.
"""

from __future__ import annotations

from collections.abc import Set

import apsw

from ricordo.conversation import Message, Moment, Summary
from ricordo.errors import NotFound
from ricordo.store import messages

EVERY = 6  # new turns after which a summary is due (N1)
_AGAIN = 2  # further turns before a try that came to nothing is repeated
_LATEST = 200  # conversations that are looked at, the last ones written in
_MOST_MESSAGES = 60  # that are looked at for one summary: what is due, and some more where none was made in time

# What a person wrote here: an imported diary is no talk that got somewhere, and would cost hours.
_WRITTEN = "active = 1 and role = 'user' and import is null"
# On the shown branch, or the set-aside reply to a message that is: a new reply changes nothing of what came before it.
_SHOWN = """
  exists (select 1 from messages m left join messages asked on asked.id = m.parent
          where m.id = s.upto and (m.active = 1 or (m.role = 'model' and asked.active = 1)))
"""


def get(connection: apsw.Connection, conversation: int) -> Summary | None:
    """Return a conversation's summary; None when it has none yet, or has one of another branch."""
    row = connection.execute(
        f"select conversation, text, upto, at, at_offset from summaries s where conversation = ? and {_SHOWN}", (conversation,)
    ).fetchone()
    return Summary(int(row[0]), str(row[1]), int(row[2]), Moment(int(row[3]), int(row[4]))) if row else None


def following(connection: apsw.Connection, tried: Set[int] = frozenset()) -> int | None:
    """Return the conversation whose summary is due, the one written in last first; None when none is.

    Those `tried` in this pass are left out, as are those whose last try failed until some more has been said.
    """
    rows = connection.execute(
        f"""
        select c.id, (select s.upto from summaries s where s.conversation = c.id and {_SHOWN}), t.upto
        from conversations c left join summary_tries t on t.conversation = c.id
        where exists (select 1 from messages where conversation = c.id and {_WRITTEN})
        order by c.updated desc, c.id desc limit ?
        """,
        (_LATEST,),
    )
    found: list[tuple[int, int | None, int | None]] = rows.fetchall()  # type: ignore[assignment]
    for conversation, upto, last_try in found:
        if conversation in tried or not _has_written(connection, conversation, upto, EVERY):
            continue
        if last_try is None or _has_written(connection, conversation, last_try, _AGAIN):
            return conversation
    return None


def _has_written(connection: apsw.Connection, conversation: int, after: int | None, count: int) -> bool:
    bound = "" if after is None else "and (place, id) > (select place, id from messages where id = :after)"
    row = connection.execute(
        f"select 1 from messages where conversation = :talk and {_WRITTEN} {bound} limit 1 offset :skip",
        {"talk": conversation, "skip": count - 1} | ({} if after is None else {"after": after}),
    ).fetchone()
    return row is not None


def unread(connection: apsw.Connection, conversation: int, *, whole: bool = False) -> list[Message]:
    """Return the complete messages that the summary does not cover yet, oldest first; of very many only the newest.

    With `whole` those that it covers too.
    """
    known = None if whole else get(connection, conversation)
    bound = "" if known is None else "and (place, id) > (select place, id from messages where id = :upto)"
    rows = connection.execute(
        f"select id from messages where conversation = :talk and active = 1 and status = 'complete' {bound}"
        " order by place desc, id desc limit :most",
        {"talk": conversation, "most": _MOST_MESSAGES} | ({} if known is None else {"upto": known.upto}),
    ).fetchall()
    return [messages.get(connection, int(row[0])) for row in reversed(rows)]


def keep(connection: apsw.Connection, new: Summary, model: str) -> None:
    """Replace a conversation's summary; there is one at the most."""
    connection.execute(
        "insert into summaries (conversation, text, upto, model, at, at_offset) values (?, ?, ?, ?, ?, ?)"
        " on conflict (conversation) do update set text = excluded.text, upto = excluded.upto, model = excluded.model,"
        " at = excluded.at, at_offset = excluded.at_offset",
        (new.conversation, new.text, new.upto, model, new.at.utc, new.at.offset),
    )
    connection.execute("delete from summary_tries where conversation = ?", (new.conversation,))


def reword(connection: apsw.Connection, conversation: int, text: str, now: Moment) -> Summary:
    """Give a conversation's summary the person's words; it covers what it covered. Raises NotFound when there is none."""
    connection.execute(
        "update summaries set text = ?, at = ?, at_offset = ? where conversation = ?", (text, now.utc, now.offset, conversation)
    )
    found = get(connection, conversation)
    if found is None:
        raise NotFound("This conversation has no summary. One is written after some more turns.")
    return found


def failed(connection: apsw.Connection, conversation: int, upto: int, reason: str) -> None:
    """Keep why a try, which read up to a message, came to nothing; the summary stays as it is."""
    connection.execute(
        "insert into summary_tries (conversation, upto, reason)"
        " select id, ?, ? from conversations where id = ?"
        " on conflict (conversation) do update set upto = excluded.upto, reason = excluded.reason",
        (upto, reason, conversation),
    )


def why_failed(connection: apsw.Connection, conversation: int) -> str | None:
    """Return why the last try came to nothing, None when it did not."""
    row = connection.execute("select reason from summary_tries where conversation = ?", (conversation,)).fetchone()
    return str(row[0]) if row else None


def give_up(connection: apsw.Connection, conversation: int) -> None:
    """Forget a conversation's summary at the person's wish: another is written only when some more has been said."""
    covered = unread(connection, conversation, whole=True)
    drop(connection, conversation)
    if covered:
        failed(connection, conversation, covered[-1].id, "You deleted it.")


def drop(connection: apsw.Connection, conversation: int) -> None:
    """Forget a conversation's summary: it is made again from what remains."""
    connection.execute("delete from summaries where conversation = ?", (conversation,))
    connection.execute("delete from summary_tries where conversation = ?", (conversation,))
