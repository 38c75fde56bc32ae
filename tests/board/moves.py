"""A game played by the command line from home to home."""

import pytest

from kursk_pbem.cli import run

CITADEL = "battle-for-kursk/citadel"


@pytest.fixture
def at(monkeypatch):
    """Return a function to work as a seat."""

    def go(seat):
        monkeypatch.setenv("KURSK_HOME", str(seat.home))
        monkeypatch.chdir(seat.place)
        return seat

    return go


def folder_of(seat):
    return next(seat.place.rglob("game-*/0000.yaml")).parent


def newest_of(seat):
    return max(folder_of(seat).glob("[0-9][0-9][0-9][0-9].yaml"))


def play(at, seat, other):
    """Sign the due message of a seat by the command line, and take it at the other seat."""
    assert run(["sign", "--yes", "-q", str(folder_of(at(seat)))]) == 0
    assert run(["inbox", "-q", str(newest_of(seat))]) == 0
    at(other)
    assert run(["inbox", "-q", str(newest_of(seat))]) == 0
