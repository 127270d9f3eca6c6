"""A long conversation, laid down at once: its rows alone, without what is derived from them."""

import apsw


def lines(connection: apsw.Connection, conversation: int, count: int) -> None:
    """Add so many messages, in turn by the person and the model; each says which it is: Line 1, Line 2, …"""
    connection.execute(
        "insert into messages (conversation, parent, role, text, at, at_offset, place, status)"
        " with recursive n (i) as (select (select count(*) from messages) + 1 union all select i + 1 from n limit ?2)"
        " select ?1, nullif(i - 1, 0), case i % 2 when 1 then 'user' else 'model' end, 'Line ' || i,"
        " 1600000000000000 + i * 60000000, 120, 1600000000000000 + i * 60000000, 'complete' from n",
        (conversation, count),
    )
