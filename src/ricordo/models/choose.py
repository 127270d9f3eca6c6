"""From the settings to the model they name."""

from __future__ import annotations

from pathlib import Path

from ricordo.models.base import ChatModel
from ricordo.models.embedded import EmbeddedModel
from ricordo.models.files import model_file
from ricordo.models.openai_api import OpenAIModel
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
