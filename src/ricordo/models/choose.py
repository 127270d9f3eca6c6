"""From the settings to the models they name."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from ricordo.errors import ModelMissing
from ricordo.models import weights
from ricordo.models.base import ChatModel, Embedder
from ricordo.models.connection import Connection
from ricordo.models.embedded import EmbeddedModel
from ricordo.models.embedder import EmbeddedEmbedder
from ricordo.models.files import model_file
from ricordo.models.openai_api import OpenAIModel
from ricordo.models.server_embedder import ServerEmbedder
from ricordo.settings import EMBEDDED, Settings

EMBEDDED_WINDOW = 8192  # of the embedded model unless the person sets one: what a laptop reads in bearable time


def open_model(settings: Settings) -> ChatModel:
    """Return the model that the settings name. Nothing is started, asked or missed before it is used.

    With the server `embedded`, `settings.model` may be the path of a GGUF file of one's own.
    """
    if settings.server != EMBEDDED:
        return OpenAIModel(settings.server, settings.model, settings.api_key.get_secret_value(), settings.window)
    file = Path(settings.model).expanduser() if settings.model else model_file()
    return EmbeddedModel(file, window=settings.window or EMBEDDED_WINDOW)


async def server_of(model: ChatModel) -> Connection:
    """Return the way to a model's server. Raises ModelMissing for one without, and where the embedded one is not there."""
    if isinstance(model, (OpenAIModel, EmbeddedModel)):
        return await model.server()
    raise ModelMissing("The model that is set up has no server that calls could be passed on to. Choose another in Settings.")


def open_embedder(settings: Settings) -> Embedder | None:
    """Return the embedder that the settings name; None where there is none, and `no_embedder` says why. Nothing is loaded yet.

    Without one everything is found by words alone.
    """
    if no_embedder(settings):
        return None
    if settings.embedder == EMBEDDED:
        return EmbeddedEmbedder()
    key = settings.api_key.get_secret_value()
    return ServerEmbedder(settings.server, api_key=key, fallback=settings.model, patience=float(settings.timeout))


def no_embedder(settings: Settings) -> str:
    """Return why the settings name no embedder that could be used, as a sentence; empty when they name one."""
    match settings.embedder:
        case "off":
            return "Finding by meaning is off: embedder is 'off' in Settings. Words alone are searched."
        case "embedded" if find_spec("onnxruntime") is None or not weights.installed():
            return f"The embedding model is not installed, so words alone are searched. {weights.INSTALL}"
        case "embedded":
            return ""
        case "server" if settings.server == EMBEDDED:
            return "No model server is set up that could embed. Set embedder to 'embedded', or choose a server in Settings."
        case "server":
            return ""
        case other:
            return f"There is no embedder {other!r}. Set embedder to 'embedded', 'server' or 'off' in Settings."
