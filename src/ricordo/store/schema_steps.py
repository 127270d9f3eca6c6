"""The steps from the first version of the tables to today's; `schema.MIGRATIONS` has their order.

The one rule: once it is released, a step is never edited.
"""

from __future__ import annotations

import apsw


def drafts_with_files(connection: apsw.Connection) -> None:
    """Let a draft have files given along; those of a conversation of null are for one that has not begun."""
    connection.execute(
        "create table draft_attachments (id integer primary key, conversation integer references conversations"
        " on delete cascade, name text not null, media_type text not null, text text not null);"
        "create index draft_attachments_by_conversation on draft_attachments (conversation)"
    )


_CLIENTS = """
alter table tokens add column created_offset integer not null default 0;
alter table tokens add column last_used_offset integer;

-- How a conversation that a client keeps is known again when all of it is sent anew: `chain` is a digest of all that was said
-- in it up to a message, `link` one of that message and the one before. A message that was deleted leaves its row, so that it
-- is not stored again. client_keys are the names that clients give their conversations.
create table chains (
  id integer primary key,
  conversation integer not null references conversations on delete cascade,
  message integer references messages on delete set null,
  chain blob not null,
  link blob not null
);
create index chains_by_chain on chains (chain);
create index chains_by_link on chains (link);
create index chains_by_message on chains (message);
create index chains_by_conversation on chains (conversation);
create table client_keys (
  key text primary key,
  conversation integer not null references conversations on delete cascade
) without rowid;
create index client_keys_by_conversation on client_keys (conversation);
"""


def clients(connection: apsw.Connection) -> None:
    """Keep by what the conversations of other programs are known again, and the time zone of their tokens' times."""
    connection.execute(_CLIENTS)


_IMPORTS = """
-- finished: when an import came to its end; one that did not is gone on with. learning: 1 while its turns are handed to the
-- learner, of which those up to the message read_upto were. imported: what else than messages an import brought.
alter table imports add column finished integer;
alter table imports add column learning integer not null default 0;
alter table imports add column read_upto integer not null default 0;
update imports set finished = at;
create table imported (
  import integer not null references imports on delete cascade,
  kind text not null,
  id integer not null,
  primary key (import, kind, id)
) without rowid;
"""


def imports_to_go_on_with(connection: apsw.Connection) -> None:
    """Keep how far an import came, and what it brought beside messages."""
    connection.execute(_IMPORTS)


def taking_words_out_counted(connection: apsw.Connection) -> None:
    """Count how often rows were taken out of the index of excerpts: what is remembered of it holds until then."""
    connection.execute("create table words_taken_out (times integer not null); insert into words_taken_out values (0)")


_KEYS = """
-- The keys by which other programs know facts. Each outlives its fact as the log does, so that Undo brings both back, and goes
-- with that log (V8).
create table fact_keys (
  fact integer primary key,
  key text not null
);
create index fact_keys_by_key on fact_keys (key);
create trigger keys_of_lost_facts after delete on changes begin
  delete from fact_keys where fact = old.fact and not exists (select 1 from facts where id = old.fact)
    and not exists (select 1 from changes where fact = old.fact);
end;
"""


def keys_of_facts(connection: apsw.Connection) -> None:
    """Keep the keys by which other programs know facts."""
    connection.execute(_KEYS)


_VOCABULARIES = """
create virtual table excerpt_words_vocabulary using fts5vocab(excerpt_words, col);
create virtual table fact_words_vocabulary using fts5vocab(fact_words, col);
"""


def vocabularies(connection: apsw.Connection) -> None:
    """Let the words of both indexes be asked for, many at once; they hold nothing of their own."""
    connection.execute(_VOCABULARIES)


_REARRANGED = """
-- rearranged counts what happened to the messages of a conversation but for one more at its end: what was read of them before
-- that is then no longer so.
alter table conversations add column rearranged integer not null default 0;
create trigger messages_put_between after insert on messages
  when new.place < (select max(place) from messages where conversation = new.conversation and active = 1) begin
  update conversations set rearranged = rearranged + 1 where id = new.conversation;
end;
create trigger messages_changed after update of conversation, parent, role, text, at, at_offset, place, status, active, model
  on messages begin
  update conversations set rearranged = rearranged + 1 where id in (old.conversation, new.conversation);
end;
create trigger messages_gone after delete on messages begin
  update conversations set rearranged = rearranged + 1 where id = old.conversation;
end;
"""


def rearranging_counted(connection: apsw.Connection) -> None:
    """Count how often the messages of a conversation changed, so that they need not be read anew for each prompt."""
    connection.execute(_REARRANGED)


def changes_of_facts_counted(connection: apsw.Connection) -> None:
    """Count how often facts changed, so that the lists of them need not be read anew for each prompt."""
    connection.execute("create table facts_changed (times integer not null); insert into facts_changed values (0)")
    for table in ("facts", "fact_sources"):
        for what in ("insert", "update", "delete"):
            connection.execute(
                f"create trigger {table}_counted_after_{what} after {what} on {table} begin"
                " update facts_changed set times = times + 1; end"
            )
