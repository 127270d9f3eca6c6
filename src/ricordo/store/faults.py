"""What the disk and SQLite complain about, as sentences for the person. The one place where such errors are translated."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from ricordo.errors import InvalidInput, StorageFull, VaultDamaged, VaultError, VaultInUse

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
# SQLite calls only ENOSPC "full"; a quota or a limit on file size shows as one of these.
_NOT_TAKEN = {
    apsw.SQLITE_IOERR_WRITE,
    apsw.SQLITE_IOERR_FSYNC,
    apsw.SQLITE_IOERR_DIR_FSYNC,
    apsw.SQLITE_IOERR_TRUNCATE,
    apsw.SQLITE_IOERR_SHMSIZE,
    apsw.SQLITE_IOERR_SHMOPEN,
    apsw.SQLITE_IOERR_SHMMAP,
}


@contextmanager
def told_plainly(path: str) -> Iterator[None]:
    """Raise StorageFull, VaultDamaged, VaultInUse, VaultError or InvalidInput in place of errors of the disk and of SQLite."""
    try:
        yield
    except apsw.FullError as error:
        raise _full(path) from error
    except apsw.IOError as error:
        if getattr(error, "extendedresult", apsw.SQLITE_IOERR) in _NOT_TAKEN:  # the stubs do not know it
            raise _full(path) from error
        raise _damaged(path) from error
    # No text of ours is other than UTF-8: a page of another moment was put back, and another message's bytes stand there.
    except (apsw.CorruptError, apsw.NotADBError, apsw.FormatError, UnicodeDecodeError) as error:
        raise _damaged(path) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise VaultInUse(
            f"Another program keeps {path} locked, so this was not saved; everything before is. Try again when it has finished."
        ) from error
    except (apsw.CantOpenError, apsw.PermissionsError, PermissionError) as error:
        raise VaultError(
            f"{path} cannot be opened. Check that you may read and write it and its folder, and that its path is not too long."
        ) from error
    except UnicodeEncodeError as error:
        raise InvalidInput("The text holds half of a character, so it was not kept. Take that out and try again.") from error
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise _full(path) from error
        raise VaultError(f"{path}: {error.strerror or error}. Check the disk and the folder.") from error


def _full(path: str) -> StorageFull:
    return StorageFull(
        f"The disk has no room for {path}, so this was not saved; everything before is. Free some space and try again."
    )


def _damaged(path: str) -> VaultDamaged:
    return VaultDamaged(f"{path} is damaged: a part of it is not what was written. Restore your latest backup.")
