"""A server that has loaded and freed much, on several threads, holds little of it."""

import subprocess
import sys

import pytest

WORK = """
import sys, threading
from ricordo.store.hardening import give_back
if sys.argv[1] == "given back":
    give_back()
del [bytearray(b"x" * (30 << 20))][:]  # as a model's weights are: once freed, the C library keeps what is smaller
together, small = threading.Barrier(6), []
def load():
    together.wait()
    large = [bytearray(b"x" * (11 << 20)) for _ in range(3)]
    small.append(bytes(100_000))
    together.wait()
    large.clear()
threads = [threading.Thread(target=load) for _ in range(6)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("RssAnon")) // 1024)
"""


def held(how: str) -> int:
    """Return the megabytes that a process holds after it freed all but a little."""
    return int(subprocess.run([sys.executable, "-c", WORK, how], capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="where the C library is GNU's")
@pytest.mark.req("V3", "X3")
def test_what_was_freed_is_given_back() -> None:
    """Else a thread keeps some tens of megabytes of what it once needed, and with them texts of a vault that is locked."""
    assert held("given back") < 60 < held("as it is")
