"""What a mailbox costs grows with what is ours in it, and hardly with what is not (make bench measures it in full)."""

import os
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import bench_post

from kursk_pbem.desk import clock
from kursk_pbem.game import disk, histories
from kursk_pbem.post import place, spool

pytestmark = pytest.mark.slow


def test_each_mail_that_is_kept_looks_at_no_other(tmp_path, monkeypatch):
    """Thousands of mails in the spool: a look at all of them for each would cost their square."""
    looks = []
    real = os.scandir
    monkeypatch.setattr(os, "scandir", lambda *place: looks.append(place) or real(*place))
    for number in range(50):
        spool.put(tmp_path, f"Subject: {number}\n\nhello\n".encode(), folder="INBOX", uid=str(number))
    assert len(looks) <= 5


def test_what_a_killed_program_left_goes_away(tmp_path):
    for name, age in (("old", 2 * disk.STALE), ("new", 10)):
        (tmp_path / f"{disk.PREFIX}{name}").touch()
        os.utime(tmp_path / f"{disk.PREFIX}{name}", (time.time() - age, time.time() - age))
    disk.create(tmp_path / "file", b"x")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{disk.PREFIX}new", "file"]


def a_round(tmp_path_factory, games, mails):
    with pytest.MonkeyPatch.context() as patch:
        yield bench_post.Round(tmp_path_factory.mktemp("growth"), patch, games=games, mails=mails)


@pytest.fixture
def bench(tmp_path_factory):
    yield from a_round(tmp_path_factory, 8, 400)


@pytest.fixture
def few(tmp_path_factory):
    yield from a_round(tmp_path_factory, 3, 20)


def calls_of(work):
    """How often Python calls a function in it; unlike seconds the same on a busy machine."""
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
    calls = {each: calls_of(lambda each=each: bench.seconds(each)) for each in (0, 2, 4, 8)}
    turns = {each: calls[each] - calls[0] for each in (2, 4, 8)}
    assert turns[4] < 2.2 * turns[2], calls
    assert turns[8] < 2.2 * turns[4], calls
    assert calls[0] < 400 * 500, "a mail that is not ours"


def test_each_game_is_loaded_once_whatever_came_of_it(few, monkeypatch):
    loads = []
    real = histories.load

    def load(folder, *more):
        loads.append(folder)
        return real(folder, *more)

    monkeypatch.setattr(histories, "load", load)
    few.seconds(3)
    assert len(loads) == len(set(loads)) == len(few.games)


def test_what_was_dealt_with_is_gone_through_once_a_day(tmp_path, monkeypatch):
    """Of 100,000 mails in 400 days it was a second and a half of each round, and a stranger can send as many."""
    files = [place.root(tmp_path) / "in" / "done" / digest[:2] / digest for digest in ("a" * 64, "b" * 64)]
    for file in files:
        place.once(file, b"")
    looks = []
    monkeypatch.setattr(clock, "of_file", lambda path: looks.append(path) or "2025-02-01T00:00:00Z")
    for now in ("2026-02-05T00:00:00Z", "2026-02-05T23:59:59Z", "2026-02-06T00:00:00Z"):
        monkeypatch.setattr(clock, "now", lambda now=now: now)
        spool.tidy(tmp_path)
    assert looks == 2 * files
    monkeypatch.setattr(clock, "now", lambda: "2036-02-06T00:00:00Z")
    spool.tidy(tmp_path)  # the clock may have been set
    assert all(file.exists() for file in files)
    monkeypatch.setattr(clock, "now", lambda: "2026-02-07T00:00:00Z")
    spool.tidy(tmp_path)
    monkeypatch.setattr(clock, "now", lambda: "2026-03-10T00:00:00Z")
    spool.tidy(tmp_path)
    assert not any(file.exists() for file in files)
