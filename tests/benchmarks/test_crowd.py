"""Tabs and programs at once, in short; `python -m benchmarks.crowd` is the longer form of the same."""

import asyncio
import pathlib

import pytest

from benchmarks.crowd import READS, gather
from benchmarks.proxy import process
from benchmarks.serving import running


@pytest.mark.slow
@pytest.mark.req("X3", "I3", "I4")
def test_fifty_tabs_and_eight_programs_meet_no_error_and_lose_nothing(tmp_path: pathlib.Path) -> None:
    """All are told the same, all that was written is there; how quick that is depends on the machine, so it is no test."""
    with process("benchmarks.proxy_upstream") as (upstream, _), running(tmp_path, f"{upstream}/v1") as served:
        crowd, health = asyncio.run(gather(served, tabs=50, programs=8, seconds=6, least=6))
        assert served.complaints() == []
    assert crowd.errors == []
    assert len(crowd.heard) == 50
    assert len(set(crowd.heard.values())) == 1
    assert sum(map(len, crowd.written.values())) > 3
    assert all(len(crowd.spent[what]) > 3 for what in READS)
    assert max(health.files) < 250
