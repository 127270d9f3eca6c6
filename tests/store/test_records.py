"""The records of an export: a table or a column that is added later cannot be forgotten silently."""

import pathlib

import apsw
import pytest

from ricordo.store import records
from ricordo.store.connection import Database
from tests.vaults import with_database

# Not in an export: what is made anew from the records, what a vault knows of models, and of other programs.
MADE_ANEW = {"excerpts", "names", "vector_sets", "vectors", "vectors_due", "summary_tries", "words_taken_out", "facts_changed"}
STAYING = {"settings", "profiles"}  # settings go out by themselves, without their key
OF_THIS_VAULT = STAYING | {"tokens", "chains", "client_keys", "fact_keys"}  # who may come in, and what is theirs
HISTORY = {"runs", "run_messages", "run_changes", "refusals", "traces"}  # how replies and memories came about here
DERIVED = {
    "conversations": {"rearranged"},
    "facts": {"words", "reach"},
    "attachments": {"id"},
    "draft_attachments": {"id"},
}


def tables(connection: apsw.Connection) -> dict[str, set[str]]:
    """Return the columns of each table that is ours; those of the word indexes are SQLite's own."""
    names = [name for (name,) in connection.execute("select name from sqlite_schema where type = 'table'")]
    ours = [name for name in names if not name.startswith("sqlite_") and "_words" not in name]
    return {name: {row[1] for row in connection.execute(f"pragma table_info({name})")} for name in ours}


async def read_tables(database: Database) -> dict[str, set[str]]:
    """Return the same, of a vault that was just made."""
    return await database.read(tables)


@pytest.mark.req("V5")
def test_every_column_goes_out_or_is_known_to_stay(tmp_path: pathlib.Path) -> None:
    """Each table is exported with all its columns, or stands among those that are left out for a reason."""
    there = with_database(tmp_path, read_tables)
    out: dict[str, set[str]] = {}
    for kind in records.KINDS:
        out[kind.name] = {column for field in kind.fields for column in field.columns}
        if kind.below:
            out[kind.below.table] = {kind.below.owner, *(column for field in kind.below.fields for column in field.columns)}
    assert set(there) == set(out) | MADE_ANEW | OF_THIS_VAULT | HISTORY
    for name, columns in out.items():
        assert there[name] - DERIVED.get(name, set()) == columns, name


@pytest.mark.req("V6", "V8")
def test_what_is_removed_is_all_but_settings_and_models(tmp_path: pathlib.Path) -> None:
    """*Remove my data* empties every table that can hold something of the person."""
    there = with_database(tmp_path, read_tables)
    below = {kind.below.table for kind in records.KINDS if kind.below} | {"run_messages", "run_changes", "refusals"}
    emptied = {name.split()[0] for name in records._CONTENT}
    assert set(there) - emptied - below == STAYING | {"words_taken_out", "facts_changed"}  # counts
    assert [name for name in records._CONTENT if name.startswith("tokens")] == ["tokens where space is not null"]
