"""Calling a model behind a server, whole or as a stream, in one line."""

import asyncio

from ricordo.models.base import Completion, Finished, Piece, Request, Text
from ricordo.models.openai_api import OpenAIModel
from ricordo.prompt import ChatMessage


def asking(text: str = "Hello there", **fields: object) -> Request:
    return Request((ChatMessage("user", text),), 100, **fields)  # type: ignore[arg-type]


async def pieces_of(model: OpenAIModel, request: Request) -> list[Piece]:
    try:
        return [piece async for piece in model.stream(request)]
    finally:
        await model.aclose()


async def completion_of(model: OpenAIModel, request: Request) -> Completion:
    try:
        return await model.complete(request)
    finally:
        await model.aclose()


def streamed(url: str, request: Request | None = None) -> list[Piece]:
    return asyncio.run(pieces_of(OpenAIModel(url), request or asking()))


def completed(url: str, request: Request | None = None) -> Completion:
    return asyncio.run(completion_of(OpenAIModel(url), request or asking()))


def text_of(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, Text))


def end_of(pieces: list[Piece]) -> Finished:
    end = pieces[-1]
    assert isinstance(end, Finished)
    return end
