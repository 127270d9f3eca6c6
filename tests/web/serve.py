"""A server for tests in the browser: `python -m tests.web.serve FOLDER`, with a scripted model. Its address is its first line."""

import asyncio
import json
import pathlib
import sys

from ricordo.errors import ModelUnreachable
from ricordo.learn.extractor import SYSTEM
from ricordo.models.scripted import ScriptedModel
from ricordo.prompt import ChatMessage
from ricordo.server.app import serve
from tests import explained
from tests.vaults import CHEAP

UNREACHABLE = ModelUnreachable("Nothing answers at http://127.0.0.1:11434. Start the model, or choose another in Settings.")
LONG = "A long reply. " * 300
BOOK = "\n\n".join(
    [
        f"## Part {n}\n\n" + "It was a *long* day by the river, and **nobody** wanted to go home. " * 6 + "\n\n- one\n- two"
        for n in range(25)
    ]
    + ["The end of it."]
)  # 11 kB
HOSTILE = (
    "<script>document.title = 'hit'</script>\n\n<img src=x onerror=\"document.title = 'hit'\">\n\n"
    "[a link](javascript:document.title='hit') ![a picture](https://example.invalid/p.png)\n\n"
    "|a|b|\n|:-|-:|\n|1|2|\n\n```html\n<script>document.title = 'hit'</script>\n```\n"
)
DIARY = (
    "That sounds like a **full day**. Two things stand out:\n\n"
    "1. Ida's exam is over, and she called you first.\n2. You went swimming for the first time since March.\n\n"
    "> Small steps count.\n\nShall I remind you of the *blue notebook* when you plan the weekend?"
)
PAUL = (
    "You met him at the market. He told you that he **moves to Trieste in spring**, and that he would like to see the balcony "
    "before he goes."
)


# What is learned when a message has this word; the facts known are those that the tests made before, the newest first.
LEARNED = {
    "I play the cello": {"add": [{"text": "The user plays the cello.", "quote": "I play the cello"}]},
    "I play chess": {
        "add": [{"text": "The user plays chess.", "quote": "I play chess"}],
        "rewrite": [{"id": 2, "text": "The user lives in Porto.", "quote": "I live in Porto now"}],
        "remove": [{"id": 1, "quote": "I no longer keep bees"}],
    },
    "I live in Ghent": {"add": [{"text": "The user lives in Ghent."}, {"text": "The user keeps bees."}]},
}


def learn(asked: str) -> str:
    """Answer the hidden call."""
    if "riddle" in asked:
        return "I am sorry, I cannot do that."
    return json.dumps(next((found for words, found in LEARNED.items() if words in asked), {}))


def answer(messages: tuple[ChatMessage, ...]) -> str | Exception:
    """Reply by the last of these words in what was asked: an unanswered message stands in one with the next."""
    asked = messages[-1].content
    if messages[0].content == SYSTEM:
        return learn(asked)
    if "harpsichord" in asked:
        return explained.answer(messages)
    answers = {"FAIL": UNREACHABLE, "LONG": LONG, "BOOK": BOOK, "HOSTILE": HOSTILE, "pool": DIARY, "Paul say": PAUL}
    last = max(answers, key=asked.rfind)
    return answers[last] if last in asked else "I read it, and I will keep it in mind."


def main() -> None:
    """Serve until the process is ended."""
    folder = pathlib.Path(sys.argv[1])
    model = ScriptedModel(answer, delay=0.02, name="scripted")
    told = lambda text: print(text.split()[3], flush=True)  # noqa: E731, T201
    asyncio.run(serve(folder / "diary.ricordo", 0, open_browser=False, announce=told, owner="a test", model=model, cost=CHEAP))


if __name__ == "__main__":
    main()
