"""A few random walks around a referee's mailbox (``make fuzz TARGET=post``), and faults, which they see."""

import sys
from pathlib import Path

import pytest
from helpers import sweeps

from kursk_pbem.post import arrival
from kursk_pbem.post.referee import chair, deadlines, lastcall, lateness, notes, requests, timing, wrote
from kursk_pbem.post.referee.findings import Findings

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import fuzz
import fuzzing
from fuzz_post import Post

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="it forks")]


STEPS = 20


def walked(seed, **said):
    """The target, and what was found in the first input of a seed."""
    target = Post(STEPS, **said)
    return target, fuzzing.judged(target, fuzzing.one_input(target, seed, 0), slow=False)


@pytest.mark.parametrize(("seed", "word"), [(3, "ended by itself"), (4, "held")])
def test_T48_a_referees_mailbox_does_what_is_written_in_random_worlds(seed, word):
    target, judged = walked(seed)
    assert judged == (word, "")
    ended = word == "ended by itself"
    assert f"games that ended by themselves: {ended:d} in {ended:d} worlds" in target.line


def test_a_walk_follows_from_its_seed():
    one, other = (walked(1, only=("chat", "killed"))[0] for _time in range(2))
    assert one.figures == other.figures
    assert one.held == other.held


def test_a_walk_is_given_once_more_from_its_file(tmp_path, capsys):
    path = tmp_path / "post" / "1-0" / "input.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(fuzzing.one_input(Post(steps=5, only=("chat",)), 1, 0))
    assert fuzz.repeat(path) == 0
    assert capsys.readouterr().out.strip() in ("held", "ended by itself", "nothing")


# It would be noticed


def last_line(mail, hosts):
    """The time in the last line with the name of a host of ours, which a sender can forge."""
    told = [time for named, time in arrival._lines(mail) if time and not set(hosts).isdisjoint(named)]
    return told[-1] if told else ""


FAULTS = {  # seed, what is another, how, what happens in that world, and what is said
    "what people wrote": (1, chair, "_DOUBTS", (deadlines.doubts,), ("chat",), "wrote in round"),
    "what was damaged": (2, chair, "_DOUBTS", (wrote.doubts,), ("spoilt", "spoilt_by_hand"), "a damaged mail"),
    "a forged line": (25, arrival, "of", last_line, ("forged_received",), "and its receipt says"),
    "what is late": (2, lateness.Judge, "late", lambda *_of: "", ("late", "at_the_last"), "and was taken"),
    "what waits": (2, deadlines, "answered", lambda *_of: False, ("at_the_last",), "came in round"),
    "a second look": (3, deadlines, "looked_again", lambda *_of, **_said: "", (), "was not fetched twice"),
    "a last call": (3, lastcall, "held_back", lambda *_of, **_said: "", (), "two days behind it"),
    "an answer to it": (20, wrote, "answers", lambda *_of: iter(()), ("opponent_writes",), "answered a last call"),
    "that it goes out": (3, lastcall, "write", lambda *_of: iter(()), (), "it does not end by itself"),
    "a clock": (19, timing, "_jumped", lambda *_of: False, ("away_long",), "the clock was in doubt"),
    "ends": (3, chair.Chair, "_forfeit", lambda *_of: iter(()), (), "it does not end by itself"),
    "what a round tells": (1, Findings, "put", lambda *_of, **_said: None, ("spoilt_by_hand",), "is not told"),
    "machines": (1, requests, "machine", lambda *_of: "", ("odd_header",), "answers a mail of"),
    "answers of a day": (2, notes, "full", lambda *_of, **_said: False, ("many_questions",), "more than ten answers"),
}


@pytest.mark.parametrize("fault", sweeps.some(FAULTS, 4))
def test_a_mailbox_with_a_fault_is_seen(monkeypatch, fault):
    seed, where, name, instead, only, words = FAULTS[fault]
    monkeypatch.setattr(where, name, instead)
    assert words in walked(seed, only=only)[1][1]
