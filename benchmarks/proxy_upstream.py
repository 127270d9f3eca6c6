"""A model server for measuring a proxy: streams words at once or slowly, over asyncio, in a process of its own.

python -m benchmarks.proxy_upstream prints its address. Each reply repeats the last word of the newest message.
"""

from __future__ import annotations

import asyncio
import json
import re

PAUSE = 0.05  # seconds between the words of a reply that is asked for slowly
WORDS = 20
_LAST = re.compile(r"(\w+)\W*$")


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def _event(**delta: str) -> bytes:
    finish = None if delta else "stop"
    event = {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
    return _chunk(b"data: " + json.dumps(event).encode() + b"\n\n")


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = re.search(r"content-length: (\d+)", head)
            body = await reader.readexactly(int(length[1])) if length else b""
            if not head.startswith("post"):
                listed = b'{"object":"list","data":[{"id":"measured","object":"model"}]}'
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(listed))
                writer.write(listed)
                continue
            asked = json.loads(body)
            word = (_LAST.search(str(asked["messages"][-1]["content"])) or ["", "nothing"])[1]
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
            for _ in range(WORDS):
                writer.write(_event(content=f"{word} "))
                if asked.get("seed"):
                    await writer.drain()
                    await asyncio.sleep(PAUSE)
            writer.write(_event() + _chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n")
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main() -> None:
    """Serve until the process is ended."""
    server = await asyncio.start_server(_answer, "127.0.0.1", 0, limit=1 << 24)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
