"""The tables, version by version. A migration is a numbered step, never edited once released; the last number is the version.

Canonical: spaces, conversations, messages, attachments, imports, drafts, draft_attachments, facts, changes, tombstones,
waiting, settings, tokens, profiles.
Derived, rebuilt at any time: excerpts and *_words, vectors, summaries, names. Traces of what was done: traces, runs.
Of clients, good for nothing without them: chains, client_keys, fact_keys.
Times are microseconds UTC with minutes of offset.
"""

from __future__ import annotations

from collections.abc import Callable

import apsw

from ricordo.errors import VaultTooNew
from ricordo.store import schema_steps

# Latin, Greek and Cyrillic are folded before they come here (words.py), so the tokenizer removes nothing itself. Marks
# count as letters: in Thai or Hindi they are half of a word.
TOKENIZER = "porter unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'"

_FIRST = f"""
create table settings (
  name text primary key,
  value text not null
) without rowid;

create table spaces (
  id integer primary key autoincrement,
  name text not null,
  instructions text not null default '',
  memory integer not null default 1,
  reach text not null default 'conversation',
  created integer not null,
  created_offset integer not null
);
create unique index spaces_by_name on spaces (name collate nocase);

-- deletions counts the messages deleted from it: a prompt that still shows one of them is not gone on with.
create table conversations (
  id integer primary key autoincrement,
  title text not null default '',
  space integer references spaces,
  created integer not null,
  created_offset integer not null,
  updated integer not null,
  updated_offset integer not null,
  deletions integer not null default 0
);
create index conversations_by_time on conversations (updated);
create index conversations_by_space on conversations (space);

-- place orders a conversation: the time, but never before what it follows, whatever the clock did. active is 0 for what
-- stands on a branch not shown. learn_kind and learn_id are where its facts go, settled when it was sent. source and
-- source_key name what it was imported from, so that an import can be repeated and undone.
create table messages (
  id integer primary key autoincrement,
  conversation integer not null references conversations,
  parent integer references messages on delete set null,
  role text not null,
  text text not null,
  at integer not null,
  at_offset integer not null,
  place integer not null,
  status text not null,
  active integer not null default 1,
  model text not null default '',
  learn_kind text,
  learn_id integer,
  import integer references imports,
  source_key text
);
create index messages_by_place on messages (conversation, active, place, id);
create index messages_by_time on messages (at);
create index messages_written on messages (conversation, active, place, id) where role = 'user' and import is null;
create index messages_by_parent on messages (parent);
create unique index messages_by_source on messages (source_key) where source_key is not null;
create index messages_by_import on messages (import) where import is not null;

create table attachments (
  id integer primary key,
  message integer not null references messages on delete cascade,
  name text not null,
  media_type text not null,
  text text not null
);
create index attachments_by_message on attachments (message);

create table imports (
  id integer primary key autoincrement,
  format text not null,
  name text not null,
  at integer not null,
  at_offset integer not null,
  undone integer
);

create table facts (
  id integer primary key autoincrement,
  text text not null,
  origin text not null,
  home_kind text not null,
  home_id integer,
  pinned integer not null default 0,
  shared integer not null default 0,
  created integer not null,
  created_offset integer not null,
  updated integer not null,
  updated_offset integer not null,
  words text not null,
  reach text not null
);
create index facts_by_home on facts (home_kind, home_id);
create index facts_shared on facts (shared) where shared = 1;

create table fact_sources (
  fact integer not null references facts on delete cascade,
  message integer not null,
  quote text not null default '',
  primary key (fact, message)
) without rowid;
create index fact_sources_by_message on fact_sources (message);

create table changes (
  id integer primary key autoincrement,
  kind text not null,
  fact integer not null,
  before text,
  after text,
  conversation integer,
  model text not null,
  at integer not null,
  at_offset integer not null,
  undone integer,
  undone_offset integer
);
create index changes_by_fact on changes (fact);
create index changes_by_conversation on changes (conversation);
create table change_messages (
  change integer not null references changes on delete cascade,
  message integer not null,
  primary key (change, message)
) without rowid;

-- Deleting really deletes, so a tombstone keeps a digest of the fact's words, not the words.
create table tombstones (
  id integer primary key,
  digest blob not null,
  home_kind text not null,
  home_id integer,
  at integer not null
);
create index tombstones_by_digest on tombstones (digest);
create table tombstone_messages (
  tombstone integer not null references tombstones on delete cascade,
  message integer not null,
  primary key (tombstone, message)
) without rowid;

create table waiting (
  message integer primary key references messages on delete cascade,
  conversation integer not null,
  since integer not null,
  tries integer not null default 0,
  reason text not null default ''
);
create index waiting_by_conversation on waiting (conversation, since);

-- The last runs of learning: how the model was asked, what was refused and why. They go with the messages they read.
create table runs (
  id integer primary key autoincrement,
  at integer not null,
  at_offset integer not null,
  model text not null,
  conversation integer not null references conversations on delete cascade,
  way text not null,
  seconds real not null,
  failure text not null
);
create index runs_by_conversation on runs (conversation);
create table run_messages (
  run integer not null references runs on delete cascade,
  message integer not null,
  primary key (run, message)
) without rowid;
create index run_messages_by_message on run_messages (message);
create trigger runs_of_deleted_messages after delete on messages begin
  delete from runs where id in (select run from run_messages where message = old.id);
end;
create table run_changes (
  run integer not null references runs on delete cascade,
  change integer not null references changes on delete cascade,
  primary key (run, change)
) without rowid;
create index run_changes_by_change on run_changes (change);
create table refusals (
  id integer primary key,
  run integer not null references runs on delete cascade,
  kind text not null,
  text text not null,
  quote text not null,
  reason text not null
);
create index refusals_by_run on refusals (run);

-- What is written but not sent; a conversation of null is one that has not begun.
create table drafts (
  conversation integer unique references conversations on delete cascade,
  text text not null
);

create table summaries (
  conversation integer primary key references conversations on delete cascade,
  text text not null,
  upto integer not null,
  model text not null,
  at integer not null,
  at_offset integer not null
);

-- The last try at a summary that came to nothing: up to which message it read, and why it failed.
create table summary_tries (
  conversation integer primary key references conversations on delete cascade,
  upto integer not null,
  reason text not null
);

-- Names in a conversation and how many mentions each has, for the reminder of those that left the window. `folded` is how
-- two spellings of one name meet.
create table names (
  conversation integer not null references conversations on delete cascade,
  folded text not null,
  name text not null,
  mentions integer not null,
  primary key (conversation, folded)
) without rowid;
create index names_by_mentions on names (conversation, mentions desc, folded);

create table traces (
  message integer primary key references messages on delete cascade,
  value text not null
);

-- What was learned about a model: tokens per letter, how it takes schemas, what the self-test showed.
create table profiles (
  model text primary key,
  value text not null
) without rowid;

create table tokens (
  id integer primary key,
  name text not null,
  hash blob not null unique,
  scope text not null,
  space integer,
  created integer not null,
  last_used integer
);

-- One row a piece of a message: start and stop are its letters in the text, words its folded form, reach the tokens of
-- where it belongs (c12 s3), so that a search within a conversation costs what the conversation holds.
create table excerpts (
  id integer primary key autoincrement,
  message integer not null references messages on delete cascade,
  start integer not null,
  stop integer not null,
  words text not null,
  reach text not null
);
create index excerpts_by_message on excerpts (message);

-- Vectors of excerpts and facts. A set is one model's vectors of one kind; key is the set and the id in one number (see
-- vectors.py), so that a set lies together and the update hook learns from the rowid which vector it is. What has none yet
-- stands in vectors_due. The triggers keep both true wherever excerpts and facts come, change and go (V8). Never delete from
-- vectors without a condition: SQLite would not tell the hook.
create table vector_sets (
  id integer primary key autoincrement,
  kind text not null,
  model text not null,
  dimension integer not null,
  unique (kind, model)
);
create table vectors (
  key integer primary key,
  value blob not null
);
create table vectors_due (
  vector_set integer not null,
  id integer not null,
  primary key (vector_set, id)
) without rowid;
create trigger excerpt_made after insert on excerpts begin
  insert into vectors_due select id, new.id from vector_sets where kind = 'excerpt';
end;
create trigger excerpt_gone after delete on excerpts begin
  delete from vectors where key in (select (id << 40) + old.id from vector_sets where kind = 'excerpt');
  delete from vectors_due where vector_set in (select id from vector_sets where kind = 'excerpt') and id = old.id;
end;
create trigger fact_made after insert on facts begin
  insert into vectors_due select id, new.id from vector_sets where kind = 'fact';
end;
create trigger fact_reworded after update of text on facts when old.text <> new.text begin
  delete from vectors where key in (select (id << 40) + new.id from vector_sets where kind = 'fact');
  insert or ignore into vectors_due select id, new.id from vector_sets where kind = 'fact';
end;
create trigger fact_gone after delete on facts begin
  delete from vectors where key in (select (id << 40) + old.id from vector_sets where kind = 'fact');
  delete from vectors_due where vector_set in (select id from vector_sets where kind = 'fact') and id = old.id;
end;

create virtual table excerpt_words using fts5(
  words, reach, content='excerpts', content_rowid='id', tokenize="{TOKENIZER}");
create virtual table fact_words using fts5(
  words, reach, content='facts', content_rowid='id', tokenize="{TOKENIZER}");
insert into excerpt_words (excerpt_words, rank) values ('secure-delete', 1);
insert into fact_words (fact_words, rank) values ('secure-delete', 1);
insert into excerpt_words (excerpt_words, rank) values ('rank', 'bm25(1.0, 0.0)');
insert into fact_words (fact_words, rank) values ('rank', 'bm25(1.0, 0.0)');
"""


