"""What people would take instead, each as its documentation shows it, behind the same calls; what is not installed is left out.

pip install faiss-cpu hnswlib usearch sqlite-vec lancedb tantivy: nothing else needs them.
"""
# ruff: noqa: D102 (Peer says what each call does)

from __future__ import annotations

import re
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import apsw
import numpy as np
from numpy.typing import NDArray

from benchmarks.scale_vault import Corpus

Within = NDArray[np.int32] | None  # the conversations in reach, all when None
Ids = Sequence[int]
_GRAPH = 200_000  # vectors: building a graph over more takes many minutes


class Peer(Protocol):
    """Something that finds rows by their vector or their words."""

    def __init__(self, held: Corpus) -> None: ...

    def search(self, query: int, within: Within, count: int) -> Ids:
        """Return the rows nearest to query number `query`."""
        ...

    def add(self, row: int) -> None:
        """Add row `row` once more, at the end."""
        ...

    def delete(self, row: int) -> None:
        """Take out a row."""
        ...


class Faiss:
    """faiss, IndexFlatIP with ids: exact, float32."""

    def __init__(self, held: Corpus) -> None:
        import faiss  # noqa: PLC0415

        self.faiss, self.held = faiss, held
        self.index = faiss.IndexIDMap2(faiss.IndexFlatIP(held.vectors.shape[1]))
        self.index.add_with_ids(held.vectors, np.arange(len(held.vectors)))

    def search(self, query: int, within: Within, count: int) -> Ids:
        given = None
        if within is not None:
            rows = np.flatnonzero(np.isin(self.held.talks, within))
            given = self.faiss.SearchParameters(sel=self.faiss.IDSelectorBatch(rows))
        return self.index.search(self.held.query_vectors[query][None], count, params=given)[1][0].tolist()

    def add(self, row: int) -> None:
        self.index.add_with_ids(self.held.vectors[row][None], np.array([self.index.ntotal]))

    def delete(self, row: int) -> None:
        self.index.remove_ids(np.array([row]))


class Hnswlib:
    """hnswlib, a graph over float32; a reach is a filter function."""

    most = _GRAPH

    def __init__(self, held: Corpus) -> None:
        import hnswlib  # noqa: PLC0415

        self.held = held
        self.index = hnswlib.Index(space="ip", dim=held.vectors.shape[1])
        self.index.init_index(max_elements=len(held.vectors) + 1000, ef_construction=100, M=16)
        self.index.add_items(held.vectors, np.arange(len(held.vectors)))
        self.index.set_ef(96)

    def search(self, query: int, within: Within, count: int) -> Ids:
        allowed = None if within is None else set(within.tolist())
        chosen: Callable[[int], bool] | None = None
        if allowed is not None:
            chosen = lambda row: row < len(self.held.talks) and int(self.held.talks[row]) in allowed  # noqa: E731
        found = self.index.knn_query(self.held.query_vectors[query], k=count, filter=chosen, num_threads=1)
        return [int(row) for row in found[0][0]]

    def add(self, row: int) -> None:
        self.index.add_items(self.held.vectors[row][None], [self.index.get_current_count()])

    def delete(self, row: int) -> None:
        self.index.mark_deleted(row)


class Usearch:
    """usearch, a graph over int8; it knows no filter, so twenty times as many are asked for and then sieved."""

    most = _GRAPH

    def __init__(self, held: Corpus) -> None:
        from usearch.index import Index  # noqa: PLC0415

        self.held = held
        self.index = Index(ndim=held.vectors.shape[1], metric="cos", dtype="i8")
        self.index.add(np.arange(len(held.vectors)), held.vectors)

    def search(self, query: int, within: Within, count: int) -> Ids:
        more = count if within is None else 20 * count
        rows = np.asarray(self.index.search(self.held.query_vectors[query], more).keys).astype(np.int64)
        if within is not None:
            rows = rows[np.isin(self.held.talks[rows], within)][:count]
        return rows.tolist()

    def add(self, row: int) -> None:
        self.index.add(len(self.index), self.held.vectors[row])

    def delete(self, row: int) -> None:
        self.index.remove(row)


class SqliteVec:
    """sqlite-vec in plain SQLite, exact over float32, the conversation as a metadata column."""

    def __init__(self, held: Corpus) -> None:
        import sqlite_vec  # noqa: PLC0415

        self.held = held
        self.folder = tempfile.TemporaryDirectory()
        self.db = apsw.Connection(f"{self.folder.name}/vectors.db")  # Python's own sqlite3 may be built without extensions
        self.db.enable_load_extension(True)
        self.db.load_extension(sqlite_vec.loadable_path())
        self.db.execute(
            "create virtual table v using vec0(id integer primary key, talk integer,"
            f" e float[{held.vectors.shape[1]}] distance_metric=cosine)"
        )
        self.db.execute("begin")
        self.db.executemany(
            "insert into v values (?, ?, ?)",
            ((row, int(held.talks[row]), held.vectors[row].tobytes()) for row in range(len(held.vectors))),
        )
        self.db.execute("commit")

    def search(self, query: int, within: Within, count: int) -> Ids:
        condition = "" if within is None else f" and talk in ({','.join(map(str, within.tolist()))})"
        rows = self.db.execute(
            f"select id from v where e match ? and k = ?{condition}", (self.held.query_vectors[query].tobytes(), count)
        )
        return [row[0] for row in rows]

    def add(self, row: int) -> None:
        self.db.execute("insert into v (talk, e) values (1, ?)", (self.held.vectors[row].tobytes(),))

    def delete(self, row: int) -> None:
        self.db.execute("delete from v where id = ?", (row,))


