"""The page's own files: packed where the browser can unpack, not sent again while they are the same, nothing beside them."""

import pathlib

import pytest

from ricordo.server.app import WEB
from tests.server.served import Served, over


@pytest.mark.req("I3")
def test_every_file_comes_whole_and_is_not_sent_twice(tmp_path: pathlib.Path) -> None:
    """Its bytes and type; with its ETag nothing but 304; a client that cannot unpack gets it plain."""
    kinds = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}

    async def work(one: Served) -> None:
        for path in WEB.iterdir():
            for accepted in ("gzip", "identity"):
                answer = await one.client.get(f"/{path.name}", headers={"accept-encoding": accepted})
                assert answer.status_code == 200
                assert answer.content == path.read_bytes()
                assert answer.headers["content-type"].split(";")[0] == kinds[path.suffix]
                assert answer.headers.get("content-encoding", "identity") == accepted
                assert answer.headers["cache-control"] == "no-cache"
            again = await one.client.get(f"/{path.name}", headers={"if-none-match": answer.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")
        assert (await one.client.get("/")).content == (WEB / "index.html").read_bytes()

    over(tmp_path, work)


@pytest.mark.req("X1")
@pytest.mark.parametrize("path", ["/nothing.js", "/../app.py", "/%2e%2e/app.py", "/web/", "//etc/passwd", "/index.html/"])
def test_nothing_else_is_there(tmp_path: pathlib.Path, path: str) -> None:
    """What is no file of the page is not found, and nothing can be done to those that are."""

    async def work(one: Served) -> None:
        answer = await one.client.get(path)
        assert answer.status_code == 404
        assert answer.json()["error"]["kind"] == "NotFound"
        assert (await one.client.request("DELETE", "/main.js")).status_code in (405, 415)

    over(tmp_path, work)
