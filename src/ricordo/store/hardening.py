"""What a process does about its memory: nothing of it reaches the disk, and what is freed is given back to the system.

For programs that own their process: never at import.
"""

from __future__ import annotations

import ctypes
import sys

if sys.platform != "win32":
    import resource

_PR_SET_DUMPABLE = 4  # linux/prctl.h
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # malloc.h
_LARGE = 8 << 20  # bytes: above the arrays that a search makes, below the weights of a model


def harden() -> None:
    """Let this process write no core dump and, on Linux, let no other program of the same person read its memory."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def give_back() -> None:
    """Have memory given back when it is freed, and used by any thread, where the C library is GNU's; elsewhere nothing happens.

    By itself it raises the size from which it does so up to 32 MB, for each thread: a server then held 520 MB in place of 165
    once the embedding model had been loaded by some threads in turn. And it has heaps for each thread, of which what one has
    freed is nothing to the next: in ten minutes of talking, importing and locking a server grew by a quarter; with one heap for
    all not at all.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _LARGE)
        mallopt(_M_TRIM_THRESHOLD, _LARGE)
        mallopt(_M_ARENA_MAX, 1)
