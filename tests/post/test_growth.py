"""The cost of a mailbox grows with our mails, and hardly with other mails (make bench measures more)."""

import cProfile
import pstats
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import bench_post

pytestmark = pytest.mark.slow


def count_calls(work, *arguments):
    """Return the number of function calls; unlike seconds, the number does not depend on the machine's load."""
    profile = cProfile.Profile(builtins=False)
    profile.runcall(work, *arguments)
    return pstats.Stats(profile).total_calls


@pytest.mark.long
def test_twice_as_many_turns_cost_no_more_than_twice(tmp_path, monkeypatch):
    bench = bench_post.Round(tmp_path, monkeypatch, games=8, mails=400)
    calls = {each: count_calls(bench.time_round, each) for each in (0, 2, 4, 8)}
    turns = {each: calls[each] - calls[0] for each in (2, 4, 8)}
    assert turns[4] < 2.2 * turns[2], calls
    assert turns[8] < 2.2 * turns[4], calls
    assert calls[0] < 400 * 500, "a mail that is not ours"
