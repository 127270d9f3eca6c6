"""Keeps what an unlocked vault leaves in memory from reaching the disk. For programs that own their process: never at import."""

from __future__ import annotations

import ctypes
import sys

if sys.platform != "win32":
    import resource

_PR_SET_DUMPABLE = 4  # linux/prctl.h


def harden() -> None:
    """Let this process write no core dump and, on Linux, let no other program of the same person read its memory."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