def _first(connection: apsw.Connection) -> None:
    connection.execute(_FIRST)


MIGRATIONS: tuple[Callable[[apsw.Connection], None], ...] = (
    _first,
    schema_steps.drafts_with_files,
    schema_steps.clients,
    schema_steps.imports_to_go_on_with,
    schema_steps.taking_words_out_counted,
    schema_steps.keys_of_facts,
    schema_steps.vocabularies,
    schema_steps.rearranging_counted,
    schema_steps.changes_of_facts_counted,
)


def migrate(connection: apsw.Connection, before: Callable[[], None]) -> None:
    """Bring the tables to this version, one transaction a step; an up-to-date vault is not touched.

    `before` is called once ahead of the first change to a vault that holds something already. Raises VaultTooNew.
    """
    version = connection.pragma("user_version")
    if version > len(MIGRATIONS):
        raise VaultTooNew(
            f"This vault was written by a newer Ricordo (its tables are version {version}, this one knows "
            f"{len(MIGRATIONS)}). Install the newest Ricordo to open it; nothing was changed."
        )
    if 0 < version < len(MIGRATIONS):
        before()
    for number, step in enumerate(MIGRATIONS[version:], start=version + 1):
        connection.execute("begin immediate")
        try:
            step(connection)
            connection.pragma("user_version", number)
        except BaseException:
            connection.execute("rollback")
            raise
        connection.execute("commit")
