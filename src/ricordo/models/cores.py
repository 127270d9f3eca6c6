"""How many threads a model runs with: one for each physical core, because their twins only wait for the same memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def threads() -> int:
    """Return RICORDO_THREADS, or the physical cores that this process may use."""
    told = os.environ.get("RICORDO_THREADS", "")
    return int(told) if told.isdecimal() and int(told) > 0 else physical_cores()


def physical_cores() -> int:
    """Return the number of physical cores that this process may use; half of the logical ones where that is not told."""
    if sys.platform == "darwin":
        told = subprocess.run(["sysctl", "-n", "hw.physicalcpu"], capture_output=True, text=True, check=False).stdout.strip()
        if told.isdecimal():
            return int(told)
    usable = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set(range(os.cpu_count() or 1))
    try:
        twins = {Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list").read_text() for cpu in usable}
    except OSError:
        return max(1, len(usable) // 2)
    return max(1, len(twins))
