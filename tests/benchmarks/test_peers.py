"""What is measured beside other tools does what each is timed for."""

import pathlib

import numpy as np
import pytest

from benchmarks.peer_ours import Ricordo
from benchmarks.peer_tools import Fts5, Row, Tool

WORDS = "kayak lantern orchard violin harbour thimble walnut compass saddle heron".split()


def rows() -> list[Row]:
    """Thirty messages in three conversations, each with a vector of its own."""
    vectors = np.eye(384, dtype=np.float32)
    return [Row(n + 1, n // 10 + 1, f"The {WORDS[n % 10]} is by the river number {n}", vectors[n]) for n in range(30)]


@pytest.mark.parametrize("kind", [Ricordo, Fts5])
def test_a_tool_finds_within_its_reach_what_was_put_in_and_not_taken_out(kind: type[Tool], tmp_path: pathlib.Path) -> None:
    """Filled, opened anew, one added, one deleted."""
    held = rows()
    tool = kind(tmp_path)
    tool.fill(held)
    tool.close()
    tool = kind(tmp_path)
    violin = held[13]
    assert tool.search("violin", violin.vector, [2], 5)[0] == violin.key
    assert set(tool.search("violin", violin.vector, None, 3)) == {4, 14, 24}
    new = Row(31, 2, "A violin of another maker", violin.vector)
    tool.add(new)
    assert set(tool.search("violin", violin.vector, [2], 2)) == {14, 31}
    tool.delete(violin)
    assert 14 not in tool.search("violin", violin.vector, None, 20)
    tool.close()
