"""A program with LiteLLM, which runs in an environment of its own: a line of JSON says what it shall do, one says what came.

It reaches this computer alone, as the tests do. Nothing of Ricordo is imported here.
"""

import asyncio
import contextlib
import io
import json
import os
import sys
from typing import Any

REACHED: list[str] = []


def _guard(event: str, args: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.getaddrinfo"):
        host = str(args[1][0] if event == "socket.connect" else args[0])
        if host not in ("127.0.0.1", "localhost", "::1"):
            REACHED.append(host)
            raise OSError(f"no network: {host}")


sys.addaudithook(_guard)
out, sys.stdout = sys.stdout, sys.stderr  # what libraries print is no answer
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else it fetches a list of prices when it is imported

import litellm  # noqa: E402


def _reply(answer: Any) -> dict[str, Any]:
    message = answer.choices[0].message
    return {
        "text": message.content,
        "finish": answer.choices[0].finish_reason,
        "tools": [call.model_dump() for call in message.tool_calls or ()],
        "usage": [answer.usage.prompt_tokens, answer.usage.completion_tokens],
    }


def ready() -> bool:
    """Say that LiteLLM is there."""
    return True


def whole(**asked: Any) -> dict[str, Any]:
    """Ask for a whole reply."""
    return _reply(litellm.completion(**asked))


def streamed(**asked: Any) -> dict[str, Any]:
    """Ask for a stream, and put it together as LiteLLM does."""
    pieces = list(litellm.completion(stream=True, **asked))
    return _reply(litellm.stream_chunk_builder(pieces, messages=asked["messages"])) | {"pieces": len(pieces)}


def many(count: int, **asked: Any) -> list[str]:
    """Ask for several streams at once, each about its own number."""

    async def one(number: int) -> str:
        messages = [{"role": "user", "content": f"Number {number}"}]
        headers = {"X-Ricordo-Conversation": f"talk-{number}"}
        stream = await litellm.acompletion(stream=True, messages=messages, extra_headers=headers, **asked)
        return "".join([piece.choices[0].delta.content or "" async for piece in stream])

    async def all_of_them() -> list[str]:
        return list(await asyncio.gather(*(one(number) for number in range(count))))

    return asyncio.run(all_of_them())


def left(after: int, **asked: Any) -> str:
    """Ask for a stream and go away in the middle."""

    async def work() -> str:
        text = ""
        stream = await litellm.acompletion(stream=True, **asked)
        async for piece in stream:
            text += piece.choices[0].delta.content or ""
            if len(text) > after:
                break
        await stream.aclose()
        return text

    return asyncio.run(work())


def structured(**asked: Any) -> dict[str, Any]:
    """Ask for a reply in the shape of a model of Pydantic's."""
    from pydantic import BaseModel  # noqa: PLC0415

    class Fruit(BaseModel):
        name: str
        pieces: int

    answer = litellm.completion(response_format=Fruit, **asked)
    return Fruit.model_validate_json(answer.choices[0].message.content).model_dump()


def embedded(**asked: Any) -> int:
    """Embed texts."""
    return len(litellm.embedding(**asked).data)


def responses(**asked: Any) -> str:
    """Ask by the Responses API."""
    return str(litellm.responses(**asked).output)


def example(text: str, token: str, **_: Any) -> str:
    """Run an example, and return what it prints."""
    os.environ["RICORDO_TOKEN"] = token
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(text, {"__name__": "example"})  # noqa: S102
    return printed.getvalue()


def answer(line: str) -> dict[str, Any]:
    """Do what a line says; what fails is an answer, too."""
    asked = json.loads(line)
    try:
        return {"gave": globals()[asked.pop("do")](**asked)}
    except Exception as error:  # noqa: BLE001 - whatever it is, the test looks at it
        return {"failed": type(error).__name__, "status": getattr(error, "status_code", None), "said": str(error)}


for line in sys.stdin:
    print(json.dumps(answer(line) | {"reached": REACHED}), file=out, flush=True)
