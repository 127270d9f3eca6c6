"""Memory stores that people take instead, each as its documentation shows it, behind the same calls.

pip install -r benchmarks/peers.txt: nothing else needs them. All are given the same texts and vectors, and asked for one
conversation, ten of them, or all. None calls a language model, and none reports to its makers.
"""
# ruff: noqa: D102, PLC0415 (Tool says what each call does; what is not installed is left out)

from __future__ import annotations

import json
import os
import pathlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import apsw
import numpy as np
from numpy.typing import NDArray

_BATCH = 2000
Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Row:
    """A message: its number, its conversation's, its text and vector."""

    key: int
    talk: int
    text: str
    vector: Vector


class Tool(Protocol):
    """A store in a folder that is opened when it is made; `kind` says what it is, `held` how it keeps what it holds."""

    kind: str
    held: str

    def __init__(self, folder: pathlib.Path) -> None: ...

    def fill(self, rows: Sequence[Row]) -> None:
        """Put many in, as fast as it does that."""
        ...

    def add(self, row: Row) -> None:
        """Put one in, as somebody who writes does."""
        ...

    def delete(self, row: Row) -> None:
        """Take one out."""
        ...

    def search(self, text: str, vector: Vector, talks: Sequence[int] | None, count: int) -> list[int]:
        """Return the numbers of the best, in these conversations or in all."""
        ...

    def close(self) -> None:
        """Let it go, so that it may be opened anew."""
        ...


class Chroma:
    """Chroma, in its own folder: a graph (HNSW) of vectors, with texts and conversations beside it in SQLite."""

    kind, held = "memory store", "plain text on the disk"

    def __init__(self, folder: pathlib.Path) -> None:
        import chromadb
        from chromadb.config import Settings

        self._client = chromadb.PersistentClient(str(folder / "chroma"), Settings(anonymized_telemetry=False))
        self._rows = self._client.get_or_create_collection(
            "memory", configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
        )

    def fill(self, rows: Sequence[Row]) -> None:
        for start in range(0, len(rows), _BATCH):
            part = rows[start : start + _BATCH]
            self._rows.add(
                ids=[str(row.key) for row in part],
                embeddings=np.stack([row.vector for row in part]),
                documents=[row.text for row in part],
                metadatas=[{"talk": row.talk} for row in part],
            )

    def add(self, row: Row) -> None:
        self.fill([row])

    def delete(self, row: Row) -> None:
        self._rows.delete(ids=[str(row.key)])

    def search(self, text: str, vector: Vector, talks: Sequence[int] | None, count: int) -> list[int]:
        where: Any = None if talks is None else {"talk": {"$in": list(talks)}}
        return [int(key) for key in self._rows.query(query_embeddings=[vector], n_results=count, where=where)["ids"][0]]

    def close(self) -> None:
        self._client.close()


class LanceDB:
    """LanceDB, by vectors alone: all of them are compared, as without an index, which it advises from 100,000 rows on."""

    kind, held = "memory store", "plain text on the disk"
    hybrid = False

    def __init__(self, folder: pathlib.Path) -> None:
        import lancedb

        place = folder / type(self).__name__.lower()
        there = place.exists()
        self._db = lancedb.connect(place)
        self._table = self._db.open_table("memory") if there else None

    def fill(self, rows: Sequence[Row]) -> None:
        from lancedb.index import FTS, BTree

        told = [{"id": row.key, "talk": row.talk, "text": row.text, "vector": row.vector} for row in rows]
        if self._table is None:
            self._table = self._db.create_table("memory", told)
            self._table.create_index("talk", config=BTree())
            if self.hybrid:
                self._table.create_index("text", config=FTS())
        else:
            self._table.add(told)

    def add(self, row: Row) -> None:
        self.fill([row])

    def delete(self, row: Row) -> None:
        self._table.delete(f"id = {row.key}")

    def search(self, text: str, vector: Vector, talks: Sequence[int] | None, count: int) -> list[int]:
        hybrid = self.hybrid and any(letter.isalnum() for letter in text)
        asked = self._table.search(query_type="hybrid").vector(vector).text(text) if hybrid else self._table.search(vector)
        asked = asked.distance_type("cosine")
        if talks is not None:
            asked = asked.where(f"talk IN ({', '.join(map(str, talks))})", prefilter=True)
        return [int(row["id"]) for row in asked.limit(count).to_list()]

    def close(self) -> None:
        self._table = self._db = None


class LanceDBHybrid(LanceDB):
    """LanceDB, by words and vectors, their ranks fused as it does by itself."""

    hybrid = True


