"""From the settings to the model they name."""

from __future__ import annotations

from pathlib import Path

from ricordo.errors import ModelMissing
from ricordo.models.base import ChatModel
from ricordo.models.embedded import EmbeddedModel
from ricordo.models.files import model_file
from ricordo.models.openai_api import OpenAIModel
from ricordo.settings import EMBEDDED, Settings

EMBEDDED_WINDOW = 8192  # of the embedded model unless the person sets one: what a laptop reads in bearable time


def open_model(settings: Settings) -> ChatModel:
    """Return the model that the settings name; nothing is started or asked before it is used.

    With the server `embedded`, `settings.model` may be the path of a GGUF file of one's own. Raises ModelMissing.
    """
    if settings.server != EMBEDDED:
        key = settings.api_key.get_secret_value()
        return OpenAIModel(settings.server, settings.model, key, settings.window)
    file = Path(settings.model).expanduser() if settings.model else model_file()
    if file is None or not file.is_file():
        raise ModelMissing(
            f"The model file {file} is not there. Check its path in Settings → Models."
            if file
            else "There is no model on this computer yet. Fetch the embedded one with `ricordo model fetch`, or name a server "
            "in Settings → Models."
        )
    return EmbeddedModel(file, window=settings.window or EMBEDDED_WINDOW)
