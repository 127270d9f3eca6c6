"""The unlocked vault: one writer thread and two readers. All that touches the database is a job given to one of them.

A job gets a connection inside a transaction, runs whole or not at all, and must not keep the connection.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TypeVar

import apsw

from ricordo.errors import StorageFull, VaultLocked, VaultMissing
from ricordo.events import Announcement
from ricordo.store import opening, postings, schema
from ricordo.store.backup import Progress, write_copy
from ricordo.store.faults import told_plainly
from ricordo.store.file import VaultFile, publish, refuse_occupied, remove
from ricordo.store.keys import KdfCost
from ricordo.store.loaded_vectors import LoadedVectors
from ricordo.store.opening import Migrate
from ricordo.store.ownership import Claim, claim

T = TypeVar("T")
Job = Callable[[apsw.Connection], T]
VaultPath = str | os.PathLike[str]


class Database:
    """An unlocked vault. Made by `create` or `open`, which take about half a second; ended by `close`."""

    def __init__(self, file: VaultFile, owned: Claim, writer: apsw.Connection, readers: list[apsw.Connection]) -> None:
        self._file = file
        self._owned = owned
        self._writer = writer
        self._readers = readers
        # The last one used is the next one used: its pages are still in its cache.
        self._free: queue.LifoQueue[apsw.Connection] = queue.LifoQueue()
        for reader in readers:
            self._free.put(reader)
        self._writing = ThreadPoolExecutor(1, "vault-writer")
        self._reading = ThreadPoolExecutor(len(readers) + 1, "vault-reader")  # one more, for a copy or an export
        self._moments: set[apsw.Connection] = set()
        self._observers: list[Callable[[Announcement], None]] = []
        self._jobs = 0  # that the writer has, waiting ones too
        self.commits = 0  # transactions that wrote: what was read at one number is as at the next time with that number
        self._counting = threading.Lock()
        self._knocking: float | None = None  # since when a write has waited to be let into the file
        self._closed = False
        self._ending = threading.Lock()
        postings.share((writer, *readers))
        self.vectors = LoadedVectors()
        self.vectors.follow(writer)

    @classmethod
    def create(
        cls,
        path: VaultPath,
        passphrase: str,
        *,
        cost: KdfCost | None = None,
        owner: str = "ricordo",
        migrate: Migrate = schema.migrate,
    ) -> tuple[Database, str]:
        """Make a new vault; return it unlocked, with its recovery key, which is shown once and kept nowhere.

        A missing folder is made. The file appears at its path only when it is complete.
        Raises VaultExists, VaultInUse, InvalidInput for an empty passphrase, StorageFull.
        """
        real = os.path.realpath(path)
        part = f"{real}.part"
        with told_plainly(real):
            refuse_occupied(real)
            os.makedirs(os.path.dirname(real), mode=0o700, exist_ok=True)
            owned = claim(real, owner)
            made = part
            try:
                refuse_occupied(real)
                remove(part)  # of a creation that was cut off
                file, recovery_key = VaultFile.make(part, passphrase, cost)
                opening.lay_out(file, migrate)
                publish(part, real)
                made = file.path = real
                return cls._connected(file, owned, migrate), recovery_key
            except BaseException:
                remove(made)  # after publishing too: nobody has seen its recovery key
                owned.release()
                raise

    @classmethod
    def open(cls, path: VaultPath, secret: str, *, owner: str = "ricordo", migrate: Migrate = schema.migrate) -> Database:
        """Unlock a vault by its passphrase or its recovery key; bring its tables to this version, after a backup beside it.

        Raises VaultMissing, WrongPassphrase, VaultInUse, VaultDamaged, VaultTooNew, InvalidInput.
        """
        real = os.path.realpath(path)
        if not os.path.exists(real):
            raise VaultMissing(f"There is no vault at {real}. Check the name, or make a new vault there.")
        with told_plainly(real):
            owned = claim(real, owner)
            try:
                return cls._connected(VaultFile.unlock(real, secret), owned, migrate)
            except BaseException:
                owned.release()
                raise

    @classmethod
    def _connected(cls, file: VaultFile, owned: Claim, migrate: Migrate) -> Database:
        return cls(file, owned, *opening.connect(file, migrate))

    @property
    def path(self) -> str:
        """The vault's real path."""
        return self._file.path

    @property
    def held_up(self) -> float:
        """Seconds for which writing has been waiting because another program keeps the file locked; 0 when it is not."""
        since = self._knocking
        return 0.0 if since is None else time.monotonic() - since

    def observe(self, callback: Callable[[Announcement], None]) -> None:
        """Have `callback` told each announcement after its transaction is committed, on the event loop that asked for it."""
        self._observers.append(callback)

    async def write(self, job: Job[T], *announce: Announcement) -> T:
        """Run a job on the writer, in a transaction of its own; return what it returns once the disk has it.

        An exception of the job undoes all of it. Cancelling the caller leaves a job that has begun to finish.
        Raises StorageFull, VaultDamaged, VaultLocked.
        """
        loop = asyncio.get_running_loop()

        def run() -> T:
            result = self._in_transaction(self._writer, job, writes=True)
            with suppress(RuntimeError):  # the loop that asked has ended; what was written stands
                for announcement in announce:
                    loop.call_soon_threadsafe(self._tell, announcement)
            return result

        return await self._on_writer(run)

    async def look(self, job: Job[T]) -> T:
        """Run a job that reads a little, ahead of a reply: on the writer when it has nothing to do, else as `read` does.

        Each commit of another connection empties a reader's page cache, so after every message a reader begins anew.
        Raises VaultDamaged, VaultLocked.
        """
        if self._jobs:
            return await self.read(job)

        def run() -> T:
            self._writer.pragma("query_only", True)
            try:
                return self._in_transaction(self._writer, job)
            finally:
                self._writer.pragma("query_only", False)

        return await self._on_writer(run)

    async def read(self, job: Job[T]) -> T:
        """Run a job on a reader, beside the writer, seeing one moment of the vault. Raises VaultDamaged, VaultLocked."""

        def run() -> T:
            connection = self._free.get()
            try:
                return self._in_transaction(connection, job)
            finally:
                self._free.put(connection)

        return await self._submit(self._reading, run)

    async def load_vectors(self, model: str) -> None:
        """Bring a model's vectors into RAM in place of any other's, a slice at a time beside what else is read.

        Till then `vectors.search` says that they are not there. Cancelled or not, a second call goes on with it.
        Raises VaultDamaged, VaultLocked.
        """
        await self.read(lambda connection: self.vectors.begin(connection, model))
        while await self.read(lambda connection: self.vectors.load_more(connection, model)):
            pass

    async def change_passphrase(self, old: str, new: str, *, cost: KdfCost | None = None) -> None:
        """Replace the passphrase; `old` may be the recovery key, which stays. The data is not rewritten.

        Backups made before still open with the old one. Raises WrongPassphrase, InvalidInput, StorageFull.
        """

        def run() -> None:
            with told_plainly(self.path):
                self._file.change_passphrase(self._writer, old, new, cost)

        await self._on_writer(run)

    async def new_recovery_key(self, secret: str) -> str:
        """Replace the recovery key and return the new one; `secret` is the passphrase or the old one. Raises WrongPassphrase."""

        def run() -> str:
            with told_plainly(self.path):
                return self._file.new_recovery_key(self._writer, secret)

        return await self._on_writer(run)

    async def erase(self, job: Job[T], *announce: Announcement) -> T:
        """Run a job that deletes, as `write` does, then empty the journal, so that what was deleted is in no file (V8).

        When the disk is too full for that, it happens at the next checkpoint.
        """
        result = await self.write(job, *announce)
        with suppress(StorageFull):
            await self.checkpoint()
        return result

    async def check_passphrase(self, secret: str) -> None:
        """Raise WrongPassphrase unless a passphrase or recovery key opens this vault; changes nothing."""
        await self._submit(self._reading, lambda: self._file.check(secret))

    async def checkpoint(self) -> bool:
        """Bring all of the journal into the file and empty the journal: what was deleted is then gone.

        Waits for the reads that are running. Returns False when a copy being written still needs the journal.
        """

        def run() -> bool:
            readers = [self._free.get() for _ in self._readers]
            try:
                with told_plainly(self.path):
                    return opening.empty_journal(self._writer)
            finally:
                for reader in readers:
                    self._free.put(reader)

        return await self._on_writer(run)

    async def compact(self) -> None:
        """Make the file as small as what is in it, after much of it was deleted."""

        def run() -> None:
            with told_plainly(self.path):
                self._writer.execute("vacuum")

        await self._on_writer(run)
        await self.checkpoint()

    async def moment(self, pieces: Callable[[apsw.Connection], Iterator[T]]) -> AsyncGenerator[T, None]:
        """Yield what is made of one moment of the vault, piece by piece, however long its reader takes over it.

        It has a connection of its own, so that nobody waits for it. Locking the vault ends it: raises VaultLocked.
        """
        connection = await self._submit(self._reading, self._begin_moment)
        try:
            iterator = pieces(connection)
            while (piece := await self._submit(self._reading, partial(_next, iterator))) is not None:
                yield piece
        finally:
            self._moments.discard(connection)
            await asyncio.to_thread(connection.close, True)

    def _begin_moment(self) -> apsw.Connection:
        with told_plainly(self.path):
            connection = opening.connect_for_copying(self._file)
            self._moments.add(connection)
            connection.execute("begin; select count(*) from sqlite_schema").fetchall()
            return connection

    async def copy_to(self, target: VaultPath, progress: Progress | None = None) -> None:
        """Write a consistent copy beside running reads and writes; `progress` is called from another thread."""

        def run() -> None:
            real = os.path.realpath(target)
            with told_plainly(real):
                write_copy(self._file, real, progress)

        await self._submit(self._reading, run)

    async def close(self) -> None:
        """Finish what was asked for, then close the file, overwrite the key, give up ownership. A second time does nothing."""
        self._closed = True  # from this moment on, whenever a thread is free
        await asyncio.to_thread(self.shut)

    def shut(self) -> None:
        """Close it as `close` does, for whoever has no event loop."""
        self._closed = True
        with self._ending:
            self._writing.shutdown()
            self._reading.shutdown()
            self.vectors.forget()
            postings.forget((*self._moments, *self._readers, self._writer))
            for connection in list(self._moments):
                connection.close(True)  # its statements are not at their end
            opening.close_all((*self._readers, self._writer))
            self._file.forget()
            self._owned.release()

    def _in_transaction(self, connection: apsw.Connection, job: Job[T], *, writes: bool = False) -> T:
        with told_plainly(self.path):
            self._begin(connection, writes=writes)
            try:
                result = job(connection)
                connection.execute("commit")
            except BaseException:
                if connection.in_transaction:  # SQLite undoes some failures itself, a full disk for one
                    connection.execute("rollback")
                if writes:
                    self.vectors.rolled_back()
                raise
            if writes:
                self.commits += 1
                self.vectors.committed(connection)
            return result

    def _begin(self, connection: apsw.Connection, *, writes: bool) -> None:
        if not writes:
            connection.execute("begin")
            return
        self._knocking = time.monotonic()
        try:
            connection.execute("begin immediate")
        finally:
            self._knocking = None

    async def _on_writer(self, run: Callable[[], T]) -> T:
        self._count(1)
        try:
            return await self._submit(self._writing, run)
        finally:
            self._count(-1)

    def _count(self, by: int) -> None:
        with self._counting:
            self._jobs += by

    async def _submit(self, executor: ThreadPoolExecutor, run: Callable[[], T]) -> T:
        if self._closed:
            raise VaultLocked("The vault is locked. Unlock it with your passphrase first.")
        return await asyncio.get_running_loop().run_in_executor(executor, run)

    def _tell(self, announcement: Announcement) -> None:
        for observer in self._observers:
            observer(announcement)


def _next(iterator: Iterator[T]) -> T | None:
    return next(iterator, None)  # a StopIteration would not get out of a thread
