"""The process that holds the embedded model: llama.cpp's own HTTP server, from its wheel, on a free port of this computer.

Run as a script by embedded.py and by nothing else: it imports no other module of Ricordo. It ends when its standard
input does, writes no file, and says one line: READY and its address. What it is told comes as one line of JSON.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import sys
import threading
from typing import Any

# Memory for prompts that another call has displaced from the one slot, so that a conversation finds its own again.
_DISPLACED_MIB = 1024
# A call that is given up ends only after the batch in hand. With one thread: 2,048 tokens 62 s, 512 15 s, 128 3.8 s, 64
# 1.5 s, at 36, 32, 35 and 34 tokens/s of prompt; smaller ones read more slowly.
_BATCH_TOKENS = 64
# Bytes sent while a long prompt is read, so that the caller sees a sign of life.
_PING_SECONDS = 5
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE = 1, 4  # from linux/prctl.h


def main() -> None:
    """Serve until standard input ends; the exit status is 3 where the runtime is not installed."""
    _end_with(os.getppid())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C stops a reply in the terminal, not the model
    say = os.fdopen(os.dup(1), "w")
    silence = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):  # the runtime writes there what it likes, prompts too
        os.dup2(silence, stream)
    told = json.loads(sys.stdin.readline() or "{}")
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        import xllamacpp  # noqa: PLC0415  the extra
    except ImportError:
        os._exit(3)
    server = xllamacpp.Server(_parameters(xllamacpp.CommonParams(), told))
    say.write(f"READY {server.listening_address}\n")
    say.close()
    threading.Event().wait()


def _parameters(parameters: Any, told: dict[str, Any]) -> Any:
    """Set what the defaults do not: one slot, so that its cache is kept; nothing to look at from outside."""
    parameters.model.path = told["file"]
    parameters.model_alias = {told["name"]}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.api_keys = [told["key"]]
    parameters.n_ctx = told["window"]
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = told["threads"]
    parameters.cpuparams_batch.n_threads = told["threads"]
    parameters.n_threads_http = 2
    parameters.cache_ram_mib = _DISPLACED_MIB
    parameters.sse_ping_interval = _PING_SECONDS
    parameters.n_batch = parameters.n_ubatch = _BATCH_TOKENS
    parameters.use_jinja = True
    parameters.fit_params = False
    parameters.offline = True
    parameters.endpoint_slots = False  # it would show prompts
    parameters.ui = False
    parameters.verbosity = 0
    return parameters


def _end_with(parent: int) -> None:
    """Have the system end this process with its parent, and never write its memory to a file, where it can do that."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it ended before this could be asked for
        os._exit(0)


def _end_with_input() -> None:
    """Wait for the end of standard input, then go at once: there is nothing to put in order."""
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    os._exit(0)


if __name__ == "__main__":
    main()
