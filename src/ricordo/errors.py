"""Everything Ricordo raises on purpose. Each message is a sentence for the person that says what to do next.

RicordoError
├── InvalidInput            what was asked for makes no sense as it stands
├── NotFound                there is no such conversation, fact, Space, message
├── SwitchedOff             a switch forbids it; says where to turn it on
├── VaultError
│   ├── VaultMissing        no vault at that path
│   ├── VaultExists         there is one already
│   ├── VaultLocked         unlock it first
│   ├── WrongPassphrase     nothing was changed
│   ├── VaultInUse          another process owns it; names it
│   ├── VaultTooNew         written by a newer Ricordo
│   ├── VaultDamaged        the file is not what was written
│   └── StorageFull         the disk took no more
├── ModelError
│   ├── ModelUnreachable    nothing answers there
│   ├── ModelTimeout        it answered too slowly
│   ├── ModelRefused        it answered with an error status
│   ├── ContextOverflow     the prompt was longer than its window
│   ├── ModelGarbled        what it sent is not the protocol
│   └── ModelMissing        no model is set up, or its file is not there
└── ImportFailed            a file that cannot be read as what it was said to be
"""


class RicordoError(Exception):
    """Anything Ricordo raises on purpose; `str(error)` is a sentence for the person."""


class InvalidInput(RicordoError):
    """What was asked for makes no sense as it stands."""


class NotFound(RicordoError):
    """There is no such conversation, message, fact or Space."""


class SwitchedOff(RicordoError):
    """A switch forbids it; the message says where to turn it on."""


class VaultError(RicordoError):
    """Something about the vault file itself."""


class VaultMissing(VaultError):
    """There is no vault at that path."""


class VaultExists(VaultError):
    """There is something at that path already."""


class VaultLocked(VaultError):
    """The vault has to be unlocked first."""


class WrongPassphrase(VaultError):
    """The passphrase or recovery key opens no slot; nothing was changed."""


class VaultInUse(VaultError):
    """Another process owns the vault; the message names it."""


class VaultTooNew(VaultError):
    """The vault was written by a newer Ricordo."""


class VaultDamaged(VaultError):
    """The file is not what was written."""


class StorageFull(VaultError):
    """The disk took no more; what was acknowledged before is safe."""


class ModelError(RicordoError):
    """The model, or the way to it."""


class ModelUnreachable(ModelError):
    """Nothing answers at the model's address."""


class ModelTimeout(ModelError):
    """The model answered too slowly, or stopped in the middle."""


class ModelRefused(ModelError):
    """The model's server answered with an error.

    `status` is its HTTP status, `retry_after` the seconds it asked to wait, if it did.
    """

    def __init__(self, message: str, status: int, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


class ContextOverflow(ModelError):
    """The prompt was longer than the model's window.

    `prompt_tokens` and `window` are the server's own counts, where it told them.
    """

    def __init__(self, message: str, prompt_tokens: int | None = None, window: int | None = None) -> None:
        super().__init__(message)
        self.prompt_tokens = prompt_tokens
        self.window = window


class ModelGarbled(ModelError):
    """What came back is not the protocol."""


class ModelMissing(ModelError):
    """No model is set up, or its file is not there."""


class ImportFailed(RicordoError):
    """A file cannot be read as what it was said to be."""
