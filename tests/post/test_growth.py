"""The cost of a mailbox grows with our mails, and hardly with other mails (make bench measures more)."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import bench_post

pytestmark = pytest.mark.slow


@pytest.fixture
def bench(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        yield bench_post.Round(tmp_path_factory.mktemp("growth"), patch, games=8, mails=400)


def calls_of(work):
    """Return the number of function calls; unlike seconds, the number does not depend on the machine's load."""
    count = 0

    def counts(_frame, event, _argument):
        nonlocal count
        count += event == "call"

    sys.setprofile(counts)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.long
def test_twice_as_many_turns_cost_no_more_than_twice(bench):
    calls = {each: calls_of(lambda each=each: bench.time_round(each)) for each in (0, 2, 4, 8)}
    turns = {each: calls[each] - calls[0] for each in (2, 4, 8)}
    assert turns[4] < 2.2 * turns[2], calls
    assert turns[8] < 2.2 * turns[4], calls
    assert calls[0] < 400 * 500, "a mail that is not ours"
