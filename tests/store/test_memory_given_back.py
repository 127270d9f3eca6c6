"""A server that has loaded and freed much, on several threads, holds little of it."""

import subprocess
import sys

import pytest

BEGIN = """
import sys, threading
from ricordo.store.hardening import give_back
if sys.argv[1] == "given back":
    give_back()
"""
END = """
print(next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("RssAnon")) // 1024)
"""
LARGE = """
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
"""
# As jobs do: one after the other, each on a thread of its own that lives on, and each leaves a little behind.
SMALL = """
ended, left = threading.Event(), []
def job(done):
    pieces = [bytes(2000) for _ in range(8000)]
    left.append(pieces[-1])
    del pieces
    done.set()
    ended.wait()
for number in range(6):
    done = threading.Event()
    threading.Thread(target=job, args=(done,)).start()
    done.wait()
ended.set()
"""


def held(work: str, how: str) -> int:
    """Return the megabytes that a process holds after it freed all but a little."""
    done = subprocess.run([sys.executable, "-c", BEGIN + work + END, how], capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="where the C library is GNU's")
@pytest.mark.req("V3", "X3")
def test_what_was_freed_is_given_back() -> None:
    """Else a thread keeps some tens of megabytes of what it once needed, and with them texts of a vault that is locked."""
    assert held(LARGE, "given back") < 60 < held(LARGE, "as it is")


@pytest.mark.skipif(sys.platform != "linux", reason="where the C library is GNU's")
@pytest.mark.req("X3")
def test_what_one_thread_freed_another_one_uses() -> None:
    """Else each of a server's threads comes to hold as much as its largest job ever needed."""
    assert held(SMALL, "given back") + 40 < held(SMALL, "as it is")
