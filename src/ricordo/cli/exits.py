"""The exit codes, in one table. A script can tell what to do next without reading the sentence on stderr."""

from __future__ import annotations

from ricordo import errors

OK = 0
NOTHING = 1  # what was asked for is not there, or nothing was found
INVALID = 2  # also what the command line's own parser answers
LOCKED = 3
VAULT = 4
MODEL = 5
INTERRUPTED = 130  # 128 + SIGINT, as shells have it

# The first that fits wins, so what is special stands above what is general.
_CODES: tuple[tuple[type[errors.RicordoError], int], ...] = (
    (errors.VaultLocked, LOCKED),
    (errors.WrongPassphrase, LOCKED),
    (errors.VaultError, VAULT),
    (errors.ModelError, MODEL),
    (errors.NotFound, NOTHING),
    (errors.RicordoError, INVALID),
)


def code_of(error: errors.RicordoError) -> int:
    """Return the exit code that an error ends the command with."""
    return next(code for kind, code in _CODES if isinstance(error, kind))