class Lance:
    """LanceDB, exact (no index built), the conversation as a column that is sieved first."""

    def __init__(self, held: Corpus) -> None:
        import lancedb  # noqa: PLC0415
        import pyarrow  # noqa: PLC0415

        self.held, self.arrow = held, pyarrow
        self.folder = tempfile.TemporaryDirectory()
        self.table = lancedb.connect(self.folder.name).create_table("v", self.rows(0, min(50_000, len(held.vectors))))
        for start in range(50_000, len(held.vectors), 50_000):
            self.table.add(self.rows(start, min(start + 50_000, len(held.vectors))))

    def rows(self, start: int, stop: int) -> Any:
        flat = self.arrow.array(self.held.vectors[start:stop].ravel())
        lists = self.arrow.FixedSizeListArray.from_arrays(flat, self.held.vectors.shape[1])
        talks = self.arrow.array(self.held.talks[start:stop])
        return self.arrow.table({"id": np.arange(start, stop), "talk": talks, "vector": lists})

    def search(self, query: int, within: Within, count: int) -> Ids:
        sought = (
            self.table.search(self.held.query_vectors[query]).distance_type("cosine").limit(count).select(["id", "_distance"])
        )
        if within is not None:
            sought = sought.where(f"talk in ({','.join(map(str, within.tolist()))})", prefilter=True)
        return [int(row) for row in sought.to_arrow()["id"].to_pylist()]

    def add(self, row: int) -> None:
        self.table.add(self.rows(row, row + 1))

    def delete(self, row: int) -> None:
        self.table.delete(f"id = {row}")


class Fts5:
    """SQLite's FTS5 as its documentation shows it: plain, porter, ranked by BM25, the conversation in a joined table."""

    def __init__(self, held: Corpus) -> None:
        self.held = held
        self.folder = tempfile.TemporaryDirectory()
        self.db = sqlite3.connect(f"{self.folder.name}/words.db", isolation_level=None)
        self.db.executescript(
            "create table m (id integer primary key, talk integer); create index by_talk on m (talk);"
            "create virtual table f using fts5 (text, tokenize = 'porter unicode61'); begin"
        )
        self.db.executemany("insert into m values (?, ?)", ((row, int(talk)) for row, talk in enumerate(held.talks)))
        self.db.executemany("insert into f (rowid, text) values (?, ?)", enumerate(held.texts))
        self.db.execute("commit")

    def search(self, query: int, within: Within, count: int) -> Ids:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", self.held.queries[query]))
        sql = "select rowid from f where f match ? order by rank limit ?"
        if within is not None:
            talks = ",".join(map(str, within.tolist()))
            sql = f"select f.rowid from f join m on m.id = f.rowid where f match ? and m.talk in ({talks}) order by rank limit ?"
        return [row[0] for row in self.db.execute(sql, (words, count))]

    def add(self, row: int) -> None:
        self.db.execute("insert into f (text) values (?)", (self.held.texts[row],))

    def delete(self, row: int) -> None:
        self.db.execute("delete from f where rowid = ?", (row,))


class Tantivy:
    """tantivy in RAM, stemmed, ranked by BM25, the conversation as an indexed number."""

    def __init__(self, held: Corpus) -> None:
        import tantivy  # noqa: PLC0415

        self.tantivy, self.held = tantivy, held
        fields = tantivy.SchemaBuilder()
        fields.add_integer_field("id", stored=True, indexed=True)
        fields.add_integer_field("talk", indexed=True)
        fields.add_text_field("text", tokenizer_name="en_stem")
        self.index = tantivy.Index(fields.build())
        self.writer = self.index.writer(heap_size=128_000_000, num_threads=2)
        for row, text in enumerate(held.texts):
            self.writer.add_document(tantivy.Document(id=row, talk=int(held.talks[row]), text=text))
        self.settle()

    def settle(self) -> None:
        self.writer.commit()
        self.index.reload()

    def search(self, query: int, within: Within, count: int) -> Ids:
        sought = self.held.queries[query]
        if within is not None:
            sought = f"+({sought}) +({' '.join(f'talk:{talk}' for talk in within.tolist())})"
        searcher = self.index.searcher()
        found = searcher.search(self.index.parse_query(sought, ["text"]), count).hits
        return [int(searcher.doc(where)["id"][0]) for _, where in found]

    def add(self, row: int) -> None:
        self.writer.add_document(self.tantivy.Document(id=len(self.held.texts), talk=1, text=self.held.texts[row]))
        self.settle()

    def delete(self, row: int) -> None:
        self.writer.delete_documents("id", row)
        self.settle()


VECTORS: tuple[type[Peer], ...] = (Faiss, Hnswlib, Usearch, SqliteVec, Lance)
WORDS: tuple[type[Peer], ...] = (Fts5, Tantivy)
