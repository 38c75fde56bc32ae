"""A few random walks around a referee's mailbox (``make fuzz TARGET=post``), and faults, which they see."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import fuzzing
from fuzz_post import Post

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="it forks")]


def walked(seed, numbers):
    """The target, and what was found in these inputs of a seed."""
    target, faults = Post(), []
    for number in numbers:
        _word, fault = fuzzing.judged(target, fuzzing.one_input(target, seed, number), slow=False)
        faults.append(fault)
    return target, [fault for fault in faults if fault]


def test_T48_a_referees_mailbox_does_what_is_written_in_random_worlds():
    target, faults = walked(1, (0, 1))
    assert faults == []
    assert target.figures["ended by themselves"] > 0
    assert "games that ended by themselves: " in target.line


def test_a_walk_follows_from_its_seed():
    one, other = (walked(1, (3,))[0] for _time in range(2))
    assert one.figures == other.figures
    assert one.held == other.held