class Mem0:
    """mem0 with its default store, Qdrant in a folder; texts are kept as they are (`infer=False`), for it asks a model else."""

    kind, held = "memory layer", "plain text on the disk"

    def __init__(self, folder: pathlib.Path) -> None:
        os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=str(folder / "mem0"))
        from mem0 import Memory

        given = {"provider": "openai", "config": {"api_key": "none"}}  # stands in, and is never asked
        store = {"path": str(folder / "mem0" / "qdrant"), "on_disk": True, "embedding_model_dims": 384}
        self._memory = Memory.from_config(
            {"vector_store": {"provider": "qdrant", "config": store}, "embedder": given, "llm": given,
             "history_db_path": str(folder / "mem0" / "history.db")}
        )  # fmt: skip
        self._given: list[float] = []  # the vector of the one text that is in hand
        self._memory.embedding_model.embed = lambda text, memory_action=None: self._given
        self._memory.embedding_model.embed_batch = lambda texts, memory_action=None: [self._given for _ in texts]

    def fill(self, rows: Sequence[Row]) -> None:
        for start in range(0, len(rows), _BATCH):
            part = rows[start : start + _BATCH]
            self._memory.vector_store.insert(
                [row.vector.tolist() for row in part],
                [{"data": row.text, "user_id": "me", "talk": row.talk, "row": row.key} for row in part],
                [str(uuid.UUID(int=row.key)) for row in part],
            )

    def add(self, row: Row) -> None:
        self._given = row.vector.tolist()
        self._memory.add(row.text, user_id="me", metadata={"talk": row.talk, "row": row.key}, infer=False)

    def delete(self, row: Row) -> None:
        self._memory.delete(str(uuid.UUID(int=row.key)))

    def search(self, text: str, vector: Vector, talks: Sequence[int] | None, count: int) -> list[int]:
        self._given = vector.tolist()
        filters: dict[str, Any] = {"user_id": "me"}
        if talks is not None:
            filters["talk"] = {"in": list(talks)}
        found = self._memory.search(text, filters=filters, top_k=count, threshold=0.0)["results"]
        return [int(each["metadata"]["row"]) for each in found]

    def close(self) -> None:
        self._memory.vector_store.client.close()


class Faiss:
    """The library faiss, every vector compared: what a store could at best be by vectors alone, all of it in RAM."""

    kind, held = "bare library", "nothing on the disk but its file, unencrypted"

    def __init__(self, folder: pathlib.Path) -> None:
        import faiss

        self._faiss, self._path = faiss, folder / "faiss"
        self._index = faiss.read_index(str(self._path)) if self._path.exists() else faiss.IndexIDMap2(faiss.IndexFlatIP(384))
        beside = self._path.with_suffix(".json")
        self._talks: dict[int, int] = {int(k): v for k, v in json.loads(beside.read_text()).items()} if beside.exists() else {}

    def fill(self, rows: Sequence[Row]) -> None:
        self._index.add_with_ids(np.stack([row.vector for row in rows]), np.array([row.key for row in rows]))
        self._talks |= {row.key: row.talk for row in rows}

    def add(self, row: Row) -> None:
        self.fill([row])

    def delete(self, row: Row) -> None:
        self._index.remove_ids(np.array([row.key]))

    def search(self, text: str, vector: Vector, talks: Sequence[int] | None, count: int) -> list[int]:
        given = None
        if talks is not None:
            wanted = set(talks)
            rows = np.array([key for key, talk in self._talks.items() if talk in wanted])
            given = self._faiss.SearchParameters(sel=self._faiss.IDSelectorBatch(rows))
        return [int(key) for key in self._index.search(vector[None], count, params=given)[1][0] if key >= 0]

    def close(self) -> None:
        self._faiss.write_index(self._index, str(self._path))
        self._path.with_suffix(".json").write_text(json.dumps(self._talks))


class Fts5:
    """SQLite's FTS5, ranked by BM25, any word: what words alone do, in a plain file."""

    kind, held = "bare library", "plain text on the disk"

    def __init__(self, folder: pathlib.Path) -> None:
        self._db = apsw.Connection(str(folder / "fts.db"))
        self._db.execute("pragma journal_mode = wal; pragma synchronous = full")
        self._db.execute(
            "create virtual table if not exists memory using fts5(text, talk unindexed, tokenize = 'porter unicode61')"
        )

    def fill(self, rows: Sequence[Row]) -> None:
        with self._db:
            told = [(row.key, row.text, row.talk) for row in rows]
            self._db.executemany("insert into memory (rowid, text, talk) values (?, ?, ?)", told)

    def add(self, row: Row) -> None:
        self.fill([row])

    def delete(self, row: Row) -> None:
        with self._db:
            self._db.execute("delete from memory where rowid = ?", (row.key,))

    def search(self, text: str, vector: Vector, talks: Sequence[int] | None, count: int) -> list[int]:
        words = [word for word in "".join(c if c.isalnum() else " " for c in text.lower()).split() if len(word) > 1]
        if not words:
            return []
        where = "" if talks is None else f" and talk in ({', '.join(map(str, talks))})"
        asked = " OR ".join(f'"{word}"' for word in words)
        rows = self._db.execute(f"select rowid from memory where memory match ?{where} order by rank limit ?", (asked, count))
        return [int(key) for (key,) in rows]

    def close(self) -> None:
        self._db.close()


TOOLS: tuple[type[Tool], ...] = (Chroma, LanceDB, LanceDBHybrid, Mem0, Faiss, Fts5)
